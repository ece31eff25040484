"""Configuration of the documentation."""

import sys
from importlib.metadata import version as _version
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

project = "offshore-cosim"
author = "The offshore-cosim developers"
copyright = "2026, the offshore-cosim developers"
release = _version("offshore-cosim")

extensions = [
    "case_reference",
    "mathml",
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
]
myst_enable_extensions = ["amsmath", "colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 4
# kinds of joints, waves and loads repeat keys of the same name, and so headings
suppress_warnings = ["myst.header"]
autodoc_default_options = {"exclude-members": "model_config"}
autodoc_typehints = "none"
autodoc_member_order = "bysource"
autodoc_class_signature = "mixed"
napoleon_google_docstring = False
napoleon_use_rtype = False
exclude_patterns = ["_build", "_ext", "reference/generated"]
html_math_renderer = "mathml"
html_css_files = ["site.css"]
html_theme = "furo"
html_title = "offshore-cosim"
html_static_path = ["_static"]
