"""Static evaluation of a position (Heyden 2009, section 6.3.2; a template, rules in R).

The thesis weighs differences between the two seats. Here every seat gets a total of its own;
who needs one number takes the seat's total minus that of the best other seat.
"""

from numpy import int64

from games.carcassonne import weights as terms

WEIGHTS = terms.WEIGHTS
SCORE, MEEPLES, UNFINISHED, UNFINISHED_CITY, POOR_FIELD = range(len(WEIGHTS))
GOOD_FIELD = 3
"""Finished cities beside a field: with fewer, a meeple there counts as poor."""


@kernel
def evaluate(s, weights, out):
    """Write each seat's weighted total to out float64[MAX_SEATS] (entries of absent seats stay).

    weights: float64[len(WEIGHTS)]. An unfinished city counts UNFINISHED_CITY a tile and 1 a
    pennant; every seat with the majority gets a feature's points. Once the match is over only
    the (final) score counts.
    """
    num_seats = int64(s[R.NUM_SEATS])
    for seat in range(num_seats):
        out[seat] = weights[SCORE] * s[R.SCORE + seat]
    if s[R.OVER]:
        return
    for seat in range(num_seats):
        out[seat] += weights[MEEPLES] * s[R.HAND + seat]
    for i in range(s[R.NUM_STANDING]):
        n, kind = R.features.standing(s, i)
        value = float(R.features.open_value(s, n, kind))
        poor = 0.0
        if kind == R.CITY:
            value += (weights[UNFINISHED_CITY] - 1.0) * s[n + R.SIZE_]
        elif kind == R.FIELD and R.features.num_cities(s, n) < GOOD_FIELD:
            poor = weights[POOR_FIELD]
        meeples = int64(s[n + R.MEEPLES])
        seat = bits.lowest_bit(meeples) >> 2
        if meeples >> (4 * seat) < 16:  # one seat alone
            out[seat] += weights[UNFINISHED] * value + poor * (meeples >> (4 * seat))
            continue
        most = R.features.majority(meeples)
        for seat in range(num_seats):
            count = (meeples >> (4 * seat)) & 15
            if count == most:
                out[seat] += weights[UNFINISHED] * value
            out[seat] += poor * count
    if s[R.FARMERS] == R.FARMERS_BY_CITY:
        cities = R.features.finished_cities(s)
        while cities:
            meeples = R.features.farmers_round(s, bits.lowest_bit(cities))
            cities &= cities - 1
            most = R.features.majority(meeples)
            for seat in range(num_seats if most else 0):
                if (meeples >> (4 * seat)) & 15 == most:
                    out[seat] += weights[UNFINISHED] * R.CITY_SUPPLY
