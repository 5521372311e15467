"""Experiments and studies in SQL as owners of work: kept, served, finished, stopped."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import psycopg

from worker.spec import SpecError

logger = logging.getLogger(__name__)

Connection = psycopg.Connection[Any]
Spec = TypeVar("Spec")


class UnreadableError(Exception):
    """A specification cannot be read by this version of the code; the message says why."""


@dataclass(frozen=True)
class JobTable:
    """A table of jobs, whose work is claimed bit by bit. In SQL, `j` is a job."""

    word: str
    table: str
    has_work: str  # SQL: whether there ever was any
    is_done: str  # SQL: whether none is left

    def keep(self, connection: Connection, job_id: int) -> None:
        """Make a deletion of this job wait until the transaction ends, or wait for one under way.

        Rows that point to the job take this lock, too, but at the end of the transaction:
        after the lock of a claimed row, which is the wrong order.
        """
        connection.execute(f"select 1 from {self.table} where id = %s for key share", (job_id,))

    def lock(self, connection: Connection, job_id: int) -> None:
        """Make others who end work of this job wait until the transaction ends."""
        connection.execute(f"select 1 from {self.table} where id = %s for no key update", (job_id,))

    def is_running(self, connection: Connection, job_id: int) -> bool:
        """Whether work of the job is wanted."""
        return self._status(connection, job_id) == "running"

    def is_over(self, connection: Connection, job_id: int) -> bool:
        """Whether no work of the job will ever be wanted: it was stopped, finished or deleted."""
        return self._status(connection, job_id) not in ("running", "paused")

    def _status(self, connection: Connection, job_id: int) -> str | None:
        row = connection.execute(f"select status from {self.table} where id = %s", (job_id,)).fetchone()
        return None if row is None else str(row[0])

    def serve(self, connection: Connection, job_id: int) -> bool:
        """Note that work of the job is taken now; whether it is running."""
        query = f"""
            update {self.table}
            set served_at = clock_timestamp(), started_at = coalesce(started_at, clock_timestamp())
            where id = %s returning status
        """
        row = connection.execute(query, (job_id,)).fetchone()
        return row is not None and row[0] == "running"

    def finish(self, connection: Connection, job_id: int) -> None:
        """Mark the job as finished where nothing is left to do; the caller has locked it."""
        connection.execute(
            f"""
            update {self.table} j set status = 'finished', finished_at = clock_timestamp()
            where id = %s and status in ('running', 'paused') and {self.is_done}
            """,
            (job_id,),
        )

    def finish_all(self, connection: Connection) -> None:
        """Mark those as finished that were stopped in their last work, and resumed."""
        connection.execute(
            f"""
            update {self.table} j set status = 'finished', finished_at = clock_timestamp()
            where status = 'running' and {self.has_work} and {self.is_done}
            """,
        )

    def stop(self, connection: Connection, job_id: int, notice: str) -> None:
        """End a job that cannot go on, and say why on it."""
        logger.error("%s %s: %s", self.word, job_id, notice)
        connection.execute(
            f"""
            update {self.table} set status = 'stopped', finished_at = clock_timestamp(), notice = %s
            where id = %s and status in ('running', 'paused')
            """,
            (notice, job_id),
        )

    def spec_json(self, connection: Connection, job_id: int) -> str:
        """The job's specification as it is stored; empty where there is no such job."""
        row = connection.execute(f"select spec::text from {self.table} where id = %s", (job_id,)).fetchone()
        return "" if row is None else str(row[0])

    def read_spec(self, job_id: int, read: Callable[[], Spec]) -> Spec:
        """The job's specification as `read` reads it. Raises UnreadableError with the reason where it cannot.

        Nothing happens to the job: a worker of another version may read what this one does not.
        """
        try:
            return read()
        except SpecError as error:
            raise UnreadableError(str(error)) from error
        except Exception as error:
            logger.exception("the specification of %s %s cannot be read", self.word, job_id)
            raise UnreadableError(f"{type(error).__name__}, the worker's log says more") from error


EXPERIMENTS = JobTable(
    word="experiment",
    table="records_experiment",
    has_work="""
        (j.secret_seed is not null or exists (select 1 from records_chunk c where c.experiment_id = j.id))
    """,
    is_done="""
        not exists (select 1 from records_chunk c where c.experiment_id = j.id and c.status <> 'done')
        and (j.secret_seed is null
             or (select count(*) from records_match m where m.experiment_id = j.id) >= j.num_matches)
    """,  # matches with agents sit in no chunk
)
STUDIES = JobTable(
    word="study",
    table="records_study",
    has_work="exists (select 1 from records_studypiece p where p.study_id = j.id)",
    is_done="""
        not exists (
            select 1 from records_studypiece p where p.study_id = j.id and p.status in ('waiting', 'claimed')
        )
    """,
)
