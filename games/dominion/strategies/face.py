"""Strategies of Dominion as engines, forms and pages ask for them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from games.courses import Program
from games.dominion.strategies import encoding, form, words
from games.protocol import Game
from games.strategies import Chooser, Data

EXAMPLES = Path(__file__).parent / "examples.json"


class DominionStrategies:
    """See `games.strategies.Strategies`."""

    @cached_property
    def examples(self) -> Mapping[str, Data]:
        """Strategies to start from: three players of the thesis, and others."""
        found = json.loads(EXAMPLES.read_text(encoding="utf-8"))
        return {key: form.check_strategy(data) for key, data in found.items()}

    def check(self, data: Any) -> dict[str, Any]:
        """The strategy, complete. Raises StrategyError naming the place."""
        return form.check_strategy(data)

    def describe(self, data: Data) -> Sequence[tuple[str, Sequence[str]]]:
        """Describe in words which cards a strategy buys, plays and trashes."""
        return [(name.capitalize(), rules) for name, rules in words.rules(data)]

    def program(self, data: Data) -> Program:
        """The code of a checked strategy (`games.courses`)."""
        return tuple(encoding.code(data).tolist())

    def chooser(self, game: Game, data: Data) -> Chooser:
        """The player that plays a checked strategy."""
        return encoding.chooser(game, data)
