"""Folder of the lab's data: one, known to settings and supervisor alike.

No Django here: the supervisor's helpers and the settings module both start from this file.
"""

from __future__ import annotations

import hashlib
import os
import pwd
import secrets
import socket
import stat
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
"""The folder above the packages: of a checkout, or the one where packages are installed."""
IS_INSTALLED = not (CHECKOUT / "pyproject.toml").exists() and (CHECKOUT / "webapp" / "templates").is_dir()
PAGES = CHECKOUT / "webapp" if IS_INSTALLED else CHECKOUT
"""Where `templates`, `static` and `examples` lie: beside the packages, or in this one where it was installed by pip."""
PERSISTENT_TEMPORARY = Path("/var/tmp")
SERVICE_USER = "nobody"
"""Account under which Postgres runs when the lab runs as root (it refuses root itself)."""

KEPT = ("secret_key", "worker_password", "archive", "snapshots", "media")
"""Names in a data folder that a backup takes along, where they are there: all else is the database, which is dumped,
or is made anew (kernels, static files, logs, the queue's messages, which only wake).
"""

MAX_SOCKET_PATH = 90
"""A Unix socket's path holds 103 bytes on macOS and 107 on Linux; file names take the rest."""


class DataFolderError(Exception):
    """The data folder cannot be used; the message says why and what to do."""


@dataclass(frozen=True)
class DataFolder:
    """Paths below one data folder. Making an instance touches nothing on disk."""

    root: Path

    @property
    def postgres(self) -> Path:
        """The database cluster, mode 0700, owned by whom Postgres runs as."""
        return self.root / "postgres"

    @property
    def postgres_binaries(self) -> Path:
        """A copy of the embedded binaries, where that user cannot reach the installed ones."""
        return self.root / "postgres-binaries"

    @property
    def valkey(self) -> Path:
        """Valkey's append-only file."""
        return self.root / "valkey"

    @property
    def logs(self) -> Path:
        """One log file per process."""
        return self.root / "logs"

    @property
    def processes(self) -> Path:
        """One file per running child: its process id and command line."""
        return self.root / "processes"

    @property
    def static(self) -> Path:
        """Collected and compressed static files."""
        return self.root / "static"

    @property
    def static_fingerprint_file(self) -> Path:
        """File that says which version of the static files was collected."""
        return self.root / "static.sha256"

    @property
    def archive(self) -> Path:
        """Files with the plies of finished experiments, a folder an experiment."""
        return self.root / "archive"

    @property
    def snapshots(self) -> Path:
        """Frozen snapshots of shared results, each named by its SHA-256."""
        return self.root / "snapshots"

    @property
    def lock_file(self) -> Path:
        """Locked while a supervisor runs on these data."""
        return self.root / "lock"

    @property
    def secret_key_file(self) -> Path:
        """Django's secret key, mode 0600."""
        return self.root / "secret_key"

    @property
    def restoring(self) -> Path:
        """Files of a backup that are to take their places once the database has been restored."""
        return self.root / "restoring"

    @property
    def worker_password_file(self) -> Path:
        """Password of workers of other machines, mode 0600; Valkey asks for it once there is one."""
        return self.root / "worker_password"

    @property
    def machine_file(self) -> Path:
        """Text by which workers of this folder are told from those of another machine with the same host name."""
        return self.root / "machine"

    @property
    def worker_file(self) -> Path:
        """What a worker of another machine needs, as lines for its environment, mode 0600."""
        return self.root / "worker.env"

    @property
    def valkey_access_file(self) -> Path:
        """Valkey's password in its own words, mode 0600."""
        return self.root / "valkey-access.conf"

    @property
    def address_file(self) -> Path:
        """File with the address at which the pages of the last lab on these data answered."""
        return self.root / "address"

    @property
    def postgres_socket_folder(self) -> Path:
        """Folder of Postgres' Unix socket."""
        return self._sockets() / "pg"

    @property
    def valkey_socket(self) -> Path:
        """Valkey's Unix socket."""
        return self._sockets() / "vk" / "valkey.sock"

    def _sockets(self) -> Path:
        """A folder whose path is short enough for sockets."""
        near = self.root / "run"
        if len(os.fsencode(near)) <= MAX_SOCKET_PATH - len("/pg/.s.PGSQL.5432"):
            return near
        return Path("/tmp") / f"meeple-lab-{os.getuid()}-{_short_hash(self.root)}"

    def create_socket_folder(self) -> None:
        """Make the folder above the sockets' private ones."""
        self.create()
        own_folder(self._sockets(), 0o711)

    def create(self) -> None:
        """Make the folder itself. Raises DataFolderError where that is impossible or unsafe."""
        own_folder(self.root, 0o755)

    def address(self) -> str | None:
        """Address of the pages, for commands beside a running lab; None where none ever ran."""
        try:
            return self.address_file.read_text()
        except OSError:
            return None

    def secret_key(self) -> str:
        """Read the secret key, making it on first use (safe when two processes race)."""
        return self._kept_secret(self.secret_key_file)

    def worker_password(self) -> str:
        """Read the password of workers of other machines, making it on first use."""
        return self._kept_secret(self.worker_password_file)

    def machine_name(self) -> str:
        """The host's name and a number of this folder, made on first use: two machines of one host name differ."""
        return f"{socket.gethostname()[:80]}-{self._kept_secret(self.machine_file)[:6]}"

    def queue_url(self) -> str:
        """Address of the embedded Valkey, with its password where it has one."""
        has_password = self.worker_password_file.exists()
        password = f":{_read_secret(self.worker_password_file)}@" if has_password else ""
        return f"unix://{password}{self.valkey_socket}"

    def _kept_secret(self, kept: Path) -> str:
        try:
            return _read_secret(kept)
        except FileNotFoundError:
            pass
        self.create()
        handle, name = tempfile.mkstemp(prefix=f".{kept.name}", dir=self.root)  # mode 0600
        with os.fdopen(handle, "w") as file:
            file.write(secrets.token_urlsafe(48) if kept != self.machine_file else secrets.token_hex(8))
        try:
            os.link(name, kept)  # fails when somebody else was first
        except FileExistsError:
            pass
        finally:
            os.unlink(name)
        return _read_secret(kept)


def _read_secret(kept: Path) -> str:
    try:
        return kept.read_text()
    except PermissionError as error:
        raise DataFolderError(
            f"{kept} belongs to another user. Run the lab as that user, or name another folder in LAB_DATA."
        ) from error


def locate(environ: Mapping[str, str] = os.environ, checkout: Path = CHECKOUT) -> DataFolder:
    """Say where the data are: LAB_DATA, or `.lab` of the checkout, or a temporary folder.

    What was installed by pip keeps them among the user's data.
    As root, Postgres runs as `nobody`, who cannot pass through a private folder such as root's
    home: then the data go to ``/var/tmp/meeple-lab-<hash of the checkout path>``.
    """
    if environ.get("LAB_DATA"):
        return DataFolder(Path(environ["LAB_DATA"]).expanduser().resolve())
    place = _of_the_user(environ) if IS_INSTALLED else checkout / ".lab"
    if os.getuid() == 0 and not can_traverse(place.parent):
        return DataFolder(PERSISTENT_TEMPORARY / f"meeple-lab-{_short_hash(place.parent)}")
    return DataFolder(place.resolve())


def _of_the_user(environ: Mapping[str, str]) -> Path:
    """The folder of a lab that was installed by pip."""
    return Path(environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "meeple-lab"


def can_traverse(folder: Path) -> bool:
    """Whether `nobody` may pass through this folder and all above it (those that exist)."""
    account = service_account()
    for place in (folder, *folder.parents):
        try:
            status = place.stat()
        except FileNotFoundError:
            continue
        if status.st_uid == account.pw_uid:
            allowed = status.st_mode & stat.S_IXUSR
        elif status.st_gid == account.pw_gid:
            allowed = status.st_mode & stat.S_IXGRP
        else:
            allowed = status.st_mode & stat.S_IXOTH
        if not allowed:
            return False
    return True


def service_account() -> pwd.struct_passwd:
    """The account of `nobody`. Raises DataFolderError where the system has none."""
    try:
        return pwd.getpwnam(SERVICE_USER)
    except KeyError:
        raise DataFolderError(
            f"As root the lab runs Postgres as the user {SERVICE_USER!r}, which this system lacks. "
            "Run the lab as a plain user, or name a database in DATABASE_URL."
        ) from None


def own_folder(folder: Path, mode: int, owner: pwd.struct_passwd | None = None) -> None:
    """Make a folder that nobody else may write to; `owner` None means ourselves.

    An existing folder keeps its mode unless a private one is asked for.
    Raises DataFolderError where it cannot be made, or where it belongs to another user
    (a temporary folder's name can be guessed, so ownership is checked).
    """
    uid = os.getuid() if owner is None else owner.pw_uid
    try:
        if _make(folder) or not mode & 0o077:
            if owner is not None and os.getuid() == 0 and folder.lstat().st_uid == 0:
                os.chown(folder, owner.pw_uid, owner.pw_gid)
            if folder.lstat().st_uid == uid:
                folder.chmod(mode)
        status = folder.lstat()
    except OSError as error:
        raise DataFolderError(
            f"The data folder {folder} cannot be made: {error.strerror}. Name another one in LAB_DATA."
        ) from error
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != uid:
        raise DataFolderError(
            f"{folder} belongs to another user. Run the lab as that user, or name another folder in LAB_DATA."
        )


def _make(folder: Path) -> bool:
    """Whether the folder is new."""
    try:
        folder.mkdir(parents=True)
    except FileExistsError:
        return False
    return True


def _short_hash(path: Path) -> str:
    return hashlib.sha256(os.fsencode(path)).hexdigest()[:12]
