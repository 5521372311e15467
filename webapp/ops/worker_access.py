"""Access for workers of other machines: where the embedded servers listen for them, and what lets them in.

Off unless `up --serve-workers ADDRESS` asks for it. Then Postgres takes a role of its own with a password (it reads
and writes rows and owns nothing), Valkey its password, both on TCP beside their sockets. What a worker needs stands
in a file, `worker.env` of the data folder. Nothing is encrypted on the way: the network between them is to be trusted,
or a tunnel.
"""

from __future__ import annotations

import os
import socket
from dataclasses import dataclass
from pathlib import Path

import psycopg
from psycopg import sql

from webapp.ops import data_folder, ports
from webapp.ops.data_folder import DataFolder, DataFolderError
from webapp.ops.ports import EVERYWHERE

ROLE, DATABASE = "lab_worker", "lab"
POSTGRES_PORT, VALKEY_PORT = 5432, 6379
CONNECTIONS = 200
"""Connections for workers elsewhere, beside those of this machine: three a process as there, so for 64 of them."""

_HBA = f"""# Written by Meeple Lab: its own programs by the socket, workers of other machines by their password.
local all all trust
host {DATABASE} {ROLE} all scram-sha-256
"""
_GRANTS = (
    "grant connect, temporary on database {database} to {role}",
    "grant usage on schema public to {role}",
    "grant select, insert, update, delete on all tables in schema public to {role}",
    "grant usage, select on all sequences in schema public to {role}",
)


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

    def admit(self) -> Path:
        """Let the role of workers in to the tables as they are now; return the file with what a worker needs."""
        password = self.folder.worker_password()
        server = str(self.folder.postgres_socket_folder)
        with psycopg.connect(host=server, user=DATABASE, dbname=DATABASE) as connection:
            names = {"role": sql.Identifier(ROLE), "database": sql.Identifier(DATABASE)}
            exists = connection.execute("select 1 from pg_roles where rolname = %s", (ROLE,)).fetchone()
            command = "alter" if exists else "create"
            role = sql.SQL(command + " role {role} login nosuperuser nocreatedb nocreaterole password {password}")
            connection.execute(role.format(password=sql.Literal(password), **names))
            for grant in _GRANTS:
                connection.execute(sql.SQL(grant).format(**names))
        file = self.folder.worker_file
        file.touch(0o600)
        file.write_text(self._environment(password))
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
