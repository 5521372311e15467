"""Plays strategies over the rules: `games.loader` injects names that the template uses, so it cannot be imported."""
