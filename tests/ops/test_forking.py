"""What the supervisor has forked: processes as if it had started them itself."""

import ctypes
import os
import signal
import sys

import psutil
import pytest

from tests.ops.test_supervisor import folder, tick_until  # noqa: F401  # a fixture
from webapp.ops import forking, programs, supervisor
from webapp.ops.children import Program
from webapp.ops.forking import ForkServer
from webapp.ops.supervisor import Supervisor

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="no other system lets a process adopt others")

UNLOADED = """
import os, socket, sys
from webapp.ops import fork_server
fork_server.load = lambda: print("loads more", flush=True)
with socket.socket(fileno=int(sys.argv[1])) as channel:
    channel.sendall(fork_server.READY)
    fork_server.serve(channel, os.getppid())
"""
"""A fork server that has nothing in memory yet: pages and kernels take seconds."""


class UnloadedServer(ForkServer):
    def command(self):
        return [sys.executable, "-c", UNLOADED, *map(str, self.files())]


@pytest.fixture
def house(folder, monkeypatch):  # noqa: F811
    monkeypatch.setattr(supervisor, "RESTART_DELAYS_S", (0.05,))
    assert forking.is_possible()
    house = Supervisor(folder, dict(os.environ), UnloadedServer())
    house.wait_ready(house.start(programs.fork_server(house.forks)))
    yield house
    house.stop_all_but_services()
    forking.reap_strays([])
    ctypes.CDLL(None).prctl(forking.PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)


def module(folder, name, code):  # noqa: F811
    """A program that is a module, on the path of the server."""
    (folder.root / f"{name}.py").write_text(code)
    return [sys.executable, "-m", name]


@pytest.fixture(autouse=True)
def path(folder, monkeypatch):  # noqa: F811
    monkeypatch.setenv("PYTHONPATH", str(folder.root))


SLEEPS = "import time; print('here', flush=True); time.sleep(600)"


def test_what_is_forked_is_a_child_with_its_own_group_log_and_name(house, folder):  # noqa: F811
    command = module(folder, "sleeps", SLEEPS)
    child = house.start(Program("sleeper", lambda: command, is_forked=True))
    process = psutil.Process(child.process.pid)
    assert process.ppid() == os.getpid()
    assert os.getpgid(process.pid) == process.pid
    assert "fork_server" in " ".join(process.cmdline()), "it has what the server has loaded"
    tick_until(house, lambda: child.log.read_text() == "here\n")
    assert process.name() == "sleeper"


@pytest.mark.parametrize(
    ("code", "exit_code"),
    [
        ("", 0),
        ("raise SystemExit(3)", 3),
        ("import sys; sys.exit('why')", 1),
        ("1 / 0", 1),
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", -9),
    ],
)
def test_its_end_is_that_of_a_process_of_its_own(house, folder, code, exit_code):  # noqa: F811
    command = module(folder, "ends", f"import atexit; atexit.register(print, 'over'); {code}")
    child = house.start(Program("ends", lambda: command, is_forked=True, runs_once=True))
    tick_until(house, lambda: not child.is_running())
    assert child.exit_code == exit_code
    assert ("over" in child.log.read_text()) == (exit_code >= 0)


def test_a_killed_one_is_forked_again_and_leaves_no_process(house, folder):  # noqa: F811
    code = f"import os; os.fork(); {SLEEPS}"
    child = house.start(Program("two", lambda: module(folder, "two", code), is_forked=True))
    tick_until(house, lambda: child.log.read_text().count("here") == 2)
    first = child.process.pid
    members = [psutil.Process(first), *psutil.Process(first).children()]
    child.process.kill()
    tick_until(house, lambda: child.is_running() and child.process.pid != first)
    tick_until(house, lambda: not any(process.is_running() for process in members))


def test_the_death_of_the_server_takes_nothing_with_it_and_nothing_waits_for_the_next_one(house, folder):  # noqa: F811
    command = module(folder, "sleeps", SLEEPS)
    child = house.start(Program("before", lambda: command, is_forked=True))
    server = house.children[0]
    server.process.kill()
    server.process.wait()
    other = house.start(Program("after", lambda: command, is_forked=True))
    assert "fork_server" not in " ".join(psutil.Process(other.process.pid).cmdline())
    tick_until(house, house.forks.is_ready)
    assert child.is_running()
    third = house.start(Program("third", lambda: command, is_forked=True))
    assert "fork_server" in " ".join(psutil.Process(third.process.pid).cmdline())


def test_a_server_that_does_not_answer_is_not_waited_for(house, folder, monkeypatch):  # noqa: F811
    monkeypatch.setattr(forking, "ANSWER_S", 0.1)
    server = house.children[0]
    server.process.send_signal(signal.SIGSTOP)
    command = module(folder, "sleeps", SLEEPS)
    child = house.start(Program("a", lambda: command, is_forked=True))
    assert "fork_server" not in " ".join(psutil.Process(child.process.pid).cmdline())
    server.process.send_signal(signal.SIGCONT)
    server.process.wait(supervisor.READY_SECONDS)
    # what it forked late finds nobody and ends
    tick_until(house, lambda: not any(process.name() == "a" for process in psutil.Process().children()))


def test_it_loads_more_when_asked(house):
    house.forks.load_more()
    tick_until(house, lambda: "loads more" in house.children[0].log.read_text())
