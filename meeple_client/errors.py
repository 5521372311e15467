"""What goes wrong, each as a sentence for people with the facts for programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


class LabError(Exception):
    """Anything that keeps a lab from answering as asked; its text is a sentence."""


class UnreachableError(LabError):
    """No answer came for as long as the client's patience lasts."""


class WaitTimeoutError(LabError):
    """A job was not over in the time that it was given; it goes on."""


class ProblemError(LabError):
    """The lab refused: a problem of its API (RFC 9457).

    kind: such as ``over-quota`` or ``not-found``, as the page of problems lists them; detail: the sentence;
    errors: of ``invalid``, each with ``place`` and ``message``; members: all that the answer says.
    """

    def __init__(self, kind: str, status: int, detail: str, members: Mapping[str, Any]) -> None:
        super().__init__(detail)
        self.kind, self.status, self.detail, self.members = kind, status, detail, dict(members)

    @property
    def errors(self) -> Sequence[Mapping[str, str]]:
        """What is wrong where."""
        found: Sequence[Mapping[str, str]] = self.members.get("errors") or ()
        return found
