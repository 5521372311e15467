"""Dominoes for people at the board: steps of an action, words, panels, guide."""
