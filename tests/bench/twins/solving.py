"""Positions of dominoes solved one after the other (a template of `games.loader`, rules in R)."""
# mypy: ignore-errors

from numpy import int64

HAND = R.HAND


@kernel
def solve(positions, actions, numbers, s, w, table, out):
    """Value of every action in every position, as `double_dummy.values`, which see.

    positions: int32[n, SIZE]; actions: int32[n, most], of which numbers int64[n] are legal; out: int64[n, most], values
    as the search reckons. w, table: as one search leaves them to the next. Returns the turns made.
    """
    before = w[R.worlds.NODES]
    for i in range(len(numbers)):
        for k in range(len(s)):
            s[k] = positions[i, k]
        R.worlds.begin(s, w, int64(s[HAND]), int64(s[HAND + 1]), int64(s[HAND + 2]), int64(s[HAND + 3]))
        R.double_dummy.begin_table(w, table)
        for k in range(numbers[i]):
            out[i, k] = R.double_dummy.value_of(s, w, table, int64(actions[i, k]), int64(-1))
    return w[R.worlds.NODES] - before
