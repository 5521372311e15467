"""Files of engines that tests write, and matches that these play."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent, indent
from typing import Any

from worker import schedule
from worker import spec as specs
from worker.records import MatchRecord
from worker.runner import play_match
from worker.spec import MatchSpec

GREEDY: dict[str, dict[str, Any]] = {
    "carcassonne": {"engine": "scripted", "options": {"policy": "informed"}},
    "kingdomino": {"engine": "scripted", "options": {"policy": "gprd_plain"}},
    "dominion": {"engine": "scripted", "options": {"policy": "big_money"}},
    "dominoes": {"engine": "scripted", "options": {"policy": "greedy"}},
}


def write(folder: Path, name: str, body: str, head: str = "") -> Path:
    """A file whose engine decides by `body`; head: what stands before its class."""
    path = folder / f"{name}.py"
    choose = indent(dedent(body).strip(), " " * 8)
    path.write_text(f"{dedent(head)}\n\nclass Engine:\n    def choose(self, position, budget):\n{choose}\n")
    return path


def matches(game_id: str, engine_id: str, deals: int = 1, **seat: Any) -> list[MatchSpec]:
    """Matches of an engine against a policy, in all seatings."""
    seats = 4 if game_id == "dominoes" else 2
    line = [{"engine": engine_id, **seat}, GREEDY[game_id]] * (seats // 2)
    data = {"version": 1, "game": game_id, "seats": seats, "deals": deals, "seed": 3}
    spec = specs.from_json({**data, "arms": [{"name": "own", "seats": line}]})
    return [match for chunk in schedule.chunks(spec, [1.0]) for match in schedule.match_specs(spec, *chunk)]


def play(game_id: str, engine_id: str, deals: int = 1, **seat: Any) -> list[MatchRecord]:
    """Play them."""
    return [play_match(match) for match in matches(game_id, engine_id, deals, **seat)]
