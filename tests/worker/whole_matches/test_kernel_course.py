"""A match whose seats are asked along a kernel leaves the record of the same match played ply by ply."""

from __future__ import annotations

import dataclasses
import math
import random
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from engines import registry
from engines.flat_mc import FlatMonteCarlo
from engines.protocol import Decision, Table
from games import loader
from games import registry as game_registry
from tests.warming import WHOLE_MATCHES
from worker import schedule
from worker import spec as specs
from worker.engine_decision import json_number
from worker.records import MatchRecord
from worker.runner import play_match
from worker.whole_matches import players
from worker.whole_matches import registry as courses
from worker.whole_matches.player import TEMPLATE

RANDOM: dict[str, Any] = {"engine": "random"}
SEARCHES: dict[str, tuple[str, dict[str, Any]]] = {
    "carcassonne": ("flat_mc", {"playouts": 30}),
    "kingdomino": ("flat_mc", {"playouts": 30}),
    "dominion": ("flat_ucb", {"simulations": 20}),
    "dominoes": ("pimc", {"simulations": 3}),
}
"""An engine with a table, and its budget: fewer tries than actions, so that some values are undefined."""


@pytest.fixture(autouse=True)
def _compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Kernels are worth compiling from the first match on."""
    monkeypatch.setattr(players, "WORTH_S", 0.0)


def match_of(game_id: str, record: str = "standard", engine: str = "") -> specs.MatchSpec:
    """A search, or another engine, against players that show no table."""
    search, budget = SEARCHES[game_id]
    seats = max(2, game_registry.get(game_id).traits.min_seats)
    arm = {"name": "a", "seats": [{"engine": engine or search, "budget": budget}, *[RANDOM] * (seats - 1)]}
    whole = {"version": 1, "game": game_id, "seats": seats, "arms": [arm], "deals": 1, "seed": 3, "record": record}
    return next(iter(schedule.expand(specs.from_json(whole))))


def both(match: specs.MatchSpec) -> tuple[MatchRecord, MatchRecord]:
    """The match along a kernel and ply by ply, without seconds."""
    assert players.player_for(game_registry.get(match.game), (None,) * len(match.seats)) is not None
    return without_seconds(play_match(match)), without_seconds(play_match(match, is_by_ply=True))


def without_seconds(record: MatchRecord) -> MatchRecord:
    plies = tuple(dataclasses.replace(ply, elapsed_s=0.0, cpu_s=0.0) for ply in record.plies)
    return dataclasses.replace(record, elapsed_s=0.0, cpu_s=0.0, plies=plies)


@pytest.mark.parametrize(
    "game_id", [pytest.param(name, marks=[] if name in WHOLE_MATCHES else pytest.mark.slow) for name in courses.COURSES]
)
@pytest.mark.parametrize("record", ["standard", "full", "matches"])
def test_a_searched_match_is_the_match_played_ply_by_ply(game_id: str, record: str) -> None:
    along, by_ply = both(match_of(game_id, record))
    assert along == by_ply
    assert along.status == "finished"
    assert any(ply.info and "best" in ply.info for ply in along.plies) == (record != "matches")


def test_seats_that_search_are_asked() -> None:
    match = match_of("dominoes")
    engines = [registry.make(seat.engine, seat.options) for seat in match.seats]
    assert players.policies_of(match, game_registry.get("dominoes"), engines) is None


class Altering(FlatMonteCarlo):
    """A search that answers otherwise from its fourth decision of a match on."""

    id = "altering"
    change: Callable[[Decision], Decision]

    def __init__(self, options: Any) -> None:
        super().__init__(options)
        self.decisions = 0

    def choose(self, *asked: Any) -> Decision:
        self.decisions += 1
        found = super().choose(*asked)
        return type(self).change(found) if self.decisions > 3 else found


def altered(monkeypatch: pytest.MonkeyPatch, change: Callable[[Decision], Decision]) -> tuple[MatchRecord, MatchRecord]:
    """A match of Carcassonne with a search whose answers are changed."""
    monkeypatch.setitem(registry.ENGINES, "altering", f"{__name__}:Altering")
    monkeypatch.setattr(Altering, "change", staticmethod(change), raising=False)
    return both(match_of("carcassonne", engine="altering"))


@pytest.mark.parametrize("action", [-1, 2**31, 2**70, 7, None, 1.0])
def test_an_illegal_action_ends_the_match_where_it_does_ply_by_ply(
    monkeypatch: pytest.MonkeyPatch, action: object
) -> None:
    along, by_ply = altered(monkeypatch, lambda decision: dataclasses.replace(decision, action=action))
    assert along == by_ply
    assert along.failure is not None
    assert along.failure.kind == "illegal_action"
    assert len(along.plies) == along.num_plies == 6


def other_types(table: Table) -> Table:
    return dataclasses.replace(table, values=table.values.astype(np.float32), visits=table.visits.astype(np.int32))


def read_only(table: Table) -> Table:
    values = table.values.copy()
    values.flags.writeable = False
    return dataclasses.replace(table, values=values)


def without_the_chosen(table: Table) -> Table:
    keep = table.values < np.nanmax(table.values)
    columns = {name: getattr(table, name)[keep] for name in ("actions", "values", "visits", "deviations")}
    return Table(**columns)


@pytest.mark.parametrize("change", [other_types, read_only, without_the_chosen])
def test_tables_of_any_kind_are_kept_as_ply_by_ply(monkeypatch: pytest.MonkeyPatch, change: Any) -> None:
    along, by_ply = altered(
        monkeypatch,
        lambda made: made if made.table is None else dataclasses.replace(made, table=change(made.table)),
    )
    assert along == by_ply
    assert along.status == "finished"


@pytest.fixture(scope="module")
def template() -> ModuleType:
    """The kernels in plain Python, over no game."""
    names = (*loader.frame("plain"), ("R", None), ("C", None))
    return loader.template(TEMPLATE, TEMPLATE.parent, "no_game_match", "plain", names)


def test_numbers_are_rounded_as_python_prints_them(template: ModuleType) -> None:
    dice = random.Random(5)
    numbers = [0.0, -0.0, 1e5, 999999.5, 0.1 + 0.2, 100000.5, 1e-5, 123456.5, -2.5, 1e11, 1000.0, 0.001]
    numbers += [dice.gauss(0, 1) * 10.0 ** dice.randint(-11, 11) for _ in range(4_000)]
    numbers += [dice.randint(-400, 400) / dice.randint(1, 200) for _ in range(4_000)]
    numbers += [round(dice.uniform(-50, 50), 6) for _ in range(2_000)]
    left = 0
    for number in numbers:
        found = float(template.rounded(np.float64(number)))
        left += found == math.inf
        assert found in (math.inf, json_number(number)), number
        assert math.copysign(1.0, found) == math.copysign(1.0, number) or found == math.inf
    assert left < len(numbers) / 100, "few are left to Python"


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_what_is_no_number_is_none(template: ModuleType, number: float) -> None:
    assert math.isnan(template.rounded(np.float64(number)))
