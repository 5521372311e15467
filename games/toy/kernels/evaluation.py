"""Static evaluation of cards: a template of `games.loader`, rules in R."""

WEIGHTS = ("score",)


@kernel
def evaluate(s, weights, out):
    """Each seat's points so far, weighted, to out float64[MAX_SEATS]."""
    for seat in range(s[R.NUM_SEATS]):
        out[seat] = weights[0] * s[R.SCORE + seat]
