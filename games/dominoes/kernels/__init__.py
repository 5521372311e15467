"""Kernel templates of dominoes: `games.loader` injects names that they use, so none can be imported."""
