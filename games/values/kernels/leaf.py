"""The value of positions as searches see it (a template; R: rules, F: the game's `value.py`, network)."""

NUM_FEATURES = F.NUM_FEATURES
features = F.features
FIRST, LAYER = R.MAX_SEATS, R.MAX_SEATS + NUM_FEATURES
ROOM = LAYER + network.MAX_HIDDEN + getattr(F, "SCRATCH", 0)
"""Words of `out`: the seats' points, then scratch: features, hidden layer, what else the game asks for."""

if hasattr(F, "value"):
    value = F.value
else:

    @kernel
    def value(s, weights, out):
        """Expected final points of each seat to out float64[ROOM]; the points themselves once the match is over."""
        if R.current_player(s) == -2:
            R.scores(s, out)
            return
        for seat in range(R.num_seats(s)):
            features(s, seat, out[FIRST:])
            out[seat] = network.forward(weights, out[FIRST:], NUM_FEATURES, out[LAYER:])
