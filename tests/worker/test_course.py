import itertools

import pytest

from games import registry, rng
from games.protocol import TERMINAL, IllegalActionError
from worker import course as courses
from worker.course import Course, Renewal, replay


def test_a_digest_is_splitmix64_of_the_last_digest_and_the_key():
    # splitmix64 started at 0 gives 0xE220A8397B1DCDAF first (published vector), negative as signed.
    assert courses.chain(5, 5) == 0xE220A8397B1DCDAF - 2**64
    assert courses.chain(0, 0) == courses.chain(-1, 2**64 - 1)


def test_digests_fit_a_bigint_and_follow_the_order():
    first = courses.chain(courses.chain(0, 1), 2)
    second = courses.chain(courses.chain(0, 2), 1)
    assert first != second
    assert -(2**63) <= first < 2**63


def test_a_course_starts_at_the_first_decision(dice):
    course = Course(registry.get("dice"), {"bonus": 4}, 2, 11)
    assert (course.player, course.ply, course.digest) == (0, 0, 0)
    assert course.outcomes == (course.state[3],)
    assert course.game.scores(course.state) == (4, 4)


def test_chance_happens_between_plies_and_enters_the_digest(dice):
    course = Course(registry.get("dice"), {}, 2, 11)
    course.advance(0)
    assert (course.player, course.ply, len(course.outcomes)) == (1, 1, 1)
    assert course.digest == courses.chain(0, course.game.key(course.state))


def test_nothing_happens_after_the_end(dice):
    *_, course = replay("dice", {}, 2, 11, [0] * 6)
    assert (course.player, course.ply, course.outcomes) == (TERMINAL, 6, ())


def test_the_deal_does_not_depend_on_what_seats_do(dice):
    for seats in (2, 3):
        plies = 3 * seats
        rolls = [
            [course.outcomes for course in replay("dice", {}, seats, 5, actions)]
            for actions in ([0] * plies, [1] * plies)
        ]
        assert rolls[0] == rolls[1]


def test_other_deals_have_other_luck(dice):
    rolls = {tuple(course.outcomes for course in replay("dice", {}, 2, seed, [0] * 6)) for seed in range(8)}
    assert len(rolls) == 8


def test_the_deal_comes_from_the_stream_of_its_seed(dice):
    game = registry.get("dice")
    deal = game.deal(None, 2, rng.new_stream(5, rng.DEAL))
    rolls = [deal.draw(None) for _ in range(6)]
    found = list(itertools.chain(*(course.outcomes for course in replay("dice", {}, 2, 5, [0] * 6))))
    assert found == rolls


def test_replay_stands_before_the_first_and_after_every_action(dice):
    plies = [(course.ply, course.player) for course in replay("dice", {}, 2, 5, [1, 0, 1])]
    assert plies == [(0, 0), (1, 1), (2, 0), (3, 1)]


def test_replay_refuses_an_illegal_action(dice):
    with pytest.raises(IllegalActionError):
        list(replay("dice", {}, 2, 5, [0, 7]))


def test_renewed_luck_keeps_what_was_known_and_draws_the_rest_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.GAMES, "toy", "games.toy.game:Cards")
    game = registry.get("toy")

    def states(renewal: Renewal | None) -> list[bytes]:
        course = Course(game, {}, 2, 11, renewal)
        found = [course.state.tobytes()]
        while course.player >= 0:
            course.advance(int(game.legal_actions(course.state)[0]))
            found.append(course.state.tobytes())
        return found

    dealt, renewed = states(None), [states(Renewal(2, seed)) for seed in range(8)]
    assert all(one[:3] == dealt[:3] for one in renewed)
    assert len({one[3] for one in renewed}) > 1
    assert states(Renewal(2, 5)) == renewed[5]
