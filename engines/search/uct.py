"""UCT with chance nodes (a template; R: rules, tree: `uct_tree.py`): many simulations in one call.

Injected besides: `between` of `between.py`.

A simulation walks down the tree, adds the first position that is not in it yet, plays on from
there and adds every seat's utility to the nodes it passed (Kocsis, Szepesvari 2006; Heyden 2009,
section 4.3).

Chance. EXPLICIT: a node where chance is next (the thesis' tile node) has a child per outcome met;
each visit draws anew with the true frequencies. OPEN_LOOP: nodes stand for sequences of actions
alone; chance is drawn anew on the way down and a seat chooses among the actions legal there.
SAMPLED: as open loop, but each node draws from a stream of its own, so its luck never changes.
FIXED: the tree has one stream, and every simulation, its playout included, draws the same from it
in turn: whatever is played, what is still to come comes in one order.

Where something is hidden from the seat that decides, every simulation begins with a state drawn from
those it takes for possible. Free actions (`forces`) are taken at once and make no node.
"""

import math

import numpy as np
from numpy import int64


@kernel
def note(b, ply, seat, outcome, move):
    """Log one ply of this simulation."""
    b.log[ply, tree.LOG_SEAT] = seat
    b.log[ply, tree.LOG_OUTCOME] = outcome
    b.log[ply, tree.LOG_MOVE] = move


@kernel
def seed_child(t, p, child):
    """Search seeding of a new node: visits without a simulation, all of the best utility."""
    best = (1.0 - p.formula.unit_offset) / p.formula.unit_scale
    t.stats[child, tree.VISITS] += p.seeding
    t.stats[child, tree.TOTAL] += p.seeding * best
    t.stats[child, tree.SQUARES] += p.seeding * best * best


@kernel
def enter_child(t, p, node, edge, move, seat, gain):
    """Add the node after a move at a node; edge: its place among the actions stored there, or -1."""
    child = tree.add(t, node, 2 * move, seat, gain)
    if p.seeding > 0.0 and t.links[node, tree.HINT] == move:
        seed_child(t, p, child)
    if edge >= 0:
        t.edges[edge, tree.CHILD] = child
        t.links[node, tree.TRIED] += 1
    return child


# Every kernel that plays by the rules is compiled with all of them inside: few do, each in one place.
@kernel
def play(s, action, j):
    """Play an action or an outcome, never to be taken back."""
    R.apply(s, action, j)
    journal.reset(j)


@kernel
def act(t, p, b, node, seat, ply, outcome):
    """Choose and apply an action at a node; return (the node after it, whether it is new)."""
    gain, edge = 0.0, int64(-1)
    if p.is_open:
        action, child, gain = tree.follow_open(t, p, b, node, seat, outcome)
    else:
        if t.links[node, tree.FIRST] < 0:
            tree.expand(t, p, b, node, seat)
        edge = tree.choose_stored(t, p, b, node, outcome)
        action, child = int64(t.edges[edge, tree.ACTION]), int64(t.edges[edge, tree.CHILD])
        if p.informed:
            gain = t.gains[edge]
    move = between.move_of(b.s, action)
    if p.logged:
        note(b, ply, seat, outcome, move)
    play(b.s, action, b.j)
    if child >= 0:
        return child, False
    return enter_child(t, p, node, edge, move, seat, gain), True


@kernel
def settle(t, p, b, seed, node):
    """Draw until a seat has a choice, from the stream that the mode asks for. Return the last outcome."""
    outcome = int64(-1)
    if p.chance == tree.SAMPLED:
        rng.seed(b.fixed, rng.mix2(rng.finalise(seed), np.uint64(node)))
    while True:
        player = R.current_player(b.s)
        if player == -1:
            number = int64(R.sample_chance(b.s, b.r if p.chance == tree.OPEN_LOOP else b.fixed))
            outcome = between.told(number)
        else:
            number = between.forced(b.s) if player >= 0 and p.forces > 0 else int64(-1)
            if number < 0:
                return outcome
            outcome = int64(-1)
            t.counts[tree.MOVES] += 1
        play(b.s, number, b.j)


@kernel
def happen(t, p, b, node, seat):
    """Explicit nodes: a draw, or a free action of the seat on turn; return (number or -1, its node, is new).

    A free action makes no node.
    """
    if seat >= 0:
        number = between.forced(b.s) if p.forces > 0 else int64(-1)
        t.counts[tree.MOVES] += number >= 0
        return number, node, False
    number = int64(R.sample_chance(b.s, b.r))
    child = tree.find(t, node, 2 * number + 1)
    if child >= 0:
        return number, child, False
    return number, tree.add(t, node, 2 * number + 1, int64(t.links[node, tree.SEAT]), 0.0), True


@kernel
def descend(t, p, b, seed):
    """Walk from the root in state b.s until a node is added; return (last node, plies, last outcome)."""
    node, plies, outcome = int64(0), int64(0), int64(-1)
    while True:
        seat = R.current_player(b.s)
        if seat == -2:
            return node, plies, outcome
        number = int64(-1)
        if p.chance == tree.EXPLICIT:
            number, node, is_new = happen(t, p, b, node, seat)
        if number >= 0:
            outcome = between.told(number) if seat == -1 else int64(-1)
            play(b.s, number, b.j)
        else:
            node, is_new = act(t, p, b, node, seat, plies, outcome)
            plies += 1
            outcome = int64(-1)
            if p.chance != tree.EXPLICIT:
                outcome = settle(t, p, b, seed, node)
        if is_new:
            return node, plies, outcome


@kernel
def gibbs_action(t, p, b, seat, outcome):
    """MAST (Finnsson, Bjornsson 2008): draw an action with weight exp(mean of the move / temperature).

    A move that was never made counts as an even result.
    """
    count, top = R.legal_actions(b.s, b.actions), -math.inf
    for i in range(count):
        place = tree.remembered(t, seat, outcome, between.move_of(b.s, int64(b.actions[i])))
        visits = t.tally[place, tree.TALLIED]
        b.weights[i] = t.tally[place, tree.TALLIED_TOTAL] / visits if visits > 0.0 else p.offset
        top = max(top, b.weights[i])
    total = 0.0
    for i in range(count):
        b.weights[i] = math.exp((b.weights[i] - top) / p.mast)
        total += b.weights[i]
    x = rng.uniform(b.r) * total
    for i in range(count):
        x -= b.weights[i]
        if x < 0.0:
            return int64(b.actions[i])
    return int64(b.actions[count - 1])


@kernel
def play_on(t, p, b, plies, outcome):
    """Playout from state b.s, `plies` plies below the root; return all plies of the simulation.

    Notes its first move as `b.hint`.
    """
    s, r, actions, j = b.s, b.r, b.actions, b.j
    made, b.hint[0] = int64(0), -1
    while True:
        seat = R.current_player(s)
        if seat == -2 or (seat >= 0 and made == p.playout_plies):
            return plies + made
        if seat == -1:
            outcome = between.draw(s, b.fixed if p.chance == tree.FIXED else r, j)
            journal.reset(j)
        else:
            action = between.forced(s) if p.forces == 2 else int64(-1)
            if action < 0:
                is_random = p.epsilon > 0.0 and rng.uniform(r) < p.epsilon
                if p.mast > 0.0 and not is_random:
                    action = gibbs_action(t, p, b, seat, outcome)
                else:
                    policy = int64(0) if is_random else p.policy
                    action = int64(R.policies.choose(policy, s, r, actions, j))
            move = between.move_of(s, action)
            if p.logged:
                note(b, plies + made, seat, outcome, move)
            if made == 0:
                b.hint[0] = move
            play(s, action, j)
            outcome = int64(-1)
            made += 1


@kernel
def back_up(t, p, node, utilities):
    """Add one visit and the utility of its seat to a node and all above it, or as `Settings.learners` has it."""
    links, stats = t.links, t.stats
    last, learners = links[node, tree.SEAT], p.learners
    while node >= 0:
        seat = links[node, tree.SEAT]
        links[node, tree.PASSED] += 1
        is_due = (seat == last or learners != tree.LAST_SEAT) and (seat == p.seat or learners != tree.OWN)
        if is_due:
            value = utilities[p.seat if learners == tree.AS_OWN else seat]
            if learners == tree.COUNTED and seat != last:
                value = 0.0
            stats[node, tree.VISITS] += 1.0
            stats[node, tree.TOTAL] += value
            stats[node, tree.SQUARES] += value * value
        node = int64(links[node, tree.PARENT])


@kernel
def is_same_move(b, one, other):
    """Whether two plies of the log are the same: seat, the outcome before it, action."""
    return (
        b.log[one, tree.LOG_SEAT] == b.log[other, tree.LOG_SEAT]
        and b.log[one, tree.LOG_OUTCOME] == b.log[other, tree.LOG_OUTCOME]
        and b.log[one, tree.LOG_MOVE] == b.log[other, tree.LOG_MOVE]
    )


@kernel
def credit_later(t, b, parent, ply, plies):
    """AMAF of one decision: its children whose move its seat made then or later, each once."""
    seat, outcome = b.log[ply, tree.LOG_SEAT], b.log[ply, tree.LOG_OUTCOME]
    for later in range(ply, plies):
        if b.log[later, tree.LOG_SEAT] == seat and b.log[later, tree.LOG_OUTCOME] == outcome:
            child = tree.find(t, parent, 2 * int64(b.log[later, tree.LOG_MOVE]))
            for earlier in range(ply, later):
                if is_same_move(b, earlier, later):
                    child = int64(-1)
            if child >= 0:
                t.stats[child, tree.AMAF_VISITS] += 1.0
                t.stats[child, tree.AMAF_TOTAL] += b.utilities[seat]


@kernel
def learn(t, p, b, node, depth, plies):
    """Update what RAVE and MAST know from a logged simulation whose path ends at `node`."""
    if p.rave > 0.0:
        ply = depth
        while node > 0:
            parent = int64(t.links[node, tree.PARENT])
            if t.links[node, tree.LABEL] & 1 == 0:
                ply -= 1
                credit_later(t, b, parent, ply, plies)
            node = parent
    if p.tallied:
        for ply in range(plies):
            seat, outcome, move = b.log[ply, tree.LOG_SEAT], b.log[ply, tree.LOG_OUTCOME], b.log[ply, tree.LOG_MOVE]
            place = tree.remembered(t, int64(seat), int64(outcome), int64(move))
            t.tally[place, tree.TALLIED] += 1.0
            t.tally[place, tree.TALLIED_TOTAL] += b.utilities[seat]


@kernel
def simulate(t, p, b, start, seed, first, count):
    """Do simulations number first .. first + count - 1 from state `start`; return how many were done.

    t: Tree, p: Settings, b: Buffers; seed: uint64, each simulation has the stream of (seed, its
    number). Stops early when the tree needs longer arrays for another one.
    """
    for k in range(first, first + count):
        if t.counts[tree.NODES] >= len(t.links) or t.counts[tree.EDGES] + R.MAX_ACTIONS > len(t.edges):
            return k - first
        rng.seed(b.r, rng.mix2(seed, np.uint64(k)))
        if p.chance == tree.FIXED:
            rng.seed(b.fixed, rng.finalise(seed))
        journal.copy(start, b.s)
        if not p.peeks:
            between.determinize(b.s, p.seat, b.r)
        node, depth, outcome = descend(t, p, b, seed)
        if p.by_points and t.links[node, tree.PASSED] == 0:
            R.projected(b.s, b.points)
            t.links[node, tree.POINTS] = b.points[p.seat]
        plies = play_on(t, p, b, depth, outcome)
        if t.links[node, tree.HINT] < 0:
            t.links[node, tree.HINT] = b.hint[0]
        t.counts[tree.DEPTH] = max(t.counts[tree.DEPTH], depth)
        t.counts[tree.MOVES] += plies
        tree.judge_state(p, b)
        back_up(t, p, node, b.utilities)
        if p.logged:
            learn(t, p, b, node, depth, plies)
    return count
