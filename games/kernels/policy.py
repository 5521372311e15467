"""A policy by itself, as Python asks it (a template; CHOOSE: a game's kernel, with the arguments of `choose`)."""


@kernel
def choose(policy, s, r, buffer, j):
    """Action of the policy of that number for the seat on turn; buffer: int32[MAX_ACTIONS], overwritten."""
    return CHOOSE(policy, s, r, buffer, j)
