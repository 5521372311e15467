"""A lab of its own whose pages answer over HTTP, for benchmarks: its people, and what its web processes used."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence
from typing import Any

import httpx
import psutil

from tests.crash.lab import Lab
from webapp.ops import ports, programs

STOP = "web"


class ServedLab(Lab):
    """Servers and web processes, started as `up` starts them; `processes`: of the pages."""

    def __init__(self, processes: int = 1) -> None:
        super().__init__()
        self._num_web = processes
        self.port = ports.first_free("127.0.0.1", 18_400 + os.getpid() % 1000)  # another may begin at this moment
        self.address = f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> ServedLab:
        self.start_servers()
        options = programs.Options(port=self.port, web=self._num_web)
        self.environment = programs.environment(self.folder, options, self.port) | self.environment
        self.environment |= {"LAB_STATIC_COLLECTED": "0", "PUBLIC_URL": self.address}
        self._start("web", programs.web(options, self.port).command())
        self.wait(lambda: ports.serves("127.0.0.1", self.port, "/health/live/", 1.0), "pages")
        os.environ.update(self.environment)
        import django

        django.setup()
        return self

    def __exit__(self, *problem: object) -> None:
        from django.db import connections

        connections.close_all()
        self.stop("web")
        super().__exit__(*problem)

    def web_processes(self) -> list[psutil.Process]:
        """Processes of the pages, and what leads them."""
        leader = psutil.Process(self.processes["web"].pid)
        return [leader, *leader.children(recursive=True)]

    def web_cpu_s(self) -> float:
        """CPU seconds that they have used, by their clocks: the system's own account is in hundredths."""
        return sum(time.clock_gettime(~process.pid << 3 | 2) for process in self.web_processes())

    def web_memory_mb(self) -> float:
        """Their memory: what several share counts once (PSS)."""
        return sum(process.memory_full_info().pss for process in self.web_processes()) / 2**20

    def client(self, person: Any) -> httpx.Client:
        """A browser's connection of somebody who is signed in."""
        from django.test import Client

        signed_in = Client()
        signed_in.force_login(person)
        cookies = {"sessionid": signed_in.cookies["sessionid"].value}
        return httpx.Client(base_url=self.address, cookies=cookies, timeout=60.0)


def people(names: Sequence[str]) -> list[Any]:
    """Accounts with these names."""
    from webapp.people.accounts.models import User

    return [User.objects.get_or_create(username=name)[0] for name in names]


def refuse_windows() -> None:
    """End where there is no PSS to be read."""
    if sys.platform != "linux":
        raise SystemExit("this benchmark reads /proc: Linux only")
