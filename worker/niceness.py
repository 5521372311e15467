"""How far processes that play experiments, or compile ahead, step back for other programs.

Only the process steps back, not its session: where Linux weighs whole sessions (autogroup), that of the workers then
gets as much as any other of the machine, whatever people do there, and niceness counts where sessions are not weighed.
"""

from __future__ import annotations

import os

BATCH_NICENESS = int(os.environ.get("LAB_BATCH_NICENESS", "5"))
"""A third of what another busy program gets on the same core (docs/findings/speed.md, "Stepping back")."""
