"""Amounts of budgets as people write and read them: a number, or counts by round or ply."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from django import forms

from engines.schedules import BY, MAX_COUNTS
from webapp.common.fields import NumberField, format_plain, format_spaced

EXAMPLE = "29, 31, 40 by round"
_COUNTS = re.compile(r"(?P<counts>.+?)\s*,?\s+by\s+(?P<by>\w+)\s*", re.IGNORECASE | re.DOTALL)
SHOWN = 6
"""Counts that are written out in a sentence; of more the first ones and the last."""


def text(amount: Any) -> str:
    """An amount as the field reads it: ``250``, or ``29, 31, 40 by round``."""
    if isinstance(amount, Mapping):
        return f"{', '.join(map(str, amount['counts']))} by {amount['by']}"
    return format_plain(amount)


def counts_words(amount: Mapping[str, Any]) -> str:
    """Counts of a schedule in a sentence: "29, 31, 40", or "29, 31, … 35 412 (13 counts)"."""
    counts = [format_spaced(count) for count in amount["counts"]]
    if len(counts) <= SHOWN:
        return ", ".join(counts)
    return f"{', '.join(counts[: SHOWN // 2])}, … {counts[-1]} ({len(counts)} counts)"


class AmountField(NumberField):
    """A whole number, or one for each round or ply of a match: ``29, 31, 40 by round``.

    Cleaned: a number, or the object that budgets write (`engines.schedules`).
    """

    def prepare_value(self, value: Any) -> Any:
        """Show what budgets hold as it is typed."""
        return text(value) if isinstance(value, Mapping) else super().prepare_value(value)

    def to_python(self, value: Any) -> Any:
        """Parse; None for an empty field."""
        typed = str(value or "").strip()
        found = _COUNTS.fullmatch(typed)
        if found is None:
            if "," in typed:
                raise forms.ValidationError(f"Say what these counts go by: {EXAMPLE}, or by ply.", code="by")
            return super().to_python(value)
        by = found["by"].lower()
        if by not in BY:
            raise forms.ValidationError(f"Counts go by round or by ply: {EXAMPLE}.", code="by")
        parts = found["counts"].split(",")
        if len(parts) > MAX_COUNTS:
            raise forms.ValidationError(f"At most {MAX_COUNTS} counts; the last one holds for all later.", code="many")
        return {"by": by, "counts": [self._count(part) for part in parts]}

    def _count(self, part: str) -> int:
        if not part.strip():
            raise forms.ValidationError(f"A count is missing between two commas. Try {EXAMPLE}.", code="number")
        found = super().to_python(part)
        assert isinstance(found, int)
        return found
