"""Ways to try out the actions of a state (a template of `games.loader`, rules in R)."""
# mypy: ignore-errors

from numpy import int64


@kernel
def make_and_undo(s, actions, rounds, j):
    """Make every action and take it back, `rounds` times. Needs rules with a journal."""
    for _ in range(rounds):
        for action in actions:
            mark = j[0]
            R.apply(s, int64(action), j)
            journal.undo(s, j, mark)


@kernel
def make_evaluate_undo(s, actions, rounds, weights, totals, j):
    """Make every action, evaluate the position and take it back, `rounds` times; sum of all totals."""
    result = 0.0
    for _ in range(rounds):
        for action in actions:
            mark = j[0]
            R.apply(s, int64(action), j)
            R.evaluation.evaluate(s, weights, totals)
            result += totals[0] + totals[1]
            journal.undo(s, j, mark)
    return result


@kernel
def copy_and_make(s, actions, rounds, scratch, j):
    """Make every action on a copy of the state, `rounds` times."""
    for _ in range(rounds):
        for action in actions:
            journal.copy(s, scratch)
            R.apply(scratch, int64(action), j)
            journal.reset(j)
