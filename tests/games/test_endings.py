"""What is counted at ends adds up to the points that were given, in random matches of every rule set."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
import pytest

from games import options as option_tools
from games import registry, rng, victory
from games.dominoes import house_rules
from games.endings import Ending, winners
from games.protocol import CHANCE, Game, State
from games.svg import SEAT_COLORS

_MATCHES = [
    ("carcassonne", 2, {}),
    ("carcassonne", 5, {"unplaceable": "discard", "farmers": "cities"}),
    ("kingdomino", 2, {"size": "7"}),
    ("kingdomino", 4, {"middle": "bbox"}),
    ("dominion", 2, {}),
    ("dominion", 4, {}),
]


def _walk(game: Game, options: dict[str, object], seats: int, seed: int) -> Iterator[tuple[State, State]]:
    """Every pair of states, one action or draw apart, of a match of random actions."""
    chosen = option_tools.from_json(game.options, options)
    deal = game.deal(chosen, seats, rng.new_stream(seed, rng.DEAL))
    dice, state = np.random.default_rng(seed), game.initial_state(chosen, seats)
    while not game.is_terminal(state):
        if game.current_player(state) == CHANCE:
            after = game.apply(state, deal.draw(state))
        else:
            after = game.apply(state, int(dice.choice(game.legal_actions(state))))
        yield state, after
        state = after


def _endings(game: Game, options: dict[str, object], seats: int, seed: int) -> list[tuple[Ending, State]]:
    assert game.ending is not None
    pairs = _walk(game, options, seats, seed)
    return [(found, after) for before, after in pairs if (found := game.ending(game, before, after)) is not None]


@pytest.mark.parametrize("name", house_rules.PRESETS)
def test_rounds_of_dominoes_add_up_to_the_score(name: str) -> None:
    game = registry.get("dominoes")
    free = {"enforce_pass": False, "foul": "points" if len(name) % 2 else "round", "block_points": "difference"}
    for seed, more in enumerate(({}, free)):
        options = {**house_rules.PRESETS[name].options, "target": 60, "zapato": True, **more}
        total = (0, 0, 0, 0)
        found = _endings(game, options, 4, seed)
        for ending, after in found:
            total = tuple(before + given for before, given in zip(total, ending.sums(4), strict=True))
            assert total == game.scores(after)
            assert ending.is_over == game.is_terminal(after)
        assert found
        assert found[-1][0].is_over
        _check_picture(found[-1][0], winners(game.ranks(found[-1][1])))
        assert not any(ending.picture for ending, _ in found[:-1])
        assert len(found[-1][0].rounds) == len(found)


@pytest.mark.parametrize(("game_id", "seats", "options"), _MATCHES)
def test_final_scoring_adds_up_to_what_the_metrics_say(game_id: str, seats: int, options: dict[str, object]) -> None:
    game = registry.get(game_id)
    ((ending, after),) = _endings(game, options, seats, 5)
    values = game.metrics(after)
    if game_id == "carcassonne":
        given = tuple(
            sum(row[f"points_{kind}_open"] for kind in ("city", "road", "monastery", "field")) for row in values
        )
    else:
        given = game.scores(after)
    assert ending.sums(seats) == given
    assert ending.is_over
    assert ending.rows
    _check_picture(ending, winners(game.ranks(after)))


def _check_picture(ending: Ending, best: tuple[int, ...]) -> None:
    """The picture of victory has all that it refers to, says nothing, and shows who has won."""
    picture = ending.picture
    ids = set(re.findall(r' id="([^"]+)"', picture))
    assert set(re.findall(r'(?:href="|url\()#([^")]+)', picture)) <= ids
    assert all(one.startswith("victory-") for one in ids)
    assert 'aria-hidden="true"' in picture
    assert picture.count(f'class="{victory.PIECE}') > 1
    assert victory.GLORY in picture
    assert all(SEAT_COLORS[seat] in picture for seat in best)


@pytest.mark.parametrize(("game_id", "seats", "options"), _MATCHES)
def test_who_has_won_a_match_that_was_broken_off_has_a_picture(
    game_id: str, seats: int, options: dict[str, object]
) -> None:
    game = registry.get(game_id)
    early = next(after for number, (_, after) in enumerate(_walk(game, options, seats, 5)) if number == 12)
    assert game.victory is not None
    for seat in range(seats):
        picture = game.victory(game, early, (seat,))
        assert SEAT_COLORS[seat] in picture
        assert picture.count(victory.GLORY) == 1


@pytest.mark.parametrize(("game_id", "seats", "options"), [_MATCHES[1], _MATCHES[3]])
def test_what_is_counted_can_be_lit_on_the_board(game_id: str, seats: int, options: dict[str, object]) -> None:
    game = registry.get(game_id)
    ((ending, after),) = _endings(game, options, seats, 7)
    drawing = game.play_svg(after, seat=0, prefix="b-")
    ids, features = set(re.findall(r' id="b-([^"]+)"', drawing)), set(re.findall(r' data-f="(\d+)"', drawing))
    for row in ending.rows:
        assert set(row.elements) <= ids
        assert row.elements or row.feature in features
