"""Compare the mechanisms with their tables.

Run it from anywhere; without names it takes all::

    python cases/mechanisms/compare.py heavy_top
"""

from __future__ import annotations

import argparse
import time

import numpy as np
from motions import MECHANISMS, energy, errors, run


def main() -> None:
    """Print the largest difference of each, and how far the energy moves."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help=", ".join(MECHANISMS))
    parser.add_argument("--formulation", default="joint")
    chosen = parser.parse_args()
    print("| case | largest difference / scale | change of energy, J | s |\n|---|---|---|---|")
    for name in chosen.names or MECHANISMS:
        began = time.perf_counter()
        results = run(name, formulation=chosen.formulation)
        total, took = energy(results), time.perf_counter() - began
        worst = np.abs(errors(name, results)).max()
        print(f"| `{name}` | {worst:.1e} | {np.ptp(total):.1e} | {took:.1f} |", flush=True)


if __name__ == "__main__":
    main()
