"""Final scoring: claimed features that were never finished, one by one."""

from __future__ import annotations

from types import ModuleType

from games import readiness
from games.carcassonne import reading, tiles
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
    rows = in_order([_row(event, standing) for event in found])
    return Ending(
        title="Final scoring",
        is_over=True,
        rows=rows,
        how="The last tile has been laid",
        rule="Unfinished features count for those with most meeples on them, fields 3 points for each finished city.",
    )


def _segments(kernels: ModuleType, state: State) -> dict[str, str]:
    """Segment with the meeple that stands on a tile, by the id of its cell: ids of the drawing."""
    return {
        f"cell-{tile.x}-{tile.y}": f"seg-{tile.x}-{tile.y}-{tile.meeple[0]}"
        for tile in reading.laid_tiles(kernels, state)
        if tile.meeple
    }


def _row(event: Event, standing: dict[str, str]) -> Counted:
    return Counted(
        label=_LABELS[event.kind],
        points=event.points,
        seats=event.seats,
        detail=_detail(event),
        kind=_KINDS[event.kind],
        elements=tuple(standing[cell] for cell in event.elements[:1]),
    )


def _detail(event: Event) -> str:
    size = len(event.tiles)
    if event.kind == "field":
        words = times(event.points // _FIELD_POINTS, "city", "cities")
    elif event.kind == "monastery":
        words = f"{event.points} of {_AROUND} tiles"
    else:
        shields = event.points - size
        words = times(size, "tile", "tiles") + (f", {times(shields, 'shield', 'shields')}" if shields else "")
    return f"{words}, shared" if len(event.seats) > 1 else words
