"""Kernel templates of environments: `games.loader` injects names that they use, so none can be imported."""
