"""Whatever is killed while an engine thinks at a table, the match goes on exactly from where it was."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from typing import Any

import pytest

from games import registry
from tests.crash.engines import ALWAYS, LINGER
from tests.crash.experiment import RANDOM, THINKS, Rows
from tests.crash.lab import STOP_S, Lab

LINGERS = {"engine": "lingers", "options": {}, "budget": {}}
FIRST_LEFT = 36
"""Plies that the first seat has left when the match begins."""
_PLIES = """
select ply, seat, action, notation, legal_count, scores, value, playouts, digest, info::text, played_by
from live_liveply where match_id = %s order by ply
"""
_MATCH = "select {} from live_livematch where id = %s"


def of(lab: Lab, match: int, *columns: str) -> tuple[Any, ...]:
    return lab.rows(_MATCH.format(", ".join(columns)), match)[0]


def finish(lab: Lab, match: int) -> Rows:
    """The plies of the match, once it is finished; none is doubled and none is lost."""
    lab.wait(lambda: of(lab, match, "status") == ("finished",), f"match {match} to finish")
    plies = lab.rows(_PLIES, match)
    assert [row[0] for row in plies] == list(range(of(lab, match, "ply")[0]))
    recorded = "select count(*) from records_ply p join live_livematch l on l.match_id = p.match_id where l.id = %s"
    assert lab.rows(recorded, match) == [(len(plies),)]
    return plies


def thinker(lab: Lab, match: int) -> int:
    """Process id of the worker that thinks about the match; 0 where none does."""
    (worker,) = of(lab, match, "worker")
    return int(worker.rpartition(":")[2] or 0)


def hold(lab: Lab, match: int, ply: int) -> None:
    """Let the match go on to a ply, and its engine think there until the match is held elsewhere."""
    told = lab.folder.root / LINGER
    told.with_suffix(".new").write_text(str(FIRST_LEFT - ply // 2))
    told.with_suffix(".new").replace(told)
    lab.wait(lambda: of(lab, match, "ply") == (ply,) and thinker(lab, match), f"a thought at ply {ply}")


def goes_on(lab: Lab, match: int, ply: int, undisturbed: Rows) -> bool:
    """Whether the match goes on to a ply as if nothing had happened."""
    hold(lab, match, ply)
    return lab.rows(_PLIES, match) == undisturbed[:ply]


@pytest.fixture(scope="module")
def tables(lab: Lab) -> Iterator[Lab]:
    """The lab with a worker for tables beside that of batches."""
    lab.start_interactive()
    lab.need(2)
    yield lab
    lab.stop("interactive")


@pytest.fixture(scope="module")
def undisturbed(tables: Lab) -> Rows:
    """The match as it is played when nothing happens."""
    plies = finish(tables, tables.create_table(LINGERS, THINKS))
    assert len(plies) > 60
    assert {row[-1] for row in plies} == {"engine"}
    return plies


@pytest.fixture(scope="module")
def match(tables: Lab, undisturbed: Rows) -> int:
    """The same match once more: whatever comes in between, a test after the other, it goes on."""
    (tables.folder.root / LINGER).write_text(str(FIRST_LEFT))
    return tables.create_table(LINGERS, THINKS)


def test_a_killed_child_of_the_worker(tables: Lab, match: int, undisturbed: Rows) -> None:
    hold(tables, match, 4)
    os.kill(thinker(tables, match), signal.SIGKILL)
    tables.wait(lambda: of(tables, match, "attempts") == (1,), "the death to be noticed")
    assert goes_on(tables, match, 6, undisturbed)


@pytest.mark.slow  # a journey (test_play_kills) kills the worker of a match
def test_a_killed_worker(tables: Lab, match: int, undisturbed: Rows) -> None:
    hold(tables, match, 8)
    tables.kill("interactive")
    tables.wait(lambda: not thinker(tables, match), "the dead turn to be put up again")
    assert of(tables, match, "ply", "attempts") == (8, 1)
    tables.start_interactive()
    assert goes_on(tables, match, 10, undisturbed)


@pytest.mark.slow  # below the queue is killed under a person's action
def test_a_killed_queue(tables: Lab, match: int, undisturbed: Rows) -> None:
    hold(tables, match, 12)
    tables.kill("valkey")
    tables.start_server("valkey")
    assert goes_on(tables, match, 14, undisturbed)


@pytest.mark.slow  # test_kills.py kills it under an experiment
def test_a_killed_database(tables: Lab, match: int, undisturbed: Rows) -> None:
    hold(tables, match, 16)
    tables.kill("postgres")
    tables.start_server("postgres")
    assert goes_on(tables, match, 18, undisturbed)


@pytest.mark.slow  # all queues give back alike (tests/records/test_queue.py); a batch is given back in test_kills.py
def test_a_worker_asked_to_stop_gives_the_turn_back(tables: Lab, match: int, undisturbed: Rows) -> None:
    hold(tables, match, 20)
    assert tables.stop("interactive") < STOP_S
    assert of(tables, match, "ply", "worker", "attempts") == (20, "", 0)
    tables.start_interactive()
    assert goes_on(tables, match, 22, undisturbed)


def test_after_all_that_the_match_is_what_it_would_have_been(tables: Lab, match: int, undisturbed: Rows) -> None:
    (tables.folder.root / LINGER).write_text("")
    assert finish(tables, match) == undisturbed
    replaced = "select count(*) from live_liveseat where match_id = %s and replaced is not null"
    assert tables.rows(replaced, match) == [(0,)]


@pytest.mark.slow
@pytest.mark.parametrize("game", ["kingdomino", "dominion", "dominoes"])
def test_a_killed_worker_in_other_games(tables: Lab, game: str) -> None:
    """Twice in the middle of a match, which then is what it would have been."""
    seats = [LINGERS, THINKS, RANDOM, RANDOM][: max(2, registry.get(game).traits.min_seats)]
    undisturbed = finish(tables, tables.create_table(*seats, game=game))
    told = tables.folder.root / LINGER
    told.write_text(ALWAYS)
    match = tables.create_table(*seats, game=game)
    for ply in (2, 12):
        told.write_text("")
        tables.wait(lambda ply=ply: of(tables, match, "ply")[0] >= ply, f"ply {ply}")
        told.write_text(ALWAYS)
        tables.wait(lambda: thinker(tables, match), "a thought")
        tables.kill("interactive")
        tables.wait(lambda: not thinker(tables, match), "the dead turn to be put up again")
        tables.start_interactive()
    assert of(tables, match, "status") == ("running",)
    told.write_text("")
    assert finish(tables, match) == undisturbed


def test_an_action_of_a_person_is_answered_though_its_message_is_lost(tables: Lab) -> None:
    match = tables.create_table(None, RANDOM)
    tables.kill("valkey")
    tables.act(match)
    assert of(tables, match, "ply", "is_engine_due") == (1, True)
    tables.start_server("valkey")
    tables.wait(lambda: of(tables, match, "ply") == (2,), "the engine to answer")


def test_an_engine_that_kills_its_process_twice_is_replaced(tables: Lab) -> None:
    match = tables.create_table(None, {"engine": "ends", "options": {}, "budget": {}})
    tables.act(match)
    tables.wait(lambda: of(tables, match, "ply") == (2,), "another engine to answer")
    ((level, replaced),) = tables.rows(
        "select level, replaced from live_liveseat where match_id = %s and seat = 1", match
    )
    assert level
    assert [note["name"] for note in replaced] == ["Ends"]
    assert "ended without an answer" in replaced[0]["why"]


def test_moves_are_behind_no_batch(tables: Lab) -> None:
    """The worker of batches is stuck in long matches; a table is served all the same."""
    sleeps = {"engine": "sleeps", "options": {}, "budget": {}}
    arms = [{"name": "sleeps", "seats": [sleeps, RANDOM]}]
    spec = {"version": 1, "game": "carcassonne", "seats": 2, "arms": arms, "deals": 1, "seed": 3}
    experiment = tables.create(spec, [(0, 0, 1), (0, 1, 1)])
    tables.wait(lambda: len(tables.playing()) == 2, "the long matches to begin")
    match = tables.create_table(RANDOM, RANDOM)
    tables.wait(lambda: of(tables, match, "ply") >= (10,), "a match at a table to go on")
    assert len(tables.playing()) == 2
    tables.abandon(experiment)
    tables.stop("worker")
