"""Playing policies of Kingdomino: state to action (a template of `games.loader`, rules in R)."""

from numpy import int64

greedy, informed, denying = part("greedy"), part("informed"), part("denying")
measure, NUM_METRICS = part("measures").measure, part("measures").NUM_METRICS

NAMES = ("random", "tr", "gprd", "gprd_plain", "fg", "fg_plain", "pg", "informed", "denying")
NEEDS_JOURNAL = ()
SEAT = 8
"""A policy that plays a seat apart from the others has that seat in its index, from this bit on."""


@kernel
def random_action(s, r):
    """Uniform over the legal actions, which are every placement with every choice."""
    choices = R.num_free(s)
    domino = R.to_place(s)
    number = int64(0)
    placement = int64(R.NOWHERE)
    if domino >= 0:
        right, down, left, up = R.placements(s, int64(s[R.PLAYER]), domino)
        n0, n1, n2, n3 = R.count(right), R.count(down), R.count(left), R.count(up)
        total = n0 + n1 + n2 + n3
        ways = total + 1 if total == 0 or s[R.MUST_PLACE] == 0 else total
        k = rng.below(r, ways * max(choices, 1))
        number, k = k // ways, k % ways
        if k < n0:
            placement = 4 * R.nth(right, k) + R.RIGHT
        elif k < n0 + n1:
            placement = 4 * R.nth(down, k - n0) + R.DOWN
        elif k < n0 + n1 + n2:
            placement = 4 * R.nth(left, k - n0 - n1) + R.LEFT
        elif k < total:
            placement = 4 * R.nth(up, k - n0 - n1 - n2) + R.UP
    elif choices > 1:
        number = rng.below(r, choices)
    choice = R.nth_free(s, number) if choices else int64(R.NOTHING)
    return placement * R.CHOICES + choice


@kernel
def crowned_start(s, r):
    """While nothing lies: a domino with the most crowns on one end, placed at random."""
    action = random_action(s, r)
    return action - action % R.CHOICES + greedy.most_crowns(s, r)


@kernel
def as_published(s, r, buffer, is_ahead):
    """`fg` (is_ahead) or `gprd`."""
    if greedy.is_bare(s):
        return crowned_start(s, r)
    action = greedy.greedy(s, r, buffer, is_ahead, R.NONE)
    return action if action >= 0 else random_action(s, r)


@kernel
def in_plain_words(s, r, buffer, is_ahead):
    """`fg_plain` (is_ahead) or `gprd_plain`."""
    action = greedy.greedy(s, r, buffer, is_ahead, R.CASTLE)
    if action < 0 and is_ahead and R.to_place(s) >= 0:
        action = greedy.greedy(s, r, buffer, False, R.CASTLE)
    return action if action >= 0 else random_action(s, r)


@inlined_kernel
def name_of(policy):
    """The place of a policy in NAMES."""
    return policy & ((1 << SEAT) - 1)


@inlined_kernel
def play_random(policy, s, r, buffer, j):
    """Action of `random` or `tr`."""
    return random_action(s, r)


@kernel
def play_greedy(policy, s, r, buffer, j):
    """Action of a greedy policy. `pg` plays `fg` for the seat in the index (see SEAT) and `tr` for all others."""
    name = name_of(policy)
    if name == 6 and s[R.PLAYER] != policy >> SEAT:
        return random_action(s, r)
    if name == 3 or name == 5:
        return in_plain_words(s, r, buffer, name == 5)
    return as_published(s, r, buffer, name != 2)


@inlined_kernel
def play_informed(policy, s, r, buffer, j):
    """Action of `informed`."""
    return informed.action(s, r, buffer, informed.WEIGHTS, informed.WIDTH)


@inlined_kernel
def play_denying(policy, s, r, buffer, j):
    """Action of `denying`."""
    return denying.action(s, r, buffer, informed.WEIGHTS)


BY_NUMBER = (play_random, play_random, *(play_greedy,) * 5, play_informed, play_denying)


@kernel
def choose(policy, s, r, buffer, j):
    """Action of the policy with index `policy` in NAMES for the seat on turn.

    buffer: int32[MAX_ACTIONS], overwritten.
    """
    name = name_of(policy)
    if name == 7:
        return play_informed(policy, s, r, buffer, j)
    if name == 8:
        return play_denying(policy, s, r, buffer, j)
    return play_random(policy, s, r, buffer, j) if name <= 1 else play_greedy(policy, s, r, buffer, j)
