"""Estimates of what actions of Kingdomino promise, for searches (a template of `games.loader`, rules in R)."""

informed = part("informed")


@kernel
def promises(s, actions, buffer, out):
    """Write to out float64[n] a guess, in points, of what each legal action is worth to the seat on turn.

    actions: int32[n], as `R.legal_actions` writes them; buffer: int32[MAX_ACTIONS], overwritten.
    """
    informed.promises(s, actions, buffer, informed.WEIGHTS, out)
