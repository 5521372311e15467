"""What a ply costs beside the engine's own thinking, in process and over HTTP; and what a position's calls take.

    .venv/bin/python -m tests.bench.bench_own [--plies N] [--game GAME ...] [--no-http]

In process: an engine of one's own that takes the first legal action plays the games' quickest policy; the time of a
decision, wall and CPU of both sides, is what it does not think in. Over HTTP: two agents that do the same play each
other on a lab with one web process; a ply is reading the state and sending the action, wall time of the agent and CPU
time of the web process. Calls of a position, in microseconds of CPU time, are those of the middle of a match.
"""

from __future__ import annotations

import argparse
import os
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil

from engines import bench, registry
from engines.own import sources
from engines.own.position import Position, prepare
from engines.own.process import EngineProcess
from engines.protocol import Budget
from games import registry as game_registry
from games import rng
from games.protocol import Game, State

FIRST = '"""Takes the first legal action."""\n\n\nclass Engine:\n    def choose(self, position, budget):\n'
CODE = f"{FIRST}        return int(position.legal()[0])\n"
POSITIONS = 20
CALLS = 300
WARM_UP = 20


def overhead(game: Game, engine_id: str, plies: int) -> tuple[float, float, float]:
    """Median milliseconds of a decision: wall, CPU here, CPU there."""
    engine = registry.make(engine_id, {})
    engine.prepare(game)
    states = [state for state in bench.positions(game, POSITIONS, 1) if len(game.legal_actions(state)) > 1]
    views = [(game.view(state, game.current_player(state)), game.current_player(state)) for state in states]
    wall, here, there = [], [], []
    for number in range(plies + WARM_UP):
        (view, seat), r = views[number % len(views)], rng.new_stream(1, rng.SEARCH, number)
        began, cpu = time.perf_counter(), time.thread_time()
        decision = engine.choose(game, view, seat, Budget(), r)
        if number >= WARM_UP:
            wall.append(1000 * (time.perf_counter() - began))
            here.append(1000 * (time.thread_time() - cpu))
            there.append(1000 * decision.cpu_s)
    return statistics.median(wall), statistics.median(here), statistics.median(there)


def start(game: Game) -> tuple[float, float]:
    """CPU seconds until a process may be asked, and the megabytes that it has then."""
    process = EngineProcess(sources.allowed()["first"])
    process.open(game.id, {})
    used = psutil.Process(process.pid)
    spent, memory = sum(used.cpu_times()[:2]), used.memory_info().rss / 2**20
    process.end()
    return spent, memory


def calls(game: Game) -> dict[str, float]:
    """Microseconds of CPU time of each call, the median over positions."""
    prepare(game)
    found: dict[str, list[float]] = {}
    for state in bench.positions(game, POSITIONS, 1):
        for name, call in _calls_of(game, state).items():
            call()
            began = time.thread_time()
            for _ in range(CALLS):
                call()
            found.setdefault(name, []).append(1e6 * (time.thread_time() - began) / CALLS)
    return {name: statistics.median(times) for name, times in found.items()}


def _calls_of(game: Game, state: State) -> dict[str, Callable[[], Any]]:
    seat, hides = game.current_player(state), game.traits.has_hidden_information
    view = Position(game, game.view(state, seat), seat, 1, is_view=hides)
    world = view.sample()
    action = int(world.legal()[0])

    def make_and_undo() -> None:
        world.apply(action)
        world.undo()

    return {
        "position": lambda: Position(game, view.array, seat, 1, is_view=hides),
        "sample": view.sample,
        "legal": world.legal,
        "apply, undo": make_and_undo,
        "evaluate": world.evaluate,
        "playout, random": lambda: world.playout(0, "random"),
    }


def over_http(lab: Any, secrets: list[str], game: Game, plies: int) -> tuple[float, float]:
    """Median milliseconds of a ply: wall of the agent, CPU of the web process."""
    import httpx

    agents = [
        httpx.Client(base_url=f"{lab.address}/api/v1", headers={"Authorization": f"Bearer {secret}"}, timeout=60)
        for secret in secrets
    ]
    wall, cpu = [], []
    while len(wall) < plies:
        others = ["open"] * (max(2, game.traits.min_seats) - 1)
        code = _answer(agents[0].post("/matches", json={"game": game.id, "seats": ["me", *others]}))["code"]
        for agent in agents[1 : len(others) + 1]:
            _answer(agent.post(f"/matches/{code}/join", json={}))
        while len(wall) < plies and (state := _on_turn(agents, code)) is not None:
            began, used = time.perf_counter(), lab.web_cpu_s()
            agent, seen = state[0], _answer(state[0].get(f"/matches/{code}"))
            sent = {"ply": seen["ply"], "action": seen["actions"][0]["id"]}
            _answer(agent.post(f"/matches/{code}/actions", json=sent))
            wall.append(1000 * (time.perf_counter() - began))
            cpu.append(1000 * (lab.web_cpu_s() - used))
    return statistics.median(wall[WARM_UP:]), statistics.median(cpu[WARM_UP:])


def _answer(response: Any) -> Any:
    response.raise_for_status()
    return response.json() if response.content else None


def _on_turn(agents: list[Any], code: str) -> tuple[Any, Any] | None:
    """The agent on turn with what it sees; None when the match is over."""
    for agent in agents:
        response = agent.get(f"/matches/{code}")
        if response.status_code == 200:
            state = response.json()
            if state["status"] != "running":
                return None
            if state["your_turn"]:
                return agent, state
    return None


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plies", type=int, default=300)
    parser.add_argument("--game", action="append", choices=game_registry.ids())
    parser.add_argument("--no-http", action="store_true")
    given = parser.parse_args()
    games = [game_registry.get(game_id) for game_id in given.game or game_registry.ids()]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "first.py"
        path.write_text(CODE)
        os.environ[sources.VARIABLE] = str(path)
        print(f"{'ms a ply, in process':24}{'wall':>10}{'CPU here':>10}{'CPU there':>10}")
        for game in games:
            print(f"{game.id:24}" + "".join(f"{ms:10.3f}" for ms in overhead(game, "own:first", given.plies)))
        print(f"\n{'a process':24}{'CPU s':>10}{'MB':>10}")
        for game in games:
            print(f"{game.id:24}{start(game)[0]:10.2f}{start(game)[1]:10.0f}")
    names = list(calls(games[0]))
    print(f"\n{'microseconds a call':24}" + "".join(f"{name:>17}" for name in names))
    for game in games:
        print(f"{game.id:24}" + "".join(f"{us:17.1f}" for us in calls(game).values()))
    if not given.no_http:
        _print_http(games, given.plies)


def _print_http(games: list[Game], plies: int) -> None:
    from tests.bench.serving import ServedLab, people, refuse_windows

    refuse_windows()
    with ServedLab() as lab:
        from webapp.people.agents import services as agents
        from webapp.people.agents import tokens

        (owner,) = people(("Anna",))
        secrets = [tokens.issue(agents.create(owner, f"Agent{i}", ""), "own", tokens.SCOPES)[1] for i in range(4)]
        print(f"\n{'ms a ply, over HTTP':24}{'wall':>10}{'CPU web':>10}")
        for game in games:
            print(f"{game.id:24}" + "".join(f"{ms:10.3f}" for ms in over_http(lab, secrets, game, plies)), flush=True)


if __name__ == "__main__":
    main()
