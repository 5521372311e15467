"""Positions of a match that engines are compared on, kept as data and made again by a command.

The 50 game states of the thesis (Heyden 2009, section 6.3 and appendix B) are pictures; these
follow its words: opening, middle and end, the seat on turn clearly ahead, level or clearly
behind, the tile drawn. ``python -m engines positions GAME`` plays them anew, byte for byte.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np

from engines import bench
from games import data_files, registry, rng
from games import options as option_tools
from games.protocol import CHANCE, TERMINAL, Game, Rng, State

NAME = "positions"
FORMAT = "positions-1"
SEED = 2009
SEATS = 2
PHASES = ("opening", "middle", "end")
STANDINGS = ("ahead", "level", "behind")
ORDER = ("opening", "middle", "end", "middle", "opening", "middle", "end", "opening", "middle", "end")
"""Phases of ten positions in a row: of 50 there are 15 openings, 20 middles and 15 ends."""
COUNT = 50
SPANS = {"opening": (0.08, 0.3), "middle": (0.35, 0.65), "end": (0.7, 0.97)}
"""Phase -> part of all plies that have been made."""
LEADS = {"opening": 6, "middle": 12, "end": 18}
"""Phase -> projected points between the seats from which one is clearly ahead."""
LEVEL = 2
"""Projected points between the seats up to which they are level."""
GREED = ((0.95, 0.95), (0.95, 0.7), (0.95, 0.5), (0.8, 0.8))
"""Shares of plies that each seat plays greedily (the rest at random); either seat may be the better."""
HAND = "HAND"
"""Name, in a game's kernels, of the offset in its states of what each seat holds in hand (Carcassonne's meeples)."""
THRIFT = (2, 3, 4)
"""Points that greedy seats hold a meeple in hand for, so that some are left to be placed."""
LEAST_ACTIONS = 2
MAX_ATTEMPTS = 1000


@dataclass(frozen=True)
class Position:
    """One position with a seat on turn.

    phase, standing: how far the match is, and how the seat on turn stands by projected points;
    options: of the rules, complete; history: outcomes and actions from the start, as applied.
    """

    game: str
    number: int
    phase: str
    standing: str
    seats: int
    options: dict[str, Any] = field(hash=False)
    history: tuple[int, ...]

    def state(self, game: Game) -> State:
        """The position itself. Raises IllegalActionError where it does not fit the rules."""
        state = game.initial_state(option_tools.from_json(game.options, self.options), self.seats)
        for number in self.history:
            state = game.apply(state, number)
        return state

    def ply(self, game: Game) -> int:
        """Plies made so far: the numbers of its history that seats chose."""
        state, plies = game.initial_state(option_tools.from_json(game.options, self.options), self.seats), 0
        for number in self.history:
            plies += game.current_player(state) >= 0
            state = game.apply(state, number)
        return plies


@cache
def load(game_id: str) -> tuple[Position, ...]:
    """The stored positions of a game, numbered from 1; none where nobody made any."""
    data = data_files.read(registry.get(game_id).folder, NAME, FORMAT) if game_id in registry.ids() else None
    if data is None:
        return ()
    return tuple(
        Position(
            game=data["game"],
            number=row["number"],
            phase=row["phase"],
            standing=row["standing"],
            seats=data["seats"],
            options=data["options"],
            history=tuple(row["history"]),
        )
        for row in data["positions"]
    )


def states(game: Game) -> list[State]:
    """The stored positions of a game. Raises ValueError where there are none."""
    positions = load(game.id)
    if not positions:
        raise ValueError(f"no positions of {game.label} are stored")
    return [position.state(game) for position in positions]


def game_ids() -> tuple[str, ...]:
    """Games that have stored positions."""
    return tuple(game_id for game_id in registry.ids() if load(game_id))


def text(positions: Sequence[Position]) -> str:
    """The file that holds the positions, one a line."""
    first = positions[0]
    head = {"format": FORMAT, "game": first.game, "seats": first.seats, "options": first.options}
    rows = [
        json.dumps({"number": p.number, "phase": p.phase, "standing": p.standing, "history": p.history})
        for p in positions
    ]
    return json.dumps(head)[:-1] + ', "positions": [\n' + ",\n".join(rows) + "\n]}\n"


def make(game: Game) -> tuple[Position, ...]:
    """Play COUNT positions in a fixed mix of phases and standings; see `make_one`."""
    return tuple(make_one(game, number) for number in range(1, COUNT + 1))


def make_one(game: Game, number: int, seed: int = SEED) -> Position:
    """Play matches until one stands as position `number` shall.

    The same game, number and seed give the same position, whatever the order in which the
    rules list actions. Raises ValueError where the game's matches never come to stand so.
    """
    phase = ORDER[(number - 1) % len(ORDER)]
    earlier = sum(ORDER[k % len(ORDER)] == phase for k in range(number - 1))
    standing = STANDINGS[earlier % len(STANDINGS)]
    low, high = (round(share * bench.match_plies(game, SEATS)) for share in SPANS[phase])
    for attempt in range(MAX_ATTEMPTS):
        r = rng.new_stream(seed, rng.ANALYSIS, number, attempt)
        plies = low + rng.below(r, high - low + 1)
        greed = GREED[rng.below(r, len(GREED))]
        manner = _Manner(greed if rng.below(r, 2) else greed[::-1], THRIFT[rng.below(r, len(THRIFT))])
        state, history = _play(game, plies, manner, r)
        if game.current_player(state) == TERMINAL or len(game.legal_actions(state)) < LEAST_ACTIONS:
            continue
        if standing_of(margin_on_turn(game, state), phase) == standing:
            options = option_tools.to_json(game.options())
            return Position(game.id, number, phase, standing, SEATS, options, tuple(history))
    raise ValueError(f"{game.label}: no {phase} with the seat on turn {standing} in {MAX_ATTEMPTS} matches")


def standing_of(margin: int, phase: str) -> str | None:
    """The word for a projected margin of the seat on turn; None between the words."""
    if abs(margin) <= LEVEL:
        return "level"
    if abs(margin) < LEADS[phase]:
        return None
    return "ahead" if margin > 0 else "behind"


def margin_on_turn(game: Game, state: State) -> int:
    """Projected points of the seat on turn less those of the best other seat."""
    return _lead(game.projected_scores(state), game.current_player(state))


def _lead(points: Sequence[int], seat: int) -> int:
    return points[seat] - max(points[other] for other in range(len(points)) if other != seat)


@dataclass(frozen=True)
class _Manner:
    """Manner in which the seats of one match play: shares of greedy plies, and `THRIFT`."""

    greed: Sequence[float]
    thrift: int


def _play(game: Game, plies: int, manner: _Manner, r: Rng) -> tuple[State, list[int]]:
    """Play until a seat is on turn after `plies` plies, or to the end; state and history."""
    state, history, made = game.initial_state(game.options(), SEATS), [], 0
    while (seat := game.current_player(state)) != TERMINAL:
        if seat == CHANCE:
            number = _drawn(game, state, r)
        elif made == plies:
            break
        else:
            is_greedy = rng.uniform(r) < manner.greed[seat]
            number = _greedy(game, state, manner.thrift, r) if is_greedy else _random(game, state, r)
            made += 1
        history.append(number)
        state = game.apply(state, number)
    return state, history


def _drawn(game: Game, state: State, r: Rng) -> int:
    """An outcome with its probability."""
    outcomes, probabilities = game.chance_outcomes(state)
    order = np.argsort(outcomes)
    index = int(np.searchsorted(np.cumsum(probabilities[order]), rng.uniform(r), side="right"))
    return int(outcomes[order][min(index, len(order) - 1)])


def _random(game: Game, state: State, r: Rng) -> int:
    actions = np.sort(game.legal_actions(state))
    return int(actions[rng.below(r, len(actions))])


def _greedy(game: Game, state: State, thrift: int, r: Rng) -> int:
    """An action with the most projected points over the other seat after it; ties at random."""
    seat = game.current_player(state)
    actions = [int(action) for action in np.sort(game.legal_actions(state))]
    leads = [_lead(_worth(game, game.apply(state, action), thrift), seat) for action in actions]
    best = [action for action, lead in zip(actions, leads, strict=True) if lead == max(leads)]
    return best[rng.below(r, len(best))]


def _worth(game: Game, state: State, thrift: int) -> list[int]:
    """Projected points of each seat and what it holds in hand."""
    points, offset = game.projected_scores(state), getattr(game.kernels(), HAND, None)
    if offset is None:
        return list(points)
    return [own + thrift * int(state[offset + seat]) for seat, own in enumerate(points)]
