"""Matches as files in the format kingdomino-trace-1: written for downloads, replayed as a check.

Squares in a trace are [row, column] relative to the castle; a trace holds the draw order of the
dominoes, the order of the kings in round 1, one record a ply and the final scoring. Deals and
moves come from the file, never from our random numbers.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from games import options as option_tools
from games.kingdomino import reading
from games.kingdomino import state as layout
from games.kingdomino.metrics import areas, tie_break
from games.kingdomino.reading import Move
from games.protocol import CHANCE, Game, IllegalActionError, State

FORMAT = "kingdomino-trace-1"


def options_of(variant: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a trace's variant."""
    return {
        "size": str(variant["size"]),
        "must_place": variant["must_place"],
        "middle": variant["middle"] or "off",
        "harmony": variant["harmony"] or "off",
        "ties": "official",
        "three_seats": "48" if variant["players"] == 3 and variant.get("deck_size") == 48 else "36",
    }


def _spelt(state: State, number: int) -> list[Any]:
    """A legal action as traces write it."""
    move = reading.move(state, number)
    squares = None if move.squares is None else [[y, x] for x, y in move.squares]
    return [squares, move.chosen]


def _legal(game: Game, state: State) -> dict[str, Any]:
    moves = [_spelt(state, int(number)) for number in game.legal_actions(state)]
    text = json.dumps(sorted(moves, key=json.dumps), separators=(",", ":"))
    return {
        "n_placements": len({json.dumps(move[0]) for move in moves if move[0] is not None}),
        "n_moves": len(moves),
        "moves_sha": hashlib.sha256(text.encode()).hexdigest()[:16],
    }


def _before(game: Game, state: State) -> dict[str, Any]:
    row = [
        number for number, seat in zip(reading.offered_dominoes(state), state[layout.CLAIM :], strict=False) if not seat
    ]
    return {
        "round": int(state[layout.ROUND]),
        "player": game.current_player(state),
        "domino": reading.to_place(state),
        "row": row,
        **_legal(game, state),
    }


def final(game: Game, state: State) -> dict[str, Any]:
    """The result of a match that is over, with the parts of each score."""
    seats = range(game.num_seats(state))
    found = [areas(reading.kingdom(state, seat)) for seat in seats]
    scores = game.scores(state)
    points = [sum(area.points for area in of_seat) for of_seat in found]
    middle = [int(game.kernels().middle_points(state, layout.KINGDOMS + layout.KINGDOM * seat, seat)) for seat in seats]
    parts = [
        {
            "areas": points[seat],
            "middle": middle[seat],
            "harmony": scores[seat] - points[seat] - middle[seat],
            "total": scores[seat],
            "largest": tie_break(found[seat])[0],
            "crowns": tie_break(found[seat])[1],
        }
        for seat in seats
    ]
    order = [(part["total"], part["largest"], part["crowns"]) for part in parts]
    return {
        "scores": list(scores),
        "parts": parts,
        "discards": [int(state[layout.KINGDOMS + layout.KINGDOM * seat + layout.DISCARDS]) for seat in seats],
        "winners": [seat for seat in seats if order[seat] == max(order)],
        "top_score_players": [seat for seat in seats if scores[seat] == max(scores)],
    }


def _kingdoms(game: Game, state: State) -> list[Any]:
    """The squares of each kingdom as [row, column, terrain, crowns], sorted."""
    return [
        sorted(
            [[0, 0, reading.CASTLE, 0]]
            + [[square.y, square.x, square.terrain, square.crowns] for square in reading.kingdom(state, seat)]
        )
        for seat in range(game.num_seats(state))
    ]


def write(game: Game, match: Mapping[str, Any]) -> dict[str, Any]:
    """A match as a trace.

    match: options (JSON), seats, seed, policy (a line on who played) and history, the chance
    outcomes and actions in the order in which they were applied; any other key is kept.
    """
    options = option_tools.from_json(game.options, match["options"])
    state = game.initial_state(options, match["seats"])
    kings: list[int] = []
    deck: list[int] = []
    plies: list[dict[str, Any]] = []
    for number in match["history"]:
        if game.current_player(state) == CHANCE:
            (kings if number >= layout.KING else deck).append(number)
            state = game.apply(state, number)
            continue
        record = {"ply": len(plies)} | _before(game, state) | {"move": _spelt(state, number)}
        state = game.apply(state, number)
        is_discarded = record["move"][0] is None and record["domino"] is not None
        plies.append(record | {"discard": is_discarded, "scores": list(game.scores(state))})
    head = {key: value for key, value in match.items() if key not in ("options", "seats", "history")}
    chosen = option_tools.to_json(options)
    variant = {
        "players": match["seats"],
        "size": int(chosen["size"]),
        "deck_size": reading.row_length(state) * int(state[layout.NUM_ROWS]),
        "must_place": chosen["must_place"],
        "middle": None if chosen["middle"] == "off" else chosen["middle"],
        "harmony": None if chosen["harmony"] == "off" else chosen["harmony"],
    }
    return {
        "format": FORMAT,
        **head,
        "variant": variant,
        "deck": [number + 1 for number in deck],
        "first_order": [number - layout.KING for number in kings],
        "plies": plies,
        "final": final(game, state) if game.is_terminal(state) else None,
        "kingdoms": _kingdoms(game, state),
    }


def replay(game: Game, trace: Mapping[str, Any]) -> tuple[int, dict[str, Any] | None]:
    """Replay one trace; return (plies compared, first mismatch or None).

    A mismatch is {"ply", "field", "expected", "got"}; a move that our rules refuse is one too.
    """
    options = option_tools.from_json(game.options, options_of(trace["variant"]))
    state = game.initial_state(options, trace["variant"]["players"])
    draws = [layout.KING + seat for seat in trace["first_order"]] + [number - 1 for number in trace["deck"]]
    for ply, record in enumerate(trace["plies"]):
        try:
            while game.current_player(state) == CHANCE:
                state = game.apply(state, draws.pop(0))
            got = _before(game, state)
            squares, chosen = record["move"]
            ends = None if squares is None else tuple((x, y) for y, x in squares)
            number = reading.action(state, Move(ends, chosen))  # type: ignore[arg-type]
            got |= {"move": _spelt(state, number)}
            state = game.apply(state, number)
        except (IllegalActionError, ValueError, IndexError) as error:
            return ply, {"ply": ply, "field": "move", "expected": "a legal move", "got": str(error)}
        got |= {"discard": squares is None and record["domino"] is not None, "scores": list(game.scores(state))}
        if difference := _first_difference(record, got):
            return ply + 1, {"ply": ply, **difference}
    last = len(trace["plies"])
    if not game.is_terminal(state):
        return last, {"ply": last, "field": "end", "expected": "the match is over", "got": "a seat is on turn"}
    difference = _first_difference(trace["final"], final(game, state))
    difference = difference or _first_difference(trace, {"kingdoms": _kingdoms(game, state)})
    return last, {"ply": last, **difference} if difference else None


def _first_difference(expected: Mapping[str, Any], got: Mapping[str, Any]) -> dict[str, Any] | None:
    for field, value in got.items():
        if field in expected and expected[field] != value:
            return {"field": field, "expected": expected[field], "got": value}
    return None
