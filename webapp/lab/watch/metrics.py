"""Numbers for Prometheus: most are read from Postgres when somebody asks, requests are counted by web processes."""

from __future__ import annotations

import hmac
import ipaddress
from collections.abc import Iterable, Iterator, Mapping

from django.conf import settings
from django.db import connection
from django.db.models import Count
from django.http import HttpRequest
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from webapp.common.limits import address
from webapp.common.valkey import redis
from webapp.lab.jobs import lab_state
from webapp.lab.watch import beats, condition, request_times
from webapp.lab.watch.finding import STATES
from webapp.lab.watch.models import Alarm, Report
from webapp.records import disk, faults, worker_processes
from webapp.records.models import Experiment, Study
from webapp.records.worker_models import WorkerTally
from webapp.table.hooks.models import Delivery
from webapp.table.live.models import LiveMatch
from worker.recorder import AGENTS, ANALYSIS, BATCH, INTERACTIVE, QUEUES

CONTENT_TYPE = CONTENT_TYPE_LATEST
WRITTEN = {"matches": "records_match", "plies": "records_ply", "live_plies": "live_liveply"}
"""Tables whose rows are counted as they are written, with their partitions."""
PARTS = "select %s::regclass::oid union select relid from pg_partition_tree(%s::regclass)"
"""A table and its partitions; a plain one is in no tree."""
_WRITTEN = f"select coalesce(sum(n_tup_ins), 0) from pg_stat_user_tables where relid in ({PARTS})"


def may_read(request: HttpRequest) -> bool:
    """Whether somebody may read them: by the token, or from an address of a network that the settings name."""
    given = request.headers.get("Authorization", "").removeprefix("Bearer ")
    wanted = settings.LAB_METRICS_TOKEN
    if wanted and hmac.compare_digest(given.encode(), wanted.encode()):
        return True
    try:
        asker = ipaddress.ip_address(address(request))
    except ValueError:
        return False
    return any(asker in network for network in settings.LAB_METRICS_FROM)


def text() -> bytes:
    """All of them, as Prometheus reads them."""
    registry = request_times.registry()
    registry.register(LabCollector())
    return generate_latest(registry)


class LabCollector(Collector):
    """Reads the state of the lab each time that it is asked."""

    def describe(self) -> Iterable[Metric]:
        """Name nothing beforehand: that would read everything once more."""
        return []

    def collect(self) -> Iterator[Metric]:
        """Give all families; without a database only the condition."""
        found = condition.read()
        yield _gauge("lab_state", "1 for the state that /health/ says.", "state", _states(found.state))
        causes = {finding.cause: 1.0 for finding in found.findings}
        yield _gauge("lab_finding", "1 for each cause that something is wrong.", "cause", causes)
        up = {part: float(found.parts[part] == "ok") for part in ("database", "queue")}
        yield _gauge("lab_up", "Whether the database records, and the queue answers.", "part", up)
        room = disk.room()
        if room is not None:
            sizes = {"free": float(room.free), "reserve": float(room.reserve)}
            yield _gauge("lab_disk_bytes", "Room on the volume of the database.", "what", sizes)
        if found.parts["queue"] == "ok":
            yield _gauge("lab_queue_messages", "Messages that wake workers.", "queue", _messages())
        if found.parts["database"] != "down":
            yield from _of_work()
            yield from _of_workers()
            yield from _of_database()


def _states(state: str) -> dict[str, float]:
    return {name: float(name == state) for name in STATES}


def _gauge(name: str, about: str, label: str, values: Mapping[str, float]) -> GaugeMetricFamily:
    family = GaugeMetricFamily(name, about, labels=[label])
    for value, number in values.items():
        family.add_metric([value], number)
    return family


def _messages() -> dict[str, float]:
    timeout = condition.TIMEOUT_S
    try:
        with redis.Redis.from_url(settings.REDIS_URL, socket_timeout=timeout, socket_connect_timeout=timeout) as client:
            return {queue: float(int(client.llen(queue))) for queue in QUEUES}
    except (redis.RedisError, OSError):
        return {}


def _of_work() -> Iterator[Metric]:
    """What waits and what runs."""
    lab = lab_state.read()
    waiting = {queue: float(len(lab.queue(queue).order)) for queue in (BATCH, ANALYSIS)}
    due = LiveMatch.objects.filter(status=LiveMatch.Status.RUNNING, is_engine_due=True, worker="")
    turns = dict(due.values_list("queue").annotate(n=Count("pk")))
    waiting |= {queue: float(turns.get(queue, 0)) for queue in (AGENTS, INTERACTIVE)}
    yield _gauge("lab_queue_waiting", "Jobs, and engines' turns at tables, that wait for workers.", "queue", waiting)
    jobs = GaugeMetricFamily("lab_jobs", "Experiments and studies by state.", labels=["kind", "status"])
    for kind, rows in (("experiment", Experiment.objects), ("study", Study.objects)):
        live = rows.filter(status__in=("running", "paused"))
        for status, number in live.values_list("status").annotate(n=Count("pk")):
            jobs.add_metric([kind, status], number)
    yield jobs
    tables = LiveMatch.objects.filter(status=LiveMatch.Status.RUNNING).count()
    yield GaugeMetricFamily("lab_tables", "Matches in play at tables.", value=tables)
    deliveries = Delivery.objects.filter(status=Delivery.Status.WAITING).count()
    yield GaugeMetricFamily("lab_deliveries_waiting", "Webhooks that wait to be delivered.", value=deliveries)


def _of_workers() -> Iterator[Metric]:
    """Which there are, and what each has done."""
    living = list(worker_processes.living())
    numbers = {queue: float(sum(queue in row.queues for row in living)) for queue in QUEUES}
    yield _gauge("lab_worker_processes", "Living worker processes.", "queue", numbers)
    claims = CounterMetricFamily("lab_claims", "Pieces of work that a process took.", labels=["worker", "queue"])
    busy = CounterMetricFamily("lab_busy_seconds", "Time that a process was at work.", labels=["worker", "queue"])
    for tally in WorkerTally.objects.filter(worker__in=[row.name for row in living]):
        claims.add_metric([tally.worker, tally.queue], tally.claims)
        busy.add_metric([tally.worker, tally.queue], tally.busy_s)
    yield claims
    yield busy
    lately = faults.lately().count()
    yield GaugeMetricFamily("lab_worker_faults", "Faults of workers within an hour.", value=lately)
    yield GaugeMetricFamily("lab_sweeper_silent_seconds", "Age of the sweeper's sign of life.", value=beats.silent_s())


def _of_database() -> Iterator[Metric]:
    """What was written, how large it is, what chores have come to."""
    with connection.cursor() as cursor:
        for name, table in WRITTEN.items():
            cursor.execute(_WRITTEN, [table, table])
            about = f"Rows of {name.replace('_', ' ')} written since the database's statistics began."
            yield CounterMetricFamily(f"lab_{name}_written", about, value=float(cursor.fetchone()[0]))
        cursor.execute("select pg_database_size(current_database())")
        yield GaugeMetricFamily("lab_database_bytes", "Size of the database.", value=float(cursor.fetchone()[0]))
        cursor.execute("select count(*) from pg_stat_activity where datname = current_database()")
        yield GaugeMetricFamily("lab_database_connections", "Its connections.", value=float(cursor.fetchone()[0]))
    reports = list(Report.objects.all())
    ended = {report.name: report.succeeded_at.timestamp() for report in reports if report.succeeded_at}
    yield _gauge("lab_report_succeeded_timestamp_seconds", "When a chore last went well.", "name", ended)
    well = {report.name: float(report.is_ok) for report in reports}
    yield _gauge("lab_report_ok", "Whether its last run went well.", "name", well)
    open_alarms = Alarm.objects.filter(ended_at=None).count()
    yield GaugeMetricFamily("lab_alarms_open", "Causes of alarms that last.", value=open_alarms)
