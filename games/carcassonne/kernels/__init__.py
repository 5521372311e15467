"""Kernel templates of Carcassonne: `games.loader` injects names that they use, so none can be imported."""
