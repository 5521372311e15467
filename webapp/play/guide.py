"""The guided first match: whose it is, and what there is to say at its table now. Kept with the preferences.

A person has one guided match of a game at a time; done or closed, the guide is offered no more. What it says
follows from the plies alone: a step speaks when its moment comes first, and is shown until its reader has acted again
and something newer has happened. So none is missed, and none speaks of what is past.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass

from games import registry
from games.guides import BEGIN, OVER, GuideStep, Happening
from games.protocol import Game, IllegalActionError, State
from webapp.people.accounts.models import User
from webapp.play import preferences
from webapp.table.live.models import LiveMatch, LiveSeat
from webapp.table.live.table_seats import Table
from worker.course import replay

KEY = "guide"
NO_ACTION = -1
"""In place of an action where the match begins."""


@dataclass(frozen=True)
class Guide:
    """What the guide says at a table now, none where nothing is new. said: steps so far, of `total`."""

    steps: tuple[GuideStep, ...]
    said: int
    total: int


def begin(person: User, match: LiveMatch) -> None:
    """Lead the person through this match; nothing where it is already, or the game has no guide."""
    if registry.get(match.game).guide and preferences.load_for_game(person, KEY, match.game).get("match") != match.code:
        preferences.save_for_game(person, KEY, match.game, {"match": match.code, "is_done": False})


def is_led(person: User | None, match: LiveMatch) -> bool:
    """Whether the guide leads this person through the match."""
    kept = preferences.load_for_game(person, KEY, match.game)
    return kept.get("match") == match.code and not kept.get("is_done") and bool(registry.get(match.game).guide)


def find_guide(person: User | None, table: Table, ply: int) -> Guide | None:
    """What the guide says to this person after `ply` plies; None where it does not lead them."""
    if not table.seats or not is_led(person, table.match):
        return None
    steps, seat = registry.get(table.match.game).guide, table.seats[0]
    came = _first_plies(table.match, seat, ply)
    since = _since(table.match, seat, ply)
    known = [step for step in steps if step.moment in came]
    now = tuple(step for step in known if came[step.moment] >= since)
    if OVER in came:  # what else was new is past
        now = tuple(step for step in now if step.moment == OVER)
    return Guide(now, len(known), len(steps))


def _first_plies(match: LiveMatch, seat: int, ply: int) -> dict[str, int]:
    """Number of plies after which each moment came first."""
    game, found = registry.get(match.game), dict[str, int]()
    for number, happening in enumerate(_happenings(match, seat, ply)):
        for moment in moments(game, happening):
            found.setdefault(moment, number)
    return found


def moments(game: Game, now: Happening) -> Iterator[str]:
    """Names of what happened with one ply: that the match began or ended, and what the game says of it."""
    if now.before is None:
        yield BEGIN
    assert game.guide_moments is not None
    yield from game.guide_moments(game, now)
    if game.is_terminal(now.after):
        yield OVER


def _happenings(match: LiveMatch, seat: int, ply: int) -> Iterator[Happening]:
    """The match so far, ply by ply, its beginning first; where today's rules differ, as far as they go along."""
    actions = list(match.plies.filter(ply__lt=ply).order_by("ply").values_list("action", flat=True))
    walk = replay(match.game, match.options, match.num_seats, match.deal_seed, actions)
    before: State | None = None
    with contextlib.suppress(IllegalActionError):
        for action, course in zip((NO_ACTION, *actions), walk, strict=False):
            after = course.state.copy()
            yield Happening(before, action, after, seat)
            before = after


def _since(match: LiveMatch, seat: int, ply: int) -> int:
    """Number of plies from which on all is new to the reader: after the first of the last plies that they made."""
    own = list(match.plies.filter(ply__lt=ply, seat=seat).order_by("-ply").values_list("ply", flat=True))
    if not own:
        return 0
    first = own[0]
    for earlier in own[1:]:
        if earlier != first - 1:
            break
        first = earlier
    return first + 1


def end(person: User, match: LiveMatch) -> None:
    """End the guide: it is done, or was closed, and is not shown again."""
    if preferences.load_for_game(person, KEY, match.game).get("match") == match.code:
        preferences.save_for_game(person, KEY, match.game, {"match": match.code, "is_done": True})


def offered_games(person: User | None) -> set[str]:
    """Games through whose first match somebody may want to be led: who has not been, and played none to its end.

    The ids of those that have a guide.
    """
    found = {
        game_id
        for game_id in registry.ids()
        if registry.get(game_id).guide and not preferences.load_for_game(person, KEY, game_id).get("is_done")
    }
    if person is None or not found:
        return found
    played = LiveSeat.objects.filter(person=person, match__status=LiveMatch.Status.FINISHED)
    return found - set(played.values_list("match__game", flat=True).distinct())
