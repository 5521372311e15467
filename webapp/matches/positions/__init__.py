"""One position of a match: engines think about it, and what they found stands beside the board."""
