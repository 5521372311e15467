"""Pages of games and engines, made from their own declarations and notes."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from engines import registry as engine_registry
from engines.own.sources import is_own
from engines.protocol import BUDGET_LABELS, COUNTED, Engine
from games import options as option_tools
from games import registry as game_registry
from games.protocol import Game, PolicyWords, Traits
from webapp.common.fields import bounds_text, format_plain
from webapp.common.option_forms import value_label
from webapp.site import metric_list
from webapp.site.notes import render_notes


@dataclass(frozen=True)
class OptionRow:
    """An option in words."""

    label: str
    name: str
    help: str
    default: str
    allowed: str


COUNTS = (
    "A count may be one number, or one for each ply of a match, or round where the game has them, "
    "as in “29, 31, 40 by round”; the last one holds for all that come later."
)


OF_ITS_OWN = """
Somebody's own engine, which whoever runs this lab has allowed. It decides in a process of its own, with limits of time
and memory, and is shown what its seat may know.

Its version is the hash of its files. An experiment keeps it, and so does the record of each match: once the files
change, what was begun with this version is played by no other.
"""


@dataclass(frozen=True)
class EnginePage:
    """An engine as its page shows it."""

    id: str
    version: str
    label: str
    summary: str
    details: str
    options: list[OptionRow]
    budgets: list[tuple[str, str, str]]
    counts: str
    peeks: bool
    is_own: bool
    games: list[tuple[str, str]]
    num_games: int

    @property
    def query(self) -> str:
        """What the form of an experiment with it is asked for: a game that it plays, where the first is none."""
        plays = [game_id for game_id, _ in self.games]
        game = {"game": plays[0]} if plays and game_registry.ids()[0] not in plays else {}
        return urlencode({"engine": self.id, **game})


@dataclass(frozen=True)
class GamePage:
    """A game as its page shows it."""

    id: str
    version: str
    label: str
    traits: Traits
    trait_words: list[tuple[str, str]]
    options: list[OptionRow]
    metrics: Mapping[str, list[tuple[str, str]]]
    policies: Sequence[tuple[str, str, str]]
    has_strategies: bool
    engines: list[EnginePage]
    notes: str
    lead: str


def option_rows(cls: type) -> list[OptionRow]:
    """Every option of an options class, in words."""
    return [
        OptionRow(
            label=row["label"],
            name=row["name"],
            help=row["help"],
            default=value_label(row, row["default"]),
            allowed=_allowed(row),
        )
        for row in option_tools.schema(cls)
    ]


def _allowed(row: dict[str, Any]) -> str:
    if row["type"] == option_tools.DATA:
        return f"an example of the game's {row['names']}, or one that you write"
    named = [f"one of the game's {row['names']}"] if row["names"] else []
    if named or row["choices"]:
        return ", ".join(named + [choice["label"] for choice in row["choices"]])
    if row["type"] == "bool":
        return "yes, no"
    if row["type"] == "str":
        return "text"
    return bounds_text(row["minimum"], row["maximum"]) or "any number"


def engines() -> list[EnginePage]:
    """All engines, those of one's own that the operator allows last."""
    return [engine(engine_id) for engine_id in engine_ids()]


def engine_ids() -> tuple[str, ...]:
    """Their ids."""
    return (*engine_registry.ids(), *engine_registry.own_ids())


def is_engine(engine_id: str) -> bool:
    """Whether there is a page: of one's own, of each version that is known, even where its files are gone."""
    return engine_registry.is_known(engine_id) and engine_registry.complete_id(engine_id) == engine_id


@cache
def engine(engine_id: str) -> EnginePage:
    """One engine. Raises KeyError for an unknown id."""
    cls = engine_registry.get(engine_id)
    games = [game_registry.get(game_id) for game_id in game_registry.ids()]
    return EnginePage(
        id=engine_id,
        version=cls.version,
        label=cls.label,
        summary=cls.summary,
        details=_details(cls),
        options=option_rows(cls.options_class),
        budgets=[_budget(key, cls) for key in BUDGET_LABELS if key in cls.budgets],
        counts=COUNTS if any(key in COUNTED for key in cls.budgets) else "",
        peeks=cls.peeks,
        is_own=is_own(engine_id),
        games=[(game.id, game.label) for game in games if engine_registry.plays(engine_id, game)],
        num_games=len(games),
    )


def _budget(key: str, cls: type[Engine]) -> tuple[str, str, str]:
    label, unit, _ = BUDGET_LABELS[key]
    default = cls.default_budget.get(key)
    return label, unit, "" if default is None else format_plain(default)


def _details(cls: type[Engine]) -> str:
    """The module's own words about the method: its docstring, rendered."""
    if is_own(cls.id):
        return render_notes(OF_ITS_OWN)
    module = inspect.getmodule(cls)
    text = inspect.getdoc(module) or ""
    return render_notes(text)


def games() -> list[GamePage]:
    """All games."""
    return [game(game_id) for game_id in game_registry.ids()]


@cache
def game(game_id: str) -> GamePage:
    """One game. Raises KeyError for an unknown id."""
    found = game_registry.get(game_id)
    text = rules_notes(found)
    return GamePage(
        id=game_id,
        version=found.version,
        label=found.label,
        traits=found.traits,
        trait_words=_trait_words(found.traits),
        options=option_rows(found.options),
        metrics=metric_list.entries(found.metric_table),
        policies=[(name, *_policy_words(found, name)) for name in found.policies],
        has_strategies=found.strategies is not None,
        engines=[engine(engine_id) for engine_id in engine_registry.suitable(found)],
        notes=render_notes(text),
        lead=_lead(text),
    )


def rules_notes(found: Game) -> str:
    """The game's RULES.md; empty where it has none."""
    spec = find_spec(type(found).__module__)
    path = Path(spec.origin).with_name("RULES.md") if spec and spec.origin else None
    return path.read_text(encoding="utf-8") if path and path.is_file() else ""


def _lead(text: str) -> str:
    """The first paragraph below the title, as plain words."""
    for paragraph in text.split("\n\n"):
        words = " ".join(paragraph.split())
        if words and not words.startswith(("#", "|", "-", "*", ">")):
            return words.replace("`", "").replace("*", "")
    return ""


def _policy_words(found: Game, policy: str) -> PolicyWords:
    return found.policy_words.get(policy, PolicyWords(policy, ""))


def _trait_words(traits: Traits) -> list[tuple[str, str]]:
    seats = (
        str(traits.min_seats) if traits.min_seats == traits.max_seats else f"{traits.min_seats} to {traits.max_seats}"
    )
    chance = "none"
    if traits.has_chance:
        chance = "yes, every outcome can be listed" if traits.chance_is_listable else "yes, too many outcomes to list"
    return [
        ("Seats", seats),
        ("Chance", chance),
        ("Hidden information", "yes" if traits.has_hidden_information else "no: all see everything but the future"),
        ("Teams", "yes" if traits.has_teams else "no"),
        ("Legal actions at a ply", f"at most {traits.max_legal_actions:,}".replace(",", "\u202f")),
        ("Plies of a match", f"at most {traits.max_plies:,}".replace(",", "\u202f")),
    ]
