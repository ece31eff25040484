"""What tests of several folders need."""

import os
import shutil

import pytest

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


@pytest.fixture(scope="session")
def browser_path():
    """A browser of this machine; its absence fails on GitHub only."""
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        if os.environ.get("GITHUB_ACTIONS"):
            pytest.fail("no browser, and the runner has one")
        pytest.skip(f"no browser on this machine, looked for {', '.join(BROWSERS)}")
    return path
