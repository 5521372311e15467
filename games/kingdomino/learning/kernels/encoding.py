"""Kingdomino written as numbers (a template over the rules, R; `games.encodings` lists the kernels).

s: int32[SIZE], a state; seat: who looks; out: the array written to; n: where in it; whole numbers are int64.
"""

from numpy import int64

from games.kingdomino import dominoes
from games.kingdomino.learning import DOMINO
from games.kingdomino.state import *  # noqa: F403 - the layout's names are this file's vocabulary

T = dominoes.load()
TERRAIN_OF, CROWNS_OF = T.terrain, T.crowns
KINGDOM_PLANES = NUM_TERRAINS + dominoes.MAX_CROWNS
END = NUM_TERRAINS + 1


@kernel
def write_planes(s, k, out, n):
    """The sets of squares of the kingdom at k, one plane each; return where the next plane begins."""
    for plane in range(KINGDOM_PLANES):
        for half in range(2):
            word = int64(s[k + 2 * plane + half])
            for square in range(32):
                out[n + square] = (word >> square) & 1
            n += 32
    return n


@kernel
def write_domino(domino, out, n):
    """A domino (index, -1: none) where zeros stand; return where the next one begins."""
    if domino >= 0:
        out[n] = domino + 1
        for end in range(2):
            at = n + 1 + END * end
            out[at + TERRAIN_OF[2 * domino + end]] = 1
            out[at + NUM_TERRAINS] = CROWNS_OF[2 * domino + end]
    return n + DOMINO


@kernel
def write_seats(s, at, seat, out, n):
    """Of MAX_KINGS words from s[at] on (seat + 1, 0: nobody) a row each with 1 for the seat, where zeros stand."""
    seats = int64(s[NUM_SEATS])
    for i in range(MAX_KINGS):
        if s[at + i]:
            out[n + (s[at + i] - 1 - seat + seats) % seats] = 1
        n += seats
    return n


@kernel
def points_of(s, seat):
    """Points of a kingdom as it stands."""
    k = KINGDOMS + KINGDOM * seat
    return R.scoring.area_points(s, k) + R.middle_points(s, k, seat) + R.harmony_points(s, k, seat)


@kernel
def observe(s, seat, chosen, out):
    """The whole observation of a seat."""
    seats = int64(s[NUM_SEATS])
    n = int64(0)
    for i in range(seats):
        n = write_planes(s, KINGDOMS + KINGDOM * ((seat + i) % seats), out, n)
    out[n:] = 0
    out[n], out[n + 1], out[n + 2], out[n + 3], out[n + 4] = s[ROUND], s[NUM_ROWS] + 1, s[TURN], s[LIMIT], s[MUST_PLACE]
    n += 5
    if s[PLAYER] >= 0:
        out[n + (s[PLAYER] - seat + seats) % seats] = 1
    n += seats
    n = write_domino(R.to_place(s) if s[PLAYER] >= 0 else int64(-1), out, n)
    for i in range(MAX_KINGS):
        n = write_domino(int64(s[ROW + i]) - 1, out, n)
    n = write_seats(s, CLAIM, seat, out, n)
    for i in range(MAX_KINGS):
        n = write_domino(int64(s[LAST + i]) - 1, out, n)
    n = write_seats(s, ORDER if s[ROUND] == 1 else OWNER, seat, out, n)
    for domino in range(NUM_DOMINOES):
        out[n + domino] = (s[POOL + domino // 24] >> (domino % 24)) & 1
    n += NUM_DOMINOES
    for i in range(seats):
        other = (seat + i) % seats
        k = KINGDOMS + KINGDOM * other
        out[n + i] = points_of(s, other)
        out[n + seats + i] = s[k + DISCARDS]
        at = n + 2 * seats + 4 * i
        out[at], out[at + 1], out[at + 2], out[at + 3] = -s[k + WEST], s[k + EAST], -s[k + NORTH], s[k + SOUTH]


@kernel
def standing(s, seat):
    """Points; then largest area and crowns, where the option `ties` asks for it."""
    k = KINGDOMS + KINGDOM * seat
    rank = points_of(s, seat) << 20
    if s[TIES] == 0:
        return rank
    largest, crowns = int64(0), int64(0)
    for terrain in range(NUM_TERRAINS):
        left = R.squares(s, k + 2 * terrain)
        while left != R.NONE:
            area = R.area_of(left & (~left + R.ONE), left)
            left &= ~area
            largest = max(largest, R.count(area))
    for level in range(dominoes.MAX_CROWNS):
        crowns += R.count(R.squares(s, k + CROWNED + 2 * level))
    return rank + (largest << 10) + crowns
