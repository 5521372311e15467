"""``meeple submit | watch | result | export``: a lab elsewhere, from the command line.

Address and token are read from LAB_URL and LAB_TOKEN.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from meeple_client.errors import LabError
from meeple_client.job import PLURALS, Job
from meeple_client.lab import Lab, kind_of
from meeple_client.progress import duration


def main(arguments: Sequence[str] | None = None, prog: str = "python -m meeple_client") -> int:
    """Run the command line; returns the exit code (0 fine, 1 failed matches or pieces, 2 refused or unreachable)."""
    options = _parser(prog).parse_args(arguments)
    url, token = options.lab or os.environ.get("LAB_URL", ""), os.environ.get("LAB_TOKEN", "")
    if not url or not token:
        lacking = "LAB_URL (or --lab) to its address" if not url else "LAB_TOKEN to a token of your account"
        print(f"error: set {lacking}", file=sys.stderr)
        return 2
    try:
        with Lab(url, token) as lab:
            return COMMANDS[options.command](lab, options)
    except (LabError, OSError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("interrupted: what was started goes on", file=sys.stderr)
        return 130


def _parser(prog: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=prog, description=__doc__)
    parser.add_argument("--lab", metavar="URL", help="address of the lab, in place of LAB_URL")
    commands = parser.add_subparsers(dest="command", required=True)
    submit = commands.add_parser("submit", help="start an experiment, ladder or study by its spec")
    submit.add_argument("spec", metavar="SPEC.json", help="as a page has it (- reads standard input)")
    submit.add_argument("--title", default="", help="of its page")
    submit.add_argument("--key", default="", help="your name for this start: sent again, it starts nothing twice")
    submit.add_argument("--confirm", default="", help="as --dry-run says it, where something is very large")
    submit.add_argument("--dry-run", action="store_true", help="say what it would take, and start nothing")
    submit.add_argument("--watch", action="store_true", help="follow it to its end")
    for name, what in (
        ("watch", "follow one to its end"),
        ("result", "print every number of its page"),
        ("export", "write its matches to a file"),
    ):
        command = commands.add_parser(name, help=what)
        command.add_argument("job", type=_job, metavar="JOB", help="its number, or ladder/7, study/7")
        if name == "export":
            command.add_argument("file", type=Path, help="ends in .csv, .jsonl or .parquet")
            command.add_argument("--plies", action="store_true", help="plies in place of matches")
    for command in commands.choices.values():
        command.add_argument("--lab", metavar="URL", default=argparse.SUPPRESS, help="in place of LAB_URL")
    return parser


def _job(text: str) -> tuple[str, int]:
    kind, _, number = text.rpartition("/")
    if not number.isdecimal() or (kind or "experiment") not in PLURALS:
        raise argparse.ArgumentTypeError(f"{text!r} is no number, and not ladder/NUMBER or study/NUMBER")
    return kind or "experiment", int(number)


def _submit(lab: Lab, options: argparse.Namespace) -> int:
    text = sys.stdin.read() if options.spec == "-" else Path(options.spec).read_text(encoding="utf-8")
    try:
        spec = json.loads(text)
    except ValueError as error:
        raise LabError(f"{options.spec} is not JSON: {error}") from None
    if not isinstance(spec, dict):
        raise LabError(f"{options.spec} is no spec: it holds a {type(spec).__name__}, not an object.")
    plan = lab.plan(spec)
    pieces = "pieces" if kind_of(spec) == "study" else "matches"
    print(
        f"at most {plan.units} {pieces}, about {duration(plan.seconds)}; {plan.refusal or 'within your quotas'}",
        file=sys.stderr,
    )
    if options.dry_run:
        _print(vars(plan))
        return 0
    job = lab.submit(spec, title=options.title, idempotency_key=options.key, confirm=options.confirm)
    print(job.page, file=sys.stderr)
    if options.watch:
        return _followed(job)
    _print(job.data)
    return 0


def _followed(job: Job) -> int:
    job.wait()
    print(job.result().sentence or job.status)
    return 1 if job.failed else 0


def _watch(lab: Lab, options: argparse.Namespace) -> int:
    return _followed(lab.job(*options.job))


def _result(lab: Lab, options: argparse.Namespace) -> int:
    _print(lab.job(*options.job).result().data)
    return 0


def _export(lab: Lab, options: argparse.Namespace) -> int:
    print(lab.job(*options.job).export(options.file, "plies" if options.plies else ""))
    return 0


COMMANDS = {"submit": _submit, "watch": _watch, "result": _result, "export": _export}


def _print(data: Any) -> None:
    print(json.dumps(data, indent=2, ensure_ascii=False))


if __name__ == "__main__":
    sys.exit(main())
