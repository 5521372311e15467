"""Learns values from self-play: ``python -m engines.learning GAME``.

| module | what |
|---|---|
| `self_play` | matches of a value with itself, and the positions kept of them |
| `fitting` | weights that foretell the final points of such positions |
| `training` | rounds of both, kept in a folder so that they can go on |
| `evolution` | weights of a game's evaluation by hand, found by matches |

Engines know no game by name: what is special in one is its value (`games.values.GameValue`).
"""
