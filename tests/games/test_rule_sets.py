"""Rules by name: the rule book first, the papers' as the defaults are, each what it says."""

from __future__ import annotations

from collections.abc import Mapping

from games import options as option_tools
from games import registry, rule_sets
from games.options import OptionError, Value
from games.protocol import Game
from games.rule_sets import PAPER, RULE_BOOK
from tests.looping import looped

GAMES = registry.ids()


@looped("game_id", GAMES)
def test_people_begin_with_the_rule_book_and_the_papers_rules_are_the_defaults(game_id: str) -> None:
    game = registry.get(game_id)
    assert list(game.presets)[:2] == [RULE_BOOK, PAPER]
    assert rule_sets.opening(game) == RULE_BOOK
    assert rule_sets.complete(game, PAPER) == option_tools.to_json(game.options())
    assert not game.presets[PAPER].options


@looped("game_id", GAMES)
def test_named_rules_differ_and_are_known_again(game_id: str) -> None:
    game = registry.get(game_id)
    usual = option_tools.to_json(game.options())
    for name, rules in game.presets.items():
        complete = rule_sets.complete(game, name)
        assert rule_sets.name_of(game, complete) == rule_sets.name_of(game, rules.options) == name
        assert all(usual[option] != value for option, value in rules.options.items())
        assert rules.summary.endswith(".")
        seats = range(game.traits.min_seats, game.traits.max_seats + 1)
        fits = [n for n in seats if _is_allowed(game, rules.options, n)]
        assert fits if name == "Mighty Duel" else fits == list(seats)


def test_rules_of_ones_own_have_no_name_and_old_options_are_the_papers() -> None:
    kingdomino = registry.get("kingdomino")
    assert rule_sets.name_of(kingdomino, {"middle": "bbox"}) == ""
    before = {"size": "5", "must_place": True, "middle": "reach", "harmony": "full", "ties": "shared"}
    assert rule_sets.name_of(kingdomino, before) == PAPER


def test_a_reading_that_is_offered_no_more_is_still_read() -> None:
    options = registry.get("kingdomino").options
    assert option_tools.unlisted(options) == {"middle": ("full",)}
    assert option_tools.from_json(options, {"middle": "full"}).middle == "full"


def _is_allowed(game: Game, options: Mapping[str, Value], seats: int) -> bool:
    try:
        game.check(option_tools.from_json(game.options, options), seats)
    except OptionError:
        return False
    return True
