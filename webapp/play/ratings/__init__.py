"""Ratings of people and agents by game, with engines' levels as anchors; engines against people."""
