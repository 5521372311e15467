"""A sample that was played again, in sentences for everybody: what agrees, what differs, what was left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from webapp.common.formats import plural
from webapp.lab.checks.subject import Subject
from webapp.records.check_models import SampleCheck
from webapp.records.sample_report import SampleReport

FIELDS = {
    "action": "the action",
    "notation": "how the action is written",
    "seat": "who was on turn",
    "legal_count": "the number of legal actions",
    "scores": "the scores",
    "digest": "the position",
    "num_plies": "the number of plies",
    "ranks": "the ranks",
    "results": "who won",
    "metrics": "a metric of the game",
    "status": "whether it came to an end",
    "ply": "the number of the ply",
} | dict.fromkeys(("value", "playouts", "nodes", "depth"), "what the engine found in its search")


def verdict(subject: Subject, report: SampleReport) -> str:
    """What came out, in a sentence or two."""
    one, many = subject.units
    if not report.compared:
        return f"None of the {many} could be played again." if subject.match is None else "It cannot be played again."
    what = "This match was" if subject.match is not None else f"{_were(report.compared, one, many)}"
    return f"{what} {_how(subject, report)}. {_outcome(subject, report)}"


def _were(number: int, one: str, many: str) -> str:
    return f"{plural(number, one, many)} {'was' if number == 1 else 'were'}"


def _how(subject: Subject, report: SampleReport) -> str:
    if subject.units[0] == "piece":
        return "done again from the seed"
    walked = report.compared - report.by_engines
    if not walked:
        return "played again by its engines, from the seed" if report.compared == 1 else "played again from their seeds"
    if not report.by_engines:
        return "gone through again, action by action"
    return f"played again, {report.by_engines} by their engines from the seed, {walked} action by action"


def _outcome(subject: Subject, report: SampleReport) -> str:
    if report.differing:
        if subject.match is not None:
            return "It differs from what is stored."
        return f"{report.differing} of them {'differs' if report.differing == 1 else 'differ'} from what is stored."
    if subject.units[0] == "piece":
        return "Every row agrees with the stored one." if report.compared > 1 else "Its row agrees with the stored one."
    if report.plies:
        return f"All {plural(report.plies, 'ply', 'plies')} agree." if report.plies > 1 else "Its ply agrees."
    return "The result agrees."


def difference(row: dict[str, Any]) -> str:
    """Where something differs: "at ply 33, the action"."""
    if "piece" in row:
        return f"Piece {row['piece']}: {row['field']}"
    return f"Match {row['match']} at ply {row['ply']}: {FIELDS.get(row['field'], row['field'])}"


def left_out(subject: Subject, report: SampleReport) -> Iterator[str]:
    """What was not compared, or less closely, and why."""
    one, many = subject.units
    yield from _reasons("gone through by the actions alone", report.walked_only, one, many)
    yield from _reasons("of an older version, not compared", report.older, one, many)
    yield from _reasons("not compared", report.refused, one, many)


def _reasons(what: str, reasons: Counter[str], one: str, many: str) -> Iterator[str]:
    for reason, number in reasons.most_common():
        yield f"{plural(number, one, many)} {what}: {reason}."


def state(check: SampleCheck) -> str:
    """How far a sample is that has not ended."""
    done = check.size - len(check.waiting)
    if not done and check.status == SampleCheck.Status.WAITING:
        return "It waits for a worker: analyses that people wait for come first."
    return f"{done} of {check.size} done"
