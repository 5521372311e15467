"""Joins against a flood fill over the edges that tiles share."""

from games.carcassonne.board.geometry import EDGES, HALVES, tile_facts
from games.carcassonne.board.joins import Joins
from games.carcassonne.board.render import Tile

from .layouts import matches

OPPOSITE = {"N": "S", "E": "W", "S": "N", "W": "E"}
STEP = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
ACROSS = {"NL": "SR", "NR": "SL", "EL": "WR", "ER": "WL", "SL": "NR", "SR": "NL", "WL": "ER", "WR": "EL"}


def sides(tile):
    """Segment at each edge and edge half of a tile as it lies."""
    facts, found = tile_facts()[tile.type], {}
    for segment in facts["cities"] + facts["roads"]:
        for edge in segment["edges"]:
            found[EDGES[(EDGES.index(edge) + tile.rotation) % 4]] = segment["id"]
    for segment in facts["fields"]:
        for half in segment["half_edges"]:
            found[HALVES[(HALVES.index(half) + 2 * tile.rotation) % 8]] = segment["id"]
    return found


def flooded(tiles):
    """Features as sets of (index, segment)."""
    at = {tile.cell: i for i, tile in enumerate(tiles)}
    beside: dict = {}
    for i, tile in enumerate(tiles):
        own = sides(tile)
        names = set(own.values()) | ({"monastery"} if tile_facts()[tile.type]["monastery"] else set())
        for name in names:
            beside.setdefault((i, name), set())
        for side, name in own.items():
            dx, dy = STEP[side[0]]
            other = at.get((tile.x + dx, tile.y + dy))
            facing = None if other is None else sides(tiles[other]).get(ACROSS.get(side) or OPPOSITE[side])
            if facing:
                beside[i, name].add((other, facing))
    features, seen = set(), set()
    for node in beside:
        if node not in seen:
            feature, edge = {node}, [node]
            while edge:
                new = beside[edge.pop()] - feature
                feature |= new
                edge += new
            seen |= feature
            features.add(frozenset(feature))
    return features


def joined(joins, time=None):
    groups: dict = {}
    for node, number in joins.numbers.items():
        if time is None or node[0] <= time:
            groups.setdefault(joins.root(number, time), set()).add(node)
    return {frozenset(group) for group in groups.values()}


def laid(tiles):
    joins = Joins()
    for tile in tiles:
        joins.lay(tile.type, tile.x, tile.y, tile.rotation)
    return joins


def test_features_of_stored_matches_are_those_of_a_flood_fill():
    for tiles in matches():
        assert joined(laid(tiles)) == flooded(tiles)


def test_the_features_of_every_moment_are_kept():
    tiles = matches()[0]
    joins = laid(tiles)
    for time in range(len(tiles)):
        assert joined(joins, time) == flooded(tiles[: time + 1])


def test_a_ring_road_is_one_feature():
    ring = [Tile("V", 0, 0, 3), Tile("V", 1, 0, 0), Tile("V", 1, 1, 1), Tile("V", 0, 1, 2)]
    joins = laid(ring)
    assert len({joins.root(joins.numbers[i, "road0"]) for i in range(4)}) == 1
    assert len({joins.root(joins.numbers[i, f"field{f}"]) for i in range(4) for f in range(2)}) == 2
