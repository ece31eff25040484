"""Configuration of the documentation."""

from importlib.metadata import version as _version

project = "offshore-cosim"
author = "The offshore-cosim developers"
copyright = "2026, the offshore-cosim developers"
release = _version("offshore-cosim")

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.mathjax",
    "sphinx.ext.napoleon",
    "sphinx.ext.viewcode",
]
myst_enable_extensions = ["amsmath", "colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3
autodoc_typehints = "description"
autodoc_member_order = "bysource"
napoleon_google_docstring = False
# pydantic fields are documented in their class docstring's parameter list
autodoc_default_options = {"exclude-members": "model_config"}
exclude_patterns = ["_build"]
html_theme = "furo"
html_title = "offshore-cosim"
html_static_path = ["_static"]
