"""Kernel templates of all games: compiled twins of `games.rng` and `games.bits`, journal, playouts.

A template uses names that `games.loader` injects when it executes the file for one variant (`kernel`, `rng`,
`part`, `R`, ...): no ordinary import defines them, so none of these modules can be imported.
"""
