"""Kingdomino: the readable face over the kernels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from games import loader, rng, rule_sets
from games.drawing import Drawing
from games.face import OpenFace, places
from games.kingdomino import lessons, metrics, reading, traces
from games.kingdomino import state as layout
from games.kingdomino.board import play, render, replay, small, variations
from games.kingdomino.deal import DominoDeal
from games.kingdomino.play import chapters, draws, ending, guide, panel, short, spelling
from games.kingdomino.policy_words import POLICY_WORDS
from games.kingdomino.value import VALUE
from games.metric_rows import MetricRows
from games.options import OptionError, option
from games.protocol import CHANCE, TERMINAL, Part, Rng, State, Traits
from games.rule_sets import RuleSet


@dataclass(frozen=True)
class Options:
    """Rule variants; the defaults are those of Gedda, Lagerkvist and Butler (2018)."""

    size: str = option(
        "5",
        "Kingdoms",
        "The Mighty Duel is for two seats and uses all 48 dominoes.",
        choices=(("5", "5 x 5 squares"), ("7", "7 x 7 squares: the Mighty Duel")),
    )
    must_place: bool = option(True, "A domino that fits must be placed", "Without, it may be discarded.")
    middle: str = option(
        "reach",
        "Middle kingdom, 10 points",
        "The paper gives them from the start, while no square is too far from the castle.",
        choices=(
            ("reach", "while every square is within reach of a centred castle"),
            ("bbox", "while the castle is in the middle of what has been laid"),
            ("full", "for a full kingdom with the castle in the middle"),
            ("off", "not played"),
            ("book", "at the end, for a castle in the middle of the kingdom"),
        ),
        unlisted=("full",),
    )
    harmony: str = option(
        "full",
        "Harmony, 5 points",
        "Both readings say the same in every standard match: a kingdom is full where nothing was discarded.",
        choices=(
            ("full", "for a kingdom without a hole"),
            ("nodiscard", "at the end, for having discarded nothing"),
            ("off", "not played"),
        ),
    )
    ties: str = option(
        "shared",
        "Equal points",
        "The rule book compares the largest areas, then the crowns.",
        choices=(("shared", "share the place"), ("official", "the larger area, then more crowns, goes first")),
    )
    three_seats: str = option(
        "36",
        "With three seats",
        "The first edition, as the paper plays, has rows of three.",
        choices=(
            ("36", "36 dominoes in rows of three"),
            ("48", "all 48 in rows of four, of which the last one is left aside"),
        ),
    )


RULES: Mapping[str, RuleSet] = {
    rule_sets.RULE_BOOK: RuleSet(
        "Today's edition: with three players one domino of each row is left aside; castle in the middle and no domino "
        "discarded count at the end; equal points go by the largest area.",
        {"middle": "book", "ties": "official", "three_seats": "48"},
    ),
    rule_sets.PAPER: RuleSet(
        "As Gedda, Lagerkvist and Butler (2018) play it: 36 dominoes with three players, the middle counts from the "
        "start, equal points are shared.",
        {},
    ),
    "Rule book, no bonuses": RuleSet(
        "Areas alone count: the game without Middle Kingdom and Harmony.",
        {"middle": "off", "harmony": "off", "ties": "official", "three_seats": "48"},
    ),
    "Mighty Duel": RuleSet(
        "Two players, kingdoms of 7 x 7 squares and all 48 dominoes.",
        {"size": "7", "middle": "book", "ties": "official", "three_seats": "48"},
    ),
}


class Kingdomino(OpenFace):
    """See `games.protocol.Game`; hidden is the order of the dominoes alone. Placing and choosing are one action."""

    id = "kingdomino"
    version = "1"
    label = "Kingdomino"
    options = Options
    presets = RULES
    policies = ("random", "tr", "gprd", "gprd_plain", "fg", "fg_plain", "pg", "informed", "denying")
    policy_words = POLICY_WORDS
    usual_policy = "fg_plain"
    has_promises = True
    value = VALUE
    orderings = ("none", "choices_first")
    metric_table = metrics.TABLE
    later_metrics = metrics.LATER
    dropped_metrics = metrics.DROPPED
    steps = spelling.STEPS
    aids = spelling.AIDS
    guide_moments = staticmethod(guide.moments)
    guide = guide.STEPS
    lessons = staticmethod(lessons.lessons)
    variations = variations
    heading = staticmethod(chapters.heading)
    round_of = staticmethod(chapters.round_of)
    other_parts = staticmethod(spelling.other_parts)
    short_words = staticmethod(short.short_words)
    piece_of = staticmethod(short.piece_of)
    piece_sheet = staticmethod(small.sheet)
    draw_words = staticmethod(draws.describe_draws)
    victory = staticmethod(ending.victory)
    ending = staticmethod(ending.ending)
    has_seated_replay = True
    traits = Traits(
        min_seats=2,
        max_seats=layout.MAX_SEATS,
        has_chance=True,
        chance_is_listable=True,
        has_hidden_information=False,
        has_teams=False,
        # every square, every direction or no placement, with every domino of the row
        max_legal_actions=layout.MAX_ACTIONS,
        # four kings in twelve rows and the round in which the last row is placed
        max_plies=52,
        draws_first=True,
    )
    folder = Path(__file__).parent
    trace_format = traces
    drawing = Drawing(render.svg, replay.svg, play.svg, panel.build_panel)

    # ---- playing
    def check(self, options: Options, num_seats: int) -> None:
        """The Mighty Duel is for two. Raises OptionError."""
        if options.size == "7" and num_seats != 2:
            raise OptionError("size", f"must be 5 with {num_seats} seats: the Mighty Duel (7 x 7) is for 2")

    def deal(self, options: Options, num_seats: int, rng: Rng) -> DominoDeal:
        """Kings and dominoes in the order in which they are drawn."""
        return DominoDeal(num_seats, rng)

    def usual_plies(self, options: Options, num_seats: int) -> float:
        """Kings at the table, in every row and in the round that places the last one: exact."""
        return 52 if options.size == "7" else {2: 28, 3: 39, 4: 52}[num_seats]

    def plies_left(self, state: State, seat: int) -> int:
        """Plies that `seat` still has to make, the present one included: exact."""
        if self.is_terminal(state):
            return 0
        kings = int(state[layout.NUM_KINGS]) // self.num_seats(state)
        rounds_after = int(state[layout.NUM_ROWS]) + 1 - int(state[layout.ROUND])
        order = layout.ORDER if state[layout.ROUND] == 1 else layout.OWNER
        rest = state[order + int(state[layout.TURN]) : order + int(state[layout.NUM_KINGS])]
        undrawn = kings - int((state[order : order + layout.MAX_KINGS] == seat + 1).sum())
        return kings * rounds_after + int((rest == seat + 1).sum()) + undrawn

    def _moment(self, state: State) -> str:
        return f"in round {int(state[layout.ROUND])}"

    # ---- results
    def ranks(self, state: State) -> tuple[int, ...]:
        """1 = most points; equal ones share a place, or go by largest area and crowns (option `ties`)."""
        points = self.scores(state)
        if not state[layout.TIES]:
            return places(points)
        return places(zip(points, *metrics.tie_breaks(self._kernels, state), strict=True))

    def metrics(self, state: State) -> MetricRows:
        """Per seat: every metric of `metric_table` that a match of these seats has."""
        self._check_over(state)
        return metrics.of_match(self._kernels, state)

    def observation(self, state: State, seat: int | None) -> dict[str, Any]:
        """JSON-ready state; the same for every seat and for spectators."""
        return reading.observation(state) | {"player": self.current_player(state), "scores": list(self.scores(state))}

    # ---- spelling
    def parts(self, state: State, action: int) -> tuple[Part, ...]:
        """Square, direction, domino."""
        return spelling.parts(state, action)

    def notation(self, state: State, action: int) -> str:
        """``12 at 1,0 2,0, takes 33``."""
        return reading.notation(state, action)

    def outcome_notation(self, state: State, outcome: int) -> str:
        """The number of the domino drawn, or whose king."""
        return f"king of seat {outcome - layout.KING}" if outcome >= layout.KING else str(outcome + 1)

    # ---- compiling
    def _exercise_more(self, module: ModuleType, state: State) -> None:
        module.tally(state, 0, metrics.empty_tally())
        r, j = rng.new_stream(0, rng.ANALYSIS), np.ones(loader.JOURNAL_WORDS, np.int32)
        buffer = np.zeros(layout.MAX_ACTIONS, np.int32)
        while (player := module.current_player(state)) != TERMINAL:
            is_chance = player == CHANCE
            number = module.sample_chance(state, r) if is_chance else buffer[module.legal_actions(state, buffer) - 1]
            j[0] = 1
            module.apply(state, int(number), j)
        module.policies.measure(state, np.zeros((layout.MAX_SEATS, module.policies.NUM_METRICS)))
