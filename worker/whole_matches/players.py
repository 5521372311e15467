"""Which matches a kernel plays, whole or between the turns of engines, and by whom.

A kernel that is not compiled yet is compiled once that is worth while: when matches that it could have played
have taken about as long, ply by ply and beside what engines thought, as compiling does. So it costs at most twice
the best, whatever is to come, and who plays a few matches never waits for it.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from engines import registry as engine_registry
from engines.programs import program_of
from engines.protocol import Engine
from games import compile_locks, loader, readiness
from games import registry as game_registry
from games.compile_locks import BusyError
from games.courses import Program
from games.loader import ColdError
from games.protocol import Game
from worker.spec import MatchSpec, SeatSpec
from worker.whole_matches import registry
from worker.whole_matches.player import Filling, WholePlayer

WORTH_S = 3.0
"""CPU seconds that compiling the kernel of a game takes, about."""


MAX_LINEUPS = 1_000
"""Line-ups that are remembered: more than the tables of a ladder."""


class Policies(NamedTuple):
    """A line-up that a kernel can play: policies by name or programs, and their engines, by seat, ready to play."""

    fillings: tuple[str | Program, ...]
    engines: tuple[Engine, ...]
    seats: tuple[SeatSpec, ...]


class _Players(threading.local):
    """Players of this thread, by game, seats and variant of the rules; line-ups, by game and seats of a spec."""

    def __init__(self) -> None:
        self.by_table: dict[tuple[str, int, bool], WholePlayer] = {}
        self.lineups: dict[tuple[str, tuple[int, ...]], Policies] = {}


_players = _Players()
_missed_s: defaultdict[tuple[str, bool], float] = defaultdict(float)
"""CPU seconds of matches that a kernel could have played, by game and variant of the rules."""


def remembered(match: MatchSpec) -> Policies | None:
    """The policies of a match whose seats are those of an earlier one; None where it is not known yet, or is none."""
    return _players.lineups.get((match.game, tuple(map(id, match.seats))))


def policies_of(match: MatchSpec, game: Game, engines: Sequence[Engine]) -> Policies | None:
    """The policies in the seats of a match that a kernel can play whole, from now on remembered; None for any other.

    engines: made and prepared.
    """
    if (fillings := _fillings(match, game, engines)) is None:
        return None
    if len(_players.lineups) >= MAX_LINEUPS:
        _players.lineups.clear()
    found = Policies(fillings, tuple(engines), match.seats)  # it holds the seats, so that no others get their ids
    _players.lineups[match.game, tuple(map(id, match.seats))] = found
    return found


def _fillings(match: MatchSpec, game: Game, engines: Sequence[Engine]) -> tuple[str | Program, ...] | None:
    """What these engines play by, and nothing else, in a game whose matches are played whole."""
    if registry.get(game.id) is None:
        return None
    fillings: list[str | Program] = []
    for engine, seat in zip(engines, match.seats, strict=True):
        filling = program_of(engine, game)
        if filling is None or seat.budget.to_json():
            return None
        fillings.append(filling)
    return tuple(fillings)


def is_ready(match: MatchSpec) -> bool:
    """Whether a kernel can play this match at once. Its engines are there."""
    game, found = game_registry.get(match.game), remembered(match)
    if found is not None:
        return player_for(game, found.fillings) is not None
    fillings = _fillings(match, game, [engine_registry.make(seat.engine, seat.options) for seat in match.seats])
    return fillings is not None and player_for(game, fillings) is not None


def player_for(game: Game, fillings: Sequence[Filling]) -> WholePlayer | None:
    """A player whose kernels are loaded; None while they are cold and not worth compiling, or others compile them.

    fillings: by seat; the game's rules are loaded already.
    """
    course = registry.get(game.id)
    if course is None or readiness.is_plain():
        return None
    journal = _has_journal(game, fillings)
    table = game.id, len(fillings), journal
    if table not in _players.by_table:
        _players.by_table[table] = WholePlayer(game, course, len(fillings), journal)
    player = _players.by_table[table]
    try:
        if is_worth_compiling(game, fillings):
            with compile_locks.without_waiting():
                player.load()
        else:
            with loader.only_warm():
                player.load()
    except (ColdError, BusyError):
        return None
    return player


def is_worth_compiling(game: Game, fillings: Sequence[Filling]) -> bool:
    """Whether this process compiles, and has spent as much on playing ply by ply as compiling the kernel takes."""
    return readiness.may_compile() and _missed_s[game.id, _has_journal(game, fillings)] >= WORTH_S


def note_missed(game: Game, fillings: Sequence[Filling], cpu_s: float) -> None:
    """A match of these was played ply by ply; cpu_s: without what engines took that thought."""
    if registry.get(game.id) is not None:
        _missed_s[game.id, _has_journal(game, fillings)] += cpu_s


def _has_journal(game: Game, fillings: Sequence[Filling]) -> bool:
    needs = game.kernels().policies.NEEDS_JOURNAL
    return any(filling in needs for filling in fillings)
