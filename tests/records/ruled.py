"""Experiments under a stop rule with made-up matches, and workers that play, pause and die at will: for tests."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import psycopg

from games import registry as game_registry
from tests.records.experiments import make_experiment
from tests.records.queues import end
from webapp.records import chunks, recovery, turns, work_source
from webapp.records.chunks import PostgresChunk
from webapp.records.claimed_task import Worker
from webapp.records.models import Experiment
from worker import spec as specs
from worker.recorder import BATCH
from worker.records import Failure, MatchRecord
from worker.runner import results
from worker.spec import ExperimentSpec, MatchSpec

RANDOM: dict[str, Any] = {"engine": "random"}
SCRIPTED: dict[str, Any] = {"engine": "scripted"}
FLAT: list[dict[str, Any]] = [{"engine": "flat_mc", "budget": {"playouts": n}} for n in (10, 20, 30)]
ARMS = [[SCRIPTED, RANDOM], [FLAT[0], RANDOM], [FLAT[1], RANDOM]]

PRECISE = {"rule": "precision", "on": "margin", "half_width": 2.0}
SPRT = {"rule": "sprt", "on": "win_rate", "h0": 0, "h1": 20}
BEST_OF = {"rule": "best_of", "on": "margin"}


def spec_of(
    stop: dict[str, Any], arms: int | Sequence[list[dict[str, Any]]], deals: int = 60, **changes: Any
) -> ExperimentSpec:
    """A checked spec; arms: how many of `ARMS`, or line-ups of one's own."""
    chosen = ARMS[:arms] if isinstance(arms, int) else arms
    rows = [{"name": f"Arm {i}", "seats": seats} for i, seats in enumerate(chosen)]
    whole = {"version": 1, "game": "carcassonne", "seats": len(chosen[0]), "arms": rows, "deals": deals, "seed": 7}
    return specs.from_json(whole | {"stop": stop} | changes)


def experiment(spec: ExperimentSpec, deals_a_chunk: int = 4, **fields: Any) -> Experiment:
    """The experiment in the database, its chunks waiting."""
    made = make_experiment(spec=specs.to_json(spec), game=spec.game, num_matches=spec.num_matches, **fields)
    work_source.open_chunks(made, cut(spec, deals_a_chunk))
    return made


def cut(spec: ExperimentSpec, deals: int) -> Iterator[tuple[int, int, int]]:
    """Chunks (arm, first, size) of so many deals."""
    for arm in range(len(spec.arms)):
        size, whole = deals * spec.num_seatings(arm), spec.arm_matches(arm)
        yield from ((arm, first, min(size, whole - first)) for first in range(0, whole, size))


def record(spec: ExperimentSpec, match: MatchSpec, levels: Sequence[int] = ()) -> MatchRecord:
    """The match, always the same; levels: points that the first place of each arm has before it begins."""
    dice = random.Random(f"{match.arm} {match.deal} {match.rotation}")
    points = [dice.randrange(10) + dice.randrange(10) for _ in match.lineup]
    points[0] += levels[match.arm] if levels else 0
    if has_teams := game_registry.get(spec.game).traits.has_teams:
        points = [points[place % 2] for place in range(len(points))]
    scores = tuple(points[place] for place in match.lineup)
    ranks = tuple(1 + sum(other > own for other in scores) for own in scores)
    return MatchRecord(
        arm=match.arm,
        deal=match.deal,
        rotation=match.rotation,
        seed=match.seed,
        deal_seed=match.deal_seed,
        lineup=match.lineup,
        status="finished",
        scores=scores,
        ranks=ranks,
        results=results(ranks, has_teams),
        metrics=tuple({} for _ in scores),
        num_plies=2,
        digest=dice.getrandbits(62),
        versions={spec.game: "1", "random": "1"},
    )


def failed(spec: ExperimentSpec, match: MatchSpec) -> MatchRecord:
    """The match, failed."""
    place = (match.arm, match.deal, match.rotation, match.seed, match.deal_seed, match.lineup)
    failure = Failure(0, "exception", "no idea")
    return MatchRecord(*place, status="failed", failure=failure, versions={spec.game: "1"})


Play = Callable[[MatchSpec], MatchRecord]


class Player:
    """A worker with a connection of its own, which does one thing after another when it is told to."""

    def __init__(self, name: str, play: Play) -> None:
        self.name = name
        self.play = play
        self.source = work_source.PostgresWorkSource()
        self.chunk: PostgresChunk | None = None
        self._matches: Iterator[MatchSpec] = iter(())

    @property
    def connection(self) -> psycopg.Connection[Any]:
        """The one that holds its claim."""
        return self.source._connection()

    def take(self) -> bool:
        """Claim the next chunk; whether there was one."""
        connection = self.connection
        found = turns.take(Worker(self.name, connection, lambda: connection), BATCH, work_source.SOURCES)
        assert found is None or isinstance(found, PostgresChunk)
        self.chunk = found
        self._matches = iter(()) if found is None else found.matches()
        return found is not None

    def write(self, matches: int) -> None:
        """Play up to so many matches of the chunk and write them at once; with its last one it is over."""
        assert self.chunk is not None
        played = []
        while len(played) < matches:
            self.chunk._asked_at -= chunks.STATUS_S  # so that it looks up whether more are wanted
            match = next(self._matches, None)
            if match is None:
                break
            played.append(self.play(match))
        self.chunk.write(played)
        if len(played) < matches or self.chunk.written == self.chunk.claim.size:
            self.leave()

    def leave(self) -> None:
        """End the chunk, or give it back."""
        assert self.chunk is not None
        self.chunk.finish()
        self.chunk.give_back(self.connection)
        self.chunk.queue.release(self.connection, self.chunk.claim)
        self.chunk = None

    def die(self) -> None:
        """End without a word; the sweeper finds what is left, and another worker takes the place."""
        end(self.connection)
        self.source.close()
        self.chunk = None
        recovery.recover(chunks.CHUNKS)


def play_all(play: Play, rng: random.Random, workers: int = 1, most: int = 8, deaths: int = 0) -> None:
    """Let workers take turns by chance until nothing waits. most: matches at once; deaths: how often one dies."""
    players = [Player(f"worker {i}", play) for i in range(workers)]
    try:
        while True:
            player = rng.choice(players)
            if player.chunk is None and not player.take():
                if all(other.chunk is None for other in players):
                    return
            elif player.chunk is not None:
                player.write(rng.randint(1, most))
                if deaths and player.chunk is not None and rng.random() < 0.2:
                    deaths -= 1
                    player.die()
    finally:
        for player in players:
            player.source.close()
