"""Two at once: one of them wins, the other is refused in words, and nobody waits for ever."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from engines.protocol import Budget
from tests.webapp.play.ratings.matches import lose, open_rated
from tests.webapp.table.live import tables
from webapp.lab.jobs import services
from webapp.people.accounts import guests
from webapp.people.accounts.models import User
from webapp.play.ratings.models import Rating
from webapp.records import lineups
from webapp.records.models import Experiment
from webapp.table.live import (
    departures,
    guest_matches,
    match_end,
    match_setup,
    player_requests,
    ply_writer,
    position_cache,
)
from webapp.table.live.errors import OverError, RefusedError, StaleError
from webapp.table.live.models import LiveMatch
from webapp.table.live.plans import SeatPlan, Terms
from worker import spec as specs
from worker.spec import ArmSpec, SeatSpec

pytestmark = pytest.mark.django_db(transaction=True)

DEADLINE_S = 60.0


@pytest.fixture
def match(alice: Any, bob: Any) -> LiveMatch:
    return tables.open_match(alice, [tables.person(alice), tables.person(bob)])


def together(*calls: Callable[[], Any]) -> list[Any]:
    """What each call gave or raised, all begun at the same moment in threads of their own."""
    barrier, found = threading.Barrier(len(calls)), [None] * len(calls)

    def run(index: int) -> None:
        try:
            connection.ensure_connection()
            barrier.wait(DEADLINE_S)
            found[index] = calls[index]()
        except Exception as error:
            found[index] = error
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(index,)) for index in range(len(calls))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(DEADLINE_S)
        assert not thread.is_alive(), "somebody waits for ever"
    return found


def break_off(match: LiveMatch) -> LiveMatch:
    """End a match before its end."""
    with transaction.atomic():
        locked = ply_writer.lock_match(match.pk)
        match_end.end(locked, "absent", 0, "alice was away.")
    return locked


def _legal(match: LiveMatch) -> list[int]:
    position = position_cache.position_at(match)
    return [int(action) for action in position.game.legal_actions(position.state)]


def _refused(found: list[Any]) -> list[RefusedError]:
    """Those that were refused; nothing else may have gone wrong."""
    errors = [one for one in found if isinstance(one, Exception)]
    assert all(isinstance(error, RefusedError) and str(error) for error in errors), errors
    return errors


def test_the_same_action_twice_is_one_ply(match: LiveMatch) -> None:
    action = _legal(match)[0]
    found = together(*[lambda: ply_writer.play(match.pk, 0, 0, action, key="k")] * 4)
    assert _refused(found) == []
    assert [one.ply for one in found] == [1] * 4
    assert match.plies.count() == 1


def test_two_actions_of_two_tabs_are_one_ply(match: LiveMatch) -> None:
    first, second = _legal(match)[:2]
    found = together(
        lambda: ply_writer.play(match.pk, 0, 0, first, key="a"),
        lambda: ply_writer.play(match.pk, 0, 0, second, key="b"),
    )
    (error,) = _refused(found)
    assert isinstance(error, StaleError)
    assert match.plies.count() == 1


def test_an_action_against_a_resignation(match: LiveMatch) -> None:
    action = _legal(match)[0]
    found = together(
        lambda: ply_writer.play(match.pk, 0, 0, action, key="a"),
        lambda: player_requests.grant("resign", match.pk, (1,)),
    )
    match.refresh_from_db()
    assert match.ending["kind"] == "resigned"
    assert match.plies.count() == match.ply
    for error in _refused(found):
        assert isinstance(error, OverError)
        assert match.ply == 0


def test_the_last_ply_against_a_resignation(match: LiveMatch) -> None:
    match = tables.play_on(match, 70)
    seat, action = match.on_turn, _legal(match)[0]
    found = together(
        lambda: ply_writer.play(match.pk, seat, 70, action),
        lambda: player_requests.grant("resign", match.pk, (1 - seat,)),
    )
    assert len(_refused(found)) == 1
    match.refresh_from_db()
    assert match.status in ("finished", "ended")
    assert Experiment.objects.filter(kind="play").count() == 1
    assert match.match.plies.count() == match.ply


def test_the_last_seat_is_taken_by_one(alice: Any, bob: Any) -> None:
    carol = get_user_model().objects.create(username="carol")
    match = tables.open_match(alice, [tables.person(alice), SeatPlan()])
    found = together(lambda: match_setup.join(match.pk, person=bob), lambda: match_setup.join(match.pk, person=carol))
    assert len(_refused(found)) == 1
    match.refresh_from_db()
    assert match.status == "running"
    assert match.seats.get(seat=1).person in (bob, carol)


def test_a_double_click_takes_one_seat(alice: Any, bob: Any) -> None:
    match = tables.open_match(alice, [tables.person(alice), SeatPlan(), SeatPlan()])
    found = together(*[lambda: match_setup.join(match.pk, person=bob)] * 3)
    assert _refused(found) == []
    assert match.seats.filter(person=bob).count() == 1


def test_joining_against_cancelling(alice: Any, bob: Any) -> None:
    match = tables.open_match(alice, [tables.person(alice), SeatPlan()])
    found = together(
        lambda: match_setup.join(match.pk, person=bob),
        lambda: player_requests.grant("cancel", match.pk, (0,), is_creator=True),
    )
    match.refresh_from_db()
    assert len(_refused(found)) == 1
    assert match.status == ("cancelled" if isinstance(found[0], Exception) else "running")


def test_both_who_ask_get_one_rematch(match: LiveMatch) -> None:
    player_requests.grant("resign", match.pk, (0,))
    found = together(*[lambda seat=seat: player_requests.grant("rematch", match.pk, (seat,)) for seat in (0, 1, 0, 1)])
    assert _refused(found) == []
    assert len({one.pk for one in found}) == 1
    assert LiveMatch.objects.get(rematch_of=match).status == "running"


def test_both_who_offer_end_the_match_once(match: LiveMatch) -> None:
    found = together(*[lambda seat=seat: player_requests.grant("offer-end", match.pk, (seat,)) for seat in (0, 1)])
    assert _refused(found) == []
    match.refresh_from_db()
    assert match.ending["kind"] == "agreed"


def test_two_sweepers_end_each_overdue_match_once(alice: Any, bob: Any) -> None:
    terms = Terms(ply_limit_s=60, replaces_absent=False)
    for _ in range(6):
        tables.open_match(alice, [tables.person(alice), tables.person(bob)], terms)
    later = timezone.now() + timedelta(seconds=61)
    assert sum(together(lambda: departures.enforce(later), lambda: departures.enforce(later))) == 6
    assert set(LiveMatch.objects.values_list("status", "version")) == {("ended", 3)}


def test_an_action_against_the_sweeper(alice: Any, bob: Any) -> None:
    match = tables.open_match(alice, [tables.person(alice), tables.person(bob)], Terms(ply_limit_s=60))
    action, later = _legal(match)[0], timezone.now() + timedelta(seconds=61)
    found = together(lambda: ply_writer.play(match.pk, 0, 0, action), lambda: departures.enforce(later))
    match.refresh_from_db()
    is_replaced = match.seats.get(seat=0).kind == "engine"
    assert len(_refused(found)) == (1 if is_replaced else 0)
    assert match.ply == (0 if is_replaced else 1)


def test_a_guest_who_opens_two_matches_at_once_has_one() -> None:
    guest = User.objects.create(username=f"{guests.NAME}1", is_guest=True)
    plans = [SeatPlan(name="Guest", person=guest), tables.engine()]
    found = together(*[lambda: tables.open_match(guest, plans)] * 3)
    assert len(_refused(found)) == 2
    assert LiveMatch.objects.count() == 1


def test_one_form_sent_twice_opens_one_match(alice: Any) -> None:
    form, plans = uuid.uuid4(), [tables.person(alice), tables.engine()]
    found = together(*[lambda: tables.open_match(alice, plans, submission=form)] * 2)
    assert all(isinstance(one, LiveMatch | IntegrityError) for one in found)
    assert LiveMatch.objects.count() == 1


def test_signing_in_while_the_match_ends(alice: Any) -> None:
    guest = User.objects.create(username=f"{guests.NAME}1", is_guest=True)
    match = tables.open_match(guest, [SeatPlan(name="Guest", person=guest), tables.engine()])
    match = tables.play_on(match, 2)
    found = together(
        lambda: player_requests.grant("resign", match.pk, (0,)), lambda: guest_matches.adopt(guest.pk, alice)
    )
    assert _refused(found) == []
    match.refresh_from_db()
    assert (match.creator, match.seats.get(seat=0).person, match.status) == (alice, alice, "ended")
    assert match.match.experiment.owner == alice


def test_a_rematch_while_its_guest_signs_in(alice: Any) -> None:
    guest = User.objects.create(username=f"{guests.NAME}1", is_guest=True)
    match = tables.open_match(guest, [SeatPlan(name="Guest", person=guest), tables.engine()])
    player_requests.grant("resign", match.pk, (0,))
    found = together(
        lambda: player_requests.grant("rematch", match.pk, (0,)), lambda: guest_matches.adopt(guest.pk, alice)
    )
    assert _refused(found) == []
    assert set(LiveMatch.objects.values_list("creator__username", flat=True)) == {"alice"}
    assert LiveMatch.objects.count() == 2
    assert not User.objects.filter(is_guest=True).exists()


def test_a_match_that_comes_while_its_guest_signs_in_is_kept_or_refused(alice: Any) -> None:
    guest = User.objects.create(username=f"{guests.NAME}1", is_guest=True)
    plans = [SeatPlan(name="Guest", person=guest), tables.engine()]
    found = together(lambda: tables.open_match(guest, plans), lambda: guest_matches.adopt(guest.pk, alice))
    assert len(_refused(found)) + LiveMatch.objects.filter(creator=alice).count() == 1
    assert not User.objects.filter(is_guest=True).exists()


def test_two_sweepers_call_each_old_match_off_once(alice: Any) -> None:
    for _ in range(5):
        tables.open_match(alice, [tables.person(alice), SeatPlan()])
    later = timezone.now() + match_setup.OPEN_FOR
    assert sum(together(lambda: match_setup.call_off_old(later), lambda: match_setup.call_off_old(later))) == 5
    assert set(LiveMatch.objects.values_list("status", "version")) == {("cancelled", 2)}


def test_two_sweepers_forget_each_guest_once() -> None:
    long_ago = timezone.now() - timedelta(days=31)
    for n in range(5):
        User.objects.create(username=f"{guests.NAME}{n}", is_guest=True, date_joined=long_ago)
    forget = lambda: guest_matches.forget_idle_guests(timezone.now())
    assert sum(together(forget, forget)) == 5
    assert not User.objects.filter(is_guest=True).exists()


def test_deleting_an_experiment_while_its_last_match_ends(alice: Any, bob: Any) -> None:
    agent = SeatSpec(f"{lineups.AGENT}bot", {}, Budget())
    spec = specs.ExperimentSpec("carcassonne", {}, 2, (ArmSpec("bots", (agent, agent)),), 1, "none", 1)
    experiment = Experiment.objects.create(
        owner=alice, title="x", game="carcassonne", spec=specs.to_json(spec), num_matches=1, status="stopped"
    )
    lineups.add_arms(experiment, spec.arms)
    plans = [tables.person(alice), tables.person(bob)]
    match = tables.play_on(tables.open_match(alice, plans, experiment=experiment), 3)
    found = together(lambda: break_off(match), lambda: services.delete(experiment))
    assert isinstance(found[0], LiveMatch), found
    if found[1] is not None:  # it was asked for a moment too early
        assert isinstance(found[1], RefusedError), found
        services.delete(experiment)
    assert not LiveMatch.objects.exists()


def test_matches_that_end_at_once_all_count(alice: Any, bob: Any) -> None:
    matches = [open_rated(alice, bob) for _ in range(6)]
    found = together(*(partial(lose, match, 0) for match in matches))
    assert not [error for error in found if isinstance(error, Exception)]
    rows = Rating.objects.filter(game="carcassonne")
    assert {(row.person.username, row.num_matches, row.wins, row.losses) for row in rows} == {
        ("alice", 6, 0, 6),
        ("bob", 6, 6, 0),
    }
