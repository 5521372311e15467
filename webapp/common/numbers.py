"""Numbers in addresses and buttons."""

from __future__ import annotations

MAX_DIGITS = 18
"""More fit no column of the database."""


def parse_whole(text: str | None) -> int | None:
    """The whole number of 0 or more that a text spells; None where it spells none that a database holds."""
    return int(text) if text and text.isdecimal() and len(text) <= MAX_DIGITS else None
