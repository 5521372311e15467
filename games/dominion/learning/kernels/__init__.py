"""Kernel template of Dominion for learners: `games.loader` injects names that it uses, so it cannot be imported."""
