"""What a seat knows of its prospects at cards: a template of `games.values`, rules in R."""

NUM_FEATURES = 4


@kernel
def features(s, seat, out):
    """Own points, points still to be handed out, the drawn card, whether the seat is the next to take one."""
    to_come = 0.0
    for card in range(R.MAX_CARDS):
        to_come += (card + 1) * s[R.POOL + card]
    out[0] = s[R.SCORE + seat]
    out[1] = to_come
    out[2] = s[R.CARD]
    out[3] = s[R.PLAYER] == seat
