"""Kernel templates of learned values: `games.values` injects names that they use, so none can be imported."""
