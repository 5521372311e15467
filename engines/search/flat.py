"""Playouts after the actions of a position, without a tree (a template; R: rules, V: their learned value or None).

Injected besides: `utility` of `utility.py`, `between`, `value_play`, `bandit`.
"""

import numpy as np
from numpy import int64

PLAYOUTS = 2
"""`Task.forces`: free actions are taken without a choice in playouts, too."""
IN_TURN, BY_LOT, BY_FORMULA = range(3)
"""`Task.allocation`: playouts try actions one after the other, by lot, or those that a bandit chooses."""


if V is not None:
    WORLDS = 8 if hasattr(R, "determinize") else 1
    """States that the guess of an action is the mean of."""

    @kernel
    def promises(t, b, out):
        """Guess what each action is worth: its utility by the learned value."""
        rng.seed(b.r, t.seed)
        for i in range(len(t.actions) * WORLDS):
            journal.copy(t.start, b.s)
            if not t.peeks:
                between.determinize(b.s, t.seat, b.r)
            R.apply(b.s, int64(t.actions[i % len(t.actions)]), b.j)
            journal.reset(b.j)
            V.value(b.s, b.weights, b.values)
            out[i % len(t.actions)] += utility(t.utility, b.values, t.seat, R.num_seats(t.start), t.total)

elif hasattr(R, "promise"):

    @kernel
    def promises(t, b, out):
        """Guess what each action is worth as the game does."""
        R.promise.promises(t.start, t.actions, b.actions, out)

else:

    @kernel
    def promises(t, b, out):
        """Guess nothing: no action promises more than another."""
        for i in range(len(t.actions)):
            out[i] = 0.0


if V is None:

    @kernel
    def result(t, b):
        """Utility of the playout in b.s, as if the match ended there if it has not."""
        if R.current_player(b.s) == -2:
            R.scores(b.s, b.points)
        else:
            R.projected(b.s, b.points)
        return utility(t.utility, b.points, t.seat, R.num_seats(t.start), t.total)

else:

    @kernel
    def result(t, b):
        """Utility of the playout in b.s, by the points that the learned value expects if the match is not over."""
        V.value(b.s, b.weights, b.values)
        return utility(t.utility, b.values, t.seat, R.num_seats(t.start), t.total)


if V is not None and JOURNAL:

    @kernel
    def greedy(t, b):
        """The action of the seat on turn in b.s after which the value expects the best utility for it."""
        if t.value_candidates > 0:
            return value_play.best_of(b.s, t.value_candidates, t.value_denies, b.weights, b)
        seat, mark = R.current_player(b.s), b.j[0]
        chosen, best = int64(-1), -np.inf
        for i in range(R.legal_actions(b.s, b.actions)):
            R.apply(b.s, int64(b.actions[i]), b.j)
            V.value(b.s, b.weights, b.values)
            journal.undo(b.s, b.j, mark)
            worth = utility(t.utility, b.values, seat, R.num_seats(t.start), t.total)
            if chosen < 0 or worth > best:
                chosen, best = int64(b.actions[i]), worth
        return chosen

else:

    @kernel
    def greedy(t, b):
        """There is no value, or nothing can be tried: `Task.value_plies` is 0."""
        return int64(-1)


@kernel
def try_action(t, b, place, luck, tally):
    """One playout after the action at a place, each ply at random with probability `epsilon`; return the moves.

    luck: the generator that chance draws from, b.r itself or another.
    """
    journal.copy(t.start, b.s)
    if not t.peeks:
        between.determinize(b.s, t.seat, b.r)
    action, moves = int64(t.actions[place]), int64(0)
    while True:
        R.apply(b.s, action, b.j)
        journal.reset(b.j)
        moves += 1
        while R.current_player(b.s) == -1:
            between.draw(b.s, luck, b.j)
            journal.reset(b.j)
        if R.current_player(b.s) == -2 or moves == t.playout_plies + 1:
            break
        action = between.forced(b.s) if t.forces == PLAYOUTS else int64(-1)
        if action < 0 and moves <= t.value_plies and (t.value_seat < 0 or R.current_player(b.s) == t.value_seat):
            action = greedy(t, b)
        if action < 0:
            chosen = int64(0) if t.epsilon > 0.0 and rng.uniform(b.r) < t.epsilon else t.policy
            action = int64(R.policies.choose(chosen, b.s, b.r, b.actions, b.j))
    value = result(t, b)
    tally.sums[place] += value
    tally.squares[place] += value * value
    tally.visits[place] += 1
    return moves


@kernel
def sample(t, stage, tally, b, first, count):
    """Do playouts number first .. first + count - 1 of a stage; number k tries places[k mod n], or as allocated.

    A playout draws from the stream of its number, all stages counted; if paired, from that of its
    deal, the same for every action. By lot the place is the first draw of its stream; a bandit has all actions for
    its arms. Returns the number of moves. All ways are one kernel, as each would be compiled with all playouts in it.
    """
    n, moves = len(stage.places), int64(0)
    for k in range(first, first + count):
        number = stage.deals + k // n if t.paired else stage.playouts + k
        rng.seed(b.r, rng.mix2(t.seed, np.uint64(number)))
        rng.seed(b.luck, rng.mix2(b.r[0], b.r[1]))
        if t.allocation == BY_FORMULA:
            place = bandit.chosen_arm(t.formula, t.min_visits, tally, k, b.r)
        else:
            place = rng.below(b.r, int64(n)) if t.allocation == BY_LOT else int64(k % n)
        moves += try_action(t, b, stage.places[place], b.luck if t.paired else b.r, tally)
    return moves
