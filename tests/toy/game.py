"""Cards and secret cards: the whole `games.protocol.Game` face, as short as it can be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from games import loader
from games import options as option_tools
from games import rng as random_streams
from games.options import option
from games.protocol import (
    CHANCE,
    TERMINAL,
    Actions,
    Event,
    IllegalActionError,
    Metric,
    Panel,
    Part,
    Rng,
    State,
    Traits,
)
from tests.toy import shown
from tests.toy import state as layout

FOLDER = Path(__file__).parent
SVG = 'xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 90 60"'
NO_JOURNAL = np.ones(1, np.int32)


@dataclass(frozen=True)
class Options:
    cards: int = option(6, "Cards", "How many cards there are.", minimum=4, maximum=layout.MAX_CARDS)


class CardDeal:
    """The cards in the order in which they are drawn."""

    def __init__(self, cards: int, rng: Rng) -> None:
        self._undrawn = list(range(1, cards + 1))
        for i in range(cards - 1, 0, -1):
            k = random_streams.below(rng, i + 1)
            self._undrawn[i], self._undrawn[k] = self._undrawn[k], self._undrawn[i]

    def draw(self, state: State) -> int:
        return self._undrawn.pop()


class Cards:
    """All information is open."""

    id = "toy"
    version = "1"
    label = "Cards"
    options: type = Options
    presets: Mapping[str, Mapping[str, Any]] = {}
    bench_options: Mapping[str, Any] = {}
    policies: Sequence[str] = ("random", "greedy")
    usual_policy = "greedy"
    evaluations: Mapping[str, Mapping[str, float]] = {"final": {"score": 1.0}}
    metric_table: Sequence[Metric] = (
        Metric("points", "Points", "points", "points"),
        Metric("cards", "Cards received", "cards", "cards"),
    )
    steps = shown.STEPS
    aids = shown.AIDS
    folder = FOLDER
    is_secret = False
    traits = Traits(
        min_seats=2,
        max_seats=layout.MAX_SEATS,
        has_chance=True,
        chance_is_listable=True,
        has_hidden_information=False,
        has_teams=False,
        max_legal_actions=layout.MAX_ACTIONS,  # one for each seat
        max_plies=layout.MAX_CARDS,  # one for each card
    )

    def kernels(self, *, journal: bool = False, mode: str = "jit") -> ModuleType:
        module = loader.rules(self.folder, journal, mode)
        loader.ensure_compiled(module, lambda: exercise(module))
        return module

    def check(self, options: Any, num_seats: int) -> None:
        pass

    def initial_state(self, options: Any, num_seats: int) -> State:
        if not 2 <= num_seats <= layout.MAX_SEATS:
            raise ValueError(f"{self.label} has 2 to {layout.MAX_SEATS} seats, not {num_seats}")
        state = np.zeros(layout.SIZE, np.int32)
        self.kernels().init(state, num_seats, np.array([options.cards, self.is_secret], np.int32))
        return state

    def deal(self, options: Any, num_seats: int, rng: Rng) -> CardDeal:
        return CardDeal(options.cards, rng)

    def num_seats(self, state: State) -> int:
        return int(state[layout.NUM_SEATS])

    def current_player(self, state: State) -> int:
        return int(self.kernels().current_player(state))

    def is_terminal(self, state: State) -> bool:
        return self.current_player(state) == TERMINAL

    def plies_left(self, state: State, seat: int) -> int:
        to_deal = int(state[layout.NUM_SEATS] - state[layout.DEALT])
        total = int(state[layout.NUM_LEFT]) - to_deal + int(state[layout.CARD] > 0)
        away = (seat - int(state[layout.PLAYER])) % self.num_seats(state)
        return max(0, -(-(total - away) // self.num_seats(state)))

    def legal_actions(self, state: State) -> Actions:
        buffer = np.empty(layout.MAX_ACTIONS, np.int32)
        return buffer[: self.kernels().legal_actions(state, buffer)]

    def apply(self, state: State, action: int) -> State:
        if not 0 <= action < 2**31 or not self.kernels().is_legal(state, action):
            raise IllegalActionError(f"{action} is not legal at ply {int(state[layout.CARDS :][:3].sum())}")
        after = state.copy()
        self.kernels().apply(after, action, NO_JOURNAL)
        return after

    def chance_outcomes(self, state: State) -> tuple[Actions, NDArray[np.float64]]:
        self._check_chance(state)
        outcomes, probabilities = np.empty(layout.MAX_CARDS, np.int32), np.empty(layout.MAX_CARDS)
        n = self.kernels().chance_outcomes(state, outcomes, probabilities)
        return outcomes[:n], probabilities[:n]

    def sample_chance(self, state: State, rng: Rng) -> int:
        self._check_chance(state)
        return int(self.kernels().sample_chance(state, rng))

    def _check_chance(self, state: State) -> None:
        if self.current_player(state) != CHANCE:
            raise ValueError("no card is to be drawn in this state")

    def _of_seats(self, state: State, offset: int) -> tuple[int, ...]:
        return tuple(state[offset : offset + self.num_seats(state)].tolist())

    def scores(self, state: State) -> tuple[int, ...]:
        return self._of_seats(state, layout.SCORE)

    def projected_scores(self, state: State) -> tuple[int, ...]:
        points = np.zeros(layout.MAX_SEATS, np.int64)
        self.kernels().projected(state, points)
        return tuple(points[: self.num_seats(state)].tolist())

    def ranks(self, state: State) -> tuple[int, ...]:
        points = self.scores(state)
        return tuple(1 + sum(other > own for other in points) for own in points)

    def view(self, state: State, seat: int) -> State:
        """Other seats' secret cards become UNKNOWN and go back among the cards not seen."""
        seen = state.copy()
        if self.is_terminal(state):
            return seen
        for other in range(self.num_seats(state)):
            if other != seat and state[layout.SECRET + other] > 0:
                seen[layout.POOL + state[layout.SECRET + other] - 1] = 1
                seen[layout.SECRET + other] = layout.UNKNOWN
        return seen

    def determinize(self, view: State, rng: Rng) -> State:
        """Each unknown secret card is any of those not seen, with equal chance."""
        full = view.copy()
        for seat in range(self.num_seats(view)):
            if full[layout.SECRET + seat] == layout.UNKNOWN:
                unseen = np.flatnonzero(full[layout.POOL :])
                card = int(unseen[random_streams.below(rng, len(unseen))])
                full[layout.POOL + card] = 0
                full[layout.SECRET + seat] = card + 1
        return full

    def key(self, state: State) -> int:
        return int(self.kernels().key(state))

    def information_set(self, state: State, seat: int) -> int:
        return random_streams.mix(self.key(self.view(state, seat)), seat)

    def observation(self, state: State, seat: int | None) -> dict[str, Any]:
        seen = self.view(state, -1 if seat is None else seat)
        return {
            "player": self.current_player(state),
            "card": int(state[layout.CARD]) or None,
            "scores": list(self.scores(state)),
            "secret": [card if card > 0 else None for card in self._of_seats(seen, layout.SECRET)],
            "unseen": [int(card) + 1 for card in np.flatnonzero(seen[layout.POOL :])],
        }

    def parts(self, state: State, action: int) -> tuple[Part, ...]:
        return (Part("seat", str(action), f"seat-{action}", f"Seat {action}"),)

    def notation(self, state: State, action: int) -> str:
        return f"{int(state[layout.CARD])} to seat {action}"

    def outcome_notation(self, state: State, outcome: int) -> str:
        return str(outcome)

    def events(self, state: State) -> tuple[Event, ...]:
        card, seat = int(state[layout.LAST_CARD]), int(state[layout.LAST_SEAT])
        return (Event("card", card, (seat,), elements=(f"line-{seat}",)),) if card else ()

    def open_features(self, state: State) -> tuple[Event, ...]:
        """The secret cards that this state knows."""
        if self.is_terminal(state):
            return ()
        secrets = enumerate(self._of_seats(state, layout.SECRET))
        return tuple(Event("secret card", card, (seat,)) for seat, card in secrets if card > 0)

    def metrics(self, state: State) -> tuple[Mapping[str, float], ...]:
        if not self.is_terminal(state):
            raise ValueError("metrics are counted when the match is over")
        rows = zip(self.scores(state), self._of_seats(state, layout.CARDS), strict=True)
        return tuple({"points": points, "cards": cards} for points, cards in rows)

    def svg(self, state: State, *, seat: int | None = None, theme: str = "auto", width: int = 900) -> str:
        seen = self.observation(state, seat)
        texts = [f"{points} + {secret or 0}" for points, secret in zip(seen["scores"], seen["secret"], strict=True)]
        rows = "".join(f'<text id="seat-{i}" y="{20 * i + 15}">{text}</text>' for i, text in enumerate(texts))
        title = f"<title>{self.label}: {seen['card'] or 'no card'} is drawn</title>"
        return f'<svg {SVG} width="{width}">{title}{rows}</svg>'

    def replay_svg(
        self, states: Sequence[State], *, ply: int | None = None, theme: str = "page", prefix: str = ""
    ) -> str:
        """Everything stands there from its ply to the next."""
        rows = "".join(
            f'<text id="{prefix}ply-{n}" data-from="{n}" data-to="{n + 1}" y="30">{self.scores(state)}</text>'
            for n, state in enumerate(states)
        )
        return f"<svg {SVG}>{rows}</svg>"

    def play_svg(
        self, state: State, *, seat: int | None, theme: str = "page", prefix: str = "", recent: int = 1
    ) -> str:
        legal = self.legal_actions(state).tolist() if seat == self.current_player(state) else []
        return shown.play_svg(self.observation(state, seat), legal, prefix)

    def panel(self, state: State, seat: int | None, *, prefix: str = "") -> Panel:
        received = self._of_seats(state, layout.CARDS)
        return shown.panel(self.observation(state, seat), received, int(state[layout.NUM_CARDS]), prefix)

    def trace(self, match: Mapping[str, Any]) -> dict[str, Any]:
        states = list(self._states(match["options"], match["seats"], match["history"]))
        return {"format": "toy-trace-1", **match, "scores": [list(self.scores(state)) for state in states]}

    def replay_trace(self, trace: Mapping[str, Any]) -> tuple[int, dict[str, Any] | None]:
        for n, state in enumerate(self._states(trace["options"], trace["seats"], trace["history"])):
            if list(self.scores(state)) != trace["scores"][n]:
                got = list(self.scores(state))
                return n, {"ply": n, "field": "scores", "expected": trace["scores"][n], "got": got}
        return len(trace["history"]), None

    def _states(self, options: Mapping[str, Any], seats: int, history: Sequence[int]) -> Sequence[State]:
        states = [self.initial_state(option_tools.from_json(self.options, options), seats)]
        for number in history:
            states.append(self.apply(states[-1], number))
        return states


class SecretCards(Cards):
    """Every seat has a card that only it sees."""

    id = "toy_secret"
    label = "Secret cards"
    is_secret = True
    traits = Traits(
        min_seats=2,
        max_seats=layout.MAX_SEATS,
        has_chance=True,
        chance_is_listable=True,
        has_hidden_information=True,
        has_teams=False,
        max_legal_actions=layout.MAX_ACTIONS,
        max_plies=layout.MAX_CARDS - 2,  # two secret cards at least
    )


def exercise(module: ModuleType) -> None:
    """Call every kernel that faces and engines call, with arguments of the real types."""
    s, r = np.zeros(layout.SIZE, np.int32), random_streams.new_stream(0, random_streams.ANALYSIS)
    buffer, points = np.zeros(layout.MAX_CARDS, np.int32), np.zeros(layout.MAX_SEATS, np.int64)
    j = np.ones(256, np.int32)
    module.init(s, 2, np.array([layout.MAX_CARDS, 0], np.int32))
    module.num_seats(s)
    module.chance_outcomes(s, buffer, np.zeros(layout.MAX_CARDS))
    module.apply(s, int(module.sample_chance(s, r)), j)
    module.legal_actions(s, buffer)
    module.is_legal(s, 0)
    for policy, name in enumerate(module.policies.NAMES):
        if module.JOURNAL or name not in module.policies.NEEDS_JOURNAL:
            module.policies.choose(policy, s, r, buffer, j)
    module.apply(s, 1, j)
    module.current_player(s)
    module.scores(s, points)
    module.projected(s, points)
    module.key(s)
