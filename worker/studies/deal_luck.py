"""How much of the result the deal decides: the double-dummy value of every round beside what became of it.

Parameters: `one` and `other` (players of two teams: a name of `teams.PLAYERS` or a seat as experiments
write it), `rules` (a unit of `teams.UNITS` or options of the rules) and `deals`. With the seed, rules and
line-up of an experiment these are its deals and matches: those of its first arm, each deal with the teams
both ways. The worth of a deal is what perfect play of all four, who see all hands, comes to from the
opening lead, in points; it is the round's luck, and needs no player. A piece is one deal.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engines import registry as engine_registry
from games import registry as game_registry
from games.dominoes import reading, searching
from games.dominoes import state as layout
from games.dominoes.valuing import How
from games.options import option
from games.protocol import TERMINAL, Game, State
from worker import checks, deciding
from worker.analysis.correlation import correlation
from worker.analysis.moments import BlockMoments, Moments
from worker.course import Course
from worker.deciding import Question
from worker.spec import MatchSpec
from worker.studies import form, teams
from worker.studies.protocol import StudySpec

MAX_DEALS = 100_000
SOLVE_S = 0.013
"""CPU seconds of one deal, from the opening lead."""
STEP = 10
"""Points of a class of deals."""
KEYS = {"one": False, "other": False, "rules": False, "deals": False}
"""Parameter -> whether it must be there."""


@dataclass(frozen=True)
class Options:
    """What the form asks."""

    one: str = teams.choice("greedy", "First team", "Both of its seats.")
    other: str = teams.choice("greedy", "Second team", "Each deal is played with the teams both ways.")
    rules: str = option(
        "round",
        "Played are",
        "Every round of a match is a deal of its own.",
        choices=(("round", "single rounds"), ("match", "matches to 100")),
    )
    deals: int = option(500, "Deals", "About 80 of them are solved in a second.", minimum=1, maximum=MAX_DEALS)


class DealLuck:
    """Worth of deals and results; see `worker.studies.protocol.StudyKind`."""

    id = "deal_luck"
    version = "1"
    label = "Luck of the deal"
    summary = "What every deal is worth if all four play perfectly, and how much of the result that decides."
    options = Options
    games = teams.GAMES

    def checked(self, game: Game, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """Fill in defaults. Raises SpecError naming the place."""
        form.refuse_others(game, self.games, "hands that could be solved")
        fields = {**Options().__dict__, **checks.object_of(parameters, "", KEYS)}
        return {
            **{name: teams.seat(fields[name], name, game) for name in ("one", "other")},
            "rules": teams.rules(fields["rules"], "rules", game),
            "deals": checks.whole(fields["deals"], "deals", 1, MAX_DEALS),
        }

    def asked(self, game: Game, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """What the form would say for these parameters. Raises SpecError where it cannot."""
        return {
            **{name: teams.name_of(parameters[name], name) for name in ("one", "other")},
            "rules": teams.unit_of(parameters["rules"], "rules"),
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
        chosen, solved, rounds = study.parameters, dict[bytes, float](), []
        for match in teams.matches(study, chosen["one"], chosen["other"], index, chosen["rules"]):
            rounds += [row.to_json() for row in played(match, solved)]
        return {"deal": index, "rounds": rounds}

    def result(self, study: StudySpec, rows: Mapping[int, dict[str, Any]]) -> dict[str, Any]:
        """Distribution of the worth to the openers; worth to the first team beside its points; see `_together`."""
        deals = [[Round(*values) for values in rows[index]["rounds"]] for index in sorted(rows)]
        return {
            "deals": len(deals),
            "rounds": sum(len(rounds) for rounds in deals),
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
    won: 1, 0 (nobody) or -1; opened: 1 where the first team opened, else -1.
    """

    number: int
    way: int
    worth: float
    points: int
    won: int
    opened: int

    def to_json(self) -> list[float]:
        """As rows keep it."""
        return [self.number, self.way, self.worth, self.points, self.won, self.opened]


def played(match: MatchSpec, solved: dict[bytes, float]) -> Iterator[Round]:
    """Play a match; its rounds with what they were worth. solved: worths of deals by hands and opener, kept."""
    game, luck = game_registry.get(match.game), np.zeros(4, np.uint64)
    engines = [engine_registry.make(seat.engine, seat.options) for seat in match.seats]
    course = Course(game, match.options, len(match.seats), match.deal_seed)
    used, worths = [0.0] * len(match.seats), dict[int, float]()
    while (seat := course.player) != TERMINAL:
        if not course.state[layout.NUM_TURNS]:
            worths[int(course.state[layout.ROUND])] = _worth(game, course.state, solved)
        budget = match.seats[seat].budget
        question = Question(game, course.state, seat, course.ply, match.seed, budget, used[seat])
        answer = deciding.decide(engines[seat], question, luck)
        used[seat] += answer.spent_s
        course.advance(answer.action)
    team = match.lineup.index(0) & 1
    for number, line in enumerate(reading.sheet(course.state), start=1):
        if number in worths:  # else it ended as soon as it was dealt
            won = 0 if line.winner is None else 1 if line.winner == team else -1
            points = line.credit(team) - line.credit(1 - team)
            worth = -worths[number] if team else worths[number]
            yield Round(number, match.rotation, worth, points, won, 1 if line.opener & 1 == team else -1)


def _worth(game: Game, state: State, solved: dict[bytes, float]) -> float:
    """Points to the team of seats 0 and 2 of a round that begins."""
    seat = int(state[layout.PLAYER])
    key = bytes(state[layout.HAND : layout.COUNT]) + bytes([seat])
    if key not in solved:
        kernels, actions = searching.compiled(game.kernels()), game.legal_actions(state)
        found = searching.values(kernels, state, actions, searching.TO_THE_END, How("pips", "points"))
        value = float(found.values.max())
        solved[key] = -value if seat & 1 else value
    return solved[key]


def _worths(deals: Sequence[Sequence[Round]]) -> dict[str, Any]:
    """Worth of every deal to the team that opens, once however often it was played."""
    found = [
        list({(row.number, row.opened * (1 - 2 * row.way)): row.worth * row.opened for row in rows}.values())
        for rows in deals
    ]
    values = [worth for worths in found for worth in worths]
    moments, interval = Moments.of(values), BlockMoments.of([Moments.of(worths) for worths in found]).interval()
    classes = [int(np.floor(value / STEP + 0.5)) for value in values]
    low, high = (min(classes), max(classes)) if classes else (0, -1)
    return {
        "deals": len(values),
        "mean": moments.mean,
        "deviation": moments.deviation,
        "interval": None if interval is None else list(interval),
        "won": sum(value > 0 for value in values),
        "lost": sum(value < 0 for value in values),
        "classes": [{"points": STEP * k, "deals": classes.count(k)} for k in range(low, high + 1)],
    }


def _together(deals: Sequence[Sequence[Round]]) -> dict[str, Any]:
    """How points of the first team go with the worth of its deals.

    correlation: over rounds, deals being the independent pairs; favoured: rounds won by the team that
    the deal favours, of those that are won and favour somebody; margin: its points a round; deviation: of
    a round's points, as played and from the fitted line; classes: points and rounds by worth.
    """
    rounds = [row for rows in deals for row in rows]
    fit = correlation([row.worth for row in rounds], [row.points for row in rounds], len(deals))
    margin = BlockMoments.of([Moments.of([row.points for row in rows]) for rows in deals])
    deviation = Moments.of([row.points for row in rounds]).deviation
    decided = [row for row in rounds if row.won and row.worth]
    by_class: dict[int, list[Round]] = {}
    for row in rounds:
        by_class.setdefault(int(np.floor(row.worth / STEP + 0.5)), []).append(row)
    return {
        "correlation": fit
        and {"r": fit.r, "interval": fit.interval and list(fit.interval), "slope": fit.slope, "share": fit.share},
        "favoured": {"rounds": len(decided), "won": sum((row.won > 0) == (row.worth > 0) for row in decided)},
        "margin": _mean(margin),
        "deviation": {"played": deviation, "rest": deviation and deviation * (1.0 - fit.share if fit else 1.0) ** 0.5},
        "classes": [
            {
                "points": STEP * k,
                "rounds": len(rows),
                "won": sum(row.won > 0 for row in rows),
                **_mean(BlockMoments.of([Moments.of([row.points]) for row in rows])),
            }
            for k, rows in sorted(by_class.items())
        ],
    }


def _mean(blocks: BlockMoments) -> dict[str, Any]:
    interval = blocks.interval()
    return {"mean": blocks.mean, "interval": None if interval is None else list(interval)}
