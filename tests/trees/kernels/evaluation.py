"""The totals that stand in the tree (a template of `games.loader`)."""
# mypy: ignore-errors

from tests.trees.layout import HERE, NUM_SEATS, TOTAL

WEIGHTS = ("score",)


@kernel
def evaluate(s, weights, out):
    here = R.record(s, s[HERE]) + TOTAL
    for seat in range(s[NUM_SEATS]):
        out[seat] = weights[0] * s[here + seat]
