"""Runs of one question together, against numbers worked out by hand."""

import numpy as np
import pytest

from tests.webapp.lab.pooling.made import FLAT, NEW, OLD, run
from tests.webapp.lab.results import factory
from tests.webapp.specs import SCRIPTED, make
from webapp.common.formats import MINUS
from webapp.lab.pooling.contrasts import contrasts
from webapp.lab.pooling.deals import pair_deals
from webapp.lab.pooling.groups import Group, groups
from webapp.lab.pooling.lines import Entry, forest, mark_of
from webapp.lab.pooling.pooled import apart, measured, pool
from webapp.lab.pooling.words import facts, sentence
from webapp.lab.results import notes
from webapp.lab.results.judged import judged
from webapp.lab.results.selectors import results, results_at_every_look

pytestmark = pytest.mark.django_db
MARGIN, WINS = "margin", "win_rate"
OLD_LEADS = [0] * 8


def group_of(*experiments):
    found = groups([contrasts(one) for one in experiments])
    assert len(found) == 1
    return found[0]


def entries_of(*experiments):
    return {i: Entry(one, str(one.pk), f"/{one.pk}/", mark_of(i)) for i, one in enumerate(experiments)}


def test_a_contrast_has_the_numbers_of_its_page(alice):
    made = run(alice, [[5, -1, 3, 3, 8, 2, 0, 4], [1, 0, 1, -2, 4, 0, 0, 0]])
    (row,) = contrasts(made)
    (shown,) = judged(made, results(made), notes.of_nothing(results(made))).rows
    assert 100 * row.numbers.wins.mean == pytest.approx(shown.mean)
    assert row.names == ("New", "Old")
    assert row.sums.points[0].mean == pytest.approx((4 - 1 + 2 + 5 + 4 + 2 + 0 + 4) / 8)
    # Deal by deal it is the same, and so are the intervals for every look.
    assert pair_deals(row).sums == row.sums
    at_every_look = results_at_every_look(made).differences[0]
    (line,) = forest([group_of(made)], entries_of(made), [None], WINS).tables[0].lines
    low, high = (100 * end for end in at_every_look.wins.interval)
    assert line.interval == f"{low:+.1f} to {high:+.1f}".replace("-", MINUS)


def test_the_same_question_is_known_the_other_way_round(alice):
    made = run(alice, [[5, 3, 1], [0, 0, 3]])
    turned = run(alice, [[0, 0, 3], [5, 3, 1]], arms=[OLD, NEW], baseline=1, seed=8)
    group = group_of(made, turned)
    assert [row.names for row in group.rows.values()] == [("New", "Old"), ("New", "Old")]
    assert group.rows[1].sums.points[0].mean == group.rows[0].sums.points[0].mean == 2.0
    found = pool(group)
    assert (found.members, found.is_alike, found.deals) == ((0, 1), True, 6)
    assert [line.words for line in forest([group], entries_of(made, turned), [found], MARGIN).tables[0].lines] == [
        "+2.0",
        "+2.0",
        "+2.0",
    ]


def test_runs_with_other_seeds_are_pooled_deal_by_deal(alice):
    """Margins 2, 4, 6 and 0, 4: each deal counts alike, so 16 / 5."""
    group = group_of(run(alice, [[2, 4, 6], [0] * 3]), run(alice, [[0, 4], [0] * 2], seed=8))
    found = measured(pool(group), MARGIN)
    assert found.mean == pytest.approx(16 / 5)
    # Q: means 4 and 2, squared errors 4 / 3 and 4: (4 - 2)² / (16 / 3) on one degree.
    assert found.agreement.q == pytest.approx(0.75)
    assert found.next_run is None


def test_the_same_matches_count_once(alice):
    leads = [3, 1, 4, 1, 5, 9, 2, 6]
    first, other = run(alice, [leads, OLD_LEADS]), run(alice, [leads[::-1], OLD_LEADS], seed=8)
    longer = run(alice, [[*leads, 7, 7], [0] * 10])
    group = group_of(first, other, longer)
    found = pool(group)
    # The longer run has all of the first: 8 deals of the other one, 10 of it.
    assert {i: (one.deals, one.repeats, one.of) for i, one in found.counted.items()} == {
        2: (10, 0, None),
        0: (0, 8, 2),
        1: (8, 0, None),
    }
    assert measured(found, MARGIN).mean == pytest.approx((2 * sum(leads) + 14) / 18)
    entries = entries_of(first, other, longer)
    table = forest([group], entries, [found], MARGIN).tables[0]
    assert [line.state.label for line in table.lines] == ["same matches", "pooled", "pooled", ""]
    assert f"the same matches as No. {longer.pk}" in table.lines[0].note
    only = pool(group_of(first, longer))
    table = forest([only.group], entries_of(first, longer), [only], MARGIN).tables[0]
    assert not table.is_shown_together
    assert "played the same matches again" in sentence(table, entries_of(first, longer), MARGIN)


def test_what_differs_is_pooled_by_choice_alone_and_named(alice):
    rng = np.random.default_rng(5)
    rows = [rng.integers(-3, 9, 30).tolist() for _ in range(3)]
    more = {**FLAT, "budget": {"playouts": 80}}
    one, two = run(alice, [rows[0], [0] * 30]), run(alice, [rows[1], [0] * 30], seed=8)
    apart_by = run(alice, [rows[2], [0] * 30], seed=9, arms=[{**NEW, "seats": [more, NEW["seats"][1]]}, OLD])
    older = run(alice, [rows[2], [0] * 30], seed=10, version="0")
    group, entries = group_of(one, two, apart_by, older), entries_of(one, two, apart_by, older)
    usual = pool(group)
    assert usual.members == (0, 1)
    lines = forest([group], entries, [usual], MARGIN).tables[0].lines
    assert [line.note for line in lines[2:4]] == [
        "30 deals, other playouts a ply",
        "30 deals, other version: carcassonne 0",
    ]
    wished = pool(group, {0, 1, 2, 3})
    assert not wished.is_alike
    means = [np.mean(rows[i]) for i in (0, 1, 2, 2)]
    # Weights by 1 / (v + tau²); with equal numbers of deals near the plain mean.
    assert measured(wished, MARGIN).mean == pytest.approx(np.mean(means), abs=0.2)
    assert "pooled by choice" in sentence(forest([group], entries, [wished], MARGIN).tables[0], entries, MARGIN)


def test_arms_on_the_same_deals_are_set_apart_as_pairs(alice):
    """Two budgets on one seed: the difference of the differences is that of each deal: 1 in 29 of 30, and 4."""
    rng = np.random.default_rng(6)
    leads = rng.integers(-20, 20, 30)
    more = {**FLAT, "budget": {"playouts": 80}}
    one = run(alice, [leads.tolist(), [0] * 30])
    other = run(
        alice,
        [[*(leads[:-1] + 1).tolist(), int(leads[-1]) + 4], [0] * 30],
        arms=[{**NEW, "seats": [more, NEW["seats"][1]]}, OLD],
    )
    group = group_of(one, other)
    assert pool(group) is None
    found = apart(group.rows[1], [group.rows[0]], group.rows[0].sums, MARGIN)
    assert (found.mean, found.deals) == (pytest.approx(33 / 30), 30)
    assert found.interval.low > 0
    wished = pool(group, {0, 1})
    assert [unit.members for unit in wished.units] == [(0, 1)]
    together = measured(wished, MARGIN)
    # In each deal the mean of both.
    assert together.mean == pytest.approx(leads.mean() + 33 / 60)
    assert together.shared.p < 0.001
    assert together.agreement is None


def test_the_odd_one_out_is_named_with_how_sure_it_is(alice):
    rng = np.random.default_rng(7)
    made = [run(alice, [rng.integers(-6, 7, 40).tolist(), [0] * 40], seed=20 + i) for i in range(3)] + [
        run(alice, [rng.integers(4, 17, 40).tolist(), [0] * 40], seed=30)
    ]
    group, entries = group_of(*made), entries_of(*made)
    found = forest([group], entries, [pool(group)], MARGIN)
    table = found.tables[0]
    assert [line.state.label for line in table.lines] == ["pooled", "pooled", "pooled", "odd one out", ""]
    assert f"do not agree, and No. {made[3].pk} is the odd one out" in sentence(table, entries, MARGIN)
    said = facts(table, entries, MARGIN)
    assert "The others agree among themselves" in said.odd
    assert dict(said.rows)["Do they differ?"].endswith("p below 0.001")
    assert table.together.next_run.low < -5


def test_sides_of_one_line_up_are_one_question_in_whichever_order(alice):
    one = run(alice, [[3, 1, 2]])
    other = run(alice, [[-3, -1, -2]], arms=[{**OLD, "seats": OLD["seats"][::-1]}], seed=8)
    group = group_of(one, other)
    assert [row.sums.points[0].mean for row in group.rows.values()] == [2.0, 2.0]
    assert pool(group).is_alike


@pytest.mark.parametrize(
    ("lineups", "changes"),
    [
        pytest.param([[factory.FLAT, factory.RANDOM, factory.RANDOM]], {}, id="copies at one table"),
        pytest.param([[factory.FLAT, factory.RANDOM, SCRIPTED]], {}, id="three sides"),
        pytest.param([[factory.RANDOM] * 2, [factory.FLAT, factory.RANDOM]], {"game": "dominoes"}, id="arms of teams"),
        pytest.param([[factory.FLAT, factory.RANDOM]], {"game": "dominoes"}, id="two teams"),
        pytest.param([[factory.FLAT, factory.RANDOM]], {"rotation": "none"}, id="fixed seats"),
    ],
)
def test_deal_by_deal_every_contrast_has_the_sums_of_its_page(alice, lineups, changes):
    made = factory.played(alice, lineups, deals=4, **changes)
    found = contrasts(made)
    assert len(found) == (2 if len({str(seat) for seat in lineups[0]}) == 3 else 1)
    for row in found:
        for ours, theirs in zip(vars(pair_deals(row).sums).values(), vars(row.sums).values(), strict=True):
            for one, two in zip(ours, theirs, strict=True):
                assert (one.n, one.total, one.total_squares) == pytest.approx((two.n, two.total, two.total_squares))
        said = judged(made, results(made), notes.of_nothing(results(made)))
        (line,) = forest([group_of_one(row)], entries_of(made), [None], said.measure).tables[0].lines
        assert line.words in {said.unit.signed(shown.mean) for shown in said.rows}


def test_a_run_that_has_no_deal_yet_waits_for_the_others(alice):
    waiting = make(alice, arms=[NEW, OLD], deals=3, baseline=1, seed=9)
    made = [run(alice, [[2, 4, 6], [0] * 3]), waiting, run(alice, [[0, 4], [0] * 2], seed=8)]
    group = group_of(*made)
    assert pool(group).members == pool(group, {0, 1, 2}).members == (0, 2)
    lines = forest([group], entries_of(*made), [pool(group)], MARGIN).tables[0].lines
    assert [(line.interval, line.state.label) for line in lines[1:2]] == [("no deal yet", "not yet")]


def group_of_one(row):
    return Group({0: row})
