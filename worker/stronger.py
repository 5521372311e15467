"""Did this commit make an engine stronger? A sequential test of a file against what it was, with an exit status.

Both sit down to the same deals in exchanged seats until the likelihood ratio decides (`analysis/stop_rules/sprt.py`).
What it was may be another file, an engine of the lab, or the same file at a revision of git.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

from engines.own import sources
from engines.own.faults import SourceError
from engines.own.sources import Source
from games import registry as game_registry
from worker import batch, estimate
from worker import spec as specs
from worker.analysis.stop_rules.model import H0, H1
from worker.looks import RecordLooks
from worker.report import Report
from worker.results import FailedMatch
from worker.spec import ExperimentSpec, SpecError

STRONGER, NOT_WEAKER = "stronger", "not-weaker"
YES, NO, UNDECIDED, ERROR = 0, 1, 2, 3
"""Exit status."""
VERDICTS = {
    (STRONGER, H1): "stronger",
    (STRONGER, H0): "not stronger",
    (NOT_WEAKER, H1): "not weaker",
    (NOT_WEAKER, H0): "weaker",
}
SAME, OPEN = "the same code", "undecided"
GIT_S = 60
LONGEST_NAME = 24
"""Letters of a name that are kept where a revision is added to it."""
NOT_OF_THE_SPEC = ("arms", "seats", "stop", "baseline", "sweep")
"""Fields of a spec that this test says itself."""


class FailedError(Exception):
    """A match ended without a result; the text says whose fault it was."""


@dataclass(frozen=True)
class Sides:
    """Who meets whom: ids or configurations of seats. is_same: both are one code."""

    engine: dict[str, Any]
    against: dict[str, Any]
    is_same: bool


def add_to(commands: Any, positive: Callable[[str], int]) -> None:
    """Declare the command."""
    command: argparse.ArgumentParser = commands.add_parser(
        "stronger",
        help="test an engine of your own against what it was; the exit status says how it came out",
        description=__doc__,
        epilog="Exit status: 0 yes, 1 no, 2 undecided after all deals, 3 it could not be tested.",
    )
    command.add_argument("--engine", dest="candidate", required=True, metavar="FILE.py", help="the engine, or a folder")
    command.add_argument(
        "--against", required=True, metavar="WHAT", help="FILE.py, a folder, a revision of git, or a seat as JSON"
    )
    command.add_argument("--game", choices=game_registry.ids(), help="needed where --spec does not say it")
    command.add_argument("--spec", type=Path, metavar="SPEC.json", help="rules, seed and the like; its arms do nothing")
    command.add_argument("--ask", choices=(STRONGER, NOT_WEAKER), default=STRONGER, help="what exit status 0 means")
    command.add_argument(
        "--difference", type=float, default=5.0, metavar="D", help="percentage points of wins that matter (default 5)"
    )
    command.add_argument(
        "--error", type=float, default=0.05, help="chance of a wrong answer, either way (default 0.05)"
    )
    command.add_argument("--deals", type=positive_deals, metavar="N", help="the most it may take (default 2000)")
    command.add_argument("--options", type=json_object, default={}, metavar="JSON", help="of the engine, on both sides")
    command.add_argument("--budget", type=json_object, metavar="JSON", help="likewise")
    command.add_argument("--seed", type=int, help="of the deals (default 1)")
    command.add_argument("--processes", type=positive, default=1, metavar="N", help="use N processes (default 1)")
    command.add_argument("--out", type=Path, metavar="FILE", help="write one JSON line per match")


def positive_deals(text: str) -> int:
    """A number of deals."""
    if not text.isdecimal() or not 1 <= int(text) <= specs.MAX_DEALS:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1 to {specs.MAX_DEALS}")
    return int(text)


def json_object(text: str) -> dict[str, Any]:
    """Options or a budget."""
    try:
        found = json.loads(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is not JSON: {error}") from None
    if not isinstance(found, dict):
        raise argparse.ArgumentTypeError(f'{text!r} is no JSON object, such as {{"playouts": 100}}')
    return found


def parse(parser: argparse.ArgumentParser, words: Sequence[str]) -> argparse.Namespace:
    """Read a command line. One of this command that cannot be read does not end with 2, which means undecided here."""
    try:
        return parser.parse_args(words)
    except SystemExit as end:
        raise SystemExit(ERROR if end.code and words[:1] == ["stronger"] else end.code) from None


def run(options: argparse.Namespace, say: Callable[[str], None]) -> int:
    """Play the test, print what came out as JSON, and return the exit status."""
    try:
        with tempfile.TemporaryDirectory(prefix="meeple-stronger-") as folder, _list_restored():
            found, status = _answer(options, Path(folder), say)
    except (SpecError, SourceError, FailedError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return ERROR
    except BrokenProcessPool:
        print("error: a process of the test died", file=sys.stderr)
        return ERROR
    say(found["sentence"])
    print(json.dumps(found, indent=2, allow_nan=False))
    return status


@contextlib.contextmanager
def _list_restored() -> Iterator[None]:
    """What may play here is afterwards what it was: copies of what was before are gone then."""
    before = os.environ.get(sources.VARIABLE)
    try:
        yield
    finally:
        os.environ.pop(sources.VARIABLE, None)
        if before is not None:
            os.environ[sources.VARIABLE] = before


def _answer(options: argparse.Namespace, folder: Path, say: Callable[[str], None]) -> tuple[dict[str, Any], int]:
    sides = find_sides(options, folder)
    names = {"engine": sides.engine["engine"], "against": sides.against["engine"]}
    if sides.is_same:
        sentence = f"{names['engine']} is the same code as before: nothing was played."
        return {"verdict": SAME, "sentence": sentence, **names}, NO if options.ask == STRONGER else YES
    spec = spec_of(options, sides)
    specs.check_presence(spec)
    expected = estimate.estimate(spec, options.processes, estimate.FILE)
    say("at most " + estimate.words(expected.matches, "match", "matches", expected.seconds))
    report = _play(spec, options)
    assert report.ruling is not None
    verdict = VERDICTS.get((options.ask, report.ruling.reason), OPEN)
    status = UNDECIDED if verdict == OPEN else YES if report.ruling.reason == H1 else NO
    told = report.to_json()
    sentence = f"{_words(verdict, options.ask, names)}: {_figures(told['arms'][0]['places'][0])}."
    return {"verdict": verdict, "sentence": sentence, **names, **told}, status


def _words(verdict: str, asked: str, names: dict[str, str]) -> str:
    engine, against = names["engine"], names["against"]
    if verdict == OPEN:
        return f"It is open whether {engine} is {asked.replace('-', ' ')} than {against}"
    return f"{engine} is {verdict} than {against}"


def _figures(place: dict[str, Any]) -> str:
    low, high = place["win_rate_interval"] or (0, 1)
    rate = f"{100 * place['win_rate']:.1f} % of {place['matches']} matches won"
    return f"{rate}, interval {100 * low:.1f} to {100 * high:.1f} %"


def _play(spec: ExperimentSpec, options: argparse.Namespace) -> Report:
    """Play until it is decided. Raises FailedError at the first match without a result."""
    report, looks = Report(spec), RecordLooks(spec)
    with options.out.open("wb") if options.out else contextlib.nullcontext() as file:
        for part in batch.write(spec, options.processes, looks, batch.Wanted(lines=file is not None)):
            report.add(part.results)
            if file:
                file.write(part.lines)
            for match in part.results.failed:
                _fail(spec, match)
    report.end(looks.ruling)
    return report


def _fail(spec: ExperimentSpec, match: FailedMatch) -> None:
    seat, failure = match.failure.seat, match.failure
    who = "the match" if seat is None else spec.arms[0].seats[match.lineup[seat]].engine
    raise FailedError(f"{who} failed on deal {match.deal}: {failure.kind}: {failure.message}")


def spec_of(options: argparse.Namespace, sides: Sides) -> ExperimentSpec:
    """The experiment. Raises SpecError."""
    base = _base(options.spec) if options.spec else {}
    kept = {name: value for name, value in base.items() if name not in NOT_OF_THE_SPEC}
    game_id = options.game or base.get("game")
    if game_id not in game_registry.ids():
        raise SpecError(("game",), f"must be one of {', '.join(game_registry.ids())}; say it by --game")
    seats = max(2, game_registry.get(game_id).traits.min_seats)
    low = 0.0 if options.ask == STRONGER else -options.difference
    stop = {"rule": "sprt", "h0": low, "h1": low + options.difference, "alpha": options.error, "beta": options.error}
    line = [sides.engine, sides.against] * (seats // 2)
    said = {"deals": options.deals, "seed": options.seed}
    return specs.from_json(
        {"version": 1, "deals": 2000, "seed": 1}
        | kept
        | {name: value for name, value in said.items() if value is not None}
        | {"game": game_id, "seats": seats, "arms": [{"name": "Now against before", "seats": line}], "stop": stop}
    )


def _base(path: Path) -> dict[str, Any]:
    """Rules, seed and the like of a spec. Raises SpecError."""
    try:
        base = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise SpecError((), f"{path} is not JSON: {error}") from None
    if not isinstance(base, dict):
        raise SpecError((), f"{path} is no spec: it holds a {type(base).__name__}, not an object")
    return base


# ---- who meets whom


def find_sides(options: argparse.Namespace, folder: Path) -> Sides:
    """Both engines, allowed to play here. folder: where a copy of what was before is laid. Raises SourceError."""
    engine = sources.from_text(options.candidate)
    setting = {"options": options.options} | ({} if options.budget is None else {"budget": options.budget})
    if options.against.lstrip().startswith("{"):
        sources.allow([options.candidate])
        return Sides({"engine": engine.id, **setting}, _seat(options.against), is_same=False)
    before = _before(engine, options.against, folder)
    sources.allow([options.candidate, str(before.path) if not before.module else options.against])
    is_same = before.version == engine.version
    return Sides({"engine": engine.id, **setting}, {"engine": before.id, **setting}, is_same)


def _seat(text: str) -> dict[str, Any]:
    try:
        found: dict[str, Any] = json.loads(text)
    except ValueError as error:
        raise SourceError(f"--against is no JSON: {error}") from None
    return found


def _before(engine: Source, text: str, folder: Path) -> Source:
    """What the engine is compared with."""
    if not text.startswith(sources.PACKAGE) and not Path(text).expanduser().exists():
        return sources.from_text(str(_at_revision(engine.path, text, folder)))
    found = sources.from_text(text)
    if found.name != engine.name or found.module:
        return found
    copy = folder / f"{found.name[:LONGEST_NAME]}_before{found.path.suffix}"
    (shutil.copytree if found.path.is_dir() else shutil.copy)(found.path, copy)
    return sources.from_text(str(copy))


def _at_revision(path: Path, revision: str, folder: Path) -> Path:
    """The file or folder as it was at a revision of git. Raises SourceError."""
    asked = ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    try:
        commit = _git(path.parent, *asked).decode().strip()
    except SourceError:
        raise SourceError(
            f"--against {revision!r} is no file, no folder, and no revision of the git of {path}"
        ) from None
    if not _git(path.parent, "ls-tree", "--name-only", commit, path.name).strip():
        raise SourceError(f"{path.name} is not in revision {revision} of its git: there is nothing to compare it with")
    packed = _git(path.parent, "archive", "--format=tar", commit, path.name)
    name = f"{path.stem[:LONGEST_NAME]}_{commit[:10]}"
    with tarfile.open(fileobj=BytesIO(packed)) as archive:
        archive.extractall(folder, filter="data")
    return (folder / path.name).rename(folder / f"{name}{path.suffix}")


def _git(folder: Path, *arguments: str) -> bytes:
    try:
        done = subprocess.run(["git", "-C", str(folder), *arguments], capture_output=True, timeout=GIT_S, check=False)
    except (OSError, subprocess.SubprocessError) as error:
        raise SourceError(f"git could not be asked: {error}") from None
    if done.returncode:
        raise SourceError(f"git {arguments[0]}: {done.stderr.decode(errors='replace').strip() or 'no such revision'}")
    return done.stdout
