"""What goes wrong with an engine of one's own."""

from __future__ import annotations

from engines.protocol import EngineFaultError


class UnknownEngineError(KeyError):
    """No source of this name is allowed here, and nothing is known of this version; the message says what is."""

    def __str__(self) -> str:
        return str(self.args[0])


class SourceError(ValueError):
    """A file or package that is no engine; the message says why."""


def not_here(engine_id: str, reason: str) -> EngineFaultError:
    """The fault of an engine whose code is not at hand."""
    return EngineFaultError("absent_code", f"{engine_id} cannot play here: {reason}")
