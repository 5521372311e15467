"""One campaign: ``python -m tests.campaigns people [--people 100] [--seconds 300]``; see `tests.campaigns`."""

from __future__ import annotations

import argparse
import json
import sys

from tests.campaigns import kills, people


def main() -> int:
    """Run what was asked for, print what was found as JSON, and fail where something is not as it should be."""
    parser = argparse.ArgumentParser(prog="python -m tests.campaigns")
    kinds = parser.add_subparsers(dest="kind", required=True)
    table = kinds.add_parser("people", help=str(people.__doc__).partition("\n")[0])
    table.add_argument("--people", type=int, default=100, dest="number")
    table.add_argument("--seconds", type=float, default=300.0)
    killing = kinds.add_parser("kills", help=str(kills.__doc__).partition("\n")[0])
    killing.add_argument("--kills", type=int, default=20)
    killing.add_argument("--seed", type=int, default=1)
    options = vars(parser.parse_args())
    module = {"people": people, "kills": kills}[options.pop("kind")]
    found = module.run(**options)
    said = module.faults(found)
    print(json.dumps(found | {"faults": said}, indent=1))
    return 1 if said else 0


if __name__ == "__main__":
    sys.exit(main())
