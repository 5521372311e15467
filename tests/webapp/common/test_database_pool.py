"""A connection whose server does not answer breaks; one that only takes its time does not."""

from __future__ import annotations

import time

import psycopg
import pytest
from django.db import connection

from webapp.common import database_pool
from webapp.common.database_pool import PatientConnection


@pytest.mark.django_db
def test_it_breaks_where_no_answer_comes_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database_pool, "ANSWER_S", 1.0)
    monkeypatch.setattr(database_pool, "CHECK_S", 60.0)
    patient = PatientConnection.connect(**connection.get_connection_params(), autocommit=True)
    patient.execute("select pg_sleep(0.2)")
    with pytest.raises(psycopg.errors.DivisionByZero):
        patient.execute("select 1 / 0")
    began = time.monotonic()
    with pytest.raises(psycopg.OperationalError, match="has not answered within 1 s"):
        patient.execute("select pg_sleep(3)")
    assert time.monotonic() - began < 20
    assert patient.broken
