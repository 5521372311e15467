import os
import socket
from pathlib import Path

import pytest

from webapp.ops import postgres, valkey
from webapp.ops.data_folder import DataFolder
from webapp.ops.postgres import PostgresError, PostgresServer
from webapp.ops.valkey import ValkeyServer


def open_up(tmp_path: Path) -> DataFolder:
    for place in (tmp_path, tmp_path.parent, tmp_path.parent.parent):
        place.chmod(0o755)
    return DataFolder(tmp_path / "data")


def test_the_embedded_programs_are_found():
    programs = postgres.find()
    assert programs.embedded
    assert programs.major >= postgres.MINIMUM_MAJOR
    assert programs.initdb.exists()
    assert valkey.find().name == "valkey-server"


def test_a_system_postgres_is_used_where_no_embedded_one_runs(tmp_path, monkeypatch):
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "initdb").touch()
    server = folder / "postgres"
    server.write_text("#!/bin/sh\necho 'postgres (PostgreSQL) 17.2'\n")
    server.chmod(0o755)
    monkeypatch.setattr(postgres, "_embedded_folder", lambda: None)
    monkeypatch.setattr(postgres, "_system_folders", lambda: [folder])
    assert postgres.find() == postgres.Programs(folder, "17.2")
    server.write_text("#!/bin/sh\necho 'postgres (PostgreSQL) 14.9'\n")
    with pytest.raises(PostgresError, match="DATABASE_URL"):
        postgres.find()


def test_data_of_another_major_version_are_refused(tmp_path):
    server = PostgresServer(open_up(tmp_path), postgres.find())
    server.folder.create()
    server.folder.postgres.mkdir()
    (server.folder.postgres / "PG_VERSION").write_text("12\n")
    with pytest.raises(PostgresError, match=r"made by Postgres 12, and this is Postgres \d+"):
        server.prepare()


def test_a_cluster_is_whole_or_absent(tmp_path):
    folder = open_up(tmp_path)
    broken = postgres.Programs(tmp_path / "bin", "18.6")
    broken.folder.mkdir()
    for name in ("initdb", "postgres"):
        (broken.folder / name).write_text("#!/bin/sh\necho 'no room left' >&2\nexit 1\n")
        (broken.folder / name).chmod(0o755)
    with pytest.raises(PostgresError, match=r"initdb failed for .*\nno room left"):
        PostgresServer(folder, broken).prepare()
    assert not any(folder.postgres.iterdir())
    assert PostgresServer(folder, postgres.find()).prepare()
    assert not PostgresServer(folder, postgres.find()).prepare()


@pytest.mark.skipif(os.getuid() != 0, reason="about running as root")
def test_programs_that_nobody_cannot_reach_are_copied_once_per_version(tmp_path):
    folder = open_up(tmp_path)
    folder.create()
    real = postgres.find().folder.parents[1]
    private = tmp_path / "private"
    package = private / real.name
    (package / "pginstall" / "bin").mkdir(parents=True)
    (private / f"{real.name}.libs").mkdir()
    (package / "pginstall" / "bin" / "postgres").write_text("first")
    private.chmod(0o700)

    def copied(version):
        programs = postgres.Programs(package / "pginstall" / "bin", version, embedded=True)
        return Path(PostgresServer(folder, programs).command()[0])

    assert copied("18.6").read_text() == "first"
    assert (folder.postgres_binaries / f"{real.name}.libs").is_dir()
    (package / "pginstall" / "bin" / "postgres").write_text("second")
    assert copied("18.6").read_text() == "first"
    assert copied("18.7").read_text() == "second"


def test_tcp_is_off(tmp_path):
    folder = DataFolder(tmp_path)
    assert "listen_addresses=" in PostgresServer(folder, postgres.find()).command()
    command = ValkeyServer(folder, valkey.find()).command()
    assert command[command.index("--port") + 1] == "0"


def test_a_server_that_is_absent_is_not_ready(tmp_path):
    folder = DataFolder(tmp_path)
    assert not PostgresServer(folder, postgres.find()).is_ready()
    assert not ValkeyServer(folder, valkey.find()).is_ready()


def test_a_stale_socket_of_a_killed_valkey_is_removed(tmp_path):
    folder = open_up(tmp_path)
    server = ValkeyServer(folder, valkey.find())
    assert server.prepare()
    with socket.socket(socket.AF_UNIX) as stale:
        stale.bind(str(folder.valkey_socket))
    server.prepare()
    assert not folder.valkey_socket.exists()


def test_the_settings_name_the_valkey_of_this_run(valkey_service):
    import redis
    from django.conf import settings

    assert valkey_service == settings.REDIS_URL
    assert redis.Redis.from_url(settings.REDIS_URL).ping()


@pytest.mark.django_db
def test_text_is_compared_the_same_way_everywhere():
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("show server_encoding")
        assert cursor.fetchone() == ("UTF8",)
        cursor.execute("select upper('é'), 'a' < 'B'")
        assert cursor.fetchone() == ("É", False)
