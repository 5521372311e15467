"""A move as one tells it at the table: the end it goes to, or what is passed on."""

from __future__ import annotations

from games.dominoes import reading, tiles
from games.dominoes import state as layout
from games.dominoes.board.small import small_svg
from games.dominoes.play import spelling
from games.protocol import Game, MoveWords, Piece, State

_INDEX = {tiles.name(index): index for index in range(tiles.NUM_TILES)}


def short_words(game: Game, state: State, action: int) -> MoveWords:
    """``on the 2``, ``opens``, ``passes on 4 and 5``: a line that bends has no left end."""
    ends = reading.ends(state)
    if action == layout.PASS and ends is not None:
        return MoveWords("", f"passes on {' and '.join(map(str, sorted(set(ends))))}")
    if action >= layout.PASS:
        return MoveWords("", ", ".join(part.words for part in spelling.parts(state, action)))
    where = "opens" if ends is None else f"on the {ends[0 if action & 1 == layout.LEFT_SIDE else 1]}"
    return MoveWords(spelling.tile_label(action >> 1), where)


def piece_of(notation: str) -> Piece | None:
    """The tile of a move; None where nothing is laid. notation: ``2-5 left``."""
    name = notation.split(" ")[0]
    if name not in _INDEX:
        return None
    return Piece(small_svg(_INDEX[name]), (f"piece-{name}",), stays=False)
