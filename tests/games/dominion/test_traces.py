"""Matches recorded by an independent implementation of the rules replay without a difference."""

from __future__ import annotations

import copy
import gzip
import json
import random
from pathlib import Path
from typing import Any

import pytest

from games import rng as streams
from games.dominion import traces
from games.protocol import CHANCE
from tests.games.dominion.sample import SAMPLE
from tests.games.dominion.tables import GAME
from tests.looping import looped

FILES = sorted((Path(__file__).parent / "traces").glob("*.jsonl.gz"))


def matches(path: Path) -> list[dict[str, Any]]:
    with gzip.open(path, "rt") as lines:
        return [json.loads(line) for line in lines]


@pytest.fixture(scope="module")
def short() -> dict[str, Any]:
    """A match of the test-bed, up to its hundredth event."""
    trace = matches(FILES[0])[0]
    return trace | {"events": trace["events"][:101]}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name.split(".")[0])
def test_game_replays_trace(path: Path) -> None:
    for trace in matches(path):
        decisions = sum(event["e"] == "choose" for event in trace["events"])
        assert GAME.replay_trace(trace) == (decisions, None), trace["agents"]


@looped(
    "kind, field, wrong, named",
    [
        ("choose", "options", ["end"], "choose.options"),
        ("choose", "kind", "wonder", "choose.kind"),
        ("draw", "cards", ["Gold"], "draw.cards"),
        ("gain", "card", "Gold", "gain.card"),
        ("gain", "how", "luck", "gain.how"),
        ("turn", "n", 99, "turn.n"),
        ("state", "s.coins", 99, "state.coins"),
        ("state", "s.supply", {}, "state.supply"),
        ("state", "s.players.1.hand", {}, "state.players.1.hand"),
        ("state", "s.players.0.vp", 83, "state.players.0.vp"),
    ],
)
def test_replay_names_the_first_field_that_differs(
    short: dict[str, Any], kind: str, field: str, wrong: Any, named: str
) -> None:
    trace = copy.deepcopy(short)
    numbers = [n for n, event in enumerate(trace["events"]) if event["e"] == kind]
    number = numbers[len(numbers) // 2]
    place: Any = trace["events"][number]
    *path, last = field.split(".")
    for step in path:
        place = place[int(step)] if step.isdigit() else place[step]
    place[last] = wrong
    _, mismatch = GAME.replay_trace(trace)
    assert mismatch is not None
    assert (mismatch["event"], mismatch["field"], mismatch["expected"]) == (number, named, wrong)


def test_replay_reports_a_choice_that_is_not_legal(short: dict[str, Any]) -> None:
    trace = copy.deepcopy(short)
    number = next(n for n, event in enumerate(trace["events"]) if event["e"] == "choose")
    trace["events"][number]["choice"] = "buy:Province"
    _, mismatch = GAME.replay_trace(trace)
    assert mismatch is not None
    assert (mismatch["field"], mismatch["got"]) == ("choice", "buy:Province is not legal")


def test_replay_misses_an_event_that_is_left_out(short: dict[str, Any]) -> None:
    trace = copy.deepcopy(short)
    number = next(n for n, event in enumerate(trace["events"]) if event["e"] == "gain")
    del trace["events"][number]
    assert (GAME.replay_trace(trace)[1] or {})["field"] == "events"


def test_a_written_trace_is_the_one_that_was_read() -> None:
    trace = matches(FILES[0])[0]
    written = GAME.trace(history_of(trace))
    assert [event for event in written["events"] if event["e"] != "shuffle"] == [
        {key: value for key, value in event.items() if key != "index"}
        for event in trace["events"]
        if event["e"] != "shuffle"
    ]
    assert written["supply"] == trace["supply"]
    assert written["result"] == {key: trace["result"][key] for key in written["result"]}


def history_of(trace: dict[str, Any]) -> dict[str, Any]:
    """What `Game.trace` takes, from a trace whose first seat begins."""
    script = traces._Script(GAME, trace, 0)
    options = traces.options_of(trace["config"])
    state = GAME.initial_state(traces.option_tools.from_json(GAME.options, options), trace["config"]["players"])
    history = []
    while not GAME.is_terminal(state):
        is_chance = GAME.current_player(state) == CHANCE
        history.append(script.draw(state) if is_chance else script.choose(state))
        state = GAME.apply(state, history[-1])
    return {"options": options, "seats": trace["config"]["players"], "history": history}


@pytest.mark.parametrize("rules", [{}, {"treasures": "manual", "edition": "2"}, {"kingdom": "random", "cards": ""}])
def test_matches_with_all_cards_replay_their_own_trace(rules: dict[str, Any]) -> None:
    options = traces.option_tools.from_json(GAME.options, {**SAMPLE.rich_options, "turn_limit": 25, **rules})
    deal = GAME.deal(options, 3, streams.new_stream(4, streams.DEAL))
    state, history, rng = GAME.initial_state(options, 3), [], random.Random(4)
    while not GAME.is_terminal(state):
        is_chance = GAME.current_player(state) == CHANCE
        history.append(deal.draw(state) if is_chance else rng.choice(GAME.legal_actions(state).tolist()))
        state = GAME.apply(state, history[-1])
    match = {"options": traces.option_tools.to_json(options), "seats": 3, "history": history}
    trace = json.loads(json.dumps(GAME.trace(match)))
    assert GAME.replay_trace(trace) == (sum(event["e"] == "choose" for event in trace["events"]), None)
    assert trace["events"][-1]["s"]["players"][2]["vp"] == GAME.scores(state)[2]
