"""Whether many requests at once keep anybody out: 300 of them, of all kinds, while people play.

    .venv/bin/python -m tests.bench.bench_load [--requests N] [--processes N] [--pairs N]

Starts a lab of its own without workers. Pairs of people play on, one move after another; meanwhile N requests
come within a moment, each by a connection and an address of its own (loopback's 127.0.x.y): half of them pages
(the lobby, a shared result), a quarter API long polls, a quarter exports of a shared result. Who is asked to come
again does, after Retry-After. Prints for each kind how many were answered, refused and failed, and the time until
the first answer; exit 1 where any answer is a 500, a page's p95 is over 3 s, or a move was lost.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tests.bench.bench_moves import Side, sit_down
from tests.bench.serving import ServedLab, people, refuse_windows

PAGE_S = 3.0
TRIES = 20


@dataclass
class Answers:
    """Answers to requests of one kind: their statuses, and the seconds until each was answered for good."""

    statuses: Counter[int] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    first: list[float] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """Quantiles of both times, and what was answered how often."""
        return {
            "statuses": dict(self.statuses),
            "first_s": _quantiles(self.first),
            "in_the_end_s": _quantiles(self.seconds),
        }


def _quantiles(values: list[float]) -> dict[str, float]:
    if not values:
        return {}
    median, high = np.quantile(values, [0.5, 0.95])
    return {"p50": round(float(median), 3), "p95": round(float(high), 3), "max": round(max(values), 3)}


async def ask(lab: ServedLab, number: int, path: str, headers: Mapping[str, str], answers: Answers) -> None:
    """One request, sent again where it was refused and the kind is one that people wait for."""
    began = time.monotonic()
    for attempt in range(TRIES):
        status, retry_s = await _get(lab.port, f"127.0.{1 + number // 250}.{1 + number % 250}", path, headers)
        answers.statuses[status] += 1
        if not attempt:
            answers.first.append(time.monotonic() - began)
        if status != 503 or "/export/" in path:
            answers.seconds.append(time.monotonic() - began)
            return
        await asyncio.sleep(retry_s)


async def _get(port: int, source: str, path: str, headers: Mapping[str, str]) -> tuple[int, int]:
    """Status and Retry-After of a GET, read to its end; by hand: hundreds of clients would take the server's CPU."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(source, 0))
    lines = [f"GET {path} HTTP/1.1", "Host: 127.0.0.1", "Connection: close"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    writer.write(("\r\n".join(lines) + "\r\n\r\n").encode())
    answer = await reader.read()
    writer.close()
    head = answer.partition(b"\r\n\r\n")[0].decode().split("\r\n")
    values = {name.lower(): value for name, _, value in (line.partition(": ") for line in head[1:])}
    return int(head[0].split()[1]) if answer else 0, int(values.get("retry-after", 1))


async def storm(lab: ServedLab, requests: int, slug: str, token: str, code: str) -> dict[str, Answers]:
    """All of them at once."""
    bearer = {"Authorization": f"Bearer {token}"}
    kinds = {
        "page": (f"/r/{slug}/", {}),
        "lobby": ("/play/", {}),
        "poll": (f"/api/v1/matches/{code}?version=1&wait=5", bearer),
        "export": (f"/r/{slug}/export/plies.csv", {}),
    }
    found: dict[str, Answers] = defaultdict(Answers)
    names = list(kinds)
    calls = [
        ask(lab, number, *kinds[names[number % 4]], found[names[number % 4]])  # by turns
        for number in range(requests)
    ]
    await asyncio.gather(*calls)
    return found


def play_on(sides: list[Side], moves: list[float], goes_on: Callable[[], bool]) -> int:
    """Play as long as it is to go on; returns the moves that were sent. moves: gets the seconds that each took."""
    sent = 0
    while goes_on() and sides[0].state["status"] == "running":
        mover, other = sides if sides[0].state["your_turn"] else sides[::-1]
        began = time.monotonic()
        mover.act()
        moves.append(time.monotonic() - began)
        sent += 1
        other.look()
    return sent


def measure(lab: ServedLab, requests: int, pairs: int) -> dict[str, Any]:
    """Play, and let the storm come."""
    from tests.webapp.lab.results import factory
    from webapp.lab.jobs import share_links as sharing
    from webapp.people.agents import services as agents
    from webapp.people.agents import tokens
    from webapp.table.live.models import LivePly

    (owner,) = people(["Owner"])
    slug = sharing.share(factory.played(owner, deals=20)).slug
    secret = tokens.issue(agents.create(owner, "Agent", ""), "load", tokens.SCOPES)[1]
    tables = [sit_down(lab, "carcassonne") for _ in range(pairs)]
    idle_mb, before = lab.web_memory_mb(), LivePly.objects.count()
    calm: list[float] = []
    moves: list[float] = []
    sent = 0
    with ThreadPoolExecutor(pairs) as pool:
        sent += sum(pool.map(lambda sides: play_on(sides, calm, lambda: len(calm) < pairs * 10), tables))
        is_over = False
        playing = [pool.submit(play_on, sides, moves, lambda: not is_over) for sides in tables]
        found = asyncio.run(storm(lab, requests, slug, secret, tables[0][0].path.split("/")[2]))
        is_over = True
        sent += sum(played.result() for played in playing)
    return {
        "web_processes": len(lab.web_processes()),
        "web_memory_mb": [round(idle_mb), round(lab.web_memory_mb())],
        **{kind: answers.to_json() for kind, answers in found.items()},
        "move_before_s": _quantiles(calm),
        "move_meanwhile_s": _quantiles(moves),
        "moves": sent,
        "moves_lost": sent - (LivePly.objects.count() - before),
    }


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--requests", type=int, default=300)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--pairs", type=int, default=4)
    given = parser.parse_args()
    refuse_windows()
    with ServedLab(given.processes) as lab:
        found = measure(lab, given.requests, given.pairs)
    print(json.dumps(found, indent=2))
    kinds = [found[kind] for kind in ("page", "lobby", "poll", "export")]
    has_failed = any(status not in (200, 503) for kind in kinds for status in kind["statuses"])
    is_slow = any(kind["first_s"]["p95"] > PAGE_S for kind in kinds[:2])
    return 1 if has_failed or is_slow or found["moves_lost"] else 0


if __name__ == "__main__":
    sys.exit(main())
