import re

import pytest

from games.svg import (
    COLORS,
    ID,
    SEAT_MARKS,
    Theme,
    art,
    number,
    put_names,
    referenced_ids,
    ring,
    seat_name,
    tag,
    use,
    with_prefix,
)
from tests.looping import looped


@looped("value, text", [(1.0, "1"), (1.25, "1.2"), (-0.01, "0"), (-2.5, "-2.5"), (100, "100")])
def test_numbers_are_short(value, text):
    assert number(value) == text


def test_attributes_are_named_escaped_and_left_out():
    svg = tag("g", "x", class_="a", data_f=3, aria_label='"<&', x=1.0, y=None)
    assert svg == '<g class="a" data-f="3" aria-label="&quot;&lt;&amp;" x="1">x</g>'
    assert tag("g") == "<g/>"


def test_ids_get_their_prefix_at_the_end():
    assert use("tree", 0, 4) == f'<use href="#{ID}tree" y="4"/>'
    assert referenced_ids(use("tree") + f'<g fill="url(#{ID}sky)"/>') == {"tree", "sky"}
    assert with_prefix(use("tree"), "a-") == '<use href="#a-tree"/>'


def test_art_is_read_symbol_by_symbol(tmp_path):
    path = tmp_path / "art.svg"
    path.write_text(
        '<svg><!-- a --><defs>\n <g id="a">\n  <path d="M0 0"/></g>\n <use id="b" href="#a"/>\n</defs></svg>'
    )
    assert dict(art(path)) == {
        "a": f'<g id="{ID}a"><path d="M0 0"/></g>',
        "b": f'<use id="{ID}b" href="#{ID}a"/>',
    }


def test_themes_name_literals_or_variables():
    assert Theme("dark").color("ink") == COLORS["dark"]["ink"]
    assert Theme("page").color("ink").startswith("var(--ink,")
    assert Theme("auto").color("ink").startswith("var(--ml-ink,")
    assert "--ml-ink" in Theme("auto").css
    assert not Theme("page").css
    assert set(COLORS["dark"]) == set(COLORS["light"])


def test_seat_marks_differ():
    assert len(set(SEAT_MARKS)) == 5


def test_the_ring_of_the_last_move_is_gold_on_black():
    assert ring(0, 0, 9, 9, 1, 2).index("#1B1B1B") < ring(0, 0, 9, 9, 1, 2).index("#FFD84D")


@pytest.mark.parametrize(
    ("room", "names", "put"),
    [
        (20, ("Easy (left)", "Easy (right)", "Ann"), ["Easy (left)", "Easy (right)", "Ann"]),
        (6, ("Easy (left)", "Easy (right)", "Ann"), ["left", "right", "Ann"]),
        (6, ("Thorough (blue)", "Thorough (green)"), ["blue", "green"]),
        (6, ("UCT (old)", "Thorough", "Thorough man"), ["UCT", "Thoro\u2026", "Thoro\u2026"]),
    ],
)
def test_names_that_are_the_same_where_they_are_cut_say_where_they_sit(room, names, put):
    drawing = "".join(seat_name(seat, room) for seat in range(len(names)))
    assert re.findall(r">([^<]*)</tspan>", put_names(drawing, names)) == put
