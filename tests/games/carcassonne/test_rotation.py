"""A match turned by a quarter, half or three quarters goes and scores the same."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from games.carcassonne import state as layout
from tests.games.carcassonne.painted import TILES
from tests.games.carcassonne.recorded import FILES, matches
from tests.games.carcassonne.tables import Entry, GameTable, Move, new_journal
from tests.looping import looped

Ports = Mapping[str, tuple[str | None, ...]]


def turned_ports(ports: Ports) -> Ports:
    """Borders of a tile after a clockwise quarter turn."""
    return {"N": ports["W"][::-1], "E": ports["N"], "S": ports["E"][::-1], "W": ports["S"]}


def turned_place(place: tuple[int, int], turns: int) -> tuple[int, int]:
    x, y = place
    for _ in range(turns):
        x, y = -y, x
    return x, y


def turned_move(letter: str, move: Move, turns: int) -> Move:
    """A move on the turned board, its rotation among the distinct ones of its tile type.

    Where the tile looks the same after fewer turns, its segments trade names.
    """
    x, y, rotation, segment = move
    tiles = TILES[letter]
    ports: Ports = tiles[0].ports
    for _ in range(rotation + turns):
        ports = turned_ports(ports)
    final = (rotation + turns) % len(tiles)
    names = {
        old: new
        for side in "NESW"
        for old, new in zip(ports[side], tiles[final].ports[side], strict=True)
        if old is not None
    }
    return (*turned_place((x, y), turns), final, names.get(segment, segment) if segment else None)


def turned_start(table: GameTable, turns: int) -> np.ndarray:
    """The start of a match whose start tile lies turned."""
    kernels = table.game.kernels()
    state = np.zeros_like(table.state)
    state[: layout.EVENTS] = table.state[: layout.EVENTS]
    state[[layout.NUM_LAID, layout.NUM_FRONTIER, layout.CITY_BITS]] = 0
    kernels.lay(state, kernels.START, 0, turns, 0, new_journal())
    return state


def turned_events(entries: list[Entry], turns: int) -> list[Entry]:
    return sorted(
        (kind, points, seats, tuple(sorted(turned_place(place, turns) for place in tiles)), returned)
        for kind, points, seats, tiles, returned in entries
    )


def assert_turned_alike(trace: dict[str, Any], turns: int) -> None:
    plain, turned = (GameTable(trace["players"], **trace["rules"]) for _ in range(2))
    turned.state = turned_start(turned, turns)
    for ply in trace["plies"]:
        for letter in [*ply["vain"], ply["tile"]]:
            assert plain.draw(letter) == turned.draw(letter)
        move = (ply["x"], ply["y"], ply["rot"], ply["meeple"])
        assert turned.moves() == {turned_move(ply["tile"], move, turns) for move in plain.moves()}
        plain.lay(move)
        turned.lay(turned_move(ply["tile"], move, turns))
        assert turned.points == plain.points == ply["scores"] or plain.over
        assert turned.projected == plain.projected == ply["projected"]
        assert turned.in_hand == plain.in_hand
        assert turned.events == turned_events(plain.events, turns)
    assert turned.over
    assert turned.points == plain.points == trace["final"]["scores"]
    assert turned.metrics == plain.metrics


def test_turned_names_of_a_symmetric_tile_trade_places() -> None:
    assert turned_move("U", (3, 1, 1, "field0"), 1) == (-1, 3, 0, "field1")
    assert turned_move("X", (0, 0, 0, "road0"), 1) == (0, 0, 0, "road1")
    assert turned_move("B", (0, 2, 0, "monastery"), 2) == (0, -2, 0, "monastery")


@looped("path", FILES[:3])
def test_turned_match_scores_the_same(path: Path) -> None:
    assert_turned_alike(next(matches(path)), 1 + FILES.index(path) % 3)
