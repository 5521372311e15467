"""Chooses an action: search and scripted play over any game."""
