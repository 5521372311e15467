"""How fast the pages of an experiment with 100,000 matches answer; all should stay below a second.

    .venv/bin/python -m tests.bench.bench_pages [--deals N]

Fifty matches are played at random and multiplied by SQL: rows of matches and seats, and
summaries; plies are kept for the played ones only. Every page is asked for twice, first with
nothing kept in the process, then again. Prints milliseconds; exit 1 where a page is too slow.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from typing import Any

from tests.bench.bench_recording import database

PLAYED_DEALS = 25
LIMIT_S = 1.0


def _columns(model: Any) -> list[str]:
    return [field.column for field in model._meta.concrete_fields if field.column not in ("id", "pk")]


def multiply(made: Any, deals: int, played: int = PLAYED_DEALS) -> None:
    """Turn the played deals into `deals` of them."""
    from django.db import connection

    from webapp.records.models import Match, Seat, Summary

    match = [name for name in _columns(Match) if name != "deal"]
    seat = [name for name in _columns(Seat) if name not in ("match_id", "deal")]
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {Match._meta.db_table} (deal, {', '.join(match)}) SELECT d, {', '.join(match)}"
            f" FROM {Match._meta.db_table} m JOIN generate_series(%s, %s) d ON m.deal = d %% %s"
            " WHERE experiment_id = %s",
            [played, deals - 1, played, made.pk],
        )
        cursor.execute(
            f"INSERT INTO {Seat._meta.db_table} (match_id, deal, {', '.join(seat)})"
            f" SELECT n.id, n.deal, {', '.join('s.' + name for name in seat)} FROM {Match._meta.db_table} n"
            f" JOIN {Match._meta.db_table} o USING (experiment_id, arm_index, rotation)"
            f" JOIN {Seat._meta.db_table} s ON s.match_id = o.id"
            " WHERE n.experiment_id = %s AND n.deal >= %s AND o.deal = n.deal %% %s",
            [made.pk, played, played],
        )
        cursor.execute(
            f"UPDATE {Summary._meta.db_table} SET n = n * %s, total = total * %s, total_squares = total_squares * %s,"
            " histogram = (SELECT array_agg(c * %s ORDER BY i) FROM unnest(histogram) WITH ORDINALITY AS h(c, i))"
            " WHERE experiment_id = %s",
            [deals // played] * 4 + [made.pk],
        )
        cursor.execute("ANALYZE")
    made.chunks.update(written=2 * deals, size=2 * deals)
    type(made).objects.filter(pk=made.pk).update(num_matches=4 * deals)


def addresses(made: Any, slug: str) -> Iterator[str]:
    """Every page of the experiment, of a match of it, and of its public address."""
    from webapp.lab.results.charts import registry

    match = made.matches.order_by("pk").first()
    own = f"/experiments/{made.pk}/"
    yield from (own, f"{own}live/", f"{own}result/", f"{own}matches/?sort=margin", f"{own}matches/?arm=1&result=win")
    yield from (f"{own}settings/", f"{own}failures/", "/experiments/")
    yield from (f"{own}charts/{chart.id}.json" for chart in registry.fitting_charts(made))
    yield from (f"/matches/{match.pk}/", f"/matches/{match.pk}/trace.json")
    yield from (f"/r/{slug}/", f"/r/{slug}/card.png", f"/r/{slug}/charts/margin-running/")


def measure(deals: int) -> dict[str, Any]:
    """Milliseconds of each page, first and again."""
    from django.contrib.auth import get_user_model
    from django.test import Client

    from tests.webapp.lab.results import factory
    from webapp.lab.jobs import share_links as services
    from webapp.lab.results import cache

    owner = get_user_model().objects.create_user("bench")
    lineups = [[factory.FLAT, factory.RANDOM], [factory.seat("scripted"), factory.RANDOM]]
    made = factory.played(owner, lineups, deals=PLAYED_DEALS)
    multiply(made, deals)
    made.refresh_from_db()
    client = Client(SERVER_NAME="localhost")
    client.force_login(owner)
    client.get(f"/matches/{made.matches.order_by('-pk').first().pk}/")  # loads rules and templates
    times = {}
    for address in addresses(made, services.share(made).slug):
        cache._entries.clear()
        times[address] = [_milliseconds(client, address) for _ in range(2)]
    start = time.perf_counter()
    size = sum(map(len, client.get(f"/experiments/{made.pk}/export/matches.csv")))
    export = {"bytes": size, "seconds": round(time.perf_counter() - start, 2)}
    return {"matches": made.matches.count(), "milliseconds": times, "export_matches_csv": export}


def _milliseconds(client: Any, address: str) -> float:
    start = time.perf_counter()
    answer = client.get(address)
    assert answer.status_code == 200, f"{address} answered {answer.status_code}"
    return round(1000 * (time.perf_counter() - start), 1)


def show(found: dict[str, Any]) -> str:
    """The table as text."""
    lines = [f"Pages of an experiment with {found['matches']:,} matches", f"{'first ms':>12}{'again ms':>10}  page"]
    lines += [f"{first:12,.1f}{again:10,.1f}  {page}" for page, (first, again) in found["milliseconds"].items()]
    export = found["export_matches_csv"]
    return "\n".join([*lines, f"export of all matches as CSV: {export['bytes']:,} bytes in {export['seconds']} s"])


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=25_000, help="of each of two arms, each played twice")
    deals = parser.parse_args().deals
    with database():
        import os

        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "webapp.settings")
        import django

        django.setup()
        from django.core.management import call_command
        from django.db import connections

        call_command("migrate", verbosity=0)
        try:
            found = measure(deals)
        finally:
            connections.close_all()  # Postgres waits for them before it stops
    print(show(found))
    slow = [address for address, (first, _) in found["milliseconds"].items() if first > 1000 * LIMIT_S]
    if slow:
        print(f"slower than {LIMIT_S} s: {', '.join(slow)}", file=sys.stderr)
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
