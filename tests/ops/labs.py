"""A lab in a folder of its own, used by commands: for tests of what outlives a process."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from webapp.ops.data_folder import CHECKOUT, DataFolder

DEADLINE_S = 300


class Commands:
    """Runs commands on one data folder; environment: further variables."""

    def __init__(self, folder: Path, **environment: str) -> None:
        self.folder = DataFolder(folder)
        outside = ("DATABASE_URL", "REDIS_URL", "SECRET_KEY")
        given = {name: value for name, value in os.environ.items() if name not in outside}
        own = {"LAB_DATA": str(folder), "DJANGO_SETTINGS_MODULE": "webapp.settings"}
        self._environment = {**given, **own, **environment}

    def start(self, *arguments: str, **further: Any) -> subprocess.Popen[str]:
        """Start Python with these arguments."""
        command = [sys.executable, *arguments]
        return subprocess.Popen(
            command,
            cwd=CHECKOUT,
            env=self._environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            **further,
        )

    def run(self, *arguments: str, fails: bool = False) -> str:
        """What Python with these arguments prints; of one that is to fail, its complaint."""
        with self.start(*arguments) as process:
            said, complaint = process.communicate(timeout=DEADLINE_S)
        assert (process.returncode != 0) == fails, f"{arguments}: {process.returncode}\n{said}\n{complaint}"
        return complaint if fails else said

    def manage(self, *arguments: str, fails: bool = False) -> str:
        """The same of a command of manage.py."""
        return self.run("manage.py", *arguments, fails=fails)


@contextmanager
def temporary() -> Iterator[Path]:
    """A folder that the account of Postgres can pass through, for data folders; gone in the end."""
    place = Path(tempfile.mkdtemp(prefix="lab-test-"))
    place.chmod(0o755)
    try:
        yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)
