"""Trees of plies and chance given node by node: what searches are tried on.

`nodes` makes them, in Python; the templates beside it are rules, evaluation and move orders over
a state that holds the whole tree, so that a search of a tree is a search of a game.
"""
