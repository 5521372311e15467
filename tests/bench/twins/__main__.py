"""How far compiled kernels are from C++: rates beside those of the same kernels translated and compiled by g++.

    .venv/bin/python -m tests.bench.twins [--only KERNEL,KERNEL] [--seconds S] [--keep FOLDER]

The translation is made anew each time, from the source that numba compiles and the types that numba finds
(`translation`). Before it is measured it has to do the same: equal plies or turns, scores or values, random numbers
and states. Then all take turns on one core; a ratio is the median of those of rounds, CPU time of C++ over ours, so
1.15 says that C++ is 1.15 times as fast. --keep leaves the programs of C++ in a folder.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from tests.bench.twins.cases import CASES
from tests.bench.twins.comparison import FLAGS, compare
from tests.bench.twins.program import NoCompilerError

HEAD = f"{'':34}{'ours':>11}" + "".join(f"{' '.join(flags):>22}" for flags in FLAGS.values()) + "  C++ / ours"


def chosen(text: str) -> list[str]:
    """Kernels by name."""
    names = text.split(",")
    if unknown := [name for name in names if name not in CASES]:
        raise argparse.ArgumentTypeError(f"there is no {unknown[0]!r}; there are {', '.join(CASES)}")
    return names


def main(arguments: list[str] | None = None) -> int:
    """Print a line a kernel; returns 2 where there is no g++."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.twins", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", type=chosen, default=list(CASES), metavar="KERNELS", help=f"of {', '.join(CASES)}")
    parser.add_argument("--seconds", type=float, default=5.0, help="CPU seconds of each of a kernel's programs")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="leave the programs of C++ here")
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        print(HEAD)
        for key in given.only:
            try:
                found = compare(CASES[key](), (given.keep or Path(folder)) / key, given.seconds)
            except NoCompilerError as error:
                print(error, file=sys.stderr)
                return 2
            rates = "".join(f"{found.rates[name]:>22,.0f}" for name in FLAGS)
            ratios = ", ".join(f"{found.ratios[name]:.2f}" for name in FLAGS)
            print(f"{found.what:34}{found.ours:>11,.0f}{rates}  {ratios}, best {found.ratio:.2f}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
