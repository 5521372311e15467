"""Opens the main pages of a restored lab: ``python -m tests.releases.looking``, with LAB_DATA; JSON on stdout."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from typing import Any

PASSWORD = "a stored lab"


def main() -> None:
    """Print the status of each page, signed in and not, and what became of a ply of the running match."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "webapp.settings"
    import django

    django.setup()
    from webapp.ops import data_folder
    from webapp.ops.open_database import open_database

    with open_database(data_folder.locate(), is_exclusive=True):
        print(json.dumps(_look()))


def _look() -> dict[str, Any]:
    from django.test import Client

    from tests.webapp.table.live import tables
    from webapp.records.models import Match
    from webapp.table.live.models import LiveMatch

    signed_in, anybody = Client(headers={"host": "localhost"}), Client(headers={"host": "localhost"})
    may_sign_in = signed_in.login(username="ada", password=PASSWORD)
    pages = {path: signed_in.get(path).status_code for path in _private()}
    pages |= {f"anybody {path}": anybody.get(path).status_code for path in _public()}
    running = LiveMatch.objects.filter(status=LiveMatch.Status.RUNNING).order_by("pk")
    ended = [tables.play_on(match).status for match in running]
    return {"may_sign_in": may_sign_in, "pages": pages, "ended": ended, "matches": Match.objects.count()}


def _private() -> Iterator[str]:
    from webapp.records.models import Experiment, Match
    from webapp.table.live.models import LiveMatch

    yield from ("/", "/experiments/", "/studies/", "/play/", "/play/mine/", "/strategies/", "/accounts/", "/ladders/")
    owned = Experiment.objects.filter(owner__username="ada").exclude(kind="play").order_by("pk")
    yield from (f"/{'ladders' if one.kind == 'ladder' else 'experiments'}/{one.pk}/" for one in owned)
    yield from (
        f"/matches/{pk}/" for pk in Match.objects.filter(plies__ply=0).order_by("pk").values_list("pk", flat=True)
    )
    yield from (f"/play/{code}/" for code in LiveMatch.objects.order_by("pk").values_list("code", flat=True))


def _public() -> Iterator[str]:
    from webapp.records.models import ShareLink

    yield from ("/", "/engines/", "/games/", "/presets/", "/api/v1/docs")
    yield from (f"/r/{slug}/" for slug in ShareLink.objects.values_list("slug", flat=True))


if __name__ == "__main__":
    main()
