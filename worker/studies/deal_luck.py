"""Share of the deal in the result: the double-dummy value of every round beside what became of it.

Parameters: `one` and `other` (players of two teams: a name of `teams.PLAYERS` or a seat as experiments
write it), `rules` (a unit of `teams.UNITS` or options of the rules) and `deals`. With the seed, rules and
line-up of an experiment these are its deals and matches: those of its first arm, each deal with the teams
both ways. The worth of a deal is what perfect play of all four, who see all hands, comes to from the
opening lead, in points; it is the round's luck, and needs no player. Rounds that are too long to be solved
to their end, as there may be under house rules, are counted and left out. A piece is one deal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from games import registry as game_registry
from games.dominoes import reading
from games.dominoes import state as layout
from games.dominoes.search import compilation, double_dummy
from games.hands import TO_THE_END, Valuation
from games.options import option
from games.protocol import TERMINAL, Game, State
from worker.analysis.correlation import correlation
from worker.analysis.moments import BlockMoments, Moments
from worker.analysis.rates import Share
from worker.fields import Field
from worker.spec import MatchSpec, checks
from worker.studies import form, sums, teams
from worker.studies.protocol import StudySpec

MAX_DEALS = 100_000
SOLVE_S = 0.033
"""CPU seconds of one deal: seven opening leads, each searched to the end in some 55,000 turns."""
MOST_TURNS = 100_000_000
"""Turns that solving one deal may make, some ten seconds: hundreds of times as many as it takes on average."""
STEP = 10
"""Points of a class of deals."""
KEYS = {"one": False, "other": False, "rules": False, "deals": False}
"""Parameter -> whether it must be there."""


@dataclass(frozen=True)
class Options:
    """Fields of the form."""

    one: str = teams.choice("greedy", "First team", "Both of its seats.")
    other: str = teams.choice("greedy", "Second team", "Each deal is played with the teams both ways.")
    rules: str = option(
        "round",
        "Played are",
        "Every round of a match is a deal of its own.",
        choices=(("round", "single rounds"), ("match", "matches to 100")),
    )
    deals: int = option(500, "Deals", "About 30 of them are solved in a second.", minimum=1, maximum=MAX_DEALS)


class DealLuck:
    """Worth of deals and results; see `worker.studies.protocol.StudyKind`."""

    id = "deal_luck"
    version = "2"
    label = "Luck of the deal"
    summary = "What every deal is worth if all four play perfectly, and how much of the result that decides."
    row_fields: Mapping[str, Field] = {
        "deal": Field("Deal, counted from 0."),
        "rounds": Field("Of each round: its number, the way of the deal, worth, points, who won, who opened.", "json"),
        "unsolved": Field("Rounds that were too large to be solved.", unit="rounds"),
    }
    options = Options
    games = teams.GAMES

    def complete_parameters(self, game: Game, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """Fill in defaults. Raises SpecError naming the place."""
        form.refuse_others(game, self.games, "hands that could be solved")
        fields = {**Options().__dict__, **checks.object_of(parameters, (), KEYS)}
        return {
            **{name: teams.seat(fields[name], (name,), game) for name in ("one", "other")},
            "rules": teams.rules(fields["rules"], ("rules",), game),
            "deals": checks.whole_number(fields["deals"], ("deals",), 1, MAX_DEALS),
        }

    def to_form(self, game: Game, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """What the form would say for these parameters. Raises SpecError where it cannot."""
        return {
            **{name: teams.name_of(parameters[name], (name,)) for name in ("one", "other")},
            "rules": teams.unit_of(parameters["rules"], ("rules",)),
            "deals": parameters["deals"],
        }

    def num_pieces(self, study: StudySpec) -> int:
        """One for each deal."""
        return int(study.parameters["deals"])

    def seconds(self, study: StudySpec) -> float:
        """Its matches, and a solution for every round."""
        chosen = study.parameters
        played = teams.seconds(study.game, (chosen["one"], chosen["other"]), chosen["rules"])
        rounds = 1 if chosen["rules"].get("length") == "round" else 13
        return float(chosen["deals"] * (teams.BOTH_WAYS * played + rounds * SOLVE_S))

    def piece(self, study: StudySpec, index: int) -> dict[str, Any]:
        """Play one deal both ways and solve its rounds. Raises what an engine raises."""
        chosen, solved, rounds, unsolved = study.parameters, dict[bytes, float | None](), [], 0
        for match in teams.matches(study, chosen["one"], chosen["other"], index, chosen["rules"]):
            found, missing = play_rounds(match, solved)
            rounds += [row.to_json() for row in found]
            unsolved += missing
        return {"deal": index, "rounds": rounds, "unsolved": unsolved}

    def result(self, study: StudySpec, rows: Mapping[int, dict[str, Any]]) -> dict[str, Any]:
        """Distribution of the worth to the openers; worth to the first team beside its points; see `_together`."""
        deals = [[Round(*values) for values in rows[index]["rounds"]] for index in sorted(rows)]
        return {
            "deals": len(deals),
            "rounds": sum(len(rounds) for rounds in deals),
            "unsolved": sum(row["unsolved"] for row in rows.values()),
            "is_match": study.parameters["rules"].get("length") != "round",
            "one": teams.label_of(study.parameters["one"]),
            "other": teams.label_of(study.parameters["other"]),
            "worth": _worths(deals),
            **_together(deals),
        }


@dataclass(frozen=True)
class Round:
    """One round. number: within its match; way: of the deal, 0 or 1.

    worth: points to the first team if all play perfectly; points: what it gained more than the other;
    won: 1, 0 (nobody) or -1; opener: the seat that opened, of the table, which both ways have in common.
    """

    number: int
    way: int
    worth: float
    points: int
    won: int
    opener: int

    @property
    def to_openers(self) -> float:
        """Its worth to the team that opened."""
        return self.worth if self.opener & 1 == self.way & 1 else -self.worth

    def to_json(self) -> list[float]:
        """Write the round as rows keep it."""
        return [self.number, self.way, self.worth, self.points, self.won, self.opener]


def play_rounds(match: MatchSpec, solved: dict[bytes, float | None]) -> tuple[list[Round], int]:
    """Play a match; its rounds, and how many more could not be solved. solved: worths by hands and opener, kept."""
    game, worths = game_registry.get(match.game), dict[int, float | None]()
    for course in teams.courses(match):
        if course.player != TERMINAL and not course.state[layout.NUM_TURNS]:
            worths[int(course.state[layout.ROUND])] = _worth(game, course.state, solved)
    team, found = match.lineup.index(0) & 1, []
    for number, line in enumerate(reading.sheet(course.state), start=1):
        worth = worths.get(number)  # there is none where it ended as soon as it was dealt
        if worth is not None:
            won = 0 if line.winner is None else 1 if line.winner == team else -1
            points = line.credit(team) - line.credit(1 - team)
            found.append(Round(number, match.rotation, -worth if team else worth, points, won, line.opener))
    return found, sum(worth is None for worth in worths.values())


def _worth(game: Game, state: State, solved: dict[bytes, float | None]) -> float | None:
    """Points to the team of seats 0 and 2 of a round that begins; None where its end is too far to be seen."""
    seat = int(state[layout.PLAYER])
    key = bytes(state[layout.HAND : layout.COUNT]) + bytes([seat])
    if key not in solved:
        kernels, actions = compilation.compile_searches(game.kernels()), game.legal_actions(state)
        found = double_dummy.values(kernels, state, actions, TO_THE_END, Valuation(), MOST_TURNS)
        value = float(found.values.max())
        solved[key] = None if found.depth != TO_THE_END else -value if seat & 1 else value
    return solved[key]


def _worths(deals: Sequence[Sequence[Round]]) -> dict[str, Any]:
    """Worth of every deal to the team that opens, once however often it was played."""
    found = [list({(row.number, row.opener): row.to_openers for row in rows}.values()) for rows in deals]
    values = [worth for worths in found for worth in worths]
    moments, blocks = Moments.of(values), BlockMoments.of([Moments.of(worths) for worths in found])
    classes = [_class(value) for value in values]
    low, high = (min(classes), max(classes)) if classes else (0, -1)
    return {
        "deals": len(values),
        **sums.mean(blocks),
        "deviation": moments.deviation,
        "won": sum(value > 0 for value in values),
        "lost": sum(value < 0 for value in values),
        "classes": [{"points": STEP * k, "deals": classes.count(k)} for k in range(low, high + 1)],
    }


def _class(worth: float) -> int:
    return int(np.floor(worth / STEP + 0.5))


def _together(deals: Sequence[Sequence[Round]]) -> dict[str, Any]:
    """Dependence of the first team's points on the worth of its deals, which are the units of all intervals.

    correlation: over rounds; favoured: rounds won by the team that the deal favours, of those that are won
    and favour somebody; margin: its points a round; deviation: of a round's points, as played and from the
    fitted line; classes: points and rounds by worth.
    """
    rounds = [row for rows in deals for row in rows]
    fit = correlation([row.worth for row in rounds], [row.points for row in rounds], len(deals))
    deviation = Moments.of([row.points for row in rounds]).deviation
    return {
        "correlation": fit
        and {"r": fit.r, "interval": fit.interval and list(fit.interval), "slope": fit.slope, "share": fit.share},
        "favoured": _favoured(deals),
        "margin": _points(deals),
        "deviation": {"played": deviation, "rest": deviation and deviation * (1.0 - fit.share if fit else 1.0) ** 0.5},
        "classes": [
            {"points": STEP * k, **_of_class([[row for row in rows if _class(row.worth) == k] for rows in deals])}
            for k in sorted({_class(row.worth) for row in rounds})
        ],
    }


def _favoured(deals: Sequence[Sequence[Round]]) -> dict[str, Any]:
    decided = [[float((row.won > 0) == (row.worth > 0)) for row in rows if row.won and row.worth] for rows in deals]
    blocks = BlockMoments.of([Moments.of(won) for won in decided])
    return {"rounds": blocks.n, "won": round(blocks.total), **sums.share(Share.of_blocks(blocks))}


def _of_class(deals: Sequence[Sequence[Round]]) -> dict[str, Any]:
    rounds = [row for rows in deals for row in rows]
    return {"rounds": len(rounds), "won": sum(row.won > 0 for row in rounds), **_points(deals)}


def _points(deals: Sequence[Sequence[Round]]) -> dict[str, Any]:
    return sums.mean(BlockMoments.of([Moments.of([row.points for row in rows]) for rows in deals]))
