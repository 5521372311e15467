"""A queue in SQL: rows of a table, each claimed by one holder at a time, given back, buried, found again.

A holder has a claim in one of two ways:

lock    an advisory lock of its connection, taken before the row is marked and given up after the
        mark has gone: a marked row whose lock is free has lost its holder, and no clock or
        heartbeat is needed. `recover` finds such rows, and counts a death of each.
lease   until a time that `taken` sets and `waiting` reads, for what no connection is kept open
        for. The attempt is counted as it is claimed: nobody counts it later.

Rows are locked in the order job, row: a deletion locks the experiment before its chunks.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import psycopg

from webapp.records import locks, prepared
from webapp.records.jobs import Connection, JobTable

Row = tuple[Any, ...]

MAX_DEATHS = 2
"""Deaths after which a row is not put up again."""


class ClaimLostError(Exception):
    """A claim holds no longer: its row was deleted, or another worker has it."""


@dataclass(frozen=True)
class Claim:
    """A row as it was when it was claimed.

    token: tells the claims of a row apart; job_id: the experiment or study it belongs to, if any;
    deaths: attempts that came to nothing before.
    """

    row_id: Any
    token: Any
    job_id: int | None
    deaths: int


C = TypeVar("C", bound=Claim)


@dataclass(frozen=True, kw_only=True)
class Queue(Generic[C]):
    """Declaration of a queue: its table, whose row is `r` in SQL, and how its rows change hands."""

    word: str  # for the log
    table: str
    claim: Callable[..., C]  # makes a claim from the fields of `Claim`, then `columns`
    columns: tuple[str, ...]
    order: str  # of the rows that one call of `take` chooses from
    lock: int | None  # class of the advisory lock; None: claims are leases
    joined: str = ""  # to the table, where columns need it
    waiting: str = "r.status = 'waiting'"
    claimed: str = "r.status = 'claimed'"
    taken: str = "status = 'claimed', worker = %(worker)s, claimed_at = clock_timestamp()"
    token: str = "claimed_at"  # changes with each claim
    freed: str = "status = 'waiting', worker = ''"
    jobs: JobTable | None = None  # what the rows belong to, by the column `job`
    job: str = "null::int"
    outlasts_pause: bool = False  # handed out whether the job is running or not
    served_by: str = "'batch'"  # the queue whose workers are woken for a row
    deaths: str = "deaths"
    max_deaths: int = MAX_DEATHS
    died: str = ""  # the message where the worker ended without one
    again: str = ""  # what a death sets, `freed` where it says nothing
    ended: str = ""  # what the last death sets
    leave: Callable[[Connection, C, str], None] | None = None  # does instead what a death leaves behind

    # ---- claiming

    def take(self, connection: Connection, worker: str, among: str, **values: Any) -> C | None:
        """Claim what comes next of the rows for which the SQL `among` holds; None where nothing waits.

        values: parameters of `among`; `job` is a job that is served by it.
        """
        return next(iter(self.take_some(connection, 1, among, worker=worker, **values)), None)

    def take_some(self, connection: Connection, most: int, among: str, **values: Any) -> list[C]:
        """Claim up to `most` of them."""
        held: list[Row] = []
        claims: list[C] = []
        try:
            with connection.transaction():
                self._keep_job(connection, values)
                self._hold(connection, most, among, values, held)
                marked = self._mark(connection, held, values)
                if marked and not self._serve_job(connection, values):
                    raise psycopg.Rollback  # paused or stopped a moment ago
                claims = marked
        finally:
            if not claims and not connection.closed:
                for row in held:
                    self._release(connection, row[0])
        return claims

    def next_rows(self, among: str) -> str:
        """The query for what comes next."""
        return f"""
            {self._select(self._ready)} where {among} and {self.waiting} and r.id <> all(%(passed)s)
            order by {self.order} limit %(most)s for no key update of r skip locked
        """

    def _hold(self, connection: Connection, most: int, among: str, values: dict[str, Any], held: list[Row]) -> None:
        """Add to `held` what comes next, passing over rows whose last holder has not let go yet."""
        passed: list[Any] = []
        while len(held) < most:
            chosen = values | {"passed": passed, "most": most - len(held)}
            rows = prepared.run(connection, self.next_rows(among), chosen).fetchall()
            if not rows:
                return
            for row in rows:
                passed.append(row[0])
                if self.lock is None or locks.take(connection, self.lock, row[0]):
                    held.append(row)

    def _mark(self, connection: Connection, held: list[Row], values: dict[str, Any]) -> list[C]:
        if not held:
            return []
        query = f"update {self.table} set {self.taken} where id = any(%(ids)s) returning id, {self.token}"
        chosen = values | {"ids": [row[0] for row in held]}
        tokens = dict(prepared.run(connection, query, chosen).fetchall())
        return [self.claim(row[0], tokens[row[0]], *row[2:]) for row in held]

    def _keep_job(self, connection: Connection, values: dict[str, Any]) -> None:
        if self.jobs is not None and "job" in values:
            self.jobs.keep(connection, values["job"])

    def _serve_job(self, connection: Connection, values: dict[str, Any]) -> bool:
        """Note that a job is served; whether it may be."""
        if self.jobs is None or "job" not in values:
            return True
        return self.jobs.serve(connection, values["job"]) or self.outlasts_pause

    # ---- giving up

    def release(self, connection: Connection, claim: C) -> None:
        """Let go of a row; its mark is another matter (`give_back`)."""
        self._release(connection, claim.row_id)

    def _release(self, connection: Connection, row_id: Any) -> None:
        if self.lock is not None:
            locks.release(connection, self.lock, row_id)

    def give_back(self, connection: Connection, claim: C) -> None:
        """Let another holder have the row; nothing where it is done or the claim is lost."""
        query = f"update {self.table} r set {self.freed} where {self._is_held}"
        connection.execute(query, {"id": claim.row_id, "token": claim.token})

    def bury(self, connection: Connection, claim: C, message: str, **values: Any) -> None:
        """Count a death of a claim, whose lock must be the caller's; nothing where it is lost.

        values: parameters of `again` and `ended`, besides `message`.
        """
        message = message.replace("\0", "\N{REPLACEMENT CHARACTER}")
        with connection.transaction():
            dead = self._locked(connection, claim)
            if dead is None:
                return
            if self.leave is not None:
                self.leave(connection, dead, message)
            else:
                self._count(connection, dead, {"message": message, **values})
            if self.jobs is not None and dead.job_id is not None:
                self.jobs.lock(connection, dead.job_id)
                self.jobs.finish(connection, dead.job_id)

    def _locked(self, connection: Connection, claim: C) -> C | None:
        """The claim as its row is now, which is locked until the end of the transaction."""
        if self.jobs is not None and claim.job_id is not None:
            self.jobs.keep(connection, claim.job_id)
        query = f"{self._select()} where {self._is_held} for no key update of r"
        return self._claim_of(connection, query, {"id": claim.row_id, "token": claim.token})

    def _count(self, connection: Connection, dead: C, values: dict[str, Any]) -> None:
        """One death more: the row waits again, or it has ended."""
        deaths = dead.deaths + (self.lock is not None)
        change = self.ended if deaths >= self.max_deaths else self.again or self.freed
        query = f"update {self.table} set {self.deaths} = %(deaths)s, {change} where id = %(id)s"
        connection.execute(query, {"deaths": deaths, "id": dead.row_id, **values})

    # ---- what stands

    def claimed_rows(self, connection: Connection, blameless: str) -> list[tuple[Any, bool]]:
        """Ids of marked rows, and whether the SQL `blameless` says that a lost holder was not its work's fault."""
        query = f"select r.id, coalesce({blameless}, false) from {self.table} r where {self.claimed}"
        return connection.execute(f"{query} order by r.id").fetchall()

    def standing(self, connection: Connection, row_id: Any) -> C | None:
        """The claim that is marked on a row; None where there is none."""
        return self._claim_of(connection, f"{self._select()} where r.id = %(id)s and {self.claimed}", {"id": row_id})

    def holder(self, connection: Connection, row_id: Any) -> str:
        """Name of the worker that a row is marked with; empty where there is none."""
        row = connection.execute(f"select worker from {self.table} where id = %s", (row_id,)).fetchone()
        return str(row[0]) if row else ""

    def num_waiting(self, connection: Connection, queue: str, most: int) -> int:
        """Number of rows that wait for the workers of a queue, counted up to `most`."""
        rows = f"select 1 from {self._ready} where {self.waiting} and {self.served_by} = %(queue)s limit %(most)s"
        query = f"select count(*) from ({rows}) as waiting"
        row = connection.execute(query, {"queue": queue, "most": most}).fetchone()
        return int(row[0]) if row else 0

    # ---- SQL

    @property
    def _is_held(self) -> str:
        return f"r.id = %(id)s and {self.claimed} and r.{self.token} = %(token)s"

    @property
    def _all(self) -> str:
        return f"{self.table} r {self.joined}"

    @property
    def _ready(self) -> str:
        """The rows without those of jobs that are not running."""
        if self.jobs is None or self.outlasts_pause:
            return self._all
        return f"{self._all} join {self.jobs.table} j on j.id = {self.job} and j.status = 'running'"

    def _select(self, rows: str = "") -> str:
        fields = ("r.id", f"r.{self.token}", self.job, f"r.{self.deaths}", *self.columns)
        return f"select {', '.join(fields)} from {rows or self._all}"

    def _claim_of(self, connection: Connection, query: str, values: dict[str, Any]) -> C | None:
        row = connection.execute(query, values).fetchone()
        return None if row is None else self.claim(*row)
