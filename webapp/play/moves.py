"""The list of moves beside a board in play: who, what, the points it brought, under rounds or turns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import groupby, takewhile, zip_longest
from typing import NamedTuple

from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe

from games import registry as game_registry
from games.protocol import Game
from webapp.common import naming
from webapp.common.points import are_against, event_words, gain_words
from webapp.play import panels, wording
from webapp.play.panels import Drawn
from webapp.table.live import action_words, plies, position_cache
from webapp.table.live.models import LiveSeat
from webapp.table.live.plies import Played
from webapp.table.live.snapshot import LastMove
from webapp.table.live.table_seats import Table

COORDINATES = "coordinates"
"""The aid that names places."""
KEPT = 20_000
"""Lines that a process remembers: some hundred bytes each."""


@dataclass(frozen=True)
class Move:
    """One line of the moves.

    heading: of the round or turn that it is the last move of so far, else empty; points: of the
    seat that moved, then of others, in words; is_new: since the reader's last one; is_reply: to
    something that was played before; picture: of its piece, empty without one; lights: ids on the board,
    without their prefix, that are lit while it is pointed at; notation: with its coordinates, for who has switched
    them on, empty where the game has no such aid.
    """

    ply: int
    seat: int
    name: str
    words: str
    points: str
    by_other: str
    is_new: bool
    is_reply: bool
    heading: str = ""
    picture: str = ""
    lights: str = ""
    notation: str = ""

    @property
    def held(self) -> str:
        """The tile or domino in hand; empty where there was none."""
        return action_words.split_held(self.words)[0]

    @property
    def short(self) -> str:
        """The words without what was in hand."""
        return action_words.split_held(self.words)[1]

    @property
    def drawn(self) -> SafeString:
        """Its picture."""
        return mark_safe(self.picture)

    @cached_property
    def _line(self) -> SafeString:
        """Its line, drawn once for all who see it with the same names: most stay as they are all match long."""
        return render_to_string("play/_move.html", {"move": self})


def draw(found: Sequence[Move]) -> Drawn:
    """All moves, the last one first."""
    lines = SafeString("".join([move._line for move in found]))
    return panels.drawn(render_to_string("play/_moves.html", {"lines": lines, "digits": len(str(len(found)))}))


@dataclass(frozen=True)
class LastMoves:
    """The last move in a line, or all that its seat has made since the reader's last one."""

    seat: int
    name: str
    held: str
    short: str


@dataclass(frozen=True)
class Told:
    """A move on the strip of last turns, and how many like it were made one after another."""

    move: Move
    times: int


class Called(NamedTuple):
    """How a reader calls the seats of a game: as names begin a line, in the middle of a sentence, beside points.

    sides: seats that have their points in common, with what that side is called; is_against: points count
    against those who get them.
    """

    game: Game
    names: tuple[str, ...]
    inside: tuple[str, ...]
    sides: tuple[tuple[tuple[int, ...], str], ...]
    are_engines: tuple[bool, ...]
    is_against: bool

    @classmethod
    def of(cls, table: Table) -> Called:
        """The names for an asker."""
        return cls(
            game_registry.get(table.match.game),
            tuple(wording.name(table, row.seat) for row in table.rows),
            tuple(wording.inner_names(table)),
            tuple((side, wording.side_name(table, side)) for side in wording.sides(table)),
            tuple(row.kind == LiveSeat.Kind.ENGINE for row in table.rows),
            are_against(table.match.game, table.match.options),
        )


class _Standing(NamedTuple):
    """How a ply stands to the present one. is_last: so far, of its round or turn; is_now: that is the present one."""

    is_new: bool
    is_last: bool
    is_now: bool


def list_moves(table: Table, ply: int) -> list[Move]:
    """The moves up to a ply, the last one first."""
    moves: list[Move] = []
    called = Called.of(table)
    begun = position_cache.position_at(table.match, 0)
    before: tuple[int, ...] = tuple(begun.game.scores(begun.state))
    found = plies.first_plies(table.match, ply)
    own = max((row.ply for row in found if row.seat in table.seats), default=ply)
    now = found[-1].chapter if found else ""
    for row, after in zip_longest(found, found[1:]):
        is_last = after is None or after.chapter != row.chapter
        moves.append(_move(called, row, before, _Standing(row.ply > own, is_last, row.chapter == now)))
        before = row.scores
    return moves[::-1]


def last_turns(table: Table, found: Sequence[Move]) -> list[Told]:
    """The moves of the others since the reader's turn before this one, the first one first; like ones are one.

    A spectator gets those of the seat that moved last. found: all moves, the last one first.
    """
    mine, rest = set(table.seats), list(found)
    while mine and rest and rest[0].seat in mine:
        rest.pop(0)
    own = mine or {row.seat for row in table.rows} - {rest[0].seat if rest else -1}
    moves = list(takewhile(lambda move: move.seat not in own, rest))[::-1]
    return [Told(move, len(list(like))) for move, like in _alike(moves)]


def _alike(moves: Sequence[Move]) -> Iterator[tuple[Move, list[Move]]]:
    for _, like in groupby(moves, key=lambda move: (move.seat, move.words)):
        listed = list(like)
        yield listed[0], listed


@lru_cache(maxsize=KEPT)
def _move(called: Called, row: Played, before: tuple[int, ...], standing: _Standing) -> Move:
    """A line of the moves. before: scores."""
    piece = called.game.piece_of(row.notation) if called.game.piece_of is not None else None
    places = piece.elements if piece is not None and (piece.stays or standing.is_now) else ()
    is_other = row.played_by == LiveSeat.Kind.ENGINE and not called.are_engines[row.seat]
    gained = [after - earlier for earlier, after in zip(before, row.scores, strict=True)]
    return Move(
        ply=row.ply + 1,
        seat=row.seat,
        name=called.names[row.seat],
        words=naming.with_names(row.words or row.notation, called.inside),
        points=", ".join(_points(called, row.seat, gained)),
        by_other="an engine" if is_other else "",
        is_new=standing.is_new,
        is_reply=row.is_reply,
        heading=row.chapter if standing.is_last else "",
        picture=piece.picture if piece is not None else "",
        lights=" ".join(places),
        notation=row.notation if any(aid.id == COORDINATES for aid in called.game.aids) else "",
    )


def _points(called: Called, mover: int, gained: Sequence[int]) -> list[str]:
    """Points of a move: bare for the side that moved, with its name for any other; each side once."""
    return [
        gain_words(gained[side[0]], is_against=called.is_against) + ("" if mover in side else f" {name}")
        for side, name in sorted(called.sides, key=lambda one: mover not in one[0])
        if gained[side[0]]
    ]


def runs(moves: Sequence[Move]) -> list[Move]:
    """The moves, the last one first; those that a seat has made one after another since the reader's last are one."""
    found: list[Move] = []
    for move in moves:
        if found and move.is_new and move.seat == found[-1].seat:
            words = f"{move.short}, {found[-1].short[:1].lower()}{found[-1].short[1:]}"
            points = ", ".join(filter(None, (move.points, found[-1].points)))
            found[-1] = replace(found[-1], words=words, points=points)
        else:
            found.append(move)
    return found


def last(table: Table, move: LastMove | None, found: Sequence[Move]) -> LastMoves | None:
    """The last moves, with what the last of them scored. found: `runs`."""
    if move is None:
        return None
    is_against = are_against(table.match.game, table.match.options)
    scored = [
        event_words(event.kind, event.points, wording.names_in_sentence(table, event.seats), is_against=is_against)
        for event in move.scored
        if event.points and event.seats
    ]
    return LastMoves(
        seat=move.seat,
        name=wording.name(table, move.seat),
        held=found[0].held,
        short="; ".join([found[0].short, *scored]),
    )
