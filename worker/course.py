"""The course of one match: its position, its luck and its chained digest.

The runner plays along a course; a match's seed and actions suffice to walk it again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from games import options as option_tools
from games import registry, rng
from games.protocol import CHANCE, Game

_MASK = (1 << 64) - 1
_SIGN = 1 << 63


def chain(digest: int, key: int) -> int:
    """Digest of a ply from the one before and the key of its position (signed 64 bits)."""
    value = rng.mix((digest ^ key) & _MASK)
    return value - 2 * _SIGN if value & _SIGN else value


def options_of(game: Game, options: Mapping[str, Any]) -> Any:
    """Options of a game's rules from JSON. Raises OptionError naming the field."""
    return option_tools.from_json(game.options, options)


@dataclass(frozen=True)
class Renewal:
    """Luck drawn anew within a match: after more than `ply` plies chance draws from `seed`, by the game's law.

    What is known after `ply` plies stays: what was drawn until then, and hands that were dealt.
    """

    ply: int
    seed: int

    @classmethod
    def from_json(cls, data: Mapping[str, Any] | None) -> Renewal | None:
        """Read the renewal as rows keep it; None: the deal holds to the end."""
        return None if data is None else cls(int(data["ply"]), int(data["seed"]))

    def to_json(self) -> dict[str, int]:
        """Write the renewal for a row."""
        return asdict(self)


class Course:
    """One match on its way; between calls it stands at a seat's turn or at the end.

    state: the true state; player: seat on turn or TERMINAL; ply: actions so far;
    digest: of the last ply (0 before the first); outcomes: what chance did since it, from
    the state `drawn_from` on.
    """

    def __init__(
        self,
        game: Game,
        options: Mapping[str, Any],
        num_seats: int,
        deal_seed: int,
        renewal: Renewal | None = None,
    ) -> None:
        chosen = options_of(game, options)
        self.game = game
        self.state = game.initial_state(chosen, num_seats)
        self.ply = 0
        self.digest = 0
        self.outcomes: tuple[int, ...] = ()
        self.drawn_from = self.state
        self._deal = game.deal(chosen, num_seats, rng.new_stream(deal_seed, rng.DEAL))
        self._renewal = renewal
        self._fresh = rng.new_stream(0 if renewal is None else renewal.seed, rng.DEAL)
        self.player = self._settle()

    def _settle(self, *, is_renewed: bool = False) -> int:
        """Let chance happen until somebody is on turn or the match is over. is_renewed: not by the deal."""
        game, outcomes = self.game, []
        self.drawn_from = self.state
        while (player := game.current_player(self.state)) == CHANCE:
            outcome = game.sample_chance(self.state, self._fresh) if is_renewed else self._deal.draw(self.state)
            outcomes.append(outcome)
            self.state = game.apply(self.state, outcome)
        self.outcomes = tuple(outcomes)
        return player

    def advance(self, action: int) -> None:
        """Play the action of the seat on turn, then what chance does. Raises IllegalActionError."""
        self.state = self.game.apply(self.state, action)
        self.player = self._settle(is_renewed=self._renewal is not None and self.ply >= self._renewal.ply)
        self.digest = chain(self.digest, self.game.key(self.state))
        self.ply += 1


def replay(
    game_id: str,
    options: Mapping[str, Any],
    num_seats: int,
    deal_seed: int,
    actions: Iterable[int],
    renewal: Renewal | None = None,
) -> Iterator[Course]:
    """Walk a match again: yields the same course before the first and after every action.

    Raises IllegalActionError where an action does not fit the rules.
    """
    course = Course(registry.get(game_id), options, num_seats, deal_seed, renewal)
    yield course
    for action in actions:
        course.advance(action)
        yield course
