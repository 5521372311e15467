"""The metrics of a match of dominoes that is over, in one call: a part of `policies.py` (rules in R).

Columns are those of `games.dominoes.metrics.COLUMNS`, in its order; what a seat has not is not a number.
"""

import numpy as np
from numpy import int64

from games.dominoes import tiles

MAX_ROUNDS, MAX_OWN_TURNS, NUM_ENDS = 20, 8, 4
ROUNDS, ENDED, TURNS, WON = 0, 1, 5, 6
ROUNDS_WON, ROUNDS_LOST, ROUNDS_VOID, DOMINAI_WON = range(10, 14)
WENT_OUT, BLOCKED, BLOCKED_WON, OPENED, OPENED_WON = range(14, 19)
TEAM_OPENED, OTHERS_OPENED, TEAM_OPENED_WON, OTHERS_OPENED_WON, OPENED_MARGIN = range(19, 24)
POINTS, BONUS, PASSES, FORCED, FORCED_PARTNER, PIPS_TILE = 24, 28, 29, 30, 31, 32
SCORE_ROUND = PIPS_TILE + tiles.HAND_SIZE
BELIEF = SCORE_ROUND + MAX_ROUNDS
OF_BELIEF = MAX_OWN_TURNS + 1
"""Numbers of a belief: those of own turns, their mean."""
NUM_METRICS = BELIEF + 2 * OF_BELIEF


@allocating_kernel
def measure(s, out):
    """Write every metric of every seat. out: float64[MAX_SEATS, NUM_METRICS]."""
    out[:] = np.nan
    for seat in range(R.MAX_SEATS):
        out[seat, :PASSES] = 0.0
        score, last = int64(0), int64(0)
        while last < R.MAX_ROUNDS and s[R.SHEET + R.SHEET_LINE * last + R.FACTS]:
            line = R.SHEET + R.SHEET_LINE * last
            measure_round(s, line, seat, out[seat])
            score += measure_points(s, line, seat, out[seat])
            if s[R.LENGTH] == 0 and last < MAX_ROUNDS:
                out[seat, SCORE_ROUND + last] = score
            last += 1
        out[seat, ROUNDS] = last
        measure_tallies(s, seat, out[seat])
    held = np.zeros((s[R.NUM_TURNS], 2))
    look_back(s, held)
    measure_beliefs(s, held, out)


@allocating_kernel
def look_back(s, held):
    """What seats believed of the true deal: `past_beliefs.look_back` of a copy. held: float64[turns, 2], out."""
    work, chances = np.zeros(R.dealing.WORK, np.int64), np.zeros((tiles.NUM_TILES, R.MAX_SEATS))
    R.past_beliefs.look_back(s.copy(), work, chances, held)


@kernel
def is_counted_by_dominai(s, line, team):
    """Whether the DominAI paper's program counts a round as won by a team: it went out, or it held fewer pips.

    The latter even where an opponent had gone out, so a round may be won by both. Pips alone decide a block.
    """
    facts, pips = int64(s[line + R.FACTS]), int64(s[line + R.SHEET_PIPS])
    went_out = facts & 7 == R.OUT and facts >> R.F_SEAT & 1 == team
    own = (pips >> 7 * team & 127) + (pips >> 7 * (team + 2) & 127)
    other = (pips >> 7 * (1 - team) & 127) + (pips >> 7 * (3 - team) & 127)
    return went_out or own < other


@kernel
def credit(s, line, team):
    """All points of a round in favour of a team."""
    winner = (int64(s[line + R.FACTS]) >> R.F_WINNER & 3) - 1
    return int64(s[line + R.BONUS_0 + team]) + (int64(s[line + R.POINTS]) if winner == team else 0)


@kernel
def measure_round(s, line, seat, row):
    """Count a round: how it ended, for whom, and who had opened it."""
    facts, team = int64(s[line + R.FACTS]), int64(seat & 1)
    end, winner = (facts & 7) - 1, (facts >> R.F_WINNER & 3) - 1
    opener, ender, is_won = facts >> R.F_OPENER & 3, facts >> R.F_SEAT & 3, winner == team
    row[ENDED + end] += 1
    row[TURNS] += facts >> R.F_TURNS & 255
    row[WON + end] += is_won
    row[ROUNDS_WON] += is_won
    row[ROUNDS_LOST] += winner == 1 - team
    row[ROUNDS_VOID] += winner < 0
    row[DOMINAI_WON] += is_counted_by_dominai(s, line, team)
    row[TEAM_OPENED if opener & 1 == team else OTHERS_OPENED] += 1
    row[TEAM_OPENED_WON if opener & 1 == team else OTHERS_OPENED_WON] += is_won
    if ender == seat:
        is_block = end + 1 == R.BLOCK
        row[WENT_OUT] += end + 1 == R.OUT
        row[BLOCKED] += is_block
        row[BLOCKED_WON] += is_block and is_won
    if opener == seat:
        row[OPENED] += 1
        row[OPENED_WON] += is_won
        row[OPENED_MARGIN] += credit(s, line, team) - credit(s, line, 1 - team)


@kernel
def measure_points(s, line, seat, row):
    """Count the points of a round, cause by cause: for the team, or against it and then below zero; return all."""
    facts, team, sign = int64(s[line + R.FACTS]), int64(seat & 1), int64(1)
    if s[R.DIRECTION] == 0:
        team, sign = 1 - team, int64(-1)
    if (facts >> R.F_WINNER & 3) - 1 == team:
        row[POINTS + (facts & 7) - 1] += sign * int64(s[line + R.POINTS])
    row[BONUS] += sign * int64(s[line + R.BONUS_0 + team])
    return sign * credit(s, line, team)


@kernel
def measure_tallies(s, seat, row):
    """What the rules tally."""
    row[PASSES], row[FORCED], row[FORCED_PARTNER] = s[R.PASSED + seat], s[R.FORCED + seat], s[R.FORCED_PARTNER + seat]
    for n in range(tiles.HAND_SIZE):
        row[PIPS_TILE + n] = s[R.TILE_PIPS + tiles.HAND_SIZE * seat + n] / s[R.ROUND]


@kernel
def measure_beliefs(s, held, out):
    """What seats believed in the last round, turn by turn and on average; nothing of a seat that had no turn."""
    for seat in range(R.MAX_SEATS):
        for kind in range(2):
            at, total, own = BELIEF + OF_BELIEF * kind, 0.0, int64(0)
            for turn in range(len(held)):
                if s[R.LOG + turn] >> R.LOG_SEAT & 3 == seat:
                    if own < MAX_OWN_TURNS:
                        out[seat, at + own] = held[turn, kind]
                    total += held[turn, kind]
                    own += 1
            if own:
                out[seat, at + MAX_OWN_TURNS] = total / own
