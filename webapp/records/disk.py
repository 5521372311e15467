"""Room on the volume of the database: below a reserve, experiments and studies stop being handed out.

Play at tables goes on, and so does all else as soon as there is room again: workers ask before each claim and each
match. A volume that cannot be seen from here, that of a database elsewhere, is never full.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass

from django.conf import settings

LEAST_BYTES, LEAST_SHARE = 10**9, 0.02
"""The reserve where the settings name none: the greater of the two."""


@dataclass(frozen=True)
class Room:
    """Bytes free on the volume, and those that stay free of experiments and studies."""

    free: int
    reserve: int

    @property
    def is_full(self) -> bool:
        """Whether less than the reserve is left."""
        return self.free < self.reserve


def room() -> Room | None:
    """The room that there is now; None where it cannot be seen."""
    if not settings.LAB_DISK:
        return None
    try:
        found = shutil.disk_usage(settings.LAB_DISK)
    except OSError:
        return None
    given_mb = settings.LAB_DISK_RESERVE_MB
    least = max(LEAST_BYTES, round(LEAST_SHARE * found.total))
    return Room(found.free, least if given_mb is None else 10**6 * given_mb)


def is_full() -> bool:
    """Whether experiments and studies have to wait for room."""
    found = room()
    return found is not None and found.is_full
