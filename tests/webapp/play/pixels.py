"""What is seen of a page, compared pixel by pixel: the contrast of every text with what lies behind it, and whether
the focus of the keyboard can be seen at every stop.

Pictures are taken of the page and compared in an empty page beside it, by a canvas.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

LEAST_CONTRAST, LEAST_OF_LARGE, LEAST_OF_MARKS = 4.5, 3.0, 3.0
"""WCAG 2.2 AA: 1.4.3 of texts and of large ones, 1.4.11 of what shows a state."""
MOST_STOPS = 150

_COLOURS = """
const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
const rgba = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
};
"""

_ON_TOP = """
/** Whether nothing lies over the middle of a text but what belongs to it, or to the same drawing. */
const isOnTop = (element, { x, y, width, height }) => {
    const top = document.elementFromPoint(x + width / 2, y + height / 2);
    const drawing = element.closest("svg");
    return Boolean(top) && (top.contains(element) || element.contains(top) || Boolean(drawing?.contains(top)));
};
"""

_CLIPPED = """
/** Whether all of an element is clipped away, as words for screen readers are: it leaves what is below in sight. */
const isClippedAway = (element) => {
    for (let one = element; one; one = one.parentElement)
        if (getComputedStyle(one).clipPath === "inset(50%)") return true;
    return false;
};
"""

_TEXTS = f"""
() => {{
    {_COLOURS}
    {_ON_TOP}
    {_CLIPPED}
    const found = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {{
        const node = walker.currentNode;
        const parent = node.parentElement;
        if (!node.textContent.trim() || parent.closest("script, style, noscript, .sr, title, desc, defs")) continue;
        if (parent.closest(":disabled") || !parent.checkVisibility({{ visibilityProperty: true }})) continue;
        if (!parent.getBoundingClientRect().width) continue; // a drawing's text that is not shown has rectangles
        if (isClippedAway(parent)) continue;
        const isDrawn = Boolean(parent.closest("svg"));
        const range = document.createRange();
        range.selectNodeContents(node);
        const rects = [...range.getClientRects()].filter((rect) => rect.width && isOnTop(parent, rect));
        if (!rects.length) continue;
        const style = getComputedStyle(parent);
        let opacity = 1;
        for (let one = parent; one; one = one.parentElement) opacity *= Number(getComputedStyle(one).opacity);
        const [red, green, blue, alpha] = rgba(isDrawn ? style.fill : style.color);
        const px = parseFloat(style.fontSize) * (isDrawn ? parent.getScreenCTM().a : 1);
        found.push({{
            words: node.textContent.trim().replace(/\\s+/g, " ").slice(0, 40),
            of: `${{parent.localName}}.${{parent.getAttribute("class") ?? ""}}`,
            colour: [red, green, blue],
            alpha: opacity * alpha / 255,
            isLarge: px >= 24 || (px >= 18.66 && Number(style.fontWeight) >= 700),
            halo: isDrawn && style.stroke !== "none" && parseFloat(style.strokeWidth) > 1 ? rgba(style.stroke) : null,
            rects: rects.map(({{ x, y, width, height }}) => [x, y, width, height]),
        }});
    }}
    return found;
}}
"""

_COMPARE = """
const read = async (data) => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob());
    const drawing = new OffscreenCanvas(image.width, image.height).getContext("2d", { willReadFrequently: true });
    drawing.drawImage(image, 0, 0);
    return drawing.getImageData(0, 0, image.width, image.height);
};
const linear = Array.from({ length: 256 }, (_, value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
});
const luminance = ([r, g, b]) => 0.2126 * linear[r] + 0.7152 * linear[g] + 0.0722 * linear[b];
const contrast = (one, other) => {
    const [a, b] = [luminance(one), luminance(other)];
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
};
"""

_READ_TEXTS = f"""
async ([written, bare, texts, scale, least, leastOfLarge]) => {{
    {_COMPARE}
    const [front, back] = [await read(written), await read(bare)];
    const pale = [];
    for (const {{ words, of, colour, alpha, isLarge, halo, rects }} of texts) {{
        const found = [];
        for (const [x, y, width, height] of rects) {{
            const [left, top] = [Math.max(0, Math.floor(x * scale)), Math.max(0, Math.floor(y * scale))];
            const right = Math.min(front.width, Math.ceil((x + width) * scale));
            const bottom = Math.min(front.height, Math.ceil((y + height) * scale));
            for (let row = top; row < bottom; row += 1) for (let column = left; column < right; column += 1) {{
                const at = 4 * (row * front.width + column);
                const [ink, ground] = [front, back].map(({{ data }}) => [data[at], data[at + 1], data[at + 2]]);
                if (Math.max(...ink.map((part, place) => Math.abs(part - ground[place]))) < 8) continue; // no glyph
                const fore = colour.map((part, place) => Math.round(part * alpha + ground[place] * (1 - alpha)));
                found.push(contrast(fore, halo ?? ground));
            }}
        }}
        if (found.length < 6) continue; // not in sight
        found.sort((a, b) => a - b);
        const middle = found[Math.floor(found.length / 2)];
        if (middle < (isLarge ? leastOfLarge : least) - 0.01) pale.push(`${{middle.toFixed(2)}} ${{of}} ${{words}}`);
    }}
    return pale;
}}
"""

_READ_RING = f"""
async ([held, free, least]) => {{
    {_COMPARE}
    const [front, back] = [await read(held), await read(free)];
    let changed = 0;
    for (let at = 0; at < front.data.length; at += 4) {{
        const [one, other] = [front, back].map(({{ data }}) => [data[at], data[at + 1], data[at + 2]]);
        if (one.every((part, place) => part === other[place])) continue;
        if (contrast(one, other) >= least) changed += 1;
    }}
    return changed;
}}
"""

_STILL = "*, ::before, ::after { animation: none !important; transition: none !important; caret-color: transparent; }"
_BARE = """
* { -webkit-text-fill-color: transparent !important; text-shadow: none !important; text-decoration: none !important; }
svg text, svg tspan { fill: transparent !important; stroke: none !important; }
"""
_DRESS = """
(rules) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(rules);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}
"""
_FINISH = """
() => document.getAnimations().forEach((one) => {
    if (one.effect?.getComputedTiming().endTime !== Infinity) one.finish();
})
"""
_UNDRESS = "document.adoptedStyleSheets = document.adoptedStyleSheets.slice(0, -1)"

_STOP = """
() => {
    const held = document.activeElement;
    if (!held || held === document.body) return null;
    window.stops = window.stops ?? new Set();
    if (window.stops.has(held)) return null;
    window.stops.add(held);
    const shown = held.closest("[data-board]") === held
        ? held.closest("[data-stage]") : held.matches("input") ? held.closest("label") ?? held : held;
    const { x, y, width, height } = shown.getBoundingClientRect();
    return { name: held.outerHTML.replace(/\\s+/g, " ").slice(0, 110), box: [x, y, width, height] };
}
"""
_SPREAD = 6
"""Pixels round an element within which its ring lies."""


@contextmanager
def _dressed(page: Any, rules: str) -> Iterator[None]:
    """The page under further rules of style."""
    page.evaluate(_DRESS, rules)
    try:
        yield
    finally:
        page.evaluate(_UNDRESS)


@contextmanager
def _beside(page: Any) -> Iterator[Any]:
    """An empty page beside it."""
    other = page.context.browser.new_page()
    try:
        yield other
    finally:
        other.close()


def _picture(page: Any, **options: Any) -> str:
    return base64.b64encode(page.screenshot(**options)).decode()


def pale_texts(page: Any) -> list[str]:
    """Texts in sight that do not stand out from what is behind them, with their contrast.

    The colour is that of the text's style, mixed by its opacity; what lies behind is what is seen without the text,
    in the middle of all pixels that its letters cover. What is disabled is left out, as WCAG does.
    """
    page.evaluate(_FINISH)
    with _dressed(page, _STILL), _beside(page) as other:
        texts, written = page.evaluate(_TEXTS), _picture(page)
        with _dressed(page, _BARE):
            bare = _picture(page)
        scale = page.evaluate("devicePixelRatio")
        pale = other.evaluate(_READ_TEXTS, [written, bare, texts, scale, LEAST_CONTRAST, LEAST_OF_LARGE])
    return list(pale)


def pale_on_light_and_dark(page: Any) -> list[str]:
    """Texts in sight that do not stand out, on light and on dark."""
    try:
        found = []
        for look in ("light", "dark"):
            page.emulate_media(color_scheme=look)
            found += [f"{look}: {text}" for text in pale_texts(page)]
        return found
    finally:
        page.emulate_media(color_scheme="light")


def unseen_stops(page: Any) -> tuple[list[str], int]:
    """Stops of the Tab key at which nothing shows the focus, and the number of all stops of the page.

    Shown is what differs by 3:1 from the same place without the focus, over half of the element's outline at least.
    """
    unseen: list[str] = []
    page.evaluate("delete window.stops; document.querySelector('.skip').focus()")  # the first of them
    number, width, height = 0, page.viewport_size["width"], page.viewport_size["height"]
    with _dressed(page, _STILL), _beside(page) as other:
        for _ in range(MOST_STOPS):
            page.keyboard.press("Tab")
            stop = page.evaluate(_STOP)
            if stop is None:
                break
            number += 1
            x, y, wide, high = stop["box"]
            left, top = max(0, x - _SPREAD), max(0, y - _SPREAD)
            right, bottom = min(width, x + wide + _SPREAD), min(height, y + high + _SPREAD)
            if right - left < 2 or bottom - top < 2:
                unseen.append(f"out of sight: {stop['name']}")
                continue
            clip = {"x": left, "y": top, "width": right - left, "height": bottom - top}
            held = _picture(page, clip=clip)
            page.evaluate("window.held = document.activeElement; window.held.blur()")
            free = _picture(page, clip=clip)
            page.evaluate("window.held.focus({ preventScroll: true })")
            changed = other.evaluate(_READ_RING, [held, free, LEAST_OF_MARKS])
            if changed < min(wide, right - left) + min(high, bottom - top):
                unseen.append(f"{changed} pixels: {stop['name']}")
        page.evaluate("document.activeElement.blur()")
    return unseen, number


def changed(page: Any, before: bytes, after: bytes, least: float = 1.1) -> int:
    """Number of pixels of two pictures of one size that are told apart: their contrast is `least` or more."""
    written = [base64.b64encode(one).decode() for one in (before, after)]
    with _beside(page) as other:
        return int(other.evaluate(_READ_RING, [*written, least]))
