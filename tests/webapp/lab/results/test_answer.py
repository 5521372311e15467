"""The head of a result page from real rows: what is judged, by hand, and that all pages say the same."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import numpy as np
import pytest
from django.test import Client
from scipy import stats

from tests.records import ruled
from tests.webapp.lab.results import factory, test_method
from tests.webapp.lab.results.by_hand import rate_bounds
from tests.webapp.lab.results.factory import FLAT, RANDOM, seat
from tests.webapp.lab.results.test_stop_rule import made_of, raced
from webapp.common.formats import MINUS
from webapp.lab.jobs import share_links as services
from webapp.lab.results.answer import Answer
from webapp.lab.results.judged import Judged, judged
from webapp.lab.results.selectors import results
from webapp.lab.results.stop_state import stop_state
from webapp.lab.results.table import table
from webapp.lab.results.teams import TIMES
from webapp.records.models import Experiment, Seat
from webapp.sharing.selectors import preview
from worker.analysis import always_valid, sequences
from worker.analysis.moments import BlockMoments
from worker.analysis.stop_rules.model import MARGIN, WIN_RATE

pytestmark = pytest.mark.django_db
GREEDY = seat("scripted", {"policy": "greedy"})


def _judged(made: Experiment) -> Judged:
    return judged(made, results(made), "")


def test_of_two_sides_without_draws_the_difference_is_twice_the_rate(alice: Any) -> None:
    """Wins of the one are losses of the other: the interval is that of 2 p - 1."""
    made = factory.experiment(alice, deals=4)
    won = [[1, 1], [1, 0], [0, 1], [1, 1]]
    ended = [factory.decided(made, 0, 2 * d + turn, 40 + (1 if w else -1), 40) for d, of in enumerate(won)
             for turn, w in enumerate(of)]  # fmt: skip
    factory.write(made, ended)
    shown = _judged(factory.over(made, "finished"))
    (row,) = shown.rows
    low, high = rate_bounds([[bool(w) for w in deal] for deal in won])
    assert (row.name, shown.baseline) == ("Flat Monte Carlo", "Random")
    assert row.mean == pytest.approx(50.0)
    assert row.interval == pytest.approx((200 * low - 100, 200 * high - 100), abs=1e-4)
    assert (row.level, shown.baseline_level) == ("won 75.0\u202f%", "won 25.0\u202f%")


def test_at_a_table_of_three_places_are_compared_deal_by_deal(alice: Any) -> None:
    """Places 1 2 3 in all but one match: the mean places by deal differ by whole thirds."""
    made = factory.experiment(alice, [[FLAT, GREEDY, RANDOM]], deals=3)
    points = [(30, 20, 10)] * 8 + [(10, 20, 30)]
    factory.write(made, [factory.decided(made, 0, ordinal, *row) for ordinal, row in enumerate(points)])
    shown = _judged(factory.over(made, "finished"))
    assert (shown.measure, shown.baseline, shown.best) == ("place", "Flat Monte Carlo", "Flat Monte Carlo")
    t = stats.t.ppf(1 - 0.05 / 6, 2)  # three pairs hold together at 95 %
    # Behind the first, on the three deals: the second 1, 1, 1/3 places, the third 2, 2, 2/3; 2 at most.
    for row, factor in zip(shown.rows, (1, 2), strict=True):
        values = -factor * np.array([1, 1, 1 / 3])
        assert row.mean == pytest.approx(values.mean())
        assert row.interval is not None
        half = t * values.std(ddof=1) / 3**0.5
        assert row.interval == pytest.approx((max(-2, values.mean() - half), min(2, values.mean() + half)))
        assert not row.differs
    assert [row.mean for row in shown.leads] == pytest.approx([7 / 9, 14 / 9])


def test_copies_of_one_engine_are_one_side_of_the_answer(alice: Any) -> None:
    """Flat Monte Carlo against two of Random: it comes in ahead by 1.5 places; in the last deal by 0, 0, -1.5."""
    made = factory.experiment(alice, [[FLAT, RANDOM, RANDOM]], deals=4)
    points = [(30, 20, 10), (30, 10, 20), (30, 20, 10)] * 3 + [(20, 30, 10), (20, 10, 30), (10, 20, 30)]
    factory.write(made, [factory.decided(made, 0, ordinal, *row) for ordinal, row in enumerate(points)])
    shown = _judged(factory.over(made, "finished"))
    (row,) = shown.rows
    values = -np.array([1.5, 1.5, 1.5, -0.5])  # places behind, by deal
    assert (row.name, shown.baseline, shown.leads) == (f"2 {TIMES} Random", "Flat Monte Carlo", ())
    assert row.mean == pytest.approx(values.mean())
    assert row.interval is not None
    half = stats.t.ppf(0.975, 3) * values.std(ddof=1) / 2
    assert row.interval == pytest.approx((max(-2, values.mean() - half), values.mean() + half)), "2 places at most"
    assert row.level == "mean place 2.33"
    said = table(made)
    assert said.answer.sentence.startswith(f"No difference is shown between 2 {TIMES} Random and Flat Monte Carlo")
    assert "Copies of one engine count as one" in said.answer.under


def test_the_best_of_several_is_judged_by_what_the_rule_judged(alice: Any) -> None:
    """Margins, though nothing else is asked for, by the rule's own sequences; it ended before 30 deals."""
    made = raced(alice)
    state, shown = stop_state(made), _judged(made)
    assert state.deals < 30
    assert (shown.measure, shown.confidence) == (MARGIN, 0.95)
    for arm, row in enumerate(shown.rows, start=1):
        deals = int(np.isfinite(state.values[arm]).sum())
        values = state.values[arm, :deals] - state.values[0, :deals]
        assert row.mean == pytest.approx(values.mean())
        assert row.interval == sequences.mean_sequence(values, 60, 1 - 0.05 / 3).interval()
        assert row.dropped == state.ruling.dropped[arm]
        assert row.is_worse
    second, third = shown.leads
    assert second.mean <= third.mean
    of_both = {row.name: row for row in shown.rows}
    for row in shown.leads:  # the winner less each, over the deals until that was dropped
        assert row.mean == pytest.approx(-of_both[row.name].mean)
        assert row.interval == pytest.approx([-end for end in reversed(of_both[row.name].interval)])
    assert table(made).finding.startswith(
        "Arm 0, the baseline, is the best of 3 arms; all others were dropped as worse"
    )


def test_a_test_of_margins_at_one_table_is_of_the_margin(alice: Any) -> None:
    made = made_of(alice, ruled.spec_of(ruled.SPRT | {"on": "margin", "h1": 4}, 1), [2], deals=12)
    shown, side = _judged(made), results(made).sides[0][0].result
    (row,) = shown.rows
    assert (row.mean, row.interval) == (pytest.approx(side.mean_margin), pytest.approx(side.margin_interval))
    three = made_of(alice, ruled.spec_of(ruled.SPRT, [[GREEDY, FLAT, RANDOM]]), [3], deals=9)
    (row,), sides = _judged(three).rows, results(three).sides[0]
    others = np.mean([side.result.win_rate for side in sides[1:]])
    assert row.mean == pytest.approx(100 * (sides[0].result.win_rate - others))
    assert "each of the others on average" in table(three).finding


def test_the_axis_knows_the_interval_of_the_first_thirty_deals(alice: Any) -> None:
    """Again and again the same, however many deals follow; two of these failed."""
    spec = ruled.spec_of({"rule": "fixed"}, 2, deals=70)
    for deals, looks in ((29, 0), (35, 1), (64, 2)):
        (row,) = _judged(made := made_of(alice, spec, [0, 3], deals=deals)).rows
        assert len(row.course) == looks
        for look, lost, found in zip((30, 60), ([5], [5, 57]), row.course, strict=False):
            won = np.zeros((2, look))
            for one in Seat.objects.filter(match__experiment=made, lineup_index=0, result="win", deal__lt=look):
                won[one.arm_index, one.deal] += 0.5
            values = np.delete(won[1] - won[0], lost)
            n = len(values)
            blocks = BlockMoments(n, n, values.sum(), (values**2).sum(), values.sum(), n)
            expected = always_valid.of_bounded(blocks, -1, 1, 0.5)
            assert expected is not None
            assert found == pytest.approx((100 * expected.low, 100 * expected.high))


def test_an_experiment_without_a_comparison_has_no_forest(alice: Any) -> None:
    alone = table(factory.played(alice, [[RANDOM, RANDOM]], deals=2))
    assert alone.answer.forest is None
    assert alone.is_about_seats
    assert alone.finding.startswith("The engine only meets itself, so the question is the seat: the first one won")
    failed = factory.experiment(alice, deals=1)
    factory.write(failed, [factory.record(failed, 0, i, fail_at=3) for i in range(2)])
    said = table(factory.over(failed, "finished")).answer
    assert said == Answer("No answer. All matches that ended so far have failed; each match says why.", "", None, None)


def test_twenty_arms_carry_no_marks_and_one_that_failed_says_so(alice: Any) -> None:
    lineups = [[seat("flat_mc", budget={"playouts": 1 + arm}), RANDOM] for arm in range(20)]
    made = factory.experiment(alice, lineups, deals=1)
    ended = [factory.decided(made, arm, i, 40 + arm, 45) for arm in range(19) for i in range(2)]
    factory.write(made, [*ended, *(factory.record(made, 19, i, fail_at=2) for i in range(2))])
    drawn = table(made).answer.forest
    assert drawn is not None
    assert len(drawn.rows) == 20
    assert not drawn.has_marks
    assert [row.state for row in drawn.rows[-2:]] == ["all failed", "baseline"]
    assert {row.state for row in drawn.rows[:-2]} == {"too few deals"}


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", unescape(text).replace(MINUS, "-").replace("\u202f", " "))


def test_pages_and_the_card_say_the_same(alice: Any, client: Client) -> None:
    """The owner's page, its update, the shared page, its description and picture: sentence, then forest, then arms."""
    made = test_method.of(alice, test_method.APART)
    Experiment.objects.filter(pk=made.pk).update(started_at=made.created_at)
    made.refresh_from_db()
    client.force_login(alice)
    link = services.share(made)
    answer = table(made).answer
    sentence = _plain(answer.sentence)
    assert sentence.startswith("Arm 1 wins 91.7 percentage points more of its matches than Arm 0 (95 % interval +23.3")
    pages = {}
    for address in (f"/experiments/{made.pk}/", f"/r/{link.slug}/"):
        page = pages[address] = _plain(client.get(address).content.decode())
        order = [page.index(part) for part in (f'<p class="answer">{sentence}', '<table class="forest"', 'id="arms"')]
        assert order == sorted(order)
        assert f'hx-get="{address}result/"' in page, "it runs"
        update = _plain(client.get(f"{address}result/").content.decode())
        assert sentence in update
        assert 'id="result-rest" hx-swap-oob="true"' in update
        assert 'id="arms"' in update, "sentence and table come in one answer"
    rows = re.findall(r'<th scope="row" role="rowheader">.*?</tr>', pages[f"/experiments/{made.pk}/"])
    assert [re.findall(r'data-cut="[^"]*"|<strong>[^<]*|chip [^<]*', row) for row in rows] == [
        ['data-cut="high"', "<strong>+91.7", 'chip ok">better'],
        ['data-cut=""', "<strong>0", 'chip info">baseline'],
    ]
    assert not re.search(r"\bp\b (?:=|below|of)", sentence + answer.under)
    shown = preview(link)
    assert _plain(shown.description).startswith(sentence)
    assert _plain(shown.card.text) == _plain(shown.description)
    assert f'content="{sentence}' in pages[f"/r/{link.slug}/"]


def test_a_page_of_no_deal_yet_begins_with_that(alice: Any, client: Client) -> None:
    client.force_login(alice)
    made = factory.experiment(alice, deals=2)
    page = _plain(client.get(f"/experiments/{made.pk}/").content.decode())
    assert '<p class="answer">No answer yet. Numbers appear here with the first deal that is played.' in page
    assert 'class="forest"' not in page
    assert 'id="arms"' not in page
    assert Seat.objects.filter(match__experiment=made).count() == 0
    assert results(made).measure == WIN_RATE
