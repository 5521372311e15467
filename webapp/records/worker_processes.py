"""Worker processes as the database knows them: each has a row, and lives as long as it holds the row's lock.

What a row says of code and machine is for people and for who gives out work: `codes` refuses one whose code is not
the lab's, `speeds` keeps matches that think by the clock on machines of like speed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.db.models import QuerySet
from django.db.models.expressions import RawSQL
from django.utils import timezone

from webapp.records import locks, prepared
from webapp.records.jobs import Connection
from webapp.records.worker_models import WorkerProcess, WorkerTally
from worker import code_version

MAX_DECLINED = 50
"""Jobs that a row names; older ones are left out."""
KEPT = timedelta(hours=1)
"""A row outlives its process for so long: a lost connection comes back."""

_ENTER = """
insert into records_workerprocess as w
    (name, program, queues, started_at, passed, declined, code, "commit", refusal, cpu, speed, "order",
     beat_at, silence)
values (%(name)s, %(program)s, %(queues)s, clock_timestamp(), '[]', '[]', %(code)s, %(commit)s, '', %(cpu)s, %(speed)s,
        '', clock_timestamp(), 0)
on conflict (name) do update set queues = excluded.queues, beat_at = excluded.beat_at, silence = 0,
    program = excluded.program, code = excluded.code, "commit" = excluded."commit", cpu = excluded.cpu,
    speed = excluded.speed,
    started_at = case when %(is_new)s then excluded.started_at else w.started_at end,
    passed = case when %(is_new)s then excluded.passed else w.passed end,
    declined = case when %(is_new)s then excluded.declined else w.declined end,
    "order" = case when %(is_new)s then '' else w."order" end
returning id
"""

_TALLY = """
insert into records_workertally (worker, queue, claims, busy_s) values (%(name)s, %(queue)s, 1, %(seconds)s)
on conflict (worker, queue) do update
set claims = records_workertally.claims + 1, busy_s = records_workertally.busy_s + excluded.busy_s
"""


@dataclass(frozen=True)
class Announcement:
    """What a process says of itself. program: its parent's name; cpu, speed: of its machine (worker.machine)."""

    name: str
    queues: Sequence[str]
    program: str = ""
    cpu: str = ""
    speed: float | None = None


@dataclass(frozen=True)
class Standing:
    """What the lab says to a process: its order, and the code of the lab where that is known.

    An order to begin anew holds for one program at a time, so that the others go on; the next one waits until that
    is back, for two minutes at most.
    """

    order: str = ""
    lab_code: str = ""
    lab_commit: str = ""


def enter(connection: Connection, process: Announcement, *, is_new: bool) -> None:
    """Note that a process serves queues by this connection, as long as it lasts. is_new: it has not done so before."""
    values = {
        "name": process.name,
        "program": process.program,
        "queues": list(process.queues),
        "code": code_version.content_hash(),
        "commit": code_version.commit(),
        "cpu": process.cpu[:200],
        "speed": process.speed,
        "is_new": is_new,
    }
    row = connection.execute(_ENTER, values).fetchone()
    assert row is not None
    locks.take(connection, locks.WORKER, row[0])


_HELD_IN = locks.HELD.replace("%s", "%(class)s")
_IS_NEXT = f"""
w.program = (
    select o.program from records_workerprocess o
    where o."order" = 'restart' and o.id in ({_HELD_IN}) order by o.id limit 1
) and not exists (
    select 1 from records_workerprocess gone
    where gone."order" = 'restart' and gone.beat_at > clock_timestamp() - interval '2 minutes'
      and gone.id not in ({_HELD_IN})
      and not exists (
          select 1 from records_workerprocess s
          where s.queues = gone.queues and s.started_at > gone.beat_at and s.id in ({_HELD_IN})
            and split_part(s.name, ':', 1) = split_part(gone.name, ':', 1)
      )
)
"""
"""Whether it is the turn of a program to begin anew: it is the first, and the one before is back."""
_STANDING = f"""
select case when w."order" <> 'restart' or ({_IS_NEXT}) then w."order" else '' end, c.hash, c."commit"
from (select 1) as one
left join records_workerprocess w on w.name = %(name)s left join records_codeversion c on c.is_labs
"""


def standing(connection: Connection, name: str) -> Standing:
    """What the lab says to a process now."""
    row = prepared.run(connection, _STANDING, {"name": name, "class": locks.WORKER}).fetchone()
    return Standing() if row is None else Standing(*(value or "" for value in row))


def note_passed(connection: Connection, name: str, passed: Mapping[tuple[str, int], str]) -> None:
    """Note what a process leaves out for now: (source, id) -> the kernels that another process compiles for it."""
    _note(connection, name, "passed", json.dumps([[*job, kernels] for job, kernels in passed.items()]))


def note_declined(connection: Connection, name: str, declined: Mapping[tuple[str, int], tuple[str, str]]) -> None:
    """Note the jobs that a process leaves to others: (source, id) -> kind of reason, and why in words."""
    rows = [[*job, *why] for job, why in declined.items()]
    _note(connection, name, "declined", json.dumps(rows[-MAX_DECLINED:]))


def note_refusal(connection: Connection, name: str, refusal: str) -> None:
    """Note why a process gets no work; empty: it does."""
    _note(connection, name, "refusal", refusal)


def note_speed(connection: Connection, name: str, speed: float | None) -> None:
    """Note how fast a process' machine is."""
    connection.execute("update records_workerprocess set speed = %s where name = %s", (speed, name))


def _note(connection: Connection, name: str, column: str, value: str) -> None:
    connection.execute(f"update records_workerprocess set {column} = %s where name = %s", (value, name))


def count_claim(connection: Connection, name: str, queue: str, seconds: float) -> None:
    """Note that a process has had one claim more, and for how long."""
    prepared.run(connection, _TALLY, {"name": name, "queue": queue, "seconds": seconds})


def living() -> QuerySet[WorkerProcess]:
    """Those that live."""
    return WorkerProcess.objects.filter(pk__in=_held()).order_by("name")


def serving(processes: Iterable[WorkerProcess], queue: str) -> list[WorkerProcess]:
    """Those that take work of a queue: neither refused nor drained."""
    return [row for row in processes if queue in row.queues and not row.refusal and not row.order]


def forget_gone() -> int:
    """Delete rows of processes that ended long ago; return how many."""
    gone = WorkerProcess.objects.exclude(pk__in=_held()).filter(started_at__lt=timezone.now() - KEPT)
    number = gone.delete()[0]
    WorkerTally.objects.exclude(worker__in=WorkerProcess.objects.values("name")).delete()
    return number


def _held() -> RawSQL:
    return RawSQL(locks.HELD, (locks.WORKER,))
