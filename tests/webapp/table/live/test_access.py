"""Who may look at a match in play, at every door: one table of askers and kinds of matches."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from django.http import Http404
from django.test import Client

from tests.webapp.api.callers import Caller
from tests.webapp.table.live import tables
from webapp.people.accounts import guests
from webapp.people.accounts.models import User
from webapp.records.models import Experiment
from webapp.table.live import access, player_requests, table_seats
from webapp.table.live.access import Asker
from webapp.table.live.models import Challenge, LiveMatch
from webapp.table.live.plans import SeatPlan, Terms

pytestmark = pytest.mark.django_db

SEATS = {"seated": [0], "seated guest": [1], "seated agent": [2]}
"""Askers with a seat, and what they look through; all others are spectators."""
PEOPLE = ("creator", "seated", "seated guest", "agent's owner", "rival", "guest", "nobody", "staff")
AGENTS = ("seated agent", "sibling", "creator's agent", "rival's agent")
EVERYBODY = {*PEOPLE, *AGENTS}
PARTIES = {"creator", "seated", "seated guest", "agent's owner", "seated agent"}
MAY_LOOK = {
    "public": EVERYBODY,
    "unlisted": EVERYBODY,
    "private": PARTIES,
    "replaced": PARTIES,  # private, and an engine plays on for the one who was seated
    "waiting": PARTIES,  # private, and it has not begun
    "experiment": {"creator", "agent's owner", "seated agent"},
    "rival's deal": EVERYBODY - {"rival", "rival's agent"},  # public, with the deal of a friend's that rival plays
}


@dataclass(frozen=True)
class Cast:
    """Everybody who asks: accounts, and doors by asker, each the address and how it is opened."""

    users: dict[str, User]
    browsers: dict[str, Client]
    callers: dict[str, Caller]

    def doors(self, code: str) -> Iterator[tuple[str, str, Callable[[], Any]]]:
        """Every asker at every door: who, where, and what opens it."""
        for who, browser in self.browsers.items():
            for address in (f"/play/{code}/", f"/play/{code}/state/", f"/play/{code}/hint/"):
                yield who, address, lambda browser=browser, address=address: browser.get(address)
        for who, caller in self.callers.items():
            for path in (f"/matches/{code}", f"/matches/{code}?ply=0"):
                yield who, path, lambda caller=caller, path=path: caller.get(path)


@pytest.fixture
def cast(django_user_model: Any) -> Cast:
    """Everybody who asks."""
    accounts = ("creator", "seated", "agent's owner", "rival", "staff")
    users = {name: django_user_model.objects.create_user(name.replace("'s ", "-")) for name in accounts}
    User.objects.filter(pk=users["staff"].pk).update(is_staff=True, is_superuser=True)
    users |= {
        name: User.objects.create(username=f"guest-{name[:4]}", is_guest=True) for name in ("seated guest", "guest")
    }
    browsers = {who: Client() for who in PEOPLE}
    for name in accounts:
        browsers[name].force_login(users[name])
    for name in ("seated guest", "guest"):
        session = browsers[name].session
        session[guests.SESSION_KEY] = users[name].pk
        session.save()
    owners = {"seated agent": "agent's owner", "sibling": "agent's owner", "creator's agent": "creator"}
    callers = {who: Caller(users[owners.get(who, "rival")], who.replace(" ", "-").replace("'", "")) for who in AGENTS}
    return Cast(users, browsers, callers)


def _open(cast: Cast, kind: str) -> LiveMatch:
    rook = SeatPlan(name="rook", agent=cast.callers["seated agent"].agent)
    people = [tables.person(cast.users[name]) for name in ("seated", "seated guest")]
    plans, further = [*people, rook, tables.engine()], {}
    if kind == "experiment":
        creator = cast.users["creator"]
        further["experiment"] = Experiment.objects.create(
            owner=creator, title="x", game="carcassonne", spec={"record": "standard"}, num_matches=2, secret_seed=7
        )
        plans = [rook, tables.engine()]
    if kind == "waiting":
        plans[3] = SeatPlan()
    if kind == "rival's deal":
        origin = tables.open_match(cast.users["staff"], [tables.engine()] * 2, deal_seed=5)
        of = Challenge.objects.create(origin=origin, code="deal", seat=0)
        tables.open_match(
            cast.users["rival"], [tables.person(cast.users["rival"]), tables.engine()], deal_seed=5, challenge=of
        )
        further["deal_seed"] = 5
    visibility = {"public": "public", "unlisted": "unlisted", "rival's deal": "public"}.get(kind, "private")
    match = tables.open_match(cast.users["creator"], plans, Terms(visibility=visibility), **further)
    return player_requests.grant("resign", match.pk, (0,)) if kind == "replaced" else match


def _seats_of(who: str, kind: str) -> list[int]:
    if kind == "experiment":
        return [0] if who == "seated agent" else []
    return [] if (who, kind) == ("seated", "replaced") else SEATS.get(who, [])


@pytest.mark.long
@pytest.mark.parametrize("kind", MAY_LOOK)
def test_every_asker_is_let_in_or_not_at_every_door(cast: Cast, kind: str) -> None:
    match = _open(cast, kind)
    for who, address, open_door in cast.doors(match.code):
        answer = open_door()
        assert answer.status_code == (200 if who in MAY_LOOK[kind] else 404), (who, address)
        data = answer.json() if answer.headers["Content-Type"].startswith("application/json") else {}
        if answer.status_code == 200 and "your_seats" in data:
            assert data["your_seats"] == _seats_of(who, kind), (who, address)
            assert bool(data["actions"]) == (data["on_turn"] in data["your_seats"]), (who, address)
        if answer.status_code == 404:
            assert match.commitment not in answer.content.decode(), (who, address)


@pytest.mark.long
@pytest.mark.parametrize("kind", MAY_LOOK)
def test_doors_that_refuse_answer_as_where_nothing_is(cast: Cast, kind: str) -> None:
    match = _open(cast, kind)
    for who in EVERYBODY - MAY_LOOK[kind]:
        caller = cast.callers.get(who)
        nowhere, there = (
            [caller.get(f"/matches/{code}").content for code in ("nowhere", match.code)]
            if caller
            else [cast.browsers[who].get(f"/play/{code}/state/").status_code for code in ("nowhere", match.code)]
        )
        assert nowhere == there, who


def test_a_key_opens_what_is_private_and_a_wrong_one_does_not(cast: Cast) -> None:
    match = _open(cast, "waiting")
    asker = Asker(cast.users["rival"], cast.callers["rival's agent"].agent)
    assert access.find(match.code, asker, key=match.invite).own == ()
    for code, key in ((match.code, ""), (match.code, "wrong"), ("no-code", match.invite)):
        with pytest.raises(Http404):
            access.find(code, asker, key=key)


def test_what_is_played_is_disclosed_when_all_of_it_is_over(cast: Cast) -> None:
    match = _open(cast, "experiment")
    assert not access.is_disclosed(match)
    LiveMatch.objects.filter(pk=match.pk).update(status="ended", on_turn=None, ending={"kind": "absent"})
    match.refresh_from_db()
    assert not access.is_disclosed(match), "others of the experiment are still to be played"
    for caller in cast.callers.values():
        answer = caller.get(f"/matches/{match.code}/trace")
        assert answer.status_code in (404, 409)
        assert str(match.deal_seed) not in json.dumps(answer.json())
    Experiment.objects.filter(pk=match.experiment_id).update(status=Experiment.Status.FINISHED)
    assert access.is_disclosed(LiveMatch.objects.get(pk=match.pk))


def test_those_who_look_on_wait_and_those_who_may_come_back_do_not(cast: Cast) -> None:
    match = tables.play_on(_open(cast, "public"), 4)
    match.spectator_delay = 3
    assert [access.last_ply(table_seats.look_up(match, own)) for own in ((), (0,), (0, 1))] == [1, 4, 4]
    match.status = LiveMatch.Status.ENDED
    assert access.last_ply(table_seats.look_up(match, ())) == 4


@pytest.mark.parametrize("who", ["creator", "seated", "seated guest", "agent's owner", "rival", "nobody"])
def test_who_may_have_engines_think_about_positions(cast: Cast, who: str) -> None:
    match = _open(cast, "public")
    table = access.table_of(match, Asker(cast.users.get(who)))
    assert access.may_analyse(table) is (who in ("creator", "seated"))
