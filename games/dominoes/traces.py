"""Matches as files in the format team-domino-trace-1: written for downloads, replayed as a check.

A trace holds the hands of every round, one record a turn (seat, ends, legal moves, move, sometimes
beliefs) and what the round came to. A round that ends as soon as it is dealt has no turns; a deal
that was void is a record of its own, with `void` and the hands alone. Hands and moves come from the
file, never from our random numbers. Points are those on the sheet: of the losers or of the winners,
by the rule `direction`. Values of searches (`ims_depth3`, `double_dummy_points`) are compared where
that is asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from games import options as option_tools
from games.dominoes import house_rules, reading, tiles
from games.dominoes import state as layout
from games.dominoes.belief import beliefs
from games.dominoes.search import compilation, double_dummy, imperfect_minimax
from games.hands import TO_THE_END, Valuation
from games.protocol import CHANCE, Game, IllegalActionError, State

FORMAT = "team-domino-trace-1"
TOLERANCE = 1e-6
"""Tolerance of probabilities."""
VALUE_TOLERANCE = 1e-4
"""Tolerance of values of searches."""
_IMS_DEPTH = 3
_AUTHORS = Valuation("pips", "authors")
_PASS, _CALL, _HAND_OVER = "PASS", "CALL", "PARTNER"
_BELIEFS = {"paper_belief": beliefs.paper, "exact_belief": beliefs.exact}


def options_of(rules: Mapping[str, Any], rounds: Sequence[Any]) -> dict[str, Any]:
    """The options of a trace's rules; rules that it does not name are ours by default.

    rounds: a single one that does not reach the target is a match of one round.
    """
    known = {name: rules[name] for name in house_rules.NAMES if name in rules}
    if "length" not in rules and len(rounds) == 1 and max(rounds[0]["scores_after"]) < rules["target"]:
        known["length"] = "round"
    return known


def _pair(tile: int) -> list[int]:
    return list(tiles.TILES[tile])


def _spelt(action: int) -> dict[str, Any]:
    """An action as traces write a move."""
    if action < layout.PASS:
        return {"move": _pair(action >> 1), "side": "LR"[action & 1]}
    if action == layout.PASS:
        return {"move": _PASS, "side": None}
    if action == layout.HAND_OVER:
        return {"move": _HAND_OVER, "side": None}
    return {"move": _CALL, "accused": action - layout.CALL, "side": None}


def action_of(record: Mapping[str, Any]) -> int:
    """The number of a trace's move, legal or not. Raises ValueError for what is none."""
    move = record["move"]
    if move == _PASS:
        return layout.PASS
    if move == _HAND_OVER:
        return layout.HAND_OVER
    if move == _CALL:
        return layout.CALL + int(record["accused"])
    return 2 * tiles.index_of(*move) + "LR".index(record["side"])


def _legal(game: Game, state: State) -> list[list[Any]]:
    """Legal moves, calls left out."""
    moves = [_spelt(int(action)) for action in game.legal_actions(state)]
    rows = [[move["move"], move["side"]] for move in moves if move["move"] != _CALL]
    return sorted(rows, key=str)


def _before(game: Game, state: State) -> dict[str, Any]:
    lies = reading.ends(state)
    return {
        "seat": game.current_player(state),
        "ends": [None, None] if lies is None else list(lies),
        "legal": _legal(game, state),
    }


def _sheet_points(state: State, credit: Sequence[int]) -> list[int]:
    """Points as they are written down, from credit by team."""
    return list(credit) if state[layout.DIRECTION] else list(credit[::-1])


def _scores(state: State) -> list[int]:
    return _sheet_points(state, [int(word) for word in state[layout.CREDIT : layout.CREDIT + 2]])


def _result(state: State) -> dict[str, Any]:
    """Result of the round that has just ended."""
    line = reading.sheet(state)[-1]
    found: dict[str, Any] = {"kind": line.kind, "winner": line.winner, "seat": line.seat, "pips": list(line.pips)}
    if line.caller is not None:
        found |= {"call_right": line.caller != line.seat, "caller": line.caller}
        found["accused"] = reading.turns(state)[-1].action - layout.CALL
    credit = [line.credit(team) for team in range(layout.NUM_TEAMS)]
    return found | {"points": _sheet_points(state, credit), "capicua": line.is_capicua}


def _after_round(state: State) -> dict[str, Any]:
    lies = reading.ends(state) or (None, None)
    return {
        "left": lies[0],
        "right": lies[1],
        "final_hands": _hands(state),
        "result": _result(state),
        "scores_after": _scores(state),
    }


def _at_start(state: State) -> dict[str, Any]:
    if state[layout.REDEALS]:
        return {"hands": _hands(state), "void": True}
    must_open = int(state[layout.MUST_OPEN])
    return {
        "opener": int(state[layout.OPENER]),
        "must_open": _pair(must_open - 1) if must_open else None,
        "hands": _hands(state),
    }


def _hands(state: State) -> list[list[list[int]]]:
    return [[_pair(tile) for tile in reading.hand(state, seat) or ()] for seat in reading.SEATS]


def _loser(game: Game, state: State) -> int | None:
    """The team that has lost a match that is over, None where nobody has."""
    places = game.ranks(state)
    return None if places[0] == places[1] else int(places[1] > places[0])


def write(game: Game, match: Mapping[str, Any]) -> dict[str, Any]:
    """A match as a trace.

    match: options (JSON), seats, seed, players and history, the chance outcomes and actions in the
    order in which they were applied; any other key is kept.
    """
    options = option_tools.from_json(game.options, match["options"])
    state = game.initial_state(options, match["seats"])
    rounds: list[dict[str, Any]] = []
    for number in match["history"]:
        if game.current_player(state) == CHANCE:
            is_last_hand = int(state[layout.NUM_DEALT]) == layout.MAX_SEATS - 2
            state = game.apply(state, number)
            if not is_last_hand:
                continue
            rounds.append(_at_start(state) | {"turns": []})
        else:
            rounds[-1]["turns"].append(_before(game, state) | _spelt(number))
            state = game.apply(state, number)
        if not reading.is_hidden(state) and "void" not in rounds[-1]:
            rounds[-1] |= _after_round(state)
    head = {key: value for key, value in match.items() if key not in ("options", "seats", "history")}
    is_over = game.is_terminal(state)
    return {
        "format": FORMAT,
        **head,
        "rules": option_tools.to_json(options),
        "rounds": rounds,
        "scores": _scores(state),
        "loser": _loser(game, state) if is_over else None,
    }


class _MismatchError(Exception):
    """First difference found."""

    def __init__(self, field: str, expected: Any, got: Any) -> None:
        super().__init__(field)
        self.difference = {"field": field, "expected": expected, "got": got}


def replay(game: Game, trace: Mapping[str, Any], *, has_values: bool = False) -> tuple[int, dict[str, Any] | None]:
    """Replay one trace; return (turns compared, first mismatch or None).

    has_values: whether values of searches are compared, too. A mismatch is {"ply", "round", "field",
    "expected", "got"}; a move that our rules refuse is one too.
    """
    options = option_tools.from_json(game.options, options_of(trace["rules"], trace["rounds"]))
    state = game.initial_state(options, layout.MAX_SEATS)
    ply = 0
    for number, record in enumerate(trace["rounds"]):
        try:
            for after in _round(game, state, record, has_values):
                ply, state = ply + int(after[layout.NUM_TURNS] > 0), after
        except _MismatchError as mismatch:
            return ply, {"ply": ply, "round": number, **mismatch.difference}
    end = {"scores": _scores(state), "over": game.is_terminal(state)}
    end |= {"loser": _loser(game, state) if end["over"] else None}
    difference = _first_difference({"over": True, **trace}, end)
    return ply, {"ply": ply, **difference} if difference else None


def _round(game: Game, state: State, record: Mapping[str, Any], has_values: bool) -> Iterator[State]:
    """States of a round after its deal and after each turn. Raises _MismatchError."""
    if game.is_terminal(state):
        raise _MismatchError("over", "another round", "the match is over")
    state = _dealt(game, state, record)
    _compare({"void": False, **record}, {"void": False, **_at_start(state)})
    yield state
    if state[layout.REDEALS]:
        return
    for turn in record["turns"]:
        if not reading.is_hidden(state):
            raise _MismatchError("turns", "another turn", "the round is over")
        _compare(turn, _before(game, state))
        _compare_beliefs(game, state, turn)
        if has_values:
            _compare_values(game, state, turn)
        try:
            state = game.apply(state, action_of(turn))
        except (IllegalActionError, ValueError) as error:
            raise _MismatchError("move", "a legal move", str(error)) from None
        yield state
    if reading.is_hidden(state):
        raise _MismatchError("end", "the round is over", "a seat is on turn")
    _compare(record, _after_round(state))


def _dealt(game: Game, state: State, record: Mapping[str, Any]) -> State:
    """The state after the hands of a round have been dealt."""
    try:
        if state[layout.TO_DRAW]:
            state = game.apply(state, record["opener"])
        for hand in record["hands"][:-1]:
            state = game.apply(state, sum(1 << tiles.index_of(*tile) for tile in hand))
    except (IllegalActionError, ValueError) as error:
        raise _MismatchError("hands", "four hands of seven tiles", str(error)) from None
    return state


def _compare_beliefs(game: Game, state: State, turn: Mapping[str, Any]) -> None:
    """Beliefs of the seat on turn, where the trace holds any."""
    seat = game.current_player(state)
    for field, belief in _BELIEFS.items():
        if field not in turn:
            continue
        found = belief(game.kernels(), state, seat)
        unplayed = {tiles.name(tile) for tile in tiles.tile_indices(int(state[layout.UNPLAYED]))}
        if set(turn[field]) != unplayed:
            raise _MismatchError(field, sorted(turn[field]), sorted(unplayed))
        for name, expected in turn[field].items():
            got = found[tiles.index_of(*map(int, name.split("-")))].tolist()
            if max(abs(a - b) for a, b in zip(expected, got, strict=True)) > TOLERANCE:
                raise _MismatchError(f"{field} {name}", expected, got)
    if "consistent_deals" in turn:
        _compare(turn, {"consistent_deals": beliefs.consistent_deals(game.kernels(), state, seat)})


def _compare_values(game: Game, state: State, turn: Mapping[str, Any]) -> None:
    """Values of searches for the seat on turn, where the trace holds any."""
    actions = game.legal_actions(state).copy()
    if "ims_depth3" in turn:
        kernels, view = compilation.compile_searches(game.kernels()), game.view(state, game.current_player(state))
        found = imperfect_minimax.values(kernels, view, actions, _IMS_DEPTH - 1, _AUTHORS, is_exact=True).values
        rows = [_spelt(int(action)) for action in actions]
        got = {str([row["move"], row["side"]]): value for row, value in zip(rows, found.tolist(), strict=True)}
        wanted = {str(row[:2]): row[2] for row in turn["ims_depth3"]}
        if set(got) != set(wanted) or any(abs(got[name] - wanted[name]) > VALUE_TOLERANCE for name in got):
            raise _MismatchError("ims_depth3", wanted, got)
    if "double_dummy_points" in turn:
        kernels = compilation.compile_searches(game.kernels())
        best = float(double_dummy.values(kernels, state, actions, TO_THE_END, Valuation()).values.max())
        if abs(best - turn["double_dummy_points"]) > VALUE_TOLERANCE:
            raise _MismatchError("double_dummy_points", turn["double_dummy_points"], best)


def _compare(expected: Mapping[str, Any], got: Mapping[str, Any]) -> None:
    difference = _first_difference(expected, got)
    if difference:
        raise _MismatchError(**difference)


def _normal(field: str, value: Any) -> Any:
    """Values whose order has no meaning, in order."""
    if field == "legal":
        return sorted(value, key=str)
    return [sorted(hand) for hand in value] if field in ("hands", "final_hands") else value


def _first_difference(expected: Mapping[str, Any], got: Mapping[str, Any]) -> dict[str, Any] | None:
    for field, value in got.items():
        if field not in expected:
            continue
        if isinstance(value, dict):
            inner = _first_difference(expected[field], value)
            if inner:
                return inner | {"field": f"{field}.{inner['field']}"}
        elif _normal(field, expected[field]) != _normal(field, value):
            return {"field": field, "expected": expected[field], "got": value}
    return None
