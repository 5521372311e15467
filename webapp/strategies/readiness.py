"""Compiles what plays strategies before somebody waits for it, in a process of its own.

The lab does so when it starts; whoever comes earlier, or after an update, sees that it is on the way.
"""

from __future__ import annotations

import subprocess
import sys
import threading

from games.dominion.strategies import playing
from webapp.strategies.trials import GAME

COMMAND = [sys.executable, "-m", "engines", "warm", "--game", GAME.id, "--engine", "strategy"]
_lock = threading.Lock()
_running: list[subprocess.Popen[bytes]] = []


def is_ready() -> bool:
    """Whether strategies can be tried at once; if not, what they need is being compiled from now on."""
    if playing.is_compiled(GAME):
        return True
    with _lock:
        _running[:] = [process for process in _running if process.poll() is None]
        if not _running:
            _running.append(start())
    return False


def start() -> subprocess.Popen[bytes]:
    """Begin to compile."""
    return subprocess.Popen(COMMAND, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
