"""What a table promises in pixels, measured in the browser: areas, sizes of pieces, targets and text, what lies over
what, and whether anything moves that nobody has moved."""

from __future__ import annotations

import re
from typing import Any

from tests.webapp.play.conftest import PHONE

DESKTOPS = ((1280, 800), (1920, 1080), (2560, 1440))
ZOOMED = (853, 533)
"""A window of 1280 x 800 at 150 %."""
LEAST_AREA = 0.65
LEAST_TILE = 64
LOOK_MS = 40
"""Between two looks at what is under the pointer."""
CONTROLS = "button, summary, input, select, [role=tab], a[href], label:has(input)"

_HELPERS = f"""
const controls = {CONTROLS!r};
const isShown = (element) => element.checkVisibility({{ visibilityProperty: true, opacityProperty: true }});
const box = (element) => element.getBoundingClientRect();
/** What of an element is in sight: its box without what its scrolling or cut ancestors hide. */
const seen = (element) => {{
    let {{ left, top, right, bottom }} = box(element);
    for (let parent = element.parentElement; parent; parent = parent.parentElement) {{
        if (getComputedStyle(parent).overflow === "visible") continue;
        const frame = box(parent);
        [left, top] = [Math.max(left, frame.left), Math.max(top, frame.top)];
        [right, bottom] = [Math.min(right, frame.right), Math.min(bottom, frame.bottom)];
    }}
    return {{ left, top, right, bottom, width: right - left, height: bottom - top }};
}};
const name = (element) => element.outerHTML.replace(/\\s+/g, " ").slice(0, 110);
"""

_SIZES = f"""
() => {{
    {_HELPERS}
    const stage = box(document.querySelector("[data-stage]"));
    const page = document.documentElement;
    const svg = document.querySelector("[data-board] > svg");
    const scale = svg.getScreenCTM().a;
    const targets = [...document.querySelectorAll(controls)]
        .filter((one) => isShown(one) && !one.closest(".skip, .sr") && !one.closest("p, li, td"))
        .filter((one) => !one.matches("input") || !one.closest("label"));
    const places = [...document.querySelectorAll("[data-step][style*=inline]")].filter((one) => box(one).width);
    const small = (least) => [...targets, ...places]
        .filter((one) => Math.min(box(one).width, box(one).height) < least - 0.5)
        .map((one) => `${{name(one)}} ${{box(one).width}} ${{box(one).height}}`);
    const texts = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {{
        const parent = walker.currentNode.parentElement;
        const words = walker.currentNode.textContent.trim();
        if (!words || parent.closest("script, style, noscript, .sr, title, desc")) continue;
        if (!isShown(parent) || !box(parent).width) continue;
        const isDrawn = Boolean(parent.closest("svg"));
        if (isDrawn && !parent.closest("[data-board]")) continue; // a picture beside its words
        const px = parseFloat(getComputedStyle(parent).fontSize) * (isDrawn ? parent.getScreenCTM().a : 1);
        if (px < 11.99) texts.push(`${{px}} ${{words.slice(0, 40)}}`);
    }}
    return {{
        isTouched: matchMedia("(pointer: coarse)").matches,
        area: stage.width * stage.height / (innerWidth * innerHeight),
        tile: scale * Number(svg.dataset.unit),
        small24: small(24), small44: small(44),
        texts,
        scrolls: page.scrollHeight > innerHeight || page.scrollWidth > innerWidth,
    }};
}}
"""

_DRAWN = """
() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
    .then(() => Promise.allSettled(document.querySelector("[data-world]").getAnimations().map((one) => one.finished)))
    .then(() => null)
"""

_COVERS = f"""
() => {{
    {_HELPERS}
    const isOpen = document.querySelector(":popover-open");
    const pieces = [...document.querySelectorAll("[data-plate], [data-turn], [data-stage] > .board-tools")];
    const targets = [...document.querySelectorAll(controls)]
        .filter((one) => isShown(one) && !one.closest(".skip, .sr") && (!isOpen || one.closest(":popover-open")))
        .filter((one) => !one.matches("input") || !one.closest("label"))
        .map((one) => [one, seen(one)])
        .filter(([, {{ width, height }}]) => width > 1 && height > 1);
    const overlaps = [];
    const cross = (ones) => ones.forEach(([one, a], place) => ones.slice(place + 1).forEach(([other, b]) => {{
        if (one.contains(other) || other.contains(one)) return;
        const isOver = Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
            && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
        if (isOver) overlaps.push(`${{name(one)}} WITH ${{name(other)}}`);
    }}));
    cross(targets);
    cross(pieces.filter(isShown).map((one) => [one, box(one)]));
    const covered = targets.filter(([one, {{ left, right, top, bottom }}]) => {{
        if (one.matches(":disabled")) return false;
        const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
        return !(one.contains(hit) || hit?.contains(one) && hit.closest("label"));
    }}).map(([one]) => name(one));
    return {{ overlaps, covered }};
}}
"""

_PLACES = """
() => {
    const stage = document.querySelector("[data-stage]");
    if (stage.dataset.kind === "map") return []; // one moves over a map, and signs lead to what is out of sight
    return [...document.querySelectorAll("[data-step][data-when=''][style*=inline]")].filter((place) => {
        const part = [...place.children].find((child) => child.getBoundingClientRect().width) ?? place;
        const shown = part.matches(".dm-wide, .dm-narrow") ? part.firstElementChild : part;
        const { left, top, width, height } = shown.getBoundingClientRect();
        const spots = [[left + 6, top + height / 2], [left + width / 2, top + height / 2]];
        return !spots.some((spot) => document.elementsFromPoint(...spot)
            .slice(0, 4).some((found) => found.closest("[data-step]") === place));
    }).map((place) => place.id);
}
"""

STANDING = """
() => Object.fromEntries(
    [...document.querySelectorAll(
        "[data-turn], [data-deed], [data-do], [role=tab], [data-plate], [data-stage], header a"
    )]
        .filter((one) => one.getBoundingClientRect().width)
        .map((one, place) => {
            const { x, y, width, height } = one.getBoundingClientRect();
            const what = Object.entries(one.dataset).map(([key, value]) => `${key} ${value}`)[0] ?? "";
            const called = one.id || one.dataset.deed || one.dataset.do || one.dataset.plate || one.href || what;
            return [called, [x, y, width, height].map(Math.round).join(" ")];
        }))
"""
"""Where the fixed parts of a table are: bar, its buttons, those of the view, tabs, plates, the stage."""


def faults(page: Any, *, is_map: bool = False) -> list[str]:
    """What is not as the table promises for the page's window and pointer; is_map: places keep their size.

    What has just been opened or closed is given the time to be drawn.
    """
    page.evaluate(_DRAWN)
    found, is_phone = page.evaluate(_SIZES), page.viewport_size["width"] <= PHONE["width"]
    wrong = [f"too small to press: {target}" for target in found["small44" if found["isTouched"] else "small24"]]
    wrong += [f"too small to read: {words}" for words in found["texts"]]
    if not is_phone and found["area"] < LEAST_AREA:
        wrong.append(f"the stage has {found['area']:.2f} of the window")
    if found["scrolls"]:
        wrong.append("the page scrolls")
    if is_map and found["tile"] < LEAST_TILE:
        wrong.append(f"a place has {found['tile']} pixels")
    return wrong


def covers(page: Any) -> list[str]:
    """What lies over a control or under anything, and places of a table that cannot be pointed at."""
    found = page.evaluate(_COVERS)
    wrong = [f"one over the other: {both}" for both in found["overlaps"]]
    wrong += [f"covered: {control}" for control in found["covered"]]
    return wrong + [f"out of reach: {place}" for place in page.evaluate(_PLACES)]


def area(page: Any) -> float:
    """Share of the window that the stage has."""
    return float(page.evaluate(_SIZES)["area"])


# ---- what moves while a page comes

MOST_SHIFT = 0.1
"""What still counts as good of the cumulative layout shift (web.dev/articles/cls)."""
_SCRIPTS = re.compile(r"/js/(play/board|replay/replay)\b")
_SHIFT = """
() => new Promise((done) => {
    let sum = 0;
    const add = (list) => list.getEntries().forEach(({ value, hadRecentInput }) => (sum += hadRecentInput ? 0 : value));
    new PerformanceObserver(add).observe({ type: "layout-shift", buffered: true });
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done(sum))));
})
"""


def shift_at_load(page: Any) -> float:
    """Load the page again as over a slow line, its script after the first picture; how much has then moved."""
    held: list[Any] = []
    page.route(_SCRIPTS, lambda route: held.append(route))
    page.reload(wait_until="commit")
    page.wait_for_function(
        "() => performance.getEntriesByType('paint').some(({ name }) => name.includes('contentful'))"
    )
    for route in held:
        route.continue_()
    page.locator("[data-stage][data-live]").wait_for()
    page.unroute(_SCRIPTS)
    page.evaluate(_DRAWN)
    return float(page.evaluate(_SHIFT))


# ---- what moves by itself

_WATCH = f"""
([quietMs, lookMs]) => {{
    {_HELPERS}
    const kinds = `${{controls}}, [data-step], [data-lights]`;
    let [pointer, acted, before, stood, wasQuiet] = [null, -1e9, null, null, false];
    window.jumps = [];
    const note = (event) => {{
        acted = performance.now();
        if (event.pointerType !== "touch" && "clientX" in event) pointer = [event.clientX, event.clientY];
    }};
    for (const kind of ["pointermove", "pointerdown", "pointerup", "keydown", "keyup", "wheel", "resize"])
        addEventListener(kind, note, {{ capture: true, passive: true }});
    const spot = (element) => ["x", "y", "width", "height"].map((side) => box(element)[side]);
    const look = () => {{
        const hit = pointer && document.elementFromPoint(...pointer)?.closest(kinds);
        const held = document.activeElement;
        const now = [hit, held.matches(kinds) && !held.matches(".skip") ? held : null];
        const isQuiet = performance.now() - acted > quietMs;
        for (const [place, was] of (before ?? []).entries()) {{
            if (!was || !isQuiet || !wasQuiet) continue;
            const [element, spotted] = was;
            if (element.isConnected && isShown(element) && box(element).width) {{
                const moved = spot(element).some((value, side) => Math.abs(value - spotted[side]) > 1);
                const [from, to] = [spotted, spot(element)].map((sides) => sides.map(Math.round));
                const what = place ? "focused" : "pointed at";
                if (moved) window.jumps.push(`${{what}}: ${{name(element)}} ${{from}} to ${{to}}`);
            }} else if (!place && pointer === stood && hit && hit !== element && !hit.closest("[data-board]")) {{
                window.jumps.push(`under the pointer: ${{name(hit)}} in place of ${{name(element)}}`);
            }}
        }}
        before = now.map((element) => element && [element, spot(element)]);
        [stood, wasQuiet] = [pointer, isQuiet];
    }};
    setInterval(look, lookMs);
    new PerformanceObserver((list) => {{
        for (const {{ hadRecentInput, sources }} of list.getEntries()) {{
            if (hadRecentInput) continue;
            for (const {{ node, previousRect: a, currentRect: b }} of sources) {{
                const element = node?.nodeType === Node.TEXT_NODE ? node.parentElement : node;
                const isOurs = element?.isConnected && (element.closest(kinds) || element.querySelector(kinds));
                // a board that grows has a larger box and stays where it is: what is under the pointer says so
                if (isOurs && a.width && !element.closest("[data-board], svg, .skip"))
                    window.jumps.push(`shifted: ${{name(element)}} ${{a.x}} ${{a.y}} to ${{b.x}} ${{b.y}}`);
            }}
        }}
    }}).observe({{ type: "layout-shift" }});
}}
"""


def watch_jumps(page: Any, quiet_ms: int = 120) -> None:
    """Have the page note whatever moves under the pointer or holds the focus while nobody does anything.

    quiet_ms: since the last thing that its reader did; what follows within it is the answer to that.
    """
    page.evaluate(_WATCH, [quiet_ms, LOOK_MS])


def jumps(page: Any) -> list[str]:
    """What has moved by itself."""
    return list(page.evaluate("[...new Set(window.jumps)]"))
