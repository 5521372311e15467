"""Requests of all web processes of this machine: how many, how they ended, how long they took.

Each process counts in files of its own (the multi-process mode of `prometheus_client`), and whichever is asked adds
up those of all. The client is only loaded where metrics are wanted.
"""

from __future__ import annotations

import os
import shutil
import socket
import time
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import psutil
from django.conf import settings

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry, Counter, Histogram

BUCKETS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 3.0, 10.0, 60.0)
REFUSED = "refused"
KEPT_S = 3600.0
"""Files of a process that is gone still count for so long, so that one that is replaced takes nothing away."""

KEPT_HOST_S = 7 * 86_400.0
"""A folder of another host name goes when nothing was counted in it for so long."""


def folder() -> Path:
    """The folder of the files; processes of one machine, or container, share it."""
    return Path(settings.LAB_METRICS_FOLDER) / socket.gethostname()


@cache
def _counts() -> tuple[Counter, Histogram]:
    place = folder()
    place.mkdir(parents=True, exist_ok=True)
    _forget_gone(place)
    _forget_hosts(place)
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(place)
    from prometheus_client import CollectorRegistry, Counter, Histogram, values

    make = values.MultiProcessValue  # as at its import, had the variable been there
    values.ValueClass = make()  # type: ignore[no-untyped-call]  # it has no types
    registry = CollectorRegistry()
    requests = Counter("lab_requests", "Requests by view and status.", ["view", "status"], registry=registry)
    seconds = Histogram(
        "lab_request_seconds",
        "Time until the answer begins, by view, with the wait for a place; long polls with what they wait for.",
        ["view"],
        buckets=BUCKETS,
        registry=registry,
    )
    return requests, seconds


def _forget_gone(place: Path) -> None:
    for file in place.glob("*.db"):
        pid = file.stem.rpartition("_")[2]
        is_gone = pid.isdecimal() and not psutil.pid_exists(int(pid))
        if is_gone and time.time() - file.stat().st_mtime > KEPT_S:
            file.unlink(missing_ok=True)


def _forget_hosts(own: Path) -> None:
    """Remove the folders of containers of before: a new one has another host name. One that lives is written to."""
    for place in own.parent.iterdir():
        with suppress(OSError):  # another process removes it
            latest = max((file.stat().st_mtime for file in place.glob("*.db")), default=place.stat().st_mtime)
            if place.is_dir() and place != own and time.time() - latest > KEPT_HOST_S:
                shutil.rmtree(place)


def note(view: str, status: int, seconds: float) -> None:
    """Count one request."""
    requests, times = _counts()
    requests.labels(view, str(status)).inc()
    times.labels(view).observe(seconds)


def note_refused(status: int) -> None:
    """Count a request that was not let in: it came to no view."""
    _counts()[0].labels(REFUSED, str(status)).inc()


def registry() -> CollectorRegistry:
    """A registry that adds up the counts of all processes when it is asked."""
    _counts()
    from prometheus_client import CollectorRegistry
    from prometheus_client.multiprocess import MultiProcessCollector

    found = CollectorRegistry()
    MultiProcessCollector(found, str(folder()))  # type: ignore[no-untyped-call]  # it has no types
    return found
