"""Kernel template of whole matches: `games.loader` injects names that it uses, so it cannot be imported."""
