"""`manage.py up` itself: real servers, real kills."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from pathlib import Path

import psutil
import psycopg
import pytest

from webapp.ops.data_folder import CHECKOUT, DataFolder

DEADLINE_S = 480  # a loaded machine with cold kernels; nothing waits longer than it must
GONE_DEADLINE_S = 20

pytestmark = pytest.mark.skipif(
    bool(os.environ.get("DATABASE_URL") or os.environ.get("REDIS_URL")), reason="about the embedded servers"
)
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="macOS has no parent-death signal")

WORKERS = ("worker-batch", "worker-analysis", "worker-agents", "worker-interactive")
PARTS = ("web", "sweeper", "webhooks", *WORKERS, "valkey", "postgres")


def wait_for(condition, what, seconds=DEADLINE_S):
    deadline = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < deadline, f"waited {seconds} s for {what}"
        time.sleep(0.05)
    return found


class Lab:
    """One `manage.py up` on a data folder, and what it says."""

    def __init__(self, root: Path, port: int) -> None:
        self.folder = DataFolder(root)
        self.lines: list[str] = []
        self.process = subprocess.Popen(
            [sys.executable, str(CHECKOUT / "manage.py"), "up", "--port", str(port), "--workers", "1"],
            env=environment(root),
            cwd="/",
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.append(line.rstrip("\n"))

    @property
    def said(self) -> str:
        return "\n".join(self.lines)

    @property
    def address(self) -> str:
        return re.search(r"\[web\] (http://\S+)/ ", self.said)[1]

    def wait_until_it_says(self, text: str) -> None:
        def is_said():
            assert self.process.poll() is None or text in self.said, f"it ended:\n{self.said}"
            return text in self.said

        wait_for(is_said, repr(text))

    def pid(self, name: str) -> int | None:
        try:
            return json.loads((self.folder.processes / f"{name}.json").read_text())["pid"]
        except (FileNotFoundError, ValueError):
            return None

    def is_healthy(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.address}/health/", timeout=10) as answer:
                return answer.status == 200
        except OSError:
            return False

    def family(self) -> list[psutil.Process]:
        me = psutil.Process(self.process.pid)
        return [me, *me.children(recursive=True)]

    def query(self, text: str) -> list[tuple]:
        with psycopg.connect(host=str(self.folder.postgres_socket_folder), user="lab", dbname="lab") as connection:
            cursor = connection.execute(text)
            return cursor.fetchall() if cursor.description else []


def environment(root: Path) -> dict[str, str]:
    return {**os.environ, "LAB_DATA": str(root)}


def all_gone(processes: list[psutil.Process]) -> bool:
    def is_gone(process):
        try:
            return not process.is_running() or process.status() == psutil.STATUS_ZOMBIE
        except psutil.NoSuchProcess:
            return True

    return all(is_gone(process) for process in processes)


@pytest.fixture(scope="module")
def root():
    """A data folder that Postgres' user can reach."""
    with tempfile.TemporaryDirectory(prefix="lab up ") as name:
        Path(name).chmod(0o755)
        yield Path(name)


@pytest.fixture(scope="module")
def start(root):
    """Starts the lab; what still runs at the end is stopped."""
    started = []

    def start(port=18_000):
        started.append(Lab(root, port))
        return started[-1]

    yield start
    for lab in started:
        if lab.process.poll() is None:
            lab.process.send_signal(signal.SIGINT)
        lab.process.wait(DEADLINE_S)


@pytest.fixture(scope="module")
def lab(start):
    """A lab whose first port was taken."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        running = start(taken.getsockname()[1])
        running.taken_port = taken.getsockname()[1]
        running.wait_until_it_says("[workers] started")
    return running


def test_everything_starts_and_the_pages_answer(lab):
    assert f"Meeple Lab keeps its data in {lab.folder.root}" in lab.said
    assert "[postgres] making a cluster" in lab.said
    wait_for(lab.is_healthy, "a healthy lab")
    for name in PARTS:
        assert psutil.pid_exists(lab.pid(name))


def test_a_taken_port_is_named_with_the_one_used_instead(lab):
    assert f"[web] port {lab.taken_port} is taken: using " in lab.said
    assert not lab.address.endswith(f":{lab.taken_port}")


@on_linux
def test_the_supervisor_loads_no_compiler(lab):
    assert "llvmlite" not in Path(f"/proc/{lab.process.pid}/maps").read_text()


@on_linux
def test_programs_are_forked_from_one_that_has_loaded_what_they_share(lab):
    forked = psutil.Process(lab.pid("loader")).cmdline()[1:]
    for name in ("web", "sweeper", "webhooks", "worker-batch", "worker-interactive"):
        process = psutil.Process(lab.pid(name))
        assert (process.ppid(), process.cmdline()[1:]) == (lab.process.pid, forked), name
        memory = process.memory_full_info()
        assert memory.pss < memory.rss / 2, f"{name} shares less than a half with others"


@pytest.mark.slow  # test_lock.py tells a second holder who the first is
def test_a_second_one_on_the_same_data_is_refused(lab, root):
    command = [sys.executable, str(CHECKOUT / "manage.py"), "up"]
    second = subprocess.run(command, env=environment(root), cwd="/", capture_output=True, text=True)
    assert second.returncode == 1
    assert f"is running on {root} already: process {lab.process.pid}, {lab.address}/" in second.stderr
    assert "LAB_DATA" in second.stderr
    assert lab.is_healthy()
    assert lab.folder.address() == lab.address.rstrip("/")


KILLED = ("web", "sweeper", "worker-batch")
"""A program of each kind; `tests/crash` kills the other workers, a journey the web server under a match."""


@pytest.mark.slow
@pytest.mark.parametrize("names", [pytest.param(KILLED, id="programs"), pytest.param(PARTS[-2:], id="servers")])
def test_any_killed_part_comes_back(lab, names):
    before = {name: lab.pid(name) for name in names}
    for pid in before.values():
        os.kill(pid, signal.SIGKILL)
    for name in names:
        after = wait_for(lambda name=name: (pid := lab.pid(name)) != before[name] and pid, f"a new {name}")
        assert psutil.pid_exists(after)
        assert f"[{name}] ended (killed by SIGKILL): starting again" in lab.said
    wait_for(lab.is_healthy, f"a healthy lab after the death of {names}")


def test_ctrl_c_leaves_no_process(lab):
    lab.query("create table kept (number int)")
    lab.query("insert into kept values (42)")
    family = lab.family()
    assert len(family) > 6
    lab.process.send_signal(signal.SIGINT)
    assert lab.process.wait(DEADLINE_S) == 0
    assert all_gone(family)
    assert "[up] stopped; no process is left" in lab.said
    assert list(lab.folder.processes.iterdir()) == []


@on_linux
def test_a_second_start_finds_the_data_and_a_killed_supervisor_leaves_no_process(start):
    lab = start()
    lab.wait_until_it_says("[workers] started")
    assert "making a cluster" not in lab.said
    assert "[static]" not in lab.said, "nothing changed: nothing is collected anew"
    assert lab.query("select number from kept") == [(42,)]
    family = lab.family()
    lab.process.kill()
    wait_for(lambda: all_gone(family), "the end of all children", GONE_DEADLINE_S)


@pytest.mark.slow
def test_it_starts_after_a_kill_and_ends_when_asked_to(start):
    lab = start()
    lab.wait_until_it_says("[web] http://")
    assert lab.query("select number from kept") == [(42,)]
    family = lab.family()
    lab.process.terminate()
    assert lab.process.wait(DEADLINE_S) == 0
    assert all_gone(family)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--port", "0"], "must be a whole number from 1 to 65535, not '0'"),
        pytest.param(["--workers", "many"], "must be a whole number from 1 to 256, not 'many'", marks=pytest.mark.slow),
        pytest.param(["--host", "192.0.2.1"], "assign requested address", marks=pytest.mark.slow),
    ],
)
def test_bad_arguments_are_named(arguments, message, tmp_path):
    command = [sys.executable, str(CHECKOUT / "manage.py"), "up", *arguments]
    result = subprocess.run(command, env=environment(tmp_path), cwd="/", capture_output=True, text=True)
    assert result.returncode != 0
    assert message in result.stderr
    assert "Traceback" not in result.stderr
