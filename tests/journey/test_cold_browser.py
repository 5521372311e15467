"""A fresh clone's first minute: nobody waits for a compiler, in any game."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil
import pytest

from games import registry
from tests.crash.lab import Lab
from tests.journey import table
from tests.journey.conftest import address

pytestmark = [pytest.mark.browser, pytest.mark.slow]

FIRST_MOVE_S, ANSWER_S = 15.0, 5.0
"""From the first page to a first move against Easy, and from that to the answer, on two cores with nothing else."""
MOST_MS = 180_000
MOST_MOVES, LOOK_MS = 12, 50


@dataclass
class Watch:
    """Seconds of the wall, and of processors that all of a lab's processes used, since its making."""

    lab: Lab
    began: float = field(default_factory=time.monotonic)
    cpu_began: float = 0.0

    def __post_init__(self) -> None:
        self.cpu_began = self._cpu_s()

    def _cpu_s(self) -> float:
        supervisor = psutil.Process(self.lab.processes["supervisor"].pid)
        found = 0.0
        for process in [supervisor, *supervisor.children(recursive=True)]:
            try:
                found += sum(process.cpu_times()[:2])
            except psutil.Error:
                continue
        return found

    def read(self) -> tuple[float, float]:
        """(wall, processor)."""
        return time.monotonic() - self.began, self._cpu_s() - self.cpu_began


def answer_after(page: Any, lab: Lab, before: int, confirm: Any | None) -> tuple[float, float]:
    """Seconds from the last move of a turn, which may have several, to the engine's first: (wall, processor).

    before: moves before the one that is chosen; confirm: what plays it, None where the last click did.
    """
    for _ in range(MOST_MOVES):
        watch = Watch(lab)
        if confirm is not None:
            confirm.click()
        table.wait_for_moves(page, before + 1)
        if table.moves(page) > before + 1:
            return watch.read()
        page.wait_for_timeout(LOOK_MS)  # whose turn it is stands there with the move
        if page.locator(".turn[data-mine]").count() == 0 or table.moves(page) > before + 1:
            table.wait_for_moves(page, before + 2)
            return watch.read()
        before = table.moves(page)
        confirm = table.choose(page)
    raise AssertionError(f"no turn has more than {MOST_MOVES} moves")


@pytest.mark.parametrize("game_id", registry.ids())
def test_the_first_move_against_easy_waits_for_no_compiler(
    page: Any, game_id: str, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    """On a machine that has compiled nothing; where others hold it, limits are longer by as much as they take."""
    page.set_default_timeout(MOST_MS)
    with Lab() as lab:
        lab.environment["LAB_KERNELS"] = str(tmp_path / "kernels")
        lab.start_supervisor(workers=1)
        said = lab.folder.root / "supervisor.log"
        lab.wait(lambda: "[web] http" in said.read_text(), "the pages", 300)
        since_page = Watch(lab)
        table.play_now(page, address(lab), "easy", registry.get(game_id).label)
        table.wait_for_turn(page)
        before = table.moves(page)
        confirm = table.choose(page)
        moved_s, moved_cpu_s = since_page.read()
        answered_s, answered_cpu_s = answer_after(page, lab, before, confirm)
    load = max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))
    for name, value in (
        ("first move, wall s", moved_s),
        ("first move, CPU s", moved_cpu_s),
        ("answer, wall s", answered_s),
        ("answer, CPU s", answered_cpu_s),
        ("load of a core", load),
    ):
        record_property(f"{game_id}: {name}", round(value, 1))
        print(f"{game_id}: {name} {value:.1f}")
    assert moved_s < FIRST_MOVE_S * load
    assert answered_s < ANSWER_S * load
