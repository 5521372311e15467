"""A hundred people in all games beside two running batches: nobody loses by the lab's fault.

People speak HTTP as the pages do: they open the lobby, start against a quick level, wait for changes, think and
act. All come from one address, as a class does. Afterwards: answers by status, times of moves and pages, matches
that ended otherwise than by their rules, and what each of the batches' owners got.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import re
import statistics
import time
import uuid
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import Any

import httpx
import psutil

from engines import levels
from games import registry
from tests.crash.lab import Lab
from tests.journey.conftest import COLD_START_S, address

THINKS_S = (4.0, 10.0)
"""What a person thinks before a move."""
GAMES = ("carcassonne", "kingdomino", "dominion", "dominoes")
FLAT = {"engine": "flat_mc", "options": {}, "budget": {"playouts_per_action": 5}}
RANDOM = {"engine": "random", "options": {}, "budget": {}}
BATCH = {
    "version": 1,
    "game": "carcassonne",
    "seats": 2,
    "arms": [{"name": "flat", "seats": [FLAT, RANDOM]}],
    "deals": 20_000,
}
TIMEOUT_S = 40.0
"""A page's own patience with a poll, and more."""
AGAIN_S = 1.0
SERVER_ERROR, BUSY = 500, 503
MOVE_S = 1.0
"""95 of 100 moves are answered by then."""
UNFAIR = 0.1
"""Of all matches of the two batches: what one may have more than the other."""
_ENDINGS = "select status, coalesce(ending->>'kind', ''), count(*) from live_livematch group by 1, 2 order by 1, 2"
_SHARE = "select count(*) from records_match where experiment_id = %s and status = 'finished'"
_SUBMISSION = re.compile(r'name="submission" value="([^"]+)"')
_TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')


@dataclass
class Seen:
    """What all people have seen. seconds: by kind of request; answers: statuses by kind."""

    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    answers: dict[str, Counter[int]] = field(default_factory=lambda: defaultdict(Counter))
    lost: list[str] = field(default_factory=list)
    """Moves that were sent and are not there."""

    def table(self) -> dict[str, Any]:
        """By kind: how many, statuses, median, 95th percentile and most, in seconds."""
        return {
            kind: {
                "count": len(taken),
                "statuses": dict(sorted(self.answers[kind].items())),
                "p50": round(statistics.median(taken), 3),
                "p95": round(statistics.quantiles(taken, n=20)[-1], 3) if len(taken) > 1 else taken[0],
                "most": round(max(taken), 3),
            }
            for kind, taken in sorted(self.seconds.items())
        }


class Person:
    """One of those who play."""

    def __init__(self, site: str, session: str, game: str, seen: Seen, until: float, number: int) -> None:
        self.client = httpx.AsyncClient(base_url=site, cookies={"sessionid": session}, timeout=TIMEOUT_S)
        self.game, self.seen, self.until = game, seen, until
        self.random = random.Random(number)

    async def ask(self, kind: str, method: str, path: str, **further: Any) -> httpx.Response | None:
        """One request, with its time noted; None where no answer came."""
        begun = time.monotonic()
        try:
            answer = await self.client.request(method, path, **further)
        except httpx.HTTPError as error:
            self.seen.answers[kind][0] += 1
            self.seen.lost.append(f"{kind} {path}: {error!r}")
            return None
        self.seen.seconds[kind].append(time.monotonic() - begun)
        self.seen.answers[kind][answer.status_code] += 1
        if answer.status_code == BUSY:
            await asyncio.sleep(float(answer.headers.get("Retry-After", AGAIN_S)))
        return answer

    async def play(self) -> None:
        """Play match after match until the time is over."""
        await asyncio.sleep(self.random.uniform(0, THINKS_S[1]))
        async with self.client:
            while time.monotonic() < self.until:
                code = await self._start()
                if code is None:
                    await asyncio.sleep(AGAIN_S)
                else:
                    await self._go_through(code)

    async def _start(self) -> str | None:
        lobby = await self.ask("page", "GET", "/play/")
        if lobby is None or lobby.status_code != 200:
            return None
        submission, token = _SUBMISSION.search(lobby.text), _TOKEN.search(lobby.text)
        assert submission is not None
        assert token is not None
        form = {
            "game": self.game,
            "level": levels.for_game(self.game)[0].id,
            "submission": str(uuid.uuid4()),
            "csrfmiddlewaretoken": token[1],
        }
        begun = await self.ask("start", "POST", "/play/now/", data=form, headers={"Referer": f"{lobby.url}"})
        if begun is None or begun.status_code != 302:
            return None
        there = begun.headers["Location"]
        page = await self.ask("page", "GET", there)
        return None if page is None or page.status_code != 200 else there.strip("/").rpartition("/")[2]

    async def _go_through(self, code: str) -> None:
        """Play one match: wait for one's turn, think, act; the time of a move is until one is on turn again."""
        state, seen, sent_at = f"/play/{code}/state/", dict[str, Any](), 0.0
        while time.monotonic() < self.until:
            shown = await self.ask("poll", "GET", state, params=_known(seen))
            if shown is None or shown.status_code != 200:
                await asyncio.sleep(0 if shown is not None and shown.status_code == 204 else AGAIN_S)
                continue
            seen = shown.json()
            sent_at = self._note_answer(seen, sent_at)
            while seen.get("actions") and time.monotonic() < self.until:
                await asyncio.sleep(self.random.uniform(*THINKS_S))
                sent_at = time.monotonic()
                seen = await self._act(code, seen) or {}
                sent_at = self._note_answer(seen, sent_at)
            if seen and seen["status"] != "running":
                return

    def _note_answer(self, seen: dict[str, Any], sent_at: float) -> float:
        """Note the time since a move was sent where one is on turn again; when the one not yet answered was sent."""
        if not sent_at or not seen or not (seen["actions"] or seen["status"] != "running"):
            return sent_at
        self.seen.seconds["move to answer"].append(time.monotonic() - sent_at)
        return 0.0

    async def _act(self, code: str, seen: dict[str, Any]) -> dict[str, Any] | None:
        """Send a random action until it is there: a request without an answer is sent again with its key."""
        action = self.random.choice(seen["actions"])["id"]
        body = {"ply": seen["ply"], "action": action, "key": str(uuid.uuid4()), "has": _tags(seen)}
        for _ in range(10):
            heads = {"X-CSRFToken": seen["token"], "Referer": f"{self.client.base_url}/play/{code}/"}
            answer = await self.ask("move", "POST", f"/play/{code}/act/", json=body, headers=heads)
            if answer is not None and answer.status_code in (200, 409):
                if answer.status_code == 409:
                    self.seen.lost.append(f"{code}, ply {seen['ply']}: {answer.json().get('error')}")
                return dict(answer.json())
            await asyncio.sleep(AGAIN_S)
        self.seen.lost.append(f"{code}, ply {seen['ply']}: no answer to ten tries")
        return None


def _tags(seen: dict[str, Any]) -> str:
    return ",".join(f"{name}:{tag}" for name, tag in seen["tags"].items())


def _known(seen: dict[str, Any]) -> dict[str, str]:
    """What a page says of the state that it has; nothing where it has none."""
    return {"version": str(seen["version"]), "has": _tags(seen)} if seen else {}


async def _everybody(site: str, sessions: list[str], seconds: float) -> Seen:
    seen, until = Seen(), time.monotonic() + seconds
    people = [Person(site, session, GAMES[n % len(GAMES)], seen, until, n) for n, session in enumerate(sessions)]
    await asyncio.gather(*(person.play() for person in people))
    return seen


def _cpu_s(lab: Lab) -> dict[str, float]:
    """CPU seconds that each program of the lab has used, with its children; seconds of a busy machine say less."""
    found: dict[str, float] = {}
    for note in lab.folder.processes.glob("*.json"):
        with contextlib.suppress(psutil.NoSuchProcess):
            leader = psutil.Process(json.loads(note.read_text())["pid"])
            found[note.stem] = sum(
                sum(process.cpu_times()[:2]) for process in (leader, *leader.children(recursive=True))
            )
    return found


def run(number: int = 100, seconds: float = 300.0) -> dict[str, Any]:
    """Have so many people play for so long; what was seen, JSON-ready."""
    assert set(GAMES) <= set(registry.ids())
    with Lab() as lab:
        lab.start_supervisor(workers=2)
        said = lab.folder.root / "supervisor.log"
        lab.wait(lambda: "[workers] started" in said.read_text(), "the workers to start", COLD_START_S)
        sessions = lab.ask("people", number)
        batches = {owner: lab.ask("batch", owner, BATCH | {"seed": seed}) for seed, owner in enumerate(("ann", "ben"))}
        before = _cpu_s(lab)
        seen = asyncio.run(_everybody(address(lab), sessions, seconds))
        spent = {name: round(used - before.get(name, 0.0), 1) for name, used in _cpu_s(lab).items()}
        return {
            "people": number,
            "seconds": seconds,
            "cpu_s": spent,
            "requests": seen.table(),
            "lost": seen.lost,
            "matches": [list(row) for row in lab.rows(_ENDINGS)],
            "batches": {owner: lab.rows(_SHARE, pk)[0][0] for owner, pk in batches.items()},
        }


def faults(found: dict[str, Any]) -> list[str]:
    """What is not as it should be: errors of the lab, moves lost, forfeits, slow answers, unfair shares."""
    said = [
        f"{kind}: {number} answers with status {status}"
        for kind, row in found["requests"].items()
        for status, number in row["statuses"].items()
        if status >= SERVER_ERROR and status != BUSY
    ]
    said += found["lost"]
    said += [f"{n} matches {status}: {kind}" for status, kind, n in found["matches"] if status in ("ended", "failed")]
    if (moves := found["requests"].get("move to answer")) is None or moves["p95"] >= MOVE_S:
        said.append(f"from a move to its answer: {moves}")
    shares = found["batches"].values()
    if abs(max(shares) - min(shares)) > UNFAIR * sum(shares):
        said.append(f"matches of the batches: {found['batches']}")
    return said
