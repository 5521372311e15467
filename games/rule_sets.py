"""Named rules of a game: the rule book's, those of the papers, and houses'."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from games import options as option_tools
from games.options import Value

RULE_BOOK, PAPER = "Rule book", "Paper"


@dataclass(frozen=True)
class RuleSet:
    """Rules known by a name. summary: a line on what they are; options: those that differ from the defaults."""

    summary: str
    options: Mapping[str, Value]


class Ruled(Protocol):
    """The part of a game that says by which rules it can be played."""

    options: type
    presets: Mapping[str, RuleSet]


def complete(game: Ruled, name: str) -> dict[str, Any]:
    """All options by these rules; the defaults where the game has none of that name."""
    known = game.presets.get(name)
    return option_tools.to_json(option_tools.from_json(game.options, known.options if known else {}))


def opening(game: Ruled) -> str:
    """Name of the rules that people begin with; empty where a game has no named ones, and its defaults hold."""
    return next(iter(game.presets), "")


def name_of(game: Ruled, options: Mapping[str, Any]) -> str:
    """Name of the rules that these options are, absent ones at their defaults; empty where they have none."""
    chosen = option_tools.to_json(option_tools.from_json(game.options, options))
    return next((name for name in game.presets if complete(game, name) == chosen), "")
