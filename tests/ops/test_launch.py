import os
import pwd
import subprocess
import sys
import time

import psutil
import pytest

from webapp.ops import launch

on_linux = pytest.mark.skipif(sys.platform != "linux", reason="macOS has no parent-death signal")
as_root = pytest.mark.skipif(os.getuid() != 0, reason="only root can become another user")
DEADLINE_S = 30


def gone(pid: int) -> bool:
    deadline = time.monotonic() + DEADLINE_S
    while time.monotonic() < deadline:
        if not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE:
            return True
        time.sleep(0.05)
    return False


def test_it_becomes_the_program_with_its_arguments():
    command = launch.command([sys.executable, "-c", "import sys; print(sys.argv[1:])", "--a b", "-c"], "SIGTERM")
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "['--a b', '-c']\n"


def test_a_missing_program_is_named():
    result = subprocess.run(launch.command(["/no/such/program"], "SIGTERM"), capture_output=True, text=True)
    assert result.returncode == 1
    assert "/no/such/program: No such file or directory" in result.stderr


def test_priority_is_lowered():
    command = launch.command([sys.executable, "-c", "import os; print(os.nice(0))"], "SIGTERM", nice=3)
    assert int(subprocess.run(command, capture_output=True, text=True).stdout) == os.nice(0) + 3


@pytest.mark.skipif(not os.path.exists("/proc/self/autogroup"), reason="sessions are weighed alike here")
def test_its_session_weighs_as_much_as_any_other():
    program = [sys.executable, "-c", "print(open('/proc/self/autogroup').read())"]
    command = launch.command(program, "SIGTERM", nice=3)
    said = subprocess.run(command, capture_output=True, text=True, start_new_session=True).stdout
    assert said.split()[1:] == ["nice", "0"], "a busy desktop leaves the lab its share"


@as_root
def test_root_is_given_up():
    account = pwd.getpwnam("nobody")
    for option, expected in (("-u", account.pw_uid), ("-G", account.pw_gid)):
        command = launch.command(["id", option], "SIGTERM", user="nobody")
        assert subprocess.run(command, capture_output=True, text=True).stdout.strip() == str(expected)


@on_linux
@pytest.mark.parametrize("user", ["", pytest.param("nobody", marks=as_root)])
def test_a_child_dies_with_a_killed_parent(user):
    parent_program = (
        "import subprocess, sys, time; from webapp.ops import launch; "
        f"p = subprocess.Popen(launch.command(['/bin/sleep', '600'], 'SIGTERM', user={user!r})); "
        "print(p.pid, flush=True); time.sleep(600)"
    )
    parent = subprocess.Popen([sys.executable, "-c", parent_program], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    child = int(parent.stdout.readline())
    deadline = time.monotonic() + DEADLINE_S
    while "sleep" not in psutil.Process(child).name() and time.monotonic() < deadline:
        time.sleep(0.02)
    parent.kill()
    parent.wait()
    assert gone(child)
