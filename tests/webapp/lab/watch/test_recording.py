"""Whether anything can be recorded is tried, not guessed."""

from __future__ import annotations

import threading
import time

import psycopg
import pytest
from django.db import connection, connections

from webapp.common import database_pool
from webapp.lab.watch import recording
from webapp.lab.watch.models import Probe
from webapp.lab.watch.recording import OK, READ_ONLY, REFUSED, SILENT, Recording, Verdict, Watched


def test_settings_of_the_database_do_not_stop_the_trial(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(connection.settings_dict, "OPTIONS", {"connect_timeout": 10})
    with database_pool.own_connection(connect_timeout=recording.CONNECT_S) as own:
        assert own.info.get_parameters()["connect_timeout"] == str(recording.CONNECT_S)


@pytest.mark.django_db(transaction=True)
def test_a_write_is_real_and_a_refusal_is_named() -> None:
    wrapper = connections.create_connection("default")
    wrapper.ensure_connection()
    raw = wrapper.connection
    try:
        recording.write(raw)
        assert [len(probe.body) for probe in Probe.objects.all()] == [recording.PROBE_BYTES]
        before = _file()
        recording.write(raw)
        assert Probe.objects.count() == 1
        assert _file() != before  # blocks that were free before
        raw.execute("set default_transaction_read_only = on")
        with pytest.raises(psycopg.Error) as refused:
            recording.write(raw)
        assert recording.judge(refused.value) == READ_ONLY
        raw.execute("set default_transaction_read_only = off")
        raw.execute("set role pg_monitor")
        with pytest.raises(psycopg.Error) as forbidden:
            recording.write(raw)
        assert recording.judge(forbidden.value) == REFUSED
    finally:
        wrapper.close()
    assert recording.judge(psycopg.OperationalError("connection is lost")) == SILENT
    assert recording.judge(psycopg.errors.DiskFull("no space left")) == recording.NO_ROOM


def _file() -> str:
    with connection.cursor() as cursor:
        cursor.execute("select pg_relation_filepath('watch_probe')")
        return str(cursor.fetchone()[0])


def test_a_verdict_is_kept_for_a_while_and_a_server_that_hangs_holds_nobody_up() -> None:
    tried: list[Verdict] = []
    hangs, goes_on = threading.Event(), threading.Event()

    def attempt() -> Verdict:
        if hangs.is_set():
            goes_on.wait(20)
        tried.append(OK)
        return OK

    found = Recording(attempt, kept_s=0.1, deadline_s=5)
    assert [found.verdict(), found.verdict()] == [OK, OK]
    assert len(tried) == 1
    hangs.set()
    time.sleep(0.11)
    quick = Recording(attempt, kept_s=3600, deadline_s=0.02)
    assert [quick.verdict(), quick.verdict()] == [SILENT, SILENT]
    assert len(tried) == 1
    goes_on.set()
    assert Recording(attempt, kept_s=3600, deadline_s=20).verdict() == OK


def test_old_good_news_does_not_hide_a_database_that_hangs() -> None:
    answers = [OK, SILENT, OK]
    found = Watched(Recording(lambda: OK, kept_s=3600), Recording(lambda: answers.pop(0), kept_s=0))
    assert [found.verdict(), found.verdict(), found.verdict()] == [OK, SILENT, OK]
    refused = Watched(Recording(lambda: READ_ONLY), Recording(lambda: SILENT))
    assert refused.verdict() == SILENT
    assert Watched(Recording(lambda: READ_ONLY), Recording(lambda: OK)).verdict() == READ_ONLY


@pytest.mark.django_db
def test_this_process_asks_its_own_database() -> None:
    assert recording._ask() == OK
