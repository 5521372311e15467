"""Matches recorded by independent implementations of the rules replay without a difference."""

from __future__ import annotations

import copy
import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.games.kingdomino import reference
from tests.games.kingdomino.tables import GAME
from tests.looping import looped

FILES = sorted((Path(__file__).parent / "traces").glob("*.jsonl.gz"))


def matches(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt") as lines:
        for line in lines:
            yield json.loads(line)


def first() -> dict[str, Any]:
    return next(matches(FILES[0]))


@pytest.mark.long
@looped("path", FILES)
def test_game_replays_trace(path: Path) -> None:
    for trace in matches(path):
        assert GAME.replay_trace(trace) == (len(trace["plies"]), None), f"seed {trace['seed']}"


def ends(move: list[Any]) -> reference.Placement | None:
    """A placement of a trace, [row, column] twice, as (x, y) twice."""
    return None if move[0] is None else tuple((x, y) for y, x in move[0])  # type: ignore[return-value]


@pytest.mark.long
@looped("path", FILES)
def test_reference_replays_trace(path: Path) -> None:
    for trace in list(matches(path))[:2]:
        variant = trace["variant"]
        rules = reference.Rules(
            variant["size"], variant["must_place"], variant["middle"] or "off", variant["harmony"] or "off"
        )
        match = reference.Match(variant["players"], rules, trace["first_order"], trace["deck"])
        for ply in trace["plies"]:
            found = {
                "round": match.round,
                "player": match.player,
                "domino": match.domino,
                "row": match.free,
                "n_moves": len(match.legal_moves()),
            }
            assert found == {name: ply[name] for name in found}, f"seed {trace['seed']}, ply {ply['ply']}"
            match.play((ends(ply["move"]), ply["move"][1]))
            assert match.scores == ply["scores"]
        assert match.over
        assert match.scores == trace["final"]["scores"]


@looped(
    "field, wrong",
    [
        ("round", 99),
        ("player", 7),
        ("domino", 49),
        ("row", [1]),
        ("n_placements", -1),
        ("n_moves", 0),
        ("moves_sha", "0123456789abcdef"),
        ("discard", None),
        ("scores", [999, 0]),
    ],
)
def test_replay_names_the_first_field_that_differs(field: str, wrong: Any) -> None:
    trace = first()
    for number in (11, 20):
        trace["plies"][number][field] = copy.deepcopy(wrong)
    compared, mismatch = GAME.replay_trace(trace)
    assert mismatch is not None
    assert (mismatch["ply"], mismatch["field"], mismatch["expected"]) == (11, field, wrong)
    assert compared <= 12


@looped("field", ["scores", "parts", "discards", "winners", "top_score_players"])
def test_replay_compares_the_end(field: str) -> None:
    trace = first()
    trace["final"][field] = "other"
    _, mismatch = GAME.replay_trace(trace)
    assert mismatch is not None
    assert (mismatch["field"], mismatch["expected"]) == (field, "other")


def test_replay_compares_the_kingdoms() -> None:
    trace = first()
    trace["kingdoms"][0][0][3] = 9
    _, mismatch = GAME.replay_trace(trace)
    assert mismatch is not None
    assert mismatch["field"] == "kingdoms"


def test_replay_reports_an_illegal_move_of_a_trace() -> None:
    trace = first()
    trace["plies"][8]["move"][0] = [[40, 40], [40, 41]]
    _, mismatch = GAME.replay_trace(trace)
    assert mismatch is not None
    assert (mismatch["ply"], mismatch["field"]) == (8, "move")


@pytest.mark.long
@looped("path", FILES)
def test_a_written_trace_is_the_one_that_was_read(path: Path) -> None:
    for trace in list(matches(path))[:2]:
        written = GAME.trace(history_of(trace))
        # the recorded deck lists dominoes that a match of few seats never draws
        assert written["deck"] == trace["deck"][: len(written["deck"])]
        for name in ("variant", "first_order", "plies", "final", "kingdoms"):
            assert written[name] == trace[name], name


def history_of(trace: dict[str, Any]) -> dict[str, Any]:
    """What `Game.trace` takes, from a trace."""
    from games import options as option_tools
    from games.kingdomino import reading, traces
    from games.kingdomino import state as layout
    from games.kingdomino.reading import Move
    from games.protocol import CHANCE

    options = traces.options_of(trace["variant"])
    state = GAME.initial_state(option_tools.from_json(GAME.options, options), trace["variant"]["players"])
    draws = [layout.KING + seat for seat in trace["first_order"]] + [number - 1 for number in trace["deck"]]
    history = []
    for ply in trace["plies"]:
        while GAME.current_player(state) == CHANCE:
            history.append(draws.pop(0))
            state = GAME.apply(state, history[-1])
        history.append(reading.action(state, Move(ends(ply["move"]), ply["move"][1])))
        state = GAME.apply(state, history[-1])
    return {"options": options, "seats": trace["variant"]["players"], "history": history}
