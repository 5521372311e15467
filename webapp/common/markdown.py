"""Markdown as safe HTML: no raw HTML, no scripts, tables allowed.

Raw HTML comes out as text, and addresses that run something (javascript, vbscript, data, file) are no links: both are
markdown-it's own checks.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING

from django.utils.safestring import SafeString, mark_safe

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

TABLE = '<div class="table" tabindex="0" role="region" aria-label="Table"><table class="tight">'
LOWEST_HEADING = 6
REL = "nofollow noopener"
KEPT = 64
"""Texts whose HTML each process keeps: a large table takes a second to make."""


@cache
def _reader(*rules: str) -> MarkdownIt:
    from markdown_it import MarkdownIt  # most processes write no text of this kind

    return MarkdownIt("commonmark", {"html": False, "linkify": False}).enable(list(rules))


def render(text: str) -> SafeString:
    """HTML of a text of the project's own."""
    return _with_tables(_reader("table").render(text))


@lru_cache(maxsize=KEPT)
def render_of_people(text: str, under: int = 2) -> SafeString:
    """HTML of what somebody wrote. under: level of the heading that it stands below.

    Pictures are links, so that a page asks no other site for anything, and search engines follow no link.
    """
    reader = _reader("table", "strikethrough")
    tokens = reader.disable("image").parse(text)
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(LOWEST_HEADING, int(token.tag[1:]) + under)}"
        for child in token.children or ():
            if child.type == "link_open":
                child.attrSet("rel", REL)
    return _with_tables(reader.renderer.render(tokens, reader.options, {}))


def _with_tables(html: str) -> SafeString:
    """Tables of a page in a box that scrolls."""
    return mark_safe(html.replace("<table>", TABLE).replace("</table>", "</table></div>"))
