import re

from games.kingdomino import dominoes
from games.kingdomino.board import symbols
from games.kingdomino.board.picture import faces
from games.kingdomino.board.pieces import outline
from games.svg import referenced_ids, use


def test_symbols_refer_to_symbols():
    known = symbols.symbols()
    for name, markup in known.items():
        assert referenced_ids(markup) <= set(known), name


def test_only_what_is_needed_is_defined():
    text = symbols.definitions(use("d3"))
    assert "forest0" in text
    assert "wheat0" not in text


def test_a_domino_shows_its_terrains_and_crowns():
    for number in range(1, dominoes.NUM_DOMINOES + 1):
        markup = symbols.symbols()[f"e{number}"] + symbols.symbols()[f"d{number}"]
        drawn = re.findall(r"#\ue000(wheat|forest|lake|pasture|swamp|mine)\d", markup)
        assert drawn == [terrain for terrain, _ in faces(number)]
        crowns = [int(count) for count in re.findall(r"#\ue000c(\d)", markup)]
        assert crowns == [count for _, count in faces(number) if count]
        assert f">{number}</text>" in markup


def test_variants_of_a_terrain_differ():
    for terrain in symbols.TERRAINS:
        drawn = {symbols.symbols()[f"{terrain}{variant}"].split(">", 1)[1] for variant in range(symbols.VARIANTS)}
        assert len(drawn) == symbols.VARIANTS


def test_the_outline_of_an_area_goes_round_all_of_it():
    assert outline([(0, 0)]) == "M0 0L100 0L100 100L0 100Z"
    ring = [(x, y) for x in range(3) for y in range(3) if (x, y) != (1, 1)]
    assert outline(ring).count("M") == 2
    assert length(outline(ring)) == 1600
    corner = outline([(0, 0), (1, 0), (0, 1), (1, 2), (0, 2), (2, 1), (2, 0), (2, 2)])
    assert length(corner) == 1600


def length(path):
    total = 0
    for part in path.split("M")[1:]:
        points = [tuple(map(int, point.split())) for point in part.rstrip("Z").split("L")]
        for (ax, ay), (bx, by) in zip(points, [*points[1:], points[0]], strict=True):
            assert (ax == bx) != (ay == by)
            total += abs(ax - bx) + abs(ay - by)
    return total
