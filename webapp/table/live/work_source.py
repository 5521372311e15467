"""Source of the lab's work: jobs and samples to play again (`webapp.records`), engines' turns at tables, and hints.

`LabWorkSource` is what `settings.MATCH_RECORDER` names.
"""

from __future__ import annotations

from webapp.records import sample_checks, work_source
from webapp.table.live import engine_queue, hint_queue


class LabWorkSource(work_source.PostgresWorkSource):
    """Hands out chunks, pieces, samples, engines' turns and hints (worker.recorder.WorkSource)."""

    sources = work_source.SOURCES | sample_checks.SOURCES | engine_queue.SOURCES | hint_queue.SOURCES
