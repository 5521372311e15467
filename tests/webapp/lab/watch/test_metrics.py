"""What Prometheus reads, and who may."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.http import HttpResponse
from django.test import Client, RequestFactory
from prometheus_client import generate_latest
from prometheus_client.parser import text_string_to_metric_families

from tests.webapp.specs import make
from webapp.asgi import _refuse
from webapp.common import gate
from webapp.lab.watch import beats, request_times
from webapp.lab.watch.metrics import PARTS
from webapp.lab.watch.requests import RequestMiddleware
from webapp.ops.data_folder import CHECKOUT
from webapp.records import worker_processes

pytestmark = pytest.mark.django_db
OTHER = """
from django.conf import settings
settings.configure(LAB_METRICS_FOLDER={folder!r})
from webapp.lab.watch import request_times
request_times.note("site:health", 200, 0.2)
"""


@pytest.fixture
def metrics(settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Metrics by a token, in a folder of the test."""
    settings.LAB_METRICS, settings.LAB_METRICS_TOKEN, settings.LAB_METRICS_FROM = True, "s3cret", []
    settings.LAB_METRICS_FOLDER = tmp_path
    monkeypatch.setenv("PROMETHEUS_MULTIPROC_DIR", "")  # set anew, and gone afterwards
    request_times._counts.cache_clear()
    yield settings
    request_times._counts.cache_clear()


def test_only_whom_the_settings_name_may_read_them(client: Client, metrics: Any, valkey_service: str) -> None:
    assert client.get("/metrics").status_code == 401
    assert client.get("/metrics", headers={"Authorization": "Bearer wrong"}).status_code == 401
    assert client.get("/metrics", headers={"Authorization": "Bearer s3cret"}).status_code == 200
    metrics.LAB_METRICS_TOKEN, metrics.LAB_METRICS_FROM = "", [ip_network("10.0.0.0/8")]
    assert client.get("/metrics", REMOTE_ADDR="10.1.2.3").status_code == 200
    assert client.get("/metrics", REMOTE_ADDR="11.1.2.3").status_code == 401
    assert client.get("/metrics", headers={"Authorization": "Bearer "}).status_code == 401


def test_waiting_at_the_door_counts_and_so_does_who_was_not_let_in(metrics: Any) -> None:
    request = RequestFactory().get("/play/")
    request.scope = {gate.ARRIVED: time.perf_counter() - 5}  # type: ignore[attr-defined]  # as Django's own under ASGI
    RequestMiddleware(lambda _: HttpResponse())(request)
    _refuse({"path": "/play/", "method": "GET"}, 3)
    found = generate_latest(request_times.registry()).decode()
    assert 'lab_requests_total{status="503",view="refused"} 1.0' in found
    assert 'lab_request_seconds_bucket{le="3.0",view="none"} 0.0' in found
    assert 'lab_request_seconds_bucket{le="10.0",view="none"} 1.0' in found


@pytest.mark.long
def test_they_tell_of_requests_of_all_processes_and_of_the_lab(
    client: Client, alice: Any, metrics: Any, valkey_service: str
) -> None:
    make(alice)
    beats.beat()
    connection.ensure_connection()
    raw = connection.connection
    worker_processes.enter(raw, worker_processes.Announcement("host:1", ["batch"]), is_new=True)
    for _ in range(3):
        worker_processes.count_claim(raw, "host:1", "batch", 0.5)
    client.get("/health/")
    client.get("/nowhere/")
    program = OTHER.format(folder=str(metrics.LAB_METRICS_FOLDER))
    subprocess.run([sys.executable, "-c", program], cwd=CHECKOUT, env=dict(os.environ), check=True)
    answer = client.get("/metrics", headers={"Authorization": "Bearer s3cret"})
    found = {
        (sample.name, *(value for _, value in sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(answer.content.decode())
        for sample in family.samples
    }
    assert found["lab_requests_total", "200", "site:health"] == 2
    assert found["lab_requests_total", "404", "none"] == 1
    assert found["lab_request_seconds_count", "site:health"] == 2
    assert found["lab_request_seconds_sum", "site:health"] > 0.2
    assert found["lab_state", "ok"] == found["lab_up", "database"] == found["lab_up", "queue"] == 1
    assert found["lab_queue_waiting", "batch"] == found["lab_jobs", "experiment", "running"] == 1
    assert found["lab_worker_processes", "batch"] == 1
    assert found["lab_claims_total", "batch", "host:1"] == 3
    assert found["lab_busy_seconds_total", "batch", "host:1"] == 1.5
    assert found["lab_database_bytes",] > 1e6
    assert found["lab_sweeper_silent_seconds",] < 60
    assert {"lab_matches_written_total", "lab_plies_written_total", "lab_alarms_open"} <= {name[0] for name in found}


@pytest.mark.django_db
def test_rows_are_counted_in_whole_tables_and_in_partitions() -> None:
    with connection.cursor() as cursor:
        cursor.execute("create table plain (n int)")
        cursor.execute("create table parted (n int) partition by range (n)")
        cursor.execute("create table part partition of parted for values from (0) to (9)")
        for table, expected in (("plain", ["plain"]), ("parted", ["part", "parted"])):
            cursor.execute(f"select oid::regclass::text from ({PARTS}) as found (oid) order by 1", [table, table])
            assert [name for (name,) in cursor.fetchall()] == expected


def test_folders_of_containers_that_are_gone_go_and_those_of_others_that_live_stay(tmp_path: Path) -> None:
    long_ago = time.time() - request_times.KEPT_HOST_S - 60
    for host, moment in (("own", long_ago), ("gone", long_ago), ("beside", time.time())):
        file = tmp_path / host / "counter_7.db"
        file.parent.mkdir()
        file.touch()
        os.utime(file, (moment, moment))
    request_times._forget_hosts(tmp_path / "own")
    assert {path.name for path in tmp_path.iterdir()} == {"own", "beside"}
