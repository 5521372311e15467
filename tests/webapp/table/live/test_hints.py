"""Hints: who may have them, what they rest on, and what becomes of one whose worker dies."""

from __future__ import annotations

from typing import Any

import pytest

from games import registry, rng
from tests.webapp.table.live import answering, tables
from webapp.records import recovery
from webapp.table.live import hint_queue, hints, player_requests, ply_writer, position_cache, table_seats
from webapp.table.live.errors import RefusedError
from webapp.table.live.hint_queue import HINTS, Hint
from webapp.table.live.models import LiveHint, LiveMatch
from webapp.table.live.plans import Terms
from worker.action_values import advice, best_actions
from worker.action_values.best_actions import Effort
from worker.stop_switch import StopSwitch

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.GAMES, "toy", "games.toy.game:Cards")
    monkeypatch.setattr(advice, "EFFORT", Effort(60))


def begun(*people: Any, **terms: Any) -> LiveMatch:
    """A match of these people, against an engine where there is one of them."""
    seats = [tables.person(person) for person in people]
    return tables.open_match(people[0], [*seats, *[tables.engine()] * (2 - len(seats))], Terms(**terms), game="toy")


def ask(match: LiveMatch, seat: int = 0) -> LiveHint:
    return hints.ask(match.pk, (seat,))


def claim(hint: LiveHint) -> Hint:
    claimed = hint_queue.take(answering.worker(), hint.pk)
    assert claimed is not None
    return claimed


def refusal(match: LiveMatch, seat: int = 0) -> str:
    with pytest.raises(RefusedError) as found:
        ask(match, seat)
    return str(found.value)


def used(match: LiveMatch) -> list[int]:
    return list(match.seats.order_by("seat").values_list("hints_used", flat=True))


class TestOne:
    """A hint from the question to what it says."""

    def test_it_is_given_to_the_seat_that_asked_and_counted_once(self, alice: Any) -> None:
        match = begun(alice)
        hint = ask(match)
        assert ask(match).pk == hint.pk
        assert hints.hint_for(match, (0,)) == {"status": "waiting", "progress": 0.0, "ply": 0, "result": None}
        answering.advise(hint)
        shown = hints.hint_for(match, (0,))
        assert shown is not None
        assert (shown["status"], used(match)) == ("done", [1, 0])
        rows = shown["result"]["rows"]
        legal = position_cache.position_at(match).game.legal_actions(position_cache.position_at(match).state)
        assert {row["action"] for row in rows} <= set(legal.tolist())
        assert [row["mean"] for row in rows] == sorted((row["mean"] for row in rows), reverse=True)
        assert hints.hint_for(match, (1,)) is None
        assert hints.hint_for(match, ()) is None
        assert ask(match).pk == hint.pk
        assert used(match) == [1, 0]

    def test_a_hint_for_a_position_that_is_past_is_neither_shown_nor_counted(self, alice: Any) -> None:
        match = begun(alice)
        hint = ask(match)
        work = claim(hint)
        ply_writer.play(
            match.pk,
            0,
            0,
            int(position_cache.position_at(match).game.legal_actions(position_cache.position_at(match).state)[0]),
        )
        work.carry_out(StopSwitch())
        match.refresh_from_db()
        assert (hints.hint_for(match, (0,)), used(match)) == (None, [0, 0])

    def test_one_that_is_called_off_is_not_counted(self, alice: Any) -> None:
        match = begun(alice)
        work = claim(ask(match))
        hints.cancel(match, (0,))
        work.carry_out(StopSwitch())
        assert (hints.hint_for(match, (0,)), used(match)) == (None, [0, 0])

    def test_one_whose_worker_dies_is_done_by_another_and_the_second_death_ends_it(self, alice: Any) -> None:
        match = begun(alice)
        hint = ask(match)
        for status in ("waiting", "failed"):
            left = claim(hint)
            HINTS.release(left.connection, left.claim)
            assert recovery.recover(HINTS) == 1
            hint.refresh_from_db()
            assert hint.status == status
        assert ask(match).pk != hint.pk


class TestWhere:
    """Tables with hints and without."""

    def test_between_people_all_have_to_agree(self, alice: Any, bob: Any) -> None:
        match = begun(alice, bob)
        assert "agreed" in refusal(match)
        player_requests.grant("allow-hints", match.pk, (0,))
        assert "alice agreed" not in refusal(match)
        assert player_requests.permissions(table_seats.look_up(match, (1,)))["allow-hints"]["is"]
        player_requests.grant("allow-hints", match.pk, (1,))
        assert ask(match).status == "waiting"
        player_requests.grant("disallow-hints", match.pk, (1,))
        assert "agreed" in refusal(match)

    def test_against_engines_nobody_has_to_agree(self, alice: Any) -> None:
        assert not player_requests.permissions(table_seats.look_up(begun(alice), (0,)))["allow-hints"]["is"]

    def test_a_bare_board_and_a_rated_match_have_none(self, alice: Any) -> None:
        match = begun(alice, has_aids=False)
        assert "bare board" in refusal(match)
        LiveMatch.objects.filter(pk=match.pk).update(has_aids=True, is_rated=True)
        assert "rated" in refusal(match)

    def test_only_who_is_on_turn_has_one(self, alice: Any) -> None:
        match = begun(alice)
        match = ply_writer.play(
            match.pk,
            0,
            0,
            int(position_cache.position_at(match).game.legal_actions(position_cache.position_at(match).state)[0]),
        )
        assert "turn" in refusal(match)


def test_what_is_shown_is_valued_by_playouts_that_did_not_choose_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.GAMES, "toy", "games.toy.game:Cards")
    game, choose = registry.get("toy"), best_actions.best

    def flattered(*given: Any) -> list[best_actions.ScoredAction]:
        return [best_actions.ScoredAction(one.action, [1e9] * 9) for one in choose(*given)]

    monkeypatch.setattr(best_actions, "best", flattered)
    state = game.initial_state(game.options(), 2)
    r = rng.new_stream(3, rng.DEAL)
    while game.current_player(state) < 0:
        state = game.apply(state, game.sample_chance(state, r))
    done: list[float] = []
    rows = advice.advice(game, state, game.current_player(state), 5, Effort(300), done.append)["rows"]
    assert {row["playouts"] for row in rows} == {100 // len(rows)}
    assert all(abs(row["mean"]) < 1e3 for row in rows)
    assert (done[0], done[-1], done) == (0.0, pytest.approx(1.0), sorted(done))


def test_a_hint_says_the_same_in_positions_that_the_seat_cannot_tell_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.GAMES, "toy_secret", "games.toy.secret:SecretCards")
    game = registry.get("toy_secret")
    state = game.initial_state(game.options(), 2)
    r = rng.new_stream(3, rng.DEAL)
    while game.current_player(state) < 0:
        state = game.apply(state, game.sample_chance(state, r))
    seat = game.current_player(state)
    other = game.determinize(game.view(state, seat), rng.new_stream(9, rng.DEAL))
    assert state.tobytes() != other.tobytes()
    found = [advice.advice(game, game.view(one, seat), seat, 5, Effort(60), lambda _: None) for one in (state, other)]
    assert found[0] == found[1]
