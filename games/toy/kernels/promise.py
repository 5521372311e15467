"""Estimates of what actions of cards promise: a template of `games.loader`, rules in R."""


@kernel
def promises(s, actions, buffer, out):
    """The card that the own seat gets."""
    for i in range(len(actions)):
        out[i] = s[R.CARD] if actions[i] == s[R.PLAYER] else 0
