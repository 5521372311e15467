"""Matches recorded by independent implementations of the rules replay without a difference."""

from __future__ import annotations

import copy
import dataclasses
import random
from pathlib import Path
from typing import Any

import pytest

from games import registry
from tests.games.carcassonne import reference
from tests.games.carcassonne.recorded import FILES, matches
from tests.looping import looped

GAME = registry.get("carcassonne")


def as_entry(scored: reference.Scored, *, returned: bool) -> dict[str, Any]:
    entry = {
        "kind": scored.kind,
        "points": scored.points,
        "winners": scored.winners,
        "tiles": [list(place) for place in scored.tiles],
    }
    return entry | {"returned": list(scored.owners)} if returned else entry


def replayed_ply(match: reference.Match, ply: dict[str, Any]) -> dict[str, Any]:
    """Play one ply of a trace; what the reference finds for each field of it."""
    player, fits = match.turn, [match.draw(letter) for letter in [*ply["vain"], ply["tile"]]]
    assert fits == [False] * len(ply["vain"]) + [True]
    vain, moves = list(match.vain), match.legal_moves()
    match.play((ply["x"], ply["y"], ply["rot"], ply["meeple"]))
    return {
        "player": player,
        "vain": vain,
        "n_place": len({move[:3] for move in moves}),
        "n_legal": len(moves),
        "legal_hash": reference.moves_hash(moves),
        "events": [as_entry(event, returned=True) for event in match.events],
        "scores": list(match.points),
        "in_hand": list(match.in_hand),
        "projected": match.projected(),
    }


@pytest.mark.parametrize("step", [6, pytest.param(1, marks=pytest.mark.slow)])
@looped("path", FILES)
def test_reference_replays_trace(path: Path, step: int) -> None:
    """A sixth of them in each run: the game replays all below, and meets the reference in matches of its own."""
    for trace in [*matches(path)][::step]:
        match = reference.Match(trace["players"], reference.Rules(**trace["rules"]))
        for number, ply in enumerate(trace["plies"]):
            found = replayed_ply(match, ply)
            assert found == {name: ply[name] for name in found}, f"seed {trace['seed']}, ply {number}"
        assert not match.can_go_on()
        final = {
            "breakdown": [as_entry(entry, returned=False) for entry in match.end()],
            "scores": match.points,
            "left": match.left,
            "discarded": match.discarded,
        }
        assert final == trace["final"], f"seed {trace['seed']}"


@looped("path", FILES)
def test_game_replays_trace(path: Path) -> None:
    for trace in matches(path):
        assert GAME.replay_trace(trace) == (len(trace["plies"]), None), f"seed {trace['seed']}"


def eventful() -> dict[str, Any]:
    """A recorded match with draws in vain."""
    return next(trace for path in FILES for trace in matches(path) if any(ply["vain"] for ply in trace["plies"]))


@looped(
    "field, wrong",
    [
        ("player", 7),
        ("n_place", 0),
        ("n_legal", 0),
        ("legal_hash", "0123456789abcdef"),
        ("events", [{"kind": "road", "points": 1, "winners": [0], "tiles": [[0, 0]], "returned": [0]}]),
        ("scores", [999, 0]),
        ("in_hand", [8, 8]),
        ("projected", [0, 999]),
    ],
)
def test_replay_names_the_first_field_that_differs(field: str, wrong: Any) -> None:
    trace = eventful()
    for number in (11, 30):
        trace["plies"][number][field] = copy.deepcopy(wrong)
    compared, mismatch = GAME.replay_trace(trace)
    assert mismatch is not None
    assert (mismatch["ply"], mismatch["expected"]) == (11, wrong)
    assert mismatch["field"].startswith(field)
    assert compared <= 12


@pytest.mark.parametrize(("field", "wrong"), [("scores", [1, 2]), ("left", {"C": 1}), ("discarded", ["C", "C"])])
def test_replay_compares_the_end(field: str, wrong: Any) -> None:
    trace = eventful()
    trace["final"][field] = wrong
    _, mismatch = GAME.replay_trace(trace)
    assert mismatch is not None
    assert field in mismatch["field"]
    assert mismatch["expected"] == wrong


@pytest.mark.parametrize(("entry", "wrong"), [("points", 99), ("winners", [0, 1]), ("tiles", []), ("kind", "river")])
def test_replay_compares_the_final_breakdown(entry: str, wrong: Any) -> None:
    trace = eventful()
    trace["final"]["breakdown"][0][entry] = wrong
    _, mismatch = GAME.replay_trace(trace)
    assert mismatch is not None
    assert "breakdown" in mismatch["field"]


def test_replay_reports_an_illegal_move_of_a_trace() -> None:
    trace = eventful()
    trace["plies"][5] |= {"x": 100, "y": 100}
    _, mismatch = GAME.replay_trace(trace)
    assert mismatch is not None
    assert mismatch["ply"] == 5


def test_order_of_events_does_not_matter() -> None:
    """Two features scored by one ply have no order in the rules."""
    trace, ply = next(
        (trace, ply) for path in FILES for trace in matches(path) for ply in trace["plies"] if len(ply["events"]) > 1
    )
    ply["events"].reverse()
    trace["final"]["breakdown"].reverse()
    assert GAME.replay_trace(trace) == (len(trace["plies"]), None)


def recorded(match: reference.Match) -> dict[str, Any]:
    """Trace of a finished match of the reference (without draws in vain)."""
    again = reference.Match(match.seats, match.rules)
    plies = []
    for _, letter, (x, y, rotation, segment) in match.history:
        ply = {"vain": [], "tile": letter, "x": x, "y": y, "rot": rotation, "meeple": segment}
        plies.append(ply | replayed_ply(again, ply))
    breakdown = [as_entry(entry, returned=False) for entry in again.end()]
    final = {"breakdown": breakdown, "scores": again.points, "left": again.left, "discarded": again.discarded}
    return {"rules": dataclasses.asdict(match.rules), "players": match.seats, "plies": plies, "final": final}


def test_fields_on_the_same_tiles_may_come_in_any_order() -> None:
    """Neither kind nor tiles tell two such fields apart; one pays here, the other does not."""
    trace = recorded(reference.random_match(random.Random(131), seats=5))
    rows = trace["final"]["breakdown"]
    alike = [
        row for row in rows if sum(row["tiles"] == other["tiles"] for other in rows if other["kind"] == "field") > 1
    ]
    assert sorted(row["points"] for row in alike if row["kind"] == "field") == [0, 3]
    assert GAME.replay_trace(trace) == (len(trace["plies"]), None)
    rows.reverse()
    assert GAME.replay_trace(trace) == (len(trace["plies"]), None)


def test_fields_unknown_to_the_format_are_ignored() -> None:
    trace = next(trace for path in FILES for trace in matches(path))
    ply = next(ply for ply in trace["plies"] if ply["events"])
    trace["remark"] = ply["remark"] = ply["events"][0]["remark"] = "as seen"
    trace["final"]["remark"] = trace["final"]["breakdown"][0]["remark"] = "as seen"
    assert GAME.replay_trace(trace) == (len(trace["plies"]), None)
