"""The tree of UCT: its arrays, its nodes, and selection among them (a template; R: rules, V: learned value or None).

Injected besides: `utility` of `utility.py`, `selection` of `selection.py`, `between` of `between.py`.

A node is the position after an action or a chance outcome, its label; the root is node 0. Its
statistics are those of the seat that acted last before it (the root's: of the seat on turn), so
every seat maximises its own utility, however many seats there are.

Where what is hidden is drawn anew in every simulation, or draws are (`Settings.is_open`), legal actions
differ between visits of a node: children are found by their action, and N is how often a child was
available. Such a node stands for an information set (Cowling, Powley, Whitehouse 2012).

Worth of a visited child in selection: what `selection.py` says of its mean x, its n visits and N, the
visits of its parent; and, by options,

    RAVE (Gelly, Silver 2011)    (1 - b) x + b y in place of x, b = sqrt(k / (3 N + k)), y AMAF mean
    progressive bias (Chaslot and others 2008)       + W H / (n + 1)
    progressive win bias (Gedda, Lagerkvist, Butler 2018)    + W H / (n (1 - x') + 1), x' in [0, 1]
    progressive history (Nijssen, Winands 2010)    + W m / (n (1 - x') + 1), m in [0, 1] the move's mean anywhere

H is the change, in points, that the action makes to the mover's margin if the match ended there, or to the margin
that the learned value expects.
"""

import math

import numpy as np
from numpy import int64

EXPLICIT, OPEN_LOOP, SAMPLED, FIXED = 0, 1, 2, 3
ALL, LAST_SEAT, OWN, AS_OWN, COUNTED = range(5)
"""`Settings.learners`: nodes that learn from a simulation: all; those of the seat that made its last one; those of
the seat that decides; all, the utility of the seat that decides; all a visit, but those of the last seat a utility."""
MOST, PASSES, VISITED = range(3)
"""`Settings.parents`: N at a node that learns of some simulations alone: the more of its own visits and its
children's; simulations that passed through it; its own visits."""
PARENT, LABEL, SEAT, FIRST, COUNT, TRIED, AVAILABLE, PASSED, HINT, POINTS, LINKS = range(11)
"""Columns of `Tree.links`.

LABEL: 2 * move (`between.move_of`), or 2 * outcome + 1; FIRST, COUNT, TRIED: its edges; AVAILABLE:
how often it could have been chosen; PASSED: simulations that went through it (all are visits, but where some
nodes alone learn); HINT: the move with which the first playout from here went on, -1: none (the root's: the
policy's); POINTS: of the seat that decides, if the match ended here (under `by_points`).
"""
VISITS, TOTAL, SQUARES, HEURISTIC, AMAF_VISITS, AMAF_TOTAL, STATS = range(7)
"""Columns of `Tree.stats`."""
ACTION, CHILD, EDGE = range(3)
"""Columns of `Tree.edges`: legal actions of a position, those with a node (CHILD >= 0) first."""
NODES, EDGES, DEPTH, MOVES, COUNTS = range(5)
"""Words of `Tree.counts`: nodes and edges in use, plies of the deepest path, moves made."""
TALLIED, TALLIED_TOTAL, TALLY = range(3)
"""Columns of `Tree.tally`."""
LOG_SEAT, LOG_OUTCOME, LOG_MOVE, LOG = range(4)
"""Columns of `TreeBuffers.log`; the outcome directly before the action, -1 where there was none."""


RANKS = 8
"""Ranks of move orders (`games/DESIGN.md`)."""
MARGIN = int64(0)
"""`Settings.utility`: points less the opponents'."""


# ---------------------------------------------------------------- utility
@kernel
def judge(p, points, num_seats, out):
    """Write every seat's utility to out float64[MAX_SEATS]."""
    for seat in range(num_seats):
        out[seat] = p.offset + p.scale * utility(p.utility, points, seat, num_seats, p.total)


# ---------------------------------------------------------------- nodes
@kernel
def slot(parent, label, size):
    """Slot of a hash table of `size` places where the search for a child starts."""
    return int64(rng.mix2(np.uint64(parent), np.uint64(label)) & np.uint64(size - 1))


@kernel
def find(t, parent, label):
    """The child of a node by its label, or -1."""
    size = len(t.table)
    place = slot(parent, label, size)
    while t.table[place] >= 0:
        node = int64(t.table[place])
        if t.links[node, PARENT] == parent and t.links[node, LABEL] == label:
            return node
        place = (place + 1) & (size - 1)
    return int64(-1)


@kernel
def enter(t, node):
    """Put a node into the hash table."""
    size = len(t.table)
    place = slot(int64(t.links[node, PARENT]), int64(t.links[node, LABEL]), size)
    while t.table[place] >= 0:
        place = (place + 1) & (size - 1)
    t.table[place] = node


@kernel
def enter_all(t):
    """Fill an empty hash table (all -1) with the nodes in use; the root is nobody's child."""
    for node in range(1, t.counts[NODES]):
        enter(t, int64(node))


@kernel
def add(t, parent, label, seat, gain):
    """Add a node without visits; `seat` acted last before it."""
    node = t.counts[NODES]
    t.counts[NODES] = node + 1
    t.links[node, PARENT] = parent
    t.links[node, LABEL] = label
    t.links[node, SEAT] = seat
    t.links[node, FIRST] = -1
    t.links[node, COUNT] = 0
    t.links[node, TRIED] = 0
    t.links[node, AVAILABLE] = 1
    t.links[node, PASSED] = 0
    t.links[node, HINT] = -1
    t.links[node, POINTS] = 0
    for column in range(STATS):
        t.stats[node, column] = 0.0
    t.stats[node, HEURISTIC] = gain
    if parent >= 0:
        enter(t, node)
    return node


if V is None:

    @kernel
    def margin(p, b, seat):
        """Margin of a seat in the simulation's state if the match ended there."""
        R.projected(b.s, b.points)
        return utility(MARGIN, b.points, seat, R.num_seats(b.s), p.total)

    @kernel
    def judge_state(p, b):
        """Write every seat's utility of the simulation's state to b.utilities, as if the match ended there."""
        if R.current_player(b.s) == -2:
            R.scores(b.s, b.points)
        else:
            R.projected(b.s, b.points)
        judge(p, b.points, R.num_seats(b.s), b.utilities)

else:

    @kernel
    def margin(p, b, seat):
        """Margin of a seat in the simulation's state that the learned value expects."""
        V.value(b.s, b.weights_of_value, b.values)
        return utility(MARGIN, b.values, seat, R.num_seats(b.s), p.total)

    @kernel
    def judge_state(p, b):
        """Write every seat's utility of the simulation's state to b.utilities, by the learned value."""
        V.value(b.s, b.weights_of_value, b.values)
        judge(p, b.values, R.num_seats(b.s), b.utilities)


@kernel
def gain_of(p, b, seat, action, before):
    """H: what an action adds to the margin of `seat`, which is `before` now."""
    mark = b.j[0]
    R.apply(b.s, action, b.j)
    after = margin(p, b, seat)
    journal.undo(b.s, b.j, mark)
    return after - before


if hasattr(R, "ordering"):

    @kernel
    def sort_actions(p, b, count):
        """Put the listed actions of a position into a move order of the game, equal ones as they come."""
        place = int64(0)
        for k in range(RANKS):
            for i in range(count):
                if R.ordering.rank(p.order, b.s, int64(b.actions[i])) == k:
                    b.children[place] = b.actions[i]
                    place += 1
        for i in range(count):
            b.actions[i] = b.children[i]

else:

    @kernel
    def sort_actions(p, b, count):
        """Leave them: the game knows no order."""


@kernel
def list_actions(p, b):
    """Write the legal actions of the simulation's state to b.actions, in the order asked for; return their number."""
    count = int64(R.legal_actions(b.s, b.actions))
    if p.order > 0:
        sort_actions(p, b, count)
    if p.reversed:
        for i in range(count // 2):
            b.actions[i], b.actions[count - 1 - i] = b.actions[count - 1 - i], b.actions[i]
    return count


@kernel
def expand(t, p, b, node, seat):
    """Store the legal actions of a position: in random order, as listed, or the most promising first."""
    count = list_actions(p, b)
    if not p.listed:
        for i in range(count - 1, 0, -1):
            k = rng.below(b.r, int64(i + 1))
            b.actions[i], b.actions[k] = b.actions[k], b.actions[i]
    first = t.counts[EDGES]
    before = margin(p, b, seat) if JOURNAL and p.informed else 0.0
    for i in range(count):
        action = b.actions[i]
        place = first + i
        if JOURNAL and p.informed:
            gain = gain_of(p, b, seat, int64(action), before)
            while place > first and t.gains[place - 1] < gain:
                t.gains[place] = t.gains[place - 1]
                t.edges[place, ACTION] = t.edges[place - 1, ACTION]
                place -= 1
            t.gains[place] = gain
            t.counts[MOVES] += 1
        t.edges[place, ACTION] = action
        t.edges[first + i, CHILD] = -1
    t.links[node, FIRST] = first
    t.links[node, COUNT] = count
    t.counts[EDGES] = first + count


# ---------------------------------------------------------------- selection
@kernel
def admitted(p, visits, count):
    """Number of children that a node may have: all, or floor(widening * N^exponent), at least one."""
    if p.widening == 0.0:
        return count
    return min(count, max(int64(1), int64(p.widening * visits**p.exponent)))


@kernel
def rave_share(p, visits):
    """Weight of the AMAF mean: a half when N is the equivalence parameter."""
    return math.sqrt(p.rave / (3.0 * visits + p.rave)) if p.rave > 0.0 else 0.0


@kernel
def remembered(t, seat, outcome, move):
    """Place of a move in the tally; moves that share a place share their mean."""
    h = rng.mix2(rng.mix2(np.uint64(seat), np.uint64(outcome + 1)), np.uint64(move))
    return int64(h & np.uint64(len(t.tally) - 1))


@kernel
def on_unit(p, value):
    """A utility on the unit scale."""
    return min(1.0, max(0.0, p.formula.unit_offset + p.formula.unit_scale * value))


@kernel
def mean_anywhere(t, p, seat, outcome, move):
    """Mean of a move wherever it was made, on the unit scale; an even result where it never was."""
    place = remembered(t, seat, outcome, move)
    return on_unit(p, t.tally[place, TALLIED_TOTAL] / t.tally[place, TALLIED]) if t.tally[place, TALLIED] > 0.0 else 0.5


@kernel
def bonus(p, n, mean, variance, log_visits, gain, r):
    """Bonus that exploration and bias add to the value of a child; variance: of its utilities."""
    explored = selection.exploration(p.formula, n, variance, log_visits, r)
    losses = 1.0 - on_unit(p, mean)
    return explored + p.bias * gain / (n + 1.0) + p.win_bias * gain / (n * losses + 1.0)


@kernel
def worth(stats, p, child, log_visits, share, r):
    """Worth that selection maximises, history apart; see the formulas above.

    stats: `Tree.stats`; log_visits: ln N; share: `rave_share`. A child whose visits all were passed over
    counts as one visit without a result.
    """
    n = max(1.0, stats[child, VISITS])
    mean = stats[child, TOTAL] / n
    variance = max(0.0, stats[child, SQUARES] / n - mean * mean) if selection.needs_variance(p.formula) else 0.0
    value = mean
    if share > 0.0 and stats[child, AMAF_VISITS] > 0.0:
        value = (1.0 - share) * mean + share * stats[child, AMAF_TOTAL] / stats[child, AMAF_VISITS]
    return value + bonus(p, n, mean, variance, log_visits, stats[child, HEURISTIC], r)


@kernel
def history(t, p, child, outcome):
    """Progressive history of a child; outcome: directly before its action."""
    n = max(1.0, t.stats[child, VISITS])
    losses = 1.0 - on_unit(p, t.stats[child, TOTAL] / n)
    moved = mean_anywhere(t, p, int64(t.links[child, SEAT]), outcome, int64(t.links[child, LABEL]) // 2)
    return p.history * moved / (n * losses + 1.0)


@kernel
def urgency(p, mean, log_visits, gain, r):
    """Worth of a child without visits: as if tried once with the mean of its siblings, less a reduction."""
    assumed = mean - p.reduction
    return assumed + bonus(p, 1.0, assumed, 0.0, log_visits, gain, r)


@kernel
def visits_below(t, edges, first, tried):
    """Visits of a node's first children: its own may be fewer where only the last seat learns."""
    total = 0.0
    for edge in range(first, first + tried):
        total += t.stats[edges[edge, CHILD], VISITS]
    return total


@kernel
def parent_visits(t, p, node, first, tried):
    """N at a node: all of its visits, or what `Settings.parents` takes for them where only some nodes learn."""
    visits = t.stats[node, VISITS]
    if p.learners != LAST_SEAT and p.learners != OWN:
        return visits
    if p.parents == PASSES:
        return max(1.0, float(t.links[node, PASSED]))
    if p.parents == VISITED:
        return max(1.0, visits)
    return max(1.0, visits, visits_below(t, t.edges, first, tried))


@kernel
def richest(t, b, first, count, best):
    """Place of the one with most points among children of the worth `best`, of several by lot.

    b.weights: their worths. They are the edges from `first` on, or (first -1) those in b.children.
    """
    chosen, most, equals = int64(0), -(int64(1) << 40), int64(0)
    for i in range(count):
        child = int64(t.edges[first + i, CHILD]) if first >= 0 else int64(b.children[i])
        if child < 0 or b.weights[i] != best or t.links[child, POINTS] < most:
            continue
        equals = equals + 1 if t.links[child, POINTS] == most else int64(1)
        most = int64(t.links[child, POINTS])
        if rng.below(b.r, equals) == 0:
            chosen = int64(i)
    return chosen


@kernel
def best_stored(t, p, b, node, outcome, visits):
    """(edge of the best child that was tried, its worth, mean utility of all of them)."""
    first, tried = int64(t.links[node, FIRST]), int64(t.links[node, TRIED])
    log_visits, share = math.log(visits), rave_share(p, visits)
    chosen, best, total, times = first, -math.inf, 0.0, 0.0
    for edge in range(first, first + tried):
        child = int64(t.edges[edge, CHILD])
        total += t.stats[child, TOTAL]
        times += t.stats[child, VISITS]
        value = worth(t.stats, p, child, log_visits, share, b.r)
        if p.history > 0.0:
            value += history(t, p, child, outcome)
        if p.by_points:
            b.weights[edge - first] = value
        if selection.is_better(p.formula, value, best):
            chosen, best = edge, value
    if p.by_points:
        chosen = first + richest(t, b, first, tried, best)
    return chosen, best, total / max(1.0, times)


@kernel
def choose_stored(t, p, b, node, outcome):
    """Edge to follow at an expanded node: its children in the order stored, then the best worth."""
    edges = t.edges
    first, tried = int64(t.links[node, FIRST]), int64(t.links[node, TRIED])
    visits = parent_visits(t, p, node, first, tried)
    limit = admitted(p, visits, int64(t.links[node, COUNT]))
    if node == 0 and p.min_visits > 0:
        for edge in range(first, first + limit):
            child = edges[edge, CHILD]
            if child < 0 or t.links[child, PASSED] < p.min_visits:
                return edge
    if tried < limit and (tried == 0 or not p.parent_first):
        return first + tried
    chosen, best, mean = best_stored(t, p, b, node, outcome, visits)
    if tried < limit:
        gain = t.gains[first + tried] if p.informed else 0.0
        if urgency(p, mean, math.log(visits), gain, b.r) > best:
            chosen = first + tried
    return chosen


@kernel
def untried(b, k):
    """Place of the k-th legal action without a node (in b.children)."""
    i = int64(0)
    while b.children[i] >= 0 or k > 0:
        k -= b.children[i] < 0
        i += 1
    return i


@kernel
def look(t, p, b, node):
    """Legal actions of this simulation's state and their nodes, to b.actions, b.children; their number."""
    count = list_actions(p, b)
    for i in range(count):
        b.children[i] = find(t, node, 2 * between.move_of(b.s, int64(b.actions[i])))
    return count


@kernel
def best_open(t, p, b, node, outcome, count):
    """(place of the best child among those that `look` found, its worth, mean utility of all of them)."""
    share = rave_share(p, t.stats[node, VISITS])
    chosen, best, total, times = int64(0), -math.inf, 0.0, 0.0
    for i in range(count):
        child = int64(b.children[i])
        if child >= 0:
            total += t.stats[child, TOTAL]
            times += t.stats[child, VISITS]
            value = worth(t.stats, p, child, math.log(t.links[child, AVAILABLE]), share, b.r)
            if p.history > 0.0:
                value += history(t, p, child, outcome)
            if p.by_points:
                b.weights[i] = value
            if selection.is_better(p.formula, value, best):
                chosen, best = int64(i), value
    if p.by_points:
        chosen = richest(t, b, int64(-1), count, best)
    return chosen, best, total / max(1.0, times)


@kernel
def choose_open(t, p, b, node, outcome, count):
    """Place of the action to follow in an open loop, among those that `look` found."""
    tried = int64(0)
    for i in range(count):
        tried += b.children[i] >= 0
    visits = max(1.0, t.stats[node, VISITS])
    is_open = tried < admitted(p, t.stats[node, VISITS], count)
    if node == 0 and p.min_visits > 0:
        for i in range(count):
            child = b.children[i]
            if (child < 0 and is_open) or (child >= 0 and t.links[child, PASSED] < p.min_visits):
                return int64(i)
    if is_open and (tried == 0 or not p.parent_first):
        return next_untried(p, b, count - tried)
    chosen, best, mean = best_open(t, p, b, node, outcome, count)
    if is_open and urgency(p, mean, math.log(visits), 0.0, b.r) > best:
        chosen = next_untried(p, b, count - tried)
    return chosen


@kernel
def next_untried(p, b, count):
    """Place of the action without a node that is tried next, of so many: by lot, or the first."""
    return untried(b, int64(0) if p.listed else rng.below(b.r, count))


@kernel
def follow_open(t, p, b, node, seat, outcome):
    """Choose in an open loop; return (action, its node or -1, H). Counts who was available."""
    count = look(t, p, b, node)
    place = choose_open(t, p, b, node, outcome, count)
    for i in range(count):
        if b.children[i] >= 0:
            t.links[b.children[i], AVAILABLE] += 1
    action, child, gain = int64(b.actions[place]), int64(b.children[place]), 0.0
    if JOURNAL and p.informed and child < 0:
        gain = gain_of(p, b, seat, action, margin(p, b, seat))
        t.counts[MOVES] += 1
    return action, child, gain
