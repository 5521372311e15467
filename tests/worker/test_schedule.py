import itertools

import pytest

from games import rng
from worker import schedule
from worker import spec as specs
from worker.schedule import CHUNK_S, FIRST_CHUNK_S, MAX_CHUNK_S, ChunkSpec


@pytest.fixture
def spec(dice):
    """Two arms of three seats, four deals."""
    return specs.from_json(dice(("taker", "dicer", "weigher"), ("dicer", "dicer", "taker"), record="full"))


def test_rotation_moves_every_entry_one_seat_on():
    # Entry 0 sits in seats 0, 1, 2 in turn: seat -> entry.
    assert [schedule.lineup(3, rotation) for rotation in range(3)] == [(0, 1, 2), (2, 0, 1), (1, 2, 0)]


def test_two_seats_swap():
    assert [schedule.lineup(2, rotation) for rotation in range(2)] == [(0, 1), (1, 0)]


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_entry_i_sits_in_seat_i_plus_r(seats):
    for rotation, entry in itertools.product(range(seats), repeat=2):
        assert schedule.lineup(seats, rotation)[(entry + rotation) % seats] == entry


def test_matches_come_in_the_order_of_their_ordinals(spec):
    matches = list(schedule.match_specs(spec, 1, 2, 5))
    assert [(m.arm, m.deal, m.rotation) for m in matches] == [(1, 0, 2), (1, 1, 0), (1, 1, 1), (1, 1, 2), (1, 2, 0)]


def test_a_match_is_complete(spec):
    match = schedule.match_spec(spec, 0, 4)
    assert (match.game, match.options, match.record) == ("dice", {"bonus": 0}, "full")
    assert (match.deal, match.rotation, match.lineup) == (1, 1, (2, 0, 1))
    assert [seat.engine for seat in match.seats] == ["weigher", "taker", "dicer"]
    assert match.seed == schedule.match_seed(7, 0, 1, 1)
    assert match.deal_seed == schedule.deal_seed(7, 1)


def test_without_rotation_every_deal_is_played_once(dice):
    spec = specs.from_json(dice(("taker", "dicer"), rotation="none"))
    assert [(m.deal, m.rotation, m.lineup) for m in schedule.expand(spec)] == [(deal, 0, (0, 1)) for deal in range(4)]


def test_expand_holds_every_match_once(spec):
    found = [(m.arm, m.deal, m.rotation) for m in schedule.expand(spec)]
    assert found == list(itertools.product(range(2), range(4), range(3)))
    assert len(found) == spec.num_matches


def test_a_deal_is_common_to_arms_and_rotations(spec):
    seeds = {}
    for match in schedule.expand(spec):
        seeds.setdefault(match.deal, set()).add(match.deal_seed)
    assert [len(found) for found in seeds.values()] == [1, 1, 1, 1]
    assert len(set.union(*seeds.values())) == 4


def test_every_match_has_a_seed_of_its_own(spec):
    matches = list(schedule.expand(spec))
    seeds = {m.seed for m in matches} | {m.deal_seed for m in matches}
    assert len(seeds) == len(matches) + spec.deals
    assert all(0 <= seed < 2**63 for seed in seeds)


def test_seeds_stay_what_they_are():
    # Stored experiments replay from these: the formulas must never change.
    assert schedule.deal_seed(7, 3) == rng.mix(7, rng.SCHEDULE, 0, 3) // 2
    assert schedule.match_seed(7, 1, 3, 2) == rng.mix(7, rng.SCHEDULE, 1, 1, 3, 2) // 2
    assert (schedule.deal_seed(7, 3), schedule.match_seed(7, 1, 3, 2)) == (7530118680802421813, 5664043448709342595)


def test_another_experiment_seed_gives_other_deals():
    assert schedule.deal_seed(7, 3) != schedule.deal_seed(8, 3)


def test_a_match_outside_the_experiment_is_refused(spec, subtests):
    wrong = {(2, 0): "no arm 2", (-1, 0): "no arm -1", (0, 12): "no match 12 in arm 0", (0, -1): "no match -1"}
    for (arm, ordinal), words in wrong.items():
        with subtests.test(), pytest.raises(ValueError, match=words):
            schedule.match_spec(spec, arm, ordinal)


def ordinals(chunks, arm):
    return [n for chunk in sorted(chunks) if chunk.arm == arm for n in range(chunk.first, chunk.first + chunk.size)]


def test_chunks_hold_every_match_once_and_last_one_to_ten_seconds(dice, subtests):
    for seconds in [0.0, 1e-6, 0.002, 0.07, 0.5, 1.0, 2.9, 3.4, 9.0, 11.0, 400.0]:
        for deals in [1, 7, 250]:
            with subtests.test(seconds=seconds, deals=deals):
                spec = specs.from_json(dice(("taker", "dicer", "dicer"), ("dicer", "dicer", "taker"), deals=deals))
                chunks = list(schedule.chunks(spec, [seconds, seconds]))
                for arm in (0, 1):
                    assert ordinals(chunks, arm) == list(range(deals * 3))
                for chunk in chunks:
                    assert chunk.size * seconds <= MAX_CHUNK_S or chunk.size == 1
                    if seconds * 3 <= MAX_CHUNK_S:
                        assert chunk.first % 3 == chunk.size % 3 == 0
                    else:
                        assert chunk.first // 3 == (chunk.first + chunk.size - 1) // 3
                # Short ones are the first four of an arm, and what is left over at the end of these.
                assert sum(chunk.size * seconds < min(1.0, deals * 3 * seconds) for chunk in chunks) <= 2 * 5


def test_chunks_are_even():
    assert list(schedule._even_cuts(10, 1.0)) == [(0, 2), (2, 3), (5, 2), (7, 3)]
    assert list(schedule._even_cuts(3, CHUNK_S)) == [(0, 1), (1, 1), (2, 1)]


def test_arms_grow_side_by_side(dice):
    spec = specs.from_json(dice(("taker", "dicer"), ("dicer", "weigher"), deals=3))
    assert list(schedule.chunks(spec, [1.0, 2.0])) == [
        ChunkSpec(0, 0, 2),
        ChunkSpec(1, 0, 2),
        ChunkSpec(0, 2, 2),
        ChunkSpec(1, 2, 2),
        ChunkSpec(0, 4, 2),
        ChunkSpec(1, 4, 2),
    ]


def test_a_quick_arm_does_not_run_ahead_of_a_slow_one(dice):
    spec = specs.from_json(dice(("taker", "dicer"), ("dicer", "weigher"), deals=3000))
    seconds, done = [0.0001, 0.002], [0, 0]
    # A deal, both ways, takes an arm 2.1 ms on average, and all arms are cut behind the same deals: so what
    # one is ahead is what an arm plays on average in the longest stretch between two cuts, or in the first.
    deal_s = 2 * sum(seconds) / 2
    for chunk in schedule.chunks(spec, seconds):
        assert chunk.first == done[chunk.arm]
        done[chunk.arm] += chunk.size
        assert abs(done[0] - done[1]) <= 2 * CHUNK_S / deal_s
        if not done[1]:
            assert done[0] <= 2 * FIRST_CHUNK_S / deal_s, "the first cut comes soon"
    assert done == [6000, 6000]


@pytest.mark.parametrize("arms", [1, 2, 10])
def test_under_a_stop_rule_a_round_of_all_arms_is_short(dice, arms):
    """It takes as long as otherwise a chunk of one arm, or a fiftieth of what was played; the first doubles apart."""
    lineups = [("taker", "dicer")] * arms
    spec = specs.from_json(dice(*lineups, deals=20_000) | {"stop": {"rule": "precision", "half_width": 1}})
    played, rounds, chunks = 0.0, 0, list(schedule.chunks(spec, [0.01] * arms))
    for start in range(0, len(chunks), arms):
        round_of = chunks[start : start + arms]
        assert {(chunk.first, chunk.size) for chunk in round_of} == {(round_of[0].first, round_of[0].size)}
        took = arms * round_of[0].size * 0.01
        assert took <= max(CHUNK_S, arms * FIRST_CHUNK_S, played / 50) + arms * 0.02
        played, rounds = played + took, rounds + 1
    assert played == pytest.approx(arms * 400)
    assert rounds <= 400 / CHUNK_S + 200, "late chunks are as long as ever"


def test_one_estimate_per_arm_is_needed(spec):
    with pytest.raises(ValueError, match="2 estimates are needed, not 1"):
        list(schedule.chunks(spec, [1.0]))
