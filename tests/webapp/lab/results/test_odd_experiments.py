"""No page lists a chart whose figure fails, however odd the experiment."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from games import registry as game_registry
from tests.webapp.lab.results import factory
from tests.webapp.lab.results.factory import FLAT, RANDOM, seat
from webapp.records.models import Experiment

pytestmark = [pytest.mark.django_db, pytest.mark.long]
GREEDY = seat("scripted", {"policy": "greedy"})
LITTLE = seat("flat_mc", budget={"playouts": 9})


def _write(made: Experiment, *ordinals: tuple[int, int], **changes: Any) -> Experiment:
    factory.write(made, [factory.record(made, arm, ordinal, **changes) for arm, ordinal in ordinals])
    return factory.over(made)


def _an_empty_arm(owner: Any, game: str) -> Experiment:
    made = factory.experiment(owner, [[FLAT, RANDOM], [GREEDY, RANDOM]], deals=2, game=game)
    return _write(made, (0, 0), (0, 1), (0, 2))


def _all_failed(owner: Any, game: str) -> Experiment:
    made = factory.experiment(owner, [[FLAT, RANDOM], [LITTLE, RANDOM]], deals=1, game=game)
    return _write(made, (0, 0), (0, 1), (1, 0), (1, 1), fail_at=3)


def _same_twice(owner: Any, game: str) -> Experiment:
    return factory.played(owner, [[GREEDY, RANDOM], [GREEDY, RANDOM]], deals=2, game=game)


def _same_budget_twice(owner: Any, game: str) -> Experiment:
    return factory.played(owner, [[FLAT, RANDOM], [FLAT, RANDOM], [LITTLE, RANDOM]], deals=2, game=game)


def _same_twice_beside_budgets(owner: Any, game: str) -> Experiment:
    lineups = [[GREEDY, RANDOM], [GREEDY, RANDOM], [FLAT, RANDOM], [LITTLE, RANDOM]]
    return factory.played(owner, lineups, deals=1, game=game)


def _one_deal(owner: Any, game: str) -> Experiment:
    return factory.played(owner, [[FLAT, RANDOM], [LITTLE, RANDOM]], deals=1, game=game)


def _one_match(owner: Any, game: str) -> Experiment:
    return factory.played(owner, deals=1, game=game, rotation="none")


def _itself(owner: Any, game: str) -> Experiment:
    return factory.played(owner, [[FLAT, FLAT], [LITTLE, FLAT]], deals=2, game=game)


def _repeats(owner: Any, game: str) -> Experiment:
    return factory.played(owner, [[FLAT, FLAT]], deals=2, game=game, rotation="turns")


def _no_plies(owner: Any, game: str) -> Experiment:
    return factory.played(owner, [[RANDOM, RANDOM]], deals=2, game=game, record="matches")


def _nothing(owner: Any, game: str) -> Experiment:
    return factory.experiment(owner, [[FLAT, RANDOM], [LITTLE, RANDOM]], deals=1, game=game)


ODD = (
    _an_empty_arm,
    _all_failed,
    _same_twice,
    _same_budget_twice,
    _same_twice_beside_budgets,
    _one_deal,
    _one_match,
    _itself,
    _repeats,
    _no_plies,
    _nothing,
)


def _strict(constant: str) -> None:
    raise AssertionError(f"{constant} is no JSON")


@pytest.mark.parametrize("make", ODD, ids=lambda make: make.__name__.strip("_"))
@pytest.mark.parametrize("game", game_registry.ids())
def test_every_chart_that_a_page_lists_opens(
    alice: Any, client: Client, game: str, make: Callable[[Any, str], Experiment]
) -> None:
    made = make(alice, game)
    client.force_login(alice)
    address = f"/experiments/{made.pk}/"
    page = client.get(address)
    assert page.status_code == 200
    listed = sorted(set(re.findall(rf"{address}charts/[a-z-]+\.json", page.content.decode())))
    assert len(listed) > 3
    for source in listed:
        answer = client.get(f"{source}?arm={len(made.spec['arms']) - 1}")
        assert answer.status_code == 200, source
        figure = json.loads(answer.content, parse_constant=_strict)
        assert bool(figure["empty"]) != bool(figure["data"]), source
