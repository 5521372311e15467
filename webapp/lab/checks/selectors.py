"""Reading: the samples of a result that were played again, as pages and the API show them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from webapp.lab.checks import services, words
from webapp.lab.checks.subject import Subject
from webapp.records.check_models import SampleCheck
from webapp.records.sample_report import SampleReport
from worker import code_version

Status = SampleCheck.Status


@dataclass(frozen=True)
class Difference:
    """The place of a difference. match: its number, where it is one."""

    words: str
    match: int | None


@dataclass(frozen=True)
class Outcome:
    """A sample as it stands. tone: class of its chip; sentence: what came out so far."""

    check: SampleCheck
    report: SampleReport
    tone: str
    word: str
    sentence: str
    notes: Sequence[str]
    differences: Sequence[Difference]
    is_of_other_code: bool

    @property
    def is_open(self) -> bool:
        """Whether it is still at work, or waits."""
        return self.check.ended_at is None

    @property
    def done(self) -> int:
        """How many of it are done."""
        return self.check.size - len(self.check.waiting)

    @property
    def percent(self) -> int:
        """The same of a hundred."""
        return round(100 * self.done / max(1, self.check.size))


@dataclass(frozen=True)
class Verification:
    """All samples of a result, the last first. again_at: when another may be asked for; None: now."""

    subject: Subject
    outcomes: Sequence[Outcome]
    again_at: datetime | None

    @property
    def last(self) -> Outcome | None:
        """The last sample."""
        return self.outcomes[0] if self.outcomes else None

    @property
    def version(self) -> str:
        """Another one as soon as there is news."""
        return "none" if self.last is None else f"{self.last.check.pk}-{self.last.check.status}-{self.last.done}"

    @property
    def total(self) -> str:
        """All samples together, in a sentence; empty where there is one."""
        ended = [outcome.report for outcome in self.outcomes if not outcome.is_open]
        if len(ended) < 2:
            return ""
        whole = SampleReport(
            **{
                name: sum(getattr(report, name) for report in ended)
                for name in ("compared", "plies", "by_engines", "differing")
            }
        )
        return f"In the last {len(ended)} samples: {words.verdict(self.subject, whole)}"


def read(subject: Subject, most: int = services.KEPT) -> Verification:
    """The last samples."""
    outcomes = [_outcome(subject, check) for check in subject.checks[:most]]
    last = outcomes[0].check if outcomes else None
    again_at = None
    if last is not None and last.ended_at is not None and not services.may_follow(last):
        again_at = last.ended_at + services.REST
    return Verification(subject, outcomes, again_at)


def _outcome(subject: Subject, check: SampleCheck) -> Outcome:
    report = SampleReport.from_json(check.report)
    tone, word = _tone(check, report)
    if check.ended_at is None:
        sentence = words.state(check)
    elif check.status == Status.FAILED:
        sentence = f"It broke off after {check.size - len(check.waiting)} of {check.size}: {check.failure}."
    else:
        sentence = words.verdict(subject, report)
    return Outcome(
        check,
        report,
        tone,
        word,
        sentence,
        list(words.left_out(subject, report)),
        [Difference(words.difference(row), row.get("match")) for row in report.differences],
        bool(check.code) and check.code != code_version.content_hash(),
    )


def _tone(check: SampleCheck, report: SampleReport) -> tuple[str, str]:
    """Class and word of its chip."""
    if report.differing:
        return "danger", "Differs"
    if check.ended_at is None:
        return ("run", "Being played again") if check.size > len(check.waiting) else ("wait", "Waiting")
    if check.status == Status.FAILED:
        return "warn", "Broke off"
    return ("ok", "Agrees") if report.compared else ("warn", "Not comparable")


def as_json(verification: Verification) -> dict[str, Any]:
    """The same for programs."""
    again_at = verification.again_at
    return {
        "again_at": again_at and again_at.isoformat(),
        "checks": [
            {
                "status": outcome.check.status,
                "asked_at": outcome.check.asked_at.isoformat(),
                "ended_at": outcome.check.ended_at and outcome.check.ended_at.isoformat(),
                "size": outcome.check.size,
                "done": outcome.done,
                "words": outcome.sentence,
                "agrees": None if outcome.is_open or not outcome.report.compared else not outcome.report.differing,
                **outcome.report.to_json(),
            }
            for outcome in verification.outcomes
        ],
    }
