"""Plays strategies: lists of rules as numbers (a template over Dominion's rules in R).

code: int64[:]: for each list where it begins, then for each how many rules it has; a rule is the
cards it may take as bits, how many conditions it has, and for each of these what is measured, of
which cards (bits), the comparison, and the number. Numbers of lists, quantities and comparisons:
their places in `form.LISTS`, `form.QUANTITIES` and `form.COMPARISONS`.
tally: int64[:], one more for the rule that decides, all lists one after another.
"""

from numpy import int64

from games.dominion.strategies import form

BUY, PLAY, TRASH = range(len(form.LISTS))
NUM_LISTS = len(form.LISTS)
ALL_CARDS = int64(form.CLASSES["any card"])
HEAD, CONDITION = 2, 4


@kernel
def owned(s, seat, cards_):
    """Number of cards of a set that a seat owns whose turn it is."""
    if cards_ == ALL_CARDS:
        return int64(s[R.moves.seat_at(seat) + R.OWNED])
    n = int64(0)
    while cards_:
        n += R.policies.sensible.owned(s, seat, bits.lowest_bit(cards_))
        cards_ &= cards_ - 1
    return n


@kernel
def gains_to_end(s):
    """With so many gains the Province pile is empty, or three piles are."""
    first = second = third = int64(255)
    rest = R.kingdom(s)
    while rest:
        n = R.zones.count(s, R.SUPPLY, bits.lowest_bit(rest))
        if n < first:
            first, second, third = n, first, second
        elif n < second:
            second, third = n, second
        elif n < third:
            third = n
        rest &= rest - 1
    return min(R.zones.count(s, R.SUPPLY, R.PROVINCE), first + second + third)


@kernel
def points(s, seat):
    """Worth of all cards of a seat."""
    p = R.moves.seat_at(seat)
    return int64(s[p + R.POINTS]) + int64(s[p + R.PER_TEN]) * (int64(s[p + R.OWNED]) // R.cards.PER)


@kernel
def lead(s, seat):
    """Points ahead of the best other seat; one's own where there is none."""
    best, is_alone = int64(0), True
    for other in range(s[R.NUM_SEATS]):
        if other != seat:
            theirs = points(s, other)
            best = theirs if is_alone else max(best, theirs)
            is_alone = False
    return points(s, seat) - best


@kernel
def measure(s, seat, what, cards_):
    """A quantity of `form.QUANTITIES`."""
    p = R.moves.seat_at(seat)
    if what == 0:
        return int64(s[p + R.TURNS])
    if what == 1:
        return int64(s[R.COINS])
    if what == 2:
        return int64(s[R.BUYS])
    if what == 3:
        return int64(s[R.ACTIONS])
    if what == 4:
        return int64(s[R.PLAYS])
    if what == 5:
        return owned(s, seat, cards_)
    if what == 6:
        return R.zones.total_of(s, p + R.HAND, cards_)
    if what == 7:
        return R.zones.total_of(s, R.PLAYED, cards_)
    if what == 8:
        return R.zones.total_of(s, R.SUPPLY, cards_)
    if what == 9:
        return int64(s[R.NUM_EMPTY])
    return gains_to_end(s) if what == 10 else lead(s, seat)


@kernel
def holds(value, comparison, number):
    """A comparison of `form.COMPARISONS`."""
    if comparison == 0:
        return value < number
    if comparison == 1:
        return value <= number
    if comparison == 2:
        return value == number
    return value >= number if comparison == 3 else value > number


@kernel
def wanted(code, list_, s, given, tally):
    """Cards that the first rule that counts may take of those given, as bits; 0 where no rule counts."""
    at, seat, before = code[list_], int64(s[R.PLAYER]), int64(0)
    for earlier in range(list_):
        before += code[NUM_LISTS + earlier]
    for rule in range(code[NUM_LISTS + list_]):
        found, conditions = code[at] & given, code[at + 1]
        c = at + HEAD
        at = c + CONDITION * conditions
        while found and c < at:
            if not holds(measure(s, seat, code[c], code[c + 1]), code[c + 2], code[c + 3]):
                found = int64(0)
            c += CONDITION
        if found:
            tally[before + rule] += 1
            return found
    return int64(0)


@kernel
def dearest(found, r):
    """The only card of a set, or one of the dearest, but no Curse where there is another."""
    rest = found & R.NOT_CURSE if found & R.NOT_CURSE else found
    if rest & (rest - 1):
        return R.policies.sensible.dearest(rest, int64(R.policies.sensible.MOST_COST), r)
    return bits.lowest_bit(rest)


@kernel
def trashed(code, s, given, tally, r):
    """The card to be trashed by the list; as other scripted players answer where it has none."""
    found = wanted(code, TRASH, s, given, tally)
    if found:
        return R.policies.sensible.cheapest(found, r) if found & (found - 1) else bits.lowest_bit(found)
    if code[NUM_LISTS + TRASH] and given & R.END_BIT:
        return int64(R.END)
    return R.policies.sensible.answer(s, r)


@kernel
def decide(code, s, tally, r):
    """Decide for the seat on turn by its strategy. Cards gained without coins are chosen by the buy rules."""
    kind = s[R.KIND]
    given = R.options(s)
    if kind == R.BUY or kind == R.ACTION:
        found = wanted(code, BUY if kind == R.BUY else PLAY, s, given, tally)
        return dearest(found, r) if found else int64(R.END)
    if kind == R.TRASH_ONE or kind == R.TRASH_ANY:
        return trashed(code, s, given, tally, r)
    if kind == R.GAIN_ONE or kind == R.REPEAT:
        found = wanted(code, BUY if kind == R.GAIN_ONE else PLAY, s, given, tally)
        if found:
            return dearest(found, r)
    return R.policies.sensible.answer(s, r)


@kernel
def act(s, code, policy, tally, r, buffer, j):
    """Choose by a strategy, or by the policy with a number that is not negative."""
    return decide(code, s, tally, r) if policy < 0 else R.policies.choose(policy, s, r, buffer, j)


@kernel
def play(s, codes, policies, tallies, r, buffer, j):
    """Play a match of two seats to its end; return its decisions.

    By seat: codes (int64[:], int64[:]), policies (number, or -1 where the rules count), tallies
    (int64[:], int64[:]).
    """
    plies = 0
    R.settle(s, r, j)
    while s[R.PLAYER] >= 0:
        if s[R.PLAYER] == 0:
            action = act(s, codes[0], policies[0], tallies[0], r, buffer, j)
        else:
            action = act(s, codes[1], policies[1], tallies[1], r, buffer, j)
        R.apply(s, action, j)
        R.settle(s, r, j)
        plies += 1
    return plies
