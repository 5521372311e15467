"""A match looked at again: value at every ply, what decisions cost, luck apart from play."""
