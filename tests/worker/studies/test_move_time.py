"""Seconds a move: which moves are timed, and what they add up to."""

from __future__ import annotations

from typing import Any

import pytest

from engines import registry as engine_registry
from engines.protocol import Budget, Decision
from engines.scripted import NoOptions
from games import registry as game_registry
from games.costs import Costs
from games.protocol import Game, Rng, State
from worker.spec import SpecError
from worker.studies import registry
from worker.studies import spec as specs
from worker.studies.move_time import PARTS, MoveTime
from worker.studies.protocol import StudySpec

KIND = MoveTime()


class Timed:
    """Takes the first action but the last; says that it thought, but not about a single action."""

    id = "timed"
    version = "1"
    label = "Timed"
    summary = "Tells a time of its own."
    options_class: type = NoOptions
    budgets = ("simulations",)
    default_budget = {"simulations": 10}
    peeks = False

    def __init__(self, options: Any) -> None:
        self.options = options

    def refuses(self, game: Game) -> str | None:
        return None

    def seconds(self, costs: Costs, budget: Budget, num_seats: int) -> float:
        return budget.seconds(costs.plies / num_seats, {"simulations": costs.played_s(0.0)})

    def prepare(self, game: Game) -> None: ...

    def choose(self, game: Game, view: State, seat: int, budget: Budget, rng: Rng) -> Decision:
        actions = game.legal_actions(view)
        simulations = budget.simulations or 0
        is_thought = len(actions) > 1
        return Decision(
            int(actions[-1] if len(actions) > 2 else actions[0]),
            playouts=simulations if is_thought else 0,
            cpu_s=simulations / 1000 if is_thought else 0.0,
            elapsed_s=0.0,
        )


@pytest.fixture(autouse=True)
def _timed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(engine_registry.ENGINES, "timed", f"{__name__}:Timed")


def seat(engine: str, budget: dict[str, int] | None = None, **options: Any) -> dict[str, Any]:
    return {"engine": engine, "options": options, "budget": budget or {}}


def study(**parameters: Any) -> StudySpec:
    runs = [{"label": f"{n}", "player": seat("timed", {"simulations": n})} for n in (10, 40)]
    chosen = {
        "runs": runs,
        "driver": seat("timed", {"simulations": 1}),
        "opponent": seat("scripted", policy="bmfsm"),
        "matches": 1,
        **parameters,
    }
    return specs.from_json({"version": 1, "study": "move_time", "game": "dominion", "parameters": chosen, "seed": 3})


def test_bad_parameters_are_told() -> None:
    assert isinstance(registry.get("move_time"), MoveTime)
    twice = [{"label": "a", "player": seat("timed", {"simulations": 1})}] * 2
    nobody = {"engine": "x"}
    for wrong, path in (({"parts": PARTS + 1}, "parts"), ({"runs": twice}, "runs"), ({"driver": nobody}, "driver")):
        with pytest.raises(SpecError) as caught:
            study(**wrong)
        assert caught.value.place.startswith(f"parameters.{path}")
    with pytest.raises(SpecError, match="choose Dominion"):
        KIND.complete_parameters(game_registry.get("kingdomino"), {})


@pytest.mark.parametrize("name", ["driver", "opponent"])
def test_who_thinks_long_takes_long_on_either_side(name: str) -> None:
    thinking = seat("flat_mc", {"seconds_per_ply": 100})
    pieces = 2 * PARTS
    assert KIND.seconds(study(**{name: thinking})) > pieces * 1000 > KIND.seconds(study())


@pytest.mark.long
def test_every_thought_move_is_timed_once_over_all_parts() -> None:
    spec = study()
    assert KIND.num_pieces(spec) == 2 * PARTS
    rows = {index: KIND.piece(spec, index) for index in range(KIND.num_pieces(spec))}
    first = [rows[part]["moves"] for part in range(PARTS)]
    sizes = [len(moves) for moves in first]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] - sizes[-1] <= 1
    turns = [turn for turn, _ in first[0]]
    assert turns == sorted(turns)
    assert {second for moves in first for _, second in moves} == {0.01}
    told = KIND.result(spec, rows)
    one, other = told["runs"]
    assert one["all"]["moves"] == sum(sizes) == one["early"]["moves"] + one["late"]["moves"]
    assert (one["all"]["mean"], other["late"]["mean"]) == (pytest.approx(0.01), pytest.approx(0.04))
    assert one["all"]["interval"] is None  # one match tells nothing about others


def test_a_small_study_times_the_first_move_of_every_part() -> None:
    spec = study(parts=1)
    assert KIND.num_pieces(spec) == 2
    rows = {index: KIND.piece(spec, index) for index in range(2)}
    assert rows[0]["moves"] == KIND.piece(study(), 0)["moves"]
    assert [row["run"] for row in rows.values()] == [0, 1]
    assert KIND.result(spec, {})["runs"][0]["all"] == {"moves": 0, "mean": None, "deviation": None, "interval": None}
