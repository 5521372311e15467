"""Matches recorded by independent implementations of the rules replay without a difference."""

from __future__ import annotations

import copy
import gzip
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from games import options as option_tools
from games.dominoes import state as layout
from games.dominoes import traces
from tests.games import walks
from tests.games.dominoes.reference import Match, Rules
from tests.games.dominoes.tables import GAME, set_of
from tests.looping import looped

FILES = sorted((Path(__file__).parent / "traces").glob("*.jsonl.gz"))


def matches(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt") as lines:
        for line in lines:
            yield json.loads(line)


def named(name: str) -> dict[str, Any]:
    return next(matches(next(path for path in FILES if path.name.startswith(name))))


def num_turns(trace: dict[str, Any]) -> int:
    return sum(len(one["turns"]) for one in trace["rounds"])


@looped("path", FILES)
def test_game_replays_trace(path: Path) -> None:
    for trace in matches(path):
        assert GAME.replay_trace(trace) == (num_turns(trace), None), f"seed {trace['seed']}"


def move(turn: dict[str, Any]) -> Any:
    """A turn of a trace as the reference spells it."""
    if turn["move"] == "CALL":
        return "CALL", turn["accused"]
    return turn["move"] if turn["move"] == "PASS" else (tuple(turn["move"]), turn["side"])


@looped("path", FILES)
def test_reference_replays_trace(path: Path) -> None:
    for trace in matches(path):
        match = Match(Rules(**trace["rules"]))
        for number, one in enumerate(trace["rounds"]):
            match.deal([[tuple(tile) for tile in hand] for hand in one["hands"]])
            assert match.opener == one["opener"], f"seed {trace['seed']}, round {number}"
            for turn in one["turns"]:
                assert match.player == turn["seat"]
                match.play(move(turn))
            assert match.credit[::-1] == one["scores_after"]
        assert match.over


@looped(
    "field, wrong",
    [
        ("seat", 7),
        ("ends", [6, 0]),
        ("legal", [[[0, 0], "L"]]),
        ("move", [7, 7]),
        ("side", "X"),
        ("consistent_deals", 1),
    ],
)
def test_replay_names_the_first_field_of_a_turn_that_differs(field: str, wrong: Any) -> None:
    trace = named("beliefs")
    for turn in trace["rounds"][0]["turns"][5:8]:
        turn[field] = wrong
    compared, mismatch = GAME.replay_trace(trace)
    assert mismatch is not None
    assert (compared, mismatch["ply"], mismatch["round"]) == (5, 5, 0)
    assert mismatch["field"] == ("move" if field == "side" else field)


@pytest.mark.parametrize("field", ["paper_belief", "exact_belief"])
def test_replay_compares_beliefs(field: str) -> None:
    trace = named("beliefs")
    turn = trace["rounds"][0]["turns"][4]
    name, chances = next((name, row) for name, row in turn[field].items() if max(row) < 1)
    wrong = copy.deepcopy(trace)
    wrong["rounds"][0]["turns"][4][field][name] = [value + 3e-6 for value in chances]
    _, mismatch = GAME.replay_trace(wrong)
    assert mismatch is not None
    assert (mismatch["ply"], mismatch["field"]) == (4, f"{field} {name}")
    del turn[field][name]
    _, mismatch = GAME.replay_trace(trace)
    assert mismatch is not None
    assert mismatch["field"] == field


@looped("field", ["opener", "must_open", "hands", "left", "right", "final_hands", "scores_after", "result"])
def test_replay_compares_rounds(field: str) -> None:
    trace = named("random")
    record = trace["rounds"][1]
    if "hands" in field:
        record[field][0] = record[field][0][:-1]
    else:
        record[field] = {**record[field], "points": [1, 1]} if field == "result" else 99
    _, mismatch = GAME.replay_trace(trace)
    assert mismatch is not None
    assert mismatch["round"] == 1
    assert mismatch["field"] == ("result.points" if field == "result" else field)


@pytest.mark.parametrize(("field", "wrong"), [("scores", [1, 2]), ("loser", 5)])
def test_replay_compares_the_end(field: str, wrong: Any) -> None:
    trace = named("random") | {field: wrong}
    _, mismatch = GAME.replay_trace(trace)
    assert mismatch is not None
    assert (mismatch["field"], mismatch["expected"]) == (field, wrong)


def test_replay_wants_whole_matches_and_no_more() -> None:
    trace = named("random")
    _, mismatch = GAME.replay_trace({**trace, "rounds": trace["rounds"][:-1]})
    assert mismatch is not None
    assert mismatch["field"] in ("scores", "over")
    _, mismatch = GAME.replay_trace({**trace, "rounds": [*trace["rounds"], trace["rounds"][0]]})
    assert mismatch is not None
    assert mismatch["field"] == "over"
    trace["rounds"][0]["turns"].pop()
    _, mismatch = GAME.replay_trace(trace)
    assert mismatch is not None
    assert mismatch["field"] == "end"


@looped("path", FILES)
def test_a_written_trace_is_the_one_that_was_read(path: Path) -> None:
    for trace in list(matches(path))[:2]:
        written = json.loads(json.dumps(GAME.trace(history_of(trace))))
        for name, value in trace["rules"].items():
            assert written["rules"][name] == value
        assert (written["scores"], written["loser"]) == (trace["scores"], trace["loser"])
        for ours, theirs in zip(written["rounds"], trace["rounds"], strict=True):
            for name in ours:
                if name != "turns":
                    assert ours[name] == theirs[name], name
            for turn, other in zip(ours["turns"], theirs["turns"], strict=True):
                assert turn | {"legal": 0} == {name: other[name] for name in turn} | {"legal": 0}
                assert sorted(turn["legal"], key=str) == sorted(other["legal"], key=str)


def history_of(trace: dict[str, Any]) -> dict[str, Any]:
    """What `Game.trace` takes, from a trace."""
    history = []
    for record in trace["rounds"]:
        history += [set_of([tuple(tile) for tile in hand]) for hand in record["hands"][:3]]
        history += [traces.action_of(turn) for turn in record["turns"]]
    return {"options": traces.options_of(trace["rules"], trace["rounds"]), "seats": 4, "history": history}


def test_a_single_round_is_told_from_a_match() -> None:
    trace = named("random")
    single = {**trace, "rounds": trace["rounds"][:1]}
    options = option_tools.from_json(GAME.options, traces.options_of(single["rules"], single["rounds"]))
    assert options.length == "round"
    points = single["rounds"][0]["scores_after"]
    winner = single["rounds"][0]["result"]["winner"]
    assert GAME.replay_trace({**single, "scores": points, "loser": 1 - winner}) == (num_turns(single), None)


@pytest.mark.parametrize(("many_doubles", "told"), [("win", "result"), ("redeal", "void")])
@pytest.mark.parametrize("length", ["match", "round"])
def test_rounds_that_end_at_the_deal_are_written_and_read(many_doubles: str, told: str, length: str) -> None:
    options = {"many_doubles": many_doubles, "length": length}
    chosen = option_tools.from_json(GAME.options, options)
    for seed in range(400):
        history = [number for _, number in walks.walk(GAME, 4, seed, chosen) if number is not None]
        trace = json.loads(json.dumps(GAME.trace({"options": options, "seats": 4, "history": history})))
        dealt = [record for record in trace["rounds"] if not record["turns"]]
        if dealt:
            break
    assert all(told in record for record in dealt)
    assert GAME.replay_trace(trace) == (num_turns(trace), None)
    if told == "void":
        dealt[0]["void"] = False
    else:
        dealt[0]["result"]["kind"] = "out"
    _, mismatch = GAME.replay_trace(trace)
    assert mismatch is not None
    assert mismatch["field"].split(".")[0] == told


def test_points_of_winners_and_handing_over_are_written_and_read() -> None:
    from games import rng
    from games.protocol import CHANCE

    options = {"direction": "winners", "next_opener": "choice", "target": 50}
    chosen = option_tools.from_json(GAME.options, options)
    state, history = GAME.initial_state(chosen, 4), []
    deal = GAME.deal(chosen, 4, rng.new_stream(1, rng.DEAL))
    while not GAME.is_terminal(state):
        is_chance = GAME.current_player(state) == CHANCE
        history.append(deal.draw(state) if is_chance else int(GAME.legal_actions(state)[-1]))
        state = GAME.apply(state, history[-1])
    assert layout.HAND_OVER in history
    trace = json.loads(json.dumps(GAME.trace({"options": options, "seats": 4, "history": history})))
    assert trace["scores"] == [max(0, points) for points in GAME.scores(state)[:2]]
    assert max(trace["scores"]) >= 50
    assert GAME.replay_trace(trace) == (num_turns(trace), None)


def searched() -> dict[str, Any]:
    return next(with_values())


def with_values() -> Iterator[dict[str, Any]]:
    """All matches that hold values of searches."""
    for path in FILES:
        yield from (trace for trace in matches(path) if "double_dummy_points" in json.dumps(trace))


def test_all_values_of_searches_that_were_recorded_come_out_again() -> None:
    kinds: Counter[str] = Counter()
    for trace in with_values():
        assert GAME.replay_searched(trace) == (num_turns(trace), None), f"seed {trace['seed']}"
        for name in ("paper_belief", "exact_belief", "ims_depth3", "double_dummy_points"):
            kinds[name] += sum(name in turn for one in trace["rounds"] for turn in one["turns"])
    assert min(kinds[name] for name in ("paper_belief", "exact_belief")) > 100
    assert min(kinds[name] for name in ("ims_depth3", "double_dummy_points")) > 20


def test_values_of_searches_are_compared_where_that_is_asked_for() -> None:
    trace = searched()
    assert GAME.replay_searched(trace) == (num_turns(trace), None)
    turn = next(turn for one in trace["rounds"] for turn in one["turns"] if "ims_depth3" in turn)
    turn["ims_depth3"][0][2] += 0.001
    assert GAME.replay_trace(trace) == (num_turns(trace), None)
    assert GAME.replay_searched(trace)[1]["field"] == "ims_depth3"
    turn["ims_depth3"][0][2] -= 0.001
    turn["double_dummy_points"] += 1
    assert GAME.replay_searched(trace)[1]["field"] == "double_dummy_points"
