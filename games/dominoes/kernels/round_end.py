"""Ends of a round of dominoes and their scores: a part of the rules (`rules.py`).

Points are kept as credit of the team that gains by them; the option
`direction` only says how they are read (`kernels.scores`). Arrays: s int32[SIZE], j the journal.
"""

from numpy import int64

from games.dominoes import tiles
from games.dominoes.state import *  # noqa: F403 - the layout's names are this file's vocabulary

PIPS, FIRST, SECOND = tiles.PIPS, tiles.FIRST, tiles.SECOND
OUT_TILE_00 = tiles.INDEX[0, 0]


@kernel
def hand_pips(s, seat):
    """Pips of a hand; 0 where it is unknown."""
    hand, total = int64(s[HAND + seat]), int64(0)
    if hand > 0:
        while hand:
            total += PIPS[bits.lowest_bit(hand)]
            hand &= hand - 1
    return total


@kernel
def team_pips(s, team):
    return hand_pips(s, team) + hand_pips(s, team + 2)


@inlined_kernel
def ends_by_passing(s, passes):
    """Whether so many passes since the last tile end the round: four, or three (option `block_end`)."""
    return (s[BLOCK_END] == 1 and passes == 4) or (s[BLOCK_END] == 2 and passes == 3)


@kernel
def points_for_out(s, losers, winners):
    """Points where a team goes out, from the pips of both teams."""
    return losers + winners if s[OUT_POINTS] else losers


@kernel
def points_for_block(s, losers, winners):
    """Points of a block, from the pips of both teams: the losers', all, or the difference."""
    if s[BLOCK_POINTS] == 0:
        return losers
    return losers + winners if s[BLOCK_POINTS] == 1 else abs(losers - winners)


@kernel
def of_seat(seat, a, b, c, d):
    """The number of a seat among those of seats 0 to 3."""
    if seat & 1:
        return d if seat & 2 else b
    return c if seat & 2 else a


@kernel
def nearest(s, least, a, b, c, d):
    """Team of the seat with so few pips that is nearest to the opener in the order of play."""
    for step in range(MAX_SEATS):
        seat = int64(s[OPENER] + step) & 3
        if of_seat(seat, a, b, c, d) == least:
            return seat & 1
    return int64(s[OPENER] & 1)


@kernel
def tied_block(s, layer, a, b, c, d):
    """Winning team of a tied block, -1: void."""
    opener, blocker = int64(s[OPENER] & 1), layer & 1
    rule = s[BLOCK_TIE]
    if rule == 0:
        return int64(-1)
    if rule == 5:
        return nearest(s, min(a, b, c, d), a, b, c, d)
    team = opener if rule <= 2 else blocker
    return 1 - team if rule == 1 or rule == 3 else team


@kernel
def winner_of_block(s, layer, a, b, c, d):
    """Team that wins a block, -1: nobody. layer: seat that laid the last tile; a to d: pips of seats 0 to 3."""
    even, odd = a + c, b + d
    if s[BLOCK_COMPARE] == 1:
        even, odd = min(a, c), min(b, d)
    elif s[BLOCK_COMPARE] == 2:
        own, other = of_seat(layer, a, b, c, d), of_seat((layer + 1) & 3, a, b, c, d)
        even, odd = (own, other) if layer & 1 == 0 else (other, own)
    if even != odd:
        return int64(even > odd)
    return tied_block(s, layer, a, b, c, d)


@kernel
def out_points(s, winner):
    """Points where a team goes out, or another loses as if it had."""
    return points_for_out(s, team_pips(s, 1 - winner), team_pips(s, winner))


@kernel
def first_rounds(s):
    """Bonus of the team that wins this round by its hands."""
    return 125 - 25 * int64(s[ROUND]) if s[FIRST_ROUNDS_BONUS] and s[ROUND] <= 4 else int64(0)


@kernel
def is_capicua(s, tile, left, right):
    """Whether the last tile fits both ends, as the rules count it; left -1: a bare table."""
    a, b = FIRST[tile], SECOND[tile]
    fits_both = (a == left or b == left) and (a == right or b == right)
    return fits_both and ((left != right and a != b) or s[CAPICUA_ENDS] == 1)


@kernel
def bonus_for_tile(s, tile, left, right):
    """Bonuses for going out with a tile at these ends."""
    bonus = int64(s[CHUCHAZO]) if tile == OUT_TILE_00 else int64(0)
    return bonus + int64(s[CAPICUA]) if is_capicua(s, tile, left, right) else bonus


@kernel
def add_credit(s, team, points, j):
    if points:
        journal.write(s, CREDIT + team, s[CREDIT + team] + points, j)


@kernel
def add_bonus(s, team, points, j):
    """Points beside those of the hands, noted apart on the score sheet."""
    if points:
        add_credit(s, team, points, j)
        journal.write(s, BONUS + team, s[BONUS + team] + points, j)


@kernel
def coming_opener(s, winner, seat):
    """Opener of the next round. winner: team, -1 none; seat: who ended this one."""
    rule, after = s[NEXT_OPENER], (int64(s[OPENER]) + 1) & 3
    if rule == 0 or winner < 0:
        return after
    if s[KIND] == OUT or s[KIND] == DOUBLES_END:
        return seat
    if rule == 2 and s[KIND] == BLOCK:
        return seat if seat & 1 == winner else (seat + 1) & 3
    return winner if hand_pips(s, winner) <= hand_pips(s, winner + 2) else winner + 2


@kernel
def is_match_over(s):
    """After a round: a single one, a target reached by one team more than by the other, or too many."""
    if s[LENGTH] == 1 or s[ROUND] == MAX_ROUNDS:
        return True
    a, b = s[CREDIT], s[CREDIT + 1]
    return a != b and max(a, b) >= s[TARGET]


@kernel
def write_line(s, facts, points, j):
    """Put the round on the score sheet."""
    at = SHEET + SHEET_LINE * (int64(s[ROUND]) - 1)
    pips = int64(0)
    for seat in range(MAX_SEATS):
        pips |= hand_pips(s, seat) << (7 * seat)
        journal.write(s, LAST_HAND + seat, s[HAND + seat], j)
    if s[NUM_TURNS]:
        journal.write(s, LAST_TURN, s[LOG + int64(s[NUM_TURNS]) - 1], j)
    journal.write(s, at + FACTS, facts, j)
    journal.write(s, at + SHEET_PIPS, pips, j)
    journal.write(s, at + POINTS, points, j)
    journal.write(s, at + BONUS_0, s[BONUS], j)
    journal.write(s, at + BONUS_1, s[BONUS + 1], j)


@kernel
def finish(s, winner, seat, points, marks, j):
    """End the round, KIND being set. winner: team, -1 none; seat: who ended it; marks: more facts."""
    team = max(winner, 0)
    add_credit(s, team, points, j)
    if winner >= 0 and s[KIND] != FOUL_END:
        add_bonus(s, team, first_rounds(s), j)
    facts = int64(s[KIND]) | (winner + 1) << F_WINNER | int64(s[OPENER]) << F_OPENER | seat << F_SEAT
    write_line(s, facts | int64(s[NUM_TURNS]) << F_TURNS | marks, points, j)
    journal.write(s, WINNER, winner + 1, j)
    journal.write(s, COMING_OPENER, coming_opener(s, winner, seat), j)
    journal.write(s, NUM_DEALT, 0, j)
    if is_match_over(s):
        journal.write(s, PLAYER, -2, j)
        ahead = int64(s[CREDIT + 1] > s[CREDIT])
        if s[ZAPATO] and s[LENGTH] == 0 and s[CREDIT + 1 - ahead] == 0:
            add_credit(s, ahead, int64(s[CREDIT + ahead]), j)
    else:
        journal.write(s, PLAYER, -1, j)


@kernel
def end_out(s, tile, left, right, j):
    """The seat on turn has laid its last tile on the ends left and right (-1: a bare table)."""
    seat = int64(s[PLAYER])
    journal.write(s, KIND, OUT, j)
    winner = seat & 1
    marks = int64(is_capicua(s, tile, left, right)) << F_CAPICUA | int64(tile == OUT_TILE_00) << F_CHUCHAZO
    add_bonus(s, winner, bonus_for_tile(s, tile, left, right), j)
    finish(s, winner, seat, out_points(s, winner), marks, j)


@kernel
def end_block(s, j):
    """End a round in which nobody can lay a tile, or nobody does."""
    journal.write(s, KIND, BLOCK, j)
    layer = int64(s[LAST_LAYER])
    winner = winner_of_block(s, layer, hand_pips(s, 0), hand_pips(s, 1), hand_pips(s, 2), hand_pips(s, 3))
    points = int64(0)
    if winner >= 0:
        points = points_for_block(s, team_pips(s, 1 - winner), team_pips(s, winner))
    finish(s, winner, layer, points, int64(0), j)


@kernel
def end_foul(s, offender, caller, j):
    """A call ends the round: points against the offender's team, or the round is lost."""
    winner = 1 - (offender & 1)
    journal.write(s, KIND, FOUL_END, j)
    points = out_points(s, winner) if s[FOUL] == 1 else int64(s[FOUL_POINTS])
    finish(s, winner, offender, points, caller << F_CALLER, j)


@kernel
def end_dealt(s, seat, j):
    """Four doubles in one hand win the round as soon as it is dealt (option `many_doubles`)."""
    journal.write(s, KIND, DOUBLES_END, j)
    finish(s, seat & 1, seat, out_points(s, seat & 1), int64(0), j)
