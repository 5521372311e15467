"""Taking back, and playing once more."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from games import registry
from tests.webapp.table.live import answering, tables
from webapp.people.accounts.models import User
from webapp.people.agents.models import Agent
from webapp.records import verification
from webapp.table.live import (
    match_limits,
    match_setup,
    observations,
    player_requests,
    plies,
    ply_writer,
    position_cache,
    table_seats,
)
from webapp.table.live.errors import OverError, RefusedError, StaleError
from webapp.table.live.memory import Memory
from webapp.table.live.models import Challenge, LiveMatch
from webapp.table.live.plans import INVITED, SeatPlan, Terms
from webapp.table.live.taking_back import SAME_DEAL

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _games(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("Calm", "Patient", "Doubtful"):
        monkeypatch.setitem(registry.GAMES, name.lower(), f"tests.webapp.table.live.calm:{name}")
    monkeypatch.setitem(registry.GAMES, "toy", "games.toy.game:Cards")


def _open(game: str, creator: Any, *plans: SeatPlan, **terms: Any) -> LiveMatch:
    return match_setup.open_match(creator, game, {}, plans, Terms(**terms))


def _act(match: LiveMatch, action: int, key: str = "") -> LiveMatch:
    thought: dict[str, Any] | None = {} if match.is_engine_due else None
    return ply_writer.play(match.pk, match.on_turn, match.ply, action, key=key, thought=thought)


def _legal(match: LiveMatch) -> list[int]:
    position = position_cache.position_at(match)
    return [int(action) for action in position.game.legal_actions(position.state)]


def _why_not(name: str, match: LiveMatch, seats: tuple[int, ...]) -> str:
    """The sentence that stands where the button would be; empty where it is."""
    return str(player_requests.permissions(table_seats.look_up(match, seats))[name]["why"])


# ---- taking back


def test_one_takes_back_the_last_ply_and_the_engines_answer(alice: Any) -> None:
    match = _open("calm", alice, tables.person(alice), tables.engine())
    match = _act(_act(match, 0), 1)
    before = observations.observe(match, (0,))
    match = _act(_act(match, 1, key="a"), 0)
    match = player_requests.grant("take-back", match.pk, (0,))
    assert (match.ply, match.plies.count(), match.is_taken_back, match.on_turn) == (2, 2, True, 0)
    after = observations.observe(match, (0,))
    assert after.version > before.version
    assert after.observation == before.observation
    assert after.actions == before.actions
    match = tables.play_on(match)
    assert verification.verify([match.match.pk]).mismatches == []


def test_among_people_all_others_have_to_agree(alice: Any, bob: Any) -> None:
    carol = User.objects.create_user("carol")
    match = _open("calm", alice, tables.person(alice), tables.person(bob), tables.person(carol))
    match = _act(_act(match, 1, key="a"), 0)
    match = player_requests.grant("take-back", match.pk, (0,))
    assert (match.ply, match.is_taken_back) == (2, False), "it is only asked"
    assert _why_not("take-back", match, (0,)) == "You have asked. The others have to agree."
    assert _why_not("take-back", match, (1,)) == "alice asks to take back."
    assert _why_not("agree-back", match, (0,)) == "Nobody else asks to take back."
    player_requests.grant("agree-back", match.pk, (1,))
    assert _why_not("agree-back", match, (1,)).startswith("You have agreed")
    match = player_requests.grant("agree-back", match.pk, (2,))
    assert (match.ply, match.is_taken_back, match.on_turn, match.spent_keys) == (0, True, 0, ["a"])
    assert not match.seats.exclude(back="").exists()


def test_what_is_declined_is_asked_again_after_the_next_move_only(alice: Any, bob: Any) -> None:
    match = _act(_open("calm", alice, tables.person(alice), tables.person(bob)), 0)
    player_requests.grant("take-back", match.pk, (0,))
    match = player_requests.grant("stop-asking", match.pk, (0,))
    assert _why_not("agree-back", match, (1,)) == "Nobody else asks to take back."
    player_requests.grant("take-back", match.pk, (0,))
    match = player_requests.grant("decline-back", match.pk, (1,))
    assert match.ply == 1
    assert _why_not("take-back", match, (0,)).startswith("That was declined.")
    match = _act(match, 0)
    assert _why_not("take-back", match, (0,)) == ""
    match = _act(player_requests.grant("take-back", match.pk, (0,)), 0)
    assert _why_not("agree-back", match, (1,)) == "Nobody else asks to take back.", "the asker has moved on"


def test_a_late_repeat_of_what_was_taken_back_plays_nothing(alice: Any) -> None:
    match = _open("calm", alice, tables.person(alice), tables.engine())
    match = _act(_act(match, 1, key="a"), 0)
    match = player_requests.grant("take-back", match.pk, (0,))
    with pytest.raises(StaleError, match="taken back"):
        ply_writer.play(match.pk, 0, 0, 1, key="a")
    assert _act(match, 0, key="b").ply == 1


def test_what_was_decided_elsewhere_is_not_played(alice: Any) -> None:
    match = _act(_open("calm", alice, tables.person(alice), tables.engine()), 1)
    claim = answering.claim(match)
    assert claim is not None
    match = player_requests.grant("take-back", _act(match, 0).pk, (0,))
    match = _act(match, 0)
    assert not ply_writer.answer(claim, 0, {})
    match.refresh_from_db()
    assert (match.ply, match.worker) == (1, "tests:0")


def test_another_process_with_an_old_memory_sees_the_new_history(alice: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    match = _open("calm", alice, tables.person(alice), tables.engine())
    match = _act(_act(match, 1), 0)
    old_course, old_match = position_cache.take_course(match), match
    match = _act(player_requests.grant("take-back", match.pk, (0,)), 0)
    position_cache.keep_course(match.pk, old_course)
    match = _act(match, 0)
    position_cache.keep_course(match.pk, old_course)
    assert position_cache.take_course(match).digest == match.digest
    monkeypatch.setattr(position_cache, "_positions", Memory(1))
    with pytest.raises(position_cache.MovedError):
        position_cache.position_at(old_match)
    with pytest.raises(position_cache.MovedError):
        plies.first_plies(old_match, old_match.ply)
    assert plies.first_plies(match, match.ply)[-1].digest == match.digest
    assert observations.observe(old_match, (0,)).version == match.version


def test_the_same_is_drawn_again_also_after_another_choice(alice: Any) -> None:
    """Two decisions of each game, the second taken back: the luck after it is that of before, whatever is chosen."""
    for game in ("carcassonne", "kingdomino", "dominion", "dominoes"):
        seats = [tables.person(alice), *[tables.engine()] * (3 if game == "dominoes" else 1)]
        match = tables.open_match(alice, seats, game=game, deal_seed=11, seed=7)
        while match.on_turn != 0 or len(_legal(match)) < 2:
            match = _act(match, _legal(match)[0])
        was, legal = match.ply, _legal(match)
        match = _act(match, legal[0], key="a")
        first = position_cache.position_at(match)
        match = player_requests.grant("take-back", match.pk, (0,))
        assert (match.ply, match.on_turn, match.is_taken_back) == (was, 0, True)
        match = _act(match, legal[0], key="b")
        assert position_cache.position_at(match).digest == first.digest, game
        match = _act(player_requests.grant("take-back", match.pk, (0,)), legal[-1])
        assert position_cache.position_at(match).outcomes == first.outcomes, game
        assert _why_not("take-back", match, (0,)) == "", "while an engine is on turn, too"


def test_one_goes_back_to_the_last_real_decision(alice: Any) -> None:
    match = _open("calm", alice, tables.person(alice), tables.engine())
    match = _act(_act(_act(match, 0), 1), 1)
    match.plies.filter(ply=2).update(legal_count=1)
    assert player_requests.grant("take-back", match.pk, (0,)).ply == 0


def test_a_deal_that_others_play_is_not_tried(alice: Any) -> None:
    origin = tables.play_on(_open("calm", alice, tables.person(alice), tables.engine()))
    of = Challenge.objects.create(code="deal", origin=origin, seat=0)
    match = _open("calm", alice, tables.person(alice), tables.engine())
    LiveMatch.objects.filter(pk=match.pk).update(challenge=of)
    assert _why_not("take-back", _act(match, 0), (0,)) == SAME_DEAL


def test_why_not(alice: Any, bob: Any) -> None:
    match = _open("calm", alice, tables.person(alice), tables.engine())
    assert _why_not("take-back", match, (0,)) == "You have not decided anything yet."
    match = _act(match, 0)
    assert _why_not("take-back", match, (0,)) == "", "before the engine has answered, too"
    match = _act(match, 0)
    assert _why_not("take-back", match, (0,)) == ""
    assert _why_not("take-back", match, ()) == "Only those who play can do that."
    rated = _open("calm", alice, tables.person(alice), tables.person(bob))
    rated.is_rated = True
    assert _why_not("take-back", rated, (0,)) == "Nothing is taken back in a rated match."
    over = tables.play_on(match)
    with pytest.raises(OverError):
        player_requests.grant("take-back", over.pk, (0,))


def test_what_was_hidden_stays_with_the_same_deal(alice: Any) -> None:
    match = _open("doubtful", alice, tables.person(alice), tables.engine())
    match = player_requests.grant("take-back", _act(match, 1).pk, (0,))
    assert (match.ply, match.is_taken_back) == (0, True)


# ---- once more


def test_a_rematch_begins_at_once_against_engines_with_everybody_one_seat_on(alice: Any) -> None:
    terms = Terms(has_aids=False, spectator_delay=2, visibility="unlisted")
    plans = [tables.person(alice), tables.engine(name="One", level="beginner"), tables.engine(name="Two")]
    match = tables.open_match(alice, plans, terms)
    assert _why_not("rematch", match, (0,)) == "The match is not over."
    player_requests.grant("resign", match.pk, (0,))
    again = player_requests.grant("rematch", match.pk, (0,))
    assert again.status == "running"
    assert [row.name for row in again.seats.order_by("seat")] == ["Two", "alice", "One"]
    assert again.seats.get(seat=2).level == "beginner"
    assert {field.name: getattr(again, field.name) for field in dataclasses.fields(Terms)} == vars(terms)
    assert (again.rematch_of, again.deal_seed != match.deal_seed) == (match, True)
    assert player_requests.grant("rematch", match.pk, (0,)) == again
    assert LiveMatch.objects.count() == 2
    match.refresh_from_db()
    assert (observations.observe(match, (0,)).rematch, observations.observe(match, ()).rematch) == (again.code, None)


def test_other_people_agree_to_a_rematch_by_asking_for_it(alice: Any, bob: Any) -> None:
    match = tables.open_match(alice, [tables.person(alice), tables.person(bob)])
    player_requests.grant("resign", match.pk, (0,))
    match.refresh_from_db()
    version = match.version
    again = player_requests.grant("rematch", match.pk, (1,))
    match.refresh_from_db()
    assert match.version == version + 1, "the page of the others tells them"
    assert (again.status, again.creator) == ("open", bob)
    assert player_requests.grant("rematch", match.pk, (1,)) == again
    assert again.seats.get(seat=1).name == INVITED
    same = player_requests.grant("rematch", match.pk, (0,))
    assert (same, same.status) == (again, "running")
    assert [row.person for row in same.seats.order_by("seat")] == [bob, alice]


def test_a_rematch_that_was_called_off_can_be_asked_for_again(alice: Any, bob: Any) -> None:
    match = tables.open_match(alice, [tables.person(alice), tables.person(bob)])
    player_requests.grant("resign", match.pk, (0,))
    first = player_requests.grant("rematch", match.pk, (1,))
    player_requests.grant("cancel", first.pk, (0,), is_creator=True)
    assert player_requests.grant("rematch", match.pk, (0,)) != first


def test_a_rematch_that_began_without_somebody_says_so(alice: Any, bob: Any, django_user_model: Any) -> None:
    match = tables.open_match(alice, [tables.person(alice), tables.person(bob)])
    player_requests.grant("resign", match.pk, (0,))
    again = player_requests.grant("rematch", match.pk, (0,))
    match_setup.join(again.pk, person=django_user_model.objects.create(username="carol"))
    with pytest.raises(RefusedError, match="begun without you"):
        player_requests.grant("rematch", match.pk, (1,))


def test_ones_own_agents_sit_down_again(alice: Any) -> None:
    agent = Agent.objects.create(owner=alice, name="bot")
    match = tables.open_match(alice, [tables.person(alice), SeatPlan(name="bot", agent=agent)])
    player_requests.grant("resign", match.pk, (0,))
    again = player_requests.grant("rematch", match.pk, (0,))
    assert (again.status, again.seats.get(seat=0).agent) == ("running", agent)
    assert player_requests.grant("rematch", match.pk, (1,)) == again


def _against_bot(alice: Any, bob: Any) -> LiveMatch:
    """A match that is over of Alice, who set it up, and Bob's agent."""
    agent = Agent.objects.create(owner=bob, name="bot")
    match = tables.open_match(alice, [tables.person(alice), SeatPlan(name="bot", agent=agent)])
    return player_requests.grant("resign", match.pk, (0,))


def test_the_agents_of_others_are_asked_first(alice: Any, bob: Any) -> None:
    match = _against_bot(alice, bob)
    again = player_requests.grant("rematch", match.pk, (0,))
    assert (again.status, again.creator, again.seats.get(seat=0).name) == ("open", alice, INVITED)
    assert player_requests.grant("rematch", match.pk, (1,)) == again
    again.refresh_from_db()
    assert (again.status, again.seats.get(seat=0).agent.name) == ("running", "bot")


@pytest.mark.parametrize(("seat", "limit"), [(0, "MAX_LIVE"), (1, "MAX_UNFINISHED")])
def test_a_rematch_counts_as_any_other_match(
    seat: int, limit: str, alice: Any, bob: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = _against_bot(alice, bob)
    monkeypatch.setattr(match_limits, limit, 0)
    with pytest.raises(RefusedError, match="have 0 matches open or running"):
        player_requests.grant("rematch", match.pk, (seat,))
    player_requests.grant("rematch", match.pk, (1 - seat,))
    with pytest.raises(RefusedError, match="have 0 matches open or running"):
        player_requests.grant("rematch", match.pk, (seat,))


def test_an_agent_asks_in_its_owner_s_name(alice: Any, bob: Any) -> None:
    again = player_requests.grant("rematch", _against_bot(alice, bob).pk, (1,))
    assert (again.status, again.creator, again.seats.get(seat=0).agent.name) == ("open", bob, "bot")
    assert (again.seats.get(seat=1).kind, again.seats.get(seat=1).person) == ("open", None)


def test_an_engine_that_is_no_more_is_said_in_words(alice: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from engines import registry as engine_registry

    match = tables.open_match(alice, [tables.person(alice), tables.engine()])
    player_requests.grant("resign", match.pk, (0,))
    monkeypatch.delitem(engine_registry.ENGINES, "random")
    with pytest.raises(RefusedError, match="cannot be opened again"):
        player_requests.grant("rematch", match.pk, (0,))
