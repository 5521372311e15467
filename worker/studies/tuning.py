"""Tuning of an engine: many values of its options are tried, the better half goes on, the last one is confirmed.

Parameters: `seats`, a line-up as experiments write it, and `places`, those of it that are tuned alike; `options` of
the game; `values`, what is tuned between which bounds; `candidates`, `deals` of the search over all of them,
`confirm`, further deals for the claim, and `outcome`, what they are judged by. Instead of a line-up a form gives an
engine, its budget and its opponent.

Candidate 0 is the start: the line-up as it is. A piece is some deals of one candidate. Pieces come in stages: the
rounds of `worker.analysis.halving`, in which all candidates that are left meet the same deals, and last the
confirmation, in which the winner and the start meet deals that nobody has met.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engines import registry as engine_registry
from games.options import option
from games.protocol import Game
from worker import spec as specs
from worker.fields import Field
from worker.spec import SpecError, checks
from worker.studies import duels, tuned_values
from worker.studies.protocol import StudySpec
from worker.studies.tuning_plan import MARGIN, OUTCOMES, WIN, plan_of

START = "start"
"""The opponent that is the line-up's own engine with the options that it starts from."""
MAX_CANDIDATES, MAX_DEALS, MAX_AMOUNT = 64, 200_000, 100_000_000
KEYS = {
    "seats": True,
    "places": False,
    "options": False,
    "values": True,
    "candidates": False,
    "deals": False,
    "confirm": False,
    "outcome": False,
}
"""Parameter -> whether it must be there."""
ENGINES = tuple((engine, engine_registry.get(engine).label) for engine in engine_registry.ids())
"""All engines; which of them go with a game is for `list_choices` to say."""
FORM = ("engine", "amount", "against")
"""What a form gives in place of a line-up."""


@dataclass(frozen=True)
class Options:
    """Fields of the form."""

    engine: str = option(
        "uct", "Engine", "What is tuned; it starts from the options that it begins with.", choices=ENGINES
    )
    values: str = option(
        "c 0.1 to 100 log",
        "Values",
        "Numbers among its options, as its page names them, between two bounds: c 0.1 to 100 log, epsilon 0 to 0.5.",
    )
    amount: int = option(0, "Budget", "Of a decision, in the engine's own unit; 0: its usual one.", minimum=0)
    against: str = option(
        START,
        "Against",
        "Others begin with their own options.",
        choices=((START, "itself as it starts"), *ENGINES),
    )
    candidates: int = option(
        16, "Candidates", "Combinations that are tried, the start among them.", minimum=2, maximum=MAX_CANDIDATES
    )
    deals: int = option(800, "Deals of the search", "Over all candidates and rounds.", minimum=1, maximum=MAX_DEALS)
    confirm: int = option(
        200,
        "Deals of the confirmation",
        "Fresh ones, on which the winner meets the start's opponents, as the start does.",
        minimum=2,
        maximum=MAX_DEALS,
    )
    outcome: str = option(
        MARGIN, "Judged by", "Margins tell more a deal than wins do.", choices=((MARGIN, "margin"), (WIN, "win rate"))
    )


class Tuning:
    """Search for good values of options, with a confirmation; see `worker.studies.protocol.StagedKind`."""

    id = "tuning"
    version = "1"
    label = "Tuning"
    summary = "Tries many values of an engine's options, and confirms the best of them on fresh deals."
    row_fields: Mapping[str, Field] = {
        "stage": Field("Round of the search, from 0; the last one is the confirmation."),
        "candidate": Field("Number of the candidate; 0 is what it begins with."),
        "first": Field("First deal of the piece."),
        "deals": Field("Deals that were played.", unit="deals"),
        "margin": Field("By deal: mean margin of the candidate; null where a match failed.", "json", "points"),
        "win": Field("By deal: part of the matches that the candidate won.", "json"),
    }
    options = Options

    def list_choices(self, game: Game) -> Mapping[str, Sequence[str]]:
        """Engines with numbers to tune, UCT first, and opponents."""
        suitable = engine_registry.suitable(game)
        tunable = [engine for engine in suitable if tuned_values.numeric_options(engine)]
        return {"engine": sorted(tunable, key=lambda engine: engine != Options.engine), "against": [START, *suitable]}

    def complete_parameters(self, game: Game, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """Fill in defaults. Raises SpecError naming the place."""
        if "seats" not in parameters:
            parameters = _line_up(game, parameters)
        fields = checks.object_of(parameters, (), KEYS)
        traits, begin = game.traits, Options()
        rows = checks.list_of(fields["seats"], ("seats",), traits.min_seats, traits.max_seats)
        seats = [duels.seat(row, ("seats", i), game.id) for i, row in enumerate(rows)]
        places = [
            checks.whole_number(place, ("places", i), 0, len(seats) - 1)
            for i, place in enumerate(checks.list_of(fields.get("places", [0]), ("places",), 1, len(seats) - 1))
        ]
        if any(seats[place] != seats[places[0]] for place in places) or len(set(places)) < len(places):
            raise SpecError(("places",), "must be different places of the same configuration")
        values = tuned_values.read(fields["values"], ("values",), seats[places[0]]["engine"])
        return {
            "seats": seats,
            "places": places,
            "options": specs.rules_from_json(fields.get("options", {}), game, len(seats)),
            "values": [value.to_json() for value in values],
            "candidates": checks.whole_number(
                fields.get("candidates", begin.candidates), ("candidates",), 2, MAX_CANDIDATES
            ),
            "deals": checks.whole_number(fields.get("deals", begin.deals), ("deals",), 1, MAX_DEALS),
            "confirm": checks.whole_number(fields.get("confirm", begin.confirm), ("confirm",), 2, MAX_DEALS),
            "outcome": checks.one_of(fields.get("outcome", begin.outcome), ("outcome",), OUTCOMES),
        }

    def to_form(self, game: Game, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """What the form would say for these parameters. Raises SpecError where it cannot."""
        places, seats = parameters["places"], parameters["seats"]
        own, other = seats[places[0]], next(seat for k, seat in enumerate(seats) if k not in places)
        budget = next(iter(own["budget"].values()), 0)
        usual = next(iter(engine_registry.get(own["engine"]).default_budget.values()), 0)
        asked = {
            "engine": own["engine"],
            "values": tuned_values.spell(parameters["values"]),
            "amount": 0 if budget == usual else int(budget),
            "against": START if other == own else other["engine"],
            **{name: parameters[name] for name in ("candidates", "deals", "confirm", "outcome")},
        }
        if self.complete_parameters(game, asked) != parameters:
            raise SpecError(("seats",), "are not those that the form makes")
        return asked

    def stages(self, study: StudySpec) -> tuple[int, ...]:
        """Pieces of each round, then those of the confirmation."""
        return plan_of(study).stages()

    def num_pieces(self, study: StudySpec) -> int:
        """All pieces of all stages."""
        return len(plan_of(study).blocks)

    def seconds(self, study: StudySpec) -> float:
        """All deals, each as long as the slowest candidate takes."""
        plan = plan_of(study)
        return plan.deal_s * sum(block.deals for block in plan.blocks)

    def piece(self, study: StudySpec, index: int) -> dict[str, Any]:
        """Play a piece of the first round, which needs no other."""
        return self.staged_piece(study, index, {})

    def staged_piece(self, study: StudySpec, index: int, rows: Mapping[int, dict[str, Any]]) -> dict[str, Any]:
        """Play some deals of one candidate: which one follows from the rows of all stages before."""
        return plan_of(study).play(index, rows)

    def result(self, study: StudySpec, rows: Mapping[int, dict[str, Any]]) -> dict[str, Any]:
        """Everything that was tried, who was left after each round, and what the confirmation says once it is whole.

        tuned: number of the winner, 0 where it is the start, None while the search goes on.
        """
        plan = plan_of(study)
        reached = plan.reached(rows)
        is_found = reached >= len(plan.rounds)
        tuned = next(iter(plan.playing(rows, len(plan.rounds))), 0) if is_found else None
        return {
            "outcome": plan.outcome_name,
            "values": [{"label": value.label, **value.to_json()} for value in plan.values],
            "rounds": [
                {
                    "candidates": size,
                    "deals": deals,
                    "playing": list(plan.playing(rows, stage)) if stage <= reached else None,
                }
                for stage, (size, deals) in enumerate(plan.rounds)
            ],
            "confirm": plan.deals[-1],
            "candidates": [plan.describe(rows, number) for number in range(len(plan.candidates))],
            "tuned": tuned,
            "confirmation": plan.confirmation(rows, tuned) if tuned else None,
        }


def _line_up(game: Game, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters with the line-up that a form asks for. Raises SpecError naming the field."""
    begin, suitable = Options(), engine_registry.suitable(game)
    rest = {key: value for key, value in parameters.items() if key not in FORM}
    engine = checks.one_of(parameters.get("engine", begin.engine), ("engine",), suitable)
    against = checks.one_of(parameters.get("against", begin.against), ("against",), (START, *suitable))
    amount = checks.whole_number(parameters.get("amount", begin.amount), ("amount",), 0, MAX_AMOUNT)
    own = _begun(engine, amount, game)
    other = own if against == START else _begun(against, 0, game)
    seats = max(2, game.traits.min_seats)
    places = range(0, seats, 2) if game.traits.has_teams else range(1)
    values = parameters.get("values", begin.values)
    if isinstance(values, str):
        try:
            rest["values"] = tuned_values.parse(values)
            tuned_values.read(rest["values"], (), engine)
        except SpecError as error:
            raise SpecError(("values",), error.message) from None
    return {**rest, "seats": [own if k in places else other for k in range(seats)], "places": list(places)}


def _begun(engine: str, amount: int, game: Game) -> dict[str, Any]:
    """An engine with the options that it begins with; amount: of its usual budget, 0 for the usual amount."""
    usual = engine_registry.get(engine).default_budget
    budget = {key: amount or value for key, value in usual.items()}
    try:
        return duels.seat({"engine": engine, "budget": budget}, (), game.id)
    except SpecError as error:
        raise SpecError(("amount",) if "budget" in error.path else ("engine",), error.message) from None
