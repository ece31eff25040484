"""Run every benchmark of this folder, each in its own process: ``make bench``.

Every script measures this project and its peer in turn within one run, so that ratios hold on a
busy machine; times of two runs of this file do not compare.
"""

from __future__ import annotations

import platform
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent


def main() -> None:
    """Print the output of each script under its first line of documentation."""
    print(f"{platform.machine()}, Python {platform.python_version()}")
    for script in sorted(HERE.glob("*.py")):
        if script == Path(__file__):
            continue
        title = script.read_text().split('"""')[1].split("\n")[0]
        print(f"\n== {script.name}: {title}", flush=True)
        subprocess.run([sys.executable, "-P", str(script)], check=True)


if __name__ == "__main__":
    main()
