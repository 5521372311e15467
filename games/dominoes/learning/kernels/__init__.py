"""Kernel template of dominoes for learners: `games.loader` injects names that it uses, so it cannot be imported."""
