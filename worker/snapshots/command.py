"""Arguments of ``python -m worker snapshot``, and what it prints."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path

from worker.snapshots import archive as archives
from worker.snapshots.replay import replay

SAMPLE, SEED = 5, 1


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser], count: Callable[[str], int]) -> None:
    """Add the command. count: reads a number of matches."""
    parser = commands.add_parser("snapshot", help="verify a frozen snapshot of a shared result")
    kinds = parser.add_subparsers(dest="kind", required=True)
    verify = kinds.add_parser(
        "verify", help="compare every file with its checksum, and play a sample of the matches again from their seeds"
    )
    verify.add_argument("file", type=Path, metavar="FILE.zip", help="the snapshot")
    verify.add_argument("--sha256", metavar="HEX", default="", help="its checksum, or how it begins, as it is cited")
    verify.add_argument("--matches", type=count, default=SAMPLE, metavar="N", help=f"of the sample (default {SAMPLE})")
    verify.add_argument("--seed", type=int, default=SEED, metavar="N", help="chooses the sample")
    verify.add_argument("--sums-only", action="store_true", help="play nothing again")


def run(options: argparse.Namespace) -> int:
    """Verify a snapshot and print what was found as JSON; 1 where anything is not as it was frozen.

    Raises SnapshotError, OSError.
    """
    with archives.opened(options.file) as archive:
        about, sums = archives.about(archive), archives.check(options.file, archive)
        faults = list(sums.faults)
        if not sums.sha256.startswith(options.sha256.lower()):
            faults.append(f"its SHA-256 is {sums.sha256}, not {options.sha256}")
        found = {
            "title": about.get("title"),
            "address": about.get("address"),
            "as_of": about.get("as_of"),
            "sha256": sums.sha256,
            "files": sums.files,
            "faults": faults,
        }
        differences: list[str] = []
        if not faults and not options.sums_only:
            again = replay(archive, options.matches, options.seed)
            differences = again.differences
            found |= {
                "played_again": again.tried,
                "agree": again.agree,
                "differences": differences,
                "left_out": dict(again.left_out),
            }
    print(json.dumps(found, indent=2, ensure_ascii=False))
    print(_words(found), file=sys.stderr)
    return 1 if faults or differences else 0


def _words(found: dict[str, object]) -> str:
    if found["faults"]:
        return "It is not what was frozen."
    said = f"All {found['files']} files are what was frozen."
    if "played_again" in found:
        said += f" Of {found['played_again']} played again {found['agree']} agree."
    return said
