"""Matches as files in the format carcassonne-trace-1: written for downloads, replayed as a check.

A trace holds a start tile, one record a ply (vain draws, tile, place, meeple, counts and hash
of the legal moves, what scored, points, meeples in hand, projected points) and the final
scoring. Deals and moves come from the file, never from our random numbers.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from games import options as option_tools
from games.carcassonne import reading
from games.carcassonne import state as layout
from games.protocol import CHANCE, Event, Game, IllegalActionError, State

FORMAT = "carcassonne-trace-1"
"""Name of the format."""


def _events(rows: Sequence[Event], with_returned: bool) -> list[dict[str, Any]]:
    out = []
    for row in rows:
        event = {
            "kind": row.kind,
            "points": row.points,
            "winners": list(row.seats),
            "tiles": [list(t) for t in row.tiles],
        }
        out.append(event | ({"returned": list(row.returned)} if with_returned else {}))
    return sorted(out, key=lambda event: (event["kind"], event["tiles"]))


def _legal(game: Game, state: State) -> dict[str, Any]:
    moves = [reading.placement(state, int(number)) for number in game.legal_actions(state)]
    words = sorted(f"{m.x},{m.y},{m.rotation},{m.segment or '-'}" for m in moves)
    return {
        "n_place": len({(m.x, m.y, m.rotation) for m in moves}),
        "n_legal": len(moves),
        "legal_hash": hashlib.sha256(";".join(words).encode()).hexdigest()[:16],
    }


def _after(game: Game, state: State) -> dict[str, Any]:
    seats = range(game.num_seats(state))
    at_end = [sum(int(state[layout.POINTS_OPEN + k * layout.MAX_SEATS + s]) for k in range(4)) for s in seats]
    return {
        "events": _events(tuple(reading.events(game.kernels(), state)), with_returned=True),
        "scores": [total - end for total, end in zip(game.scores(state), at_end, strict=True)],
        "in_hand": [int(state[layout.HAND + s]) for s in seats],
        "projected": list(game.projected_scores(state)),
    }


def _final(game: Game, state: State) -> dict[str, Any]:
    observed = game.observation(state, None)
    return {
        "breakdown": _events(game.open_features(state), with_returned=False),
        "scores": list(game.scores(state)),
        "left": observed["left"],
        "discarded": [letter for letter, n in observed["discarded"].items() for _ in range(n)],
    }


def write(game: Game, match: Mapping[str, Any]) -> dict[str, Any]:
    """A match as a trace.

    match: options (JSON), seats, seed, policy (a line on who played) and history, the chance
    outcomes and actions in the order in which they were applied; any other key is kept.
    """
    options = option_tools.from_json(game.options, match["options"])
    state = game.initial_state(options, match["seats"])
    plies: list[dict[str, Any]] = []
    vain: list[str] = []
    for number in match["history"]:
        if game.current_player(state) == CHANCE:
            before, state = state, game.apply(state, number)
            if game.current_player(state) < 0 and state[layout.TILE] == 0:
                vain.append(game.outcome_notation(before, number))
            continue
        move = reading.placement(state, number)
        record = {"player": game.current_player(state), "vain": vain, "tile": move.type, "x": move.x, "y": move.y}
        record |= {"rot": move.rotation, "meeple": move.segment} | _legal(game, state)
        state, vain = game.apply(state, number), []
        plies.append(record | _after(game, state))
    head = {key: value for key, value in match.items() if key not in ("options", "seats", "history")}
    start = {"tile": reading.TABLES.letters[reading.TABLES.start], "x": 0, "y": 0, "rot": 0}
    return {
        "format": FORMAT,
        **head,
        "rules": option_tools.to_json(options),
        "players": match["seats"],
        "start": start,
        "plies": plies,
        "final": _final(game, state) if game.is_terminal(state) else None,
    }


_EVENT_FIELDS = ("kind", "points", "winners", "tiles", "returned")


def _normal(field: str, value: Any) -> Any:
    """A value with what has no meaning put in order, and without fields we do not know."""
    if field in ("events", "breakdown"):
        rows = [{name: row[name] for name in _EVENT_FIELDS if name in row} for row in value]
        rows = [{name: sorted(v) if isinstance(v, list) else v for name, v in row.items()} for row in rows]
        return sorted(rows, key=lambda row: list(row.values()))
    return sorted(value) if field in ("vain", "discarded") else value


def _first_difference(expected: Mapping[str, Any], got: Mapping[str, Any]) -> dict[str, Any] | None:
    for field, value in got.items():
        if field in expected and _normal(field, expected[field]) != _normal(field, value):
            return {"field": field, "expected": expected[field], "got": value}
    return None


def _draw(game: Game, state: State, letters: Sequence[str]) -> State:
    for letter in letters:
        state = game.apply(state, reading.TABLES.letters.index(letter))
    return state


def replay(game: Game, trace: Mapping[str, Any]) -> tuple[int, dict[str, Any] | None]:
    """Replay one trace; return (plies compared, first mismatch or None).

    A mismatch is {"ply", "field", "expected", "got"}; a move that our rules refuse is one too.
    """
    options = option_tools.from_json(game.options, trace["rules"])
    state = game.initial_state(options, trace["players"])
    for ply, record in enumerate(trace["plies"]):
        try:
            state = _draw(game, state, [*record["vain"], record["tile"]])
            if state[layout.TILE] == 0:
                return ply, {"ply": ply, "field": "tile", "expected": record["tile"], "got": "fits nowhere"}
            got = {"player": game.current_player(state)} | _legal(game, state)
            move = reading.action(state, record["x"], record["y"], record["rot"], record["meeple"])
            state = game.apply(state, move)
        except (IllegalActionError, ValueError) as error:
            return ply, {"ply": ply, "field": "move", "expected": "a legal move", "got": str(error)}
        difference = _first_difference(record, got | _after(game, state))
        if difference:
            return ply + 1, {"ply": ply, **difference}
    last = len(trace["plies"])
    if not game.is_terminal(state):
        return last, {"ply": last, "field": "end", "expected": "the match is over", "got": "tiles can be laid"}
    difference = _first_difference(trace["final"], _final(game, state))
    return last, {"ply": last, **difference} if difference else None
