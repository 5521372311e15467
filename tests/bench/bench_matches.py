"""What matches between policies cost on their whole way: ply by ply and whole, in turn, in one run.

    .venv/bin/python -m tests.bench.bench_matches [--game ID] [--seconds S] [--headless]

Matches a CPU second of one line-up a game: played alone; played, claimed and recorded in Postgres with every ply, and
with results alone, where the CPU of all processes of Postgres counts, too; and with --headless as `python -m worker
run --out` plays them, in one process and in two, by the wall and by the CPU of all processes. Uses an embedded
Postgres of its own with its durable settings (DATABASE_URL: that one, whose CPU does not count then).
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import psutil

from games import garbage, registry
from tests.bench.bench_recording import database
from worker import schedule
from worker import spec as specs
from worker.records import MatchRecord
from worker.runner import play_match
from worker.whole_matches import players

LINEUPS = {
    "carcassonne": ("random", 2),
    "kingdomino": ("fg_plain", 4),
    "dominion": ("big_money", 2),
    "dominoes": ("greedy", 4),
}
"""Policy in every seat, and seats."""
CHUNK = 1_000_000
ROUNDS = 3
Play = Callable[[specs.MatchSpec], MatchRecord]
WAYS: dict[str, Play] = {"ply by ply": partial(play_match, is_by_ply=True), "whole": play_match}


class Row(NamedTuple):
    """A line of the table: matches a CPU second of each way."""

    game: str
    what: str
    by_ply: float
    whole: float

    def __str__(self) -> str:
        return (
            f"  {self.game:12}{self.what:26}{self.by_ply:>12,.0f}{self.whole:>12,.0f}{self.whole / self.by_ply:>9.2f}"
        )


HEAD = f"  {'':12}{'matches a CPU second':26}{'ply by ply':>12}{'whole':>12}{'ratio':>9}"


def spec_of(game_id: str, record: str, deals: int = CHUNK) -> dict[str, Any]:
    """An experiment of one line-up."""
    policy, seats = LINEUPS[game_id]
    seat = {"engine": "scripted", "options": {"policy": policy}, "budget": {}}
    arm = {"name": policy, "seats": [seat] * seats}
    return {"version": 1, "game": game_id, "seats": seats, "arms": [arm], "deals": deals, "seed": 7, "record": record}


def cpu_s() -> float:
    """CPU seconds of this process and of all that it has started: of those that run by their own clocks, and of those
    that have ended, as Postgres' helpers do now and then, as who waited for them counted them.
    """
    below = psutil.Process().children(recursive=True)
    total = time.process_time()
    for process in below:
        with contextlib.suppress(OSError, psutil.NoSuchProcess):
            ended = process.cpu_times()
            total += time.clock_gettime(~process.pid << 3 | 2) + ended.children_user + ended.children_system
    return total


def best(measure: Callable[[Play], float]) -> tuple[float, float]:
    """The best of some rounds of each way, in turn."""
    found = dict.fromkeys(WAYS, 0.0)
    for _ in range(ROUNDS):
        for name, play in WAYS.items():
            found[name] = max(found[name], measure(play))
    return found["ply by ply"], found["whole"]


def alone(game_id: str, seconds: float) -> Row:
    """Matches that nobody keeps."""
    spec, first = specs.from_json(spec_of(game_id, "standard")), 0

    def measure(play: Play) -> float:
        nonlocal first
        began, done = time.process_time(), 0
        for match in schedule.match_specs(spec, 0, first, CHUNK - first):
            play(match)
            done += 1
            if (spent := time.process_time() - began) >= seconds:
                break
        first += done
        return done / spent

    return Row(game_id, "played", *best(measure))


def recorded(game_id: str, record: str, seconds: float) -> Row:
    """Matches of a claimed chunk, written to Postgres as a worker writes them."""
    from tests.records.experiments import make_experiment
    from webapp.records import work_source
    from webapp.records.models import Chunk
    from worker.play import play_chunk
    from worker.stop_switch import StopSwitch

    def measure(play: Play) -> float:
        experiment = make_experiment(spec=spec_of(game_id, record), game=game_id, num_matches=CHUNK)
        work_source.open_chunks(experiment, [(0, 0, CHUNK)])
        stop, done = StopSwitch(), 0

        def play_until_time(match: specs.MatchSpec) -> MatchRecord:
            nonlocal done
            done += 1
            stop.is_asked = time.process_time() - own >= seconds
            return play(match)

        source = work_source.PostgresWorkSource()
        with source.claim() as chunk:
            assert chunk is not None
            before, own = cpu_s(), time.process_time()
            play_chunk(chunk, stop, play_until_time)
            spent = cpu_s() - before
        source.close()
        Chunk.objects.filter(experiment=experiment).delete()  # what is left of it is not the next round's
        return done / spent

    return Row(game_id, f"recorded, {record}", *best(measure))


def headless(game_id: str, deals: int) -> Iterator[str]:
    """``worker run`` with one process and with two, in words."""
    for processes, (wall, cpu) in headless_rates(spec_of(game_id, "standard", deals)).items():
        yield f"  {game_id:12}headless, processes: {processes}  {wall:,.0f}/s, {cpu:,.0f} a CPU second"


def headless_rates(experiment: dict[str, Any]) -> dict[int, tuple[float, float]]:
    """Matches a second of the wall, and a CPU second, by the number of processes."""
    from worker import __main__ as command

    matches = specs.from_json(experiment).num_matches
    rates: dict[int, tuple[float, float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        given = Path(folder) / "spec.json"
        given.write_text(json.dumps(experiment))
        for _ in range(ROUNDS):
            for processes in (1, 2):
                arguments = ["run", str(given), "--out", f"{folder}/out", "--processes", str(processes)]
                before, began = _own_and_ended(), time.perf_counter()
                with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
                    assert command.main(arguments) == 0
                found = matches / (time.perf_counter() - began), matches / (_own_and_ended() - before)
                rates[processes] = max(rates.get(processes, found), found, key=lambda rate: rate[1])
    return rates


def _own_and_ended() -> float:
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + ended.ru_utime + ended.ru_stime


def load(game_id: str) -> None:
    """Have all kernels of a game's line-up compiled, so that no round compiles any; collect as seldom as a worker."""
    garbage.collect_seldom()
    policy, seats = LINEUPS[game_id]
    players.WORTH_S = 0.0
    play_match(next(schedule.match_specs(specs.from_json(spec_of(game_id, "standard")), 0, 0, 1)))
    assert players.player_for(registry.get(game_id), (policy,) * seats)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", choices=LINEUPS, nargs="+", default=list(LINEUPS))
    parser.add_argument("--seconds", type=float, default=2.0, help="CPU seconds of a round")
    parser.add_argument("--headless", action="store_true", help="also by `python -m worker run`")
    parser.add_argument("--deals", type=int, default=2_000, help="of a headless run")
    given = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "webapp.settings")
    for game_id in given.game:
        load(game_id)
    with database():
        import django

        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0, skip_checks=True)
        print(HEAD)
        for game_id in given.game:
            print(alone(game_id, given.seconds), flush=True)
            for record in ("standard", "matches"):
                print(recorded(game_id, record, given.seconds), flush=True)
    for game_id in given.game if given.headless else ():
        for line in headless(game_id, given.deals):
            print(line, flush=True)


if __name__ == "__main__":
    sys.exit(main())
