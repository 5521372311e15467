"""A whole match between policies (a template; R: a game's rules, C: its course, `games.courses`).

t: `Lineup`, b: `Scratch`, c: `Columns` (`worker.whole_matches.kernel_arguments`). Streams, digests and all that is
kept are those of `worker.course` and `worker.engine_decision`, which play the same match ply by ply.
"""

from numpy import int64, uint64


@kernel
def renew(r, h, seat, ply):
    """Let r be the stream of a seat's ply. h: `games.rng.mix` of seed and purpose."""
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


@kernel
def keep_position(b, c, row, digest):
    """Write what a ply keeps of the position after it."""
    R.scores(b.state, b.points)
    for seat in range(c.scores.shape[1]):
        c.scores[row, seat] = b.points[seat]
    c.digests[row] = int64(digest)
    if C.NOTES:
        C.note(b.state, b.points, c.notes[row])


@kernel
def play(t, b, c, h, keeps):
    """Play a match to its end; return its plies, or -1 where a policy's action is not legal.

    h: `games.rng.mix` of the match's seed and purpose; keeps: whether columns are written. b.state is then the last
    position, b.digest that of the last ply.
    """
    s = b.state
    journal.copy(t.start, s)
    C.deal(s, b.luck, b.chance)
    ply, digest, is_open = int64(0), uint64(0), False
    while True:
        player = int64(R.current_player(s))
        if player == -1:
            number = int64(C.draw(s, b.luck, b.chance))
        else:
            if is_open:
                digest = rng.finalise((digest ^ R.key(s)) + rng._GOLDEN)
                if keeps:
                    keep_position(b, c, ply, digest)
                ply += 1
            if player == -2:
                break
            n = int64(R.legal_actions(s, b.legal))
            renew(b.search, h, player, ply)
            number = int64(R.policies.choose(t.policies[player], s, b.search, b.actions, b.journal))
            if not is_among(number, b.legal, n):
                return int64(-1)
            if keeps:
                c.seats[ply], c.actions[ply], c.legal_counts[ply] = player, number, n
                c.spellings[ply] = C.spelling(s, number)
            is_open = True
        R.apply(s, number, b.journal)
        journal.reset(b.journal)
    b.digest[0] = digest
    return ply
