"""Kernel templates of searches over hands: `games.loader` injects names that they use, so none can be imported."""
