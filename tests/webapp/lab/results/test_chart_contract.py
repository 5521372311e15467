"""Every chart that any page lists opens: on its page, and as strict JSON, however odd the experiment is."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games import registry as game_registry
from tests.webapp.lab.results import factory
from tests.webapp.lab.results.factory import FLAT, RANDOM, seat
from webapp.lab.results import dashboard
from webapp.lab.results.charts import registry
from webapp.records.models import Experiment

pytestmark = pytest.mark.django_db
GREEDY = seat("scripted", {"policy": "greedy"})
LARGER = seat("flat_mc", budget={"playouts": 80})


def same_line_up_twice(owner: Any, game: str) -> Experiment:
    """Arms that differ in nothing; engines without a budget."""
    return factory.played(owner, [[GREEDY, RANDOM]] * 2, deals=2, game=game)


def same_budget_twice(owner: Any, game: str) -> Experiment:
    return factory.played(owner, [[FLAT, RANDOM], [LARGER, RANDOM], [FLAT, RANDOM]], deals=1, game=game)


def same_line_up_beside_budgets(owner: Any, game: str) -> Experiment:
    return factory.played(owner, [[GREEDY, RANDOM]] * 2 + [[FLAT, RANDOM], [LARGER, RANDOM]], deals=1, game=game)


def one_deal(owner: Any, game: str) -> Experiment:
    return factory.played(owner, deals=1, game=game)


def against_itself(owner: Any, game: str) -> Experiment:
    return factory.played(owner, [[FLAT, FLAT], [FLAT, RANDOM]], deals=2, game=game)


def equal_seatings_again(owner: Any, game: str) -> Experiment:
    """As experiments of before were played."""
    return factory.played(owner, [[FLAT, FLAT]], deals=2, game=game, rotation="turns")


def without_plies(owner: Any, game: str) -> Experiment:
    return factory.played(owner, deals=2, game=game, record="matches")


def nothing_played(owner: Any, game: str) -> Experiment:
    return factory.experiment(owner, [[FLAT, RANDOM], [LARGER, RANDOM]], game=game)


def all_failed(owner: Any, game: str) -> Experiment:
    made = factory.experiment(owner, deals=2, game=game)
    factory.write(made, [factory.record(made, 0, i, fail_at=1) for i in range(4)])
    return made


def an_empty_arm(owner: Any, game: str) -> Experiment:
    made = factory.experiment(owner, [[FLAT, RANDOM], [LARGER, RANDOM]], game=game)
    factory.write(made, [factory.record(made, 0, i) for i in range(4)])
    return made


def half_a_deal(owner: Any, game: str) -> Experiment:
    """One seating of the only deal: nothing counts."""
    made = factory.experiment(owner, [[FLAT, RANDOM], [LARGER, RANDOM]], game=game)
    factory.write(made, [factory.record(made, 0, 0)])
    return made


def fixed_seats(owner: Any, game: str) -> Experiment:
    return factory.played(owner, deals=2, rotation="none", game=game)


RULES: dict[str, dict[str, Any]] = {
    "precision": {"rule": "precision", "on": "margin", "half_width": 0.5},
    "sprt": {"rule": "sprt", "on": "normalised", "h0": 0.0, "h1": 50.0, "alpha": 0.05, "beta": 0.05},
    "best of": {"rule": "best_of", "on": "win_rate", "alpha": 0.05},
}
THREE = [[FLAT, RANDOM], [LARGER, RANDOM], [RANDOM, LARGER]]


def _under(rule: str, lineups: list[list[dict]], outcome: dict[str, Any] | None, owner: Any, game: str) -> Experiment:
    """Two deals of each arm, of three; outcome: what the rule has said, if anything."""
    made = factory.experiment(owner, lineups, stop=RULES[rule], game=game)
    sizes = [2 * factory.matches_a_deal(made, arm) for arm in range(len(lineups))]
    factory.write(made, [factory.record(made, arm, i) for arm, size in enumerate(sizes) for i in range(size)])
    made.outcome = outcome
    made.status = Experiment.Status.FINISHED if outcome and outcome["deals"] else Experiment.Status.RUNNING
    made.save()
    return made


def an_end_at_a_precision(owner: Any, game: str) -> Experiment:
    outcome = {"deals": 1, "dropped": {}, "reason": "precise", "arm": None}
    return _under("precision", THREE[:1], outcome, owner, game)


def a_test_that_goes_on(owner: Any, game: str) -> Experiment:
    return _under("sprt", THREE[:2], None, owner, game)


def a_race_with_an_arm_dropped(owner: Any, game: str) -> Experiment:
    return _under("best of", THREE, {"deals": None, "dropped": {"1": 1}, "reason": "", "arm": None}, owner, game)


ODD = (
    same_line_up_twice,
    same_budget_twice,
    same_line_up_beside_budgets,
    one_deal,
    against_itself,
    equal_seatings_again,
    without_plies,
    nothing_played,
    all_failed,
    an_empty_arm,
    half_a_deal,
    fixed_seats,
)

UNDER_RULES = (
    ("carcassonne", an_end_at_a_precision),
    ("kingdomino", a_test_that_goes_on),
    ("dominoes", a_race_with_an_arm_dropped),
)
"""On one game each: what lies beyond an end is left out in all games (`test_counted`)."""
ONE_BY_ONE = (("kingdomino", same_line_up_twice), ("kingdomino", an_empty_arm))
"""Where an arm is asked for by itself, too, as addresses of before do; how it is chosen is the same in all games."""
IN_EVERY_GAME = (all_failed,)
CASES = [*((game, odd) for game in game_registry.ids() for odd in ODD), *UNDER_RULES]


def _case(game: str, odd: Callable[[Any, str], Experiment]) -> Any:
    """All of them on one game, and some on every game in each run; the others with ``--slow``."""
    is_dear = game != "kingdomino" and odd in ODD and odd not in IN_EVERY_GAME
    return pytest.param(game, odd, marks=pytest.mark.slow if is_dear else (), id=f"{game}-{odd.__name__}")


def _refuse(word: str) -> float:
    raise AssertionError(f"{word} is no JSON")


@pytest.mark.long
@pytest.mark.parametrize(("game", "odd"), [_case(*case) for case in CASES])
def test_every_chart_that_is_listed_opens(
    alice: Any, client: Client, game: str, odd: Callable[[Any, str], Experiment], subtests: Any
) -> None:
    made = odd(alice, game)
    client.force_login(alice)
    base = reverse("experiments:detail", args=[made.pk])
    page = client.get(base)
    assert page.status_code == 200
    charts = page.context["charts"]
    shown = [card.id for section in charts.sections for card in section.cards]
    listed = [*shown, *(row.card.id for row in charts.rest)]
    assert sorted(listed) == sorted(chart.id for chart in registry.fitting_charts(made))
    assert len(shown) <= dashboard.MOST
    for chart_id in listed:
        chart = registry.get(chart_id)
        most = max(len(made.spec["arms"]), len(chart.choices(made)), len(chart.details(made)))
        for choice in ("", most - 1) if (game, odd) in ONE_BY_ONE or chart.choices(made) else ("",):
            with subtests.test(chart=chart_id, choice=choice):
                answer = client.get(f"{base}charts/{chart_id}.json", {"arm": choice})
                assert answer.status_code == 200
                figure = json.loads(answer.content, parse_constant=_refuse)
                assert figure["data"] or figure["empty"]
    unlisted = min(set(registry.CHARTS) - set(listed))  # one: that a chart which does not fit is refused is one line
    assert client.get(f"{base}charts/{unlisted}.json").status_code == 404


ON_A_PAGE = (same_line_up_beside_budgets, against_itself, nothing_played)
"""Budgets and arms to choose from, a side without seats of others, and no numbers: these look different on a page."""


@pytest.mark.long
@pytest.mark.parametrize(
    "odd",
    [pytest.param(odd, marks=() if odd in ON_A_PAGE else pytest.mark.slow, id=odd.__name__) for odd in ODD],
)
def test_the_page_of_every_chart_opens(alice: Any, client: Client, odd: Callable[[Any, str], Experiment]) -> None:
    made = odd(alice, "kingdomino")
    client.force_login(alice)
    base = reverse("experiments:detail", args=[made.pk])
    for chart in registry.fitting_charts(made):
        assert client.get(f"{base}charts/{chart.id}/").status_code == 200
