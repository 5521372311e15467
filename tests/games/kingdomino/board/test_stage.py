"""How a board fills a stage: sizes, places of their own, and nothing too small to be read."""

import itertools
import re
import xml.etree.ElementTree as ET

import pytest

from games.kingdomino.board import picture, stage
from games.kingdomino.board.layout import DOMINO, WRITING
from tests.games.kingdomino.matches import GAME, turns

TABLES = pytest.mark.parametrize(("seats", "size"), [(2, "7"), (4, "5")])
STAGES = {"wide": (944, 588), "narrow": (374, 540)}
"""Free part of a stage in pixels, in a window of 1280 x 800 and on a phone."""


def stages(seats, size):
    shown = picture.build_picture(GAME.kernels(), turns(seats, size=size)[seats * 2])
    for seat in (None, *range(seats)):
        for may_discard in (False, True):
            yield seat, stage.arrange(shown, seat, may_discard=may_discard)


def rectangles(arranged, head):
    for slot in arranged.slots:
        if slot.scale:
            yield slot.x, slot.y - head, slot.x + slot.side, slot.y + slot.side
    width, height = (side * arranged.draft.scale for side in DOMINO)
    for x, y in (*arranged.draft.now, *arranged.draft.next):
        yield x, y, x + width, y + height
    for x, y in arranged.draft.titles:
        yield x, y, x + 80, y + WRITING + 4


@TABLES
def test_nothing_lies_on_anything_else_or_outside_the_box(seats, size):
    for seat, found in stages(seats, size):
        for arranged, head in ((found.wide, stage.HEAD if seat is None else 0), (found.narrow, 0)):
            left, top, width, height = arranged.box
            for a, b in itertools.combinations(rectangles(arranged, head), 2):
                assert a[2] <= b[0] + 0.1 or b[2] <= a[0] + 0.1 or a[3] <= b[1] + 0.1 or b[3] <= a[1] + 0.1, (a, b)
            for a in rectangles(arranged, head):
                assert left < a[0] < a[2] < left + width
                assert top < a[1] < a[3] < top + height


@TABLES
def test_an_own_kingdom_is_as_high_as_the_stage(seats, size):
    for seat, found in stages(seats, size):
        if seat is not None:
            own = found.wide.slots[seat]
            assert own.side >= 0.84 * found.wide.box[3]
            assert found.narrow.slots[seat].side >= 0.85 * found.narrow.box[2]


@TABLES
def test_words_can_be_read(seats, size):
    """12 pixels, of all that is written without an aid or a pointer."""
    state = turns(seats, size=size)[seats * 2]
    for seat in (None, 0):
        text = GAME.play_svg(state, seat=seat)
        for form, (width, height) in STAGES.items():
            root = ET.fromstring(text)
            window = root.get("viewBox" if form == "wide" else "data-narrow").split()
            pixels = min(width / float(window[2]), height / float(window[3]))
            small = [size * pixels for size in sizes(root, form) if size * pixels < 11.9]
            assert not small, (seat, form, small)
            assert form == "narrow" or min(sizes(root, form)) > float(root.get("data-writing")) - 0.1


def sizes(root, form):
    """Sizes of writing in units of an arrangement."""
    drawn = {node.get("id"): node for node in root.iter() if node.get("id")}

    def walk(node, scale):
        classes = (node.get("class") or "").split()
        is_off = {"off", "kd-large", "kd-tip"} & set(classes) or node.tag.endswith("defs")
        if is_off or (form == "narrow" and {"kd-head", "kd-wide"} & set(classes)):
            return
        moved = node.get("transform") or ""
        if form == "narrow" and "kd-at" in classes:
            moved = node.get("style")
        found = re.search(r"scale\(([\d.]+)", moved)
        scale *= float(found[1]) if found else 1
        if node.tag.endswith("text"):
            is_number = form == "narrow" and "kd-no" in classes
            yield scale * (28 if is_number else float(node.get("font-size")))
        if node.tag.endswith("use"):
            target = drawn[node.get("href")[1:]]
            yield from (one for child in target for one in walk(child, scale))
        for child in node:
            yield from walk(child, scale)

    return walk(root, 1.0)
