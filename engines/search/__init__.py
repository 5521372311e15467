"""Kernel templates of the search engines: `games.loader` executes each once per game and injects the names
that it uses (`kernel`, the rules `R`), so none can be imported.
"""
