"""What a tuning plays: its candidates, rounds and pieces, and what the rows of pieces say."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from games import rng
from worker import estimate, runner, schedule
from worker import spec as specs
from worker.analysis import halving
from worker.analysis.intervals import CONFIDENCE
from worker.analysis.methods import FIXED
from worker.analysis.moments import BlockMoments, Moments
from worker.records import MatchRecord
from worker.spec import ArmSpec, ExperimentSpec, SeatSpec, SpecError
from worker.studies import tuned_values
from worker.studies.protocol import StudySpec

MARGIN, WIN = "margin", "win"
OUTCOMES = (MARGIN, WIN)
TRIES = 50
"""Points that are drawn for each candidate at most: whole numbers repeat, and an engine may refuse some values."""
PIECE_S, MAX_BLOCK = 2.0, 100
"""Seconds that a piece is to take, and deals that it has at most."""

Rows = Mapping[int, Mapping[str, Any]]


class Block(NamedTuple):
    """What a piece plays. stage: number of the round, or of the confirmation; slot: which of those that play."""

    stage: int
    slot: int
    first: int
    deals: int


class Candidate(NamedTuple):
    """Values of the tuned options, in their order, and the engine with them."""

    values: tuple[float | int, ...]
    seat: SeatSpec


class Plan:
    """The plan of a study. Raises SpecError where no two candidates differ.

    rounds: sizes and deals; the confirmation is the stage after the last of them, in which the winner has the first
    slot and the start the second. Deals of all stages are different ones.
    """

    def __init__(self, study: StudySpec) -> None:
        asked = study.parameters
        self.places: list[int] = asked["places"]
        self.outcome_name = str(asked["outcome"])
        seats = [specs.seat_from_json(row, ("seats", i), study.game) for i, row in enumerate(asked["seats"])]
        start = seats[self.places[0]]
        self.values = tuned_values.read(asked["values"], ("values",), start.engine)
        self.candidates = list(self._candidates(study, start, asked["candidates"]))
        if len(self.candidates) < 2:
            raise SpecError(("values",), "leave no two combinations that the engine takes")
        self.rounds = halving.rounds(len(self.candidates), asked["deals"])
        arms = tuple(
            ArmSpec(str(i), tuple(row.seat if k in self.places else seat for k, seat in enumerate(seats)))
            for i, row in enumerate(self.candidates)
        )
        self.deals = [*(row.deals for row in self.rounds), int(asked["confirm"])]
        self.experiment = ExperimentSpec(
            game=study.game,
            options=asked["options"],
            seats=len(seats),
            arms=arms,
            deals=sum(self.deals),
            seed=study.seed,
            record="matches",
        )
        seatings = self.experiment.num_seatings(1)
        self.deal_s = seatings * max(estimate.estimate(self.experiment, 1).seconds_per_match)
        self.blocks = list(self._blocks())

    def _candidates(self, study: StudySpec, start: SeatSpec, number: int) -> Iterator[Candidate]:
        """The start, then points that fill the space evenly, without repeats and what the engine refuses."""
        known = tuple(start.options[value.name] for value in self.values)
        yield Candidate(known, start)
        found, stream = {known}, rng.new_stream(study.seed, rng.ANALYSIS)
        shift = np.array([rng.uniform(stream) for _ in self.values])
        for index in range(1, TRIES * number):
            if len(found) == number:
                return
            shares = halving.points(index, len(self.values), shift)
            values = tuple(value.at(float(share)) for value, share in zip(self.values, shares, strict=True))
            if values in found:
                continue
            names = [value.name for value in self.values]
            row = {**specs.seat_to_json(start), "options": {**start.options, **dict(zip(names, values, strict=True))}}
            try:
                seat = specs.seat_from_json(row, ("seats", self.places[0]), study.game)
            except SpecError:
                continue
            found.add(values)
            yield Candidate(values, seat)

    def _blocks(self) -> Iterator[Block]:
        size = min(MAX_BLOCK, max(1, int(PIECE_S / self.deal_s)))
        first = 0
        for stage, deals in enumerate(self.deals):
            slots = self.rounds[stage].candidates if stage < len(self.rounds) else 2
            for begin in range(first, first + deals, size):
                for slot in range(slots):
                    yield Block(stage, slot, begin, min(size, first + deals - begin))
            first += deals

    def stages(self) -> tuple[int, ...]:
        """Number of pieces of each stage."""
        return tuple(sum(block.stage == stage for block in self.blocks) for stage in range(len(self.deals)))

    # ---- playing

    def play(self, index: int, rows: Rows) -> dict[str, Any]:
        """The row of a piece; rows: of all stages before. Deals of which a match failed have no outcome (None)."""
        block = self.blocks[index]
        playing = self.playing(rows, block.stage)
        candidate = playing[block.slot] if playing else 0
        deals = range(block.first, block.first + block.deals) if playing else range(0)
        outcomes = [self._deal(candidate, deal) for deal in deals]
        return {
            "stage": block.stage,
            "candidate": candidate,
            "first": block.first,
            "deals": len(outcomes),
            **{name: [row and row[i] for row in outcomes] for i, name in enumerate(OUTCOMES)},
        }

    def _deal(self, candidate: int, deal: int) -> tuple[float, float] | None:
        """Mean margin, and part of the matches won, of a candidate on one deal in all its seatings."""
        size = self.experiment.num_seatings(candidate)
        matches = list(map(runner.play_match, schedule.match_specs(self.experiment, candidate, deal * size, size)))
        if any(match.failure is not None for match in matches):
            return None
        found = [(match.margin(seat), match.results[seat] == "win") for match, seat in self._own(candidate, matches)]
        margin, won = np.array(found, dtype=np.float64).mean(axis=0)
        return float(margin), float(won)

    def _own(self, candidate: int, matches: Sequence[MatchRecord]) -> Iterator[tuple[MatchRecord, int]]:
        """Matches and seats of what is judged: the tuned places, and opponents that are the same."""
        entries = self.experiment.arms[candidate].seats
        own = [k for k, entry in enumerate(entries) if entry == entries[self.places[0]]]
        return ((match, match.lineup.index(place)) for match in matches for place in own)

    def _rows_a_deal(self, candidate: int) -> int:
        entries = self.experiment.arms[candidate].seats
        return self.experiment.num_seatings(candidate) * entries.count(entries[self.places[0]])

    # ---- reading

    def playing(self, rows: Rows, stage: int) -> tuple[int, ...]:
        """Candidates that play in a stage; of the confirmation the winner and the start, none where they are one."""
        left = tuple(range(len(self.candidates)))
        for over in range(min(stage, len(self.rounds))):
            means = [Moments.of(self.found(rows, number, over)).mean for number in left]
            left = halving.better_half(left, means)
        if stage < len(self.rounds):
            return left
        return (left[0], 0) if left[0] else ()

    def found(self, rows: Rows, candidate: int, last: int, first: int = 0, name: str = "") -> list[float]:
        """Outcomes of a candidate by deal, from the stage `first` to the stage `last`."""
        return [value for _, value in sorted(self._by_deal(rows, candidate, first, last, name).items())]

    def _by_deal(self, rows: Rows, candidate: int, first: int, last: int, name: str) -> dict[int, float]:
        return {
            row["first"] + i: value
            for row in rows.values()
            if row["candidate"] == candidate and first <= row["stage"] <= last
            for i, value in enumerate(row[name or self.outcome_name])
            if value is not None
        }

    def reached(self, rows: Rows) -> int:
        """The stage that is being played; one more than the last where all is done."""
        done = [0] * len(self.deals)
        for index in rows:
            done[self.blocks[index].stage] += 1
        begun = max((stage for stage, number in enumerate(done) if number), default=0)
        return begun + (done[begun] == self.stages()[begun])

    def describe(self, rows: Rows, number: int) -> dict[str, Any]:
        """What was tried of a candidate in the search, and what it showed there; means: after each of its rounds."""
        last = len(self.rounds) - 1
        played = sorted({row["stage"] for row in rows.values() if row["candidate"] == number and row["stage"] <= last})
        values = {name: np.array(self.found(rows, number, last, name=name)) for name in OUTCOMES}
        return {
            "number": number,
            "values": dict(zip([value.name for value in self.values], self.candidates[number].values, strict=True)),
            "rounds": len(played),
            "deals": len(values[MARGIN]),
            "means": [Moments.of(self.found(rows, number, stage)).mean for stage in played],
            **{
                name: {"mean": Moments.of(found).mean, "interval": self._interval(name, found, number)}
                for name, found in values.items()
            },
        }

    def confirmation(self, rows: Rows, tuned: int) -> dict[str, Any] | None:
        """The winner less the start on the fresh deals; None until all of them are played."""
        stage = len(self.rounds)
        if self.reached(rows) <= stage:
            return None
        answers: dict[str, Any] = {}
        for name in OUTCOMES:
            ours, theirs = (self._by_deal(rows, number, stage, stage, name) for number in (tuned, 0))
            deals = sorted(ours.keys() & theirs.keys())
            one, two = np.array([[ours[deal] for deal in deals], [theirs[deal] for deal in deals]])
            sums = (Moments.of(one - two), Moments.of(one), Moments.of(two))
            left_out = len(ours.keys() | theirs.keys()) - len(deals)
            if name == WIN:
                sizes = (float(self._rows_a_deal(tuned)), float(self._rows_a_deal(0)))
                difference = FIXED.paired_rates(sums, sizes, left_out, CONFIDENCE)
            else:
                difference = FIXED.paired(sums, left_out, CONFIDENCE)
            ends = {"tuned_interval": self._interval(name, one, tuned), "start_interval": self._interval(name, two, 0)}
            means = {"tuned": sums[1].mean, "start": sums[2].mean}
            answers[name] = {**dataclasses.asdict(difference), **means, **ends}
        return answers

    def _interval(self, name: str, values: NDArray[np.float64], candidate: int) -> list[float] | None:
        """Interval of a candidate's own margin, or rate of wins, from its means by deal."""
        size = self._rows_a_deal(candidate)
        blocks = BlockMoments.of([Moments(size, float(value) * size) for value in values])
        interval = FIXED.rate(blocks) if name == WIN else FIXED.mean(blocks)
        return None if interval is None else list(interval)


def plan_of(study: StudySpec) -> Plan:
    """The plan of a study, made once a process."""
    return _plan(study.study, study.game, json.dumps(study.parameters, sort_keys=True), study.seed)


@lru_cache(maxsize=16)
def _plan(kind: str, game: str, parameters: str, seed: int) -> Plan:
    return Plan(StudySpec(kind, game, json.loads(parameters), seed))
