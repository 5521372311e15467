"""Notes of games and engines, written in Markdown, as safe HTML."""

from __future__ import annotations

import re

from django.utils.safestring import SafeString

from webapp.common import markdown

TITLE = re.compile(r"\A\s*# .*\n")


def render_notes(text: str) -> SafeString:
    """HTML of a note without its title (the page has its own h1)."""
    return markdown.render(TITLE.sub("", text))
