"""Access for workers of other machines: where the embedded servers listen for them, and what lets them in.

Off unless `up --serve-workers ADDRESS` asks for it. Then Postgres takes a role of its own with a password
(`worker_role`), Valkey its password, both on TCP beside their sockets. What a worker needs stands in a file,
`worker.env` of the data folder. Nothing is encrypted on the way: the network between them is to be trusted, or a
tunnel.
"""

from __future__ import annotations

import os
import socket
from dataclasses import dataclass
from pathlib import Path

from webapp.ops import data_folder, ports
from webapp.ops.data_folder import DataFolder, DataFolderError
from webapp.ops.ports import EVERYWHERE

DATABASE = "lab"
POSTGRES_PORT, VALKEY_PORT = 5432, 6379
ROLE = "lab_worker"
"""Role of workers in the database; `worker_role` makes it."""
CONNECTIONS = 200
"""Connections for workers elsewhere, beside those of this machine: three a process as there, so for 64 of them."""

_HBA = f"""# Written by Meeple Lab: its own programs by the socket, workers of other machines by their password.
local all all trust
host {DATABASE} {ROLE} all scram-sha-256
"""


@dataclass(frozen=True)
class WorkerAccess:
    """Access to the servers of one data folder at an address of this machine."""

    folder: DataFolder
    address: str

    def check(self) -> None:
        """Raises DataFolderError with a sentence where nothing could listen there."""
        for name, port in (("Postgres", POSTGRES_PORT), ("Valkey", VALKEY_PORT)):
            try:
                is_free = ports.is_free(self.address, port)
            except OSError as error:
                raise DataFolderError(f"Workers cannot be served at {self.address}: {error.strerror}.") from error
            if not is_free:
                raise DataFolderError(
                    f"Workers cannot be served at {self.address}: port {port} is taken, by another {name} perhaps. "
                    "Stop that one, or name another address of this machine."
                )

    def postgres_settings(self) -> dict[str, str]:
        """Settings of Postgres beside its usual ones."""
        return {
            "listen_addresses": "*" if self.address in EVERYWHERE else self.address,
            "hba_file": str(self._hba_file),
            "password_encryption": "scram-sha-256",
        }

    def write_hba(self, owner: str) -> None:
        """Write the file that says who may connect, for the account that Postgres runs as (empty: our own)."""
        self._hba_file.write_text(_HBA)
        if owner:
            account = data_folder.service_account()
            os.chown(self._hba_file, account.pw_uid, account.pw_gid)

    @property
    def _hba_file(self) -> Path:
        return self.folder.postgres / "pg_hba_workers.conf"

    def valkey_settings(self) -> dict[str, str]:
        """Settings of Valkey beside its usual ones."""
        return {"port": str(VALKEY_PORT), "bind": "*" if self.address in EVERYWHERE else self.address}

    def write_environment(self) -> Path:
        """Write the file with what a worker needs (`manage.py workers_role` has let its role in); return it."""
        file = self.folder.worker_file
        file.touch(0o600)
        file.write_text(self._environment(self.folder.worker_password()))
        return file

    def _environment(self, password: str) -> str:
        host = _own_address() if self.address in EVERYWHERE else self.address
        host = f"[{host}]" if ":" in host else host
        return (
            f"DATABASE_URL=postgres://{ROLE}:{password}@{host}:{POSTGRES_PORT}/{DATABASE}\n"
            f"REDIS_URL=redis://:{password}@{host}:{VALKEY_PORT}/0\n"
        )


def _own_address() -> str:
    """The address by which other machines probably know this one; its name where there is none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # of no machine; nothing is sent
            return str(probe.getsockname()[0])
        except OSError:
            return socket.gethostname()
