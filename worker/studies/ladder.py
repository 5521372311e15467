"""Pairs of teams by rounds and by matches side by side: a small edge in rounds is a large one in matches.

Parameters: `pairs` (a label and the players `one` and `other`: a name of `teams.PLAYERS`, or a seat), or
`players`, each of them against `against`; `rounds` and `matches`: deals of each unit, every one played with
the teams both ways. All pairs meet the same deals. A piece is one pair and one deal of one unit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from games.json_paths import Path
from games.options import option
from games.protocol import Game
from worker import runner
from worker.analysis.moments import BlockMoments, Moments
from worker.analysis.rates import Share
from worker.fields import Field
from worker.spec import SpecError, checks
from worker.studies import form, sums, teams
from worker.studies.protocol import StudySpec

MAX_PAIRS, MAX_DEALS = 20, 20_000
KEYS = {"pairs": False, "one": False, "other": False, "rounds": False, "matches": False}
"""Parameter -> whether it must be there."""
LEADER, RIVAL = "ismcts_weighed", "pimc"
"""Our best honest player beside the published one."""


@dataclass(frozen=True)
class Options:
    """Fields of the form."""

    one: str = teams.choice("pimc", "First team", "Both of its seats.")
    other: str = teams.choice("greedy", "Second team", "Each deal is played with the teams both ways.")
    rounds: int = option(200, "Deals of rounds", "Two rounds each.", minimum=1, maximum=MAX_DEALS)
    matches: int = option(20, "Deals of matches", "Two matches to 100 each.", minimum=1, maximum=MAX_DEALS)


class Ladder:
    """Teams by rounds and by matches; see `worker.studies.protocol.StudyKind`."""

    id = "ladder"
    version = "1"
    label = "Rounds and matches"
    summary = "How often a team wins single rounds, and how often matches to 100, on the same deals."
    row_fields: Mapping[str, Field] = {
        "pair": Field("Number of the pair in the spec, from 0."),
        "unit": Field("“round” or “match”: what was played.", "string"),
        "deal": Field("Deal, counted from 0."),
        "played": Field("Of both ways of the deal: result and margin of the first team.", "json"),
        "thought": Field("Of both teams: CPU time of all decisions in seconds, and how many there were.", "json"),
    }
    timed_fields = ("thought",)
    options = Options
    games = teams.GAMES

    def complete_parameters(self, game: Game, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """Fill in defaults. Raises SpecError naming the place."""
        form.refuse_others(game, self.games, "rounds and matches")
        fields = dict(checks.object_of(parameters, (), KEYS))
        listed = fields.pop("pairs", None)
        if listed is None:
            one, other = (
                teams.seat(fields.get(name, getattr(Options(), name)), (name,), game) for name in ("one", "other")
            )
            label = f"{teams.label_of(one)} v {teams.label_of(other)}"
            listed = [{"label": label, "one": one, "other": other}]
        elif {"one", "other"} & set(fields):
            raise SpecError(("pairs",), "stand in place of one and other")
        pairs = [
            _pair(row, ("pairs", i), game) for i, row in enumerate(checks.list_of(listed, ("pairs",), 1, MAX_PAIRS))
        ]
        if len({pair["label"] for pair in pairs}) < len(pairs):
            raise SpecError(("pairs",), "must have different labels")
        numbers = {
            name: checks.whole_number(fields.get(name, getattr(Options(), name)), (name,), 1, MAX_DEALS)
            for name in ("rounds", "matches")
        }
        return {"pairs": pairs, **numbers}

    def to_form(self, game: Game, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """What the form would say for these parameters. Raises SpecError where it cannot."""
        if len(parameters["pairs"]) > 1:
            raise SpecError(("pairs",), "are more than the form offers")
        names = {name: teams.name_of(parameters["pairs"][0][name], (name,)) for name in ("one", "other")}
        asked = {**names, "rounds": parameters["rounds"], "matches": parameters["matches"]}
        if self.complete_parameters(game, asked) != parameters:
            raise SpecError(("pairs",), "have a label that the form does not give")
        return asked

    def num_pieces(self, study: StudySpec) -> int:
        """One for each pair and deal of both units."""
        chosen = study.parameters
        return int(len(chosen["pairs"]) * (chosen["rounds"] + chosen["matches"]))

    def seconds(self, study: StudySpec) -> float:
        """Seconds as experiments of the same rounds and matches would take."""
        chosen = study.parameters
        total = 0.0
        for pair in chosen["pairs"]:
            for unit, deals in (("round", chosen["rounds"]), ("match", chosen["matches"])):
                total += deals * teams.seconds(study.game, (pair["one"], pair["other"]), teams.UNITS[unit])
        return teams.BOTH_WAYS * total

    def piece(self, study: StudySpec, index: int) -> dict[str, Any]:
        """Play one deal both ways. Raises RuntimeError where an engine fails."""
        chosen = study.parameters
        deal, place = divmod(index, len(chosen["pairs"]))
        unit = "round" if deal < chosen["rounds"] else "match"
        number = deal if unit == "round" else deal - chosen["rounds"]
        pair, played, thought = chosen["pairs"][place], [], [[0.0, 0], [0.0, 0]]
        for match in teams.matches(study, pair["one"], pair["other"], number, teams.UNITS[unit]):
            record = runner.play_match(match)
            if record.failure is not None:
                raise RuntimeError(record.failure.message)
            seat = record.lineup.index(0)
            played.append([record.results[seat], record.margin(seat)])
            for ply in record.plies:
                team = record.lineup[ply.seat] & 1
                thought[team][0] += ply.cpu_s
                thought[team][1] += 1
        return {"pair": place, "unit": unit, "deal": number, "played": played, "thought": thought}

    def result(self, study: StudySpec, rows: Mapping[int, dict[str, Any]]) -> dict[str, Any]:
        """Result by pair: rounds and matches that its first team won, points, and CPU time of a decision of both."""
        return {
            "pairs": [
                {
                    "label": pair["label"],
                    **{unit: _told([row for row in found if row["unit"] == unit]) for unit in teams.UNITS},
                    "decision_s": _decisions(found),
                }
                for place, pair in enumerate(study.parameters["pairs"])
                for found in [[row for row in rows.values() if row["pair"] == place]]
            ]
        }


def every_pair() -> list[dict[str, Any]]:
    """Every player against a greedy team, and our best ones against the published one."""
    found = [_row(name, "greedy") for name in teams.PLAYERS if name != "greedy"]
    return found + [_row(name, RIVAL) for name in ("playouts", LEADER)]


def _row(one: str, other: str) -> dict[str, Any]:
    return {"label": f"{teams.PLAYERS[one][0]} v {teams.PLAYERS[other][0]}", "one": one, "other": other}


def _pair(data: Any, path: Path, game: Game) -> dict[str, Any]:
    fields = checks.object_of(data, path, {"label": True, "one": True, "other": True})
    seats = {name: teams.seat(fields[name], (*path, name), game) for name in ("one", "other")}
    return {"label": checks.name_of(fields["label"], (*path, "label")), **seats}


def _told(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Results of some deals of one unit; deals are the units of intervals."""
    played = [row["played"] for row in rows]
    counts = {name: sum(result == name for deal in played for result, _ in deal) for name in ("win", "draw", "loss")}
    wins = BlockMoments.of([Moments.of([float(result == "win") for result, _ in deal]) for deal in played])
    points = BlockMoments.of([Moments.of([margin for _, margin in deal]) for deal in played])
    return {
        "deals": len(rows),
        "wins": counts["win"],
        "draws": counts["draw"],
        "losses": counts["loss"],
        "won": sums.share(Share.of_blocks(wins)),
        "points": sums.mean(points),
    }


def _decisions(rows: Sequence[Mapping[str, Any]]) -> list[float | None]:
    """Mean CPU seconds of a decision, forced ones included, of either team."""
    sums = [[sum(row["thought"][team][k] for row in rows) for k in range(2)] for team in range(2)]
    return [seconds / plies if plies else None for seconds, plies in sums]
