"""A match, played whole or from one seat that is asked to the next (a template; R: a game's rules, C: its course).

t: `Lineup`, b: `Scratch`, c: `Columns` (`worker.whole_matches.kernel_arguments`; `games.courses`). Streams, digests
and all that is kept are those of `worker.course` and `worker.engine_decision`, which play it ply by ply.
"""

import numpy as np
from numpy import int64, uint64

from worker.whole_matches.kernel_arguments import ASKED, LANES, LEGAL, PLY, SEAT

DIGITS = 6
"""Significant digits of the numbers beside a ply (`worker.engine_decision`)."""
TEN = 10.0 ** np.arange(19)
UNSURE = 1e-6
"""Nearer than this to the middle between two decimals, a product of doubles does not say which is nearer."""


@kernel
def renew(r, h, seat, ply):
    """Let r be the stream of a seat's ply, or of the deal (both 0). h: `games.rng.mix` of seed and purpose."""
    h = rng.finalise((h ^ uint64(seat)) + rng._GOLDEN)
    h = rng.finalise((h ^ uint64(ply)) + rng._GOLDEN)
    rng.seed(r, rng.finalise(h + rng._GOLDEN))


@kernel
def is_among(action, legal, n):
    """Whether an action is one of the first n that are legal."""
    for i in range(n):
        if legal[i] == action:
            return True
    return False


@inlined_kernel
def next_digest(c, row, digest, key, keeps):
    """Digest of a ply, from that of the ply before and the key of the position after it."""
    digest = rng.finalise((digest ^ key) + rng._GOLDEN)
    if keeps:
        c.digests[row] = int64(digest)
    return digest


if hasattr(R, "keyed"):

    @kernel
    def mix_columns(words, n, out):
        """The chain of `rng.mix2` over the first n words of each column, which takes as long for one as for eight."""
        for lane in range(LANES):
            out[lane] = uint64(words[0, lane])
        for i in range(1, n):
            for lane in range(LANES):
                out[lane] = rng.mix2(out[lane], uint64(words[i, lane]))

    @kernel
    def digest_position(b, c, ply, digest, waiting, is_last, keeps):
        """(Digest, positions that wait for their key) with the position after a ply; none waits after the last one."""
        if is_last and waiting == 0:
            return next_digest(c, ply, digest, R.key(b.state), keeps), waiting
        n = R.keyed(b.state, b.keyed, waiting)
        waiting += 1
        if is_last or waiting == LANES:
            mix_columns(b.keyed, n, b.keys)
            for lane in range(waiting):
                digest = next_digest(c, ply + 1 - waiting + lane, digest, b.keys[lane], keeps)
            waiting = int64(0)
        return digest, waiting

else:

    @inlined_kernel
    def digest_position(b, c, ply, digest, waiting, is_last, keeps):
        """(Digest, 0) with the position after a ply: none waits."""
        return next_digest(c, ply, digest, R.key(b.state), keeps), waiting


@kernel
def keep_position(b, c, row):
    """Write what a ply keeps of the position after it."""
    R.scores(b.state, b.points)
    for seat in range(c.scores.shape[1]):
        c.scores[row, seat] = b.points[seat]
    if C.NOTES:
        C.note(b.state, b.points, c.notes[row])


if hasattr(C, "choose"):

    @inlined_kernel
    def choose(t, b, player):
        """The action of a policy or a program."""
        program = t.programs[player]
        return int64(C.choose(t.policies[player], program, b.state, b.search, b.actions, b.journal, b.work))

else:

    @inlined_kernel
    def choose(t, b, player):
        """The action of a policy."""
        return int64(R.policies.choose(t.policies[player], b.state, b.search, b.actions, b.journal))


if hasattr(R, "num_legal"):

    @inlined_kernel
    def count_legal(s, legal):
        """Number of legal actions, which no list is needed for."""
        return R.num_legal(s)

    @inlined_kernel
    def is_allowed(s, action, legal, n):
        """Whether an action that a policy chose is legal."""
        return action >= 0 and R.is_legal(s, action)

else:

    @inlined_kernel
    def count_legal(s, legal):
        """Number of legal actions, which are written to `legal`."""
        return R.legal_actions(s, legal)

    @inlined_kernel
    def is_allowed(s, action, legal, n):
        """Whether an action that a policy chose is one of the n that are legal."""
        return is_among(action, legal, n)


@inlined_kernel
def is_before(table, i, j):
    """Whether row i comes before row j: better (NaN is worst), then tried more often, then of the lesser action."""
    one = -np.inf if np.isnan(table.values[i]) else table.values[i]
    other = -np.inf if np.isnan(table.values[j]) else table.values[j]
    if one != other:
        return one > other
    if table.visits[i] != table.visits[j]:
        return table.visits[i] > table.visits[j]
    return table.actions[i] < table.actions[j]


@inlined_kernel
def scale(x, shift):
    """A number times a power of ten."""
    return x * TEN[shift] if shift >= 0 else x / TEN[-shift]


@kernel
def rounded(x):
    """A finite number to six significant digits, NaN for any other; infinite where a double cannot say which way.

    Powers of ten are exact, so the last quotient is the double nearest to the decimal.
    """
    size = abs(x)
    if size == 0.0:
        return x
    if not size < np.inf:
        return np.nan
    if not 1e-12 < size < 1e12:
        return np.inf
    shift = DIGITS - 1 - int64(np.floor(np.log10(size)))
    scaled = scale(size, shift)
    if scaled >= TEN[DIGITS] or scaled < TEN[DIGITS - 1]:
        shift += -1 if scaled >= TEN[DIGITS] else 1
        scaled = scale(size, shift)
    whole = np.floor(scaled)
    if abs(scaled - whole - 0.5) < UNSURE:
        return np.inf
    value = scale(whole + 1.0 if scaled - whole > 0.5 else whole, -shift)
    return -value if x < 0.0 else value


@kernel
def order_best(table, chosen, order):
    """Write the places of the best rows of a table, or the last of them for the action chosen; return how many."""
    count, most = int64(0), int64(len(order))
    for i in range(len(table.actions)):
        at = count
        while at > 0 and is_before(table, i, order[at - 1]):
            at -= 1
        if at < most:
            count = min(count + 1, most)
            for k in range(count - 1, at, -1):
                order[k] = order[k - 1]
            order[at] = i
    for k in range(count):
        if table.actions[order[k]] == chosen:
            return count
    for i in range(len(table.actions)):
        if table.actions[i] == chosen:
            order[count - 1] = i
            return count
    return count - 1


@kernel
def list_best(b, table, chosen, best):
    """Write rows of the best actions of a table and of the one chosen, for the ply to be played; return how many.

    -1 if one is not legal.
    """
    ply, count = b.turn[PLY], order_best(table, chosen, best.order)
    for k in range(count):
        i = best.order[k]
        action, visits = int64(table.actions[i]), table.visits[i]
        if not is_among(action, b.legal, b.turn[LEGAL]):
            return int64(-1)
        value = table.values[i]
        error = table.deviations[i] / np.sqrt(float(visits)) if visits > 1 else np.nan
        keys, numbers, shown = best.keys[ply, k], best.numbers[ply, k], best.rounded[ply, k]
        keys[0], keys[1], keys[2] = action, C.spelling(b.state, action), visits
        numbers[0], numbers[1], shown[0], shown[1] = value, error, rounded(value), rounded(error)
    best.counts[ply] = count
    return count


@kernel
def begin(t, b):
    """Deal a match; nothing has happened yet."""
    journal.copy(t.start, b.state)
    renew(b.chance, b.chance[0], 0, 0)
    C.deal(b.state, b.luck, b.chance)
    b.turn[PLY], b.digest[0] = 0, uint64(0)


@kernel
def play(t, b, c, h, number, table, best):
    """Play a match on; return its plies so far, or -1 where an action is not legal, -2 where one of a table is not.

    number: the action of the seat that was asked, -1 to begin; table: `TableRows` of its decision, without rows where
    none are kept; best: `Best`; h: `games.rng.mix` of the match's seed and purpose. c is not written where it has no
    rows, and nothing is played where a table is not legal. b.turn then says who is on turn (-2: nobody any more) and
    how many of b.legal it may play; b.search is the stream of that ply, b.state the position, b.digest that of the
    last ply.
    """
    s, keeps, is_answered, is_open = b.state, len(c.seats) > 0, number >= 0, False
    if not is_answered:
        begin(t, b)
    elif len(table.actions) > 0 and list_best(b, table, number, best) < 0:
        return int64(-2)
    ply, digest, waiting = b.turn[PLY], b.digest[0], int64(0)
    while True:
        player = int64(R.current_player(s))
        if player == -1:
            number = int64(C.draw(s, b.luck, b.chance))
        else:
            if is_open:
                is_last = player == -2 or t.policies[player] == ASKED
                digest, waiting = digest_position(b, c, ply, digest, waiting, is_last, keeps)
                if keeps:
                    keep_position(b, c, ply)
                ply += 1
            b.turn[PLY], b.turn[SEAT], b.digest[0] = ply, player, digest
            if player == -2:
                return ply
            if is_answered:
                is_legal = is_among(number, b.legal, b.turn[LEGAL])
            else:
                renew(b.search, h, player, ply)
                if t.policies[player] == ASKED:
                    b.turn[LEGAL] = R.legal_actions(s, b.legal)
                    return ply
                b.turn[LEGAL] = count_legal(s, b.legal)
                number = choose(t, b, player)
                is_legal = is_allowed(s, number, b.legal, b.turn[LEGAL])
            if not is_legal:
                return int64(-1)
            if keeps:
                c.seats[ply], c.actions[ply], c.legal_counts[ply] = player, number, b.turn[LEGAL]
                c.spellings[ply] = C.spelling(s, number)
            is_answered, is_open = False, True
        R.apply(s, number, b.journal)
        journal.reset(b.journal)
