"""One thing that is wrong with the lab."""

from __future__ import annotations

from dataclasses import dataclass

DOWN, NOT_RECORDING, FULL, LATE, ATTENTION, OK = "down", "not recording", "full", "late", "attention", "ok"
STATES = (DOWN, NOT_RECORDING, FULL, LATE, ATTENTION, OK)
"""States of the lab, the worst first. `ATTENTION` is for the operator alone: everything works."""


@dataclass(frozen=True)
class Finding:
    """Something wrong. cause: its name, the same as long as it lasts; is_public: whether everybody may read of it."""

    cause: str
    state: str
    sentence: str
    advice: str = ""

    @property
    def is_public(self) -> bool:
        """Whether everybody may read of it."""
        return self.state != ATTENTION

    @property
    def tone(self) -> str:
        """The class of a notice of it: "danger" where pages or records stop, else "warn"."""
        return "danger" if self.state in (DOWN, NOT_RECORDING) else "warn"
