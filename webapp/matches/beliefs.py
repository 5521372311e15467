"""Beliefs about the hidden tiles of a dominoes match, as a seat could reckon at any ply of its replay.

Two ways to reckon stand side by side. All of it is read from the positions of a finished match.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from django.http import QueryDict
from django.utils.safestring import mark_safe

from games.dominoes import tiles
from games.dominoes.play import belief_views
from games.dominoes.play.belief_views import SeatBelief
from games.protocol import Game, State
from webapp.common.formats import count, number, percent
from webapp.matches import belief_curve
from webapp.matches.replay import Replay
from webapp.matches.selectors import MatchPage

GAME = "dominoes"
KEPT = 64
"""Curves that a process remembers: one for each round, seat and way."""


@dataclass(frozen=True)
class Cell:
    """A tile as a seat may hold it: what is known of it, both chances in per cent, whether the seat has it."""

    name: str
    known: str
    shares: tuple[int, ...] = ()
    is_true: bool = False


@dataclass(frozen=True)
class Grid:
    """The tiles by their numbers, for one hidden hand.

    rows: a lower number and its cells, from the double on; level: how the seat seems to play.
    """

    seat: int
    name: str
    held: int
    rows: tuple[tuple[int, tuple[Cell, ...]], ...]
    level: str


def is_for(walked: Replay | None) -> bool:
    """Whether a match has hidden hands to reckon with."""
    return walked is not None and walked.game.id == GAME and any(map(belief_views.has_hidden_hands, walked.states))


def section(page: MatchPage, ply: int, asked: QueryDict) -> dict[str, Any]:
    """All of the section, of a match that was walked; seats begin with the reader's own. ply: the one shown.

    asked: ``seat``, ``left``, ``right`` of the form; nonsense counts as its default.
    """
    walked, names, around = page.walked, page.names, page.around
    assert walked is not None
    seat = _number(asked.get("seat", ""), len(names), around[0])
    ways = tuple(
        asked.get(side, "") if asked.get(side, "") in belief_views.KINDS else usual
        for side, usual in (("left", "paper"), ("right", "exact"))
    )
    at = belief_views.position_of(walked.states, ply)
    context = {
        "seat": seat,
        "seats": [(other, names[other]) for other in around],
        "ways": ways,
        "kinds": list(belief_views.KINDS.items()),
        "ply": ply,
        "is_over": at != ply,
    }
    state = walked.states[at]
    if not belief_views.has_hidden_hands(state):
        return context | {"grids": []}
    if not all(belief_views.is_ready(walked.game, way) for way in ways):
        return context | {"grids": [], "is_waiting": True}
    found = [belief_views.infer_beliefs(walked.game, state, seat, way) for way in ways]
    return context | {
        "grids": [_grid(state, names, other, found) for other in around if other != seat],
        "labels": [belief_views.KINDS[way] for way in ways],
        "explained": [(belief_views.KINDS[way], belief_views.EXPLAINED[way]) for way in dict.fromkeys(ways)],
        "deals": count(found[0].deals),
        "logs": [number(one.log_probability, 1) for one in found],
        "effective": next((count(round(one.effective)) for one in found if one.effective is not None), ""),
        "curve": _curve(page.match.pk, walked, at, seat, ways),
    }


def _number(text: str, below: int, usual: int) -> int:
    return int(text) if text.isdecimal() and len(text) < 3 and int(text) < below else usual


def _grid(state: State, names: Sequence[str], other: int, found: Sequence[SeatBelief]) -> Grid:
    holders = belief_views.holders(state)
    numbers = range(tiles.NUM_NUMBERS)
    rows = tuple(
        (low, tuple(_cell(tiles.INDEX[low, high], other, holders, found) for high in numbers[low:])) for low in numbers
    )
    levels = [one.levels[other] for one in found if other in one.levels]
    level = f"playing level {percent(levels[0], 0)}" if levels else ""
    return Grid(other, names[other], sum(holder == other for holder in holders.values()), rows, level)


def _cell(tile: int, other: int, holders: Mapping[int, int], found: Sequence[SeatBelief]) -> Cell:
    if tile not in holders:
        return Cell(tiles.name(tile), "table")
    shares = tuple(round(100 * float(one.chances[tile, other])) for one in found)
    own = found[0].seat
    return Cell(tiles.name(tile), "own" if holders[tile] == own else "", shares, holders[tile] == other)


def _curve(pk: int, walked: Replay, at: int, seat: int, ways: Sequence[str]) -> dict[str, Any]:
    """Probability of the true deal by ply of the round, as a picture and as rows."""
    plies = belief_views.round_of(walked.states, at)
    states = walked.states[plies.start : plies.stop]
    lines = [_logs(_Line(pk, plies.start, plies.stop, seat, way, walked.game, states)) for way in dict.fromkeys(ways)]
    labels = [belief_views.KINDS[way] for way in dict.fromkeys(ways)]
    return {
        "svg": mark_safe(belief_curve.svg(plies, lines, labels, at)),
        "labels": labels,
        "rows": [(ply, [number(line[k], 1) for line in lines]) for k, ply in enumerate(plies)],
    }


@dataclass(frozen=True)
class _Line:
    """Key of a line of the curve; positions follow from the rest."""

    pk: int
    start: int
    stop: int
    seat: int
    way: str
    game: Game = field(compare=False)
    states: Sequence[State] = field(compare=False)


@lru_cache(maxsize=KEPT)
def _logs(line: _Line) -> tuple[float, ...]:
    """Log-probability of the true deal after each ply of a round."""
    return tuple(
        belief_views.infer_beliefs(line.game, state, line.seat, line.way).log_probability for state in line.states
    )
