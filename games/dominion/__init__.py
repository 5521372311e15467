"""Dominion: the base set of 2008, with the ten-card test-bed of Jansen and Tollisen (2014)."""
