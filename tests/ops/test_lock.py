import os
import subprocess
import sys

import pytest

from webapp.ops import lock


def test_a_second_holder_is_told_who_the_first_is(tmp_path):
    with lock.hold(tmp_path / "lock") as held:
        with pytest.raises(lock.AlreadyRunningError, match=f"process {os.getpid()}"), lock.hold(tmp_path / "lock"):
            pass
        held.describe("somebody at home")
        with pytest.raises(lock.AlreadyRunningError, match="somebody at home"), lock.hold(tmp_path / "lock"):
            pass
    with lock.hold(tmp_path / "lock"):
        pass


def test_a_killed_holder_lets_go_and_children_do_not_inherit(tmp_path):
    path = tmp_path / "lock"
    program = (
        "import pathlib, subprocess, time; from webapp.ops import lock\n"
        f"with lock.hold(pathlib.Path({str(path)!r})):\n"
        "    child = subprocess.Popen(['sleep', '600']); print(child.pid, flush=True); time.sleep(600)"
    )
    holder = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert holder.stdout is not None
    child = int(holder.stdout.readline())
    try:
        with pytest.raises(lock.AlreadyRunningError), lock.hold(path):
            pass
        holder.kill()
        holder.wait()
        with lock.hold(path):
            pass
    finally:
        os.kill(child, 9)
