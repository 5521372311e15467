"""The value of positions as searches see it (a template; R: rules, F: the game's `value.py`, network)."""

from numpy import int64

NUM_FEATURES = F.NUM_FEATURES
features = F.features
FIRST, LAYER = R.MAX_SEATS, R.MAX_SEATS + NUM_FEATURES
ROOM = LAYER + network.MAX_HIDDEN + getattr(F, "SCRATCH", 0)
"""Words of `out`: the seats' points, then scratch: features, hidden layer, what else the game asks for."""

if hasattr(F, "value"):
    value = F.value

    @kernel
    def of_seat(s, seat, weights, out):
        """Expected final points of one seat, in a match that is not over; out: as for `value`."""
        value(s, weights, out)
        return out[seat]

else:

    @kernel
    def of_seat(s, seat, weights, out):
        """Expected final points of one seat, in a match that is not over; out: as for `value`."""
        features(s, seat, out[FIRST:])
        return network.forward(weights, out[FIRST:], NUM_FEATURES, out[LAYER:])

    @kernel
    def value(s, weights, out):
        """Expected final points of each seat to out float64[ROOM]; the points themselves once the match is over."""
        if R.current_player(s) == -2:
            R.scores(s, out)
            return
        for seat in range(R.num_seats(s)):
            out[seat] = of_seat(s, int64(seat), weights, out)
