"""A move as one tells it at the table: what the tile ends, where the meeple goes, what grows."""

from __future__ import annotations

from collections.abc import Iterator

from games import readiness
from games.carcassonne import reading
from games.carcassonne import state as layout
from games.carcassonne.board.picture import Tile
from games.carcassonne.board.small import small_svg
from games.protocol import Game, MoveWords, Piece, State

_ENDS = {"city": "closes a city", "road": "ends a road", "monastery": "completes a monastery"}
_PLACES = {"city": "in {} city", "road": "on {} road", "monastery": "in the monastery", "field": "in a field"}
_BESIDE = {kind: f"meeple {'on' if kind == 'road' else 'in'} {kind}" for kind in _PLACES}
"""The same after something else."""
_LARGE = {"city": "the large", "road": "the long"}
_LARGE_TILES = 4
_MEEPLE_BITS = 4


def short_words(game: Game, state: State, action: int) -> MoveWords:
    """``closes a city, meeple on road``; ``on the long road``; ``extends the road``; ``no meeple``."""
    move, after = reading.placement(state, action), game.apply(state, action)
    ended = list(dict.fromkeys(event.kind for event in game.events(after) if event.kind in _ENDS))
    if game.is_terminal(after):  # then unfinished features score too, which the tile does not end
        ended = ended[: int(after[layout.NUM_EVENTS])]
    said = [_ENDS[kind] for kind in ended[:1]]
    tile, kernels = int(after[layout.NUM_LAID]) - 1, readiness.rules(game)
    if move.segment:
        kind = move.segment.rstrip("0123456789")
        segment = reading.TABLES.segment_names[reading.record(after, tile)[layout.TYPE]].index(move.segment)
        root = int(kernels.root(after, kernels.node(tile, segment)))
        if kind not in ended or kind in ("field", "monastery"):
            size = int(after[root + layout.SIZE_])
            is_large = kind in _LARGE and size >= _LARGE_TILES
            said.append(_BESIDE[kind] if said else _PLACES[kind].format(_LARGE[kind] if is_large else "a"))
    elif not said:
        said.append(next(_grown(game, after, tile, int(state[layout.PLAYER])), "no meeple"))
    return MoveWords(Tile(move.type, 0, 0).description, ", ".join(said))


def _grown(game: Game, after: State, tile: int, seat: int) -> Iterator[str]:
    """Claimed cities and roads that a tile makes larger, own ones first."""
    kernels, found = readiness.rules(game), []
    for segment, name in enumerate(reading.TABLES.segment_names[reading.record(after, tile)[layout.TYPE]]):
        kind = name.rstrip("0123456789")
        if kind in _LARGE:
            claims = int(after[int(kernels.root(after, kernels.node(tile, segment))) + layout.MEEPLES])
            own = claims >> (_MEEPLE_BITS * seat) & (1 << _MEEPLE_BITS) - 1
            if claims:
                found.append((not own, kind))
    for is_other, kind in sorted(found):
        yield f"extends another\N{RIGHT SINGLE QUOTATION MARK}s {kind}" if is_other else f"extends the {kind}"


def piece_of(notation: str) -> Piece | None:
    """The tile of a move as it lies, and its place on the board. notation: ``U 1,0 90° field0``."""
    letter, place, turned = notation.split(" ")[:3]
    x, y = place.split(",")
    picture = small_svg(letter, int(turned.rstrip("°")) // reading.DEGREES)
    return Piece(picture, (f"cell-{x}-{y}",))
