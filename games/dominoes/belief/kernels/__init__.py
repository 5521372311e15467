"""Kernel templates of beliefs about hands: `games.loader` injects names that they use, so none can be imported."""
