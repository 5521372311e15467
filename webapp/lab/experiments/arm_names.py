"""Names of arms that nobody named: what tells their line-ups apart."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from webapp.lab.results.sides import configuration_words, short_names
from worker.spec import MAX_NAME

DEFAULT = re.compile(r"(Arm \d+)?( ?\(copy\))*")
"""What the form fills in: such a name is nobody's choice."""


def names(arms: Sequence[Mapping[str, Any]]) -> list[str]:
    """The name of every arm: the given one, else the engines and values that differ between arms.

    Equal arms keep theirs. arms: as specs write them.
    """
    given = [str(arm["name"]) for arm in arms]
    told = _told_apart([arm["seats"] for arm in arms]) if len(arms) > 1 else given
    wanted = [new if DEFAULT.fullmatch(old.strip()) else old for old, new in zip(given, told, strict=True)]
    count = Counter(wanted)
    is_good = [count[name] == 1 and 0 < len(name) <= MAX_NAME and name not in given for name in wanted]
    return [new if good else old for old, new, good in zip(given, wanted, is_good, strict=True)]


def _told_apart(line_ups: Sequence[Sequence[Mapping[str, Any]]]) -> list[str]:
    """What plays at the places that differ, in as few words as tell it apart; empty where nothing does."""
    differ = [place for place, seat in enumerate(line_ups[0]) if any(row[place] != seat for row in line_ups)]
    parts = [_of_a_place([configuration_words(row[place]) for row in line_ups]) for place in differ]
    return [" + ".join(dict.fromkeys(row[k] for row in parts)) for k in range(len(line_ups))]


def _of_a_place(words: Sequence[Sequence[str]]) -> list[str]:
    """Short names, the same for the same words."""
    distinct = list(dict.fromkeys(map(tuple, words)))
    by_words = dict(zip(distinct, short_names(distinct), strict=True))
    return [by_words[tuple(row)] for row in words]
