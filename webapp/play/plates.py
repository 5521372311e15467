"""The plates of a match in play: who sits where, with points, supplies and clocks; partners together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from engines import levels as engine_levels
from games.panels import Panel, Supply
from webapp.common import naming
from webapp.common.formats import signed
from webapp.common.points import are_against, points_words
from webapp.lab.results.sides import configuration_words
from webapp.play import aids, wording
from webapp.table.live import rematch, seat_return
from webapp.table.live.models import LiveMatch, LiveSeat
from webapp.table.live.plans import ANYBODY
from webapp.table.live.snapshot import Result, SeatInPlay, Snapshot
from webapp.table.live.table_seats import Table

MOST_PIPS = 10
KEPT = 2048
"""Plates that a process remembers: one or two kilobytes each."""


@dataclass(frozen=True)
class PlateSupply(Supply):
    """A supply; pips: for each piece whether it is left, where there are few."""

    pips: tuple[bool, ...] = ()


@dataclass(frozen=True)
class Plate:
    """Plate of a seat. points: the score in words; gain: what it would get if the match ended now.

    called: the name, and what tells it apart from an equal one.
    """

    seat: int
    name: str
    called: tuple[str, str]
    note: str
    score: int
    points: str
    gain: str
    supplies: tuple[PlateSupply, ...]
    goods: str
    left_s: float | None
    is_active: bool
    is_mine: bool
    is_open: bool
    kept_for: str
    replaced: str
    rank: int | None
    has_won: bool

    @property
    def html(self) -> SafeString:
        """The plate of a seat alone, with its points."""
        return _drawn(self, has_points=True)

    @property
    def html_in_team(self) -> SafeString:
        """The plate of a partner, whose points stand beside both."""
        return _drawn(self, has_points=False)


@lru_cache(maxsize=KEPT)
def _drawn(plate: Plate, *, has_points: bool) -> SafeString:
    """A plate is drawn once for all who see the same: of those at a table one or two change with a move."""
    return render_to_string("play/_plate.html", {"plate": plate, "has_points": has_points})


@dataclass(frozen=True)
class Party:
    """Plates that win or lose together, partners or a seat alone, and what they have in common."""

    plates: tuple[Plate, ...]

    @property
    def score(self) -> int:
        """Points, the same for all of them."""
        return self.plates[0].score

    @property
    def points(self) -> str:
        """The same in words."""
        return self.plates[0].points

    @property
    def rank(self) -> int | None:
        """The place at the end; of two teams the second one's is 2."""
        rank = self.plates[0].rank
        return min(rank, 2) if rank and len(self.plates) > 1 else rank

    @property
    def seat(self) -> int:
        """The first seat of it."""
        return self.plates[0].seat

    @property
    def is_mine(self) -> bool:
        """Whether the reader sits there."""
        return any(plate.is_mine for plate in self.plates)


def parties_of(table: Table, plates: Sequence[Plate]) -> list[Party]:
    """The plates by whom they play with."""
    return [Party(tuple(plates[seat] for seat in side)) for side in wording.sides(table)]


def plates_of(table: Table, seen: Snapshot, panel: Panel) -> list[Plate]:
    """A plate for each seat."""
    rows = seen.result or [None] * len(table.rows)
    return [_plate(table, row, seen, panel, result) for row, result in zip(table.rows, rows, strict=True)]


def _plate(table: Table, row: LiveSeat, seen: Snapshot, panel: Panel, result: Result | None) -> Plate:
    one, name = seen.seats[row.seat], wording.name(table, row.seat)
    is_active = seen.on_turn == row.seat and table.match.status == LiveMatch.Status.RUNNING
    return Plate(
        seat=row.seat,
        name=name,
        called=naming.split_name(name, row.name),
        note=_note(table.match, row),
        score=one.score,
        points=points_words(one.score, is_against=are_against(table.match.game, table.match.options)),
        gain=_gain(table, one),
        supplies=tuple(_supply(supply) for supply in panel.supplies[row.seat]) if panel.supplies else (),
        goods=panel.goods[row.seat] if panel.goods else "",
        left_s=None if row.kind == LiveSeat.Kind.ENGINE else _left_s(one.left_s, seen, is_active=is_active),
        is_active=is_active,
        is_mine=row.seat in table.seats,
        is_open=row.kind == LiveSeat.Kind.OPEN,
        kept_for=_kept_for(table.match, row),
        replaced=_replaced(table.match, row),
        rank=result.rank if result else None,
        has_won=result is not None and result.result == "win",
    )


def _kept_for(match: LiveMatch, row: LiveSeat) -> str:
    """Words on whom an open seat is kept for; empty where anybody may take it, or somebody has it."""
    if row.kind != LiveSeat.Kind.OPEN or row.name == ANYBODY:
        return ""
    return rematch.previous_player(match, row.seat) or "an invitation"


def _left_s(before: float | None, seen: Snapshot, *, is_active: bool) -> float | None:
    """Seconds on a clock now; before: at the beginning of this ply, which runs on the clock of the seat on turn."""
    if before is None or not is_active:
        return before
    return max(0.0, before - (seen.waited_s or 0.0))


def _supply(supply: Supply) -> PlateSupply:
    pips = tuple(piece < supply.left for piece in range(supply.total)) if supply.total <= MOST_PIPS else ()
    return PlateSupply(**vars(supply), pips=pips)


def _gain(table: Table, one: SeatInPlay) -> str:
    """Points that would be added if the match ended now; empty where that is not known, or past."""
    if table.match.is_over or not aids.may_think(table.match):
        return ""
    return signed(one.projected - one.score, 0)


def _note(match: LiveMatch, row: LiveSeat) -> str:
    """Note on a seat: how strong an engine is, or what else is worth knowing of its player."""
    if row.kind == LiveSeat.Kind.ENGINE and row.configuration is not None:
        config = row.configuration
        seconds = config.budget.get("seconds_per_ply")
        if row.level:
            try:
                summary = engine_levels.get(match.game, row.level).summary.rstrip(".")
            except KeyError:  # a level of another version of the lab
                summary = row.level
            return f"{summary}, {seconds:g} s a move" if seconds else summary
        words = configuration_words({"engine": config.engine, "options": config.options, "budget": config.budget})
        return ", ".join(word for word in words if word != row.name)
    if row.kind == LiveSeat.Kind.AGENT:
        return "plays over the network"
    return "starts" if row.seat == match.on_turn and not match.ply else ""


def _replaced(match: LiveMatch, row: LiveSeat) -> str:
    """Note on who sat here before an engine took over, and why; a player who may come back has not lost yet."""
    back = seat_return.vacant_seats(match, [row], [row.seat])
    return " ".join(
        f"Since move {entry['ply'] + 1} for {entry['name']}: {entry['why']}"
        + (f" {entry['name']} has lost." if entry["has_lost"] and not back else "")
        for entry in row.replaced or ()
    )
