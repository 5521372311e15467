"""Reads a state for people: kingdoms, draft, actions, notation. Holds no rule of its own."""

from __future__ import annotations

from typing import Any, NamedTuple

from games.kingdomino import dominoes
from games.kingdomino import state as layout
from games.protocol import State

TABLES = dominoes.load()
STEPS = ((1, 0), (0, 1), (-1, 0), (0, -1))
"""Direction to end b -> (x, y) from end a."""
CASTLE = "castle"


class Square(NamedTuple):
    """One square of a kingdom, x east and y south of the castle; domino: its number."""

    x: int
    y: int
    terrain: str
    crowns: int
    domino: int


class Fate(NamedTuple):
    """Fate of a domino that was chosen.

    place: in its row; squares: of ends a and b as (x, y), None where it waits or was discarded.
    """

    domino: int
    seat: int
    round: int
    place: int
    status: int
    squares: tuple[tuple[int, int], tuple[int, int]] | None


class Move(NamedTuple):
    """An action spelt out: squares of ends a and b (None: not placed), number chosen (None: none)."""

    squares: tuple[tuple[int, int], tuple[int, int]] | None
    chosen: int | None


def bounds(state: State, seat: int) -> tuple[int, int, int, int]:
    """Least and greatest x, least and greatest y of a kingdom."""
    at = layout.KINGDOMS + layout.KINGDOM * seat + layout.WEST
    west, east, north, south = (int(word) for word in state[at : at + 4])
    return west, east, north, south


def _coordinate(line: int, low: int, high: int, limit: int, step: int) -> int:
    """Column or row of a square from its line on the board of 8 (see `placing.coordinate`)."""
    first = max(high - limit + 1, low - 2)
    if limit == 7 and high - low == 4 and step < 0 and (line - first) % 8 == 0:
        return high + 2
    return (line - first) % 8 + first


def squares_of(state: State, seat: int, placement: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """Squares, as (x, y), where a placement that is legal now puts ends a and b."""
    west, east, north, south = bounds(state, seat)
    limit = int(state[layout.LIMIT])
    square, (dx, dy) = placement >> 2, STEPS[placement & 3]
    x = _coordinate(square & 7, west, east, limit, dx)
    y = _coordinate(square >> 3, north, south, limit, dy)
    return (x, y), (x + dx, y + dy)


def placement_of(ends: tuple[tuple[int, int], tuple[int, int]]) -> int:
    """The number of a placement, legal or not. Raises ValueError where the ends are not neighbours."""
    (x, y), (bx, by) = ends
    return 4 * (8 * (y % 8) + x % 8) + STEPS.index((bx - x, by - y))


def move(state: State, action: int) -> Move:
    """Spell a legal action of the seat on turn."""
    placement, choice = divmod(action, layout.CHOICES)
    ends = None if placement == layout.NOWHERE else squares_of(state, int(state[layout.PLAYER]), placement)
    chosen = None if choice == layout.NOTHING else int(state[layout.ROW + choice])
    return Move(ends, chosen)


def action(state: State, spelt: Move) -> int:
    """The number of an action, legal or not. Raises ValueError for a domino that is not on offer."""
    placement = layout.NOWHERE if spelt.squares is None else placement_of(spelt.squares)
    choice = layout.NOTHING if spelt.chosen is None else offered_dominoes(state).index(spelt.chosen)
    return placement * layout.CHOICES + choice


def offered_dominoes(state: State) -> list[int]:
    """Dominoes of the row on offer, in ascending order, chosen ones too."""
    return [int(number) for number in state[layout.ROW : layout.ROW + int(state[layout.NUM_OFFERED])]]


def to_place(state: State) -> int | None:
    """Number of the domino that the seat on turn places; None in round 1 and where nobody is on turn."""
    if state[layout.PLAYER] < 0:
        return None
    return int(state[layout.LAST + int(state[layout.TURN])]) or None


def fates(state: State) -> list[Fate]:
    """The dominoes that have been chosen, by round and place of the row."""
    rows = []
    for index in range(layout.NUM_DOMINOES):
        word = int(state[layout.FATE + index])
        if word & 1:
            rows.append((index + 1, word))
    order = sorted(rows, key=lambda row: (row[1] >> layout.FATE_ROUND & 15, row[1] >> layout.FATE_PLACE & 3))
    grown: dict[int, list[int]] = {}
    return [_fate(state, number, word, grown) for number, word in order]


def left_aside(state: State) -> list[tuple[int, int, int]]:
    """(number, round, place in its row) of the dominoes that nobody took, by round."""
    words = ((index + 1, int(state[layout.FATE + index])) for index in range(layout.NUM_DOMINOES))
    found = [
        (number, word >> layout.FATE_ROUND & 15, word >> layout.FATE_PLACE & 3)
        for number, word in words
        if word and not word & 1
    ]
    return sorted(found, key=lambda row: row[1])


def row_length(state: State) -> int:
    """Dominoes of a row."""
    return int(state[layout.NUM_KINGS] + state[layout.SPARE])


def _fate(state: State, number: int, word: int, grown: dict[int, list[int]]) -> Fate:
    """One of them; grown: seat -> bounds of its kingdom so far, brought up to date."""
    seat, status = word >> layout.FATE_SEAT & 3, word >> layout.FATE_STATE & 3
    ends = None
    if status == layout.PLACED:
        west, east, north, south = grown.setdefault(seat, [0, 0, 0, 0])
        limit, square = int(state[layout.LIMIT]), word >> layout.FATE_CELL & 63
        dx, dy = STEPS[word >> layout.FATE_TURN & 3]
        x = _coordinate(square & 7, west, east, limit, dx)
        y = _coordinate(square >> 3, north, south, limit, dy)
        ends = ((x, y), (x + dx, y + dy))
        grown[seat] = [min(west, x, x + dx), max(east, x, x + dx), min(north, y, y + dy), max(south, y, y + dy)]
    return Fate(number, seat, word >> layout.FATE_ROUND & 15, word >> layout.FATE_PLACE & 3, status, ends)


def kingdom(state: State, seat: int) -> list[Square]:
    """The squares of a kingdom, castle left out, in the order laid."""
    rows = []
    for fate in fates(state):
        if fate.seat == seat and fate.squares is not None:
            for end, (x, y) in enumerate(fate.squares):
                face = 2 * (fate.domino - 1) + end
                terrain = dominoes.TERRAINS[int(TABLES.terrain[face])]
                rows.append(Square(x, y, terrain, int(TABLES.crowns[face]), fate.domino))
    return rows


def face(number: int) -> str:
    """A domino in words: ``48 wheat, mine with 3 crowns``."""
    ends = []
    for end in (0, 1):
        crowns = int(TABLES.crowns[2 * (number - 1) + end])
        terrain = dominoes.TERRAINS[int(TABLES.terrain[2 * (number - 1) + end])]
        ends.append(terrain + (f" with {crowns} crown{'s' if crowns > 1 else ''}" if crowns else ""))
    return f"{number} {', '.join(ends)}"


def notation(state: State, number: int) -> str:
    """``12 at 1,0 2,0, takes 33``: domino placed, squares of its ends (column, row), domino chosen."""
    return in_words(to_place(state), move(state, number))


def in_words(placed: int | None, spelt: Move) -> str:
    """The notation of an action that is spelt out. placed: the domino that was to be placed, None: none was."""
    words = []
    if placed is not None:
        if spelt.squares is None:
            words.append(f"{placed} discarded")
        else:
            (x, y), (bx, by) = spelt.squares
            words.append(f"{placed} at {x},{y} {bx},{by}")
    if spelt.chosen is not None:
        words.append(f"takes {spelt.chosen}")
    return ", ".join(words)


def observation(state: State) -> dict[str, Any]:
    """Everything that lies on the table, JSON-ready; nobody knows more."""
    seats = range(int(state[layout.NUM_SEATS]))
    kings = int(state[layout.NUM_KINGS])
    return {
        "round": int(state[layout.ROUND]),
        "rounds": int(state[layout.NUM_ROWS]) + 1,
        "kingdoms": [[list(square) for square in kingdom(state, seat)] for seat in seats],
        "discards": [int(state[layout.KINGDOMS + layout.KINGDOM * seat + layout.DISCARDS]) for seat in seats],
        "first_order": [int(word) - 1 for word in state[layout.ORDER : layout.ORDER + int(state[layout.NUM_ORDERED])]],
        "row": [
            {"domino": number, "seat": int(state[layout.CLAIM + place]) - 1 if state[layout.CLAIM + place] else None}
            for place, number in enumerate(offered_dominoes(state))
        ],
        "to_place": [
            {"domino": int(state[layout.LAST + place]), "seat": int(state[layout.OWNER + place]) - 1}
            for place in range(int(state[layout.TURN]), kings)
            if state[layout.LAST + place]
        ],
        "left": undrawn_dominoes(state),
        **({"aside": [number for number, _, _ in left_aside(state)]} if state[layout.SPARE] else {}),
    }


def undrawn_dominoes(state: State) -> list[int]:
    """Numbers of the dominoes that may still be drawn."""
    return [
        index + 1 for index in range(layout.NUM_DOMINOES) if int(state[layout.POOL + index // 24]) >> (index % 24) & 1
    ]
