"""In what two contrasts differ, in words: why one is not pooled with another."""

from __future__ import annotations

import json
from collections.abc import Sequence

from engines.protocol import BUDGET_LABELS
from webapp.lab.pooling.contrasts import RULES, Contrast, Seat

RULE_WORDS = {"game": "another game", "options": "other rules", "seats": "other seats", "rotation": "other seatings"}
NEVER = ("game", "seats")
"""What makes it another question altogether."""


def obstacle(row: Contrast, first: Contrast) -> str:
    """Why a contrast can be pooled with another in no way; empty where a choice may."""
    if row.sums is None or first.sums is None:
        return "agents play"
    ours, theirs = json.loads(row.rules), json.loads(first.rules)
    other = [name for name in NEVER if ours[RULES.index(name)] != theirs[RULES.index(name)]]
    return ", ".join(RULE_WORDS[name] for name in other)


def differences(row: Contrast, first: Contrast) -> list[str]:
    """What differs, in a word or two each; empty where they share all but luck and plan."""
    ours, theirs = json.loads(row.rules), json.loads(first.rules)
    found = [RULE_WORDS[name] for name, a, b in zip(RULES, ours, theirs, strict=True) if a != b]
    if row.kind != first.kind:
        found.append("asked in another way")
    else:
        found += _line_ups(row, first)
    if row.is_mixed:
        found.append("several versions in it")
    elif row.played != first.played and row.played and first.played:
        found.append(f"other version: {', '.join(f'{name} {version}' for name, version in _own(row, first))}")
    return list(dict.fromkeys(found))


def _own(row: Contrast, first: Contrast) -> list[tuple[str, str]]:
    """Versions that the first did not play."""
    return sorted(row.played - first.played) or sorted(first.played - row.played)


def _line_ups(row: Contrast, first: Contrast) -> list[str]:
    parts = [(row.side, first.side), (row.other, first.other), (row.apart, first.apart)]
    return [word for ours, theirs in parts if ours != theirs for word in _seats(ours, theirs)]


def _seats(ours: Sequence[Seat], theirs: Sequence[Seat]) -> list[str]:
    if len(ours) != len(theirs):
        return ["other line-up"]
    found = []
    for one, two in zip(ours, theirs, strict=True):
        if one["engine"] != two["engine"]:
            found.append("other engine")
            continue
        if one["options"] != two["options"]:
            found.append("other options")
        keys = {key for key in (*one["budget"], *two["budget"]) if one["budget"].get(key) != two["budget"].get(key)}
        found += [f"other {BUDGET_LABELS[key][0].lower()}" for key in BUDGET_LABELS if key in keys]
    return found
