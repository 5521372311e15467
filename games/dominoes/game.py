"""Team dominoes: the readable face over the kernels."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, cast

import numpy as np

from games import rng
from games.dominoes import house_rules, lessons, metrics, reading, traces
from games.dominoes import state as layout
from games.dominoes.board import play, render, replay, variations
from games.dominoes.deal import HandsDeal
from games.dominoes.play import chapters, draws, ending, guide, panel, short, spelling
from games.dominoes.policy_words import POLICY_WORDS
from games.dominoes.search.hands import DominoHands
from games.drawing import Drawing
from games.face import Face
from games.metric_rows import MetricRows
from games.protocol import Event, Game, Part, Rng, State, Traits

FEW_POINTS = 10
"""Points of a round, fewer than the 13 of an average one."""
MANY_TURNS = 12
"""Turns of a seat in a round, more than are seen in one round of a hundred."""
ROUND_PLIES = 26
"""Plies of an average round."""
OWN_POINTS, ALL_POINTS = 9, 18
"""Points of a round between engines, on the way of the winners to the target: by own hands alone, and by all."""


class Dominoes(Face):
    """See `games.protocol.Game`. Seats 0 and 2 play against seats 1 and 3."""

    id = "dominoes"
    version = "1"
    label = "Dominoes"
    options = house_rules.Options
    presets = house_rules.PRESETS
    bench_options = house_rules.ROUNDS
    policies = ("random", "greedy")
    policy_words = POLICY_WORDS
    usual_policy = "greedy"
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
    short_words = staticmethod(short.short_words)
    piece_of = staticmethod(short.piece_of)
    draw_words = staticmethod(draws.describe_draws)
    victory = staticmethod(ending.victory)
    ending = staticmethod(ending.ending)
    counts_rounds = True
    has_seated_replay = True
    traits = Traits(
        min_seats=layout.MAX_SEATS,
        max_seats=layout.MAX_SEATS,
        has_chance=True,
        chance_is_listable=False,  # 1,184,040 hands of seven tiles
        has_hidden_information=True,
        has_teams=True,
        max_legal_actions=layout.MAX_ACTIONS,  # argued in `state`
        max_plies=layout.MAX_ROUNDS * layout.MAX_TURNS,  # limits of the rules
    )
    folder = Path(__file__).parent
    trace_format = traces
    drawing = Drawing(render.svg, replay.svg, play.svg, panel.build_panel)
    hands = DominoHands()

    # ---- playing
    def deal(self, options: house_rules.Options, num_seats: int, rng: Rng) -> HandsDeal:
        """The first opener, where lots decide, and the hands of every round."""
        return HandsDeal(rng)

    def counts_against(self, options: house_rules.Options) -> bool:
        """Where points are written down against the losers."""
        return bool(options.direction == "losers")

    def usual_plies(self, options: house_rules.Options, num_seats: int) -> float:
        """Plies of as many rounds as their points go into the target."""
        if options.length == "round":
            return ROUND_PLIES
        points = OWN_POINTS if options.out_points == "own" else ALL_POINTS
        return ROUND_PLIES * max(1, round(options.target / points))

    def plies_left(self, state: State, seat: int) -> int:
        """Plies that `seat` may still have to make, in rounds of few points and many turns.

        More are possible, but rarer than a clock need care for.
        """
        if self.is_terminal(state):
            return 0
        in_play = int(reading.is_hidden(state))
        if state[layout.LENGTH]:
            return MANY_TURNS
        credit = int(state[layout.CREDIT]) + int(state[layout.CREDIT + 1])
        later = -(-max(0, 2 * int(state[layout.TARGET]) - credit) // FEW_POINTS)
        return MANY_TURNS * (in_play + max(1, min(later, layout.MAX_ROUNDS - int(state[layout.ROUND]))))

    def _moment(self, state: State) -> str:
        return f"in round {int(state[layout.ROUND])}, turn {int(state[layout.NUM_TURNS]) + 1}"

    def replay_searched(self, trace: Mapping[str, Any]) -> tuple[int, dict[str, Any] | None]:
        """Replay as `replay_trace`, with the values of searches that a trace holds."""
        return traces.replay(cast(Game, self), trace, has_values=True)

    # ---- results
    def ranks(self, state: State) -> tuple[int, ...]:
        """1 for both seats of the team that wins, 3 for the others; 1 for all where nobody does.

        A single round is won by its winning team, whatever the points; a match by the team with
        more points in its favour.
        """
        credit = [int(word) for word in state[layout.CREDIT : layout.CREDIT + layout.NUM_TEAMS]]
        winner = int(credit[1] > credit[0]) if credit[0] != credit[1] else -1
        if state[layout.LENGTH]:
            winner = int(state[layout.WINNER]) - 1
        return tuple(1 if winner in (-1, seat & 1) else 3 for seat in reading.SEATS)

    def metrics(self, state: State) -> MetricRows:
        """Per seat: every metric of `metric_table`."""
        self._check_over(state)
        return metrics.of_match(self._kernels, state)

    def events(self, state: State) -> tuple[Event, ...]:
        """Scores of the rounds that the last ply ended, for each team that wrote something down.

        Those that ended as soon as they were dealt belong to the ply before, or to the first one.
        """
        return tuple(
            Event(line.kind, points, (team, team + 2), elements=(f"seat-{team}", f"seat-{team + 2}"))
            for line in reading.newest(state)
            for team, points in enumerate(self._written(state, line))
            if points
        )

    def _written(self, state: State, line: reading.Line) -> tuple[int, int]:
        """Points of a round as `scores` counts them, by team."""
        if state[layout.DIRECTION]:
            return line.credit(0), line.credit(1)
        return -line.credit(1), -line.credit(0)

    # ---- information: hands are hidden from the deal to the end of the round
    def view(self, state: State, seat: int) -> State:
        """The state with the hands of all others unknown; open between rounds and at the end."""
        seen = state.copy()
        if reading.is_hidden(state):
            for other in range(int(state[layout.NUM_DEALT])):
                if other != seat:
                    seen[layout.HAND + other] = layout.UNKNOWN
        return seen

    def determinize(self, view: State, rng: Rng) -> State:
        """Hidden hands drawn from those that the seat thinks possible, all alike likely.

        Raises ValueError for a view of nobody.
        """
        full = view.copy()
        unknown = [seat for seat in reading.SEATS if view[layout.HAND + seat] == layout.UNKNOWN]
        if unknown:
            known = [seat for seat in reading.SEATS if seat not in unknown]
            if not known:
                raise ValueError("a view without any hand cannot be completed")
            self._kernels.determinize(full, known[0], rng)
        return full

    def information_set(self, state: State, seat: int) -> int:
        """Everything that the seat knows, the turns of the round included."""
        view = self.view(state, seat)
        return rng.mix(self.key(view), int(self._kernels.turns_hash(view)), seat)

    def observation(self, state: State, seat: int | None) -> dict[str, Any]:
        """JSON-ready: the seat's own hand, what lies on the table, who passed on what, the sheet."""
        seen = self.view(state, -1 if seat is None else seat)
        return reading.observation(seen) | {"player": self.current_player(state), "scores": list(self.scores(state))}

    # ---- spelling
    def parts(self, state: State, action: int) -> tuple[Part, ...]:
        """Tile and end, or what is said instead."""
        return spelling.parts(state, action)

    def notation(self, state: State, action: int) -> str:
        """``2-5 left``."""
        return reading.notation(state, action)

    def outcome_notation(self, state: State, outcome: int) -> str:
        """The hand dealt, or who opens."""
        return reading.outcome_notation(state, outcome)

    # ---- compiling
    def _exercise_more(self, module: ModuleType, state: State) -> None:
        r, j = rng.new_stream(0, rng.ANALYSIS), np.ones(1 << 12, np.int32)
        module.turns_hash(state)
        module.determinize(state, module.current_player(state), r)
        metrics.of_match(module, state)
        module.settle(state, r, j)
