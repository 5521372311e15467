"""How many connections to Postgres a web process has. The supervisor reckons with them, and loads nothing for it."""

from __future__ import annotations

from webapp.common import admission

SPARE = 2
"""Connections beside those of the requests in work: one looks for matches that have moved (`pulse`)."""
LISTENING = 1
"""Connections that a process has beside its pool: one is told of moves (`pulse`)."""
MOST = admission.PLACES + SPARE + LISTENING
DOWNLOADS = 8
"""Downloads of the whole lab at once: each has a connection of its own, beside the pools."""
