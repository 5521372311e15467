"""What an environment is of: game, rules, seats and reward, checked once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from games import options as option_tools
from games import registry as game_registry
from games.encodings import Encoding
from games.protocol import Game
from worker.environments import registry, rewards


@dataclass(frozen=True)
class Setup:
    """A game at a table.

    options: rules as JSON, what is left out by default; num_seats: None for two, or the fewest that there are;
    reward: a name of `rewards.REWARDS`. Raises ValueError for what does not go together, OptionError for an option.
    """

    game_id: str
    num_seats: int | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    reward: str = rewards.RESULT

    def __post_init__(self) -> None:
        if self.reward not in rewards.REWARDS:
            raise ValueError(f"reward must be one of {', '.join(rewards.REWARDS)}, not {self.reward!r}")
        self.game.initial_state(self.rules, self.seats)

    @cached_property
    def encoding(self) -> Encoding:
        """How the game is written as numbers."""
        return registry.get(self.game_id)

    @cached_property
    def game(self) -> Game:
        """The game."""
        registry.get(self.game_id)
        return game_registry.get(self.game_id)

    @cached_property
    def rules(self) -> Any:
        """Options of the rules, complete."""
        return option_tools.from_json(self.game.options, self.options)

    @cached_property
    def seats(self) -> int:
        """Seats at the table."""
        return max(2, self.game.traits.min_seats) if self.num_seats is None else self.num_seats
