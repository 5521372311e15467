"""Final scoring: claimed features that were never finished, one by one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import ModuleType

from games import readiness
from games.carcassonne import reading, tiles
from games.carcassonne import state as layout
from games.carcassonne.board import victory as pictures
from games.endings import Counted, Ending, in_order, times
from games.protocol import TERMINAL, Event, Game, State

_LABELS = {"city": "City, unfinished", "road": "Road, unfinished", "monastery": "Monastery", "field": "Field"}
_KINDS = {"city": "Cities", "road": "Roads", "monastery": "Monasteries", "field": "Fields"}
_FIELD_POINTS = 3
"""Points of a field for each finished city that touches it."""
_AROUND = 9
"""Tiles of a finished monastery."""


def ending(game: Game, before: State, after: State) -> Ending | None:
    """The final scoring, where the match ended between two states."""
    if game.current_player(before) == TERMINAL or game.current_player(after) != TERMINAL:
        return None
    standing = _segments(readiness.rules(game), after)
    found = sorted(
        game.open_features(after), key=lambda event: (tiles.KINDS.index(event.kind), event.points, event.tiles)
    )
    cities = reading.city_elements(readiness.rules(game), after) if _is_by_city(after) else {}
    rows = in_order([_row(event, standing, cities) for event in found])
    return Ending(
        title="Final scoring",
        is_over=True,
        rows=rows,
        how="The last tile has been laid",
        rule=f"Unfinished features count for those with most meeples on them, {_of_fields(after)}.",
        picture=pictures.picture(game.scores(after), game.ranks(after)),
    )


def victory(game: Game, state: State, seats: Sequence[int]) -> str:
    """The road as far as all have come, those who have won at its gate."""
    scores = game.scores(state)
    best = max(scores)
    reached = [best if seat in seats else score for seat, score in enumerate(scores)]
    return pictures.picture(reached, [1 if seat in seats else 2 for seat in range(len(scores))])


def _is_by_city(state: State) -> bool:
    return int(state[layout.FARMERS]) == layout.FARMERS_BY_CITY


def _of_fields(state: State) -> str:
    if _is_by_city(state):
        return "finished cities 4 points for those with most farmers round them"
    return "fields 3 points for each finished city"


def _segments(kernels: ModuleType, state: State) -> dict[str, str]:
    """Segment with the meeple that stands on a tile, by the id of its cell: ids of the drawing."""
    return {
        f"cell-{tile.x}-{tile.y}": f"seg-{tile.x}-{tile.y}-{tile.meeple[0]}"
        for tile in reading.laid_tiles(kernels, state)
        if tile.meeple
    }


def _row(event: Event, standing: dict[str, str], cities: Mapping[tuple[tuple[int, int], ...], str]) -> Counted:
    """A row; cities: ids of finished cities by their tiles, where farmers are counted city by city."""
    is_supplied = bool(cities) and event.kind == "field"
    return Counted(
        label="City with farmers" if is_supplied else _LABELS[event.kind],
        points=event.points,
        seats=event.seats,
        detail=_detail(event, is_supplied=is_supplied),
        kind=_KINDS[event.kind],
        elements=(cities[event.tiles],) if is_supplied else tuple(standing[cell] for cell in event.elements[:1]),
    )


def _detail(event: Event, *, is_supplied: bool) -> str:
    size = len(event.tiles)
    if is_supplied:
        words = times(size, "tile", "tiles")
    elif event.kind == "field":
        words = times(event.points // _FIELD_POINTS, "city", "cities")
    elif event.kind == "monastery":
        words = f"{event.points} of {_AROUND} tiles"
    else:
        shields = event.points - size
        words = times(size, "tile", "tiles") + (f", {times(shields, 'shield', 'shields')}" if shields else "")
    return f"{words}, shared" if len(event.seats) > 1 else words
