"""Positions of every game, met by random play: what contract tests are tried on."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from engines import registry as engine_registry
from games import options as option_tools
from games import registry, rng
from games.face import Face
from games.protocol import CHANCE, Game, State
from games.toy.game import Cards
from games.toy.secret import SecretCards
from tests.games.samples import sample_of

TOYS: dict[str, type[Cards]] = {"toy": Cards, "toy_secret": SecretCards}
GAME_IDS = (*registry.ids(), *TOYS)


@cache
def game_of(game_id: str) -> Any:
    """A registered game or a toy (typed Any: a face may offer more than the protocol)."""
    return TOYS[game_id]() if game_id in TOYS else registry.get(game_id)


def is_taken_back(game: Game) -> bool:
    """Whether a compiled search takes actions back (Expectimax fits the game): in no other is the journal compiled."""
    return engine_registry.make_for(game, "expectimax").refuses(game) is None


def mode_of_undo(game: Game) -> str:
    """Undecorated where nothing but a test would compile the rules with a journal."""
    return "jit" if is_taken_back(game) else "plain"


def has_events(game: Game) -> bool:
    """Whether things score at a moment; else points are those of what lies on the table."""
    return type(game).events is not Face.events


def has_open_features(game: Game) -> bool:
    """Whether something waits to be scored at the end."""
    return type(game).open_features is not Face.open_features


def seat_counts(game: Game) -> tuple[int, ...]:
    """The least and the most seats."""
    return tuple(sorted({game.traits.min_seats, game.traits.max_seats}))


def usual_seats(game: Game) -> int:
    """Two, or the least that there are: what tests play with that do not say how many."""
    return max(2, game.traits.min_seats)


def walk(game: Game, seats: int, seed: int, options: Any = None) -> Iterator[tuple[State, int | None]]:
    """Every state of a random match with what happens in it (None at the end)."""
    options = game.options() if options is None else options
    deal = game.deal(options, seats, rng.new_stream(seed, rng.DEAL))
    r = rng.new_stream(seed, rng.ANALYSIS)
    state = game.initial_state(options, seats)
    while not game.is_terminal(state):
        if game.current_player(state) == CHANCE:
            number = deal.draw(state)
        else:
            actions = game.legal_actions(state)
            number = int(actions[rng.below(r, len(actions))])
        yield state, number
        state = game.apply(state, number)
    yield state, None


@cache
def match(game_id: str, seats: int | None = None, seed: int = 1) -> tuple[tuple[State, int | None], ...]:
    """A random match, remembered; nobody may write to its states."""
    game = game_of(game_id)
    return tuple(walk(game, seats or usual_seats(game), seed))


def history(game_id: str, seats: int | None = None, seed: int = 1) -> list[int]:
    """Actions and outcomes of `match`, in order."""
    return [number for _, number in match(game_id, seats, seed) if number is not None]


def turns(game_id: str, seats: int | None = None, seed: int = 1) -> list[State]:
    """States of `match` in which a seat is on turn."""
    return [state for state, _ in match(game_id, seats, seed) if game_of(game_id).current_player(state) >= 0]


def settled(game_id: str, seats: int | None = None, seed: int = 1) -> list[State]:
    """States of `match` after 0, 1, ... plies, nothing left to draw: as pages have them."""
    return [state for state, _ in match(game_id, seats, seed) if game_of(game_id).current_player(state) != CHANCE]


def draws(game_id: str, seats: int | None = None, seed: int = 1) -> list[State]:
    """States of `match` in which chance is on turn."""
    return [state for state, _ in match(game_id, seats, seed) if game_of(game_id).current_player(state) == CHANCE]


def end(game_id: str, seats: int | None = None, seed: int = 1) -> State:
    """The last state of `match`."""
    return match(game_id, seats, seed)[-1][0]


@cache
def rich_match(game_id: str, seats: int | None = None) -> tuple[State, ...]:
    """States of a random match with the options that leave nothing out, remembered; nobody may write to them."""
    game = game_of(game_id)
    options = option_tools.from_json(game.options, sample_of(game_id).rich_options)
    return tuple(state for state, _ in walk(game, seats or usual_seats(game), 1, options))


def rare_ends(game_id: str) -> Iterator[State]:
    """The ends of the random matches that have what is rare."""
    game = game_of(game_id)
    for given, matches in sample_of(game_id).rare:
        options = option_tools.from_json(game.options, given)
        for seed in range(1, matches + 1):
            yield [state for state, _ in walk(game, usual_seats(game), seed, options)][-1]


def rich_turns(game_id: str, count: int = 8) -> list[State]:
    """States of it, with the most seats, in which a seat is on turn: some, and one of each thing that is asked."""
    game = game_of(game_id)
    turns = [state for state in rich_match(game_id, game.traits.max_seats) if game.current_player(state) >= 0]
    asked: dict[str, State] = {}
    for state in turns if sample_of(game_id).rich_options else ():
        asked.setdefault(game.parts(state, int(game.legal_actions(state)[0]))[0].name, state)
    return some(turns, count) + list(asked.values())


def some(states: list[State], count: int = 6) -> list[State]:
    """At most `count` of the states, spread evenly, first and last among them."""
    if len(states) <= count:
        return states
    return [states[round(i * (len(states) - 1) / (count - 1))] for i in range(count)]
