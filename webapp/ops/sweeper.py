"""Looks after what nobody does: every few seconds, whatever of the lab has to be looked after.

All that it needs is in Postgres, so it survives a lost queue and lost messages; when Postgres
or the queue are away it waits and tries again.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

import psycopg
from django.db import InterfaceError, OperationalError, connection
from django.utils import timezone

from webapp.lab.jobs import endings
from webapp.lab.ladders import services as ladders
from webapp.lab.notifications import services as notifications
from webapp.lab.results import look_ahead
from webapp.lab.watch import beats
from webapp.people.agents import kept_answers
from webapp.play.ratings import services as ratings
from webapp.records import (
    asked_kernels,
    codes,
    faults,
    heartbeats,
    metric_numbers,
    nightly,
    recovery,
    removal,
    retention,
    snapshot_files,
    waiting_summaries,
    worker_processes,
)
from webapp.records import sweeper as work
from webapp.records.archive import checks, moving
from webapp.table.live import (
    between_rounds,
    departures,
    engine_queue,
    experiment_matches,
    guest_matches,
    hint_queue,
    invitations,
    match_setup,
    phrases,
)
from worker import log_ids

logger = logging.getLogger(__name__)

PERIOD_S = 3.0
MAX_PAUSE_S = 30.0
SOMETIMES_S, RARELY_S = 30.0, 3600.0

LOST = (psycopg.OperationalError, psycopg.InterfaceError, OperationalError, InterfaceError)
"""Exceptions where Postgres cannot be reached."""


@dataclass(frozen=True)
class Chore:
    """Something to look after, not more often than every `every_s` seconds (0: each time)."""

    name: str
    do: Callable[[], object]
    every_s: float = 0.0


CHORES = (
    Chore("sign of life", beats.beat, beats.BEAT_S),
    Chore("the code of the lab", codes.make_labs, RARELY_S),
    Chore("workers that are silent", recovery.cut_silent, heartbeats.LOOK_S),
    Chore("engines' turns", engine_queue.sweep),
    Chore("hints", hint_queue.sweep),
    Chore("players who stay away", departures.enforce),
    Chore("rounds that wait for players", between_rounds.end_overdue),
    Chore("matches of experiments with agents", experiment_matches.open_next),
    Chore("chunks and pieces", work.sweep),
    Chore("kernels that jobs need", asked_kernels.ask),
    Chore("jobs that are over", endings.tell),
    Chore("people whose jobs are over", notifications.note_ends),
    Chore("ladders whose engines have a new version", ladders.enter_versions, RARELY_S),
    Chore("rated matches that were not counted", ratings.count_rest, SOMETIMES_S),
    Chore("ratings of an older model", ratings.recount_old, RARELY_S),
    Chore("experiments that were deleted", removal.sweep),
    Chore("plies that are kept no longer", retention.sweep),
    Chore("plies that go into files", moving.sweep),
    Chore("files of plies, by their checksums", checks.sweep, SOMETIMES_S),
    Chore("files of plies, whether they are there", checks.look, RARELY_S),
    Chore("files of snapshots that were withdrawn", snapshot_files.sweep, SOMETIMES_S),
    Chore("metrics of rows of before", metric_numbers.rewrite),
    Chore("stored matches that are played again", nightly.check),
    Chore("summaries that wait", waiting_summaries.sweep, SOMETIMES_S),
    Chore("sums of large experiments", look_ahead.add_up, SOMETIMES_S),
    Chore("worker processes that are gone", worker_processes.forget_gone, RARELY_S),
    Chore("notifications of long ago", notifications.forget_old, RARELY_S),
    Chore("faults of long ago", faults.forget_old, RARELY_S),
    Chore("matches that nobody joins", lambda: match_setup.call_off_old(timezone.now()), RARELY_S),
    Chore("phrases that were said", lambda: phrases.forget_old(timezone.now()), SOMETIMES_S),
    Chore("invitations of long ago", lambda: invitations.forget_old(timezone.now()), RARELY_S),
    Chore("answers to requests of long ago", lambda: kept_answers.forget_old(timezone.now()), RARELY_S),
    Chore("guests who do not come back", lambda: guest_matches.forget_idle_guests(timezone.now()), RARELY_S),
)
"""People come first. Each may be done at any time, twice, or beside another sweeper."""


class Sweeper:
    """Does the chores that are due."""

    def __init__(self, chores: tuple[Chore, ...] = CHORES) -> None:
        self._chores = chores
        self._done_at: dict[str, float] = {}

    def sweep(self) -> None:
        """Do what is due; a chore that fails is logged and does not keep the others waiting.

        Raises one of `LOST` where Postgres cannot be reached.
        """
        for chore in self._chores:
            now = time.monotonic()
            done_at = self._done_at.get(chore.name)
            if done_at is not None and now - done_at < chore.every_s:
                continue
            try:
                with log_ids.bound(chore=chore.name):
                    chore.do()
            except LOST:
                raise
            except Exception:
                logger.exception("%s could not be looked after", chore.name)
            self._done_at[chore.name] = now

    def run(self, ended: threading.Event, period_s: float = PERIOD_S) -> None:
        """Sweep every few seconds until `ended` is set, with longer pauses while Postgres is away."""
        pause = period_s
        while not ended.is_set():
            try:
                self.sweep()
                pause = period_s
            except LOST as error:
                connection.close()
                pause = min(2 * pause, MAX_PAUSE_S)
                logger.warning("the database cannot be reached, trying again in %.0f s: %s", pause, error)
            ended.wait(pause)
