"""The tiles as tables: facts in ``data/tiles.json``, turned into flat arrays for the kernels.

Segments of a tile type are numbered cities, roads, monastery, fields (at most SLOTS). Edges
and rotations as in the data file: N, E, S, W = 0 .. 3, rotation = clockwise quarter turns,
half-edges clockwise, 2 an edge. Tables of (type, rotation, ...) are flattened row by row.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Table = NDArray[np.signedinteger[Any]]
"""Small integer types: all tables together stay within a processor's first cache."""

CITY, ROAD, MONASTERY, FIELD = range(4)
KINDS = ("city", "road", "monastery", "field")
SLOTS = 8
EDGE_CODES = {"city": 1, "road": 2, "field": 3}  # 0 = nothing known
EDGES = "NESW"
HALF_EDGES = ("NL", "NR", "EL", "ER", "SL", "SR", "WL", "WR")
SETS = ("base",)
"""Tile sets in play; an expansion that only adds tiles comes as data with another `set`."""


@dataclass(frozen=True)
class TileTables:
    """All that the kernels know of tile types; T types, S = SLOTS, indices flattened."""

    letters: tuple[str, ...]
    segment_names: tuple[tuple[str, ...], ...]
    start: int
    count: Table  # [T] copies in the box
    rotations: Table  # [T] rotations that differ: 1, 2 or 4
    num_segments: Table  # [T]
    kind: Table  # [T * S] CITY .. FIELD, -1 beyond num_segments
    open_ends: Table  # [T * S] edges of a city or road, else 0
    pennants: Table  # [T * S]
    multi: Table  # [T * S] 1 where the type has several cities (roads) and this is one
    has_multi: Table  # [T * 2] 1 where the type has several cities, several roads
    num_cities: Table  # [T] city segments, which come first
    city_bits: Table  # [T * S] bit k = city segment k: itself (city), those beside it (field)
    monastery: Table  # [T] its segment, or -1
    edge: Table  # [T * 4 * 4] edge code by (rotation, edge)
    edge_segment: Table  # [T * 4 * 4] city or road segment at (rotation, edge), or -1
    half_segment: Table  # [T * 4 * 8] field segment at (rotation, half-edge), or -1
    ports: Table  # [T * 4 * S] bits of edges (city, road) or half-edges (field) a segment touches
    fit: Table  # [T * 256] bits of the differing rotations that fit an edge pattern
    types_fit: Table  # [256] bits of the types that fit a pattern in some rotation


def _segments(tile: dict[str, Any]) -> list[tuple[str, int, dict[str, Any]]]:
    rows = [(city["id"], CITY, city) for city in tile["cities"]]
    rows += [(road["id"], ROAD, road) for road in tile["roads"]]
    rows += [("monastery", MONASTERY, {})] if tile["monastery"] else []
    rows += [(field["id"], FIELD, field) for field in tile["fields"]]
    assert len(rows) <= SLOTS
    return rows


def _fits(edge: Table, rotations: Table) -> Table:
    """int64[types, 256], bits of the rotations whose edges fit a pattern: two bits an edge, 0 where all fit."""
    wanted = np.arange(256)[:, None] >> 2 * np.arange(4) & 3
    fits = ((wanted == 0) | (wanted == edge[:, :, None, :])).all(axis=-1)
    fits &= (np.arange(4) < rotations[:, None])[:, :, None]
    bits: Table = (fits << np.arange(4)[:, None]).sum(axis=1)
    return bits


@cache
def load(sets: tuple[str, ...] = SETS) -> TileTables:
    """Return the tables of the tile sets, in the order of the data file."""
    with (Path(__file__).parent / "data" / "tiles.json").open(encoding="utf-8") as file:
        tiles = [tile for tile in json.load(file)["tiles"] if tile["set"] in sets]
    num = len(tiles)
    assert num <= 63, "types_fit holds one bit a type"
    rows = [_segments(tile) for tile in tiles]
    by_slot = {name: np.zeros((num, SLOTS), np.int64) for name in ("open", "pennants", "multi", "city_bits")}
    kind = np.full((num, SLOTS), -1, np.int64)
    edge, edge_segment = np.zeros((num, 4, 4), np.int64), np.full((num, 4, 4), -1, np.int64)
    half_segment, ports = np.full((num, 4, 8), -1, np.int64), np.zeros((num, 4, SLOTS), np.int64)
    for t, tile in enumerate(tiles):
        cities = [name for name, segment_kind, _ in rows[t] if segment_kind == CITY]
        kinds = [segment_kind for _, segment_kind, _ in rows[t]]
        for k, (name, segment_kind, facts) in enumerate(rows[t]):
            kind[t, k] = segment_kind
            edges = [EDGES.index(e) for e in facts.get("edges", ())]
            halves = [HALF_EDGES.index(h) for h in facts.get("half_edges", ())]
            by_slot["open"][t, k] = len(edges)
            by_slot["pennants"][t, k] = int(facts.get("pennant", False))
            by_slot["multi"][t, k] = segment_kind in (CITY, ROAD) and kinds.count(segment_kind) > 1
            beside = [name] if segment_kind == CITY else facts.get("adjacent_cities", ())
            by_slot["city_bits"][t, k] = sum(1 << cities.index(c) for c in beside)
            for r in range(4):
                for e in edges:
                    edge_segment[t, r, (e + r) % 4] = k
                    ports[t, r, k] |= 1 << ((e + r) % 4)
                for h in halves:
                    half_segment[t, r, (h + 2 * r) % 8] = k
                    ports[t, r, k] |= 1 << ((h + 2 * r) % 8)
        for r in range(4):
            for e in range(4):
                edge[t, r, (e + r) % 4] = EDGE_CODES[tile["edges"][EDGES[e]]]
    rotations = np.array([tile["distinct_rotations"] for tile in tiles], np.int8)
    fit = _fits(edge, rotations)
    of_kind = [[segment_kind for _, segment_kind, _ in row] for row in rows]
    return TileTables(
        letters=tuple(tile["name"] for tile in tiles),
        segment_names=tuple(tuple(name for name, _, _ in row) for row in rows),
        start=next(t for t, tile in enumerate(tiles) if tile["start"]),
        count=np.array([tile["count"] for tile in tiles], np.int8),
        rotations=rotations,
        num_segments=np.array([len(row) for row in rows], np.int8),
        kind=kind.ravel().astype(np.int8),
        open_ends=by_slot["open"].ravel().astype(np.int8),
        pennants=by_slot["pennants"].ravel().astype(np.int8),
        multi=by_slot["multi"].ravel().astype(np.int8),
        has_multi=np.array([[kinds.count(k) > 1 for k in (CITY, ROAD)] for kinds in of_kind], np.int8).ravel(),
        num_cities=np.array([kinds.count(CITY) for kinds in of_kind], np.int8),
        city_bits=by_slot["city_bits"].ravel().astype(np.int8),
        monastery=np.array([next((k for k, row in enumerate(rs) if row[1] == MONASTERY), -1) for rs in rows], np.int8),
        edge=edge.ravel().astype(np.int8),
        edge_segment=edge_segment.ravel().astype(np.int8),
        half_segment=half_segment.ravel().astype(np.int8),
        ports=ports.ravel().astype(np.int16),
        fit=fit.ravel().astype(np.int8),
        types_fit=((fit != 0) << np.arange(num)[:, None]).sum(axis=0),
    )
