"""Playing policies of Dominion: state to action (a template of `games.loader`, rules in R).

`bmfsm`, `single_witch`, `double_witch`, `greedy` and `eps15` are the players of Jansen and Tollisen
(2014); where its lists name a card whose pile is empty, or that the kingdom lacks, the next line
counts. What other cards ask (an Attack may meet anybody) all of them answer alike: `answers`.

greedy: plays a card that gives actions back, else one of the dearest; buys one of the dearest but
never a Curse. greedy_dearest: the same without preferring actions. eps15: `greedy`, and each choice
with probability 0.15 at random. big_money: Province, Gold, Silver; Duchy from 5 and Estate from 2
Provinces left on. bmfsm: Big Money up to its 15th turn, then points. learned: `learned.py`.
"""

import math

from numpy import int64, uint64

learned, sensible = part("learned"), part("sensible")
measure = part("measures").measure

NAMES = (
    "random",
    "greedy",
    "greedy_dearest",
    "eps15",
    "big_money",
    "bmfsm",
    "single_witch",
    "double_witch",
    "learned",
)
NEEDS_JOURNAL = ()
EPSILON = 0.15
RANDOM_BELOW, UNUSED_BITS = int64(math.ceil(EPSILON * 2**53)), uint64(11)
"""A draw's upper 53 bits below this are a fraction below EPSILON (`rng.uniform`)."""
_, SILVER, GOLD, ESTATE, DUCHY, PROVINCE, _, GARDENS, WITCH = sensible.NUMBERS
DEAREST_ACTION = sensible.DEAREST_ACTION
GREEN_TURN = 15
MANY_PROVINCES, FEW_PROVINCES = 4, 2


@inlined_kernel
def random_action(s, r):
    """Uniform over the legal actions."""
    return sensible.random_bit(R.options(s), r)


@inlined_kernel
def may_buy(s, card):
    """Whether the coins reach for a card of which there are some."""
    return s[R.COINS] >= R.effects.COST[card] and R.zones.count(s, R.SUPPLY, card) > 0


@inlined_kernel
def big_money(s):
    """Money until Provinces run out, then Duchies and Estates."""
    left = R.zones.count(s, R.SUPPLY, PROVINCE)
    if may_buy(s, PROVINCE):
        return int64(PROVINCE)
    if left <= MANY_PROVINCES + 1 and may_buy(s, DUCHY):
        return int64(DUCHY)
    if left <= FEW_PROVINCES and may_buy(s, ESTATE):
        return int64(ESTATE)
    return money(s)


@inlined_kernel
def money(s):
    """Gold, Silver, or nothing."""
    if may_buy(s, GOLD):
        return int64(GOLD)
    return int64(SILVER) if may_buy(s, SILVER) else int64(R.END)


@inlined_kernel
def bmfsm(s):
    """Big Money for a small match: the thesis' finite-state machine with two states."""
    if s[R.moves.seat_at(s[R.TURN]) + R.TURNS] <= GREEN_TURN:
        return money(s)
    for card in (PROVINCE, GARDENS, DUCHY, ESTATE):
        if may_buy(s, card):
            return int64(card)
    return int64(R.END)


@kernel
def witches(s, wanted):
    """SingleWitch or DoubleWitch: one or two Witches are bought, one a turn is played."""
    seat = int64(s[R.TURN])
    provinces = R.zones.count(s, R.SUPPLY, PROVINCE)
    if may_buy(s, PROVINCE) and sensible.owned(s, seat, GOLD) > 0:
        return int64(PROVINCE)
    if may_buy(s, WITCH) and sensible.owned(s, seat, WITCH) < wanted:
        return int64(WITCH)
    if provinces < MANY_PROVINCES and may_buy(s, DUCHY):
        return int64(DUCHY)
    if provinces < FEW_PROVINCES and may_buy(s, ESTATE):
        return int64(ESTATE)
    return money(s)


@kernel
def scripted(name, s, r):
    """A player whose buys are a list."""
    kind = s[R.KIND]
    if kind == R.BUY:
        if name == 4:
            return big_money(s)
        return bmfsm(s) if name == 5 else witches(s, name - 5)
    if kind == R.ACTION:
        has_witch = R.zones.count(s, R.moves.seat_at(s[R.TURN]) + R.HAND, WITCH) > 0
        return int64(WITCH) if name > 5 and s[R.PLAYS] == 0 and has_witch else int64(R.END)
    return sensible.answer(s, r)


@inlined_kernel
def greedy(s, r, prefers_actions):
    """Algorithm 1 of the thesis."""
    kind = s[R.KIND]
    if kind == R.BUY:
        rest = R.options(s) & R.NOT_CURSE & ~R.END_BIT
        return sensible.dearest(rest, int64(s[R.COINS]), r) if rest else int64(R.END)
    if kind == R.ACTION:
        if prefers_actions:
            free = forced(s)
            if free:
                return sensible.random_bit(free, r)
        return sensible.dearest(R.options(s) & ~R.END_BIT, int64(DEAREST_ACTION), r)
    return sensible.answer(s, r)


@inlined_kernel
def forced(s):
    """MPPAF: the cards that may be played now and give at least the action back, as bits."""
    return R.options(s) & sensible.GIVING_ACTIONS if s[R.KIND] == R.ACTION else int64(0)


@inlined_kernel
def is_random(r):
    """Whether a choice is made at random, with probability EPSILON."""
    return int64(rng.next_u64(r) >> UNUSED_BITS) < RANDOM_BELOW


@inlined_kernel
def play_random(policy, s, r, buffer, j):
    """Action of `random`."""
    return random_action(s, r)


@inlined_kernel
def play_greedy(policy, s, r, buffer, j):
    """Action of a greedy policy."""
    return random_action(s, r) if policy == 3 and is_random(r) else greedy(s, r, policy != 2)


@inlined_kernel
def play_scripted(policy, s, r, buffer, j):
    """Action of a policy whose buys are a list."""
    return scripted(policy, s, r)


@inlined_kernel
def play_learned(policy, s, r, buffer, j):
    """Action of `learned`."""
    return learned.action(s, learned.WEIGHTS, r)


BY_NUMBER = (play_random, *(play_greedy,) * 3, *(play_scripted,) * 4, play_learned)


@inlined_kernel
def choose(policy, s, r, buffer, j):
    """Action of the policy with index `policy` in NAMES for the seat on turn."""
    if policy == 0:
        return play_random(policy, s, r, buffer, j)
    if policy == 8:
        return play_learned(policy, s, r, buffer, j)
    return play_greedy(policy, s, r, buffer, j) if policy <= 3 else play_scripted(policy, s, r, buffer, j)
