"""Runs experiments and studies without web server, queue or database.

``python -m worker run SPEC.json`` plays an experiment, ``python -m worker study SPEC.json``
does a study, ``python -m worker ladder SPEC.json`` rates engines by matches with each other,
``python -m worker preset ID`` rebuilds a published table beside what was printed, ``python -m worker stats``
computes rates, differences, sequential tests and ladders, ``python -m worker plan SPEC.json`` says what an
experiment will show and cost, ``python -m worker counts SPEC.json`` puts counts by round or ply in place of seconds,
``python -m worker openings`` measures pairs of engines, ``python -m worker stronger`` says by its exit status
whether a commit made an engine stronger, ``python -m worker snapshot verify FILE.zip`` says whether a frozen result is
what was frozen, and plays some of it again, ``python -m worker costs GAME`` measures what estimates rest on.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from engines.own import sources
from engines.own.faults import SourceError
from games import garbage
from worker import batch, code_version, cost_measurement, estimate, stronger
from worker import spec as specs
from worker.files import CSV_HEAD, lines
from worker.ladders import batch as ladders
from worker.looks import RecordLooks
from worker.planning import command as planning
from worker.presets import headless as preset_runs
from worker.presets import registry as preset_registry
from worker.presets.model import SCALES
from worker.report import Report
from worker.snapshots import command as snapshots
from worker.snapshots.archive import SnapshotError
from worker.spec import MAX_SEED, ExperimentSpec, SpecError
from worker.stats import command as stats
from worker.stats.tables import InputError
from worker.strength import command as strength
from worker.studies import batch as study_batch
from worker.studies import registry as study_registry
from worker.studies import report as study_report
from worker.studies import spec as study_specs
from worker.studies.pieces import Outcome
from worker.studies.protocol import StudySpec

PROGRESS_S = 2.0
OWN = "allow an engine of your own, own:FILE in the spec: a file, a folder, or package:NAME (docs/own-engines.md)"


def main(arguments: Sequence[str] | None = None, prog: str = "python -m worker") -> int:
    """Run the command line; returns the exit code (0 fine, 1 failed matches or pieces, 2 bad input)."""
    options = stronger.parse(_parser(prog), list(sys.argv[1:] if arguments is None else arguments))
    try:
        if own := getattr(options, "engine", []):
            sources.allow(own)
        if options.command == "preset":
            return _preset(options)
        if options.command == "stronger":
            return stronger.run(options, _say)
        if options.command == "strength":
            return strength.run(options, _say)
        if options.command == "stats":
            print(json.dumps(stats.run(options), indent=2, allow_nan=False))
            return 0
        if options.command == "snapshot":
            return snapshots.run(options)
        if options.command == "openings":
            print(planning.measure_openings(options))
            return 0
        if options.command == "plan":
            print(planning.text(_experiment(_read(options.spec)), options))
            return 0
        if options.command == "costs":
            print(cost_measurement.run(options))
            return 0
        if options.command == "counts":
            print(json.dumps(planning.counted(_experiment(_read(options.spec)), options), indent=2))
            return 0
        spec = COMMANDS[options.command].read(_read(options.spec))
        with _opened(options.out) as file:
            return COMMANDS[options.command].run(spec, file, options)
    except (SpecError, InputError, SourceError, SnapshotError) as error:
        return _refuse(str(error))
    except OSError as error:
        return _refuse(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    except BrokenProcessPool:
        print("error: a process of the batch died; nothing after the last line written is kept", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130


def _refuse(words: str) -> int:
    print(f"error: {words}", file=sys.stderr)
    return 2


def _parser(prog: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=prog, description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    run = commands.add_parser("run", help="play all matches of a spec and print the summary as JSON")
    study = commands.add_parser("study", help="do all pieces of a study and print its result as JSON")
    ladder = commands.add_parser("ladder", help="play a ladder of engines and print their ratings as JSON")
    for command, what, one in (
        (run, "experiment", "match, in seed order"),
        (study, "study", "piece, in order"),
        (ladder, "ladder", "match, in the order of rounds"),
    ):
        command.add_argument("spec", type=Path, metavar="SPEC.json", help=f"the {what} (- reads standard input)")
        command.add_argument("--out", type=Path, metavar="FILE", help=f"write one JSON line per {one}")
        command.add_argument("--processes", type=_positive, default=1, metavar="N", help="use N processes (default 1)")
    preset = commands.add_parser("preset", help="rebuild a published table and print it beside our figures as JSON")
    preset.add_argument("id", nargs="?", metavar="ID", help="which one; without it, all are listed")
    preset.add_argument("--scale", choices=SCALES, default="quick", help="how many matches, how much thinking")
    preset.add_argument(
        "--seed",
        type=_seed,
        nargs="+",
        default=(),
        metavar="N",
        help="other seeds than the preset's; several are pooled",
    )
    preset.add_argument("--processes", type=_positive, default=1, metavar="N", help="use N processes (default 1)")
    preset.add_argument("--store", action="store_true", help="keep the figures as those that ship with the project")
    planning.add_to(commands, _positive)
    stronger.add_to(commands, _positive)
    strength.add_to(commands, _positive)
    for name in ("run", "ladder", "plan", "counts"):
        commands.choices[name].add_argument("--engine", action="append", default=[], metavar="FILE.py", help=OWN)
    words = "write the metrics as rows, one number of a seat each: CSV, or JSON lines where FILE ends in .jsonl"
    run.add_argument("--metrics", type=Path, metavar="FILE", help=words)
    for command in (run, ladder):
        command.add_argument("--times", action="store_true", help="also write seconds, which differ from run to run")
    ladder.add_argument(
        "--rows", type=Path, action="append", default=[], metavar="FILE", help="go on from what --out wrote"
    )
    stats.add_to(commands)
    snapshots.add_to(commands, _positive)
    cost_measurement.add_to(commands)
    return parser


def _positive(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 1024:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1 to 1024")
    return int(text)


def _seed(text: str) -> int:
    if not text.isdecimal() or int(text) > MAX_SEED:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0 to {MAX_SEED}")
    return int(text)


def _read(path: Path) -> Any:
    try:
        return json.loads(sys.stdin.read() if str(path) == "-" else path.read_bytes())
    except (ValueError, RecursionError) as error:
        raise SpecError((), f"{path} is not JSON: {error}") from None


def _opened(path: Path | None) -> contextlib.AbstractContextManager[BinaryIO | None]:
    return path.open("wb") if path else contextlib.nullcontext()


def _experiment(data: Any) -> ExperimentSpec:
    """The spec of an experiment that can be played here: without agents."""
    spec = specs.from_json(data)
    if spec.ladder is not None:
        raise SpecError(("ladder",), "is played by python -m worker ladder")
    for i, arm in enumerate(spec.arms):
        for j, seat in enumerate(arm.seats):
            if seat.agent:
                text = f"{seat.agent} is an agent, which plays over HTTP: start this experiment on the lab's pages"
                raise SpecError(("arms", i, "seats", j, "engine"), text)
    specs.check_presence(spec)
    return spec


def _run(spec: ExperimentSpec, file: BinaryIO | None, options: argparse.Namespace) -> int:
    is_csv = options.metrics is not None and options.metrics.suffix != ".jsonl"
    wanted = batch.Wanted(file is not None, options.times, options.metrics is not None, is_csv)
    with _opened(options.metrics) as metrics:
        if metrics and is_csv:
            metrics.write(CSV_HEAD.encode())
        return _play(spec, wanted, file, metrics, options.processes)


def _play(
    spec: ExperimentSpec, wanted: batch.Wanted, file: BinaryIO | None, metrics: BinaryIO | None, processes: int
) -> int:
    report = Report(spec)
    expected = estimate.estimate(spec, processes, estimate.FILE)
    _say(estimate.words(expected.matches, "match", "matches", expected.seconds))
    started = shown = time.monotonic()
    done = 0
    looks = None if spec.stop.is_fixed else RecordLooks(spec)
    for part in batch.write(spec, processes, looks, wanted):
        report.add(part.results)
        if file:
            file.write(part.lines)
        if metrics:
            metrics.write(part.metrics)
        done += len(part.results)
        now = time.monotonic()
        if now - shown >= PROGRESS_S:
            shown = now
            _say(f"{done} of {expected.matches} matches, {done / (now - started):.3g} a second")
    seconds = time.monotonic() - started
    _say(f"{done} matches in {seconds:.1f} s, {report.failed} failed")
    if looks is not None:
        report.end(looks.ruling)
    _print(report.to_json())
    return 1 if report.failed else 0


def _ladder_spec(data: Any) -> ExperimentSpec:
    spec = specs.from_json(data)
    if spec.ladder is None:
        raise SpecError(("ladder",), "is missing: it holds the engines that are rated")
    return spec


def _ladder(spec: ExperimentSpec, file: BinaryIO | None, options: argparse.Namespace) -> int:
    if not options.rows:  # a ladder that goes on keeps the matches of entries that play no more
        specs.check_presence(spec)
    rows = ladders.Rows(spec, [row for path in options.rows for row in ladders.read(spec, path)])
    expected = estimate.estimate(spec, options.processes, estimate.FILE)
    _say("at most " + estimate.words(expected.matches, "match", "matches", expected.seconds))
    started = shown = time.monotonic()
    done = 0
    for records in ladders.play(rows, options.processes):
        if file:
            file.write(lines(spec, records, times=options.times).encode())
        done += len(records)
        if time.monotonic() - shown >= PROGRESS_S:
            shown = time.monotonic()
            _say(f"{done} matches, at most {expected.matches}")
    _say(f"{done} matches in {time.monotonic() - started:.1f} s, {rows.failed} failed")
    _print(rows.to_json())
    return 1 if rows.failed else 0


def _study(spec: StudySpec, file: BinaryIO | None, options: argparse.Namespace) -> int:
    kind = study_registry.get(spec.study)
    total = kind.num_pieces(spec)
    _say(estimate.words(total, "piece", "pieces", kind.seconds(spec) / options.processes))
    started = shown = time.monotonic()
    outcomes: list[Outcome] = []
    for outcome in study_batch.outcomes(spec, options.processes):
        outcomes.append(outcome)
        if file:
            row = {"piece": outcome.index, "row": outcome.row, "failure": outcome.failure}
            file.write(json.dumps(row).encode() + b"\n")
        if time.monotonic() - shown >= PROGRESS_S:
            shown = time.monotonic()
            _say(f"{len(outcomes)} of {total} pieces")
    failures = {outcome.index: outcome.failure for outcome in outcomes if outcome.row is None}
    rows = {outcome.index: outcome.row for outcome in outcomes if outcome.row is not None}
    _say(f"{total} pieces in {time.monotonic() - started:.1f} s, {len(failures)} failed")
    versions = {name: version for outcome in outcomes for name, version in outcome.versions.items()}
    _print(study_report.report(spec, rows, failures, versions))
    return 1 if failures else 0


def _preset(options: argparse.Namespace) -> int:
    known = preset_registry.presets()
    if options.id is None:
        print(json.dumps(preset_runs.catalogue(known.values()), indent=2))
        return 0
    if options.id not in known:
        print(f"error: no preset {options.id!r}; known: {', '.join(known)}", file=sys.stderr)
        return 2
    if options.store and options.seed:
        raise SpecError(("seed",), "of a stored run is the preset's own, so that everybody finds the same figures")
    preset = known[options.id]
    presets = preset_runs.alike(preset, options.scale) if options.store else (preset,)
    ran, *others = preset_runs.run(presets, options.scale, options.processes, _say, options.seed)
    print(json.dumps(ran.to_json(), indent=2, allow_nan=False))
    for one in (ran, *others) if options.store else ():
        _say(f"stored as {preset_runs.store(one).name}")
    return 1 if ran.failed else 0


class Command(NamedTuple):
    """Command: how it reads its spec, and what it does with it."""

    read: Callable[[Any], Any]
    run: Callable[[Any, BinaryIO | None, argparse.Namespace], int]


COMMANDS = {
    "run": Command(_experiment, _run),
    "study": Command(study_specs.from_json, _study),
    "ladder": Command(_ladder_spec, _ladder),
}


def _print(report: dict[str, Any]) -> None:
    """Print a report, and by which code it was made."""
    made_by = {"version": code_version.lab_version(), "code": code_version.content_hash()}
    print(json.dumps(report | {"lab": made_by}, indent=2, allow_nan=False))


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    garbage.collect_seldom()
    sys.exit(main())
