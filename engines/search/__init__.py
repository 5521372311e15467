"""Kernel templates of the search engines, executed once per game by `games.loader`."""
