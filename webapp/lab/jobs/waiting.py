"""What a job waits for while it does not move: one sentence, and what one can do about it.

`wait` is the one that decides, from what stands of the job (`Standing`) and of the lab (`LabState`); what it says of
others is how many they are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from games import registry as game_registry
from games.compile_locks import Compilation
from webapp.common.formats import duration
from webapp.lab.jobs import lab_state, registry
from webapp.lab.jobs.kind import Absence
from webapp.lab.jobs.lab_state import LabState
from webapp.records.claimed_task import ABSENT, SPEED
from webapp.records.job import Job
from worker.recorder import ANALYSIS, BATCH

MOVING = timedelta(seconds=10)
"""A job of which something was taken this lately moves: between two chunks it waits for nothing."""
SMALL = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
WORK = {BATCH: "experiments", ANALYSIS: "analyses"}
"""What the workers of a queue are for."""


@dataclass(frozen=True)
class Wait:
    """What a job waits for. kind: one of the states below; brief: in a list; advice: what one can do."""

    kind: str
    brief: str
    sentence: str
    advice: str = ""


@dataclass(frozen=True)
class Standing:
    """How a job stands. source, id and owner_id as in its turn; workers: names of those that hold work of it."""

    source: str
    id: int
    owner_id: int
    queue: str = BATCH
    status: str = "running"
    workers: Sequence[str] = ()
    served_at: datetime | None = None
    absence: Absence | None = None


PAUSED = Wait("paused", "", "It is paused.", "Nothing more of it is done until you resume it.")
FULL = Wait(
    "disk",
    "the disk is full",
    "The disk of the lab is full: experiments and studies wait until there is room.",
    "Whoever runs the lab can make some, and it goes on by itself. What is played at tables goes on meanwhile.",
)


def of_jobs(jobs: Sequence[Job]) -> dict[int, Wait]:
    """What each of some jobs of one kind waits for, by number; those that move, or are over, are left out."""
    live = [job for job in jobs if job.status in (Job.Status.RUNNING, Job.Status.PAUSED)]
    if not live:
        return {}
    kind = registry.of(live[0])
    lab, workers = lab_state.read(), _workers(live)
    found = {}
    for job in live:
        standing = Standing(
            source=job.field,
            id=job.pk,
            owner_id=job.owner_id,
            queue=kind.queue(job),
            status=job.status,
            workers=workers.get(job.pk, ()),
            served_at=job.served_at,
            absence=kind.absence(job),
        )
        if (waits := wait(standing, lab)) is not None:
            found[job.pk] = waits
    return found


def of_job(job: Job) -> Wait | None:
    """What a job waits for; None where it moves, or is over."""
    return of_jobs([job]).get(job.pk)


def _workers(jobs: Sequence[Job]) -> Mapping[int, list[str]]:
    field, found = jobs[0].field, dict[int, list[str]]()
    rows = registry.of(jobs[0]).claims._default_manager.filter(**{f"{field}__in": jobs}, status="claimed")
    for pk, name in rows.values_list(f"{field}_id", "worker"):
        found.setdefault(pk, []).append(name)
    return found


def wait(job: Standing, lab: LabState) -> Wait | None:
    """What a job waits for; None where it moves, or is over."""
    if job.status == "paused":
        return PAUSED
    if job.status != "running":
        return None
    if lab.is_full:
        return FULL
    if job.workers:
        at_it = [lab.compilations.get(name) for name in job.workers]
        return compiler(at_it[0].kernels, at_it[0], lab) if at_it[0] is not None and all(at_it) else None
    if job.owner_id in lab.spent and job.queue == BATCH:
        return _spent(lab.spent[job.owner_id])
    if kernels := lab.passed.get((job.source, job.id)):
        return compiler(kernels, lab.compilation(kernels), lab)
    if (left := _left_to_others(job, lab)) is not None:
        return left
    if job.absence is not None:
        return _agents(job.absence, lab.now)
    if job.served_at is not None and lab.now - job.served_at < MOVING:
        return None
    return _turn(job, lab)


def _spent(back_on: date) -> Wait:
    """Its owner's CPU hours are used up."""
    return Wait(
        "quota",
        "CPU hours used up",
        f"Your CPU hours are used up. There are some again on {back_on.day} {back_on:%B}, and it goes on by itself.",
        "What is played at tables goes on meanwhile. The lab's staff can give you more.",
    )


def _left_to_others(job: Standing, lab: LabState) -> Wait | None:
    """Every worker that there is leaves it to others: none can read it, or none is of the speed that it began at."""
    declined = lab.declined.get((job.source, job.id), {})
    serving = lab.queue(job.queue).processes if declined else ()
    if not serving or set(serving) - set(declined):
        return None
    kind, why = declined[min(serving)]
    if kind == SPEED:
        return Wait(
            "speed",
            "needs a like machine",
            f"It thinks by the clock, and no machine is as fast as the one that began it: {why}.",
            "It goes on by itself where there is one. With budgets in counts it could be played anywhere.",
        )
    if kind == ABSENT:
        return Wait(
            "absent",
            "needs an engine's code",
            f"No worker has the code of an engine that it names: {why}.",
            "It goes on by itself where that version is allowed again. You may also stop it, and begin with another.",
        )
    return Wait(
        "unread",
        "cannot be read",
        f"No worker of this version can read its specification: {why.rstrip('.')}.",
        "Nothing is lost: a worker of the version that made it goes on with it. You may also stop it.",
    )


def compiler(kernels: str, found: Compilation | None, lab: LabState) -> Wait:
    """Kernels have to be compiled first. found: who is at them, where that is seen from here."""
    what = kernels_words(kernels)
    return Wait(
        "compiler",
        "compiling",
        f"{what[0].upper()}{what[1:]} are compiled first, once on this machine{left_words(found, lab.now)}.",
        "It goes on by itself. Other work does meanwhile, too.",
    )


def left_words(found: Compilation | None, now: datetime) -> str:
    """The time that compiling will take, to end a sentence with; empty where nobody knows."""
    if found is None or found.usual_s is None:
        return ""
    left_s = found.usual_s - (now.timestamp() - found.began_at)
    usual = duration(found.usual_s)
    return f": about {duration(left_s)} left" if left_s > 0 else f": it takes longer than the usual {usual}"


def kernels_words(kernels: str) -> str:
    """What kernels of this name are, in words: "the rules of Dominion", "searches for Dominion"."""
    known = [game_id for game_id in game_registry.ids() if kernels.startswith(f"{game_id}_")]
    game = game_registry.get(known[0]).label if known else kernels.partition("_")[0].capitalize()
    is_rules = kernels.partition("_")[2].startswith(("rules", "playout", "policies"))
    return f"the rules of {game}" if is_rules else f"searches for {game}"


def _agents(absence: Absence, now: datetime) -> Wait:
    names = " and ".join(absence.names) if len(absence.names) < 3 else f"{absence.names[0]} and others"
    if absence.are_busy:
        return Wait(
            "agents",
            "its agents are busy",
            f"{names} can play no more matches at once.",
            "It goes on when one of them has ended.",
        )
    heard = f"for {duration((now - absence.since).total_seconds())}" if absence.since else "yet"
    return Wait(
        "agents",
        "waits for an agent",
        f"{names} {'has' if len(absence.names) == 1 else 'have'} not been heard of {heard}.",
        "Start the program: a match that waits longer than its time limit is forfeited.",
    )


def _turn(job: Standing, lab: LabState) -> Wait | None:
    """A worker has to take it: there is none, others go first, or it is next."""
    queue = lab.queue(job.queue)
    order = [turn for turn in queue.order if turn[:2] not in lab.passed]
    place = next((i for i, turn in enumerate(order) if turn[:2] == (job.source, job.id)), None)
    if place is None:
        return None
    if not queue.processes and queue.idle:
        return Wait(
            "worker",
            "no worker is given work",
            f"All workers for {WORK[job.queue]} were told to take no more, or have another code than the lab.",
            "The list of workers says which; it goes on by itself once one is given work.",
        )
    if not queue.processes and (first := next(iter(lab.compilations.values()), None)):
        what = f"{kernels_words(first.kernels)} are compiled first{left_words(first, lab.now)}"
        return Wait(
            "starting",
            "no worker runs yet",
            f"No worker for {WORK[job.queue]} is running yet: {what}.",
            "A lab that was just started compiles before it plays; it begins by itself.",
        )
    if not queue.processes:
        return Wait(
            "worker",
            "no worker runs",
            f"No worker for {WORK[job.queue]} is running.",
            "Tell whoever runs the lab; it goes on by itself once there is one.",
        )
    if set(queue.processes) - set(queue.busy):
        return Wait("soon", "", "A worker takes it in a moment.")
    before = order[:place]
    others = len({turn.owner_id for turn in before if turn.owner_id != job.owner_id})
    own = sum(turn.owner_id == job.owner_id for turn in before)
    if not others and not own:
        number = "The one worker is" if len(queue.processes) == 1 else f"All {len(queue.processes)} workers are"
        return Wait("next", "next", f"It is next. {number} busy now.", "The first that is free takes it.")
    return Wait("turn", "waits for its turn", _who_goes_first(others, own), _advice(others, own))


def _who_goes_first(others: int, own: int) -> str:
    people = "One other person's work" if others == 1 else f"{_number(others).capitalize()} other people's work"
    mine = "one job of your own" if own == 1 else f"{_number(own)} jobs of your own"
    if not own:
        return f"{people} goes first."
    if not others:
        return f"{mine[0].upper()}{mine[1:]} {'goes' if own == 1 else 'go'} first."
    return f"{people} and {mine} go first."


def _advice(others: int, own: int) -> str:
    turns = "People take turns, however much each has under way." if others else ""
    return f"{turns} Pause what can wait, and this goes sooner.".strip() if own else turns


def _number(n: int) -> str:
    return SMALL[n] if n < len(SMALL) else str(n)
