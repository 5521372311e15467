from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from engines import registry as engine_registry
from games.compile_locks import BusyError
from tests.records import samples
from worker import play, schedule, stop_switch
from worker.play import play_chunk
from worker.records import MatchRecord
from worker.runner import play_match
from worker.spec import MatchSpec, from_json
from worker.stop_switch import StopSwitch


def spec(ordinal: int) -> MatchSpec:
    return MatchSpec("toy", {}, (), (0, 1), 0, ordinal // 2, ordinal % 2, ordinal, ordinal // 2)


class ListedChunk:
    """A chunk whose matches and writes are lists."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.batches: list[list[int]] = []
        self.is_finished = False
        self.is_paused = False

    def is_wanted(self) -> bool:
        return not self.is_paused

    def matches(self) -> Iterator[MatchSpec]:
        return map(spec, range(self.size))

    def write(self, records: Sequence[MatchRecord]) -> None:
        self.batches.append([record.deal * 2 + record.rotation for record in records])

    def finish(self) -> None:
        self.is_finished = True

    @property
    def written(self) -> list[int]:
        return [ordinal for batch in self.batches for ordinal in batch]


def played(match: MatchSpec) -> MatchRecord:
    return samples.match(match.deal * 2 + match.rotation, num_plies=0)


def test_all_matches_are_written_in_order_and_the_chunk_is_finished() -> None:
    chunk = ListedChunk(5)
    play_chunk(chunk, StopSwitch(), played)
    assert chunk.written == [0, 1, 2, 3, 4]
    assert chunk.is_finished


def test_no_batch_is_larger_than_what_may_be_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play, "MAX_UNWRITTEN", 3)
    chunk = ListedChunk(7)
    play_chunk(chunk, StopSwitch(), played)
    assert [len(batch) for batch in chunk.batches] == [3, 3, 1]


def test_slow_matches_are_written_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play, "WRITE_S", 0.0)
    chunk = ListedChunk(3)
    play_chunk(chunk, StopSwitch(), played)
    assert [len(batch) for batch in chunk.batches[:3]] == [1, 1, 1]


def test_a_stop_before_a_match_keeps_what_was_played() -> None:
    stop, chunk = StopSwitch(), ListedChunk(5)

    def play_and_ask(match: MatchSpec) -> MatchRecord:
        record = played(match)
        if match.seed == 1:
            stop.is_asked = True
        return record

    play_chunk(chunk, stop, play_and_ask)
    assert chunk.written == [0, 1]


def test_a_signal_ends_the_match_being_played() -> None:
    stop, chunk = StopSwitch(), ListedChunk(5)
    before = signal.signal(signal.SIGUSR2, stop.ask)

    def play_for_ever(match: MatchSpec) -> MatchRecord:
        if match.seed < 2:
            return played(match)
        os.kill(os.getpid(), signal.SIGUSR2)
        for _ in range(10**9):
            pass
        pytest.fail("the signal came to nothing")

    try:
        play_chunk(chunk, stop, play_for_ever)
    finally:
        signal.signal(signal.SIGUSR2, before)
    assert chunk.written == [0, 1]


def test_a_pause_ends_the_match_being_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stop_switch, "AGAIN_S", 0.01)
    chunk = ListedChunk(5)

    def play_for_ever(match: MatchSpec) -> MatchRecord:
        if match.seed < 2:
            return played(match)
        chunk.is_paused = True
        for _ in range(10**9):
            pass
        pytest.fail("the pause came to nothing")

    play_chunk(chunk, StopSwitch(), play_for_ever)
    assert chunk.written == [0, 1]


def test_what_was_played_is_written_where_another_process_compiles_for_the_next(tmp_path: Path) -> None:
    chunk = ListedChunk(5)

    def play_until_cold(match: MatchSpec) -> MatchRecord:
        if match.seed < 2:
            return played(match)
        raise BusyError(tmp_path / "toy_uct_j0_jit-1")

    with pytest.raises(BusyError, match="toy_uct_j0_jit-1 is being compiled"):
        play_chunk(chunk, StopSwitch(), play_until_cold)
    assert (chunk.written, chunk.is_finished) == ([0, 1], False)


def test_no_engine_is_blamed_where_another_process_compiles(
    tmp_path: Path, dice: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither before the match nor in the middle of it."""
    match = next(schedule.match_specs(from_json(dice()), 0, 0, 1))
    engine = engine_registry.get(match.seats[0].engine)
    for method in ("prepare", "choose"):
        with monkeypatch.context() as patch:

            def be_cold(*_: object) -> None:
                raise BusyError(tmp_path)

            patch.setattr(engine, method, be_cold)
            with pytest.raises(BusyError):
                play_match(match)
    assert play_match(match).status == "finished"
