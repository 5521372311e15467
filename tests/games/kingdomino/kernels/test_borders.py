"""Borders against areas that are searched square by square, and the room that they take in the buffer."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from games import loader
from games.kingdomino import state as layout
from games.protocol import State
from tests.games.kingdomino import matches

RULES = loader.rules(matches.GAME.folder, mode="plain")
GREEDY = RULES.policies.greedy
BORDERS = GREEDY.borders
TERRAINS, ALL_TERRAINS = range(layout.NUM_TERRAINS), (1 << layout.NUM_TERRAINS) - 1
UNTOUCHED = -(1 << 30)
FULLEST = """
ls.m..l
.Cmlswf
pw.p.s.
.sfwp.p
pf.m.sl
s.plmf.
.pf..sp
"""
"""Squares laid (C: castle) with the most entries, 38 without the last ones, that 25,000 steps of simulated annealing
found for 7 x 7 squares; 6 x 7, 6 x 6 and 5 x 5 came to 38, 36 and 26."""

Area = frozenset[int]
Lands = list[set[int]]


def members(squares: int) -> set[int]:
    """The squares of a set of the rules."""
    return {square for square in range(64) if int(squares) >> square & 1}


def around(square: int) -> list[int]:
    """The four neighbours on a board of 8 x 8 squares that ends meet."""
    x, y = square % 8, square // 8
    return [8 * y + (x + 1) % 8, 8 * y + (x - 1) % 8, 8 * ((y + 1) % 8) + x, 8 * ((y - 1) % 8) + x]


def area_at(square: int, land: set[int]) -> Area:
    """The area that a square of a terrain belongs to."""
    found, border = {square}, [square]
    while border:
        new = [near for near in around(border.pop()) if near in land and near not in found]
        found.update(new)
        border.extend(new)
    return frozenset(found)


def areas_beside(square: int, land: set[int]) -> set[Area]:
    """The areas of a terrain that touch a square."""
    return {area_at(near, land) for near in around(square) if near in land}


def worth(areas: set[Area], crowns: list[int]) -> int:
    """Size + crowns * 64 + points * 4096 of areas, summed."""
    return sum(
        len(area) + (crowned << 6) + ((len(area) * crowned) << 12)
        for area, crowned in ((area, sum(crowns[square] for square in area)) for area in areas)
    )


def points(lands: Lands, crowns: list[int]) -> int:
    """Points of all areas."""
    return sum(worth({area_at(square, land) for square in land}, crowns) >> 12 for land in lands)


def entries(buffer: State, border: int) -> Iterator[tuple[set[int], int, int]]:
    """Squares, word and areas of each entry of a border."""
    for at in range(*BORDERS.range_of(buffer, border), BORDERS.ENTRY):
        yield members(BORDERS.squares_of(buffer, at)), int(buffer[at + 2]), int(buffer[at + 3])


def check_border(buffer: State, border: int, empty: set[int], land: set[int], crowns: list[int]) -> None:
    """Its entries share out the empty squares by the areas that touch them, and say what these come to."""
    seen: list[int] = []
    for squares, word, areas in entries(buffer, border):
        beside = [areas_beside(square, land) for square in squares]
        assert all(each == beside[0] for each in beside)
        assert (word, areas.bit_count()) == ((worth(beside[0], crowns), len(beside[0])) if beside else (0, 0))
        seen.extend(squares)
    assert sorted(seen) == sorted(empty)


def kingdom_of(state: State) -> tuple[int, Lands, list[int]]:
    """Offset of the kingdom on turn, squares of each terrain, crowns of each square."""
    k = layout.KINGDOMS + layout.KINGDOM * int(state[layout.PLAYER])
    crowned = [members(RULES.squares(state, k + layout.CROWNED + 2 * level)) for level in range(3)]
    lands = [members(RULES.squares(state, k + 2 * terrain)) for terrain in TERRAINS]
    return k, lands, [sum(square in level for level in crowned) for square in range(64)]


def looked_at(state: State, k: int, buffer: State) -> tuple[Any, Any, int]:
    """A kingdom, its borders of all terrains in the buffer; the view of it; the place behind the borders."""
    view = GREEDY.view_of(state, False, RULES.NONE)
    kingdom, at = GREEDY.look(state, k, ALL_TERRAINS, GREEDY.kingdom_at(state, k), view, buffer)
    return kingdom, view, at


def placed(state: State, domino: int) -> list[tuple[int, int]]:
    """Every square of end a with a direction."""
    sets = RULES.placements(state, int(state[layout.PLAYER]), domino)
    return [(a, direction) for direction in range(4) for a in sorted(members(sets[direction]))]


def kingdom_drawn(picture: str) -> State:
    """A state of a Mighty Duel with a kingdom for the seat on turn; no square has a crown."""
    state = matches.turns(2, size="7")[0].copy()
    k, rows = layout.KINGDOMS + layout.KINGDOM * int(state[layout.PLAYER]), picture.split()
    squares = {(x, y): mark for y, row in enumerate(rows) for x, mark in enumerate(row) if mark != "."}
    west, north = next(square for square, mark in squares.items() if mark == "C")
    for (x, y), mark in squares.items():
        if mark != "C":
            bit = 8 * ((y - north) % 8) + (x - west) % 8
            state[k + 2 * "wflpsm".index(mark) : k + layout.CROWNED].view(np.uint32)[bit // 32] |= np.uint32(
                1 << bit % 32
            )
    state[k + layout.WEST], state[k + layout.EAST] = -west, 6 - west
    state[k + layout.NORTH], state[k + layout.SOUTH] = -north, 6 - north
    return state


@pytest.mark.filterwarnings("ignore:overflow encountered")
@pytest.mark.parametrize(("seats", "size"), [(2, "7"), (4, "5")])
def test_borders_are_what_a_search_square_by_square_finds(seats: int, size: str) -> None:
    """Of kingdoms as they stand, and with a domino laid, which brings what areas are worth more."""
    rng, buffer = random.Random(seats), np.zeros(RULES.MAX_ACTIONS, np.int32)
    for state in matches.turns(seats, size=size)[10::7]:
        k, lands, crowns = kingdom_of(state)
        kingdom, view, at = looked_at(state, k, buffer)
        for terrain in TERRAINS:
            check_border(buffer, terrain, members(kingdom[1]), lands[terrain], crowns)
        domino = int(RULES.to_place(state))
        ta, tb = ends = [int(RULES.END_TERRAIN[2 * domino + end]) for end in range(2)]
        ways = placed(state, domino)
        for a, direction in rng.sample(ways, min(2, len(ways))):
            gain, laid = GREEDY.lay(domino, a, direction, buffer)
            after, now = [set(land) for land in lands], list(crowns)
            for end, square in enumerate((a, GREEDY.other_end(a, direction))):
                after[ends[end]].add(square)
                now[square] = int(RULES.END_CROWNS[2 * domino + end])
            assert gain == points(after, now) - points(lands, crowns)
            still = GREEDY.kingdom_with(kingdom, laid, a, view)[1]
            GREEDY.extend_borders(laid, ALL_TERRAINS, still, buffer, at)
            check_border(buffer, BORDERS.FIRST_END, members(still), after[ta], now)
            if ta != tb:
                check_border(buffer, BORDERS.SECOND_END, members(still), after[tb], now)


@pytest.mark.filterwarnings("ignore:overflow encountered")
def test_buffer_has_room_for_the_fullest_borders() -> None:
    """Also where any of some dominoes is laid anywhere: nothing is written behind the end, which leaves some room."""
    state, buffer = kingdom_drawn(FULLEST), np.full(RULES.MAX_ACTIONS, UNTOUCHED, np.int32)
    k, _, _ = kingdom_of(state)
    kingdom, view, at = looked_at(state, k, buffer)
    assert at == BORDERS.ENTRIES + BORDERS.ENTRY * (38 + layout.NUM_TERRAINS)
    most = 0
    for domino in (0, 12, 22, 47):
        for a, direction in placed(state, domino):
            laid = GREEDY.lay(domino, a, direction, buffer)[1]
            GREEDY.extend_borders(laid, ALL_TERRAINS, GREEDY.kingdom_with(kingdom, laid, a, view)[1], buffer, at)
            most = max(
                most, *(BORDERS.range_of(buffer, border)[1] for border in (BORDERS.FIRST_END, BORDERS.SECOND_END))
            )
    assert at < most <= BORDERS.END == GREEDY.MOST
    assert set(buffer[BORDERS.END :].tolist()) == {UNTOUCHED}
    assert len(buffer) >= GREEDY.FREE + layout.MAX_KINGS


def test_areas_of_a_terrain_have_numbers_of_their_own() -> None:
    """Fewer squares have it, on all dominoes, than there are bits below that of the area just laid."""
    assert max(np.bincount(RULES.END_TERRAIN)) < BORDERS.LAID
