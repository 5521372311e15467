"""Kernel templates: `games.values` injects names that they use, so none can be imported."""
