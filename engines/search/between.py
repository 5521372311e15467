"""The steps between the decisions of a search (a template; R: a game's rules): hidden things, draws, free actions.

Which verbs a game has is looked up here once, when the template is loaded: a game without them
pays nothing.
"""

from numpy import int64

if hasattr(R, "determinize"):
    determinize = R.determinize
else:

    @kernel
    def determinize(s, seat, r):
        """Nobody hides anything."""


if hasattr(R, "settle"):

    @inlined_kernel
    def draw(s, r, j):
        """Draw all that is due; return what was drawn directly before the next ply, which nobody is told here."""
        R.settle(s, r, j)
        return int64(-1)

    @inlined_kernel
    def told(outcome):
        """What seats are told of a draw: hands are hidden."""
        return int64(-1)

else:

    @inlined_kernel
    def draw(s, r, j):
        """Draw once; return the outcome."""
        outcome = int64(R.sample_chance(s, r))
        R.apply(s, outcome, j)
        return outcome

    @inlined_kernel
    def told(outcome):
        """What seats are told of a draw."""
        return outcome


if hasattr(R.policies, "forced"):

    @inlined_kernel
    def forced(s):
        """An action of the seat on turn that costs it nothing, or -1: the first one where there are several."""
        found = R.policies.forced(s)
        return bits.lowest_bit(found) if found else int64(-1)

else:

    @inlined_kernel
    def forced(s):
        """No action is free."""
        return int64(-1)


if hasattr(R, "decision"):
    ACTION_OF_MOVE = (1 << 20) - 1
    """The bits of a move that are its action."""

    @inlined_kernel
    def move_of(s, action):
        """An action with the kind of decision that it answers: what trees tell children apart by."""
        return int64(action) | (int64(R.decision(s)) << 20)

else:
    ACTION_OF_MOVE = -1

    @inlined_kernel
    def move_of(s, action):
        """An action says all."""
        return int64(action)
