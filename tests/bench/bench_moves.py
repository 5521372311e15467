"""What a move costs the web processes: CPU milliseconds, by real HTTP, as a browser asks.

    .venv/bin/python -m tests.bench.bench_moves [--moves N] [--game GAME ...]

Two people play each other, over one connection each: who is on turn sends an action, which is answered with
their board; the other's page waits for it and is answered with theirs. Three figures a game: the sent action,
the same with the other's page beside it (a whole move), and a page loaded anew. The goal is 15 ms a move.

Measured is a process that has loaded what first pages need and has played for a while: drawings of pieces, which are
made once, are not counted.
"""

from __future__ import annotations

import argparse
import sys
import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import httpx

from games import registry
from tests.bench.serving import ServedLab, people, refuse_windows

GOAL_MS = 15.0
WARM_UP = 60
"""Moves of a game that are not counted."""
REST_S, AT_REST_S = 1.0, 0.02
"""The processes are at rest when they use less in so long."""
LOADS = 30


@dataclass
class Side:
    """One of the two: a connection, and the state last seen."""

    browser: httpx.Client
    path: str
    state: dict[str, Any]

    @property
    def has(self) -> str:
        """Parts of the page, which are left out of the next answer where they are as they were."""
        return ",".join(f"{name}:{tag}" for name, tag in self.state["tags"].items())

    def look(self) -> None:
        """Read the state as it is now."""
        self.state = self._ask("GET", "state/").json()

    def wait(self) -> None:
        """Read the next state as soon as there is one."""
        answer = self._ask("GET", "state/", params={"version": self.state["version"], "has": self.has})
        if answer.status_code == 200:
            self.state = answer.json()

    def act(self) -> None:
        """Play an action from the middle of those that are legal."""
        actions = self.state["actions"]
        action = actions[len(actions) // 2]["id"]
        body = {"ply": self.state["ply"], "action": action, "key": uuid.uuid4().hex, "has": self.has}
        headers = {"X-CSRFToken": self.state["token"], "Accept": "application/json"}
        self.state = self._ask("POST", "act/", json=body, headers=headers).json()

    def be_ready(self) -> None:
        """Say that the next round may begin."""
        self._ask("POST", "wish/ready/", headers={"X-CSRFToken": self.state["token"], "Accept": "application/json"})

    def _ask(self, method: str, path: str, **further: Any) -> httpx.Response:
        """Ask until it is answered, as the page's script does."""
        while True:
            answer = self.browser.request(method, f"{self.path}{path}", **further)
            if answer.status_code != 503:
                return answer.raise_for_status()
            time.sleep(1.0)


@dataclass(frozen=True)
class Cost:
    """CPU milliseconds of the web processes for a sent action, a whole move and a page; moves measured."""

    game: str
    act: float
    move: float
    page: float
    moves: int

    def __str__(self) -> str:
        return f"{self.game:14}{self.act:10.1f}{self.move:10.1f}{self.page:10.1f}{self.moves:8}"


def sit_down(lab: ServedLab, game: str) -> list[Side]:
    """Two people (and, where the game needs more, the second once more) at a new table that all may look at."""
    from tests.webapp.table.live import tables
    from webapp.table.live.plans import Terms

    first, second = people(("Anna Magdalena", "Bartholomew"))
    num_seats = max(2, registry.get(game).traits.min_seats)
    plans = [tables.person(first), *[tables.person(second)] * (num_seats - 1)]
    match = tables.open_match(first, plans, Terms(visibility="public"), game=game, seed=5, deal_seed=6)
    sides = [Side(lab.client(person), f"/play/{match.code}/", {}) for person in (first, second)]
    for side in sides:
        side.browser.get(side.path).raise_for_status()
        side.look()
    return sides


def play(lab: ServedLab, game: str, moves: int, *, is_watched: bool, left_out: int = 0) -> tuple[float, int]:
    """(CPU seconds, moves): of the actions alone, or with the other's page that waits. left_out: moves before."""
    spent, played = 0.0, 0
    with ThreadPoolExecutor(1) as pool:
        while played < moves:
            sides = sit_down(lab, game)
            while played < moves and sides[0].state["status"] == "running":
                if sides[0].state["pause"]:
                    for side in sides:
                        side.be_ready()
                    for side in sides:
                        side.look()
                mover, other = sides if sides[0].state["your_turn"] else reversed(sides)
                if not mover.state["your_turn"]:
                    mover.look()
                    continue
                waits = pool.submit(other.wait) if is_watched else None
                if is_watched:
                    time.sleep(0.05)
                before = lab.web_cpu_s()
                mover.act()
                if waits is not None:
                    waits.result()
                cost = lab.web_cpu_s() - before
                if not is_watched:
                    other.look()
                spent, played, left_out = (spent, played, left_out - 1) if left_out else (spent + cost, played + 1, 0)
            for side in sides:
                side.browser.close()
    return spent, played


def load(lab: ServedLab, game: str) -> float:
    """CPU seconds of a page of a match in its middle."""
    side = sit_down(lab, game)[0]
    before = lab.web_cpu_s()
    for _ in range(LOADS):
        side.browser.get(side.path).raise_for_status()
    return (lab.web_cpu_s() - before) / LOADS


def wait_for_rest(lab: ServedLab) -> None:
    """Wait until the web processes have loaded what first pages need."""
    lab.wait(lambda: _used_s(lab, REST_S) < AT_REST_S, "the web processes to be at rest")


def _used_s(lab: ServedLab, seconds: float) -> float:
    before = lab.web_cpu_s()
    time.sleep(seconds)
    return lab.web_cpu_s() - before


def measure(lab: ServedLab, game: str, moves: int) -> Cost:
    """The costs of one game."""
    act_s, acts = play(lab, game, moves, is_watched=False, left_out=WARM_UP)
    move_s, played = play(lab, game, moves, is_watched=True)
    return Cost(game, 1000 * act_s / acts, 1000 * move_s / played, 1000 * load(lab, game), played)


def main() -> int:
    """Measure and print; exit 1 where a move costs more than the goal."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--moves", type=int, default=120)
    parser.add_argument("--game", nargs="*", default=registry.ids())
    given = parser.parse_args()
    refuse_windows()
    print(f"{'CPU ms':14}{'action':>10}{'move':>10}{'page':>10}{'moves':>8}", flush=True)
    costs = []
    with ServedLab() as lab:
        wait_for_rest(lab)
        for game in given.game:
            costs.append(measure(lab, game, given.moves))
            print(costs[-1], flush=True)
    slow = [cost.game for cost in costs if cost.move > GOAL_MS]
    if slow:
        print(f"more than {GOAL_MS:g} ms a move: {', '.join(slow)}", file=sys.stderr)
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
