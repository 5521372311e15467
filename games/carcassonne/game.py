"""Carcassonne, base game: the readable face over the kernels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any

from games import rule_sets
from games.carcassonne import lessons, metrics, reading, traces, weights
from games.carcassonne import state as layout
from games.carcassonne.board import match, play, small, variations
from games.carcassonne.deal import TileDeal
from games.carcassonne.play import draws, ending, guide, panel, short, spelling
from games.carcassonne.policy_words import POLICY_WORDS
from games.carcassonne.value import VALUE
from games.drawing import Drawing
from games.face import OpenFace
from games.metric_rows import MetricRows
from games.options import option
from games.protocol import Event, Game, Part, Rng, State, Traits
from games.rule_sets import RuleSet


@dataclass(frozen=True)
class Options:
    """Rule variants; the defaults are those of the thesis (Heyden 2009, chapter 2)."""

    unplaceable: str = option(
        "return",
        "A tile that fits nowhere",
        "The thesis draws again and returns the tile to the pool; the official rules discard it.",
        choices=(("return", "goes back to the pool"), ("discard", "is discarded")),
    )
    two_tile_city: str = option(
        "full",
        "A finished city of two tiles",
        "The first edition gave a city of two tiles only half of its points.",
        choices=(("full", "scores like any city"), ("half", "scores half")),
    )
    farmers: str = option(
        "on",
        "Farmers",
        "The rule book leaves them out of a first game; the first edition counted them city by city.",
        choices=(
            ("on", "3 points a field for each finished city"),
            ("off", "no meeple on a field"),
            ("cities", "4 points a finished city, to most farmers round it"),
        ),
    )


RULES: Mapping[str, RuleSet] = {
    rule_sets.RULE_BOOK: RuleSet(
        "Today's edition: a tile that fits nowhere is out of the game, a city of two tiles scores like any other.",
        {"unplaceable": "discard"},
    ),
    rule_sets.PAPER: RuleSet(
        "As Heyden (2009) plays it: a tile that fits nowhere goes back to the pool.",
        {},
    ),
    "First game": RuleSet(
        "The rule book without farmers: nothing is scored for fields.",
        {"unplaceable": "discard", "farmers": "off"},
    ),
    "First edition": RuleSet(
        "As in 2000: a city of two tiles scores half, and farmers are counted city by city.",
        {"unplaceable": "discard", "two_tile_city": "half", "farmers": "cities"},
    ),
}


def _in_hand(game: Game, state: State) -> tuple[int, ...]:
    """Meeples that each seat has left to place."""
    return tuple(int(state[layout.HAND + seat]) for seat in range(game.num_seats(state)))


class Carcassonne(OpenFace):
    """See `games.protocol.Game`; hidden is the order of the tiles alone. Placing and claiming are one action."""

    id = "carcassonne"
    version = "1"
    label = "Carcassonne"
    options = Options
    presets = RULES
    policies = ("random", "greedy", "informed", "thorough")
    policy_words = POLICY_WORDS
    usual_policy = "greedy"
    evaluations = weights.SETS
    orderings = ("none", "order1", "order2")
    value = VALUE
    metric_table = metrics.TABLE
    steps = spelling.STEPS
    aids = spelling.AIDS
    guide_moments = staticmethod(guide.moments)
    guide = guide.STEPS
    lessons = staticmethod(lessons.lessons)
    variations = variations
    short_words = staticmethod(short.short_words)
    piece_of = staticmethod(short.piece_of)
    piece_sheet = staticmethod(small.sheet)
    draw_words = staticmethod(draws.describe_draws)
    victory = staticmethod(ending.victory)
    ending = staticmethod(ending.ending)
    ply_notes = MappingProxyType({"projected": OpenFace.projected_scores, "in_hand": _in_hand})
    traits = Traits(
        min_seats=2,
        max_seats=layout.MAX_SEATS,
        has_chance=True,
        chance_is_listable=True,
        has_hidden_information=False,
        has_teams=False,
        # every empty neighbour cell of 71 tiles, every rotation, every segment or none
        max_legal_actions=layout.MAX_ACTIONS,
        # one ply for each tile after the start tile
        max_plies=layout.NUM_TILES - 1,
    )
    folder = Path(__file__).parent
    trace_format = traces
    drawing = Drawing(match.svg, match.replay_svg, play.svg, panel.build_panel)

    # ---- playing
    def deal(self, options: Options, num_seats: int, rng: Rng) -> TileDeal:
        """All tiles in the order in which they are drawn."""
        return TileDeal(self._kernels, options.unplaceable == "return", rng)

    def plies_left(self, state: State, seat: int) -> int:
        """Plies that `seat` still has to make at most, the present one included."""
        total = int(state[layout.NUM_LEFT]) + int(state[layout.TILE] > 0)
        away = (seat - int(state[layout.PLAYER])) % self.num_seats(state)
        return max(0, -(-(total - away) // self.num_seats(state)))

    def _moment(self, state: State) -> str:
        return f"at ply {int(state[layout.NUM_LAID]) - 1}"

    # ---- results
    def metrics(self, state: State) -> MetricRows:
        """Per seat: every metric of `metric_table`. Raises ValueError before the end."""
        self._check_over(state)
        return metrics.of_match(state)

    def events(self, state: State) -> tuple[Event, ...]:
        """Claimed features that the last ply finished; at the end also all others."""
        finished = tuple(reading.events(self._kernels, state))
        return finished + (self.open_features(state) if self.is_terminal(state) else ())

    def open_features(self, state: State) -> tuple[Event, ...]:
        """Claimed features not finished, with what they score when the match ends."""
        return tuple(reading.open_features(self._kernels, state))

    def observation(self, state: State, seat: int | None) -> dict[str, Any]:
        """JSON-ready state; the same for every seat and for spectators."""
        seats = range(self.num_seats(state))
        drawn = int(state[layout.TILE])
        return {
            "tiles": [
                {"tile": t.type, "x": t.x, "y": t.y, "rotation": t.rotation, "meeple": t.meeple and list(t.meeple)}
                for t in reading.laid_tiles(self._kernels, state)
            ],
            "player": self.current_player(state),
            "drawn": reading.TABLES.letters[drawn - 1] if drawn else None,
            "scores": list(self.scores(state)),
            "projected": list(self.projected_scores(state)),
            "in_hand": [int(state[layout.HAND + s]) for s in seats],
            "left": self._counts(state, layout.POOL),
            "discarded": self._counts(state, layout.DISCARDED),
        }

    def _counts(self, state: State, offset: int) -> dict[str, int]:
        return {letter: n for t, letter in enumerate(reading.TABLES.letters) if (n := int(state[offset + t]))}

    # ---- spelling
    def notation(self, state: State, action: int) -> str:
        """``U 1,0 90° field0``."""
        return reading.notation(state, action)

    def outcome_notation(self, state: State, outcome: int) -> str:
        """The letter of the drawn tile."""
        return reading.TABLES.letters[outcome]

    def parts(self, state: State, action: int) -> tuple[Part, ...]:
        """Cell, rotation, meeple, with the ids that `play_svg` gives to what is pointed at."""
        return spelling.parts(reading.placement(state, action))

    # ---- compiling
    def _exercise_more(self, module: ModuleType, state: State) -> None:
        module.is_placeable(state, 0)
        module.has_meeple(state, 0)
        module.features.open_value(state, module.root(state, module.node(0, 0)), 0)
        module.features.finished_cities(state)
        module.features.farmers_round(state, 0)
