"""Guests: what they may play, what they keep, and when they are forgotten."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from engines.protocol import Budget
from tests.webapp.table.live import tables
from webapp.people.accounts import guests
from webapp.people.accounts.models import User
from webapp.records import verification
from webapp.records.models import Experiment
from webapp.table.live import deal_sights, guest_matches, guest_rules, match_setup, player_requests
from webapp.table.live.errors import RefusedError
from webapp.table.live.models import DealSight, LiveMatch
from webapp.table.live.plans import SeatPlan
from worker.spec import SeatSpec, SpecError

pytestmark = pytest.mark.django_db
PASSWORD = "correct horse battery"


@pytest.fixture
def guest(db: None) -> User:
    return User.objects.create(username=f"{guests.NAME}12ab", is_guest=True, preferences={"motion": "off"})


@pytest.fixture
def browser_of_guest(client: Client, guest: User) -> Client:
    session = client.session
    session[guests.SESSION_KEY] = guest.pk
    session.save()
    return client


def _seat(guest: User) -> SeatPlan:
    return SeatPlan(name="Guest", person=guest)


def _uct(**budget: float) -> SeatPlan:
    return tables.engine(SeatSpec("uct", {}, Budget(**budget)), "UCT")  # type: ignore[arg-type]


def _sign_up(client: Client, name: str = "carol") -> Any:
    data = {"username": name, "password1": PASSWORD, "password2": PASSWORD}
    return client.post(reverse("accounts:sign_up"), data)


# ---- what guests may


def test_guests_play_one_match_against_engines(guest: User, bob: Any) -> None:
    match = tables.open_match(guest, [_seat(guest), tables.engine()])
    for plans in ([_seat(guest), tables.engine()], [_seat(guest), SeatPlan()], [_seat(guest), tables.person(bob)]):
        with pytest.raises(RefusedError, match="Guests play"):
            tables.open_match(guest, plans)
    player_requests.grant("resign", match.pk, (0,))
    tables.open_match(guest, [_seat(guest), tables.engine()])


def test_guests_cannot_sit_down_with_others(guest: User, alice: Any) -> None:
    match = tables.open_match(alice, [tables.person(alice), SeatPlan()])
    with pytest.raises(RefusedError, match="Guests play against engines"):
        match_setup.join(match.pk, person=guest)


def test_engines_of_guests_think_a_second_at_most(guest: User) -> None:
    for plan in (_uct(seconds_per_ply=2.0), _uct(simulations=1_000_000)):
        with pytest.raises(RefusedError, match="1 s a move"):
            tables.open_match(guest, [_seat(guest), plan])
    tables.open_match(guest, [_seat(guest), _uct(seconds_per_ply=1.0)])
    assert LiveMatch.objects.count() == 1


def test_a_level_may_count_what_it_was_measured_with(monkeypatch: pytest.MonkeyPatch) -> None:
    from engines import levels

    spec = SeatSpec("uct", {}, Budget(simulations=800))
    level = levels.Level("fair", "Fair", "", "uct", {}, {"simulations": 800}, False, None)
    assert not guest_rules.is_quick("carcassonne", spec, "fair")
    monkeypatch.setattr(levels, "for_game", lambda game_id: (level,))
    assert guest_rules.is_quick("carcassonne", spec, "fair")
    assert not guest_rules.is_quick("carcassonne", SeatSpec("uct", {}, Budget(simulations=900)), "fair")


# ---- what they keep


@pytest.mark.long
def test_signing_up_makes_the_guest_the_account(browser_of_guest: Client, guest: User) -> None:
    finished = tables.play_on(tables.open_match(guest, [_seat(guest), tables.engine()]))
    running = tables.play_on(tables.open_match(guest, [tables.engine(), _seat(guest)]), 2)
    page = browser_of_guest.get(reverse("accounts:sign_up")).content.decode()
    assert guest.username not in page
    assert "move to your account" in page
    _sign_up(browser_of_guest)
    account = User.objects.get(username="carol")
    assert (account.pk, account.is_guest, account.check_password(PASSWORD)) == (guest.pk, False, True)
    assert guests.SESSION_KEY not in browser_of_guest.session
    assert running.seats.get(seat=1).name == "carol"
    record = finished.match.experiment
    record.refresh_from_db()
    assert record.title == "carol : Random"
    assert record.spec["arms"][0]["seats"][0]["options"] == {"name": "carol"}
    assert finished.match.seats.get(seat=0).configuration.options == {"name": "carol"}
    assert verification.verify([finished.match.pk]).mismatches == []


def test_a_failed_sign_up_changes_no_guest(browser_of_guest: Client, guest: User, bob: Any) -> None:
    assert "already" in _sign_up(browser_of_guest, "Bob").content.decode()
    assert "are for guests" in _sign_up(browser_of_guest, "guest-me").content.decode()
    guest.refresh_from_db()
    assert guest.is_guest
    assert guests.SESSION_KEY in browser_of_guest.session


@pytest.mark.long
def test_signing_in_moves_the_matches(browser_of_guest: Client, guest: User, alice: Any) -> None:
    own = tables.play_on(tables.open_match(alice, [tables.person(alice), tables.engine()]), 1)
    finished = tables.play_on(tables.open_match(guest, [_seat(guest), tables.engine()]))
    running = tables.play_on(tables.open_match(guest, [_seat(guest), tables.engine()]), 2)
    for person, seed in ((alice, 7), (guest, 7), (guest, 8)):
        DealSight.objects.create(person=person, deal_seed=seed)
    browser_of_guest.post(reverse("accounts:login"), {"username": "alice", "password": "password"})
    assert not User.objects.filter(pk=guest.pk).exists()
    mine = LiveMatch.objects.filter(creator=alice, seats__person=alice, seats__name="alice")
    assert {match.pk for match in mine} == {own.pk, finished.pk, running.pk}
    assert Experiment.objects.get(pk=finished.match.experiment_id).owner == alice
    alice.refresh_from_db()
    assert alice.preferences == {"motion": "off"}
    assert set(deal_sights.seeds_seen(alice)) == {7, 8}
    assert tables.play_on(running).status == "finished"


def test_signing_in_to_an_account_takes_nothing_from_another_account(client: Client, alice: Any, bob: Any) -> None:
    session = client.session
    session[guests.SESSION_KEY] = bob.pk  # was a guest once, has signed up elsewhere since
    session.save()
    match = tables.open_match(bob, [tables.person(bob), tables.engine()])
    client.post(reverse("accounts:login"), {"username": "alice", "password": "password"})
    assert User.objects.filter(pk=bob.pk).exists()
    assert match.seats.get(seat=0).person == bob


def test_who_was_replaced_keeps_the_name_there(guest: User, alice: Any) -> None:
    match = tables.open_match(alice, [tables.person(alice), SeatPlan(name="Guest", person=guest), tables.engine()])
    player_requests.grant("resign", match.pk, (1,))
    tables.play_on(match)
    guest_matches.adopt(guest.pk, alice)
    entry = match.seats.get(seat=1)
    assert (entry.kind, entry.replaced[0]["name"]) == ("engine", "alice")
    match.refresh_from_db()
    assert match.match.seats.get(seat=1).configuration.options == {"name": f"alice, then {entry.name}"}


# ---- opening twice


def test_the_same_form_opens_one_match_for_its_creator_alone(alice: Any, bob: Any) -> None:
    form = uuid.uuid4()
    plans = [tables.person(alice), tables.engine()]
    first = tables.open_match(alice, plans, submission=form)
    assert tables.open_match(alice, plans, submission=form) == first


def test_a_seat_is_for_one(alice: Any) -> None:
    both = SeatPlan(name="alice", person=alice, engine=tables.RANDOM)
    with pytest.raises(SpecError, match=r"seats\[1\]"):
        tables.open_match(alice, [tables.person(alice), both])
    with pytest.raises(SpecError, match=r"seats\[1\]\.budget"):
        tables.open_match(alice, [tables.person(alice), _uct()])
    assert not LiveMatch.objects.exists()


# ---- whom the lab forgets


def _long_ago(guest: User, *matches: LiveMatch) -> Any:
    past = timezone.now() - timedelta(days=31)
    User.objects.filter(pk=guest.pk).update(date_joined=past)
    rows = LiveMatch.objects.filter(pk__in=[match.pk for match in matches])
    rows.update(created_at=past, turn_began_at=past)
    return timezone.now()


def test_idle_guests_are_forgotten_with_their_matches(guest: User) -> None:
    match = tables.play_on(tables.open_match(guest, [_seat(guest), tables.engine()]), 2)
    assert guest_matches.forget_idle_guests(timezone.now()) == 0
    now = _long_ago(guest, match)
    assert guest_matches.forget_idle_guests(now) == 1
    assert not LiveMatch.objects.exists()
    assert not User.objects.filter(pk=guest.pk).exists()
    assert guest_matches.forget_idle_guests(now) == 0


def test_guests_with_a_record_or_a_match_played_lately_stay(guest: User, alice: Any) -> None:
    match = tables.play_on(tables.open_match(guest, [_seat(guest), tables.engine()]), 2)
    now = _long_ago(guest, match)
    LiveMatch.objects.filter(pk=match.pk).update(turn_began_at=now - timedelta(days=29))
    assert guest_matches.forget_idle_guests(now) == 0
    tables.play_on(match)
    LiveMatch.objects.update(created_at=now - timedelta(days=99), ended_at=now - timedelta(days=99))
    assert guest_matches.forget_idle_guests(now) == 0
    assert User.objects.filter(pk__in=(guest.pk, alice.pk)).count() == 2
