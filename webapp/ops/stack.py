"""Runs the whole lab: what starts in which order, and how it ends.

The command that reads arguments and settings becomes `python -m webapp.ops.stack PLAN`, a process without Django.
"""

from __future__ import annotations

import json
import os
import sys
import time
from dataclasses import asdict, dataclass
from typing import Any, NoReturn

from webapp.ops import children, data_folder, forking, lock, ports, postgres, programs, valkey
from webapp.ops.children import Child
from webapp.ops.data_folder import CHECKOUT, DataFolder
from webapp.ops.forking import ForkServer
from webapp.ops.postgres import PostgresServer
from webapp.ops.programs import Options
from webapp.ops.supervisor import Supervisor, SupervisorError, interruptible, uninterrupted
from webapp.ops.terminal import complain, say, say_plain
from webapp.ops.valkey import ValkeyServer
from webapp.ops.worker_access import WorkerAccess

INTERRUPTED = 130
PAGES_READY_S = 180.0
"""Web processes load in some seconds of CPU; a busy machine may need minutes for them."""


@dataclass(frozen=True)
class Plan:
    """What is to be run.

    static_files: the fingerprint of those of this version. has_demo: the demo runs beside the lab once the pages
    answer; with `ends_with_demo` the lab stops when it has ended, with its exit code.
    """

    options: Options
    static_files: str
    has_demo: bool = False
    ends_with_demo: bool = False


def become(plan: Plan) -> NoReturn:
    """Go on as the supervisor of this lab, in the same process, without what it has loaded."""
    os.environ["LAB_DATA"] = str(data_folder.locate().root)
    os.chdir(CHECKOUT)
    sys.stdout.flush()
    os.execv(sys.executable, [sys.executable, "-m", "webapp.ops.stack", json.dumps(asdict(plan))])


def serve(plan: Plan) -> int:
    """Run the lab until it is interrupted; returns the exit code."""
    folder = data_folder.locate()
    try:
        folder.create()
        with lock.hold(folder.lock_file) as held, interruptible():
            return Run(folder, plan, held).run()
    except lock.AlreadyRunningError as error:
        complain("up", f"Meeple Lab is running on {folder.root} already: {error.holder}.")
        complain("up", "Use that one, stop it with Ctrl-C, or name another data folder in LAB_DATA.")
    except (data_folder.DataFolderError, postgres.PostgresError, valkey.ValkeyError) as error:
        complain("up", str(error))
    except KeyboardInterrupt:
        return INTERRUPTED
    except OSError as error:
        complain("up", f"{error.strerror or error}{f' ({error.filename})' if error.filename else ''}")
    return 1


class Run:
    """One run of the lab, from start to stop."""

    def __init__(self, folder: DataFolder, plan: Plan, held: lock.Lock) -> None:
        self.folder = folder
        self.plan = plan
        self.options = options = plan.options
        self.held = held
        self.port = ports.first_free(options.host, options.port)
        self.access = self._access()
        self.forks = ForkServer() if forking.is_possible() else None
        self.supervisor = Supervisor(folder, programs.environment(folder, options, self.port), self.forks)

    def run(self) -> int:
        """Start everything, look after it, stop everything."""
        say_plain(f"Meeple Lab keeps its data in {self.folder.root}")
        for place in (self.folder.logs, self.folder.processes):
            data_folder.own_folder(place, 0o700)
        for name in children.end_leftovers(self.folder):
            say(name, "ended: it was left over from a killed run")
        try:
            warming = self.supervisor.start(programs.warm_first())  # beside all that follows
            self._collect_static()
            loader = self.supervisor.start(programs.fork_server(self.forks)) if self.forks else None
            self._start_services()
            self._prepare_pages()
            self._await_loader(loader)
            web = self.supervisor.start(programs.web(self.options, self.port))
            self._start_table_workers()
            self._await_pages(web)
            demo = self.supervisor.start(programs.demo(self.plan.ends_with_demo)) if self.plan.has_demo else None
            self._await_kernels(warming)
            self._start_batch_workers()
            self.supervisor.start(programs.warm_rest())
            return self._look_after(demo if self.plan.ends_with_demo else None)
        except KeyboardInterrupt:
            return INTERRUPTED if self.plan.ends_with_demo else 0
        except SupervisorError:
            return 1
        finally:
            with uninterrupted():
                self._stop()

    def _access(self) -> WorkerAccess | None:
        """Access for workers of other machines, where it is asked for and the servers are ours."""
        if self.options.serve_workers and (os.environ.get("DATABASE_URL") or os.environ.get("REDIS_URL")):
            complain("workers", "of other machines are not served: they connect to the servers that you have named")
            return None
        return WorkerAccess(self.folder, self.options.serve_workers) if self.options.serve_workers else None

    def _start_services(self) -> None:
        """Postgres and Valkey, unless others are named in the environment."""
        started = []
        if self.access is not None:
            self.access.check()
            self.folder.worker_password()
        if os.environ.get("DATABASE_URL"):
            say("postgres", "not started: DATABASE_URL names one")
        else:
            connections = programs.connections(self.options)
            server = PostgresServer(self.folder, postgres.find(), connections=connections, access=self.access)
            if not (self.folder.postgres / "PG_VERSION").exists():
                say("postgres", f"making a cluster with Postgres {server.programs.version}")
            started.append(self.supervisor.start(programs.postgres(server)))
        if os.environ.get("REDIS_URL"):
            say("valkey", "not started: REDIS_URL names one")
        else:
            queue = ValkeyServer(self.folder, valkey.find(), self.access)
            started.append(self.supervisor.start(programs.valkey(queue)))
        self.supervisor.wait_ready(*started)

    def _collect_static(self) -> None:
        """Static files as this version wants them: whoever loads the pages looks for them once."""
        mark = self.folder.static_fingerprint_file
        if not (self.folder.static.is_dir() and mark.exists() and mark.read_text() == self.plan.static_files):
            self.supervisor.run_to_end(programs.collect_static())
            mark.write_text(self.plan.static_files)

    def _prepare_pages(self) -> None:
        """Tables as this version wants them, and access for workers of other machines."""
        steps = [programs.finish_restore()] if self.folder.restoring.exists() else []
        self.supervisor.run_to_end(*steps, programs.migrate())
        if self.access is not None:
            self.supervisor.run_to_end(programs.workers_role())
            file = self.access.write_environment()
            say("workers", f"of other machines are let in at {self.access.address}: copy {file} to one of them, and")
            say("workers", "start ./lab worker worker.env there, in a checkout of the same commit")
        if self.port != self.options.port:
            say("web", f"port {self.options.port} is taken: using {self.port}")

    def _await_loader(self, loader: Child | None) -> None:
        """Wait for what programs are forked from; where it fails or takes too long they start by themselves."""
        ends_at = time.monotonic() + PAGES_READY_S
        while loader is not None and loader.is_running() and not loader.is_ready() and time.monotonic() < ends_at:
            self.supervisor.tick()

    def _await_pages(self, web: Child) -> None:
        """Say where the pages are as soon as they come."""
        self.supervisor.wait_ready(web, seconds=PAGES_READY_S)
        address = self.options.address(self.port)
        self.folder.address_file.write_text(os.environ.get("PUBLIC_URL") or address)
        self.held.describe(f"process {os.getpid()}, {address}/")
        say("web", f"{address}/   (Ctrl-C stops the lab)")

    def _await_kernels(self, warming: Child) -> None:
        """Wait until what most first experiments need is compiled."""
        if warming.is_running():
            say("kernels", "getting ready; on a new machine they are compiled first, which takes a minute")
        while warming.is_running():
            self.supervisor.tick()
        self.supervisor.forget(warming)
        if warming.exit_code != 0:
            complain("kernels", "the warm-up failed: workers compile when they need to")
        if self.forks is not None:
            self.forks.load_more()

    def _start_table_workers(self) -> None:
        """Start the workers that people at the board need, as soon as there are pages."""
        self.supervisor.start(programs.worker("interactive", programs.INTERACTIVE_PROCESSES))
        self.supervisor.start(programs.sweeper())
        self.supervisor.start(programs.deliverer())

    def _start_batch_workers(self) -> None:
        self.supervisor.start(programs.worker("batch", self.options.workers))
        self.supervisor.start(programs.worker("analysis", programs.ANALYSIS_PROCESSES))
        self.supervisor.start(programs.worker("agents", programs.AGENTS_PROCESSES))
        number = f"{self.options.workers} process{'es' if self.options.workers > 1 else ''}"
        say(
            "workers",
            f"started: {number} for experiments, {programs.INTERACTIVE_PROCESSES} for engines at tables with people, "
            f"{programs.AGENTS_PROCESSES} for those of agents, {programs.ANALYSIS_PROCESSES} for analyses",
        )

    def _look_after(self, companion: Child | None) -> int:
        """Watch until interrupted, or until the companion has ended."""
        while companion is None or companion.is_running():
            self.supervisor.tick()
        self.supervisor.forget(companion)
        return companion.exit_code or 0

    def _stop(self) -> None:
        """Stop everything; Postgres last, so that workers can hand back what they claimed."""
        if self.supervisor.children:
            say("up", "stopping")
            self.supervisor.stop_all_but_services()
            self.supervisor.stop_services()
            say("up", "stopped; no process is left")


def main() -> int:
    """Carry out the plan that is given."""
    given: dict[str, Any] = json.loads(sys.argv[1])
    return serve(Plan(**given | {"options": Options(**given["options"])}))


if __name__ == "__main__":
    sys.exit(main())
