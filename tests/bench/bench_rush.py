"""What a request of a rush costs a web process: CPU milliseconds, by real HTTP, one after another.

    .venv/bin/python -m tests.bench.bench_rush [--times N]

A shared result with its chart and picture, the lobby of somebody unknown and of somebody signed in, a match begun
by *Play now*, and its board's page. Each is asked for so often by readers without a cookie (or the one signed in);
the first two of each do not count: they load what the process keeps.
"""

from __future__ import annotations

import argparse
import re
import time
import uuid
from collections.abc import Callable

import httpx

from tests.bench.serving import ServedLab, people, refuse_windows

LEFT_OUT = 2
_TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')


def cost(lab: ServedLab, ask: Callable[[], httpx.Response], times: int) -> tuple[float, float, int]:
    """(CPU milliseconds, milliseconds, bytes) of an answer."""
    for _ in range(LEFT_OUT):
        ask()
    before, began, size = lab.web_cpu_s(), time.monotonic(), 0
    for _ in range(times):
        size = len(ask().content)
    return 1000 * (lab.web_cpu_s() - before) / times, 1000 * (time.monotonic() - began) / times, size


def begin(browser: httpx.Client, game: str, then: Callable[[str], None]) -> httpx.Response:
    """Begin a match, and give it up unseen so that the next may begin. then: gets its address."""
    from webapp.table.live.models import LiveMatch

    token = browser.cookies["csrftoken"]
    form = {"game": game, "level": "beginner", "submission": str(uuid.uuid4()), "csrfmiddlewaretoken": token}
    answer = browser.post("/play/now/", data=form, headers={"Referer": str(browser.base_url)})
    assert answer.status_code == 302, answer.text
    assert "/play/" in answer.headers["location"]
    then(answer.headers["location"])
    LiveMatch.objects.filter(status="running").update(status="cancelled")
    return answer


def measure(lab: ServedLab, times: int) -> dict[str, tuple[float, float, int]]:
    """Cost of each kind of request."""
    from engines import levels
    from tests.webapp.lab.results import factory
    from webapp.lab.jobs import share_links as sharing

    lab.wait(lambda: "first pages need was loaded" in (lab.folder.root / "web.log").read_text(), "the first pages")
    owner, player = people(["Owner", "Player"])
    slug = sharing.share(factory.played(owner, deals=20)).slug
    unknown = httpx.Client(base_url=lab.address, timeout=60.0)
    known = lab.client(player)

    def get(browser: httpx.Client, path: str) -> Callable[[], httpx.Response]:
        def ask() -> httpx.Response:
            if browser is unknown:
                browser.cookies.clear()
            return browser.get(path).raise_for_status()

        return ask

    found = {}
    for name, path in {
        "shared result": f"/r/{slug}/",
        "its chart": f"/r/{slug}/charts/margin-running.json",
        "its picture": f"/r/{slug}/card.png",
        "lobby, unknown": "/play/",
        "static file": "/static/css/base.css",
    }.items():
        found[name] = cost(lab, get(unknown, path), times)
    found["lobby, signed in"] = cost(lab, get(known, "/play/"), times)
    for game in ("carcassonne", "kingdomino", "dominion", "dominoes"):
        level = levels.for_game(game)[0].id
        assert level
        last: list[str] = []
        found[f"start, {game}"] = cost(lab, lambda: begin(known, game, last.append), times)  # noqa: B023  # used at once
        found[f"board, {game}"] = cost(lab, get(known, last[-1]), times)
    return found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=20)
    times = parser.parse_args().times
    refuse_windows()
    with ServedLab() as lab:
        found = measure(lab, times)
    print(f"{'CPU ms':>10}{'ms':>10}{'bytes':>10}  of a request")
    for name, (cpu, taken, size) in found.items():
        print(f"{cpu:10.1f}{taken:10.1f}{size:10,}  {name}")


if __name__ == "__main__":
    main()
