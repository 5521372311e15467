"""Claimed work, whatever it is: who holds it, and how it is given back or buried."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic

import psycopg
from django.db import InterfaceError, OperationalError

from games import loader
from webapp.records.jobs import Connection
from webapp.records.queue import C, Queue
from worker.stop_switch import StopSwitch

LOST = (psycopg.OperationalError, psycopg.InterfaceError, OperationalError, InterfaceError)
"""Exceptions of a lost connection, ours or Django's."""

UNREAD, SPEED, ABSENT = "spec", "speed", "absent"
"""Kinds of reason to leave a job to others: its specification cannot be read here, this machine is of another speed
than the one that began it, or the code of somebody's own engine is not here."""


@dataclass(frozen=True)
class Worker:
    """A worker process, and the connection that holds what it claims."""

    name: str
    connection: Connection
    reconnect: Callable[[], Connection]  # a new one in place of one that was lost; raises where there is none
    speed: float | None = None  # of its machine; None: not measured
    declined: dict[tuple[str, int], tuple[str, str]] = field(default_factory=dict)
    """(source, id) of jobs that it leaves to others: the kind of reason, and why in words."""
    may_go_on: Callable[[], bool] = lambda: True  # whether to begin another match: it is to drain otherwise


class ClaimedTask(Generic[C]):
    """Claimed work (worker.recorder.Work), base of its kinds."""

    queue: ClassVar[Queue[Any]]
    turn: tuple[str, int] | None = None  # name of its source and id in it, where turns chose it
    owner_id: int | None = None  # whose turn it is, where that is known
    was_alone: bool = False  # nothing else waited in its queue as it was claimed
    is_done: bool = False  # it holds no claim any more, by its own hand
    is_charged: bool = False  # counts for the owner's CPU hours
    left_s: float | None = None  # CPU seconds that the owner had for it when it was claimed; None: no limit

    def __init__(self, worker: Worker, claim: C) -> None:
        self._cpu_at_claim = loader.working_cpu_s()
        self.worker = worker
        self.connection = worker.connection
        self.claim = claim

    @property
    def cpu_s(self) -> float:
        """CPU seconds that this process has worked since it was claimed, without compiling."""
        return loader.working_cpu_s() - self._cpu_at_claim

    @property
    def is_spent(self) -> bool:
        """Whether it has used up what its owner had left."""
        return self.left_s is not None and self.cpu_s >= self.left_s

    def carry_out(self, stop: StopSwitch) -> None:
        """Do it and write what came out, until its end or a stop."""
        raise NotImplementedError

    @property
    def is_last(self) -> bool:
        """Whether it is done and nothing else waits, but for what a message has been sent for since."""
        return self.is_done and self.was_alone

    def give_back(self, connection: Connection) -> None:
        """Let another worker have what is not done."""
        if self.is_done:
            return
        self.queue.give_back(connection, self.claim)

    def bury(self, message: str) -> None:
        """Count an exception as a death of this attempt."""
        self.queue.bury(self.connection, self.claim, message)
