"""A lab of its own for the crash tests: real servers and workers, to be killed one by one."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg

from games import loader
from tests.crash import engines
from webapp.ops import launch, postgres, valkey
from webapp.ops.data_folder import CHECKOUT, DataFolder
from webapp.ops.postgres import PostgresServer
from webapp.ops.valkey import ValkeyServer
from webapp.records.waiting_summaries import unpacked

DEADLINE_S = 180.0
STOP_S = 20.0
UNSYNCED = ["-c", "fsync=off"]
"""A killed server loses nothing by it: what it wrote, the system keeps."""
IN_HASTE = "LAB_IN_HASTE"
"""Where the environment has it, a match is written as soon as it is over, and workers load one game, not all levels."""
POLL_S = 0.05
MIGRATIONS = {
    (path.parent.parent.name, path.stem)
    for app in ("records", "table/live")
    for path in CHECKOUT.glob(f"webapp/{app}/migrations/0*.py")
}

# Every column but ids, times and worker, in a fixed order.
_MATCHES = """
select arm_index, deal, rotation, seed, deal_seed, status, num_plies, digest, versions::text, failure::text
from records_match where experiment_id = %s order by 1, 2, 3
"""
_SEATS = """
select s.arm_index, s.deal, m.rotation, s.seat, s.lineup_index, c.engine, c.options::text, c.budget::text, s.score,
       s.margin, s.rank, s.result, (
           select jsonb_object_agg(name, value order by name)::text from (
               select * from unnest(n.counts, s.counts::float8[]) union all select * from unnest(n.measures, s.measures)
           ) as numbers (name, value) where value is not null
       )
from records_seat s join records_match m on m.id = s.match_id
join records_experiment e on e.id = s.experiment_id left join records_metricnames n on n.game = e.game
join records_engineconfiguration c on c.id = s.configuration_id where s.experiment_id = %s order by 1, 2, 3, 4
"""
_PLIES = """
select m.arm_index, m.deal, m.rotation, p.ply, p.seat, p.action, p.notation, p.legal_count, p.scores, p.value,
       p.playouts, p.nodes, p.depth, p.digest, p.info::text
from records_ply p join records_match m on m.id = p.match_id where m.experiment_id = %s order by 1, 2, 3, 4
"""
_SUMMARIES = """
select metric, arm_index, lineup_index, seat, ply, n, total
from records_summary where experiment_id = %s and metric <> 'cpu_s'
"""
_WAITING = "select totals from records_waitingsummary where experiment_id = %s"


class Lab:
    """One data folder with its processes; all of them end with the context.

    is_in_haste: see `IN_HASTE`; and batches step back for nobody, as other tests may hold the machine.
    """

    def __init__(self, is_in_haste: bool = False) -> None:
        self.folder = DataFolder(Path(tempfile.mkdtemp(prefix="lab-crash-")))
        self.folder.root.chmod(0o755)  # Postgres may run as another user
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        self._children = 0
        self._connection: psycopg.Connection[tuple[Any, ...]] | None = None
        self.environment = {
            **{name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")},
            "LAB_DATA": str(self.folder.root),
            "LAB_KERNELS": str(loader.cache_root()),
            "DJANGO_SETTINGS_MODULE": "webapp.settings",
            "PYTHONPATH": str(CHECKOUT),
            "PYTHONUNBUFFERED": "1",
        }
        if is_in_haste:
            self.environment |= {IN_HASTE: "1", "LAB_BATCH_NICENESS": "0"}
        self._servers = {
            "postgres": PostgresServer(self.folder, postgres.find()),
            "valkey": ValkeyServer(self.folder, valkey.find()),
        }

    def __enter__(self) -> Lab:
        return self

    def __exit__(self, *_: object) -> None:
        for name in ("supervisor", "hand", "sweeper", "interactive", "analysis", "worker", "valkey", "postgres"):
            self.stop(name)
        if self._connection is not None:
            self._connection.close()
        shutil.rmtree(self.folder.root, ignore_errors=True)

    def start_servers(self) -> None:
        """Start Postgres and Valkey, and make the tables."""
        self.start_server("postgres")
        self.start_server("valkey")
        self.ask("migrate")

    def start_supervisor(self, workers: int) -> None:
        """Start everything by `up`, and wait until its tables are there."""
        self._start("supervisor", [sys.executable, "manage.py", "up", "--port", "8780", "--workers", str(workers)])
        self.wait(self._has_tables, "the tables to be there")

    def _has_tables(self) -> bool:
        try:
            return set(self.rows("select app, name from django_migrations")) >= MIGRATIONS
        except psycopg.Error:
            return False

    def children(self) -> list[int]:
        """Process ids that the supervisor noted, of those that are alive."""
        notes = [json.loads(note.read_text()) for note in self.folder.processes.glob("*.json")]
        return [note["pid"] for note in notes if Path(f"/proc/{note['pid']}").exists()]

    def start_server(self, name: str) -> None:
        """Start Postgres or Valkey, and wait until it can be used."""
        server = self._servers[name]
        server.prepare()
        stop_signal = "SIGINT" if name == "postgres" else "SIGTERM"
        command = server.command() + UNSYNCED if name == "postgres" else server.command()
        self._start(name, launch.command(command, stop_signal, user=server.user))
        self.wait(server.is_ready, f"{name} to start")

    def start_worker(self, processes: int = 1) -> None:
        """Start a Celery worker; it need not be ready yet."""
        self._children = processes
        self._start_celery("worker", "batch", processes)

    def start_analysis(self) -> None:
        """Start the worker of the queue `analysis`."""
        self._start_celery("analysis", "analysis", 1)

    def start_interactive(self) -> None:
        """Start the worker of the queue `interactive`."""
        self._start_celery("interactive", "interactive", 2)

    def _start_celery(self, name: str, queue: str, processes: int) -> None:
        command = [sys.executable, "-m", "celery", "--app", "tests.crash.celery_app", "worker", "--queues", queue]
        command += ["--concurrency", str(processes), "--hostname", f"{name}@%h"]
        command += ["--without-gossip", "--without-mingle", "--without-heartbeat", "--loglevel", "INFO"]
        self._start(name, launch.command(command, "SIGKILL"))

    def start_sweeper(self) -> None:
        """Start a sweeper that looks three times a second."""
        self._start("sweeper", launch.command([sys.executable, "-m", "tests.crash.process", "sweep"], "SIGTERM"))

    def _start(self, name: str, command: list[str], is_asked: bool = False) -> None:
        """Start a process; its output goes to its log, or comes back to us where it answers what it is asked."""
        pipe = subprocess.PIPE if is_asked else None
        with (self.folder.root / f"{name}.log").open("ab") as log:
            self.processes[name] = subprocess.Popen(
                command,
                env=self.environment,
                cwd=CHECKOUT,
                stdin=pipe,
                stdout=pipe or log,
                stderr=log,
                start_new_session=True,
            )

    def ask(self, command: str, *arguments: object) -> Any:
        """Have a command of `tests.crash.process` done, all by one process, and return what it gives."""
        if not self._lives("hand"):
            self._start("hand", launch.command([sys.executable, "-m", "tests.crash.process", "serve"], "SIGTERM"), True)
        hand = self.processes["hand"]
        assert hand.stdin is not None
        assert hand.stdout is not None
        hand.stdin.write(json.dumps([command, arguments]).encode() + b"\n")
        hand.stdin.flush()
        line = hand.stdout.readline()
        assert line, (self.folder.root / "hand.log").read_text()[-3000:]
        answer, raised = json.loads(line)
        assert raised is None, raised
        return answer

    def stop(self, name: str) -> float:
        """Ask a process to stop, kill it if it does not; return the seconds it took."""
        process, start = self.processes.pop(name, None), time.monotonic()
        if process is not None:
            process.send_signal(signal.SIGINT if name == "postgres" else signal.SIGTERM)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(STOP_S)
            process.kill()
            process.wait()
        return time.monotonic() - start

    def kill(self, name: str) -> None:
        """End a process by SIGKILL."""
        process = self.processes.pop(name)
        process.kill()
        process.wait()

    def need(self, processes: int) -> None:
        """Have a sweeper and a worker with so many processes, those of an earlier test where they live."""
        if not self._lives("sweeper"):
            self.start_sweeper()
        if self._children != processes or not self._lives("worker"):
            self.stop("worker")
            self.start_worker(processes)

    def _lives(self, name: str) -> bool:
        return name in self.processes and self.processes[name].poll() is None

    def run(self, command: list[str]) -> str:
        """Run a command of the lab to its end and return what it printed."""
        done = subprocess.run(
            command,
            env=self.environment,
            cwd=CHECKOUT,
            capture_output=True,
            text=True,
            timeout=DEADLINE_S,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def create(self, spec: dict[str, Any], pieces: list[tuple[int, int, int]]) -> int:
        """Make a running experiment with these chunks (arm, first, size); return its id."""
        return int(self.ask("create", spec, pieces))

    def create_study(self, spec: dict[str, Any], queue: str = "batch") -> int:
        """Make a running study; return its id."""
        return int(self.ask("study", spec, queue))

    def create_table(self, *seats: dict[str, Any] | None, game: str = "carcassonne") -> int:
        """Open a match in play of these engines, and people where None stands; return its id."""
        return int(self.ask("table", seats, game))

    def act(self, match: int) -> None:
        """Play for the person on turn."""
        self.ask("act", match)

    def rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """What a query gives; the connection is made anew where the server was killed."""
        if self._connection is not None:
            try:
                return self._connection.execute(query, values).fetchall()
            except psycopg.OperationalError:
                self._connection.close()
        address = {"host": str(self.folder.postgres_socket_folder), "user": "lab", "dbname": "lab"}
        self._connection = psycopg.connect(**address, autocommit=True)
        return self._connection.execute(query, values).fetchall()

    def records(self, experiment: int) -> dict[str, list[tuple[Any, ...]]]:
        """All that was recorded at one moment, but ids, times and workers."""
        queries = {"matches": _MATCHES, "seats": _SEATS, "plies": _PLIES}
        self.rows("select 1")
        assert self._connection is not None
        with self._connection.transaction():
            self._connection.execute("set transaction isolation level repeatable read")
            found = {name: self.rows(query, experiment) for name, query in queries.items()}
            return found | {"summaries": self._summaries(experiment)}

    def _summaries(self, experiment: int) -> list[tuple[Any, ...]]:
        """Merged and waiting ones, added up by key."""
        sums: dict[tuple[Any, ...], tuple[int, float]] = {}
        waiting = (total for (row,) in self.rows(_WAITING, experiment) for total in unpacked(row))
        rows = [*self.rows(_SUMMARIES, experiment), *(total[:7] for total in waiting if total.metric != "cpu_s")]
        for *key, n, total in rows:
            matches, so_far = sums.get(tuple(key), (0, 0.0))
            sums[tuple(key)] = matches + n, so_far + total
        return sorted((*key, n, round(total, 6)) for key, (n, total) in sums.items())

    def num_matches(self, experiment: int) -> int:
        """Matches recorded so far."""
        return int(self.rows("select count(*) from records_match where experiment_id = %s", experiment)[0][0])

    def status(self, experiment: int) -> str:
        """Status of the experiment."""
        return str(self.rows("select status from records_experiment where id = %s", experiment)[0][0])

    def abandon(self, experiment: int) -> None:
        """Stop an experiment, so that later tests have the workers for themselves."""
        self.rows("update records_experiment set status = 'stopped' where id = %s returning id", experiment)

    def playing(self) -> list[int]:
        """Process ids of the workers that hold a chunk."""
        found = self.rows("select worker from records_chunk where status = 'claimed' order by id")
        return [int(worker.rpartition(":")[2]) for (worker,) in found]

    def hold(self) -> None:
        """Have matches and pieces that ask for a ticket wait until one is given."""
        (self.folder.root / engines.TICKETS).mkdir()

    def give(self, tickets: int) -> None:
        """Let so many of them go on, whoever comes first."""
        for _ in range(tickets):
            (self.folder.root / engines.TICKETS / uuid.uuid4().hex).touch()

    def let_go(self) -> None:
        """Have none wait any more, if any does."""
        with contextlib.suppress(FileNotFoundError):
            (self.folder.root / engines.TICKETS).rename(self.folder.root / "no-tickets")
            shutil.rmtree(self.folder.root / "no-tickets")

    def wait(self, condition: Callable[[], object], what: str, seconds: float = DEADLINE_S) -> None:
        """Wait until something is so. Fails with the last lines of all logs."""
        deadline = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > deadline:
                logs = [f"--- {log.name}\n{log.read_text()[-3000:]}" for log in self.folder.root.glob("*.log")]
                raise AssertionError(f"waited in vain for {what}\n" + "\n".join(logs))
            time.sleep(POLL_S)

    def wait_finished(self, experiment: int) -> None:
        """Wait until the experiment is finished."""
        self.wait(lambda: self.status(experiment) == "finished", f"experiment {experiment} to finish")
