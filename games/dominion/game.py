"""Dominion: the readable face over the kernels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from games import loader, rng, rule_sets
from games.dominion import cards, kingdoms, lessons, metrics, reading, traces
from games.dominion import state as layout
from games.dominion.board import play, render, replay, small, variations
from games.dominion.deal import ShuffleDeal
from games.dominion.play import chapters, draws, ending, guide, panel, short, spelling
from games.dominion.policy_words import POLICY_WORDS
from games.dominion.strategies.face import DominionStrategies
from games.drawing import Drawing
from games.face import Face, places
from games.metric_rows import MetricRows
from games.options import OptionError, Value, option
from games.protocol import Part, Rng, State, Traits
from games.rule_sets import RuleSet
from games.strategies import Strategies

USUAL_TURNS, USUAL_PLIES_A_TURN = 22, 3
"""Turns, and plies a turn, of a seat in an ordinary match; clocks are shared out by these."""
TURNS_ALONE, TURNS_OF_SEVERAL = 75, 18
"""Turns of a seat in an ordinary match of engines."""
_LABELS = {
    "thesis": "the ten-card test-bed",
    "first game": "first game",
    "big money": "big money",
    "interaction": "interaction",
    "size distortion": "size distortion",
    "village square": "village square",
    "none": "no kingdom",
}
_WITH_WOODCUTTER = (
    *(name for name, listed in cards.sets().items() if "Woodcutter" in listed),
    kingdoms.RANDOM,
    kingdoms.LISTED,
)
"""Kingdoms that have the card, or may have it."""


@dataclass(frozen=True)
class Options:
    """Rule variants; the defaults are those of Jansen and Tollisen (2014) with the official pile sizes."""

    kingdom: str = option(
        "thesis",
        "Kingdom",
        "A random kingdom has ten cards.",
        choices=(*_LABELS.items(), (kingdoms.RANDOM, "random"), (kingdoms.LISTED, "the cards listed below")),
    )
    cards: str = option(
        "",
        "Cards of the kingdom",
        "Names separated by commas, such as Witch, Moat, Village.",
        where=("kingdom", (kingdoms.LISTED,)),
    )
    kingdom_seed: int = option(
        0,
        "Number of the random kingdom",
        "The same number gives the same kingdom. With 0 it is drawn anew for each match.",
        minimum=0,
        maximum=2**31 - 1,
        where=("kingdom", (kingdoms.RANDOM,)),
    )
    sizes: str = option(
        "official",
        "Sizes of the piles",
        "The thesis has 44 Copper, 30 Silver and 20 Gold.",
        choices=(("official", "official"), ("thesis", "the thesis'")),
    )
    edition: str = option(
        "1",
        "Edition",
        "In the second one, Moneylender, Mine and Throne Room may be declined.",
        choices=(("1", "2008"), ("2", "2016")),
    )
    treasures: str = option(
        "auto",
        "Treasure cards",
        "By hand, each may be kept back.",
        choices=(("auto", "all played at once"), ("manual", "by hand")),
    )
    curse_buys: bool = option(False, "Curses may be bought", "They cost nothing and take a point.")
    woodcutter_coins: int = option(
        2,
        "Coins of a Woodcutter",
        "The thesis asks what becomes of a card that is too good.",
        minimum=0,
        maximum=20,
        where=("kingdom", _WITH_WOODCUTTER),
    )
    turn_limit: int = option(
        layout.MAX_TURN_LIMIT,
        "Most turns of each seat",
        "The thesis has 999, and 40 where it tries parameters.",
        minimum=1,
        maximum=layout.MAX_TURN_LIMIT,
    )


_BOOK: Mapping[str, Value] = {"curse_buys": True, "edition": "2"}
RULES: Mapping[str, RuleSet] = {
    rule_sets.RULE_BOOK: RuleSet(
        "The rule book of 2016: Curses may be bought, some cards may be declined; ten cards with Witch and Militia.",
        _BOOK,
    ),
    rule_sets.PAPER: RuleSet(
        "As Jansen and Tollisen (2014) play it: the same ten cards, the texts of 2008, Curses are not for sale.",
        {},
    ),
    "First game": RuleSet(
        "The ten cards that the rule book of 2008 gives to beginners: no Witch, few attacks.",
        {**_BOOK, "kingdom": "first game"},
    ),
    "Random cards": RuleSet(
        "Ten cards drawn anew for each match, of those that both editions have.",
        {**_BOOK, "kingdom": kingdoms.RANDOM},
    ),
}


class Dominion(Face):
    """See `games.protocol.Game`. Each card that is played, bought or chosen is an action of its own."""

    id = "dominion"
    version = "1"
    label = "Dominion"
    options = Options
    presets = RULES
    policies = tuple(POLICY_WORDS)
    policy_words = POLICY_WORDS
    usual_policy = "big_money"
    has_free_actions = True
    strategies: Strategies | None = DominionStrategies()
    metric_table = metrics.TABLE
    later_metrics = metrics.LATER
    steps = spelling.STEPS
    aids = spelling.AIDS
    guide_moments = staticmethod(guide.moments)
    guide = guide.STEPS
    lessons = staticmethod(lessons.lessons)
    variations = variations
    heading = staticmethod(chapters.heading)
    round_of = staticmethod(chapters.round_of)
    tells_turns = True
    piece_of = staticmethod(short.piece_of)
    piece_sheet = staticmethod(small.sheet)
    draw_words = staticmethod(draws.describe_draws)
    victory = staticmethod(ending.victory)
    ending = staticmethod(ending.ending)
    traits = Traits(
        min_seats=1,
        max_seats=layout.MAX_SEATS,
        has_chance=True,
        chance_is_listable=True,
        has_hidden_information=True,
        has_teams=False,
        # every card, all Treasures, end
        max_legal_actions=layout.NUM_CARDS + 2,
        max_plies=layout.MAX_PLIES,  # limit of the rules
    )
    folder = Path(__file__).parent
    trace_format = traces
    drawing = Drawing(render.svg, replay.svg, play.svg, panel.build_panel)

    # ---- playing
    def check(self, options: Options, num_seats: int) -> None:
        """Check that all parts of a kingdom or a card are there. Raises OptionError."""
        self._kingdom(options)

    def _kingdom(self, options: Options) -> tuple[list[int], int]:
        """(cards known before the match, how many chance draws); refuses what another kingdom would need."""
        known, to_draw = kingdoms.resolve_kingdom(
            options.kingdom, options.cards, options.kingdom_seed, int(options.edition)
        )
        usual = Options().woodcutter_coins
        if options.woodcutter_coins != usual and not to_draw and cards.by_name()["Woodcutter"].number not in known:
            raise OptionError("woodcutter_coins", f"must be {usual} where no Woodcutter is in the kingdom")
        return known, to_draw

    def codes(self, options: Options) -> NDArray[np.int32]:
        """Options as the kernels read them (`kernels.init`). Raises OptionError."""
        known, to_draw = self._kingdom(options)
        bits = sum(1 << number for number in known)
        words = (bits & (1 << layout.BITS) - 1, bits >> layout.BITS, to_draw)
        piles = (options.sizes == "thesis", int(options.edition), options.treasures == "manual")
        return np.array([*words, *piles, options.curse_buys, options.woodcutter_coins, options.turn_limit], np.int32)

    def deal(self, options: Options, num_seats: int, rng: Rng) -> ShuffleDeal:
        """The luck of a match: how each deck is shuffled."""
        return ShuffleDeal(rng)

    def usual_plies(self, options: Options, num_seats: int) -> float:
        """Two plies a turn; where Treasure cards are played by hand, a ply for each of them, too."""
        turns = min(TURNS_ALONE if num_seats == 1 else TURNS_OF_SEVERAL, options.turn_limit)
        return num_seats * turns * (5 if options.treasures == "manual" else 2)

    def plies_left(self, state: State, seat: int) -> int:
        """Plies left of an ordinary match, the present one included: no useful bound is known."""
        if self.is_terminal(state):
            return 0
        turns = int(state[reading.seat_at(seat) + layout.TURNS])
        left = min(max(USUAL_TURNS - turns, 4), int(state[layout.TURN_LIMIT]) - turns + 1)
        return USUAL_PLIES_A_TURN * left

    def _moment(self, state: State) -> str:
        seat = int(state[layout.TURN])
        return f"in turn {int(state[reading.seat_at(seat) + layout.TURNS])} of seat {seat}"

    # ---- results
    def ranks(self, state: State) -> tuple[int, ...]:
        """1 = most points; of equal ones, the seat with fewer turns; seats equal in both share a place."""
        turns = [int(state[reading.seat_at(seat) + layout.TURNS]) for seat in range(self.num_seats(state))]
        return places(zip(self.scores(state), (-number for number in turns), strict=True))

    def metrics(self, state: State) -> MetricRows:
        """Per seat: every metric of `metric_table` that a match of this kingdom and length has."""
        self._check_over(state)
        return metrics.of_match(self._kernels, state)

    # ---- information
    def view(self, state: State, seat: int) -> State:
        """Other hands go back among their decks, but for cards that have been shown (-1: a spectator's view)."""
        seen = state.copy()
        self._kernels.hide(seen, seat)
        return seen

    def determinize(self, view: State, rng: Rng) -> State:
        """Cards of hands that the view does not know, drawn from their owners' decks."""
        full = view.copy()
        self._kernels.fill(full, rng)
        return full

    def information_set(self, state: State, seat: int) -> int:
        """A key for all that a seat knows of the position."""
        return rng.mix(self.key(self.view(state, seat)), seat)

    def observation(self, state: State, seat: int | None) -> dict[str, Any]:
        """JSON-ready: what a seat, or a spectator (None), may see."""
        seen = self.view(state, -1 if seat is None else seat)
        scores = list(self.scores(state))
        return reading.observation(seen, seat) | {"player": self.current_player(state), "scores": scores}

    # ---- spelling
    def parts(self, state: State, action: int) -> tuple[Part, ...]:
        """The card, or the button."""
        return spelling.parts(state, action)

    def notation(self, state: State, action: int) -> str:
        """``buy Silver``."""
        return reading.notation(state, action)

    def outcome_notation(self, state: State, outcome: int) -> str:
        """The card drawn."""
        return cards.name(outcome)

    # ---- compiling
    def _exercise_more(self, module: ModuleType, state: State) -> None:
        r, j = rng.new_stream(0, rng.ANALYSIS), np.ones(loader.JOURNAL_WORDS, np.int32)
        module.policies.forced(state)
        module.decision(state)
        module.hide(state.copy(), 0)
        module.fill(state.copy(), r)
        module.determinize(state.copy(), 0, r)
        module.settle(state, r, j)
        metrics.of_match(module, state)
