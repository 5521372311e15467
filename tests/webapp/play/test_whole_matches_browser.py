"""Whole matches of every game on the table, to the result, by everything that one plays with, measured all the while.

By mouse in a small window, by finger on a phone, by keyboard in a large one; of one game, each by each. Sizes, what
lies over what, what moves by itself, contrast, the console, and where the focus is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.webapp.play import courses, hands, measures, pixels
from tests.webapp.play.conftest import PHONE
from tests.webapp.play.courses import Course
from webapp.table.live.models import LiveMatch

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]
Show = Callable[..., Any]

SMALL, LARGE = {"width": 1280, "height": 800}, {"width": 1920, "height": 1080}
WINDOWS = {"small": SMALL, "large": LARGE, "phone": PHONE}
HANDS = {"mouse": hands.by_mouse, "finger": hands.by_touch, "keyboard": hands.by_keyboard}
USUAL = (("mouse", "small"), ("finger", "phone"), ("keyboard", "large"))
"""What is played with, and the window for it."""
EVERY = 4
"""Own moves from one look at all sizes to the next."""
LOOKED_AT = 3
"""The own move before which contrast and focus are looked at, and once more at the end."""


def _rows() -> Iterator[Any]:
    """Every game by all usual means; the shortest by all means in all windows."""
    for course in courses.ALL:
        for means, window in USUAL:
            yield pytest.param(course, means, window, id=f"{course.game} by {means}, {window}")
    for means in HANDS:
        for window in WINDOWS:
            if (means, window) not in USUAL:
                yield pytest.param(courses.KINGDOMINO, means, window, id=f"kingdomino by {means}, {window}")


@dataclass
class Look:
    """Whoever looks at a page while a match is played on it, and notes what is wrong."""

    page: Any
    is_map: bool
    faults: dict[str, str] = field(default_factory=dict)
    _standing: dict[str, str] = field(default_factory=dict)

    def at_a_turn(self, when: str) -> None:
        """Look whether bar, tabs, plates and stage are where they were."""
        now = self.page.evaluate(measures.STANDING)
        moved = (name for name, place in now.items() if _is_apart(self._standing.get(name, place), place))
        self.note(when, [f"moved: {name} from {self._standing[name]} to {now[name]}" for name in moved])
        self._standing |= now

    def at_sizes(self, when: str) -> None:
        """Look at sizes, and at what lies over what."""
        self.note(when, measures.faults(self.page, is_map=self.is_map) + measures.covers(self.page))

    def closely(self, when: str) -> None:
        """Look at contrast, light and dark, and at the focus at every stop."""
        self.note(when, [f"pale: {text}" for text in pixels.pale_on_light_and_dark(self.page)])
        unseen, number = pixels.unseen_stops(self.page)
        self.note(when, [f"focus: {stop}" for stop in unseen])
        assert number > 3

    def note(self, when: str, found: list[str]) -> None:
        """Keep each fault with when it was seen first."""
        for fault in found:
            self.faults.setdefault(fault, when)


def _is_apart(one: str, other: str) -> bool:
    """Whether two places differ by more than a pixel, to which they are rounded."""
    return any(abs(int(a) - int(b)) > 1 for a, b in zip(one.split(), other.split(), strict=True))


@pytest.fixture
def touched(lent: Callable[..., Any]) -> Iterator[Any]:
    """A page that is touched."""
    with lent("touched", viewport=PHONE, has_touch=True, device_scale_factor=1) as page:
        yield page


@pytest.mark.parametrize(("course", "means", "window"), list(_rows()))
def test_a_whole_match(
    match: LiveMatch, show: Show, request: pytest.FixtureRequest, course: Course, means: str, window: str
) -> None:
    played_on = request.getfixturevalue("touched" if means == "finger" else "page")
    played_on.set_viewport_size(WINDOWS[window])
    played_on.emulate_media(reduced_motion="no-preference")
    show(match, on=played_on)
    look, own = Look(played_on, is_map=course.game == "carcassonne"), 0
    measures.watch_jumps(played_on)
    while not hands.is_over(played_on):
        look.at_a_turn(f"own move {own}")
        if own % EVERY == 0:
            look.at_sizes(f"own move {own}")
        if own == LOOKED_AT:
            look.closely(f"own move {own}")
        HANDS[means](played_on)
        own += 1
    assert course.may_end_after(hands.ply(played_on))
    result = played_on.get_by_role("region", name="Result").first
    expect(result).to_contain_text("Final score")
    expect(result.get_by_role("button", name=re.compile("^Rematch"))).to_be_visible()
    expect(played_on.locator("[data-counting]")).to_have_count(0)
    look.closely("the end")
    look.note("the end", measures.faults(played_on, is_map=look.is_map))
    if window == "phone":  # more of the table is behind this button
        played_on.get_by_role("button", name="Look at the table").click()
        look.note("the table at the end", measures.faults(played_on, is_map=look.is_map))
    look.note("a jump", measures.jumps(played_on))
    assert not look.faults, "\n" + "\n".join(f"{when}: {fault}" for fault, when in look.faults.items())
    match.refresh_from_db()
    assert match.status == LiveMatch.Status.FINISHED
