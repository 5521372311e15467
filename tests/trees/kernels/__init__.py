"""Kernel templates of trees: `games.loader` injects names that they use, so none can be imported."""
