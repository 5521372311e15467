"""Complete matches by policies, for benches and Monte Carlo (a template; R: a game's rules)."""

if hasattr(R, "settle"):
    settle = R.settle
else:

    @kernel
    def settle(s, r, j):
        """Draw and apply what chance decides now."""
        R.apply(s, R.sample_chance(s, r), j)


@kernel
def playout(s, policy, r, buffer, j):
    """Play state s to its end with one policy in every seat; return the number of plies."""
    plies = 0
    while True:
        player = R.current_player(s)
        if player == -2:
            return plies
        if player == -1:
            settle(s, r, j)
        else:
            R.apply(s, R.policies.choose(policy, s, r, buffer, j), j)
            plies += 1
        journal.reset(j)


@allocating_kernel
def playouts(start, policy, first, count, seed, s, r, buffer, j, totals):
    """Play matches number first .. first + count - 1 from `start`; return their plies.

    totals: int64[MAX_SEATS], final scores are added. The match with a given number is the
    same however the numbers are shared out over calls.
    """
    plies = 0
    points = totals.copy()
    for k in range(first, first + count):
        rng.seed(r, rng.mix2(seed, k))
        journal.copy(start, s)
        plies += playout(s, policy, r, buffer, j)
        R.scores(s, points)
        for seat in range(R.num_seats(s)):
            totals[seat] += points[seat]
    return plies
