"""The list of moves beside a board in play: who, what, the points it brought, under rounds or turns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby, takewhile, zip_longest
from typing import NamedTuple

from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe

from games.protocol import Game
from webapp.common import naming
from webapp.common.formats import signed
from webapp.common.points import are_against, gain_words
from webapp.play import wording
from webapp.table.live import action_words, position_cache
from webapp.table.live.models import LiveSeat
from webapp.table.live.snapshot import LastMove
from webapp.table.live.table_seats import Table

KEPT = 20_000
"""Lines that a process remembers: some hundred bytes each."""


@dataclass(frozen=True)
class Move:
    """One line of the moves.

    heading: of the round or turn that it is the last move of so far, else empty; points: of the
    seat that moved, then of others, in words; is_new: since the reader's last one; is_reply: to
    something that was played before; picture: of its piece, empty without one; lights: ids on the board,
    without their prefix, that are lit while it is pointed at.
    """

    ply: int
    seat: int
    name: str
    notation: str
    words: str
    points: str
    by_other: str
    is_new: bool
    is_reply: bool
    heading: str = ""
    picture: str = ""
    lights: str = ""

    @property
    def held(self) -> str:
        """The tile or domino in hand; empty where there was none."""
        return action_words.split_held(self.words)[0]

    @property
    def html(self) -> SafeString:
        """Its line in the list."""
        return _line(self)

    @property
    def short(self) -> str:
        """The words without what was in hand."""
        return action_words.split_held(self.words)[1]

    @property
    def drawn(self) -> SafeString:
        """Its picture."""
        return mark_safe(self.picture)


@lru_cache(maxsize=KEPT)
def _line(move: Move) -> SafeString:
    """A move's line is drawn once for all who see it with the same names: most stay as they are all match long."""
    return render_to_string("play/_move.html", {"move": move})


@dataclass(frozen=True)
class LastMoves:
    """The last move in a line, or all that its seat has made since the reader's last one."""

    seat: int
    name: str
    held: str
    short: str
    notation: str


class Told(NamedTuple):
    """A move on the strip of last turns, and how many like it were made one after another."""

    move: Move
    times: int


class Row(NamedTuple):
    """What a line of the moves needs of a ply."""

    ply: int
    seat: int
    notation: str
    words: str
    scores: list[int]
    played_by: str
    is_reply: bool
    chapter: str


class Called(NamedTuple):
    """Names of seats, by seat: as they begin a line, and in the middle of a sentence."""

    names: tuple[str, ...]
    inside: tuple[str, ...]


def list_moves(table: Table, ply: int) -> list[Move]:
    """The moves up to a ply, the last one first."""
    moves: list[Move] = []
    called = Called(
        tuple(wording.name(table, row.seat) for row in table.rows),
        tuple(wording.inner_names(table)),
    )
    begun = position_cache.position_at(table.match, 0)
    before: Sequence[int] = begun.game.scores(begun.state)
    found = table.match.plies.filter(ply__lt=ply).order_by("ply").values_list(*Row._fields)
    plies = [Row(*values) for values in found]
    own = max((row.ply for row in plies if row.seat in table.seats), default=ply)
    for row, after in zip_longest(plies, plies[1:]):
        is_last = after is None or after.chapter != row.chapter
        moves.append(_move(table, called, row, before, own, row.chapter if is_last else ""))
        before = row.scores
    pieces = _pieces(begun.game, plies)
    return [replace(move, picture=piece[0], lights=piece[1]) for move, piece in zip(moves, pieces, strict=True)][::-1]


def _pieces(game: Game, plies: Sequence[Row]) -> Iterator[tuple[str, str]]:
    """Picture and places on the board of the piece of each ply."""
    now = plies[-1].chapter if plies else ""
    for row in plies:
        piece = game.piece_of(row.notation) if game.piece_of is not None else None
        is_there = piece is not None and (piece.stays or row.chapter == now)
        yield (piece.picture, " ".join(piece.elements) if is_there else "") if piece is not None else ("", "")


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


def _move(table: Table, called: Called, row: Row, before: Sequence[int], own: int, heading: str) -> Move:
    now = table.rows[row.seat]
    by_other = "an engine" if row.played_by == LiveSeat.Kind.ENGINE and now.kind != LiveSeat.Kind.ENGINE else ""
    gained = [after - earlier for earlier, after in zip(before, row.scores, strict=True)]
    return Move(
        ply=row.ply + 1,
        seat=row.seat,
        name=called.names[row.seat],
        notation=row.notation,
        words=_with_names(row.words or row.notation, called.inside),
        points=", ".join(_points(table, row.seat, gained)),
        by_other=by_other,
        is_new=row.ply > own,
        is_reply=row.is_reply,
        heading=heading,
    )


@lru_cache(maxsize=KEPT)
def _with_names(words: str, names: tuple[str, ...]) -> str:
    return naming.with_names(words, names)


def _points(table: Table, mover: int, gained: Sequence[int]) -> list[str]:
    """Points of a move: bare for the side that moved, with its name for any other; each side once."""
    sides, is_against = wording.sides(table), are_against(table.match.game, table.match.options)
    return [
        gain_words(gained[side[0]], is_against=is_against)
        + ("" if mover in side else f" {wording.side_name(table, side)}")
        for side in sorted(sides, key=lambda side: mover not in side)
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
    scored = [
        f"{event.kind} {signed(event.points, 0)} for {wording.names_in_sentence(table, event.seats)}"
        for event in move.scored
        if event.points and event.seats
    ]
    return LastMoves(
        seat=move.seat,
        name=wording.name(table, move.seat),
        held=found[0].held,
        short="; ".join([found[0].short, *scored]),
        notation=move.notation,
    )
