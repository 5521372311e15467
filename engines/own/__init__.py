"""Engines of one's own: a file or an installed package that takes a seat from a process of its own.

What such a file imports is here. `docs/own-engines.md` says how one is written.
"""

from engines.own.position import Position
from engines.protocol import Budget, Decision, Table
from games.options import option

__all__ = ["Budget", "Decision", "Position", "Table", "option"]
