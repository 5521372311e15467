"""The strip of last turns: what others did since one's own turn before this one."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from webapp.play import moves
from webapp.play.moves import Move


def told(played: list[tuple[int, str]], seats: tuple[int, ...], num_seats: int = 3) -> list[tuple[int, str, int]]:
    """Seat, words and number of each move told. played: seat and words, the first one first."""
    table: Any = SimpleNamespace(seats=seats, rows=[SimpleNamespace(seat=seat) for seat in range(num_seats)])
    listed = [
        Move(ply, seat, f"seat {seat}", words, "", "", is_new=False, is_reply=False)
        for ply, (seat, words) in enumerate(played, start=1)
    ]
    return [(one.move.seat, one.move.words, one.times) for one in moves.last_turns(table, listed[::-1])]


ROUND = [(0, "Buys Gold"), (1, "Plays Copper"), (1, "Plays Copper"), (1, "Buys Silver"), (2, "Plays Smithy")]


def test_moves_of_others_since_the_last_turn_are_told_in_order_and_like_ones_once() -> None:
    assert told(ROUND, (0,)) == [(1, "Plays Copper", 2), (1, "Buys Silver", 1), (2, "Plays Smithy", 1)]


def test_they_stay_until_the_own_turn_is_over() -> None:
    assert told([*ROUND, (0, "Plays Village"), (0, "Plays Smithy")], (0,)) == told(ROUND, (0,))
    assert told([*ROUND, (0, "Buys Duchy"), (1, "Buys Curse")], (0,)) == [(1, "Buys Curse", 1)]


def test_a_spectator_is_told_the_last_turn() -> None:
    assert told(ROUND, ()) == [(2, "Plays Smithy", 1)]
    assert told(ROUND[:4], ()) == [(1, "Plays Copper", 2), (1, "Buys Silver", 1)]


def test_before_the_first_move_nothing_is_told() -> None:
    assert told([], (0,)) == told([], ()) == []
    assert told([(0, "Buys Gold")], (0,)) == []
