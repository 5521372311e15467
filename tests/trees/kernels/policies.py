"""Trees are searched, not played: the frame asks for one policy."""
# mypy: ignore-errors

NAMES = ("random",)
NEEDS_JOURNAL = ()


@kernel
def choose(policy, s, r, buffer, j):
    return rng.below(r, R.legal_actions(s, buffer))
