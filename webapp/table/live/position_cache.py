"""The position of a match in play, walked from its rows and kept while it is the present one.

Rows are the truth: what a process remembers is used only where ply and digest agree with them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import orjson

from games import options as option_tools
from games import registry as game_registry
from games.json_paths import PathError
from games.options import OptionError
from games.protocol import Game, IllegalActionError, State
from webapp.table.live.memory import Memory
from webapp.table.live.models import LiveMatch
from worker.course import Course, Renewal

KEPT = 256
"""Courses and positions that a process remembers of each: 35 KB a piece in Carcassonne. More than the matches that are
played at the same time, or each ply walks its match anew."""


KEPT_OPTIONS = 1024


class MovedError(Exception):
    """Rows have changed since the match was read: read it again."""


@dataclass(frozen=True)
class Position:
    """The true state after `ply` plies. outcomes: what chance did since the last ply."""

    game: Game
    state: State
    player: int
    ply: int
    digest: int
    outcomes: tuple[int, ...]


_courses: Memory[int, Course] = Memory(KEPT)
_positions: Memory[tuple[int, int, int | None], Position] = Memory(KEPT)


def take_course(match: LiveMatch) -> Course:
    """The course of the match at its present ply, for the caller alone.

    A caller that advances it and commits may hand it back (`keep_course`). It stands elsewhere
    (`is_at`) where the match has moved since it was read, or, while it is locked, where today's
    rules lead elsewhere than those that its plies were played by.
    """
    kept = _courses.take(match.pk)
    if kept is not None and kept.ply <= match.ply:
        _catch_up(kept, match)
        if is_at(kept, match):
            return kept
    return replay_course(match)


def is_at(course: Course, match: LiveMatch) -> bool:
    """Whether a course stands where the match does, by the options that it was opened with."""
    is_there = (course.ply, course.digest) == (match.ply, match.digest)
    return is_there and _knows_all(course.game.options, orjson.dumps(match.options, option=orjson.OPT_SORT_KEYS))


@lru_cache(maxsize=KEPT_OPTIONS)
def _knows_all(cls: type, options: bytes) -> bool:
    """Whether today's game, with options of class `cls`, has all of these (JSON)."""
    given = orjson.loads(options)
    return len(_known_options(cls, given)) == len(given)


def _known_options(cls: type, options: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a match that today's game still has; another version may have dropped some."""
    known = dict(options)
    while True:
        try:
            option_tools.from_json(cls, known)
            return known
        except OptionError as error:
            del known[error.field]


def _catch_up(course: Course, match: LiveMatch) -> None:
    """Play what has been played since. A history that was taken back shows in the digest."""
    if course.ply == match.ply:
        return
    rows = match.plies.filter(ply__gte=course.ply, ply__lt=match.ply).order_by("ply")
    for action in rows.values_list("action", flat=True):
        try:
            course.advance(action)
        except ValueError:  # another history than the one that was remembered
            return


def keep_course(match_id: int, course: Course) -> None:
    """Remember a course for the next ply."""
    _courses.put(match_id, course)


def position_at(match: LiveMatch, ply: int | None = None) -> Position:
    """The position after `ply` plies (None: all).

    Where today's rules do not allow what was played, it is the last one that they do; options
    that they do not have any more are at their default.

    Raises PathError where the match is not so far, MovedError where its rows have changed since
    `match` was read.
    """
    wanted = match.ply if ply is None else ply
    if not 0 <= wanted <= match.ply:
        raise PathError(("ply",), f"must be between 0 and {match.ply}, not {wanted}")
    digest: int | None = match.digest if wanted else 0
    if 0 < wanted < match.ply:
        digest = match.plies.filter(ply=wanted - 1).values_list("digest", flat=True).first()
    kept = _positions.get((match.pk, wanted, digest))
    if kept is not None:
        return kept
    if wanted == match.ply and (position := _caught_up(match)) is not None:
        return position
    course, is_there = _walk(match, wanted, digest)
    if not is_there:
        raise MovedError(f"match {match.pk} has not the plies any more that it had")
    position = _position(course)
    _positions.put((match.pk, wanted, digest), position)
    return position


def _caught_up(match: LiveMatch) -> Position | None:
    """The present position from the remembered course; None where that stands elsewhere."""
    kept = _courses.take(match.pk)
    if kept is None:
        return None
    is_ahead = kept.ply > match.ply
    if not is_ahead:
        _catch_up(kept, match)
    position = remember(match.pk, kept) if is_at(kept, match) else None
    if is_ahead or position is not None:
        keep_course(match.pk, kept)  # from now on another may take it and go on
    return position


def _walk(match: LiveMatch, ply: int, digest: int | None = None) -> tuple[Course, bool]:
    """The course of the rows up to `ply` plies, and whether these are there, the last one with this digest.

    It stops where today's rules do not allow what was played.
    """
    rows = list(match.plies.filter(ply__lt=ply).order_by("ply").values_list("action", "digest"))
    game = game_registry.get(match.game)
    course = Course(
        game,
        _known_options(game.options, match.options),
        match.num_seats,
        match.deal_seed,
        Renewal.from_json(match.renewal),
    )
    for action, _ in rows:
        try:
            course.advance(action)
        except IllegalActionError:
            break
    return course, len(rows) == ply and (not rows or rows[-1][1] == digest)


def remember(match_id: int, course: Course) -> Position:
    """Keep the position in which a course stands, and return it."""
    position = _position(course)
    _positions.put((match_id, course.ply, course.digest), position)
    return position


def _position(course: Course) -> Position:
    return Position(course.game, course.state.copy(), course.player, course.ply, course.digest, course.outcomes)


def replay_course(match: LiveMatch) -> Course:
    """A course that is walked anew from the rows of the match, whatever is remembered of it."""
    return _walk(match, match.ply)[0]
