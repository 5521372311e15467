"""Kernel template of a course: `games.loader` injects names that it uses, so it cannot be imported."""
