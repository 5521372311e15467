"""The condition of the lab, for people, compose, load balancers and alarms.

What is wrong is a `Finding`: a cause, the state that the lab is in by it, a sentence and what to do.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from django.db import DatabaseError

from webapp.common.formats import bytes_size, duration
from webapp.common.valkey import redis
from webapp.lab.watch import beats, lateness, trouble
from webapp.lab.watch.finding import DOWN, FULL, LATE, NOT_RECORDING, STATES, Finding
from webapp.lab.watch.recording import SILENT, Verdict, recording
from webapp.records import disk

TIMEOUT_S = 2
SWEEPER_S = 120.0
"""A sweeper that gave no sign of life for so long is missed; it gives one every ten seconds."""
logger = logging.getLogger(__name__)

KEPT = "What is recorded is kept."
SILENT_ADVICE = f"{KEPT} Pages and experiments go on by themselves as soon as it is back."
REFUSED_ADVICE = f"{KEPT} No move and no match is taken until it writes again; then all goes on by itself."
FULL_ADVICE = "Experiments and studies wait until there is room and then go on by themselves. Tables go on."


@dataclass(frozen=True)
class Condition:
    """What is wrong, the worst first, and each part in a word (`as_json` has all keys)."""

    findings: Sequence[Finding] = ()
    parts: Mapping[str, Any] = field(default_factory=dict)

    @property
    def public(self) -> list[Finding]:
        """What everybody may read."""
        return [finding for finding in self.findings if finding.is_public]

    @property
    def private(self) -> list[Finding]:
        """What is for whoever runs the lab."""
        return [finding for finding in self.findings if not finding.is_public]

    @property
    def state(self) -> str:
        """The worst state: "down", "not recording", "full", "late" or "ok"."""
        return min((finding.state for finding in self.public), key=STATES.index, default="ok")

    @property
    def is_ok(self) -> bool:
        """Whether pages are served and what happens is recorded; late or full work does not count."""
        return self.state not in (DOWN, NOT_RECORDING)

    def as_json(self) -> dict[str, Any]:
        """The same for programs.

        `worker` (experiments) and `tables` (engines' turns where people wait, of which `turns` have nobody at them)
        are about work done, not about processes: "idle" when nothing waits, "late" when something does and nobody
        takes any, "full" when it waits for room on the `disk`, which is "unknown" on another machine.
        """
        wrong = [{"cause": one.cause, "state": one.state, "sentence": one.sentence} for one in self.public]
        sentence = wrong[0]["sentence"] if wrong else "Everything is working."
        return {"ok": self.is_ok, "state": self.state, "sentence": sentence, "causes": wrong, **self.parts}


def read() -> Condition:
    """The condition now; within some seconds, whatever hangs."""
    verdict = recording.verdict()
    queue = _queue()
    if verdict.answers:
        try:
            return _of_all(verdict, queue)
        except DatabaseError:
            logger.exception("the database was lost while it was asked")
    unknown = dict.fromkeys(("worker", "tables", "sweeper"), "unknown")
    parts: dict[str, Any] = {"database": "down", "queue": queue, "disk": _disk(), **unknown, "turns": None}
    return _sorted([*_of_database(SILENT), *_of_queue(queue), *_of_disk(parts["disk"], SILENT)], parts)


def _of_all(verdict: Verdict, queue: str) -> Condition:
    """The condition where the database answers. Raises DatabaseError where it does not, after all."""
    room, work, sweeper = _disk(), lateness.read(), list(_of_sweeper())
    parts: dict[str, Any] = {
        "database": "ok" if verdict.is_ok else "not recording",
        "queue": queue,
        "disk": room,
        "worker": work.experiments,
        "tables": work.tables,
        "turns": work.turns,
        "sweeper": "late" if sweeper else "ok",
    }
    found = [*_of_database(verdict), *_of_queue(queue), *_of_disk(room, verdict)]
    return _sorted([*found, *work.findings, *sweeper, *trouble.findings()], parts)


def _sorted(findings: list[Finding], parts: dict[str, Any]) -> Condition:
    return Condition(sorted(findings, key=lambda finding: STATES.index(finding.state)), parts)


def _of_database(verdict: Verdict) -> Iterator[Finding]:
    if not verdict.answers:
        yield Finding("database", DOWN, verdict.sentence, SILENT_ADVICE)
    elif not verdict.is_ok:
        yield Finding("recording", NOT_RECORDING, f"Nothing is recorded: {_inside(verdict.sentence)}", REFUSED_ADVICE)


def _inside(sentence: str) -> str:
    return sentence[0].lower() + sentence[1:]


def _of_queue(queue: str) -> Iterator[Finding]:
    if queue != "ok":
        advice = "Pages are served, and nothing is lost: work goes on by itself as soon as it is back."
        yield Finding("queue", DOWN, "The queue does not answer: workers are not told of new work.", advice)


def _of_disk(state: str, verdict: Verdict) -> Iterator[Finding]:
    room = disk.room()
    if state == "full" and room is not None:
        left = f"{bytes_size(room.free)} are free, and {bytes_size(room.reserve)} are kept free"
        advice = FULL_ADVICE if verdict.is_ok else "Make room."
        yield Finding("disk", FULL, f"The disk of the database is full: {left}.", advice)


def _of_sweeper() -> Iterator[Finding]:
    silent = beats.silent_s()
    if silent > SWEEPER_S:
        sentence = f"The sweeper has not been heard of for {duration(silent)}: what loses its worker is not taken up."
        yield Finding("sweeper", LATE, sentence, "Start it; up and compose do so by themselves.")


def _queue() -> str:
    try:
        timeouts = {"socket_timeout": TIMEOUT_S, "socket_connect_timeout": TIMEOUT_S}
        with redis.Redis.from_url(settings.REDIS_URL, **timeouts) as client:
            client.ping()
    except (redis.RedisError, OSError) as error:
        logger.warning("the queue does not answer: %s", error)
        return "down"
    return "ok"


def _disk() -> str:
    room = disk.room()
    return "unknown" if room is None else "full" if room.is_full else "ok"
