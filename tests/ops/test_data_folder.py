import os
import socket
import stat
from pathlib import Path

import pytest

from games import compile_locks
from webapp.ops import data_folder
from webapp.ops.data_folder import DataFolder, DataFolderError

as_root = pytest.mark.skipif(os.getuid() != 0, reason="about running as root")


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def reachable(tmp_path: Path) -> Path:
    """A folder that everybody may pass through, with pytest's private ones above it opened."""
    for place in (tmp_path, *tmp_path.parents):
        place.chmod(place.stat().st_mode | 0o055)
        if place.name.startswith("pytest-of-"):
            break
    return tmp_path


def test_lab_data_names_the_folder(tmp_path):
    assert data_folder.locate({"LAB_DATA": str(tmp_path / "here")}).root == tmp_path / "here"


def test_data_are_in_the_checkout_by_default(tmp_path):
    assert data_folder.locate({}, reachable(tmp_path)).root == tmp_path / ".lab"


def test_data_of_an_installed_lab_are_among_those_of_the_user(tmp_path, monkeypatch):
    monkeypatch.setattr(data_folder, "IS_INSTALLED", True)
    given = {"XDG_DATA_HOME": str(reachable(tmp_path) / "share")}
    assert data_folder.locate(given).root == tmp_path / "share" / "meeple-lab"
    assert data_folder.locate({**given, "LAB_DATA": str(tmp_path)}).root == tmp_path


@as_root
def test_root_with_a_private_checkout_uses_the_persistent_temporary_folder(tmp_path):
    checkout = reachable(tmp_path) / "home" / "lab"
    checkout.mkdir(parents=True)
    checkout.parent.chmod(0o700)
    found = data_folder.locate({}, checkout).root
    assert found.parent == Path("/var/tmp")
    assert found.name.startswith("meeple-lab-")
    assert found == data_folder.locate({}, checkout).root
    assert found != data_folder.locate({}, checkout.parent / "other").root


def test_folders_that_others_cannot_enter_are_recognised(tmp_path):
    inner = reachable(tmp_path) / "a" / "b"
    inner.mkdir(parents=True)
    assert data_folder.can_traverse(inner)
    (tmp_path / "a").chmod(0o700)
    assert not data_folder.can_traverse(inner)


def test_two_machines_of_one_host_name_differ_and_each_keeps_its_name(tmp_path, monkeypatch):
    one, other = (DataFolder(tmp_path / name).machine_name() for name in ("one", "other"))
    assert one.rpartition("-")[0] == other.rpartition("-")[0] == socket.gethostname()[:80]
    assert one != other
    assert DataFolder(tmp_path / "one").machine_name() == one
    monkeypatch.setenv("LAB_MACHINE", one)
    assert compile_locks.process_name() == f"{one}:{os.getpid()}"


def test_secret_key_is_private_and_stays(tmp_path):
    folder = DataFolder(tmp_path / "data")
    key = folder.secret_key()
    assert len(key) >= 50
    assert mode(folder.secret_key_file) == 0o600
    assert DataFolder(tmp_path / "data").secret_key() == key
    assert [path.name for path in folder.root.iterdir()] == ["secret_key"]


def test_socket_paths_stay_short_however_deep_the_data_are(tmp_path):
    deep = DataFolder(tmp_path.joinpath(*["a-rather-long-folder-name"] * 5))
    shallow = DataFolder(Path("/srv/lab"))
    assert shallow.valkey_socket == Path("/srv/lab/run/vk/valkey.sock")
    for folder in (deep, shallow):
        assert len(os.fsencode(folder.valkey_socket)) < 100
        assert len(os.fsencode(folder.postgres_socket_folder / ".s.PGSQL.5432")) < 100
    assert deep.valkey_socket != DataFolder(deep.root.with_name("other")).valkey_socket


def test_an_existing_folder_keeps_its_mode_and_a_private_one_is_made_private(tmp_path):
    given = tmp_path / "given"
    given.mkdir(mode=0o750)
    data_folder.own_folder(given, 0o755)
    assert mode(given) == 0o750
    data_folder.own_folder(given, 0o700)
    assert mode(given) == 0o700


def test_new_folders_do_not_depend_on_the_umask(tmp_path):
    previous = os.umask(0o077)
    try:
        data_folder.own_folder(tmp_path / "new", 0o755)
    finally:
        os.umask(previous)
    assert mode(tmp_path / "new") == 0o755


def test_a_folder_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(DataFolderError, match=r"file/data cannot be made: Not a directory.*LAB_DATA"):
        DataFolder(tmp_path / "file" / "data").create()


@as_root
def test_a_folder_of_another_user_is_refused(tmp_path):
    folder = DataFolder(tmp_path / "data")
    folder.root.mkdir()
    os.chown(folder.root, 65534, 65534)
    with pytest.raises(DataFolderError, match="belongs to another user"):
        folder.create()


def test_the_address_of_the_last_lab_is_remembered(tmp_path):
    folder = DataFolder(tmp_path)
    assert folder.address() is None
    folder.address_file.write_text("http://127.0.0.1:8330")
    assert folder.address() == "http://127.0.0.1:8330"
