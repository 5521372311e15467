"""What pages tell in whole matches: no luck to come, no seed, nothing of what others hold."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import pytest
from django.test import Client
from django.utils import timezone

from games import rng
from tests.webapp.play import courses
from tests.webapp.play.courses import Course
from tests.webapp.table.live import answering, held, held_cards, luck, tables
from webapp.play import board_page
from webapp.table.live import access, hints, match_setup, player_requests, position_cache
from webapp.table.live.access import Asker
from webapp.table.live.models import LiveMatch
from webapp.table.live.plans import Terms
from webapp.table.live.position_cache import Position
from worker.action_values import advice
from worker.action_values.best_actions import Effort

pytestmark = pytest.mark.django_db

OF_EACH = {"carcassonne": 5, "kingdomino": 2, "dominion": 3, "dominoes": 2}
"""So many plies of a game from one look at everything to the next."""
SEED = 987_654_321_987
"""A number that is no accident in a text."""
HINT_EVERY = 4
"""Looks from one hint to the next."""
PAGE_EVERY = 4
"""Looks from one whole page to the next: no number of readers, so that each has some."""
RULES = {"kingdom": "cards", "cards": "Militia, Spy, Library, Cellar, Bureaucrat", "turn_limit": 6}
"""A kingdom in which hands are shown, discarded and searched."""


class Reader(NamedTuple):
    """A browser, and the seat whose eyes it has; None: it looks on."""

    browser: Client
    seat: int | None


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("worker.tasks.wake", lambda count=1, queue="batch": count)
    monkeypatch.setattr(advice, "EFFORT", Effort(60))


@pytest.fixture
def begin(alice: Any, bob: Any) -> Callable[..., LiveMatch]:
    """Open a public match of alice, bob, and engines in what seats are left."""

    def begin(course: Course, number: int = 0) -> LiveMatch:
        options = RULES if course.game == "dominion" else course.options
        seats = [tables.person(alice), tables.person(bob)] + [tables.engine()] * (course.seats - 2)
        terms = Terms(visibility="public")
        seeds = {"seed": SEED, "deal_seed": SEED + 1 + number}
        match = match_setup.open_match(alice, course.game, options, seats, terms, **seeds)
        for seat in (0, 1):
            player_requests.grant("allow-hints", match.pk, (seat,))
        return match

    return begin


def walk(match: LiveMatch, step: int) -> Iterator[LiveMatch]:
    """The match, played at random, at every so many plies and before it is over."""
    while (match := tables.play_on(match, 0)).status == LiveMatch.Status.RUNNING:
        yield match
        tables.play_on(match, step)


def other_world(match: LiveMatch, seats: Sequence[int], number: int) -> Position:
    """The position, but for what a reader cannot know, which is another as often as may be.

    seats: the reader's; none of a spectator, who knows no hand: each is drawn anew by what another seat knows.
    """
    here = position_cache.position_at(match)
    r, drawn = rng.new_stream(number, rng.ANALYSIS), here.state
    for seat in seats or (0, 1):
        drawn = here.game.determinize(here.game.view(drawn, seat), r)
    return replace(here, state=drawn)


def page(browser: Client, match: LiveMatch) -> str:
    """The page of a match, without the tokens that every answer has of its own."""
    return re.sub(r"\b\w{64}\b", "", browser.get(f"/play/{match.code}/").content.decode())


def in_world(world: Position, at: Callable[..., Position], match: LiveMatch, ply: int | None = None) -> Position:
    """`position_cache.position_at`, with another present."""
    return world if ply in (None, world.ply) else at(match, ply)


@pytest.mark.parametrize(
    ("course", "step"),
    [
        *(pytest.param(course, 3, id=f"{course.game}, sampled") for course in (courses.DOMINION, courses.DOMINOES)),
        *(
            pytest.param(course, 1, id=f"{course.game}, every ply", marks=pytest.mark.slow)
            for course in (courses.DOMINION, courses.DOMINOES)
        ),
    ],
)
def test_a_page_is_the_same_in_all_worlds_that_its_reader_cannot_tell_apart(
    begin: Callable[[Course], LiveMatch],
    monkeypatch: pytest.MonkeyPatch,
    alice: Any,
    bob: Any,
    course: Course,
    step: int,
) -> None:
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now)
    others = 0
    readers = [(alice, (0,), Client()), (bob, (1,), Client()), (None, (), Client())]
    for person, _, browser in readers[:2]:
        browser.force_login(person)
    for look, match in enumerate(walk(begin(course), step)):
        for person, seats, browser in readers if step == 1 else [readers[look % len(readers)]]:
            there = access.table_of(match, Asker(person))
            shown, world = board_page.build_page(there, ""), other_world(match, seats, match.ply)
            whole = page(browser, match) if look % PAGE_EVERY == 0 else ""
            others += world.state.tobytes() != position_cache.position_at(match).state.tobytes()
            with monkeypatch.context() as elsewhere:
                elsewhere.setattr(position_cache, "position_at", partial(in_world, world, position_cache.position_at))
                assert board_page.build_page(there, "") == shown, (match.ply, seats)
                assert not whole or page(browser, match) == whole, (match.ply, seats)
    assert others > 2, "worlds do differ"


@pytest.mark.slow
@pytest.mark.parametrize("course", courses.ALL, ids=lambda course: course.game)
def test_no_answer_of_a_whole_match_tells_a_secret(
    begin: Callable[[Course], LiveMatch], alice: Any, bob: Any, course: Course
) -> None:
    match = begin(course)
    readers = [Reader(Client(), 0), Reader(Client(), 1), Reader(Client(), None)]
    for reader, person in zip(readers, (alice, bob), strict=False):
        reader.browser.force_login(person)
    own = 0
    for look, now in enumerate(walk(match, OF_EACH[course.game])):
        if look % HINT_EVERY == 0 and now.on_turn in (0, 1):
            answering.advise(hints.ask(now.pk, (now.on_turn,)))
        order = luck.to_come(now)
        for reader in readers:
            texts = [reader.browser.get(f"/play/{now.code}/{address}").content.decode() for address in PAGES]
            for text in texts:
                assert not [secret for secret in secrets_of(now) if secret in text], (now.ply, reader.seat)
                assert not luck.told(order, text), (now.ply, reader.seat)
                assert not of_others(now, text, reader.seat), (now.ply, reader.seat)
            own += reader.seat is not None and bool(of_others(now, texts[1], None))
    assert own or course in courses.FOR_TWO, "the search finds the own hand"
    match.refresh_from_db()
    assert match.status == LiveMatch.Status.FINISHED
    for reader in readers:
        assert str(match.deal_seed) in reader.browser.get(f"/play/{match.code}/").content.decode()


MATCHES, LOOKS = 100, 3
"""Matches of each game that a campaign plays, and moments of each at which all answers are searched."""


@pytest.mark.slow
@pytest.mark.parametrize("course", courses.ALL, ids=lambda course: course.game)
def test_a_hundred_matches_tell_no_secret_and_look_alike_in_other_worlds(
    begin: Callable[..., LiveMatch], monkeypatch: pytest.MonkeyPatch, alice: Any, bob: Any, course: Course
) -> None:
    """At random moments: answers of pages and of the API are searched, and are the same where hidden parts differ."""
    now, r = timezone.now(), rng.new_stream(SEED, rng.ANALYSIS)
    monkeypatch.setattr(timezone, "now", lambda: now)
    readers = [(alice, 0, Client()), (bob, 1, Client()), (None, None, Client())]
    for person, _, browser in readers[:2]:
        browser.force_login(person)
    others = 0
    for number in range(MATCHES):
        match = begin(course, number)
        for _ in range(LOOKS):
            match = tables.play_on(match, 1 + rng.below(r, course.seats * OF_EACH[course.game]), seed=number)
            if match.status != LiveMatch.Status.RUNNING:
                break
            here, order = position_cache.position_at(match), luck.to_come(match)
            for person, seat, browser in readers:
                own = () if seat is None else (seat,)
                there, world = access.table_of(match, Asker(person)), other_world(match, own, number)
                text = browser.get(f"/play/{match.code}/state/").content.decode()
                shown = board_page.build_page(there, "")
                for told in (text, str(shown)):
                    assert not [secret for secret in secrets_of(match) if secret in told], (number, match.ply, seat)
                    assert not luck.told(order, told), (number, match.ply, seat)
                    assert not of_others(match, told, seat), (number, match.ply, seat)
                others += world.state.tobytes() != here.state.tobytes()
                with monkeypatch.context() as elsewhere:
                    elsewhere.setattr(
                        position_cache, "position_at", partial(in_world, world, position_cache.position_at)
                    )
                    assert board_page.build_page(there, "") == shown, (number, match.ply, seat)
        if match.status == LiveMatch.Status.RUNNING:
            player_requests.grant("resign", match.pk, (0,))
    assert others > MATCHES or course in courses.FOR_TWO, "worlds do differ"


PAGES = ("", "state/", "hint/")


def secrets_of(match: LiveMatch) -> list[str]:
    """What must not be told before the end, as it would be written."""
    digests = match.plies.values_list("digest", flat=True)
    return [str(match.seed), str(match.deal_seed), match.salt, *(str(digest) for digest in digests)]


def of_others(match: LiveMatch, text: str, seat: int | None) -> list[Any]:
    """What stands in an answer of the hands of others than the reader's seat.

    Cards of Dominion stand on any page: of its hands only data is asked, pages in two worlds above.
    """
    if match.game == "dominoes":
        return held.told(match, text, () if seat is None else (seat,))
    if match.game == "dominion" and text.startswith("{"):
        state = position_cache.position_at(match).state
        thing = json.loads(text)
        return held_cards.told(state, json.dumps(thing.get("observation", thing)), seat)
    return []
