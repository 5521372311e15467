"""Kernel templates of the games of cards: `games.loader` injects names that they use, so none can be imported."""
