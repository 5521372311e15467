"""What a job waits for, in one sentence: each state by hand, then on its pages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg
import pytest
from django.test import Client
from django.utils import timezone

from games import compile_locks, loader, readiness
from games.compile_locks import Compilation
from tests.records import queues
from tests.records.experiments import make_experiment, spec
from tests.webapp.lab.jobs.conftest import Sample, set_to
from tests.webapp.pages import markup
from tests.webapp.specs import make
from tests.webapp.table.live import tables
from webapp.lab.experiments.absence import absence
from webapp.lab.jobs.kind import Absence
from webapp.lab.jobs.lab_state import LabState, QueueState
from webapp.lab.jobs.waiting import Standing, of_jobs, wait
from webapp.people.accounts.models import User
from webapp.people.agents import services as agents
from webapp.people.agents.models import AgentToken
from webapp.people.audit.models import StaffAction
from webapp.records import asked_kernels, worker_processes
from webapp.records.models import Chunk
from webapp.records.turns import Turn
from webapp.records.worker_processes import Announcement
from webapp.site import worker_list
from webapp.table.live.models import LiveMatch
from webapp.table.live.plans import SeatPlan
from worker.recorder import ANALYSIS, BATCH

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
ME, BOB, EVE = 1, 2, 3
MINE = Standing("experiment", 7, ME)
RULES = Compilation("kingdomino_rules_j0_jit-1", "there:5", NOON.timestamp() - 10, 50.0)


def turn(work_id: int, owner: int) -> Turn:
    return Turn("experiment", work_id, owner)


QUEUE = ("processes", "busy", "idle")


def lab(*order: Turn, **more: Any) -> LabState:
    """A lab with one worker, who is busy."""
    queue = {"processes": ["here:1"], "busy": ["here:1"]} | {name: more.pop(name) for name in QUEUE if name in more}
    states = {BATCH: QueueState(order, **queue)}
    return LabState(NOON, queue=lambda name: states.get(name, QueueState(order)), **more)


def said(job: Standing, state: LabState) -> tuple[str, str] | None:
    found = wait(job, state)
    return None if found is None else (found.kind, found.sentence)


LAST = turn(7, ME)
MOVES: dict[str, tuple[Standing, LabState]] = {
    "at work": (replace(MINE, workers=["here:1"]), lab(turn(1, BOB), LAST)),
    "between two chunks": (replace(MINE, served_at=NOON - timedelta(seconds=9)), lab(turn(1, BOB), LAST)),
    "one of two compiles": (replace(MINE, workers=["a:1", "there:5"]), lab(compilations={"there:5": RULES})),
    "nothing waits for a worker": (MINE, lab(turn(1, BOB))),
    "over": (replace(MINE, status="stopped"), lab(LAST, is_full=True)),
}
WAITS: dict[str, tuple[Standing, LabState, tuple[str, str]]] = {
    "paused": (replace(MINE, status="paused"), lab(LAST, is_full=True), ("paused", "It is paused.")),
    "disk": (
        replace(MINE, workers=["here:1"]),
        lab(LAST, is_full=True),
        ("disk", "The disk of the lab is full: experiments and studies wait until there is room."),
    ),
    "its worker compiles": (
        replace(MINE, workers=["there:5"], served_at=NOON),
        lab(compilations={"there:5": RULES}),
        ("compiler", "The rules of Kingdomino are compiled first, once on this machine: about 40 s left."),
    ),
    "another compiles": (
        replace(MINE, served_at=NOON),
        lab(LAST, compilations={"a:9": replace(RULES, usual_s=8.0)}, passed={("experiment", 7): RULES.kernels}),
        (
            "compiler",
            "The rules of Kingdomino are compiled first, once on this machine: it takes longer than the usual 8 s.",
        ),
    ),
    "another compiles out of sight": (
        MINE,
        lab(LAST, passed={("experiment", 7): "dominion_uct_tree_j0_1d1c04f9_jit-2"}),
        ("compiler", "Searches for Dominion are compiled first, once on this machine."),
    ),
    "an agent": (
        replace(MINE, absence=Absence(["rook"], NOON - timedelta(minutes=5))),
        lab(),
        ("agents", "rook has not been heard of for 5 min."),
    ),
    "agents that never came": (
        replace(MINE, absence=Absence(["bishop", "rook"], None)),
        lab(),
        ("agents", "bishop and rook have not been heard of yet."),
    ),
    "busy agents": (
        replace(MINE, absence=Absence(["rook"], None, are_busy=True)),
        lab(),
        ("agents", "rook can play no more matches at once."),
    ),
    "left by all": (
        MINE,
        lab(LAST, declined={("experiment", 7): {"here:1": ("speed", "its speed is 0.50, not about 0.98")}}),
        (
            "speed",
            "It thinks by the clock, and no machine is as fast as the one that began it: its speed is 0.50, not about "
            "0.98.",
        ),
    ),
    "without an engine's code": (
        MINE,
        lab(LAST, declined={("experiment", 7): {"here:1": ("absent", "own:mine@0 cannot play here: gone")}}),
        ("absent", "No worker has the code of an engine that it names: own:mine@0 cannot play here: gone."),
    ),
    "unread": (
        MINE,
        lab(LAST, declined={("experiment", 7): {"here:1": ("spec", "options.peek: unknown option.")}}),
        ("unread", "No worker of this version can read its specification: options.peek: unknown option."),
    ),
    "left by one of two": (
        MINE,
        lab(LAST, processes=["here:1", "here:2"], declined={("experiment", 7): {"here:1": ("spec", "why")}}),
        ("soon", "A worker takes it in a moment."),
    ),
    "workers that get no work": (
        MINE,
        lab(LAST, processes=[], idle=["here:1"]),
        ("worker", "All workers for experiments were told to take no more, or have another code than the lab."),
    ),
    "no worker": (MINE, lab(LAST, processes=[]), ("worker", "No worker for experiments is running.")),
    "a lab that was just started": (
        MINE,
        lab(LAST, processes=[], compilations={"there:5": RULES}),
        (
            "starting",
            "No worker for experiments is running yet: the rules of Kingdomino are compiled first: about 40 s left.",
        ),
    ),
    "none of its queue": (
        replace(MINE, source="study", queue=ANALYSIS),
        lab(Turn("study", 7, ME)),
        ("worker", "No worker for analyses is running."),
    ),
    "a free worker": (
        MINE,
        lab(turn(1, BOB), LAST, processes=["here:1", "here:2"]),
        ("soon", "A worker takes it in a moment."),
    ),
    "one other": (MINE, lab(turn(1, BOB), turn(2, BOB), LAST), ("turn", "One other person's work goes first.")),
    "two others": (
        replace(MINE, served_at=NOON - timedelta(seconds=11)),
        lab(turn(1, BOB), turn(2, EVE), LAST, turn(3, 4)),
        ("turn", "Two other people's work goes first."),
    ),
    "its owner's own": (MINE, lab(turn(1, ME), LAST), ("turn", "One job of your own goes first.")),
    "both": (
        MINE,
        lab(turn(1, ME), turn(2, BOB), turn(3, EVE), turn(4, ME), LAST),
        ("turn", "Two other people's work and two jobs of your own go first."),
    ),
    "who is passed over goes not first": (
        MINE,
        lab(turn(1, BOB), LAST, passed={("experiment", 1): RULES.kernels}),
        ("next", "It is next. The one worker is busy now."),
    ),
    "next": (
        MINE,
        lab(LAST, turn(1, BOB), processes=["a:1", "a:2"], busy=["a:1", "a:2"]),
        ("next", "It is next. All 2 workers are busy now."),
    ),
}


def test_each_state_has_its_sentence() -> None:
    assert {name: said(job, state) for name, (job, state) in MOVES.items()} == dict.fromkeys(MOVES)
    assert {name: said(job, state) for name, (job, state, _) in WAITS.items()} == {
        name: expected for name, (_, _, expected) in WAITS.items()
    }
    kinds = {expected[0] for _, _, expected in WAITS.values()}
    assert kinds == {
        *("paused", "disk", "compiler", "agents", "worker", "starting", "soon", "turn", "next"),
        *("speed", "absent", "unread"),
    }


def test_what_one_can_do_is_said_beside_it() -> None:
    for name, (job, state, _) in WAITS.items():
        found = wait(job, state)
        assert found is not None
        assert found.advice or found.kind == "soon", name
    both = wait(MINE, lab(turn(1, ME), turn(2, BOB), LAST))
    assert both is not None
    assert (
        both.advice == "People take turns, however much each has under way. Pause what can wait, and this goes sooner."
    )


# ---- in the database


@pytest.fixture
def worker(db: None) -> Iterator[psycopg.Connection[Any]]:
    """A living worker for experiments, of a connection of its own; its row is committed."""
    with queues.holding() as holder:
        worker_processes.enter(holder, Announcement("here:1", [BATCH], "here:0", "a processor", 0.9), is_new=True)
        yield holder
        holder.execute("delete from records_workerprocess")


@pytest.fixture
def nobody_compiles(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    """No kernels but those of the test: what other programs of this machine compile would be what a job waits for."""
    monkeypatch.setenv("LAB_KERNELS", str(tmp_path))


@pytest.mark.django_db
@pytest.mark.usefixtures("nobody_compiles")
def test_pages_say_what_a_job_waits_for(
    signed_in: Client, alice: Any, sample: Sample, settings: Any, tmp_path: Any
) -> None:
    """The job's page, what it asks for again, and the list."""
    job = sample.running(alice)
    address = f"/{sample.plural}/{job.pk}/"
    for path in (address, f"{address}live/"):
        page = markup(signed_in.get(path))
        assert "No worker for experiments is running." in page
        assert 'href="/workers/"' in page
    assert "no worker runs" in markup(signed_in.get(f"/{sample.plural}/"))
    settings.LAB_DISK, settings.LAB_DISK_RESERVE_MB = str(tmp_path), 10**9
    assert "The disk of the lab is full" in markup(signed_in.get(f"{address}live/"))
    assert "the disk is full" in markup(signed_in.get(f"/{sample.plural}/"))
    set_to(job, status="paused")
    assert "It is paused." in markup(signed_in.get(address))
    set_to(job, status="stopped")
    assert 'role="note"' not in markup(signed_in.get(address))


@pytest.mark.django_db
@pytest.mark.usefixtures("nobody_compiles")
def test_a_single_match_keeps_up_what_it_waits_for(signed_in: Client, alice: Any) -> None:
    match = make(alice, kind="match", deals=1, rotation="none")
    assert 'id="wait"' in markup(signed_in.get(f"/experiments/{match.pk}/"))
    live = markup(signed_in.get(f"/experiments/{match.pk}/live/"))
    assert live.count('hx-swap-oob="true"') == 2
    assert "No worker for experiments is running." in live.partition('id="wait"')[2]


@pytest.mark.django_db
@pytest.mark.usefixtures("nobody_compiles")
def test_workers_are_shown_with_what_they_do_and_titles_to_those_who_may_see_them(
    signed_in: Client, alice: Any, bob: Any, worker: Any, tmp_path: Any
) -> None:
    theirs = make(bob, "A secret plan")
    mine = make(alice, "My own plan")
    now = timezone.now()
    Chunk.objects.filter(experiment=theirs).update(status="claimed", worker="here:1", claimed_at=now)
    page = markup(signed_in.get("/workers/"))
    assert "an experiment of somebody else" in page
    assert "A secret plan" not in page
    assert "None is running." in page, "of the other queues"
    assert of_jobs([mine])[mine.pk].sentence == "It is next. The one worker is busy now."
    Chunk.objects.filter(experiment=theirs).update(status="waiting", worker="")
    Chunk.objects.filter(experiment=mine).update(status="claimed", worker="here:1", claimed_at=now)
    folder = tmp_path / "kingdomino_rules_j0_jit-1"
    folder.mkdir()
    with compile_locks.hold(folder):
        (folder / compile_locks.LOCK).write_text("here:1")
        page = markup(signed_in.get("/workers/"))
        assert f'<a href="/experiments/{mine.pk}/">My own plan</a>' in page
        assert "compiles the rules of Kingdomino: about" in page
        assert of_jobs([mine])[mine.pk].kind == "compiler"
    assert of_jobs([mine]) == {}, "it moves"
    bob.is_staff = True
    (process,) = worker_list.workers(bob).queues[-1].processes
    assert process.task is not None
    assert process.task.words == f"My own plan (experiment {mine.pk})"
    assert signed_in.get("/workers/", headers={"HX-Request": "true"}).content.count(b"<html") == 0


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("nobody_compiles")
def test_staff_see_machines_and_drain_them_and_others_see_them_only(signed_in: Client, alice: Any, worker: Any) -> None:
    page = markup(signed_in.get("/workers/"))
    assert "a processor" in page
    assert "0.90" in page
    assert "Drain" not in page
    assert signed_in.post("/workers/order/", {"order": "drain"}).status_code == 403
    User.objects.filter(pk=alice.pk).update(is_staff=True)
    assert signed_in.post("/workers/order/", {"order": "dance"}).status_code == 404
    signed_in.post("/workers/order/", {"order": "drain", "machine": "here"})
    assert StaffAction.objects.values_list("who", "deed", "name").get() == ("alice", "ordered: drain", "here")
    page = markup(signed_in.get("/workers/"))
    assert "1 drained" in page
    assert "Resume" in page
    assert of_jobs([make(alice)]).popitem()[1].brief == "no worker is given work"
    signed_in.post("/workers/order/", {"order": "", "machine": "here"})
    worker.execute("update records_workerprocess set refusal = 'Its code is not the lab''s.'")
    page = markup(signed_in.get("/workers/"))
    assert "here is refused.</strong> Its code is not the lab&#x27;s." in page
    assert "1 refused" in page


@pytest.mark.django_db
def test_an_agent_is_away_when_it_is_silent_on_its_turn(alice: Any, settings: Any) -> None:
    rook = agents.create(alice, "rook", "")
    seats = [{"engine": "agent:rook", "options": {}, "budget": {"seconds_per_ply": 60}}, {"engine": "random"}]
    arms = [{"name": "it", "seats": [{"options": {}, "budget": {}} | seat for seat in seats]}]
    experiment = make_experiment(alice, secret_seed=1, spec=spec(arms=arms))
    assert absence(experiment) is None, "its first match is about to be opened"
    match = tables.open_match(alice, [SeatPlan(name="rook", agent=rook), tables.engine()], experiment=experiment)
    ago = timezone.now() - timedelta(minutes=3)
    assert absence(experiment) is None, "it was asked a moment ago"
    LiveMatch.objects.filter(pk=match.pk).update(turn_began_at=ago)
    assert absence(experiment) == Absence(["rook"], None)
    token = AgentToken.objects.create(agent=rook, digest="d", used_at=ago)
    assert absence(experiment) == Absence(["rook"], ago)
    AgentToken.objects.filter(pk=token.pk).update(used_at=timezone.now())
    assert absence(experiment) is None
    settings.LAB_AGENT_MATCHES = 1
    other = make_experiment(alice, secret_seed=2, spec=spec(arms=arms))
    assert absence(other) == Absence(["rook"], None, are_busy=True)


@pytest.mark.django_db
@pytest.mark.usefixtures("nobody_compiles")
def test_the_warm_up_is_asked_for_what_running_jobs_need(alice: Any, tmp_path: Any) -> None:
    make(alice)
    set_to(make(alice, game="kingdomino"), status="paused")
    assert asked_kernels.ask() == 0, "nobody compiles ahead"
    assert loader.cache_root() == tmp_path
    with readiness.warming():
        assert asked_kernels.ask() == 2
    assert readiness.pending_requests(by_jobs=True) == {("carcassonne", "scripted"), ("carcassonne", "random")}
