"""One rule a test, on positions set up by hand."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from games import rng as streams
from games.dominoes import house_rules, reading, tiles
from games.dominoes import state as layout
from games.options import OptionError, from_json
from games.protocol import CHANCE, TERMINAL, IllegalActionError, State
from tests.games.dominoes import reference
from tests.games.dominoes.tables import GAME, Tables, action_of, after, move_of, position, set_of
from tests.looping import looped

WINNERS: dict[str, Any] = {"direction": "winners"}
# seat 0 may go out at either end or with one tile; seat 1 holds 7 pips, 2 holds 3, 3 holds 8
LAST = [[(1, 2)], [(3, 4)], [(0, 3)], [(2, 6)]]
# the tile 1-5 blocks: all other tiles with a 5 lie; pips then 4, 7, 6, 5
BLOCK = [[(1, 5), (0, 4)], [(3, 4)], [(0, 6)], [(1, 4)]]


def moves(state: State) -> set[Any]:
    return {move_of(action) for action in GAME.legal_actions(state).tolist()}


def line(state: State) -> reading.Line:
    return reading.sheet(state)[-1]


def credit(state: State) -> list[int]:
    return state[layout.CREDIT : layout.CREDIT + 2].tolist()


def dealt(hands: list[list[tuple[int, int]]], **options: Any) -> State:
    return Tables(options, hands).state


# ---- turns
def test_tiles_go_to_ends_with_their_number() -> None:
    state = position([[(1, 2), (2, 2), (1, 6), (3, 3)], [(4, 4)], [(5, 5)], [(6, 6)]], (1, 2), 0)
    assert moves(state) == {((1, 2), "L"), ((1, 2), "R"), ((2, 2), "R"), ((1, 6), "L")}
    assert reading.ends(after(state, ((1, 2), "L"))) == (2, 2)
    assert reading.ends(after(state, ((1, 2), "R"))) == (1, 1)
    assert reading.ends(after(state, ((1, 6), "L"))) == (6, 2)
    assert reading.ends(after(state, ((2, 2), "R"))) == (1, 2)


def test_equal_ends_are_one_place() -> None:
    state = position([[(1, 2), (2, 2)], [(4, 4)], [(5, 5)], [(6, 6)]], (2, 2), 0)
    assert moves(state) == {((1, 2), "L"), ((2, 2), "L")}


def test_only_who_cannot_lay_passes() -> None:
    state = position([[(3, 3), (3, 4)], [(1, 4)], [(5, 5)], [(6, 6)]], (1, 2), 0)
    assert moves(state) == {"PASS"}
    state = after(state, "PASS")
    assert GAME.current_player(state) == 1
    assert moves(state) == {((1, 4), "L")}
    assert reading.lacks(state, 0) == (1, 2)


def test_the_holder_of_66_opens_with_it() -> None:
    hands = reference.random_hands(random.Random(1))
    seat = next(seat for seat in range(4) if (6, 6) in hands[seat])
    state = dealt(hands)
    assert GAME.current_player(state) == seat
    assert moves(state) == {((6, 6), "L")}
    assert len(moves(dealt(hands, first_opener="66_any"))) == 7


def test_the_first_opener_may_be_drawn_by_lot() -> None:
    start = GAME.initial_state(GAME.options(first_opener="any"), 4)
    assert [GAME.kernels().is_legal(start, seat) for seat in (3, 4, 127)] == [True, False, False]
    assert GAME.outcome_notation(start, 2) == "green opens"
    openers = {GAME.deal(GAME.options(), 4, streams.new_stream(seed, streams.DEAL)).draw(start) for seed in range(40)}
    assert openers == {0, 1, 2, 3}
    assert GAME.current_player(GAME.apply(start, 3)) == CHANCE


def test_a_hand_is_any_seven_tiles_that_are_left() -> None:
    start = GAME.initial_state(GAME.options(), 4)
    state = GAME.apply(start, 0b1111111)
    for hand in (0b1111110, 0b11111110000000 | 1, 0b1111111 << 22):
        with pytest.raises(IllegalActionError):
            GAME.apply(state, hand)
    state = GAME.apply(GAME.apply(state, 0b1111111 << 7), 0b1111111 << 14)
    assert [len(reading.hand(state, seat) or ()) for seat in range(4)] == [7] * 4
    assert reading.hand(state, 3) == tuple(range(21, 28))


# ---- going out
def test_going_out_scores_the_losers_pips() -> None:
    state = after(position(LAST, (1, 5), 0), ((1, 2), "L"))
    assert (line(state).kind, line(state).winner, line(state).seat, line(state).points) == ("out", 0, 0, 15)
    assert line(state).pips == (0, 7, 3, 8)
    assert credit(state) == [15, 0]


def test_going_out_may_score_all_pips() -> None:
    assert credit(after(position(LAST, (1, 5), 0, out_points="all"), ((1, 2), "L"))) == [18, 0]


def test_losers_write_points_down_below_zero_and_winners_above() -> None:
    state = after(position(LAST, (1, 5), 0), ((1, 2), "L"))
    assert GAME.scores(state) == (0, -15, 0, -15)
    assert [(event.points, event.seats) for event in GAME.events(state)] == [(-15, (1, 3))]
    state = after(position(LAST, (1, 5), 0, **WINNERS), ((1, 2), "L"))
    assert GAME.scores(state) == (15, 0, 15, 0)
    assert [(event.points, event.seats) for event in GAME.events(state)] == [(15, (0, 2))]


def test_a_winner_by_going_out_never_depends_on_the_partners_pips() -> None:
    heavy = [[(1, 2)], [(0, 0)], [(6, 6), (5, 6)], [(0, 1)]]
    state = after(position(heavy, (2, 5), 0, length="round"), ((1, 2), "L"))
    assert GAME.ranks(state) == (1, 3, 1, 3)
    assert line(state).points == 1


def test_a_round_is_won_even_where_no_pip_is_left() -> None:
    state = after(position([[(1, 2)], [(0, 0)], [(6, 6)], []], (2, 5), 0, length="round"), ((1, 2), "L"))
    assert credit(state) == [0, 0]
    assert GAME.ranks(state) == (1, 3, 1, 3)


def test_going_out_comes_before_the_block_that_the_same_tile_makes() -> None:
    state = after(position([[(1, 5)], *BLOCK[1:]], (1, 5), 0), ((1, 5), "L"))
    assert line(state).kind == "out"


# ---- blocks
def test_a_block_is_declared_at_once_when_no_tile_fits() -> None:
    state = after(position(BLOCK, (1, 5), 0), ((1, 5), "L"))
    assert (line(state).kind, line(state).seat) == ("block", 0)
    assert (line(state).winner, line(state).points) == (0, 12)


def test_no_block_is_declared_while_a_tile_fits() -> None:
    """Over many rounds: all seven tiles of the number at both ends lie on the table, and not before."""
    rules, r, j = GAME.kernels(), streams.new_stream(4, streams.ANALYSIS), np.ones(1, np.int32)
    buffer, blocks = np.zeros(layout.MAX_ACTIONS, np.int32), 0
    start = GAME.initial_state(GAME.options(length="round", first_opener="any"), 4)
    for _ in range(400):
        state = start.copy()
        rules.settle(state, r, j)
        while state[layout.PLAYER] >= 0:
            rules.apply(state, GAME.policy("random")(0, state, r, buffer, j), j)
            left, right = reading.ends(state) or (0, 0)
            fits = int(state[layout.UNPLAYED]) & int(tiles.SUIT[left] | tiles.SUIT[right])
            is_block = state[layout.PLAYER] < 0 and state[layout.KIND] == layout.BLOCK
            assert not (is_block and fits)
            assert state[layout.PLAYER] < 0 or fits, "somebody has a tile that fits"
            assert not is_block or left == right
        blocks += is_block
    assert 70 < blocks < 150, "27 of 100 rounds are blocked"


def test_a_block_may_wait_for_four_passes() -> None:
    state = after(position(BLOCK, (1, 5), 0, block_end="four_passes"), ((1, 5), "L"))
    for seat in (1, 2, 3, 0):
        assert GAME.current_player(state) == seat
        state = after(state, "PASS")
    assert (line(state).kind, line(state).winner) == ("block", 0)


def test_three_passes_end_a_round_of_the_replication_though_the_fourth_could_lay() -> None:
    hands = [[(3, 3)], [(3, 4)], [(4, 4)], [(1, 1)]]
    state = after(position(hands, (1, 2), 0, block_end="three_passes"), "PASS", "PASS", "PASS")
    assert line(state).kind == "block"
    state = after(position(hands, (1, 2), 0), "PASS", "PASS", "PASS")
    assert moves(state) == {((1, 1), "L")}


@pytest.mark.parametrize(("rule", "points"), [("own", 12), ("all", 22), ("difference", 2)])
def test_points_of_a_block(rule: str, points: int) -> None:
    assert credit(after(position(BLOCK, (1, 5), 0, block_points=rule), ((1, 5), "L"))) == [points, 0]


@pytest.mark.parametrize(("rule", "winner"), [("team", 0), ("player", 1), ("blocker", 0)])
def test_who_wins_a_block(rule: str, winner: int) -> None:
    laid = (1, 5)
    left = [(1, 4) if rule == "player" else (0, 4)], [(0, 2), (2, 3)], [(0, 6)], [(0, 3), (0, 1)]
    hands = [[laid, *left[0]], *left[1:]]  # pips left: 4 (player: 5), 7, 6, 4
    assert line(after(position(hands, (1, 5), 0, block_compare=rule), (laid, "L"))).winner == winner


TIE = [[(1, 5), (0, 4)], [(2, 4)], [(0, 6)], [(1, 3)]]  # pips 4, 6, 6, 4


@looped(
    "rule, player, winner",
    [
        ("none", 0, None),
        ("opener_loses", 0, 1),
        ("opener_wins", 0, 0),
        ("blocker_loses", 0, 1),
        ("blocker_wins", 0, 0),
        ("nearest", 0, 0),
    ],
)
def test_a_tied_block(rule: str, player: int, winner: int | None) -> None:
    state = after(position(TIE, (1, 5), player, block_tie=rule), ((1, 5), "L"))
    assert line(state).winner == winner
    assert credit(state) == [10 * (winner == 0), 10 * (winner == 1)]


def test_a_void_round_is_nobodys_and_the_next_seat_opens() -> None:
    state = after(position(TIE, (1, 5), 0, next_opener="winner"), ((1, 5), "L"))
    assert state[layout.COMING_OPENER] == 1
    single = after(position(TIE, (1, 5), 0, length="round"), ((1, 5), "L"))
    assert GAME.ranks(single) == (1, 1, 1, 1)


# ---- who opens next
@pytest.mark.parametrize(("rule", "opener"), [("left", 1), ("winner", 0), ("blocker", 0), ("choice", 0)])
def test_who_opens_after_somebody_went_out(rule: str, opener: int) -> None:
    assert after(position(LAST, (1, 5), 0, next_opener=rule), ((1, 2), "L"))[layout.COMING_OPENER] == opener


@pytest.mark.parametrize(("rule", "opener"), [("left", 1), ("winner", 2), ("blocker", 0), ("choice", 2)])
def test_who_opens_after_a_block(rule: str, opener: int) -> None:
    hands = [[(1, 5), (0, 6)], [(3, 4)], [(0, 4)], [(1, 4)]]
    assert after(position(hands, (1, 5), 0, next_opener=rule), ((1, 5), "L"))[layout.COMING_OPENER] == opener


def test_who_blocks_in_vain_lets_the_next_seat_open() -> None:
    hands = [[(1, 5), (6, 6)], [(3, 4)], [(0, 4)], [(1, 4)]]
    state = after(position(hands, (1, 5), 0, next_opener="blocker"), ((1, 5), "L"))
    assert (line(state).winner, state[layout.COMING_OPENER]) == (1, 1)


def test_the_winner_may_let_the_partner_open() -> None:
    state = after(position(LAST, (1, 5), 0, next_opener="choice"), ((1, 2), "L"))
    for hand in reference.random_hands(random.Random(2))[:3]:
        state = GAME.apply(state, set_of(hand))
    assert GAME.current_player(state) == 0
    assert "PARTNER" in moves(state)
    handed = after(state, "PARTNER")
    assert GAME.current_player(handed) == handed[layout.OPENER] == 2
    assert len(moves(handed)) == 7
    led = GAME.apply(state, int(GAME.legal_actions(state)[0]))
    assert "PARTNER" not in moves(led)


# ---- the end of a match
def test_the_first_team_at_the_target_ends_the_match() -> None:
    start = position(LAST, (1, 5), 0, target=30)
    start[layout.CREDIT] = 14
    assert GAME.current_player(after(start, ((1, 2), "L"))) == CHANCE
    start[layout.CREDIT] = 15
    state = after(start, ((1, 2), "L"))
    assert GAME.current_player(state) == TERMINAL
    assert GAME.ranks(state) == (1, 3, 1, 3), "team 1 has 30 points against it and loses"


def test_equal_points_at_the_target_go_on() -> None:
    start = position(LAST, (1, 5), 0, target=30)
    start[layout.CREDIT : layout.CREDIT + 2] = 25, 40
    assert GAME.current_player(after(start, ((1, 2), "L"))) == CHANCE


def test_a_match_of_too_many_rounds_ends() -> None:
    start = position(LAST, (1, 5), 0)
    start[layout.ROUND] = layout.MAX_ROUNDS
    assert GAME.is_terminal(after(start, ((1, 2), "L")))


def test_a_match_counts_double_where_the_losers_have_no_point() -> None:
    start = position(LAST, (1, 5), 0, target=30, zapato=True)
    start[layout.CREDIT] = 20
    assert credit(after(start, ((1, 2), "L"))) == [70, 0]
    start[layout.CREDIT + 1] = 1
    assert credit(after(start, ((1, 2), "L"))) == [35, 1]


# ---- bonuses
@looped(
    "hand, ends, counted, bonus",
    [
        ((1, 2), (1, 2), "differ", 25),
        ((1, 2), (1, 5), "differ", 0),
        ((1, 2), (2, 2), "differ", 0),
        ((1, 2), (2, 2), "any", 25),
        ((2, 2), (2, 2), "differ", 0),
        ((2, 2), (2, 2), "any", 25),
    ],
)
def test_capicua(hand: tuple[int, int], ends: tuple[int, int], counted: str, bonus: int) -> None:
    hands = [[hand], [(3, 4)], [(0, 3)], [(4, 6)]]
    state = position(hands, ends, 0, capicua=25, capicua_ends=counted)
    state = GAME.apply(state, int(GAME.legal_actions(state)[0]))
    assert line(state).bonuses == (bonus, 0)
    assert line(state).is_capicua == (bonus > 0)
    assert credit(state) == [17 + bonus, 0]


def test_chuchazo_and_capicua_add_up() -> None:
    hands = [[(0, 0)], [(3, 4)], [(0, 3)], [(2, 6)]]
    rules: dict[str, Any] = {"chuchazo": 100, "capicua": 30, "capicua_ends": "any"}
    assert line(after(position(hands, (0, 0), 0, **rules), ((0, 0), "L"))).bonuses == (130, 0)
    assert line(after(position(hands, (0, 3), 0, **rules), ((0, 0), "L"))).bonuses == (100, 0)


def test_a_bonus_when_all_others_pass() -> None:
    state = position([[(1, 2), (2, 3)], [(4, 4)], [(5, 5)], [(6, 6)]], (1, 1), 0, all_pass_bonus=25)
    state = after(state, ((1, 2), "L"), "PASS", "PASS")
    assert credit(state) == [0, 0]
    assert credit(after(state, "PASS")) == [25, 0]


@pytest.mark.parametrize(("lead", "bonus"), [((6, 6), 25), ((5, 6), 50)])
def test_a_bonus_when_the_next_seat_passes_on_the_opening(lead: tuple[int, int], bonus: int) -> None:
    high = [(a, b) for a, b in reference.TILES if b >= 5]
    low = [tile for tile in reference.TILES if tile not in high]
    hands = [[lead, *[tile for tile in high if tile != lead][:6]], low[:7], low[7:14], []]
    hands[3] = [tile for tile in reference.TILES if not any(tile in hand for hand in hands[:3])]
    state = Tables({"opening_pass_bonus": 25, "first_opener": "any"}, hands).state
    assert credit(after(state, (lead, "L"), "PASS")) == [bonus, 0]


def test_winners_of_the_first_four_rounds_get_more() -> None:
    for number, bonus in ((1, 100), (2, 75), (3, 50), (4, 25), (5, 0)):
        start = position(LAST, (1, 5), 0, first_rounds_bonus=True, target=500)
        start[layout.ROUND] = number
        assert credit(after(start, ((1, 2), "L"))) == [15 + bonus, 0]


# ---- many doubles
def hands_with_doubles(count: int) -> list[list[tuple[int, int]]]:
    doubles = [(n, n) for n in range(count)]
    rest = [tile for tile in reference.TILES if tile not in doubles]
    others = [tile for tile in rest if tile[0] != tile[1]]
    own = doubles + others[: 7 - count]
    left = [tile for tile in rest if tile not in own]
    return [left[:7], own, left[7:14], left[14:]]


def test_five_doubles_may_be_dealt_anew() -> None:
    state = dealt(hands_with_doubles(5), many_doubles="redeal")
    assert (GAME.current_player(state), state[layout.REDEALS], state[layout.ROUND]) == (CHANCE, 1, 1)
    deal = GAME.deal(GAME.options(), 4, streams.new_stream(1, streams.DEAL))
    first = deal.draw(GAME.initial_state(GAME.options(), 4))
    assert deal.draw(state) != first, "a new deal is another one"
    assert GAME.current_player(dealt(hands_with_doubles(4), many_doubles="redeal")) >= 0


def test_four_doubles_may_win_at_once() -> None:
    hands = hands_with_doubles(4)
    state = dealt(hands, many_doubles="win")
    pips = [sum(a + b for a, b in hand) for hand in hands]
    assert (line(state).kind, line(state).winner, line(state).seat) == ("doubles", 1, 1)
    assert credit(state) == [0, pips[0] + pips[2]]
    assert GAME.current_player(dealt(hands_with_doubles(3), many_doubles="win")) >= 0


# ---- calls
CALLS: dict[str, Any] = {"enforce_pass": False}
HELD = [[(1, 3), (3, 3)], [(1, 4), (4, 4)], [(5, 5), (5, 6)], [(6, 6), (4, 6)]]


def test_without_enforcement_anybody_but_the_opener_may_pass() -> None:
    assert "PASS" in moves(position(HELD, (1, 2), 0, **CALLS))
    assert "PASS" not in moves(dealt(reference.random_hands(random.Random(1)), **CALLS))


def test_a_right_call_costs_the_offenders_team() -> None:
    state = after(position(HELD, (1, 2), 0, **CALLS), "PASS")
    assert ("CALL", 0) in moves(state)
    state = after(state, ("CALL", 0))
    assert (line(state).kind, line(state).winner, line(state).seat, line(state).caller) == ("foul", 1, 0, 1)
    assert credit(state) == [0, 50]


def test_a_wrong_call_costs_the_callers_team_or_nothing() -> None:
    start = position(HELD, (2, 2), 0, **CALLS)
    state = after(start, "PASS", ("CALL", 0))
    assert (line(state).winner, line(state).seat, credit(state)) == (0, 1, [50, 0])
    state = after(position(HELD, (2, 2), 0, wrong_call="ignored", **CALLS), "PASS", ("CALL", 0))
    assert GAME.current_player(state) == 1
    assert ("CALL", 0) not in moves(state), "once for each pass"


def test_a_call_is_judged_by_the_hand_at_the_time_of_the_pass() -> None:
    start = position(HELD, (1, 2), 0, **CALLS)
    state = after(start, "PASS", ((1, 4), "L"), "PASS", "PASS", "PASS")
    assert credit(after(state, ("CALL", 0))) == [0, 50], "0 held the 1-3 when a 1 was open"
    laid = after(start, "PASS", "PASS", "PASS", "PASS", ((1, 3), "L"))
    assert credit(after(laid, ("CALL", 0))) == [0, 50], "it has laid the 1-3 since"


def test_calls_may_be_for_the_last_pass_alone_or_for_the_partner_too() -> None:
    turns = ["PASS", ((1, 4), "L"), "PASS", "PASS"]
    assert {move for move in moves(after(position(HELD, (1, 2), 0, **CALLS), *turns)) if move[0] == "CALL"} == {
        ("CALL", 3)
    }
    last = after(position(HELD, (1, 2), 0, call_scope="last", **CALLS), "PASS", "PASS")
    assert {move for move in moves(last) if move[0] == "CALL"} == {("CALL", 1)}
    everybody = after(position(HELD, (1, 2), 0, call_scope="all", **CALLS), *turns)
    assert {move for move in moves(everybody) if move[0] == "CALL"} == {("CALL", 2), ("CALL", 3)}


def test_a_foul_may_lose_the_round_or_be_a_warning() -> None:
    state = after(position(HELD, (1, 2), 0, foul="round", **CALLS), "PASS", ("CALL", 0))
    assert credit(state) == [0, 10 + 21]
    state = after(position(HELD, (1, 2), 0, foul="warning", **CALLS), "PASS", ("CALL", 0))
    assert (GAME.current_player(state), credit(state)) == (1, [0, 0])


def test_what_a_call_showed_is_told_to_all() -> None:
    wrong = after(position(HELD, (1, 2), 0, foul="warning", **CALLS), "PASS", ("CALL", 0))
    right = after(position(HELD, (1, 2), 2, foul="warning", **CALLS), "PASS", ("CALL", 2))
    for state, verdict in ((wrong, "wrong"), (right, "right")):
        turn, words = reading.turns(state)[-1], f"{verdict.capitalize()} pass"
        assert turn.is_upheld == (verdict == "wrong")
        assert GAME.observation(state, None)["turns"][-1] == [turn.seat, f"call: {verdict} pass"]
        assert f"{words}</text>" in GAME.svg(state)
        assert GAME.information_set(wrong, 3) != GAME.information_set(right, 3)


def test_moves_are_told_by_colours() -> None:
    state = after(position(HELD, (1, 2), 0, **CALLS), "PASS")
    action = layout.CALL
    (part,) = GAME.parts(state, action)
    assert (part.label, part.words) == ("Call the pass of blue", "calls the pass of blue")
    assert GAME.notation(state, action) == "call blue"
    assert GAME.parts(state, layout.PASS)[0].words == "passes"


def test_a_round_without_end_is_a_block() -> None:
    state = position(HELD, (1, 2), 0, **CALLS)
    for _ in range(layout.MAX_TURNS):
        state = after(state, "PASS")
    assert line(state).kind == "block"


# ---- options
def test_presets_are_options_that_differ_from_the_defaults() -> None:
    for rules in house_rules.PRESETS.values():
        values = rules.options
        options = from_json(GAME.options, values)
        assert all(getattr(GAME.options(), name) != value for name, value in values.items())
        assert GAME.codes(options).shape == (layout.NUM_OPTIONS,)


def test_bad_options_are_refused_by_name() -> None:
    for name, value in (("target", 0), ("capicua", -1), ("block_tie", "both"), ("enforce_pass", 1)):
        with pytest.raises(OptionError, match=name):
            from_json(GAME.options, {name: value})


def test_actions_and_tiles_have_their_names() -> None:
    state = position(HELD, (1, 2), 0, **CALLS)
    assert GAME.notation(state, action_of(((1, 3), "L"))) == "1-3 left"
    assert GAME.notation(state, layout.PASS) == "pass"
    with pytest.raises(ValueError, match="7-1"):
        tiles.index_of(7, 1)
