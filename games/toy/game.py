"""The whole `games.protocol.Game` face, as short as it can be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from games import options as option_tools
from games import rng as random_streams
from games.face import Face
from games.options import option
from games.panels import Panel
from games.protocol import Event, Metric, Part, Rng, State, Traits
from games.toy import board
from games.toy import state as layout
from games.toy.value import VALUE

FOLDER = Path(__file__).parent
SVG = 'xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 90 60"'


@dataclass(frozen=True)
class Options:
    """Rule options: forms, specs and help are made from them."""

    cards: int = option(6, "Cards", "How many cards there are.", minimum=4, maximum=layout.MAX_CARDS)


class CardDeal:
    """The cards in the order in which they are drawn."""

    def __init__(self, cards: int, rng: Rng) -> None:
        self._undrawn = list(range(1, cards + 1))
        for i in range(cards - 1, 0, -1):
            k = random_streams.below(rng, i + 1)
            self._undrawn[i], self._undrawn[k] = self._undrawn[k], self._undrawn[i]

    def draw(self, state: State) -> int:
        """The next card."""
        return self._undrawn.pop()


class Cards(Face):
    """All information is open, unless `is_secret`: then every seat has a card that only it sees."""

    id = "toy"
    version = "1"
    label = "Cards"
    options: type = Options
    policies: Sequence[str] = ("random", "greedy")
    usual_policy = "greedy"
    evaluations: Mapping[str, Mapping[str, float]] = {"final": {"score": 1.0}}
    orderings: Sequence[str] = ("none", "order1", "order2")
    has_promises = True
    value = VALUE
    metric_table: Sequence[Metric] = (
        Metric("points", "Points", "points", "points"),
        Metric("cards", "Cards received", "cards", "cards"),
    )
    steps = board.STEPS
    aids = board.AIDS
    guide = board.GUIDE
    guide_moments = staticmethod(board.moments)
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

    def codes(self, options: Options) -> NDArray[np.int32]:
        """Options as the kernel `init` reads them."""
        return np.array([options.cards, self.is_secret], np.int32)

    def deal(self, options: Any, num_seats: int, rng: Rng) -> CardDeal:
        """An order of the cards."""
        return CardDeal(options.cards, rng)

    def plies_left(self, state: State, seat: int) -> int:
        """Cards that `seat` has still to hand out, the present one included: exact."""
        to_deal = int(state[layout.NUM_SEATS] - state[layout.DEALT])
        total = int(state[layout.NUM_LEFT]) - to_deal + int(state[layout.CARD] > 0)
        away = (seat - int(state[layout.PLAYER])) % self.num_seats(state)
        return max(0, -(-(total - away) // self.num_seats(state)))

    def _moment(self, state: State) -> str:
        return f"at ply {int(state[layout.CARDS :][:3].sum())}"

    def _of_seats(self, state: State, offset: int) -> tuple[int, ...]:
        return tuple(state[offset : offset + self.num_seats(state)].tolist())

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

    def information_set(self, state: State, seat: int) -> int:
        """The position as a seat sees it."""
        return random_streams.mix(self.key(self.view(state, seat)), seat)

    def observation(self, state: State, seat: int | None) -> dict[str, Any]:
        """JSON-ready state, without what the seat cannot know."""
        seen = self.view(state, -1 if seat is None else seat)
        return {
            "player": self.current_player(state),
            "card": int(state[layout.CARD]) or None,
            "scores": list(self.scores(state)),
            "secret": [card if card > 0 else None for card in self._of_seats(seen, layout.SECRET)],
            "unseen": [int(card) + 1 for card in np.flatnonzero(seen[layout.POOL :])],
        }

    def parts(self, state: State, action: int) -> tuple[Part, ...]:
        """One click: on the seat that gets the card."""
        return (Part("seat", str(action), f"seat-{action}", f"Seat {action}"),)

    def notation(self, state: State, action: int) -> str:
        """``3 to seat 1``."""
        return f"{int(state[layout.CARD])} to seat {action}"

    def outcome_notation(self, state: State, outcome: int) -> str:
        """The card that is drawn."""
        return str(outcome)

    def events(self, state: State) -> tuple[Event, ...]:
        """The card that was handed out last."""
        card, seat = int(state[layout.LAST_CARD]), int(state[layout.LAST_SEAT])
        return (Event("card", card, (seat,), elements=(f"line-{seat}",)),) if card else ()

    def metrics(self, state: State) -> tuple[Mapping[str, float], ...]:
        """Points and number of cards."""
        self._check_over(state)
        rows = zip(self.scores(state), self._of_seats(state, layout.CARDS), strict=True)
        return tuple({"points": points, "cards": cards} for points, cards in rows)

    def svg(self, state: State, *, seat: int | None = None, theme: str = "auto", width: int = 900) -> str:
        """A line for each seat."""
        seen = self.observation(state, seat)
        texts = [f"{points} + {secret or 0}" for points, secret in zip(seen["scores"], seen["secret"], strict=True)]
        rows = "".join(f'<text id="seat-{i}" y="{20 * i + 15}">{text}</text>' for i, text in enumerate(texts))
        title = f"<title>{self.label}: {seen['card'] or 'no card'} is drawn</title>"
        return f'<svg {SVG} width="{width}">{title}{rows}</svg>'

    def replay_svg(
        self,
        states: Sequence[State],
        *,
        seat: int | None = None,
        ply: int | None = None,
        theme: str = "page",
        prefix: str = "",
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
        """The same lines with targets; see `board.play_svg`."""
        legal = self.legal_actions(state).tolist() if seat == self.current_player(state) else []
        return board.play_svg(self.observation(state, seat), legal, prefix)

    def panel(self, state: State, seat: int | None, *, prefix: str = "") -> Panel:
        """The drawn card, and those that the seat has not seen."""
        received = self._of_seats(state, layout.CARDS)
        return board.panel(self.observation(state, seat), received, int(state[layout.NUM_CARDS]), prefix)

    def trace(self, match: Mapping[str, Any]) -> dict[str, Any]:
        """The match with the scores after each of its numbers."""
        states = list(self._states(match["options"], match["seats"], match["history"]))
        return {"format": f"{self.id}-trace-1", **match, "scores": [list(self.scores(state)) for state in states]}

    def replay_trace(self, trace: Mapping[str, Any]) -> tuple[int, dict[str, Any] | None]:
        """Compare the scores after each number."""
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
