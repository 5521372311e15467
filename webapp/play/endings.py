"""The end of a round or of a match beside its board: what is counted, for whom, and what comes next.

A game says what it counted (`Game.ending`); here it is found in a match, put into words for its reader, and
compared. The newest end stays on the page until another comes, so that a page that is opened later has it too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from django.utils.safestring import SafeString, mark_safe

from games import chapters
from games.endings import Counted, Ending
from games.protocol import TERMINAL, State
from webapp.common import naming
from webapp.common.formats import count, plural, signed
from webapp.common.points import are_against, gain_words, points_words
from webapp.play import wording
from webapp.play.plates import Party
from webapp.table.live import plies, position_cache
from webapp.table.live.memory import Memory
from webapp.table.live.models import LiveMatch
from webapp.table.live.position_cache import Position
from webapp.table.live.table_seats import Table

KEPT = 64
"""Ends that a process remembers."""


@dataclass(frozen=True)
class Found:
    """The newest end of a match. ply: plies after which it came; state: the table as it then lay, before new luck."""

    ply: int
    state: State
    ending: Ending
    scores: tuple[int, ...]


@dataclass(frozen=True)
class Row:
    """One thing that is counted. head: whose rows begin here, where they are many; to: seats that get the points."""

    seat: int | None
    label: str
    detail: str
    points: str
    picture: SafeString
    is_wide: bool
    head: str
    lights: str
    feature: str
    to: str
    value: int

    @property
    def marks(self) -> list[int]:
        """Seats whose marks stand before it: whose it is, else all who get points for it."""
        return [self.seat] if self.seat is not None else [int(seat) for seat in self.to.split()]


@dataclass(frozen=True)
class Side:
    """Points of a side before and after what was counted; share, more: of the aim, per cent."""

    seats: tuple[int, ...]
    name: str
    before: str
    gained: str
    after: str
    share: float
    more: float
    has_gained: bool
    before_value: int
    after_value: int

    @property
    def bar(self) -> str:
        """Style of its bar: what it had, and what was added."""
        return f"--a: {self.share:.1f}; --b: {self.more:.1f}"


@dataclass(frozen=True)
class Round:
    """Points of a round for the first side (above zero) or another. height: of the largest, per cent."""

    label: str
    points: str
    height: float
    is_first: bool


@dataclass(frozen=True)
class EndSheet:
    """All that the sheet shows. is_fresh: it came with or after the reader's last move; decided: sentences.

    picture: of victory, once the match is over; is_quiet: its reader has lost.
    """

    ply: int
    is_over: bool
    is_fresh: bool
    title: str
    heading: str
    rule: str
    rows: list[Row]
    sides: list[Side]
    aim: str
    coming: str
    rounds: list[Round]
    first: str
    decided: list[str]
    picture: SafeString
    is_quiet: bool
    has_people: bool

    def to_json(self) -> dict[str, Any]:
        """Data for the script; rows are read from the panel."""
        return {"ply": self.ply, "is_over": self.is_over, "is_fresh": self.is_fresh, "has_people": self.has_people}


# ---- where it is


_kept: Memory[tuple[int, int, int], tuple[Found | None]] = Memory(KEPT)
"""In a tuple, since that a ply ended nothing is remembered, too."""


def find(table: Table, position: Position) -> Found | None:
    """The newest end of a match up to a position; None where nothing has been counted yet."""
    game, match = position.game, table.match
    if game.ending is None or not position.ply:
        return None
    ply = position.ply
    if position.player != TERMINAL:
        if not game.counts_rounds:
            return None
        heading = chapters.heading(game, position.state)
        earlier = (row.ply for row in reversed(plies.first_plies(match, ply)) if row.chapter != heading)
        last = next(earlier, None)
        if last is None:
            return None
        ply = last + 1
    return at(match, ply)


def at(match: LiveMatch, ply: int) -> Found | None:
    """The end that came with a ply (1-based); None where it ended nothing."""
    if not ply or position_cache.position_at(match, 0).game.ending is None:
        return None
    digest = plies.first_plies(match, ply)[-1].digest
    key = (match.pk, ply, digest)
    if (known := _kept.get(key)) is not None:
        return known[0]
    found = _look(match, position_cache.position_at(match, ply))
    _kept.put(key, (found,))
    return found


def _look(match: LiveMatch, after: Position) -> Found | None:
    """Play the ply once more, and what chance did after it, one thing at a time."""
    game, before = after.game, position_cache.position_at(match, after.ply - 1)
    assert game.ending is not None
    action = match.plies.filter(ply=after.ply - 1).values_list("action", flat=True).first()
    if action is None:
        raise position_cache.MovedError("the move was taken back meanwhile")
    states = [before.state]
    for step in (action, *after.outcomes):
        states.append(game.apply(states[-1], step))
    for earlier, later in pairwise(states):
        if (ending := game.ending(game, earlier, later)) is not None:
            return Found(after.ply, later, ending, game.scores(later))
    return None


# ---- in words


def sheet(table: Table, found: Found, parties: Sequence[Party], kinds: Sequence[Any], last_own: int | None) -> EndSheet:
    """The sheet for a reader.

    kinds: points by kind and party in a finished match; last_own: number of the reader's last move (from 1),
    None where they have made none.
    """
    ending = found.ending
    sides = wording.sides(table)
    return EndSheet(
        ply=found.ply,
        is_over=ending.is_over,
        is_fresh=found.ply >= (table.match.ply if last_own is None else last_own),
        title=ending.title,
        heading=_heading(table, ending),
        rule=ending.rule,
        rows=_rows(table, ending),
        sides=[_side(table, found, side) for side in _in_order(table, found, sides)],
        aim=_aim(ending),
        coming=_coming(table, ending),
        rounds=_rounds(table, ending),
        first=_inside(wording.side_name(table, _first(table))),
        decided=_decided(table, ending, parties, kinds) if ending.is_over else [],
        picture=mark_safe(ending.picture),
        is_quiet=any(party.is_mine for party in parties)
        and not any(party.is_mine and party.rank == 1 for party in parties),
        has_people=bool(table.others),
    )


def broken_off(table: Table, position: Position) -> EndSheet:
    """The sheet of a match that ended before its end: nothing is counted, who has won by it has a picture."""
    won, game = wording.winners_by_forfeit(table), position.game
    ending = Ending("Over before its end", is_over=True, rows=())
    found = Found(table.match.ply, position.state, ending, game.scores(position.state))
    sides = sorted(_in_order(table, found, wording.sides(table)), key=lambda side: side != won)
    return EndSheet(
        ply=found.ply,
        is_over=True,
        is_fresh=True,
        title=ending.title,
        heading=f"{plural(found.ply, 'move', 'moves')} played",
        rule="What lies open is not counted: these are the points of the moment.",
        rows=[],
        sides=[_side(table, found, side) for side in sides],
        aim="",
        coming="",
        rounds=[],
        first="",
        decided=[],
        picture=mark_safe(game.victory(game, position.state, won) if won and game.victory is not None else ""),
        is_quiet=bool(table.seats) and not set(won) & set(table.seats),
        has_people=bool(table.others),
    )


def _heading(table: Table, ending: Ending) -> str:
    """``You went out: 25 points for your team``."""
    how = naming.with_names(ending.how, wording.inner_names(table))
    how = how[:1].upper() + how[1:]
    if ending.is_over and not ending.rounds:
        return how
    sums = ending.sums(len(table.rows))
    given = [(sums[side[0]], wording.side_name(table, side)) for side in wording.sides(table) if sums[side[0]]]
    if not given:
        return f"{how}: nobody gets points"
    words = [
        f"{plural(abs(points), 'point', 'points')} {'for' if points > 0 else 'against'} {_inside(name)}"
        for points, name in given
    ]
    return f"{how}: {' and '.join(words)}"


def _inside(name: str) -> str:
    return "you" if name == "You" else name


def _rows(table: Table, ending: Ending) -> list[Row]:
    has_heads = any(row.owner is not None and not row.label[:1].islower() for row in ending.rows)
    rows, before = [], None
    for row in ending.rows:
        head = wording.name(table, row.owner) if has_heads and row.owner is not None and row.owner != before else ""
        before = row.owner
        rows.append(_row(table, row, head))
    return rows


def _row(table: Table, row: Counted, head: str) -> Row:
    label = row.label
    if row.owner is not None and label[:1].islower():  # a verb: who held what
        label = f"{wording.name(table, row.owner)} {label}"
    seat = row.owner if row.owner is not None else row.seats[0] if len(row.seats) == 1 else None
    return Row(
        seat=seat,
        label=label,
        detail=row.detail,
        points=gain_words(row.points, is_against=_are_against(table)) if row.points else "",
        picture=mark_safe(row.picture),
        is_wide=row.is_wide,
        head=head,
        lights=" ".join(row.elements),
        feature=row.feature,
        to=" ".join(map(str, row.seats)),
        value=row.points,
    )


def _are_against(table: Table) -> bool:
    return are_against(table.match.game, table.match.options)


def _in_order(table: Table, found: Found, sides: Sequence[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Sides by their points once the match is over, before that the reader's own first."""
    if found.ending.is_over:
        return sorted(sides, key=lambda side: -found.scores[side[0]])
    return sorted(sides, key=lambda side: not set(side) & set(table.seats))


def _side(table: Table, found: Found, side: tuple[int, ...]) -> Side:
    ending, seat = found.ending, side[0]
    after, gained = found.scores[seat], ending.sums(len(table.rows))[seat]
    before = after - gained
    aim = ending.aim.points if ending.aim else 0
    is_against = _are_against(table)
    way = -1 if is_against else 1
    return Side(
        seats=side,
        name=wording.side_label(table, side),
        before=count(way * before),
        gained=signed(way * gained, 0),
        after=points_words(after, is_against=is_against),
        share=min(100.0, 100.0 * abs(before) / aim) if aim else 0.0,
        more=min(100.0 - min(100.0, 100.0 * abs(before) / aim), 100.0 * abs(gained) / aim) if aim else 0.0,
        has_gained=bool(gained and before),
        before_value=before,
        after_value=after,
    )


def _aim(ending: Ending) -> str:
    if ending.aim is None:
        return ""
    return f"First to {count(ending.aim.points)} {'wins' if ending.aim.is_win else 'loses'}."


def _coming(table: Table, ending: Ending) -> str:
    """``You open round 9: who ends a round opens the next.``"""
    if ending.opener is None:
        return ""
    name = wording.name(table, ending.opener)
    return f"{name} {'open' if name == 'You' else 'opens'} round {len(ending.rounds) + 1}: {ending.opener_rule}."


# ---- what decided it


def _first(table: Table) -> tuple[int, ...]:
    """The reader's side, for strangers that of seat 0."""
    sides = wording.sides(table)
    return next((side for side in sides if set(side) & set(table.seats)), sides[0])


def _rounds(table: Table, ending: Ending) -> list[Round]:
    """Points round by round, for the reader's side above and the others below; of a match that is over."""
    if not ending.is_over or len(ending.rounds) < 2:
        return []
    first = _first(table)
    other = next(side for side in wording.sides(table) if side != first)
    tall = max(max(abs(points) for points in one) for one in ending.rounds) or 1
    found = []
    for number, one in enumerate(ending.rounds, start=1):
        gain = one[first[0]] - one[other[0]]
        found.append(Round(f"Round {number}", count(abs(gain)), 100 * abs(gain) / tall, gain >= 0))
    return found


def _decided(table: Table, ending: Ending, parties: Sequence[Party], kinds: Sequence[Any]) -> list[str]:
    """Sentences on what made the difference between who won and the reader, else the next."""
    order = sorted(parties, key=lambda party: (party.rank or 0, -party.score))
    if len(order) < 2 or order[0].rank is None or order[1].rank == 1:
        return []
    winner = order[0]
    other = next((party for party in order[1:] if party.is_mine), order[1])
    if ending.rounds:
        return _by_rounds(table, ending, winner, other)
    if winner.score == other.score:
        return [ending.tie_rule] if ending.tie_rule else []
    places = {party.seat: place for place, party in enumerate(parties)}
    pairs = [
        (kind.points[places[winner.seat]] - kind.points[places[other.seat]], kind.label, kind.points) for kind in kinds
    ]
    if not pairs:
        return []
    most, least = max(pairs, key=lambda pair: pair[0]), min(pairs, key=lambda pair: pair[0])
    said = []
    if most[0] > 0:
        own, theirs = most[2][places[winner.seat]], most[2][places[other.seat]]
        said.append(f"Largest difference: {most[1]}, {count(own)} to {count(theirs)}.")
    if least[0] < 0:
        own, theirs = least[2][places[winner.seat]], least[2][places[other.seat]]
        said.append(f"The other way: {least[1]}, {count(own)} to {count(theirs)}.")
    return said


def _by_rounds(table: Table, ending: Ending, winner: Party, other: Party) -> list[str]:
    """Rounds won, and the one that brought most."""
    gains = [one[winner.seat] - one[other.seat] for one in ending.rounds]
    if len(gains) < 2:
        return []
    won, lost = sum(gain > 0 for gain in gains), sum(gain < 0 for gain in gains)
    best = max(range(len(gains)), key=lambda number: gains[number])
    sides = wording.sides(table)
    name = wording.side_name(table, next(side for side in sides if winner.seat in side))
    return [
        f"Rounds won: {won} to {lost}.",
        f"Round {best + 1} brought {_inside(name)} most: {plural(gains[best], 'point', 'points')}.",
    ]
