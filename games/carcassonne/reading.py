"""Reads a state for people: tiles, features, notation, events. Holds no rule of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import ModuleType
from typing import NamedTuple

from games.carcassonne import state as layout
from games.carcassonne import tiles
from games.protocol import Event, State

TABLES = tiles.load()
DEGREES = 90


class LaidTile(NamedTuple):
    """One tile on the board; meeple: (segment name, seat) placed with it and still standing."""

    type: str
    x: int
    y: int
    rotation: int
    meeple: tuple[str, int] | None


class Placement(NamedTuple):
    """An action spelt out; segment None = no meeple."""

    type: str
    x: int
    y: int
    rotation: int
    segment: str | None


def record(state: State, tile: int) -> State:
    """The words of one laid tile."""
    start = layout.TILES + layout.TILE_WORDS * tile
    return state[start : start + layout.TILE_WORDS]


def laid_tiles(kernels: ModuleType, state: State) -> list[LaidTile]:
    """All tiles on the board in the order laid, the start tile first."""
    rows = []
    for tile in range(int(state[layout.NUM_LAID])):
        words = record(state, tile)
        meeple = None
        if kernels.has_meeple(state, tile):
            names = TABLES.segment_names[words[layout.TYPE]]
            meeple = (names[words[layout.MEEPLE] - 1], int(words[layout.OWNER]))
        letter = TABLES.letters[words[layout.TYPE]]
        rows.append(LaidTile(letter, int(words[layout.X]), int(words[layout.Y]), int(words[layout.ROTATION]), meeple))
    return rows


def coordinates(state: State, cell: int) -> tuple[int, int]:
    """x and y of a cell that holds a tile or lies beside one."""
    for dx, dy in ((0, -1), (1, 0), (0, 1), (-1, 0)):
        beside = (cell + dx + layout.ROW * dy) % layout.RING
        tile = int(state[layout.CELLS + beside] & 255) - 1
        if tile >= 0:
            words = record(state, tile)
            return int(words[layout.X]) - dx, int(words[layout.Y]) - dy
    raise ValueError(f"cell {cell} is not beside a tile")


def placement(state: State, action: int) -> Placement:
    """Spell a legal action of the seat on turn."""
    cell, rest = divmod(action, layout.ACTION_CELL)
    rotation, claimed = divmod(rest, layout.ACTION_ROTATION)
    t = int(state[layout.TILE]) - 1
    segment = TABLES.segment_names[t][claimed - 1] if claimed else None
    return Placement(TABLES.letters[t], *coordinates(state, cell), rotation, segment)


def action(state: State, x: int, y: int, rotation: int, segment: str | None) -> int:
    """The number of an action of the drawn tile, legal or not. Raises ValueError: no such segment."""
    names = TABLES.segment_names[int(state[layout.TILE]) - 1]
    claimed = names.index(segment) + 1 if segment is not None else 0
    cell = (x + layout.ROW * y) % layout.RING
    return cell * layout.ACTION_CELL + rotation * layout.ACTION_ROTATION + claimed


def notation(state: State, number: int) -> str:
    """``U 1,0 90° field0``: tile type, column, row, clockwise turn, segment of the meeple."""
    return in_words(placement(state, number))


def in_words(move: Placement) -> str:
    """The notation of an action that is spelt out."""
    words = f"{move.type} {move.x},{move.y} {move.rotation * DEGREES}°"
    return f"{words} {move.segment}" if move.segment else words


def _feature_tiles(kernels: ModuleType, state: State, root: int) -> tuple[tuple[int, int], ...]:
    """Sorted coordinates of the tiles that hold a segment of the feature with this root."""
    cells = set()
    for tile in range(int(state[layout.NUM_LAID])):
        words = record(state, tile)
        for segment in range(int(TABLES.num_segments[words[layout.TYPE]])):
            if kernels.root(state, kernels.node(tile, segment)) == root:
                cells.add((int(words[layout.X]), int(words[layout.Y])))
    return tuple(sorted(cells))


def _claims(kernels: ModuleType, state: State, root: int) -> Iterator[tuple[int, str]]:
    """Owner of each meeple placed on the feature with this root, and the id of the cell where it stood."""
    for tile in range(int(state[layout.NUM_LAID])):
        words = record(state, tile)
        claimed = int(words[layout.MEEPLE])
        if claimed and kernels.root(state, kernels.node(tile, claimed - 1)) == root:
            yield int(words[layout.OWNER]), f"cell-{words[layout.X]}-{words[layout.Y]}"


def _event(kernels: ModuleType, state: State, root: int, kind: int, points: int, meeples: int) -> Event:
    counts = [(meeples >> (4 * seat)) & 15 for seat in range(int(state[layout.NUM_SEATS]))]
    winners = tuple(seat for seat, count in enumerate(counts) if count == max(counts))
    claims = sorted(_claims(kernels, state, root))
    owners, elements = tuple(seat for seat, _ in claims), tuple(element for _, element in claims)
    return Event(tiles.KINDS[kind], points, winners, _feature_tiles(kernels, state, root), owners, elements)


def events(kernels: ModuleType, state: State) -> Iterator[Event]:
    """The claimed features that the last ply finished.

    `returned`: owner of each meeple; `elements`: the cells where these meeples stood, in the same
    order (their own ids begin with ``meeple`` instead of ``cell``).
    """
    for i in range(int(state[layout.NUM_EVENTS])):
        start = layout.EVENTS + layout.EVENT * i
        yield _event(kernels, state, *(int(word) for word in state[start : start + layout.EVENT]))


def open_features(kernels: ModuleType, state: State) -> Iterator[Event]:
    """The claimed features that are not finished, with what they are worth at the end.

    Where farmers are counted city by city, the finished cities with farmers round them stand for the fields.
    """
    claimed = state[layout.STANDING :][: state[layout.NUM_STANDING]]
    is_by_city = state[layout.FARMERS] == layout.FARMERS_BY_CITY
    for entry in sorted(claimed.tolist()):
        root, kind = entry >> 2, entry & 3
        if kind != tiles.FIELD or not is_by_city:
            points = int(kernels.features.open_value(state, root, kind))
            yield _event(kernels, state, root, kind, points, int(state[root + layout.MEEPLES]))
    if is_by_city:
        yield from _supplied(kernels, state)


def _supplied(kernels: ModuleType, state: State) -> Iterator[Event]:
    """The finished cities with farmers on fields that touch them."""
    finished = int(kernels.features.finished_cities(state))
    for bit in (bit for bit in range(layout.MAX_CITIES) if finished >> bit & 1):
        meeples = int(kernels.features.farmers_round(state, bit))
        if meeples:
            yield _supply(kernels, state, bit, meeples)


def _supply(kernels: ModuleType, state: State, bit: int, meeples: int) -> Event:
    counts = [(meeples >> (4 * seat)) & 15 for seat in range(int(state[layout.NUM_SEATS]))]
    winners = tuple(seat for seat, count in enumerate(counts) if count == max(counts))
    word, flag = layout.MASK + bit // layout.MASK_BITS, 1 << bit % layout.MASK_BITS
    fields = [
        entry >> 2
        for entry in state[layout.STANDING :][: state[layout.NUM_STANDING]].tolist()
        if entry & 3 == tiles.FIELD and state[(entry >> 2) + word] & flag
    ]
    claims = sorted(claim for root in fields for claim in _claims(kernels, state, root))
    tile, segment = _city_segment(state, bit)
    places = _feature_tiles(kernels, state, kernels.root(state, kernels.node(tile, segment)))
    points = int(kernels.features.CITY_SUPPLY)
    return Event("field", points, winners, places, tuple(seat for seat, _ in claims), tuple(cell for _, cell in claims))


def _city_segment(state: State, bit: int) -> tuple[int, int]:
    """Tile and segment with a city bit: a tile's city segments come first, and have bits in their order."""
    for tile in range(int(state[layout.NUM_LAID])):
        words = record(state, tile)
        segment = bit - int(words[layout.FIRST_BIT])
        if 0 <= segment < TABLES.num_cities[words[layout.TYPE]]:
            return tile, segment
    raise ValueError(f"no city has bit {bit}")


def city_elements(kernels: ModuleType, state: State) -> dict[tuple[tuple[int, int], ...], str]:
    """Id of a segment of each finished city in a drawing, by the city's tiles."""
    finished, found = int(kernels.features.finished_cities(state)), {}
    for bit in (bit for bit in range(layout.MAX_CITIES) if finished >> bit & 1):
        tile, segment = _city_segment(state, bit)
        words = record(state, tile)
        name = TABLES.segment_names[words[layout.TYPE]][segment]
        places = _feature_tiles(kernels, state, kernels.root(state, kernels.node(tile, segment)))
        found[places] = f"seg-{words[layout.X]}-{words[layout.Y]}-{name}"
    return found


def whole_match(kernels: ModuleType, states: Sequence[State]) -> tuple[list[LaidTile], dict[int, int]]:
    """Tiles with the meeples as placed, and when meeples came home.

    states: after 0, 1, ... plies. Returns the tiles in the order laid, the start tile first,
    and a map from the index of a tile to the number of plies after which its meeple is home.
    """
    rows, home = [], {}
    for tile, bare in enumerate(laid_tiles(kernels, states[-1])):
        words = record(states[-1], tile)
        claimed = int(words[layout.MEEPLE])
        if not claimed:
            rows.append(bare)
            continue
        segment = TABLES.segment_names[words[layout.TYPE]][claimed - 1]
        rows.append(bare._replace(meeple=(segment, int(words[layout.OWNER]))))
        gone = (n for n in range(tile, len(states)) if not kernels.has_meeple(states[n], tile))
        if (first := next(gone, None)) is not None:
            home[tile] = first
    return rows, home
