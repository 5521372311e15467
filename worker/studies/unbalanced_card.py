"""Purchases of a player as one card gets better: Jansen and Tollisen 2014, section 4.1 (figures 25 and 26).

Parameters: `player` and `opponent` (seats as experiments write them), `matches` of each value in
`coins`, which is what a Woodcutter brings; seats change from match to match. Piles have the thesis'
sizes. A piece is one match; its row has the cards that the player bought.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from games.dominion import cards
from games.protocol import Game
from worker import estimate, runner
from worker import spec as specs
from worker.analysis.moments import Moments
from worker.fields import Field
from worker.spec import SpecError, checks
from worker.studies import duels, form
from worker.studies.protocol import StudySpec

MAX_MATCHES, MAX_COINS, MAX_VALUES = 1_000, 20, 12
CARD = "Woodcutter"
BUY = "buy "
"""Beginning of a ply that buys."""
KEYS = {"player": True, "opponent": True, "coins": False, "matches": False}
"""Parameter -> whether it must be there."""
TREASURES, ACTIONS = "Treasures", "Other Actions"
"""Sums of cards that results tell, too: all Treasures; all Actions but the card and the Witch."""


class UnbalancedCard:
    """Cards bought by the coins of a Woodcutter; see `worker.studies.protocol.StudyKind`."""

    id = "unbalanced_card"
    version = "1"
    label = "Unbalanced card"
    summary = "What a player buys as the coins of a Woodcutter grow."
    row_fields: Mapping[str, Field] = {
        "coins": Field("Coins that a Woodcutter gave.", unit="coins"),
        "match": Field("Number of the match, from 0: equal numbers, equal luck."),
        "result": Field("“win”, “draw” or “loss” of the player.", "string"),
        "bought": Field("How often the player bought each card, by name.", "json", "cards"),
    }
    games = ("dominion",)

    def complete_parameters(self, game: Game, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """Fill in defaults. Raises SpecError naming the place."""
        form.refuse_others(game, self.games, "Woodcutter")
        fields = checks.object_of(parameters, (), KEYS)
        coins = checks.list_of(fields.get("coins", [2, 4, 10, 20]), ("coins",), 1, MAX_VALUES)
        for i, value in enumerate(coins):
            checks.whole_number(value, ("coins", i), 0, MAX_COINS)
        if len(set(coins)) < len(coins):
            raise SpecError(("coins",), "must be different")
        return {
            **{name: duels.seat(fields[name], (name,), game.id) for name in ("player", "opponent")},
            "coins": list(coins),
            "matches": checks.whole_number(fields.get("matches", 10), ("matches",), 1, MAX_MATCHES),
        }

    def num_pieces(self, study: StudySpec) -> int:
        """One for each match of each value."""
        return int(study.parameters["matches"] * len(study.parameters["coins"]))

    def seconds(self, study: StudySpec) -> float:
        """Seconds as an experiment of the same matches would take."""
        cost = estimate.match_costs(study.game, {}, duels.SEATS)
        seats = [specs.seat_from_json(study.parameters[name], (name,), study.game) for name in ("player", "opponent")]
        return self.num_pieces(study) * estimate.match_s(cost, study.game, seats)

    def piece(self, study: StudySpec, index: int) -> dict[str, Any]:
        """Play one match. Raises RuntimeError where an engine fails."""
        match, place = divmod(index, len(study.parameters["coins"]))
        chosen, coins = study.parameters, study.parameters["coins"][place]
        line_up = (chosen["player"], chosen["opponent"])
        played = duels.match(study, line_up, match, sizes="thesis", woodcutter_coins=coins)
        record = runner.play_match(played)
        if record.failure is not None:
            raise RuntimeError(record.failure.message)
        seat = record.lineup.index(0)
        bought = Counter(
            ply.notation.removeprefix(BUY) for ply in record.plies if ply.seat == seat and ply.notation.startswith(BUY)
        )
        return {"coins": coins, "match": match, "result": record.results[seat], "bought": dict(bought)}

    def result(self, study: StudySpec, rows: Mapping[int, dict[str, Any]]) -> dict[str, Any]:
        """Result by value: matches, those won, and the mean of each card bought with its deviation.

        sums: the same of `sums`, match by match. less: by two values what was bought at the greater less
        what was at the other, over the matches of equal luck that both have.
        """
        values = study.parameters["coins"]
        found = {coins: [row for row in rows.values() if row["coins"] == coins] for coins in values}
        return {
            "card": CARD,
            "cards": list(buyable()),
            "values": [_of_value(coins, found[coins]) for coins in values],
            "less": [
                {"coins": [one, other], **_less(found[one], found[other])}
                for one in values
                for other in values
                if one > other
            ],
        }


@cache
def buyable() -> tuple[str, ...]:
    """The cards of the test-bed that searches may buy, in the order of the table of cards."""
    kingdom = cards.sets()["thesis"]
    return tuple(
        card.name
        for card in cards.table()
        if "Curse" not in card.types and (not card.is_kingdom or card.name in kingdom)
    )


@cache
def sums() -> dict[str, tuple[str, ...]]:
    """Cards of each sum."""
    types = {card.name: card.types for card in cards.table()}
    return {
        TREASURES: tuple(name for name in buyable() if "Treasure" in types[name]),
        ACTIONS: tuple(name for name in buyable() if "Action" in types[name] and name not in (CARD, "Witch")),
    }


def _of_value(coins: int, rows: list[dict[str, Any]]) -> dict[str, Any]:
    found = [_counted(row["bought"]) for row in rows]
    return {
        "coins": coins,
        "matches": len(rows),
        "wins": sum(row["result"] == "win" for row in rows),
        "bought": _told(found, buyable()),
        "sums": _told(found, sums()),
    }


def _less(rows: list[dict[str, Any]], others: list[dict[str, Any]]) -> dict[str, Any]:
    theirs = {row["match"]: _counted(row["bought"]) for row in others}
    pairs = [(_counted(row["bought"]), theirs[row["match"]]) for row in rows if row["match"] in theirs]
    found = [{name: mine[name] - other[name] for name in mine} for mine, other in pairs]
    return {"matches": len(pairs), "bought": _told(found, [*buyable(), *sums()])}


def _counted(bought: Mapping[str, int]) -> dict[str, int]:
    """Counts of one match: every card, and every sum."""
    of_cards = {name: bought.get(name, 0) for name in buyable()}
    return of_cards | {label: sum(of_cards[name] for name in names) for label, names in sums().items()}


def _told(found: Sequence[Mapping[str, int]], names: Iterable[str]) -> dict[str, Any]:
    """Mean and deviation by name; nothing without matches."""
    if not found:
        return {}
    moments = {name: Moments.of([row[name] for row in found]) for name in names}
    return {name: {"mean": of_one.mean, "deviation": of_one.deviation} for name, of_one in moments.items()}
