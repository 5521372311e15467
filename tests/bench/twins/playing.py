"""Matches of one policy, which is compiled alone (a template of `games.loader`, rules in R; POLICY: its number)."""
# mypy: ignore-errors

choose = R.policies.BY_NUMBER[POLICY]


@kernel
def play(start, count, seed, s, r, buffer, j, totals, points):
    """Play the first `count` matches as `playout.playouts` does, and return their plies.

    totals, points: int64[MAX_SEATS]; final scores are added to totals.
    """
    plies = 0
    for k in range(count):
        rng.seed(r, rng.mix2(seed, k))
        journal.copy(start, s)
        while True:
            player = R.current_player(s)
            if player == -2:
                break
            if player == -1:
                R.playout.settle(s, r, j)
            else:
                R.apply(s, choose(POLICY, s, r, buffer, j), j)
                plies += 1
            journal.reset(j)
        R.scores(s, points)
        for seat in range(R.num_seats(s)):
            totals[seat] += points[seat]
    return plies
