"""The lines that put a chart or a replay into another site, and the shape that is chosen for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.urls import reverse

from webapp.lab.jobs import registry as jobs
from webapp.lab.results.dashboard import Card
from webapp.matches import selectors as match_selectors
from webapp.records.models import Match, ShareLink

WIDTH, HEIGHT = 720, 520
LEAST, MOST = 200, 2000
MAX_PLY = 100_000
THEMES = {"": "The reader's own", "light": "Light", "dark": "Dark"}
"""Themes by ``?theme=``, in words."""


@dataclass(frozen=True)
class Shape:
    """What is chosen of a frame. width: pixels, 0 for all there is; ply: where a replay begins, None: at its end."""

    width: int = 0
    height: int = HEIGHT
    theme: str = ""
    ply: int | None = None

    @property
    def css_width(self) -> str:
        """The width as HTML has it."""
        return str(self.width) if self.width else "100%"


@dataclass(frozen=True)
class Embed:
    """A frame: its address here, the same for other sites, and the line that shows it there."""

    title: str
    path: str
    url: str
    html: str
    chart_id: str = ""


def shape_of(asked: Mapping[str, Any]) -> Shape:
    """The shape that a form or an oEmbed request asks for; nonsense counts as nothing said."""
    width, height = (_number(str(asked.get(name, "")), LEAST, MOST) for name in ("width", "height"))
    theme = asked.get("theme", "")
    ply = _number(str(asked.get("ply", "")), 0, MAX_PLY)
    return Shape(width or 0, height or HEIGHT, theme if theme in THEMES else "", ply)


def _number(text: str, least: int, most: int) -> int | None:
    text = text.strip()
    if not text.isascii() or not text.isdigit() or len(text) > 6:
        return None
    return min(most, max(least, int(text)))


def charts(link: ShareLink) -> Sequence[Card]:
    """The charts of a shared job that can be embedded."""
    return list(jobs.of(link.job).cards(link.job, reverse("sharing:show", args=[link.slug])))


def chart(link: ShareLink, card: Card, shape: Shape) -> Embed:
    """The frame of a chart."""
    path = reverse("sharing:embed_chart", args=[link.slug, card.id])
    return _embed(f"{card.title}: {link.job.title}", path, shape, {"theme": shape.theme}, card.id)


def replay(link: ShareLink, match: Match, shape: Shape) -> Embed:
    """The frame of a replay."""
    is_single = link.match_id == match.pk
    path = (
        reverse("sharing:embed_only_match", args=[link.slug])
        if is_single
        else reverse("sharing:embed_match", args=[link.slug, match.pk])
    )
    title = match_selectors.page(match).title
    return _embed(title, path, shape, {"theme": shape.theme, "ply": shape.ply})


def _embed(title: str, path: str, shape: Shape, asked: Mapping[str, Any], chart_id: str = "") -> Embed:
    query = urlencode({name: value for name, value in asked.items() if value not in ("", None)})
    path = f"{path}?{query}" if query else path
    url = f"{settings.PUBLIC_URL}{path}"
    size = f'width="{shape.css_width}" height="{shape.height}"'
    line = f'<iframe src="{escape(url)}" {size} title="{escape(title)}" loading="lazy" style="border: 0"></iframe>'
    return Embed(title, path, url, line, chart_id)
