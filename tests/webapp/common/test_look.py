"""Contrast of every pair of tokens that pages put together, and one palette for page and charts."""

import json
import re
from pathlib import Path

import pytest

STATIC = Path(__file__).parents[3] / "static"
PAIR = re.compile(r"--([a-z0-9-]+):\s*light-dark\((#[0-9A-Fa-f]{6}), (#[0-9A-Fa-f]{6})\)")
TOKENS = {name: (light, dark) for name, light, dark in PAIR.findall((STATIC / "css/tokens.css").read_text())}
GROUNDS = ("page", "surface", "sunken")
TONES = ("accent", "ok", "warn", "danger")
TEXT = [
    *((fore, ground) for fore in ("ink", "muted", *TONES) for ground in GROUNDS),
    *((tone, f"{tone}-tint") for tone in TONES),
    *(("ink", f"{tone}-tint") for tone in TONES),
    ("on-accent", "accent"),
    ("page", "ink"),
]
MARKS = [
    *((f"seat-{seat}", ground) for seat in range(5) for ground in GROUNDS),
    *((name, ground) for name in ("edge", "focus") for ground in ("page", "surface")),
]


def luminance(colour: str) -> float:
    parts = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_black_on_white_is_21():
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(("need", "pairs"), [(4.5, TEXT), (3.0, MARKS)], ids=["text", "marks"])
def test_pairs_reach_their_contrast(theme, need, pairs):
    short = {
        f"{fore} on {ground}": round(found, 2)
        for fore, ground in pairs
        if (found := contrast(TOKENS[fore][theme], TOKENS[ground][theme])) < need
    }
    assert not short


@pytest.mark.parametrize(("theme", "index"), [("light", 0), ("dark", 1)])
def test_charts_use_the_palette_of_the_pages(theme, index):
    template = json.loads((STATIC / "js/plotly-template.json").read_text())
    assert template[theme]["palette"] == {name: pair[index] for name, pair in TOKENS.items()}


def test_marks_are_disc_square_triangle_diamond_plus():
    template = json.loads((STATIC / "js/plotly-template.json").read_text())
    assert template["symbols"] == ["circle", "square", "triangle-up", "diamond", "cross"]
    css = (STATIC / "css/base.css").read_text()
    shape = {seat: css.split(f'.seat[data-seat="{seat}"]::before')[1][:90] for seat in range(1, 5)}
    assert "polygon(50% 0, 100% 100%, 0 100%)" in shape[2]
    assert "rotate(45deg)" in shape[3]


def test_no_style_sheet_but_the_tokens_names_a_colour():
    for sheet in (STATIC / "css").glob("*.css"):
        if sheet.name != "tokens.css":
            named = re.findall(
                r"#[0-9A-Fa-f]{3,8}\b", re.sub(r"light-dark\([^)]*\)|/\*.*?\*/|#fff\b", "", sheet.read_text())
            )
            assert not named, f"{sheet.name}: {named}"


def test_templates_hold_no_inline_script():
    for template in (STATIC.parent / "templates").rglob("*.html"):
        text = template.read_text()
        for attributes in re.findall(r"<script\b([^>]*)>", text):
            assert "src=" in attributes or 'type="application/json"' in attributes, template
        assert not re.search(r"\son[a-z]+=", re.sub(r"\{[{%#].*?[}%#]\}", "", text)), template
