"""Source of the lab's work: all that `webapp.records` has, engines' turns at tables, and hints.

`LabWorkSource` is what `settings.MATCH_RECORDER` names.
"""

from __future__ import annotations

from webapp.records import work_source
from webapp.table.live import engine_queue, hint_queue


class LabWorkSource(work_source.PostgresWorkSource):
    """Hands out chunks, pieces, engines' turns and hints (worker.recorder.WorkSource)."""

    sources = work_source.SOURCES | engine_queue.SOURCES | hint_queue.SOURCES
