"""The order of an experiment's charts, those that are left out and why, and the key bar."""

from __future__ import annotations

from typing import Any

import pytest

from tests.webapp.lab.results import factory
from tests.webapp.lab.results.factory import FLAT, RANDOM, seat
from webapp.lab.results import dashboard, interest
from webapp.lab.results.charts import registry
from webapp.lab.results.charts.figure import WIN, Group, Number
from webapp.lab.results.interest import Told
from webapp.records.models import Experiment
from worker.analysis.moments import BlockMoments, Moments

pytestmark = pytest.mark.django_db
GREEDY = seat("scripted", {"policy": "greedy"})


@pytest.fixture
def made(alice: Any) -> Experiment:
    return factory.played(alice, [[FLAT, RANDOM], [GREEDY, RANDOM]], deals=3)


class TestInterest:
    """What the order of charts is made of."""

    NUMBER = Number("Win rate", WIN, is_share=True)

    def _told(self, *sides: list[float]) -> Told:
        return Told(self.NUMBER, tuple(BlockMoments.of([Moments.of([value]) for value in row]) for row in sides))

    def test_the_difference_is_standardised_by_the_spread_of_deals(self) -> None:
        # means 0.5 and 1.5, variances 1/3 and 1/3: the difference over the root of their mean
        assert self._told([0, 1, 0, 1], [1, 2, 1, 2]).effect == pytest.approx(3**0.5)
        assert self._told([0, 1, 0, 1], [0, 1, 0, 1], [3, 4, 3, 4]).effect == pytest.approx(3 * 3**0.5)
        assert self._told([1, 1], [1, 1]).effect == 0
        assert self._told([1, 1], [0, 0]).effect == interest.FARTHEST
        assert self._told([1, 0]).effect is None

    def test_constant_is_what_prints_alike_and_does_not_vary(self) -> None:
        assert self._told([1, 1, 1], [1, 1]).is_constant
        assert not self._told([1, 1, 1], [0, 0]).is_constant
        assert not self._told([0, 1], [1, 0]).is_constant, "the same mean, and yet it varies"
        assert not self._told([1], [1]).is_constant, "of one deal nobody knows"
        assert self._told([1, 1, 1], [1, 1]).words == "100.00\u202f%"


def test_the_order_follows_from_the_first_deals_alone(alice: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interest, "FIRST_DEALS", 3)
    made = factory.experiment(alice, [[FLAT, RANDOM], [GREEDY, RANDOM]], deals=5, game="kingdomino")
    factory.write(made, [factory.record(made, arm, i) for arm in (0, 1) for i in range(4)])
    before = dashboard.dashboard(made, "/")
    assert next(card.id for section in before.sections for card in section.cards) == "win-rate", "as registered"
    factory.write(made, [factory.record(made, arm, i) for arm in (0, 1) for i in (4, 5)])
    settled = dashboard.dashboard(made, "/")
    orders = [section.title for section in settled.sections]
    assert orders == [group.value for group in Group if group.value in orders]
    assert 1 < settled.shown <= dashboard.MOST
    factory.write(made, [factory.record(made, arm, i) for arm in (0, 1) for i in range(6, 10)])
    assert dashboard.dashboard(factory.over(made, Experiment.Status.FINISHED), "/") == settled


def test_what_is_the_same_everywhere_is_named_with_its_number(alice: Any) -> None:
    made = factory.played(
        alice, [[FLAT, RANDOM], [GREEDY, RANDOM]], deals=4, game="dominion", options={"turn_limit": 4}
    )
    found = dashboard.dashboard(made, "/")
    ended = next(row for row in found.constant if row.card.id == "how-it-ended")
    assert dict(ended.values)["A limit"] == "100.00\u202f%"
    assert ended.reason == "the same in every arm"
    repeated = {row.card.id: row.reason for row in found.rest}
    assert repeated["lead-by-ply"] == "repeats “Lead by turn”"
    assert "how-it-ended" not in {card.id for section in found.sections for card in section.cards}
    assert found.total == len(registry.fitting_charts(made))


def test_half_cards_leave_no_holes() -> None:
    def card(name: str, *, is_wide: bool = False) -> dashboard.Card:
        return dashboard.Card(name, name, "", "", (), None, is_wide)

    widths = dashboard._without_holes([card("a"), card("b"), card("c"), card("d", is_wide=True), card("e")])
    assert [row.is_wide for row in widths] == [False, False, True, True, True]


def test_keys_are_arms_or_the_parties_of_one(alice: Any, made: Experiment) -> None:
    assert [(key.key, key.name, key.mark) for key in dashboard.dashboard(made, "/").keys] == [
        (0, "Arm 0", 0),
        (1, "Arm 1", 1),
    ]
    one = factory.experiment(alice, [[GREEDY, RANDOM, RANDOM, RANDOM]], game="dominoes")
    assert [key.key for key in dashboard.dashboard(one, "/").keys] == [0, 1]
    many = factory.experiment(alice, [[FLAT, RANDOM]] * 7)
    found = dashboard.dashboard(many, "/")
    assert found.chooses_colour
    assert {key.mark for key in found.keys} == {None}
