"""What the workers that run now get done, for estimates of time: how many they are, and how fast their machines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.conf import settings

from webapp.records import speeds, worker_processes
from worker.recorder import BATCH


@dataclass(frozen=True)
class Power:
    """Workers for experiments and studies. cores: as many reference cores as they are worth (worker.machine)."""

    processes: int
    cores: float

    def of(self, spec_json: Mapping[str, Any]) -> float:
        """How many processes' worth of time a spec gets: seconds by the clock last as long on a fast machine."""
        return float(self.processes) if speeds.has_clock(spec_json) else self.cores


def now() -> Power:
    """The power of the workers that serve now; of `settings.LAB_WORKERS` usual cores where none does."""
    rows = worker_processes.serving(worker_processes.living(), BATCH)
    if not rows:
        return Power(settings.LAB_WORKERS, float(settings.LAB_WORKERS))
    return Power(len(rows), sum(row.speed or 1.0 for row in rows))
