import dataclasses
import itertools

import numpy as np
import pytest

from engines import registry as engine_registry
from tests.worker.ladders import made_up
from worker import schedule
from worker import spec as specs
from worker.analysis.next_deals import ORDER, WIDTH
from worker.analysis.ratings import ELO
from worker.ladders import rounds
from worker.ladders.batch import Rows
from worker.ladders.rounds import ALL, LATE, PLANNED, START, Round
from worker.spec.ladder import with_present_versions


def tables(spec, steps):
    return [spec.ladder.tables[step.arm] for step in steps]


def test_all_against_all_is_one_round_cut_like_an_experiment():
    spec = made_up.spec_of(4, pairing="round_robin")
    first = Rows(spec).next_round()
    assert tables(spec, first.steps) == sorted(itertools.combinations(range(4), 2), key=lambda t: t[::-1])
    assert {(step.first, step.deals, step.why) for step in first.steps} == {(0, 30, ALL)}
    played = [match for chunk in rounds.chunks(spec, first.steps) for match in schedule.match_specs(spec, *chunk)]
    assert sorted((m.arm, m.deal, m.rotation) for m in played) == list(itertools.product(range(6), range(30), range(2)))
    rows = Rows(spec)
    assert [found.end for found in made_up.finish(rows, made_up.player(spec))] == ["", PLANNED]
    assert rows.planned == [30] * 6


def test_some_meet_all_others_in_a_gauntlet():
    entries = [row | ({"challenger": True} if i == 2 else {}) for i, row in enumerate(made_up.UCT[:5])]
    spec = made_up.spec_of(entries, pairing="gauntlet")
    assert tables(spec, Rows(spec).next_round().steps) == [(0, 2), (1, 2), (2, 3), (2, 4)]


def test_by_uncertainty_neighbours_link_all_and_then_the_order_is_settled():
    # Five engines far apart but for 2 and 3, which are equal: deals go there.
    spec = made_up.spec_of(5, deals=60)
    rows = Rows(spec)
    first, *later, last = made_up.finish(rows, made_up.player(spec, (0, 400, 800, 800, 1200)))
    assert tables(spec, first.steps) == [(0, 1), (1, 2), (2, 3), (3, 4)]
    assert {(step.deals, step.why) for step in first.steps} == {(10, START)}
    assert {step.why for found in later for step in found.steps} == {ORDER, WIDTH}
    assert last == Round((), PLANNED)
    assert sum(rows.planned) == spec.ladder_deals == 150
    assert rows.planned[spec.ladder.tables.index((2, 3))] == max(rows.planned)
    step = later[0].steps[0]
    assert step.after < step.before
    # A tie counts half, and 150 deals tell which four of five steps there are.
    order = [rows.standing().rated[i] for i in rows.standing().ratings.order()]
    assert (order[0], order[3:]) == (4, [1, 0])


def test_rounds_are_a_function_of_the_rows_in_any_order():
    spec = made_up.spec_of(4)
    one, two = Rows(spec), Rows(spec)
    play = made_up.player(spec)
    found = made_up.finish(one, play)
    for following in found[:-1]:
        assert two.next_round() == following
        matches = [m for chunk in rounds.chunks(spec, following.steps) for m in schedule.match_specs(spec, *chunk)]
        two.write(reversed([play(match) for match in matches]))
    assert Round.from_json(found[0].to_json()) == found[0]
    assert one.to_json() == two.to_json()


def test_a_later_entry_plays_on_the_same_deals_and_tables_keep_their_numbers():
    before = made_up.spec_of(3, deals=20)
    rows = Rows(before)
    made_up.finish(rows, made_up.player(before))
    after = made_up.spec_of(4, deals=20)
    assert [arm.name for arm in after.arms[: len(before.arms)]] == [arm.name for arm in before.arms]
    more = Rows(after, rows.rows.values())
    welcome = more.next_round().steps
    assert {(3 in after.ladder.tables[s.arm], s.first, s.why) for s in welcome} == {(True, 0, START)}
    made_up.finish(more, made_up.player(after))
    assert set(rows.rows) < set(more.rows)
    assert schedule.match_spec(after, 0, 0) == schedule.match_spec(before, 0, 0)
    assert more.standing().deals(3) >= 10


@pytest.mark.parametrize("seats", [2, 4])
def test_a_late_entry_plays_the_planned_deals_itself(seats):
    before = made_up.spec_of(5, deals=24, seats=seats)
    rows = Rows(before)
    made_up.finish(rows, made_up.player(before))
    after = made_up.spec_of([*made_up.UCT[:5], {**made_up.UCT[5], "late": True}], deals=24, seats=seats)
    assert specs.from_json(specs.to_json(after)) == after
    more = Rows(after, rows.rows.values())
    # Equal to the third: most of its order is open; the rounds before the planned deals are its own.
    found = made_up.finish(more, made_up.player(after, (0, 100, 200, 300, 400, 200)))
    assert [step.why for round_ in found[:2] for step in round_.steps][:2] == [START, LATE]
    assert all(5 in table for round_ in found for table in tables(after, round_.steps))
    assert more.standing().deals(5) == 24
    assert sum(more.planned) == after.ladder_deals == before.ladder_deals + 24
    assert all(row == more.rows[key] for key, row in rows.rows.items())


def test_a_run_that_was_cut_off_plays_what_is_missing():
    spec = made_up.spec_of(3)
    whole = Rows(spec)
    made_up.finish(whole, made_up.player(spec))
    some = Rows(spec, [row for i, row in enumerate(whole.rows.values()) if i % 7])
    missing = [(c.arm, *divmod(c.first, 2)) for c in some.missing()]
    assert missing
    assert set(missing) | set(some.rows) == set(whole.rows)


@pytest.fixture
def risen(monkeypatch):
    """A function that raises the version of an engine."""

    def rise(engine, version):
        monkeypatch.setattr(engine_registry.get(engine), "version", version)

    return rise


def test_an_engine_of_a_new_version_is_another_entry_and_the_old_one_rests(risen):
    entries = [{"engine": "uct", "budget": {"simulations": 9}}, {"engine": "random"}, {"engine": "scripted"}]
    spec = made_up.spec_of(entries, pairing="round_robin", deals=12)
    rows = Rows(spec)
    made_up.finish(rows, made_up.player(spec))
    risen("uct", "99")
    now = with_present_versions(spec.ladder)
    assert [(e.name, e.version == "99", e.is_present) for e in now.entries] == [
        (f"Engine 0, version {spec.ladder.entries[0].version}", False, False),
        ("Engine 1", False, True),
        ("Engine 2", False, True),
        ("Engine 0", True, True),
    ]
    assert with_present_versions(now) == now
    # The two versions never meet; the new one meets the others on the deals of the old.
    assert (0, 3) not in now.tables
    after = specs.from_json(_json(spec, now))
    more = Rows(after, rows.rows.values())
    assert tables(after, more.next_round().steps) == [(1, 3), (2, 3)]
    made_up.finish(more, made_up.player(after, (0, 100, 200, 300), {"carcassonne": "1", "uct": "99"}))
    answer = more.to_json()
    (pair,) = answer["versions"]
    assert (pair["earlier"], pair["later"]) == (now.entries[0].name, "Engine 0")
    assert pair["interval"][0] < pair["lead"] < pair["interval"][1]
    # Rows of the old version stay with it, by what they recorded.
    assert more.standing().matches(0) == 48


def _json(spec, ladder):
    data = specs.to_json(dataclasses.replace(spec, ladder=ladder))
    del data["arms"]
    return data


def test_a_row_of_a_version_that_is_no_entry_does_not_count(risen):
    spec = made_up.spec_of([{"engine": "uct", "budget": {"simulations": 9}}, {"engine": "random"}], deals=3)
    rows = Rows(spec)
    made_up.finish(rows, made_up.player(spec, (0, 1), {"carcassonne": "1", "uct": "77"}))
    assert rows.standing().foreign == 6
    assert rows.standing().meetings == ()


@pytest.mark.slow
def test_intervals_hold_the_truth_where_pairs_are_chosen_by_results():
    # Ladders of 6 engines that end after 120 deals chosen by results; three standard errors of as many ladders, whose
    # six ratings hang together as if they were three.
    levels, runs = [0, 80, 160, 240, 320, 400], 60
    truth = ELO * np.array(levels) / made_up.LUCK
    own = leads = 0.0
    for run in range(runs):
        spec = made_up.spec_of(6, deals=40, seed=run)
        rows = Rows(spec)
        made_up.finish(rows, made_up.player(spec, levels, luck=run))
        found = rows.standing().ratings
        intervals = [found.interval(i) for i in range(6)]
        own += np.mean([i.low <= t <= i.high for i, t in zip(intervals, truth - truth.mean(), strict=True)])
        gaps = [found.lead_interval(i + 1, i) for i in range(5)]
        leads += np.mean([g.low <= t <= g.high for g, t in zip(gaps, np.diff(truth), strict=True)])
    print(own / runs, leads / runs)
    assert min(own, leads) / runs > 0.95 - 3 * (0.95 * 0.05 / (3 * runs)) ** 0.5
