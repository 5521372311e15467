"""Many matches stepped at once (a template; R: a game's rules, E: its encoding, `games.encodings`).

m: `Matches`, t: `Terms` (`worker.environments.kernel_arguments`); i: a match of m. Luck is drawn from the stream of
the match as it goes, so a match is the same whatever the others do.
"""

from numpy import int64

RESULT, MARGIN, SCORE = 0, 1, 2

if hasattr(R, "settle"):
    settle = R.settle
else:

    @kernel
    def settle(s, r, j):
        """Draw and apply what chance decides now."""
        R.apply(s, R.sample_chance(s, r), j)


@kernel
def carry_on(m, t, i):
    """Let chance and policies go on until a seat of the caller's is on turn, or the match is over."""
    s = m.states[i]
    while True:
        player = R.current_player(s)
        if player == -2:
            return
        if player == -1:
            settle(s, m.deals[i], t.journal)
        elif t.policies[player] < 0:
            return
        else:
            R.apply(s, R.policies.choose(t.policies[player], s, m.searches[i], t.actions, t.journal), t.journal)
        journal.reset(t.journal)


@kernel
def begin(m, t, i):
    """Deal a match in which the caller is asked: one that is over before that is dealt again."""
    s = m.states[i]
    while True:
        journal.copy(m.start, s)
        carry_on(m, t, i)
        if R.current_player(s) >= 0:
            break
    m.chosen[i] = -1
    if t.reward == SCORE:
        R.scores(m.start, t.scores)
        for seat in range(m.rewards.shape[1]):
            m.points[i, seat] = t.scores[seat]


@kernel
def show(m, t, i):
    """Write who is on turn, what it may do and what it may know."""
    s = m.states[i]
    player = R.current_player(s)
    m.players[i] = player
    mask, legal = m.masks[i], m.legal[i]
    for k in range(m.num_legal[i]):
        mask[legal[k]] = 0
    n = int64(E.legal_numbers(s, m.chosen[i], legal) if STEPS else R.legal_actions(s, legal))
    for k in range(n):
        mask[legal[k]] = 1
    m.num_legal[i] = n
    if m.observations.shape[1]:
        E.observe(s, player, m.chosen[i], m.observations[i])


@kernel
def is_ahead_alone(s, seat, best, seats, has_teams):
    """Whether no other side stands as well as the best seat given."""
    for other in range(seats):
        same_side = other == seat or (has_teams and (other - seat) % 2 == 0)
        if not same_side and E.standing(s, int64(other)) == best:
            return False
    return True


@kernel
def give_results(m, t, i):
    """1 for a win, 0 where the best place is shared, -1 else."""
    s, seats = m.states[i], m.rewards.shape[1]
    best = E.standing(s, int64(0))
    for seat in range(1, seats):
        best = max(best, E.standing(s, int64(seat)))
    for seat in range(seats):
        if E.standing(s, int64(seat)) != best:
            m.rewards[i, seat] = -1
        elif is_ahead_alone(s, int64(seat), best, int64(seats), t.has_teams):
            m.rewards[i, seat] = 1


@kernel
def give_margins(m, t, i):
    """Own points less the best opponent's."""
    seats = m.rewards.shape[1]
    R.scores(m.states[i], t.scores)
    for seat in range(seats):
        best, has_others = int64(0), False
        for other in range(seats):
            if other != seat and not (t.has_teams and (other - seat) % 2 == 0):
                best = max(best, t.scores[other]) if has_others else t.scores[other]
                has_others = True
        m.rewards[i, seat] = t.scores[seat] - best


@kernel
def give_points(m, t, i):
    """What each seat's points have grown by since the last step."""
    R.scores(m.states[i], t.scores)
    for seat in range(m.rewards.shape[1]):
        m.rewards[i, seat] = t.scores[seat] - m.points[i, seat]
        m.points[i, seat] = t.scores[seat]


@kernel
def play(m, t, i, action):
    """Play a whole action of the seat on turn, and all up to the caller's next one; the next match after the last."""
    s = m.states[i]
    R.apply(s, action, t.journal)
    journal.reset(t.journal)
    m.chosen[i] = -1
    carry_on(m, t, i)
    is_over = R.current_player(s) == -2
    if t.reward == SCORE:
        give_points(m, t, i)
    elif is_over and t.reward == RESULT:
        give_results(m, t, i)
    elif is_over:
        give_margins(m, t, i)
    m.is_over[i] = is_over
    if is_over:
        begin(m, t, i)


@kernel
def first_illegal(m, actions):
    """The first match whose action is none of its mask, -1: all are legal."""
    for i in range(len(actions)):
        if actions[i] < 0 or actions[i] >= m.masks.shape[1] or m.masks[i, actions[i]] == 0:
            return int64(i)
    return int64(-1)


@kernel
def step(m, t, actions):
    """Give every match a number, int64[n]; return the first match whose number is illegal (then none moves), or -1."""
    illegal = first_illegal(m, actions)
    if illegal >= 0:
        return illegal
    for i in range(len(actions)):
        for seat in range(m.rewards.shape[1]):
            m.rewards[i, seat] = 0
        m.is_over[i] = False
        if STEPS:
            action = E.action(m.states[i], m.chosen[i], actions[i])
            if action < 0:
                m.chosen[i] = actions[i]
            else:
                play(m, t, int64(i), action)
        else:
            play(m, t, int64(i), actions[i])
        show(m, t, int64(i))
    return int64(-1)


@kernel
def reset(m, t):
    """Begin a match in every row."""
    for i in range(len(m.players)):
        begin(m, t, int64(i))
        for seat in range(m.rewards.shape[1]):
            m.rewards[i, seat] = 0
        m.is_over[i] = False
        show(m, t, int64(i))


@kernel
def sample(m, r, actions):
    """Write a number to actions for every match: any of its legal ones, each as likely."""
    for i in range(len(actions)):
        actions[i] = m.legal[i, rng.below(r, int64(m.num_legal[i]))]
