"""Refusals of a player's request that cannot be carried out; nothing has changed then."""

from __future__ import annotations

from webapp.common.errors import RefusedError


class StaleError(RefusedError):
    """Refusal of a request that was meant for another position: the match has moved on."""


class NotYourTurnError(RefusedError):
    """Another seat is on turn."""


class IllegalError(RefusedError):
    """The rules do not allow the action."""


class OverError(RefusedError):
    """The match is not running (any more, or yet)."""


class RepeatError(RefusedError):
    """The key of an earlier action with another content."""


OUTDATED = "The rules have changed since this match began, so it cannot be played on."
