"""Expectimax, Star1, Star2, both Star2.5, ChanceProbCut as one recursion (template; R: rules with a journal; V: value).

Values are seen from the root seat, which maximises; every other seat minimises (with two seats
the Negamax of Heyden 2009, chapter 5; with more, paranoid). The sign of a node comes from the seat
on turn, so a seat may move twice and chance may follow chance. Leaf values are clamped to [L, U],
L = -U: every node then lies in these bounds, and all algorithms but ChanceProbCut have the same value.

A chance node has outcomes with probabilities P_i, most probable first, and values V_i known to
lie in [L_i, U_i], at first [L, U]. With the window (alpha, beta) and X_i = sum over k < i of P_k V_k,
outcome i is searched in the window (max(L_i, A_i), min(U_i, B_i)), where

    A_i = (alpha - X_i - sum over k > i of P_k U_k) / P_i      V_i <= A_i: the node is at most alpha
    B_i = (beta  - X_i - sum over k > i of P_k L_k) / P_i      V_i >= B_i: the node is at least beta

(Ballard 1983; Hauk, Buro, Schaeffer 2004). *Star1*: all L_k = L and U_k = U, so that the sums are
U Y_i and L Y_i with Y_i = 1 - P_1 - ... - P_i. *Star2* and sequential *Star2.5* first probe: of each
outcome's node only the first 1, or `probing`, actions are searched. Where the root seat moves the
best of them is a new L_i, where another seat moves a new U_i, and both where the node has no more
actions: it is not searched again. The same equations, with what is known of all others in place
of X_i, give the window of a probe and may cut already there.

*Cyclic* Star2.5 (Ballard 1983) probes in rounds: the first action of every outcome, then the second of
each, and so on. Each probe is of one action alone and begins with the bounds that those before it left, so
that a round may cut before any outcome has had all its probes. Both forms are the same with one action.

The listings of the thesis differ by mistake: max(U, cur_beta) stands for min; Star1's beta bound
takes U for L; cur_w adds probes without their probabilities and is never reduced by the one being
searched; every probe has the alpha of the first outcome, and a probe that fails low returns alpha
as if that were a lower bound. Here a probe that fails low teaches nothing.

Fail-soft: a result within the window is exact; one <= alpha is an upper bound, one >= beta a lower
bound of the value. Sums are rounded, so a cut returns alpha or beta where the bound itself would
fall a rounding error inside the window.

*Killers* (not in the thesis): the best action found after an outcome is noted by ply and outcome,
and tried first wherever the same outcome comes at the same ply: positions there differ in little,
so the first probe is mostly a good one, and a probe of one action lists no others. On Carcassonne
Star2 visits a third of the nodes at depth 2, a seventh of them at depth 3.

*ChanceProbCut* prunes forward. It is built after the first part of its article alone (Schadd, Winands, Uiterwijk
2009: the idea and the linear model); the article's listing and experiments were not at hand, so where ours
probes, what it forgets and how its lines are fitted may differ from theirs. Before anything else the node
behind each outcome is searched R plies less deep, which takes v'. A linear model foretells the value
V = a v' + b + e where e is normal with deviation sigma; so V_i lies, likely, in
[a v' + b - t sigma, a v' + b + t sigma].
With these bounds in place of L_i and U_i the equations above say when the chance node is likely to be
outside of its window: it is then left at once, worth alpha or beta. The window of each short search is that
of V_i taken back through the model. What was foretold is forgotten where it did not cut: the search behind it
is exact. The model depends on the depth and on who moves, since a move is worth something.

*Best reply* (Schadd, Winands 2011; with legal moves for all, BRS+ of Esser et al. 2013) for more than two
seats: between two plies of the root seat one other seat at most chooses its action, that worst for the root;
all others take the first in move order. No seat passes, so every position is one of the game. The others may
wait with their choice until they see what is drawn. That is an expectiminimax tree with fewer actions, so
everything above holds in it, with all prunings. A killer is not tried first where others move, for it would
take the place of the first in order.

work: int64[WORK], what is searched for and what was met; stack: int32[:], lists of actions and
outcomes of the nodes on the path, `top` words are in use; chances: float64[3, :], beside the
outcomes their P, L and U; totals: float64[MAX_SEATS or V.ROOM], a buffer; model: float64[2, :, 3], for
others (0) and the root seat (1) on turn, by depth: a, b and t sigma; a = 0 where there is none.

*Max^n* (Luckhardt, Irani 1986) for more than two seats: every seat maximises its own margin over
the best other. Nothing is pruned. Shallow pruning (Korf 1991) would be sound: the margins of N seats add up
to 0 at most, and none is below -U, so a seat that has x leaves another (N - 2) U - x at most. But it cuts only
where x and what the other has elsewhere exceed (N - 2) U, and margins that add up to 0 never come near.
"""

import numpy as np
from numpy import int64

evaluate = R.evaluation.evaluate if V is None else V.value  # each seat's total, weighed by hand or learned
SEAT, PRUNES, PROBING, KEEPS, KILLERS, MAXN, ORDER, DEPTH, CYCLES, REDUCES, REPLIES, SPENT = range(12)
NODES, LIMIT, STOPPED, IS_WHOLE, LISTED, GIVEN, HINT, BEST = range(12, 20)
"""work: root seat; whether to prune; actions a probe searches (0: none); whether the search goes on
behind them; whether killers go first; whether all seats maximise; move order; depth of the root; whether
probes come in rounds; plies that ChanceProbCut leaves out (0: no ChanceProbCut); whether others have one reply
between them, and whether it is spent at the next node; actions
made; when to stop; why it stopped; of the node just left: whether all its actions were searched, how
many are listed from its `top` on (0: they are not), and the best of them; of the next node: how many
are listed there already, and the action to try first, or -1. Then the killers."""
PLIES, OUTCOMES = 32, 64
WORK = BEST + 1 + PLIES * OUTCOMES
"""Length of work."""
OUT_OF_NODES, OUT_OF_ROOM = 1, 2
CHANCE_OF, LOW, HIGH = range(3)
ROOM = max(3 * R.MAX_ACTIONS, 5 * R.SIZE)
"""Words of the stack that one node may need: its actions, unsorted and ranked; or its outcomes, at
most as many as a state has words, and of each how many of its actions were probed, which first, how
many were listed, and where."""
ALL = int64(1 << 40)
BACKWARDS = 1 << 8

if hasattr(R, "ordering"):
    rank = R.ordering.rank
else:

    @kernel
    def rank(order, s, action):
        """No order is known for this game."""
        return int64(0)


@kernel
def margin(totals, seat, num_seats, bound):
    """Own total minus the best other total, within the bounds."""
    best = -np.inf
    for other in range(num_seats):
        if other != seat and totals[other] > best:
            best = totals[other]
    return min(max(totals[seat] - best, -bound), bound)


@kernel
def leaf(s, seat, bound, weights, totals):
    """Static value of a position for a seat."""
    evaluate(s, weights, totals)
    return margin(totals, seat, R.num_seats(s), bound)


@kernel
def list_actions(s, order, top, stack):
    """Put the legal actions on the stack, lowest rank first, else as they come; return their number.

    order: of the game; plus BACKWARDS: those of one rank the other way round.
    """
    if order == 0:
        return int64(R.legal_actions(s, stack[top:]))
    is_backwards, order = order >= BACKWARDS, order % BACKWARDS
    listed = top + R.MAX_ACTIONS
    ranked = listed + R.MAX_ACTIONS
    n = int64(R.legal_actions(s, stack[listed:]))
    place = top
    seen = 0  # bits of the ranks met
    for i in range(n):
        k = int64(rank(order, s, int64(stack[listed + i]))) if order else int64(0)
        stack[ranked + i] = k
        seen |= 1 << k
    for k in range(8):
        if (seen >> k) & 1:
            for step in range(n):
                i = n - 1 - step if is_backwards else step
                if stack[ranked + i] == k:
                    stack[place] = stack[listed + i]
                    place += 1
    return n


@kernel
def put_first(action, n, top, stack):
    """Move an action of a list to its front, if it is there; the others keep their order."""
    for i in range(top, top + n):
        if stack[i] == action:
            for k in range(i, top, -1):
                stack[k] = stack[k - 1]
            stack[top] = action
            return


@kernel
def killer_of(depth, outcome, work):
    """Place in work where the killer after an outcome is noted, `depth` plies above the leaves."""
    return BEST + 1 + (work[DEPTH] - depth) % PLIES * OUTCOMES + outcome % OUTCOMES


@kernel
def list_outcomes(s, bound, top, stack, chances):
    """Put the chance outcomes on the stack, most probable first, else as they come; return their number."""
    n = int64(R.chance_outcomes(s, stack[top:], chances[CHANCE_OF, top:]))
    for i in range(n):
        outcome, p = stack[top + i], chances[CHANCE_OF, top + i]
        k = top + i
        while k > top and chances[CHANCE_OF, k - 1] < p:
            stack[k], chances[CHANCE_OF, k] = stack[k - 1], chances[CHANCE_OF, k - 1]
            k -= 1
        stack[k], chances[CHANCE_OF, k] = outcome, p
        chances[LOW, top + i], chances[HIGH, top + i] = -bound, bound
        stack[top + n + i], stack[top + 2 * n + i], stack[top + 3 * n + i], stack[top + 4 * n + i] = 0, -1, 0, 0
    return n


@kernel
def last_ply(s, j, sign, high, first, last, top, work, bound, weights, totals, stack):
    """Best value for the seat on turn, by `sign`, over actions first .. last - 1 with leaves below."""
    mark, seat = j[0], work[SEAT]
    best = -np.inf
    for i in range(first, last):
        if work[NODES] == work[LIMIT]:
            work[STOPPED] = OUT_OF_NODES
            return best
        work[NODES] += 1
        R.apply(s, int64(stack[top + i]), j)
        value = sign * leaf(s, seat, bound, weights, totals)
        journal.undo(s, j, mark)
        if value > best:
            best = value
            work[BEST] = stack[top + i]
            if best >= high and work[PRUNES]:
                work[IS_WHOLE] = 0
                return best
    return best


@kernel
def note_probe(value, low, high, is_own, is_whole, i, chances):
    """Narrow what is known of outcome i after a probe in the window (low, high); say whether it taught its side.

    The best of some actions bounds the node from its own side, that of all of them from both;
    a value outside the window is a bound itself.
    """
    taught = False
    if value > low and (is_own or is_whole):
        chances[LOW, i] = max(chances[LOW, i], value)
        taught = is_own
    if value < high and (not is_own or is_whole):
        chances[HIGH, i] = min(chances[HIGH, i], value)
        taught = taught or not is_own
    return taught


@kernel
def covers(value, low, high, known_low, known_high, is_own):
    """Whether a probe outside its window is already covered by what was known of the node's own side."""
    return (value <= low and low == known_low) if is_own else (value >= high and high == known_high)


@kernel
def copy_list(i, n, below, stack, work):
    """Hand the next node the actions that outcome i's node had listed, if any: they are copied to `below`."""
    work[GIVEN] = stack[i + 3 * n]
    for k in range(work[GIVEN]):
        stack[below + k] = stack[stack[i + 4 * n] + k]


@kernel
def keep_list(i, n, below, stack, work):
    """Keep the actions that outcome i's node has listed at `below`, if there is room; return where to list next."""
    if stack[i + 3 * n] or below + work[LISTED] + ROOM > len(stack):
        return below
    stack[i + 3 * n], stack[i + 4 * n] = work[LISTED], below
    return below + work[LISTED]


@kernel
def search(s, j, depth, alpha, beta, first, last, top, work, bound, weights, totals, stack, chances, model):
    """Value of a position `depth` plies deep; of a seat's actions only those first .. last - 1.

    See the top of this file. s and j are left as they were. Worthless once work[STOPPED] is set.
    One function for seats and chance: numba does not cache kernels well that call each other.
    """
    hint, n = work[HINT], work[GIVEN]
    work[IS_WHOLE], work[GIVEN], work[HINT], work[BEST] = 1, 0, -1, -1
    player = R.current_player(s)
    if player == -2 or depth == 0:
        return leaf(s, work[SEAT], bound, weights, totals)
    if top + ROOM > len(stack):
        work[STOPPED] = OUT_OF_ROOM
        return 0.0
    mark = j[0]

    if player >= 0:
        spent, shares = work[SPENT], work[REPLIES] and player != work[SEAT]
        if shares:
            hint = -1
        needs_list = last > 1 or hint < 0 or not R.is_legal(s, hint)
        if not needs_list:
            stack[top], n = hint, int64(1)
        else:
            if n == 0:
                n = list_actions(s, work[ORDER], top, stack)
            if hint >= 0:
                put_first(hint, n, top, stack)
        listed = n if needs_list else int64(0)
        if shares and spent:
            n = int64(1)
        is_whole = int64(first == 0 and last >= n and needs_list)
        sign = 1.0 if player == work[SEAT] else -1.0
        low, high = (alpha, beta) if sign > 0.0 else (-beta, -alpha)
        last = min(last, n)
        work[IS_WHOLE] = is_whole
        if depth == 1:
            work[LISTED] = listed
            return sign * last_ply(s, j, sign, high, first, last, top, work, bound, weights, totals, stack)
        best, chosen = -np.inf, int64(-1)
        for i in range(first, last):
            if work[NODES] == work[LIMIT]:
                work[STOPPED] = OUT_OF_NODES
                return 0.0
            work[NODES] += 1
            R.apply(s, int64(stack[top + i]), j)
            a, b = (max(low, best), high) if sign > 0.0 else (-high, -max(low, best))
            work[SPENT] = int64(shares and (spent or i > 0))
            value = sign * search(
                s, j, depth - 1, a, b, int64(0), ALL, top + n, work, bound, weights, totals, stack, chances, model
            )
            work[SPENT] = spent
            journal.undo(s, j, mark)
            if work[STOPPED]:
                return 0.0
            if value > max(low, best):
                chosen = int64(stack[top + i])
            best = max(best, value)
            if best >= high and work[PRUNES]:
                is_whole = int64(0)
                break
        work[IS_WHOLE], work[LISTED], work[BEST] = is_whole, listed, chosen
        return sign * best

    n = list_outcomes(s, bound, top, stack, chances)
    below = top + 5 * n  # lists of probed nodes stay there for the search
    lower, upper = -bound, bound  # of the node: sums of P_k L_k and P_k U_k
    width = int64(1) if work[CYCLES] else work[PROBING]
    rounds = work[PROBING] if work[CYCLES] else min(work[PROBING], int64(1))
    foretells = work[REDUCES] > 0 and work[REDUCES] <= depth < model.shape[1]
    for turn in range(-1 if foretells else 0, rounds):  # in turn -1 of ChanceProbCut L_k and U_k are likely ones
        for i in range(top, top + n):
            if chances[LOW, i] == chances[HIGH, i]:
                continue
            R.apply(s, int64(stack[i]), j)
            player = R.current_player(s)
            if player >= 0:
                p, is_own = chances[CHANCE_OF, i], player == work[SEAT]
                known_low, known_high = chances[LOW, i], chances[HIGH, i]
                cut_low = (alpha - upper + p * known_high) / p
                cut_high = (beta - lower + p * known_low) / p
                if turn < 0:
                    slope, offset, error = model[int64(is_own), depth]
                    if slope > 0.0:
                        a, b = (cut_low - offset - error) / slope, (cut_high - offset + error) / slope
                        left = depth - work[REDUCES]
                        value = search(
                            s, j, left, a, b, int64(0), ALL, below, work, bound, weights, totals, stack, chances, model
                        )
                        if work[STOPPED] or value <= a or value >= b:
                            journal.undo(s, j, mark)
                            return alpha if value <= a else beta
                        lower += p * (max(known_low, slope * value + offset - error) - known_low)
                        upper += p * (min(known_high, slope * value + offset + error) - known_high)
                    journal.undo(s, j, mark)
                    continue
                a, b = max(known_low, cut_low), min(known_high, cut_high)
                first, killer = turn * width, killer_of(depth, int64(stack[i]), work)
                if turn == 0:
                    stack[i + 2 * n] = work[killer]
                copy_list(i, n, below, stack, work)
                work[HINT] = stack[i + 2 * n]
                last = first + width
                value = search(
                    s, j, depth, a, b, first, last, below, work, bound, weights, totals, stack, chances, model
                )
                taught = note_probe(value, a, b, is_own, work[IS_WHOLE] == 1, i, chances)
                if stack[i + n] == first and (
                    taught or (turn > 0 and covers(value, a, b, known_low, known_high, is_own))
                ):
                    stack[i + n] = last
                below = keep_list(i, n, below, stack, work)
                if work[KILLERS] and work[BEST] >= 0 and (taught or turn == 0):
                    work[killer] = work[BEST]
                lower += p * (chances[LOW, i] - known_low)
                upper += p * (chances[HIGH, i] - known_high)
                if work[STOPPED] or chances[LOW, i] >= cut_high or chances[HIGH, i] <= cut_low:
                    journal.undo(s, j, mark)
                    return max(beta, lower) if chances[LOW, i] >= cut_high else min(alpha, upper)
            journal.undo(s, j, mark)
        if turn < 0:
            lower, upper = -bound, bound

    found = 0.0  # X_i
    for i in range(top, top + n):
        p, value = chances[CHANCE_OF, i], chances[LOW, i]
        lower -= p * chances[LOW, i]
        upper -= p * chances[HIGH, i]
        if chances[LOW, i] < chances[HIGH, i]:
            cut_low, cut_high = (alpha - found - upper) / p, (beta - found - lower) / p
            a, b = max(chances[LOW, i], cut_low), min(chances[HIGH, i], cut_high)
            begin = int64(stack[i + n]) if work[KEEPS] else int64(0)
            killer = killer_of(depth, int64(stack[i]), work)
            work[HINT] = stack[i + 2 * n] if begin else work[killer]
            copy_list(i, n, below, stack, work)
            R.apply(s, int64(stack[i]), j)
            player = R.current_player(s)
            value = search(s, j, depth, a, b, begin, ALL, below, work, bound, weights, totals, stack, chances, model)
            journal.undo(s, j, mark)
            if work[STOPPED]:
                return 0.0
            is_new = not begin or (value > chances[LOW, i] and value < chances[HIGH, i])
            if work[KILLERS] and work[BEST] >= 0 and player >= 0 and is_new:
                work[killer] = work[BEST]
            value = min(max(value, chances[LOW, i]), chances[HIGH, i])
            if work[PRUNES] and value <= cut_low:
                return min(alpha, found + p * value + upper)
            if work[PRUNES] and value >= cut_high:
                return max(beta, found + p * value + lower)
        found += p * value
    return found


@kernel
def search_maxn(s, j, depth, top, level, work, bound, weights, totals, stack, chances, values):
    """Write every seat's value of a position `depth` plies deep to values[level], float64[:, MAX_SEATS]."""
    player, num_seats = R.current_player(s), R.num_seats(s)
    if player == -2 or depth == 0:
        evaluate(s, weights, totals)
        for seat in range(num_seats):
            values[level, seat] = margin(totals, seat, num_seats, bound)
        return
    if top + ROOM > len(stack) or level + 1 == len(values):
        work[STOPPED] = OUT_OF_ROOM
        return
    mark = j[0]
    if player >= 0:
        n = list_actions(s, work[ORDER], top, stack)
        for i in range(n):
            if work[NODES] == work[LIMIT]:
                work[STOPPED] = OUT_OF_NODES
                return
            work[NODES] += 1
            R.apply(s, int64(stack[top + i]), j)
            search_maxn(s, j, depth - 1, top + n, level + 1, work, bound, weights, totals, stack, chances, values)
            journal.undo(s, j, mark)
            if work[STOPPED]:
                return
            if i == 0 or values[level + 1, player] > values[level, player]:
                for seat in range(num_seats):
                    values[level, seat] = values[level + 1, seat]
        return
    n = list_outcomes(s, bound, top, stack, chances)
    for seat in range(num_seats):
        values[level, seat] = 0.0
    for i in range(top, top + n):
        R.apply(s, int64(stack[i]), j)
        search_maxn(s, j, depth, top + 4 * n, level + 1, work, bound, weights, totals, stack, chances, values)
        journal.undo(s, j, mark)
        if work[STOPPED]:
            return
        for seat in range(num_seats):
            values[level, seat] += chances[CHANCE_OF, i] * values[level + 1, seat]


@kernel
def sweep(
    s,
    j,
    depth,
    actions,
    done,
    pause,
    found,
    nodes,
    is_bound,
    work,
    bound,
    weights,
    totals,
    stack,
    chances,
    values,
    model,
):
    """Search actions number `done`, done + 1, ... of the seat on turn; return how many are done by now.

    Returns after the action during which work[NODES] reaches `pause`, or when the search is stopped
    in the middle of one. actions: int32[n] in the order of search; found: float64[n], values seen from
    the root seat (Max^n: from the seat on turn); nodes: int64[n] below each action, itself included;
    is_bound: bool[n], where the value is only known not to be better than this for the seat on turn.
    """
    mark, player = j[0], R.current_player(s)
    sign = 1.0 if work[MAXN] or player == work[SEAT] else -1.0
    work[DEPTH] = depth
    best = -np.inf
    for i in range(done):
        best = max(best, sign * found[i])
    for i in range(done, len(actions)):
        if work[NODES] == work[LIMIT]:
            work[STOPPED] = OUT_OF_NODES
            return i
        before = work[NODES]
        work[NODES] += 1
        R.apply(s, int64(actions[i]), j)
        if work[MAXN]:
            search_maxn(s, j, depth - 1, int64(0), int64(0), work, bound, weights, totals, stack, chances, values)
            value = values[0, player]
        else:
            low, high = (best, np.inf) if sign > 0.0 else (-np.inf, -best)
            spent, shares = work[SPENT], work[REPLIES] and player != work[SEAT]
            work[SPENT] = int64(shares and (spent or i > 0))
            value = sign * search(
                s, j, depth - 1, low, high, int64(0), ALL, int64(0), work, bound, weights, totals, stack, chances, model
            )
            work[SPENT] = spent
        journal.undo(s, j, mark)
        if work[STOPPED]:
            return i
        found[i] = sign * value
        nodes[i] = work[NODES] - before
        is_bound[i] = work[PRUNES] == 1 and depth > 1 and value <= best
        best = max(best, value)
        if work[NODES] >= pause:
            return i + 1
    return len(actions)
