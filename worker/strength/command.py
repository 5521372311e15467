"""The command ``python -m worker strength``: lists measurements, carries one out, stores it."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from worker.spec import SpecError
from worker.strength import headless, registry, stored
from worker.strength.model import Measurement


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser], positive: Callable[[str], int]) -> None:
    """Declare its arguments."""
    words = "measure how strong the engines are, and keep what ships with the project"
    command = commands.add_parser("strength", help=words)
    command.add_argument("id", nargs="?", metavar="ID", help="which measurement; without it, all are listed")
    command.add_argument("--store", action="store_true", help="keep what was found as what ships with the project")
    command.add_argument("--processes", type=positive, default=1, metavar="N", help="use N processes (default 1)")


def run(options: argparse.Namespace, say: Callable[[str], None]) -> int:
    """Carry it out; return the exit code. Raises SpecError."""
    known = registry.measurements()
    if options.id is None:
        print(json.dumps([_row(one) for one in known.values()], indent=2))
        return 0
    if options.id not in known:
        raise SpecError((), f"there is no measurement {options.id!r}; known: {', '.join(known)}")
    found = headless.carry_out(known[options.id], options.processes, say)
    print(json.dumps({**asdict(found), "run_on": found.run_on.isoformat()}, indent=2, allow_nan=False))
    if options.store:
        say(f"stored as {stored.write(found).name}")
    return 0


def _row(measurement: Measurement) -> dict[str, Any]:
    """A measurement in the list. stored: the day, empty where it was not carried out; is_fitting: as it is now."""
    found = stored.load(measurement.id)
    return {
        "id": measurement.id,
        "game": measurement.game,
        "part": measurement.part,
        "title": measurement.title,
        "stored": found.run_on.isoformat() if found else "",
        "is_fitting": found is not None and found.is_fitting,
    }
