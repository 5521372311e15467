import itertools
import re
import time
import xml.etree.ElementTree as ET

import pytest
import resvg_py

from games.carcassonne.board.geometry import tile_facts, tile_shape
from games.carcassonne.board.joins import Joins
from games.carcassonne.board.render import Picture, Tile, board_svg, replay_svg, tile_svg, tile_symbols_svg
from games.svg import SEAT_COLORS, SEAT_NAMES, THEMES
from tests.looping import looped

from .layouts import all_types, longest_match, matches

TYPES = sorted(tile_facts())
SVG = "{http://www.w3.org/2000/svg}"
SIZE_LIMIT = 130_000


def ids(svg):
    return [node.get("id") for node in ET.fromstring(svg).iter() if node.get("id")]


def classes(node):
    return (node.get("class") or "").split()


def shown(root, attribute):
    """Values of `attribute` on the elements that are not switched off."""
    return [int(node.get(attribute)) for node in root.iter() if node.get(attribute) and "cc-off" not in classes(node)]


def check_references(svg):
    """Ids are unique, and whatever is referred to is there."""
    known = ids(svg)
    assert len(known) == len(set(known))
    assert set(re.findall(r"(?:href=\"|url\()#([^\")]*)", svg)) <= set(known)


def everything():
    """A picture with every kind of thing on it."""
    tiles = [Tile(t.type, t.x, t.y, t.rotation, None) for t in all_types()]
    tiles[0] = Tile("A", 0, 0, 0, ("monastery", 4))
    tiles[3] = Tile("D", 3, 0, 3, ("road0", 1))
    tiles[4] = Tile("E", 4, 0, 0, ("field0", 2))
    return Picture(tiles, last=4, legal=[(-1, 0), (6, 2)], candidate=Tile("V", -1, 1, 2, ("road0", 3)), seat=3)


@looped("letter, rotation", list(itertools.product(TYPES, range(4))))
def test_every_tile_in_every_rotation_is_whole(letter, rotation):
    for svg in (tile_svg(letter, rotation, prefix="t-"), board_svg(Picture([Tile(letter, 0, 0, rotation)]))):
        check_references(svg)
    root = ET.fromstring(tile_svg(letter, rotation, size=40))
    assert root.get("role") == "img"
    assert len(root.get("aria-label")) > 8
    assert root.get("width") == "40"


@pytest.mark.parametrize("theme", THEMES)
def test_a_board_refers_to_nothing_outside_and_runs_nothing(theme):
    svg = board_svg(everything(), theme=theme)
    check_references(svg)
    outside = re.sub(r'xmlns="http://www\.w3\.org/2000/svg"', "", svg)
    assert "//" not in outside
    assert not re.search(r"<(script|image|foreignObject|a)\b|\son\w+=|@import|javascript:", svg)


def test_several_boards_share_a_page_by_prefix():
    one, two = (board_svg(everything(), theme="page", prefix=prefix) for prefix in ("one-", "two-"))
    check_references(one)
    assert all(name.startswith("one-") for name in ids(one))
    assert not set(ids(one)) & set(ids(two))


@looped("prefix", ["1a", 'x"', "a b", "ä", "-"])
def test_a_prefix_that_cannot_begin_an_id_is_refused(prefix):
    with pytest.raises(ValueError, match="id prefix"):
        board_svg(everything(), prefix=prefix)


def test_ids_name_cells_segments_and_marks():
    names = ids(board_svg(everything()))
    assert {"cell-3-0", "seg-3-0-city0", "seg-3-0-road0", "seg-3-0-field1", "meeple-3-0"} <= set(names)
    assert {"legal--1-0", "legal-6-2", "candidate", "last", "hover"} <= set(names)


def test_the_board_describes_itself():
    root = ET.fromstring(board_svg(everything(), prefix="p-"))
    assert root.get("role") == "group"
    assert root.get("aria-labelledby") == "p-title p-desc"
    by_id = {node.get("id"): node for node in root.iter()}
    assert by_id["p-title"].text == "Carcassonne board"
    assert by_id["p-desc"].text == (
        "24 tiles, 3 meeples standing. Last placed: City on one edge, rest field, column 4, row 0."
    )
    assert by_id["p-cell-3-0"].get("role") == "img"
    assert by_id["p-cell-3-0"].get("aria-label") == (
        "City on one edge, straight road past it, column 3, row 0, turned 270 degrees; orange square meeple on road"
    )
    assert by_id["p-meeple-0-0"].find(f"{SVG}title").text == "amber plus meeple on monastery"
    assert by_id["p-legal--1-0"].get("role") == "button"
    assert by_id["p-candidate"].get("aria-label").startswith("Might be laid: Road curve, column \N{MINUS SIGN}1, row 1")


def test_one_tile_and_one_meeple_are_counted_in_the_singular():
    svg = board_svg(Picture([Tile("D", 0, 0, 0, ("city0", 0))]))
    assert "1 tile, 1 meeple standing." in svg


def test_the_ring_lies_on_the_last_placement_only():
    root = ET.fromstring(board_svg(everything()))
    ring = next(node for node in root.iter() if node.get("id") == "last")
    cell = next(node for node in root.iter() if node.get("id") == "cell-4-0")
    assert ring.get("transform") == cell.get("transform")
    assert "last" not in ids(board_svg(Picture([Tile("D", 0, 0)])))


def test_the_marks_of_five_seats_differ_in_shape_and_colour():
    tiles = [Tile("D", i, 0, 0, ("city0", i)) for i in range(5)]
    root = ET.fromstring(board_svg(Picture(tiles)))
    meeples = [next(node for node in root.iter() if node.get("id") == f"m{seat}") for seat in range(5)]
    marks = {next(p.get("d") for p in meeple if "cc-mark" in classes(p)) for meeple in meeples}
    assert len(marks) == 5
    assert [meeple[1].get("fill") for meeple in meeples] == list(SEAT_COLORS)
    assert len(set(SEAT_NAMES)) == 5


@looped("letter", TYPES)
def test_a_meeple_can_stand_on_every_segment_of_every_tile(letter):
    for segment in tile_shape(letter).spots:
        for rotation in range(4):
            svg = board_svg(Picture([Tile(letter, 2, -1, rotation, (segment, 0))]))
            root = ET.fromstring(svg)
            place = next(node for node in root.iter() if "cc-meeple" in classes(node)).get("transform")
            x, y = map(float, re.match(r"translate\((\S+) (\S+)\)", place).groups())
            assert 200 < x < 300
            assert -100 < y <= 5
            assert ("rotate(90)" in place) == segment.startswith("field")


def test_features_that_belong_together_carry_one_number():
    svg = board_svg(Picture([Tile("U", 0, 0, 1), Tile("V", 1, 0, 0), Tile("U", 1, 1, 0), Tile("E", 0, 1, 2)]))
    number = {node.get("id"): node.get("data-f") for node in ET.fromstring(svg).iter() if node.get("data-f")}
    assert len({number[f"seg-{cell}-road0"] for cell in ("0-0", "1-0", "1-1")}) == 1
    assert number["seg-0-0-road0"] != number["seg-0-0-field0"]
    assert number["seg-0-1-city0"] not in {n for name, n in number.items() if name != "seg-0-1-city0"}


def test_pictures_need_neither_variables_nor_media_queries():
    for theme in ("light", "dark"):
        svg = board_svg(everything(), theme=theme)
        assert "var(" not in svg
        assert "@media" not in svg
        assert "cc-s" not in svg
    assert board_svg(everything(), theme="light") != board_svg(everything(), theme="dark")


def test_a_page_paints_its_own_mat_and_sets_the_colours():
    svg = board_svg(everything(), theme="page")
    assert "var(--muted," in svg
    assert "--ml-" not in svg
    assert "prefers-color-scheme" in board_svg(everything(), theme="auto")


def test_an_unknown_theme_is_refused():
    with pytest.raises(ValueError, match="theme must be one of"):
        board_svg(everything(), theme="sepia")


@pytest.mark.parametrize("width", [390, 900])
def test_small_pictures_drop_plants_and_numbers(width):
    svg = board_svg(everything(), width=width, theme="light")
    assert (".cc-fine,.cc-axis{display:none}" in svg) == (width == 390)
    assert ("<text" in svg) == (width == 900)


def test_a_young_board_does_not_fill_the_picture():
    left, top, width, height = map(float, ET.fromstring(board_svg(Picture([Tile("D", 5, 5)]))).get("viewBox").split())
    assert width >= 700
    assert height >= 500
    assert left < 300
    assert top < 400


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_picture_becomes_a_png_without_a_complaint(theme, capfd):
    svg = board_svg(everything(), theme=theme, width=600)
    png = bytes(resvg_py.svg_to_bytes(svg_string=svg, log_information=True))
    assert png.startswith(b"\x89PNG")
    assert int.from_bytes(png[16:20], "big") == 600
    assert len(png) > 20_000
    assert "Warning" not in "".join(capfd.readouterr())


def test_full_boards_are_small():
    for tiles in matches():
        assert len(board_svg(Picture(tiles, last=len(tiles) - 1), theme="page").encode()) < SIZE_LIMIT
        homecoming = {i: i + 9 for i in range(0, len(tiles), 2)}
        assert len(replay_svg(tiles, homecoming, theme="page", prefix="r-").encode()) < SIZE_LIMIT


def test_a_full_board_is_drawn_quickly_once_warm():
    picture = Picture(longest_match(), last=3)
    board_svg(picture)
    times = []
    for _ in range(10):
        start = time.process_time()
        board_svg(picture)
        times.append(time.process_time() - start)
    assert min(times) < 0.03  # some 2 ms on an idle core: room for slow machines


class TestReplay:
    tiles = longest_match()
    homecoming = {i: i + 4 for i, tile in enumerate(tiles) if tile.meeple and i % 3 == 0}

    def root(self, ply=None):
        return ET.fromstring(replay_svg(self.tiles, self.homecoming, ply=ply, theme="page"))

    def test_references_are_whole(self):
        check_references(replay_svg(self.tiles, self.homecoming, prefix="q-"))

    @pytest.mark.parametrize("ply", [0, 1, 30, 70])
    def test_at_first_what_was_laid_up_to_the_ply_is_shown(self, ply):
        root = self.root(ply)
        assert sorted(shown(root, "data-ply")) == sorted(2 * [*range(ply + 1)])  # a tile and its shadow
        standing = [i for i, t in enumerate(self.tiles) if t.meeple and i <= ply < self.homecoming.get(i, 99)]
        assert sorted(shown(root, "data-from")) == standing

    def test_meeples_that_come_home_say_when(self):
        homes = {int(n.get("data-from")): int(n.get("data-to")) for n in self.root().iter() if n.get("data-to")}
        assert homes == self.homecoming

    def test_the_ring_starts_at_the_shown_ply_and_is_off_before_the_first(self):
        for ply in (0, 12):
            root = self.root(ply)
            ring = next(node for node in root.iter() if node.get("id") == "last")
            x, y = self.tiles[ply].cell
            assert ring.get("transform") == f"translate({100 * x} {100 * y})"
            assert ("cc-off" in classes(ring)) == (ply == 0)

    def test_features_of_a_moment_are_found_by_climbing(self):
        joins = Joins()
        for tile in self.tiles[:41]:
            joins.lay(tile.type, tile.x, tile.y, tile.rotation)
        segments = {n.get("data-f"): n for n in self.root().iter() if n.get("data-f")}

        def climb(number):
            node = segments[number]
            while node.get("data-up") and int(node.get("data-at")) <= 40:
                node = segments[node.get("data-up")]
            return node.get("data-f")

        groups: dict = {}
        for number in joins.numbers.values():
            groups.setdefault(climb(str(number)), set()).add(number)
        expected: dict = {}
        for number in joins.numbers.values():
            expected.setdefault(joins.root(number), set()).add(number)
        assert sorted(map(sorted, groups.values())) == sorted(map(sorted, expected.values()))

    @pytest.mark.parametrize("ply", [-1, 999])
    def test_a_ply_that_is_not_in_the_match_is_refused(self, ply):
        with pytest.raises(ValueError, match="ply must be between 0"):
            replay_svg(self.tiles, {}, ply=ply)


def test_tiles_without_symbols_stand_on_a_page_with_all_of_them():
    sheet = set(ids(tile_symbols_svg(prefix="s-")))
    for letter, rotation in itertools.product(TYPES, range(4)):
        svg = tile_svg(letter, rotation, prefix="s-", defs=False)
        assert not ids(svg)
        assert set(re.findall(r'href="#([^"]*)', svg)) <= sheet


def test_a_tile_can_be_named_by_the_page():
    assert ET.fromstring(tile_svg("D", label="Start tile")).get("aria-label") == "Start tile"
    assert ET.fromstring(tile_svg("D")).get("aria-label") == "City on one edge, straight road past it"
