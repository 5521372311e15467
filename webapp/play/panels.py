"""The panels beside a board: HTML from templates, drawn once for all who are shown the same.

Between two moves most of a page stays as it is. While a match runs a panel gets only what it says here that it needs,
and is remembered by just that: nobody can be served what somebody else is shown, and a template that wants more finds
it empty. What is not named here, and all of a match that does not run, is drawn each time.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import orjson
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from webapp.table.live.memory import Memory
from webapp.table.live.models import LiveMatch

INPUTS: Mapping[str, tuple[str, ...]] = {
    "plates": ("plates", "teams"),
    "outcome": (),
    "ending": ("ending",),
    "told": ("told",),
    "wishes": ("can", "is_player", "asks", "rivals_offer", "never_back", "has_rivals"),
    "room": (),
    "hint": ("is_player", "can", "no_hints"),
    "guide": ("guide",),
    "asked": ("asked",),
}
"""What a panel of a running match is made of, beside the match (`Running`)."""
KEPT = 2048
"""Panels that a process remembers: one to five kilobytes each."""
TOKEN = "token-of-the-page"
"""Stands in the panels for what their forms send as `csrfmiddlewaretoken`, which is another one every time."""


class Drawn(NamedTuple):
    """HTML of a part of the page, and a tag that tells it from an earlier one, and needs to do no more."""

    html: SafeString
    tag: str


@dataclass(frozen=True)
class Running:
    """A match that runs, as far as remembered panels speak of it."""

    code: str
    is_taken_back: bool
    status: ClassVar[str] = LiveMatch.Status.RUNNING
    is_over: ClassVar[bool] = False


_kept: Memory[tuple[str, bytes], Drawn] = Memory(KEPT)


def draw(name: str, template: str, match: LiveMatch, context: Mapping[str, Any]) -> Drawn:
    """A panel. context: of all panels."""
    needs = INPUTS.get(name)
    if needs is None or match.status != LiveMatch.Status.RUNNING:
        return drawn(render_to_string(template, {**context, "csrf_token": TOKEN}))
    own = {need: context[need] for need in needs} | {"match": Running(match.code, match.is_taken_back)}
    key = (name, orjson.dumps(own))
    kept = _kept.get(key)
    if kept is None:
        kept = drawn(render_to_string(template, {**own, "csrf_token": TOKEN}))
        _kept.put(key, kept)
    return kept


def drawn(html: SafeString) -> Drawn:
    """A part that has been drawn, with its tag."""
    return Drawn(html, f"{len(html):x}-{zlib.crc32(html.encode()):x}")
