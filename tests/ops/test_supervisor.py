"""The supervisor with small programs in place of servers."""

import os
import signal
import sys
import time
from collections import UserDict

import psutil
import pytest

from webapp.ops import children, data_folder, supervisor
from webapp.ops.children import Program
from webapp.ops.data_folder import DataFolder
from webapp.ops.supervisor import Supervisor, SupervisorError

DEADLINE_S = 30


def python(code: str) -> list[str]:
    return [sys.executable, "-S", "-c", code]


SLEEPER = python("import time; time.sleep(600)")


@pytest.fixture
def folder(tmp_path):
    folder = DataFolder(tmp_path)
    for place in (folder.logs, folder.processes):
        data_folder.own_folder(place, 0o700)
    return folder


@pytest.fixture
def house(folder, monkeypatch):
    monkeypatch.setattr(supervisor, "RESTART_DELAYS_S", (0.05,))
    house = Supervisor(folder, dict(os.environ))
    yield house
    house.stop_all_but_services()
    house.stop_services()


def tick_until(house, condition):
    deadline = time.monotonic() + DEADLINE_S
    while not condition():
        assert time.monotonic() < deadline
        house.tick()


def test_waits_until_a_child_is_ready(house, tmp_path, capsys):
    flag = tmp_path / "flag"
    command = python(f"import pathlib, time; pathlib.Path({str(flag)!r}).touch(); time.sleep(600)")
    child = house.start(Program("a", lambda: command, is_ready=flag.exists))
    house.wait_ready(child)
    assert flag.exists()
    assert "[a] ready in" in capsys.readouterr().out


def test_a_child_that_ends_while_starting_is_shown_with_its_last_words(house, capsys):
    command = python("import sys; sys.exit('out of cheese')")
    child = house.start(Program("a", lambda: command, is_ready=lambda: False))
    with pytest.raises(SupervisorError):
        house.wait_ready(child)
    assert "[a] ended with code 1 while starting" in (said := capsys.readouterr().err)
    assert "    out of cheese" in said


def test_a_child_that_is_never_ready_is_given_up(house, capsys):
    child = house.start(Program("a", lambda: SLEEPER, is_ready=lambda: False))
    with pytest.raises(SupervisorError):
        house.wait_ready(child, seconds=0.2)
    assert "was not ready after" in capsys.readouterr().err


def test_a_killed_child_is_started_again(house, capsys):
    child = house.start(Program("a", lambda: SLEEPER))
    first = child.process.pid
    child.process.kill()
    tick_until(house, lambda: child.is_running() and child.process.pid != first)
    assert "[a] ended (killed by SIGKILL): starting again" in capsys.readouterr().err


def test_grandchildren_of_a_killed_child_are_killed_too(house, tmp_path):
    note = tmp_path / "pid"
    code = (
        "import pathlib, subprocess, sys, time\n"
        "child = subprocess.Popen(['sleep', '600'])\n"
        f"note = pathlib.Path({str(note)!r}); note.with_suffix('.new').write_text(str(child.pid))\n"
        "note.with_suffix('.new').rename(note); time.sleep(600)"
    )
    child = house.start(Program("a", lambda: python(code)))
    tick_until(house, note.exists)
    grandchild = psutil.Process(int(note.read_text()))
    child.process.kill()
    tick_until(house, lambda: not grandchild.is_running() or grandchild.status() == psutil.STATUS_ZOMBIE)


def test_a_stopped_child_leaves_none_of_its_group(house, tmp_path):
    """All are gone when it has stopped, and not some moments later."""
    note = tmp_path / "pids"
    code = (
        "import pathlib, subprocess, time\n"
        "children = [subprocess.Popen(['sleep', '600']) for _ in range(40)]\n"
        f"note = pathlib.Path({str(note)!r})\n"
        "note.with_suffix('.new').write_text(' '.join(str(child.pid) for child in children))\n"
        "note.with_suffix('.new').rename(note); time.sleep(600)"
    )
    house.start(Program("a", lambda: python(code)))
    tick_until(house, note.exists)
    family = [psutil.Process(int(pid)) for pid in note.read_text().split()]
    house.stop_all_but_services()
    assert not [child for child in family if child.is_running() and child.status() != psutil.STATUS_ZOMBIE]


def test_an_essential_child_that_keeps_dying_ends_the_run(house, capsys):
    house.start(Program("a", lambda: python("print('bad disk')"), is_essential=True))
    with pytest.raises(SupervisorError):
        tick_until(house, lambda: False)
    said = capsys.readouterr().err
    assert f"died {supervisor.ESSENTIAL_FAILURES} times in a row" in said
    assert "    bad disk" in said


def test_a_child_whose_preparation_fails_is_tried_again(house, capsys):
    outcomes = iter([None, OSError("no room"), None])

    def prepare():
        if (outcome := next(outcomes)) is not None:
            raise outcome

    child = house.start(Program("a", lambda: SLEEPER, prepare=prepare))
    child.process.kill()
    tick_until(house, lambda: child.failures == 2 and child.is_running())
    assert "could not be started: no room" in capsys.readouterr().err


def test_output_of_a_shown_program_is_repeated_and_it_runs_once(house, capsys):
    child = house.start(Program("a", lambda: python("print('one'); print('two')"), runs_once=True, is_shown=True))
    tick_until(house, lambda: not child.is_running())
    house.tick()
    house.forget(child)
    assert capsys.readouterr().out == "[a] one\n[a] two\n"
    assert house.children == []


def test_what_ran_once_leaves_nothing_behind(house):
    child = house.start(Program("a", lambda: python("pass"), runs_once=True))
    deadline = time.monotonic() + 20
    while house.children and time.monotonic() < deadline:
        house.tick()
    assert house.children == []
    assert not child.record.exists()
    assert not psutil.pid_exists(child.process.pid), "not even a zombie"


def test_programs_run_to_their_ends(house, capsys):
    house.run_to_end(Program("a", lambda: python("pass"), runs_once=True))
    assert "[a] done in" in capsys.readouterr().out
    with pytest.raises(SupervisorError):
        house.run_to_end(Program("b", lambda: python("raise SystemExit(3)"), runs_once=True))
    assert "[b] failed with code 3" in capsys.readouterr().err


def test_services_stop_last_and_in_reverse(house, tmp_path):
    note = tmp_path / "order"
    code = (
        "import pathlib, signal, sys, time\n"
        "def stop(*_):\n"
        f"    open({str(note)!r}, 'a').write(sys.argv[1] + ' '); sys.exit()\n"
        "signal.signal(signal.SIGTERM, stop)\n"
        f"pathlib.Path({str(tmp_path)!r}, sys.argv[1]).touch(); time.sleep(600)"
    )
    for name, essential in (("postgres", True), ("valkey", True), ("web", False)):
        command = [*python(code), name]
        house.start(Program(name, lambda command=command: command, is_essential=essential))
    tick_until(house, lambda: all((tmp_path / name).exists() for name in ("postgres", "valkey", "web")))
    house.stop_all_but_services()
    house.stop_services()
    assert note.read_text().split() == ["web", "valkey", "postgres"]


def test_a_child_that_will_not_stop_is_killed(house, tmp_path):
    flag = tmp_path / "flag"
    code = (
        "import pathlib, signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); "
        f"pathlib.Path({str(flag)!r}).touch(); time.sleep(600)"
    )
    child = house.start(Program("a", lambda: python(code), stop_seconds=0.2))
    tick_until(house, flag.exists)
    house.stop_all_but_services()
    assert child.exit_code == -signal.SIGKILL
    assert not child.record.exists()


def test_leftovers_are_ended_but_a_stranger_with_the_same_number_is_not(folder):
    mine = children.Child(Program("web", lambda: SLEEPER), folder, dict(os.environ))
    mine.start()
    stranger = psutil.Process()
    (folder.processes / "valkey.json").write_text(f'{{"pid": {stranger.pid}, "created": 1.0}}')
    (folder.processes / "sweeper.json").write_text("half a rec")
    assert children.end_leftovers(folder) == ["web"]
    assert not mine.is_running()
    assert list(folder.processes.iterdir()) == []


def test_a_long_log_is_put_aside(folder, monkeypatch):
    monkeypatch.setattr(children, "MAX_LOG_BYTES", 10)
    child = children.Child(Program("a", lambda: python("print('new')"), runs_once=True), folder, dict(os.environ))
    child.log.write_text("old " * 10)
    child.start()
    child.process.wait(DEADLINE_S)
    assert child.log.read_text() == "new\n"
    assert child.log.with_suffix(".log.1").exists()
    child.wait_or_kill(time.monotonic())


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_every_way_to_stop_is_an_interrupt(number):
    def be_killed():
        with supervisor.interruptible():
            os.kill(os.getpid(), number)
            time.sleep(DEADLINE_S)

    with pytest.raises(KeyboardInterrupt):
        be_killed()


class Interrupting(UserDict):
    """An environment that asks its process to stop when it is read: at the moment that a child begins."""

    def __iter__(self):
        os.kill(os.getpid(), signal.SIGTERM)
        return super().__iter__()


def test_a_child_that_begins_when_all_is_to_stop_is_known_and_stopped(folder):
    house = Supervisor(folder, Interrupting(os.environ))
    with pytest.raises(KeyboardInterrupt), supervisor.interruptible():
        house.start(Program("a", lambda: SLEEPER))
    (child,) = house.children
    assert child.is_running()
    house.stop_all_but_services()
    assert child.exit_code == -signal.SIGTERM, "it takes signals"


def test_stopping_is_not_interrupted():
    with supervisor.interruptible(), supervisor.uninterrupted():
        os.kill(os.getpid(), signal.SIGINT)
        os.kill(os.getpid(), signal.SIGTERM)
