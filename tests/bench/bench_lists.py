"""What Postgres does for lists that have grown: every order and filter that a list offers, in CPU milliseconds.

    .venv/bin/python -m tests.bench.bench_lists [--deals N] [--rows N] [--only KIND ...] [--all] [--plans]

The list of an experiment of 100,000 matches is asked for in every order, both ways, with every filter, from its
beginning and from half way; then lists of 3,000 experiments, ladders, studies, projects, people and matches of a
person (`growing` makes them). Counted is the CPU of all processes of Postgres for a page, the least of three. Prints
what takes longest of each kind (--all: all; --plans: the plans of the slowest statement); exit 1 above 50 ms.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlencode

from tests.bench import growing
from tests.bench.bench_matches import cpu_s
from tests.bench.bench_recording import database
from tests.bench.goals import Figures

DEALS, ROWS = 25_000, 3_000
KINDS = ("matches", "rows", "administration")
LIMIT_MS = 50
TRIES = 3
SHOWN = 6
RESULTS = ("win", "draw", "loss", "failed")
FILTERS: tuple[dict[str, Any], ...] = (
    {},
    *({"result": result} for result in RESULTS),
    *({"arm": arm} | ({"result": result} if result else {}) for arm in (0, 1) for result in ("", *RESULTS[:3])),
    {"deal": 7},
    {"deal": 7, "arm": 1, "result": "loss"},
)
JOBS = ("", "q=copy", "q=nothing+of+that", "game=carcassonne", "tag=tag+7", "state=stopped", "tab=archived", "page=50")
STAFF = ("person=everybody", "person=everybody&q=copy", "person=other&page=40")
OTHERS = ("/projects/", "/projects/?page=50", "/notifications/", "/presets/", "/play/", "/play/mine/", "/play/watch/")
PEOPLE = (
    "/play/mine/?page=100",
    "/play/mine/?game=carcassonne",
    "/ratings/carcassonne/",
    "/accounts/",
    "/workers/",
    "/",
)


def of_matches(made: Any) -> Iterator[str]:
    """Addresses of the list of an experiment's matches."""
    from webapp.lab.experiments.match_list import SORTS

    middle = {name: _key_half_way(made, name) for name in SORTS}
    for name in SORTS:
        for chosen in FILTERS:
            for sign in "+-":
                for where in ({}, {"after": middle[name]}):
                    query = {"sort": f"{sign}{name}", **chosen, **where}
                    yield f"/experiments/{made.pk}/matches/?{urlencode(query)}"


def _key_half_way(made: Any, name: str) -> str:
    from webapp.lab.experiments import match_filter, match_list

    keyed = match_list._keyed(match_filter.matches(made), match_list.SORTS[name]).order_by("sort_value", "pk")
    return match_list._key(keyed[made.num_matches // 2])


def of_rows() -> Iterator[str]:
    """Addresses of all other lists."""
    for folder in ("experiments", "ladders", "studies"):
        yield from (f"/{folder}/?{query}" for query in (*JOBS, *STAFF))
        if folder != "studies":
            yield f"/{folder}/?engine=random"
    yield from (*OTHERS, *PEOPLE)


def of_admin() -> Iterator[str]:
    """Addresses of the administration: its lists in the order of each of their columns."""
    from django.contrib import admin

    for model, listed in admin.site._registry.items():
        address = f"/admin/{model._meta.app_label}/{model._meta.model_name}/"
        yield address
        for column, name in enumerate(listed.list_display, 1):
            if listed.sortable_by is not None and name not in listed.sortable_by:
                continue
            yield from (f"{address}?o={sign}{column}" for sign in ("", "-"))


def measure(client: Any, addresses: Iterator[str]) -> dict[str, float]:
    """Milliseconds of Postgres for each page."""
    from webapp.lab.results import cache

    found = {}
    for address in addresses:
        took = []
        for _ in range(TRIES):
            cache._entries.clear()
            before = _postgres_s()
            answer = client.get(address)
            took.append(_postgres_s() - before)
            assert answer.status_code == 200, f"{address} answered {answer.status_code}"
        found[address] = 1000 * min(took)
    return found


def _postgres_s() -> float:
    return cpu_s() - time.process_time()


def plans(client: Any, address: str) -> str:
    """What Postgres says of the dearest statement of a page."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as statements:
        client.get(address)
    dearest = max(statements.captured_queries, key=lambda one: float(one["time"]))
    with connection.cursor() as cursor:
        cursor.execute("EXPLAIN (ANALYZE, BUFFERS) " + dearest["sql"].replace("%", "%%"))
        return "\n".join([dearest["sql"], *(line for (line,) in cursor.fetchall())])


def filled(deals: int, rows: int) -> tuple[Any, Any]:
    """A lab that has grown: a client of somebody of its staff, and the large experiment."""
    import django

    django.setup()
    from django.conf import settings
    from django.core.management import call_command
    from django.db import connection
    from django.test import Client

    settings.ALLOWED_HOSTS = ["testserver"]
    call_command("migrate", verbosity=0, skip_checks=True)
    owner = growing.person("bench", is_staff=True, is_superuser=True)
    made = growing.played(owner, deals)
    growing.jobs(owner, rows)
    growing.people(owner, rows)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    client = Client()
    client.force_login(owner)
    return client, made


def kinds(made: Any) -> Mapping[str, Iterator[str]]:
    """Addresses by kind of list."""
    return dict(zip(KINDS, (of_matches(made), of_rows(), of_admin()), strict=True))


def lists(_: float) -> Figures:
    """Milliseconds of the slowest page of each kind."""
    with database():
        client, made = filled(DEALS, ROWS)
        for kind, addresses in kinds(made).items():
            yield f"lists.{kind}", max(measure(client, addresses).values())


def main() -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=DEALS, help="of each of two arms, each played twice")
    parser.add_argument("--rows", type=int, default=ROWS, help="of everything else")
    parser.add_argument("--only", choices=KINDS, nargs="+", default=KINDS, help="kinds of lists")
    parser.add_argument("--all", action="store_true", help="print all pages")
    parser.add_argument("--plans", action="store_true", help="print plans of the slowest")
    given = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "webapp.settings")
    slowest = 0.0
    with database():
        client, made = filled(given.deals, given.rows)
        for kind in given.only:
            addresses = kinds(made)[kind]
            found = sorted(measure(client, addresses).items(), key=lambda row: -row[1])
            slowest = max(slowest, found[0][1])
            print(f"{kind}: {len(found)} pages, {sum(ms > LIMIT_MS for _, ms in found)} above {LIMIT_MS} ms")
            for address, ms in found if given.all else found[:SHOWN]:
                print(f"{ms:9,.1f} ms  {address}", flush=True)
            if given.plans:
                print(plans(client, found[0][0]))
    return int(slowest > LIMIT_MS)


if __name__ == "__main__":
    sys.exit(main())
