"""The supervisor as a process of its own."""

import json
import os
import subprocess
import sys
from dataclasses import asdict

from webapp.ops import lock, stack
from webapp.ops.data_folder import CHECKOUT, DataFolder
from webapp.ops.programs import Options


def run(*arguments, **variables):
    return subprocess.run(
        [sys.executable, *arguments], cwd=CHECKOUT, env=os.environ | variables, capture_output=True, text=True
    )


def test_it_loads_neither_django_nor_what_talks_to_the_database_nor_numpy():
    result = run("-c", "import sys, webapp.ops.stack; print(*sys.modules)")
    loaded = {name.partition(".")[0] for name in result.stdout.split()}
    assert "psutil" in loaded
    assert not loaded & {"django", "psycopg", "numpy", "celery"}


def test_it_reads_the_plan_and_refuses_a_folder_that_another_one_holds(tmp_path):
    plan = stack.Plan(Options(port=8123, workers=2), static_files="abc", has_demo=True)
    folder = DataFolder(tmp_path.resolve())
    folder.create()
    with lock.hold(folder.lock_file):
        result = run("-m", "webapp.ops.stack", json.dumps(asdict(plan)), LAB_DATA=str(tmp_path))
    assert result.returncode == 1
    assert f"Meeple Lab is running on {folder.root} already" in result.stderr
    assert "Traceback" not in result.stderr
