"""Looks at an experiment while it is played: which deals are looked at, and that nothing else decides its end."""

import json
from collections.abc import Iterator

import numpy as np
import pytest

from tests.looping import looped
from tests.worker import fakes
from worker import batch, schedule
from worker import spec as specs
from worker.analysis.stop_rules.model import AT_PLANNED, BEST, H0, H1, LEAST, PRECISE
from worker.looks import Looks, RecordLooks, Row, Ruling
from worker.records import Failure, MatchRecord
from worker.schedule import ChunkSpec

ONE, OTHER, THIRD, ALIKE = ("taker", "dicer"), ("weigher", "dicer"), ("raiser", "dicer"), ("dicer", "dicer")
PRECISION = {"rule": "precision", "on": "margin", "half_width": 0.3}
SPRT = {"rule": "sprt", "on": "win_rate", "h0": 0, "h1": 10}
BEST_OF = {"rule": "best_of", "on": "margin"}


@pytest.fixture
def made(dice):
    """Return a function that makes the looks at an experiment of dice."""
    return lambda *arms, **changes: Looks(specs.from_json(dice(*arms, **changes)))


def rows(looks: Looks, arm: int, values, others=None, first: int = 0) -> list[Row]:
    """Whole deals of an arm with these values, from the deal `first` on."""
    size, others = looks.spec.num_seatings(arm), [0.0] * len(values) if others is None else others
    return [
        Row(arm, first + i, size, size, float(own), float(other))
        for i, (own, other) in enumerate(zip(values, others, strict=True))
    ]


def in_part(looks: Looks, arm: int, deal: int, ended: int, finished: int, own: float = 0.0) -> list[Row]:
    return [Row(arm, deal, ended, finished, own, 0.0)]


# ---- which deals are looked at


def test_the_prefix_ends_before_the_first_deal_that_an_arm_has_not_ended(made):
    looks = made(ONE, OTHER, deals=8, stop=PRECISION)
    looks.add(rows(looks, 0, range(8)))
    looks.add(row for row in rows(looks, 1, range(10, 18)) if row.deal != 5)
    assert looks.prefix({}).numbers.tolist() == [0, 1, 2, 3, 4]
    assert looks.prefix({}).values.tolist() == [[0, 1, 2, 3, 4], [10, 11, 12, 13, 14]]
    looks.add(in_part(looks, 1, 5, ended=1, finished=1, own=15))  # of two seatings
    assert looks.prefix({}).numbers.tolist() == [0, 1, 2, 3, 4]
    looks.add(in_part(looks, 1, 5, ended=2, finished=2, own=15))
    assert looks.prefix({}).numbers.tolist() == list(range(8))


def test_a_hole_at_the_first_deal_leaves_nothing(made):
    looks = made(ONE, deals=8, stop=PRECISION)
    assert looks.prefix({}).values.shape == (1, 0)
    looks.add(rows(looks, 0, range(7), first=1))
    assert looks.prefix({}).numbers.tolist() == []
    assert looks.ruling() == Ruling()


def test_a_deal_with_a_failed_match_is_complete_and_counts_for_nothing(made):
    looks = made(ONE, OTHER, deals=5, stop=PRECISION)
    for arm in range(2):
        looks.add(rows(looks, arm, range(5)))
    looks.add(in_part(looks, 0, 1, ended=2, finished=1, own=99))
    looks.add(in_part(looks, 1, 3, ended=2, finished=0))
    assert looks.prefix({}).numbers.tolist() == [0, 2, 4]
    assert looks.prefix({}).values.tolist() == [[0, 2, 4], [0, 2, 4]]


def test_arms_have_seatings_of_their_own(made):
    """Equal engines have one seating, others two."""
    looks = made(ONE, ALIKE, deals=3, stop=PRECISION)
    looks.add([Row(arm, deal, 1, 1, 0.5, 0.0) for arm in range(2) for deal in range(3)])
    assert looks.prefix({}).numbers.tolist() == []
    looks.add([Row(0, deal, 2, 2, 0.5, 0.0) for deal in range(3)])
    assert looks.prefix({}).numbers.tolist() == [0, 1, 2]


def test_an_arm_that_is_dropped_is_not_waited_for_and_spoils_no_later_deal(made):
    looks = made(ONE, OTHER, THIRD, deals=6, stop=BEST_OF)
    for arm in (0, 2):
        looks.add(rows(looks, arm, range(6)))
    looks.add(rows(looks, 1, range(10, 13)))
    looks.add(in_part(looks, 1, 4, ended=2, finished=1))
    found = looks.prefix({1: 3})
    assert found.numbers.tolist() == list(range(6))
    np.testing.assert_array_equal(found.values[1], [10, 11, 12, np.nan, np.nan, np.nan])
    assert looks.prefix({1: 4}).numbers.tolist() == [0, 1, 2]


# ---- where it ends


def swing(number: int) -> list[float]:
    """1, -1, 1, -1 and so on."""
    return [(-1.0) ** i for i in range(number)]


def test_where_a_rule_ends_by_hand(made):
    """Of n values 1 and -1 the half-width is t / sqrt(n - 1), for odd n times sqrt(1 - 1 / n^2).

    t at 97.5 % is 2.0141 for 45 degrees of freedom and 2.0129 for 46: 0.3002 at 46 deals, 0.2967 at 47.
    """
    looks = made(ONE, deals=100, stop=PRECISION)
    looks.add(rows(looks, 0, swing(46)))
    assert looks.ruling() == Ruling()
    looks.add(rows(looks, 0, swing(100)))
    assert looks.ruling() == Ruling(47, {}, PRECISE)


def test_deals_are_numbered_with_those_that_failed(made):
    """Three deals of the first 47 have a failed match, so 47 whole ones take 50."""
    looks = made(ONE, deals=100, stop=PRECISION)
    failed = (2, 11, 30)
    left = iter(swing(97))
    for deal in range(100):
        looks.add(in_part(looks, 0, deal, 2, 1) if deal in failed else rows(looks, 0, [next(left)], first=deal))
    assert looks.ruling() == Ruling(50, {}, PRECISE)


def test_a_failed_deal_just_before_the_end_moves_it_and_one_just_behind_does_not(made):
    for deal, end in ((46, 48), (47, 47)):
        looks = made(ONE, deals=100, stop=PRECISION)
        values = swing(99)
        looks.add(rows(looks, 0, values[:deal]))
        looks.add(in_part(looks, 0, deal, 2, 0))
        looks.add(rows(looks, 0, values[deal:], first=deal + 1))
        assert looks.ruling() == Ruling(end, {}, PRECISE)


def test_a_rule_that_does_not_decide_ends_with_the_plan(made):
    looks = made(ONE, deals=40, stop=PRECISION)
    looks.add(rows(looks, 0, swing(39)))
    assert looks.ruling() == Ruling()
    looks.add(rows(looks, 0, swing(40)))
    assert looks.ruling() == Ruling(40, {}, AT_PLANNED)


@pytest.mark.parametrize("failed", [0, 20, 39])
def test_the_plan_ends_also_where_deals_have_failed(made, failed):
    looks = made(ONE, deals=40, stop=PRECISION)
    looks.add(rows(looks, 0, swing(40)))
    looks.add(in_part(looks, 0, failed, 2, 1))
    assert looks.ruling() == Ruling(40, {}, AT_PLANNED)


def test_a_plan_whose_deals_have_all_failed_ends(made):
    looks = made(ONE, OTHER, THIRD, deals=3, stop=BEST_OF)
    looks.add(Row(arm, deal, 2, 0, 0.0, 0.0) for arm in range(3) for deal in range(3))
    assert looks.ruling() == Ruling(3, {}, AT_PLANNED)


def test_one_arm_is_tested_against_its_opponents(made):
    """It wins 9 of 10 deals and they 1 of 10; with the shares exchanged the other hypothesis is as likely as soon."""
    won = [float(deal % 10 > 0) for deal in range(100)]
    said = []
    for own, others in ((won, [1 - x for x in won]), ([1 - x for x in won], won)):
        looks = made(ONE, deals=100, stop=SPRT | {"h0": -10})
        looks.add(rows(looks, 0, own, others))
        assert looks.prefix({}).values[:, :3].tolist() == [others[:3], own[:3]]
        said.append(looks.ruling())
    assert [ruling.reason for ruling in said] == [H1, H0]
    assert LEAST <= (said[0].deals or 0) == said[1].deals < 50


def test_a_margin_of_one_arm_and_rates_of_two_are_looked_at_as_they_are(made):
    for arms, stop in (((ONE,), SPRT | {"on": "margin"}), ((ONE, OTHER), SPRT), ((ONE,), PRECISION)):
        looks = made(*arms, deals=4, stop=stop)
        for arm in range(len(arms)):
            looks.add(rows(looks, arm, [arm] * 4, [0.25] * 4))
        assert looks.prefix({}).values.tolist() == [[float(arm)] * 4 for arm in range(len(arms))]


# ---- best of


def race(looks: Looks, seed: int = 3) -> list[Row]:
    """Arm 1 is worse by 3 points than arm 0, and arm 2 as good; deviations are 1."""
    rng = np.random.default_rng(seed)
    values = rng.standard_normal((3, looks.spec.deals)) + np.array([0.0, -3.0, 0.0])[:, None]
    return [row for arm in range(3) for row in rows(looks, arm, values[arm])]


def test_an_arm_that_was_dropped_need_not_be_played_further(made):
    looks = made(ONE, OTHER, THIRD, deals=120, stop=BEST_OF)
    everything = race(looks)
    looks.add(everything)
    whole = looks.ruling()
    assert (whole.deals, whole.reason, list(whole.dropped)) == (120, AT_PLANNED, [1])
    until = whole.dropped[1]
    assert until < 40
    for played in (until - 1, until):
        again = made(ONE, OTHER, THIRD, deals=120, stop=BEST_OF)
        again.add(row for row in everything if row.arm != 1 or row.deal < played)
        assert again.ruling() == (whole if played == until else Ruling())


def test_what_comes_of_a_dropped_arm_changes_nothing(made):
    looks = made(ONE, OTHER, THIRD, deals=120, stop=BEST_OF)
    looks.add(row for row in race(looks) if row.deal < 60)
    said = looks.ruling()
    until = said.dropped[1]
    looks.add(rows(looks, 1, [1000.0] * (60 - until), first=until))
    assert looks.ruling() == said
    looks.add([in_part(looks, 1, until, 2, 0)[0], *in_part(looks, 1, until + 1, 1, 1)])
    assert looks.ruling() == said


def test_the_best_arm_is_named(made):
    """Arm 2 is worse, too, so the baseline is left; turned around, arm 1 is left, which no baseline beats."""
    rng = np.random.default_rng(5)
    noise = rng.standard_normal((3, 200))
    for levels, best, gone in (((0, -4, -2), 0, {1, 2}), ((0, 4, -4), 1, {2})):
        looks = made(ONE, OTHER, THIRD, deals=200, stop=BEST_OF)
        for arm in range(3):
            looks.add(rows(looks, arm, noise[arm] + levels[arm]))
        said = looks.ruling()
        assert (said.reason, said.arm, set(said.dropped)) == (BEST, best, gone)
        assert said.deals is not None
        assert max(said.dropped.values()) <= said.deals < 200


# ---- order of arrival


DEALS = 120


def courses() -> Iterator[tuple[tuple, dict, int]]:
    """Line-ups, rule, and seed of the values."""
    for seed in range(2):
        yield (ONE,), PRECISION | {"half_width": 0.35}, seed
        yield (ONE, OTHER), PRECISION | {"half_width": 0.4}, seed
        yield (ONE, OTHER), {"rule": "sprt", "on": "margin", "h0": 0, "h1": 0.5}, seed
        yield (ONE,), {"rule": "sprt", "on": "normalised", "h0": 0, "h1": 75}, seed
        yield (ONE, OTHER, THIRD, ALIKE), BEST_OF, seed
        yield (ONE, OTHER, THIRD), BEST_OF | {"on": "win_rate"}, seed


def drawn(looks: Looks, seed: int) -> list[Row]:
    """Rows of all deals, one in 25 with a failed match.

    With odd seeds the first arm is the best, else the last: by 0.7 deviations, or 15 wins of 100, to the next.
    """
    rng, spec, found = np.random.default_rng(seed), looks.spec, []
    for arm in range(len(spec.arms)):
        size, level = spec.num_seatings(arm), arm if seed % 2 else -arm
        own = rng.standard_normal(spec.deals) - 0.7 * level
        if spec.stop.on != "margin":
            own = rng.binomial(size, 0.55 - 0.15 * level, spec.deals) / size
        finished = size - (rng.random(spec.deals) < 0.04)
        for deal in range(spec.deals):
            found.append(Row(arm, deal, size, int(finished[deal]), float(own[deal]), 1 - float(own[deal])))
    return found


@looped("arms, stop, seed", courses)
def test_no_order_of_arrival_and_no_grouping_changes_the_verdict(made, arms, stop, seed):
    """Looked at after each group, however large: it ends at the same deal, and drops what it dropped for good."""
    rng = np.random.default_rng(seed)
    whole = made(*arms, deals=DEALS, stop=stop)
    arrived = drawn(whole, seed)
    whole.add(arrived)
    wanted = whole.ruling()
    for order, most in (("deals", 6), ("backwards", 30), ("any", 60), ("any", 300)):
        waiting = sorted(arrived, key=lambda row: row.deal if order == "deals" else -row.deal)
        if order == "any":
            waiting = [arrived[i] for i in rng.permutation(len(arrived))]
        looks = made(*arms, deals=DEALS, stop=stop)
        ended = looks.ruling()
        while waiting:
            number = int(rng.integers(1, most + 1))
            looks.add(waiting[:number])
            del waiting[:number]
            said = looks.ruling()
            assert ended.dropped.items() <= said.dropped.items()
            assert ended.deals is None or said == ended
            ended = said
        assert ended == wanted


def test_the_courses_above_have_every_end(made):
    reasons, dropped, ends = set(), 0, set()
    for arms, stop, seed in courses():
        looks = made(*arms, deals=DEALS, stop=stop)
        looks.add(drawn(looks, seed))
        said = looks.ruling()
        reasons.add(said.reason)
        ends.add(said.deals)
        dropped += len(said.dropped)
    assert reasons == {PRECISE, H0, H1, BEST, AT_PLANNED}
    assert dropped > 5
    assert len(ends) > 6


@looped("ruling", [
    Ruling(),
    Ruling(None, {3: 40, 1: 55}),
    Ruling(120, {2: 31}, BEST, 1),
    Ruling(47, {}, PRECISE),
])  # fmt: skip
def test_a_ruling_survives_json(ruling):
    assert Ruling.from_json(json.loads(json.dumps(ruling.to_json()))) == ruling


# ---- records


def match(arm: int, deal: int, rotation: int, *points: int, game: str = "dice") -> MatchRecord:
    """A finished match with these points by place of the line-up."""
    size = len(points)
    lineup = tuple((seat - rotation) % size for seat in range(size))
    scores = tuple(points[place] for place in lineup)
    teams = game == "dominoes"
    best = [score for score in scores if score == max(scores)]
    alone = len(best) == (2 if teams else 1)
    return MatchRecord(
        arm, deal, rotation, 1, 1, lineup, "finished", scores=scores,
        results=tuple(("win" if alone else "draw") if score == max(scores) else "loss" for score in scores),
        versions={game: "1"},
    )  # fmt: skip


def failed(arm: int, deal: int, rotation: int) -> MatchRecord:
    return MatchRecord(arm, deal, rotation, 1, 1, (0, 1), "failed", failure=Failure(0, "exception", "no idea"))


def values_of(looks: Looks, arm: int, deal: int) -> tuple[int, int, float, float]:
    return tuple(array[arm, deal].item() for array in (looks.ended, looks.finished, looks.own, looks.others))


def test_what_is_looked_at_in_records_by_hand(dice):
    """Wins count 1, draws and losses nothing; both seatings of a deal are worth the same."""
    looks = RecordLooks(specs.from_json(dice(ONE, deals=3, stop=SPRT)))
    looks.write([match(0, 0, 0, 9, 4), match(0, 0, 1, 9, 4)])
    looks.write([match(0, 1, 0, 5, 3)])
    looks.write([match(0, 1, 1, 2, 8)])
    looks.write([match(0, 2, 0, 6, 6), failed(0, 2, 1)])
    assert [values_of(looks.looks, 0, deal) for deal in range(3)] == [(2, 2, 1, 0), (2, 2, 0.5, 0.5), (2, 1, 0, 0)]
    assert looks.ruling == looks.looks.ruling()
    assert looks.looks.prefix({}).numbers.tolist() == [0, 1]


def test_margins_in_records_by_hand(dice):
    looks = RecordLooks(specs.from_json(dice(ONE, OTHER, deals=1, stop=PRECISION)))
    looks.write([match(0, 0, 0, 9, 4), match(0, 0, 1, 3, 6), match(1, 0, 0, 7, 7), match(1, 0, 1, 8, 6)])
    assert values_of(looks.looks, 0, 0)[2:] == (1.0, -1.0)  # +5 and -3
    assert values_of(looks.looks, 1, 0)[2:] == (1.0, -1.0)  # 0 and +2


def test_the_place_that_is_compared_is_the_first_at_which_arms_differ(dice):
    looks = RecordLooks(specs.from_json(dice(("dicer", "taker"), ("dicer", "weigher"), deals=1, stop=SPRT)))
    looks.write([match(arm, 0, rotation, 2, 8 - 7 * arm) for arm in range(2) for rotation in range(2)])
    assert [values_of(looks.looks, arm, 0)[2] for arm in range(2)] == [1.0, 0.0]


def test_equal_engines_are_one_side_and_opponents_are_all_others(dice):
    """Of three seats the side is one place or two equal ones, whose mean counts."""
    lone = RecordLooks(specs.from_json(dice(("taker", "dicer", "dicer"), deals=1, stop=SPRT)))
    lone.write([match(0, 0, rotation, *points) for rotation, points in enumerate([(9, 4, 1), (9, 4, 1), (1, 7, 9)])])
    assert values_of(lone.looks, 0, 0) == (3, 3, pytest.approx(2 / 3), pytest.approx(1 / 6))
    same = RecordLooks(specs.from_json(dice(ALIKE, deals=1, stop=SPRT)))
    same.write([match(0, 0, 0, 9, 4)])
    assert values_of(same.looks, 0, 0) == (1, 1, 0.5, 0.5)


PARTNERS = [{"engine": "scripted"}, {"engine": "random"}, {"engine": "random"}, {"engine": "random"}]


@looped("seats, turns", [(PARTNERS, 4), (PARTNERS[:2] * 2, 2)])
def test_a_partner_is_no_opponent(seats, turns):
    """Places 0 and 2 play together and win: 1 less 0, whether their engines are equal or not."""
    spec = specs.from_json({
        "version": 1, "game": "dominoes", "seats": 4, "arms": [{"name": "A", "seats": seats}], "deals": 1, "seed": 1,
        "stop": SPRT,
    })  # fmt: skip
    looks = RecordLooks(spec)
    looks.write([match(0, 0, rotation, 30, 0, 30, 0, game="dominoes") for rotation in range(turns)])
    assert values_of(looks.looks, 0, 0) == (turns, turns, 1.0, 0.0)


def test_chunks_of_a_dropped_arm_are_not_wanted(dice):
    """Two matches a deal: what begins with the match 2 * 40 is behind the deals 0 to 39."""
    looks = RecordLooks(specs.from_json(dice(ONE, OTHER, THIRD, deals=100, stop=BEST_OF)))
    assert looks.wants(ChunkSpec(1, 90, 10))
    looks.ruling = Ruling(None, {1: 40})
    assert [looks.wants(ChunkSpec(1, first, 4)) for first in (76, 79, 80, 90)] == [True, True, False, False]
    assert looks.wants(ChunkSpec(2, 90, 4))


def test_records_give_the_verdict_that_rows_give(dice):
    """Many made-up matches, against the rows made of them here."""
    spec = specs.from_json(dice(ONE, OTHER, THIRD, deals=60, stop=BEST_OF))
    rng = np.random.default_rng(8)
    points = rng.integers(0, 7, (3, 60, 2, 2)) + np.array([[[[3, 0]]], [[[0, 0]]], [[[3, 0]]]])
    records = [match(arm, deal, turn, *points[arm, deal, turn]) for arm, deal, turn in np.ndindex(3, 60, 2)]
    rng.shuffle(records)  # type: ignore[arg-type]
    looks, by_hand = RecordLooks(spec), Looks(spec)
    for first in range(0, len(records), 45):
        looks.write(records[first : first + 45])
    margins = (points[..., 0] - points[..., 1]).mean(axis=2)
    by_hand.add(row for arm in range(3) for row in rows(by_hand, arm, margins[arm]))
    assert looks.ruling == by_hand.ruling()
    assert list(looks.ruling.dropped) == [1]


def test_the_course_of_a_verdict_ends_with_it(made):
    looks = made(ONE, deals=100, stop=PRECISION)
    looks.add(rows(looks, 0, swing(100)))
    course = looks.course(looks.ruling())
    assert course.deals == tuple(range(1, 48))
    (curve,) = course.curves
    assert curve.values[0] is None  # of one deal there is no interval
    assert curve.values[45:] == (pytest.approx(0.3002, abs=5e-5), pytest.approx(0.2967, abs=5e-5))


# ---- batches


def in_batch(spec, processes: int = 1) -> tuple[list[MatchRecord], Ruling]:
    looks = RecordLooks(spec)
    return [record for chunk in batch.play(spec, processes, looks) for record in chunk], looks.ruling


@pytest.fixture
def small_chunks(monkeypatch):
    """Chunks of two or three deals of dice, and of a dozen random matches of Carcassonne."""
    monkeypatch.setattr(schedule, "CHUNK_S", 0.3)


def test_a_batch_ends_where_its_rule_does_and_plays_no_dropped_arm(dice, small_chunks, monkeypatch):
    """The second arm takes nothing from the die; the first and third take all, and can not be told apart."""
    monkeypatch.setattr(fakes.Peeker, "seen", [])
    spec = specs.from_json(dice(("taker", "dicer"), ("peeker", "dicer"), ("weigher", "dicer"), deals=60, stop=BEST_OF))
    records, said = in_batch(spec)
    assert (said.deals, said.reason, list(said.dropped)) == (60, AT_PLANNED, [1])
    played = [len({record.deal for record in records if record.arm == arm}) for arm in range(3)]
    assert played[0] == played[2] == 60
    assert said.dropped[1] <= played[1] < said.dropped[1] + 5
    assert len(fakes.Peeker.seen) == 2 * fakes.TURNS * played[1]  # nothing was played to be thrown away
    again = RecordLooks(spec)
    again.write(records)
    assert again.ruling == said


def test_arms_of_a_batch_take_turns(dice, small_chunks):
    """So that both are known up to some deal: the rule ends them before either is through."""
    spec = specs.from_json(dice(("taker", "dicer"), ("peeker", "dicer"), deals=200, stop=SPRT | {"h0": -10}))
    records, said = in_batch(spec)
    assert said.reason == H0
    assert said.deals is not None
    assert len(records) < 4 * (said.deals + 5)


@pytest.mark.long
@pytest.mark.slow
def test_two_processes_play_what_one_plays(small_chunks):
    """Fewer than the 400 matches of the plan, and to the same ruling."""
    seats = [{"engine": "scripted"}, {"engine": "random"}]
    spec = specs.from_json({
        "version": 1, "game": "carcassonne", "seats": 2, "arms": [{"name": "A", "seats": seats}], "deals": 200,
        "seed": 1, "record": "matches", "stop": {"rule": "sprt", "on": "margin", "h0": 0, "h1": 10},
    })  # fmt: skip
    (ones, said), (twos, said_by_two) = in_batch(spec), in_batch(spec, processes=2)
    assert said == said_by_two
    assert said.reason == H1
    assert LEAST <= (said.deals or 0) < 50
    assert [(r.arm, r.deal, r.rotation, r.digest, r.scores) for r in ones] == [
        (r.arm, r.deal, r.rotation, r.digest, r.scores) for r in twos
    ]
    assert len(ones) < 2 * (said.deals or 0) + 40


def test_of_two_arms_the_baseline_is_the_one_that_is_taken_off(made):
    looks = made(ONE, OTHER, deals=2, stop=SPRT, baseline=1)
    looks.add(rows(looks, 0, [0.5, 1]))
    looks.add(rows(looks, 1, [0, 0.5]))
    assert looks.prefix({}).values.tolist() == [[0, 0.5], [0.5, 1]]
