"""What every game promises to pages and files: words, clicks, observations, pictures, traces."""

from __future__ import annotations

import json
import re
from typing import Any
from xml.etree import ElementTree

import pytest

from games.protocol import CHANCE
from games.toy import state as layout
from tests.games import walks

SVG = "{http://www.w3.org/2000/svg}"


def test_observations_are_json_for_every_seat_and_for_spectators(game: Any) -> None:
    for state in walks.some([state for state, _ in walks.match(game.id, game.traits.max_seats)], 10):
        for seat in (None, *range(game.num_seats(state))):
            observation = game.observation(state, seat)
            assert json.loads(json.dumps(observation, allow_nan=False)) == observation
            assert observation["scores"] == list(game.scores(state))
            assert observation["player"] == game.current_player(state)


def test_notation_tells_legal_actions_apart(game: Any) -> None:
    for state in walks.some(walks.turns(game.id, game.traits.max_seats), 6):
        actions = [int(action) for action in game.legal_actions(state)]
        words = {game.notation(state, action) for action in actions}
        assert len(words) == len(actions)
        assert all(word == word.strip() and "\n" not in word for word in words)


def test_outcomes_have_distinct_words(game: Any) -> None:
    if not game.traits.chance_is_listable:
        pytest.skip(f"chance outcomes of {game.label} are too many to list")
    state = walks.draws(game.id)[0]
    outcomes = [int(outcome) for outcome in game.chance_outcomes(state)[0]]
    assert len({game.outcome_notation(state, outcome) for outcome in outcomes}) == len(outcomes)


def test_events_name_seats_at_the_table(game: Any) -> None:
    scored = 0
    for seats in walks.seat_counts(game):
        for state, _ in walks.match(game.id, seats):
            for event in game.events(state):
                scored += abs(event.points)
                assert event.seats
                assert all(0 <= seat < seats for seat in (*event.seats, *event.returned))
    assert (scored > 0) == walks.has_events(game)


def test_open_features_make_up_what_is_projected_beyond_the_scores(game: Any) -> None:
    waiting = 0
    for seats in walks.seat_counts(game):
        for state, number in walks.match(game.id, seats):
            if number is not None:
                points = list(game.scores(state))
                for event in game.open_features(state):
                    waiting += event.points
                    for seat in event.seats:
                        points[seat] += event.points
                assert tuple(points) == game.projected_scores(state)
    assert (waiting > 0) == walks.has_open_features(game)


@pytest.mark.long
def test_boards_are_well_formed_pictures(game: Any) -> None:
    for state in walks.some([state for state, _ in walks.match(game.id, game.traits.max_seats)], 5):
        for theme in ("auto", "page", "light", "dark"):
            for seat in (None, 0):
                picture = ElementTree.fromstring(game.svg(state, seat=seat, theme=theme, width=640))
                assert picture.tag == f"{SVG}svg"
                assert "viewBox" in picture.attrib
                assert picture.get("role") in ("img", "group")
                assert picture.find(f"{SVG}title") is not None


def test_ids_of_a_board_are_unique(game: Any) -> None:
    picture = game.svg(walks.end(game.id, game.traits.max_seats))
    ids = re.findall(r'\bid="([^"]+)"', picture)
    assert len(set(ids)) == len(ids)


def test_replays_step_through_all_plies(game: Any) -> None:
    states = walks.settled(game.id)
    text = game.replay_svg(states, prefix="a-")
    picture = ElementTree.fromstring(text)
    assert picture.tag == f"{SVG}svg"
    shown = [int(n) for name in ("data-ply", "data-from") for n in re.findall(rf'{name}="(\d+)"', text)]
    assert max(shown) == len(states) - 1
    assert all(name.startswith("a-") for name in re.findall(r'\bid="([^"]+)"', text))


def test_a_trace_of_a_match_replays_without_a_mismatch(game: Any) -> None:
    for seats in walks.seat_counts(game):
        match = {"options": {}, "seats": seats, "history": walks.history(game.id, seats), "seed": 1}
        trace = json.loads(json.dumps(game.trace(match)))
        plies, mismatch = game.replay_trace(trace)
        assert mismatch is None
        assert plies >= len(walks.turns(game.id, seats))
        assert trace["seed"] == 1


def test_secrets_stay_out_of_other_seats_observations_and_pictures() -> None:
    game = walks.game_of("toy_secret")
    state = walks.turns("toy_secret", 3)[0]
    secrets = state[layout.SECRET : layout.SECRET + 3].tolist()
    assert all(secrets)
    for seat in (None, 0, 1, 2):
        shown = game.observation(state, seat)["secret"]
        assert shown == [card if other == seat else None for other, card in enumerate(secrets)]


def test_a_half_played_match_can_be_saved(game: Any) -> None:
    numbers = walks.history(game.id)
    trace = game.trace({"options": {}, "seats": walks.usual_seats(game), "history": numbers[: len(numbers) // 2]})
    assert json.loads(json.dumps(trace))["format"].endswith("-trace-1")


def test_chance_has_its_turn_before_every_ply_of_a_game_of_chance(game: Any) -> None:
    players = {game.current_player(state) for state, _ in walks.match(game.id)}
    assert (CHANCE in players) == game.traits.has_chance
