"""Environment of Gymnasium: one seat of a game, the others filled by engines of the lab."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engines import registry as engine_registry
from engines.protocol import Budget, Engine
from games import rng
from worker.engine_decision import Question, decide
from worker.environments import extras, pictures, registry
from worker.environments.episode import Episode, new_seed
from worker.environments.setup import Setup
from worker.spec.seats import seat_from_json

extras.require("gymnasium")
import gymnasium  # noqa: E402 - after the check that says how to install it

from worker.environments import spaces as forms  # noqa: E402

Observation = dict[str, NDArray[Any]]
ILLEGAL = "illegal_action"
"""Key of `info` where the last action was none of the mask."""


class SeatEnvironment(gymnasium.Env[Observation, Any]):
    """A match for one seat against engines; see `worker.environments.setup.Setup` for game, rules and reward.

    opponents: players as in a spec (``{"engine": "uct", "options": {...}, "budget": {"simulations": 100}}``; what is
    left out is the engine's own), one for each other seat from the next one round the table on, or one for all of
    them; seat: the own one, None for the next one round the table with each match.

    Observations and actions are those of `worker.environments.table.TableEnvironment`; the mask of the seat on turn is
    in the observation, and `action_masks` gives it to libraries that ask for it. The reward of a step is all that the
    seat is given until it is on turn again, or the match is over. An action that the mask forbids ends the match with
    `illegal_reward` and ``info["illegal_action"]``. Nothing is ever truncated. The same seed and the same actions give
    the same episodes, as long as opponents have budgets that are counted, not timed.
    """

    metadata = {"render_modes": list(pictures.MODES), "render_fps": 1}

    def __init__(
        self,
        game_id: str,
        opponents: Sequence[Mapping[str, Any]] = ({"engine": "random"},),
        *,
        seat: int | None = None,
        num_seats: int | None = None,
        options: Mapping[str, Any] | None = None,
        reward: str = "result",
        observation: str = forms.VECTOR,
        illegal_reward: float = -1.0,
        render_mode: str | None = None,
    ) -> None:
        self.setup = Setup(game_id, num_seats, options or {}, reward)
        forms.check_form(self.setup, observation)
        pictures.check_mode(render_mode)
        if seat is not None and not 0 <= seat < self.setup.seats:
            raise ValueError(f"seat must be one of 0 to {self.setup.seats - 1}, or None, not {seat}")
        self.form, self.render_mode, self.illegal_reward = observation, render_mode, illegal_reward
        self._opponents = _opponents(self.setup, opponents)
        self.observation_space: forms.Space = forms.observation_space(self.setup, observation)
        self.action_space = forms.action_space(self.setup)
        self.episode = Episode(self.setup)
        self._fixed, self.seat = seat, -1 if seat is None else seat
        self._seed, self._matches, self._is_over = -1, 0, True
        self._search = np.zeros(4, np.uint64)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a match, up to the first own turn. seed: of this and the following ones; None: it goes on."""
        super().reset(seed=seed)
        if seed is not None or self._seed < 0:
            self._seed = new_seed(self.np_random) if seed is None else seed
            self._matches = 0
            self.seat = -1 if self._fixed is None else self._fixed
            self.episode.seed(self._seed)
        if self._fixed is None:
            self.seat = (self.seat + 1) % self.setup.seats
        self.episode.player = -2
        while self.episode.player < 0:  # a match that is over before the first own turn is dealt again
            self.episode.begin()
            self._matches += 1
            self._play_others()
        self._is_over = False
        return self._observe(), {}

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Give a number for the own seat; the others play until it is on turn again, or the match is over."""
        if self._is_over:
            raise ValueError("the match is over: call reset first")
        if not self.episode.is_legal(int(action)):
            self._is_over = True
            return self._observe(), self.illegal_reward, True, False, {ILLEGAL: True}
        reward = self.episode.take(int(action))[self.seat] + self._play_others()
        self._is_over = self.episode.player < 0
        return self._observe(), reward, self._is_over, False, {}

    def _play_others(self) -> float:
        """Let engines play until the own seat is on turn, or the match is over; return the own rewards."""
        episode, given = self.episode, 0.0
        while episode.player >= 0 and episode.player != self.seat:
            engine, budget = self._opponents[(episode.player - self.seat) % self.setup.seats - 1]
            seed = rng.mix(self._seed, self._matches) >> 1
            question = Question(self.setup.game, episode.state, episode.player, episode.plies, seed, budget)
            given += episode.play(decide(engine, question, self._search).action)[self.seat]
        return given

    def _observe(self) -> Observation:
        return forms.observation(self.setup, self.form, self.episode.observe(self.seat), self.episode.mask)

    def action_masks(self) -> NDArray[np.bool_]:
        """What the own seat may do now, as bool[num_actions]."""
        return self.episode.mask.astype(bool)

    def render(self) -> Any:
        """The board as the own seat sees it: SVG as text, or uint8[height, width, 3]."""
        return pictures.draw(self.setup.game, self.episode.state, self.seat, self.render_mode)


def _opponents(setup: Setup, rows: Sequence[Mapping[str, Any]]) -> list[tuple[Engine, Budget]]:
    """Engines of the other seats with their budgets. Raises ValueError for too many or too few; SpecError."""
    others = setup.seats - 1
    if len(rows) not in (1, others):
        raise ValueError(f"name one opponent for all other seats, or {others}, not {len(rows)}")
    made = []
    for i, row in enumerate(rows):
        spec = seat_from_json(dict(row), ("opponents", i), setup.game_id)
        if spec.agent:
            raise ValueError("opponents are engines of the lab: programs that play over HTTP cannot be asked here")
        engine = engine_registry.make(spec.engine, spec.options)
        engine.prepare(setup.game)
        made.append((engine, spec.budget))
    return made * others if len(made) == 1 else made


def register() -> None:
    """Make every game known to ``gymnasium.make`` as ``meeple_lab/GAME-v1``; more often than once changes nothing."""
    for game_id in registry.ENCODINGS:
        name = f"meeple_lab/{game_id}-v1"
        if name not in gymnasium.registry:
            gymnasium.register(name, f"{__name__}:SeatEnvironment", kwargs={"game_id": game_id})
