"""Environment of PettingZoo (AEC): every seat of a game is an agent, one is on turn at a time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from worker.environments import extras, pictures
from worker.environments.episode import Episode, new_seed
from worker.environments.setup import Setup

extras.require("gymnasium", "pettingzoo")
from gymnasium import spaces  # noqa: E402 - after the check that says how to install them
from pettingzoo import AECEnv  # noqa: E402
from pettingzoo.utils import wrappers  # noqa: E402

from worker.environments import spaces as forms  # noqa: E402

Agent = str


def agent_of(seat: int) -> Agent:
    """``seat_0``."""
    return f"seat_{seat}"


class TableEnvironment(AECEnv[Agent, dict[str, Any], int]):  # type: ignore[misc] # PettingZoo carries no types
    """A match between agents ``seat_0``, ``seat_1``, ...; see `worker.environments.setup.Setup` for its arguments.

    An observation is a dict: "observation" (int16: one vector, or with ``observation="planes"`` the planes, and
    "numbers" beside them) and "action_mask" (int8[num_actions], all zeros while another seat is on turn). What its
    numbers mean, block by block, says `Setup.encoding`. Actions are numbers of that encoding; where it has steps
    (Carcassonne: place, then meeple), an agent is on turn again until its action is whole.

    Rewards: all agents get theirs when a ply is played. Nothing is ever truncated. The same seed gives the same luck,
    whatever is played; `reset` without a seed goes on to the next match of the seed given before.
    Raises IllegalActionError for a number that the mask forbids; `wrapped` ends the match instead.
    """

    metadata = {
        "render_modes": list(pictures.MODES),
        "name": "meeple_lab_v1",
        "is_parallelizable": False,
        "render_fps": 1,
    }

    def __init__(
        self,
        game_id: str,
        *,
        num_seats: int | None = None,
        options: Mapping[str, Any] | None = None,
        reward: str = "result",
        observation: str = forms.VECTOR,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.setup = Setup(game_id, num_seats, options or {}, reward)
        forms.check_form(self.setup, observation)
        pictures.check_mode(render_mode)
        self.form, self.render_mode = observation, render_mode
        self.episode = Episode(self.setup)
        self.possible_agents = [agent_of(seat) for seat in range(self.setup.seats)]
        self.agents: list[Agent] = []
        self.observation_spaces = {
            agent: forms.observation_space(self.setup, observation) for agent in self.possible_agents
        }
        self.action_spaces = {agent: forms.action_space(self.setup) for agent in self.possible_agents}
        self._is_seeded = False

    def observation_space(self, agent: Agent) -> spaces.Space[Any]:
        """The space of an agent's observations, always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: Agent) -> spaces.Space[Any]:
        """The space of an agent's actions, always the same object."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a match. seed: of this and the following ones; None: the next match of the seed before."""
        if seed is not None or not self._is_seeded:
            self.episode.seed(new_seed(np.random.default_rng()) if seed is None else seed)
            self._is_seeded = True
        self.episode.begin()
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[Agent, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = agent_of(self.episode.player)

    def observe(self, agent: Agent) -> dict[str, Any]:
        """What an agent may know now."""
        seat = self.possible_agents.index(agent)
        mask = self.episode.mask if seat == self.episode.player else np.zeros_like(self.episode.mask)
        return forms.observation(self.setup, self.form, self.episode.observe(seat), mask)

    def step(self, action: int | None) -> None:
        """Give the number of the agent on turn; None for one whose match is over. Raises ValueError before `reset`."""
        if not self._is_seeded:
            raise ValueError("no match has begun: call reset first")
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None
        self._cumulative_rewards[agent] = 0.0
        given = self.episode.take(int(action))
        self.rewards = dict(zip(self.agents, given, strict=True))
        if self.episode.player < 0:
            self.terminations = dict.fromkeys(self.agents, True)
        else:
            self.agent_selection = agent_of(self.episode.player)
        self._accumulate_rewards()

    def render(self) -> Any:
        """The board as anybody may see it: SVG as text, or uint8[height, width, 3]."""
        return pictures.draw(self.setup.game, self.episode.state, None, self.render_mode)

    def close(self) -> None:
        """Nothing is held."""


def wrapped(game_id: str, *, illegal_reward: float = -1.0, **arguments: Any) -> AECEnv[Agent, dict[str, Any], int]:
    """A table in PettingZoo's usual wrappers: an illegal action ends the match, and order is watched over."""
    table = TableEnvironment(game_id, **arguments)
    ending = wrappers.TerminateIllegalWrapper(table, illegal_reward=illegal_reward)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(ending))
