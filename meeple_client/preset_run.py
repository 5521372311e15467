"""A run of a published table."""

from __future__ import annotations

from dataclasses import dataclass

from meeple_client.job import Job
from meeple_client.values import Json


@dataclass(frozen=True)
class PresetRun:
    """A run of a published table. number: of the run; job: what plays it."""

    preset: str
    number: int
    is_new: bool
    job: Job

    def comparison(self) -> Json:
        """Every figure as printed and as found here, with its verdict."""
        found: Json = self.job.transport.ask("GET", f"/presets/{self.preset}/runs/{self.number}")
        return found
