"""Trying a strategy out, and what is said of it before it plays."""

from __future__ import annotations

from typing import Any

import pytest

from games.dominion import cards
from games.dominion.strategies import form, trial, words
from tests.games.dominion.tables import GAME
from tests.looping import looped

BOOK = GAME.strategies
THESIS = cards.sets()["thesis"]


def strategy(*buy: Any, play: Any = ()) -> dict[str, Any]:
    rows = [{"card": row} if isinstance(row, str) else row for row in buy]
    return form.check_strategy(
        {"version": 1, "name": "of a test", "buy": rows, "play": [{"card": card} for card in play]}
    )


def tried(own: Any, other: Any, matches: int = 400, **options: Any) -> trial.Trial:
    return trial.play(GAME, GAME.options(**options), own, other, matches, 1)


def test_a_strategy_against_the_policy_that_it_repeats_comes_out_even() -> None:
    examples = BOOK.examples
    found = tried(examples["double_witch"], "single_witch")
    assert found == tried(examples["double_witch"], examples["single_witch"])
    assert found.total.matches == 400
    # 63.8 % in an independent program; four standard errors of 400 matches are 9.6 points
    assert sum(found.pairs) == 200
    assert found.pairs[1] + 2 * found.pairs[2] == found.total.wins
    assert 0.54 < found.total.wins / 400 < 0.74
    assert found.by_seat[0].wins > found.by_seat[1].wins  # who begins wins more often
    assert 15 < found.turns < 30
    assert len(found.curve) >= 15
    assert found.curve[0] == (3.0, 3.0)
    assert found.uses["buy"][1] == pytest.approx(2, abs=0.2)  # Witches, two a match
    assert found.ends == {key: n for key, n in found.ends.items() if n}


def test_ending_a_match_that_is_lost_is_counted() -> None:
    silver = {"card": "Silver", "when": [{"what": "owned", "card": "Silver", "is": "<", "number": 12}]}
    hasty = strategy(silver, "Village", "Woodcutter", "Curse")
    found = tried(hasty, strategy("nothing"), 20, curse_buys=True)
    assert found.ends == {trial.PILES: 20}
    assert found.own_defeats == found.total.losses == 20
    assert tried(BOOK.examples["big_money"], strategy("nothing"), 20).own_defeats == 0


def test_matches_without_end_are_cut() -> None:
    found = tried(strategy("nothing"), strategy("nothing"), 2)
    assert (found.turns, found.ends) == (trial.MAX_TURNS, {trial.LIMIT: 2})
    assert found.total.draws == 2


def test_too_many_matches_and_unknown_policies_are_refused() -> None:
    for matches in (0, 3, 10_000):
        with pytest.raises(ValueError, match="even number up to"):
            tried(BOOK.examples["bmfsm"], "random", matches)
    with pytest.raises(ValueError, match="chess"):
        tried(BOOK.examples["bmfsm"], "chess", 2)


def test_a_strategy_is_told_in_words() -> None:
    told = dict(words.rules(BOOK.examples["single_witch"]))
    assert told["buy"][1] == "Witch, if Witch owned < 1"
    assert told["buy"][5] == "Silver"
    assert told["play"] == ["Witch, if Action cards played this turn < 1"]
    behind = {"what": "lead", "is": ">=", "number": -3}
    assert words.rule({"card": "Province", "when": [behind]}) == "Province, if points ahead \u2265 \u22123"


@looped(
    "data, list_, rule, text",
    [
        (strategy("Province", "Silver", "Gold"), "buy", 2, "only when the pile of Silver is empty"),
        (strategy("Province", "Moat", "Silver", play=["Moat"]), "buy", 1, "Moat is not in this kingdom"),
        (strategy("Province", "Curse"), "buy", 1, "costs a point"),
        (strategy("Province", "Smithy"), "play", None, "Smithy is bought, but no rule plays it"),
        (strategy("Province", "Smithy", play=["any Action giving actions"]), "play", None, "Smithy is bought"),
        (strategy("Gold", "Silver"), "buy", None, "can hardly win"),
    ],
)
def test_what_is_hardly_meant_is_remarked(data: Any, list_: str, rule: int | None, text: str) -> None:
    found = words.remarks(data, THESIS)
    assert [(one.list, one.rule) for one in found] == [(list_, rule)]
    assert text in found[0].text


def test_examples_are_without_remarks_where_all_their_cards_are() -> None:
    everything = [card.name for card in cards.kingdom_cards()]
    assert [words.remarks(data, everything) for data in BOOK.examples.values()] == [[]] * len(BOOK.examples)
