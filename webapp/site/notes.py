"""Notes written in Markdown, as safe HTML: no raw HTML, no scripts, tables allowed."""

from __future__ import annotations

import re

from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

_markdown = MarkdownIt("commonmark", {"html": False, "linkify": False}).enable("table")
TABLE = '<div class="table" tabindex="0" role="region" aria-label="Table"><table class="tight">'
TITLE = re.compile(r"\A\s*# .*\n")


def render_notes(text: str) -> SafeString:
    """HTML of a note without its title (the page has its own h1).

    Raw HTML in the note comes out as text, and addresses other than http, https and mailto
    are no links: both are markdown-it's own checks.
    """
    html: str = _markdown.render(TITLE.sub("", text))
    return mark_safe(html.replace("<table>", TABLE).replace("</table>", "</table></div>"))
