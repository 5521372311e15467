"""Results that each version of a game and of an engine stands for, stored in `results.json`."""
