"""What chance did, in words: everything that was drawn is named, and no notation is left."""

from __future__ import annotations

import re
from itertools import groupby

import pytest

from games import draws, registry
from games.carcassonne.play import draws as tiles
from games.protocol import CHANCE
from tests.games import walks

DOMINO = r"\d+ \([a-z][a-z0-9 ]+, [a-z][a-z0-9 ]+\)"
ROW = rf"dominoes {DOMINO}(, {DOMINO}){{3}}"
CARDS = r"[A-Z][a-z]+( [A-Z][a-z]+)?( \N{MULTIPLICATION SIGN}\d)?"
DRAWS = rf"{CARDS}(, {CARDS})* for seat \d"
HAND = r"( \d\N{NON-BREAKING HYPHEN}\d){7}"
HANDS = rf"hands of round \d: blue{HAND}; orange{HAND}; green{HAND}; pink{HAND}"
TILE = r"[A-Z][a-z]+[a-z ,-]+"


def told(game_id: str) -> list[str]:
    """What chance did in a random match, time after time."""
    game = registry.get(game_id)
    steps = groupby(walks.match(game_id), lambda step: game.current_player(step[0]) == CHANCE)
    runs = [list(run) for is_chance, run in steps if is_chance]
    return [draws.describe_draws(game, run[0][0], [number or 0 for _, number in run]) for run in runs]


@pytest.mark.parametrize(
    ("game_id", "first", "later"),
    [
        ("carcassonne", TILE, rf"{TILE}(; before it [a-z ,-]+, which fits nowhere)*"),
        ("kingdomino", rf"kings of seat \d(, seat \d){{3}}; {ROW}", ROW),
        ("dominion", rf"{DRAWS}; {DRAWS}", DRAWS),
        ("dominoes", HANDS, HANDS),
    ],
)
def test_what_was_drawn_is_named(game_id: str, first: str, later: str) -> None:
    said = told(game_id)
    assert re.fullmatch(first, said[0]), said[0]
    assert [words for words in said[1:] if not re.fullmatch(later, words)] == []
    assert len(set(said)) > 2


def test_a_lot_and_a_kingdom_are_told_apart_from_what_is_drawn_by_seats() -> None:
    dominoes, dominion = registry.get("dominoes"), registry.get("dominion")
    lot = dominoes.initial_state(dominoes.options(first_opener="any"), 4)
    assert draws.describe_draws(dominoes, lot, [2]) == "by lot green opens"
    random = dominion.initial_state(dominion.options(kingdom="random"), 2)
    outcomes = [int(outcome) for outcome in dominion.chance_outcomes(random)[0][:2]]
    assert re.fullmatch(rf"kingdom of {CARDS}, {CARDS}", draws.describe_draws(dominion, random, outcomes))


def test_a_tile_that_fits_nowhere_is_said_to() -> None:
    state, drawn = walks.draws("carcassonne")[0], walks.turns("carcassonne")[0]
    unfit, fit = draws.Draw(state, 20, state), draws.Draw(state, 7, drawn)
    assert re.fullmatch(rf"{TILE}; before it [a-z ,-]+, which fits nowhere", tiles.describe_draws([unfit, fit]))
    assert re.fullmatch(rf"{TILE}, which fits nowhere", tiles.describe_draws([unfit]))


def test_where_nothing_was_drawn_nothing_is_said() -> None:
    game = registry.get("carcassonne")
    assert draws.describe_draws(game, walks.turns("carcassonne")[0], []) == ""


def test_a_game_without_words_has_its_notation() -> None:
    game = walks.game_of("toy")
    state = walks.draws("toy")[0]
    outcome = int(game.chance_outcomes(state)[0][0])
    assert draws.describe_draws(game, state, [outcome]) == game.outcome_notation(state, outcome)
