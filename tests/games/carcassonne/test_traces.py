"""The reference agrees with matches recorded by independent implementations of the rules."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.games.carcassonne import reference

FILES = sorted((Path(__file__).parent / "traces").glob("*.jsonl.gz"))
EVENT_FIELDS = ("kind", "points", "winners", "tiles")


def matches(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt") as lines:
        for line in lines:
            yield json.loads(line)


def as_entry(scored: reference.Scored, *, returned: bool) -> dict[str, Any]:
    entry = {
        "kind": scored.kind,
        "points": scored.points,
        "winners": scored.winners,
        "tiles": [list(place) for place in scored.tiles],
    }
    return entry | {"returned": list(scored.owners)} if returned else entry


def replayed_ply(match: reference.Match, ply: dict[str, Any]) -> dict[str, Any]:
    """Play one ply of a trace; what the reference finds for each field of it."""
    player, fits = match.turn, [match.draw(letter) for letter in [*ply["vain"], ply["tile"]]]
    assert fits == [False] * len(ply["vain"]) + [True]
    vain, moves = list(match.vain), match.legal_moves()
    match.play((ply["x"], ply["y"], ply["rot"], ply["meeple"]))
    return {
        "player": player,
        "vain": vain,
        "n_place": len({move[:3] for move in moves}),
        "n_legal": len(moves),
        "legal_hash": reference.moves_hash(moves),
        "events": [as_entry(event, returned=True) for event in match.events],
        "scores": list(match.points),
        "in_hand": list(match.in_hand),
        "projected": match.projected(),
    }


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name.split(".")[0])
def test_reference_replays_trace(path: Path) -> None:
    for trace in matches(path):
        match = reference.Match(trace["players"], reference.Rules(**trace["rules"]))
        for number, ply in enumerate(trace["plies"]):
            found = replayed_ply(match, ply)
            assert found == {name: ply[name] for name in found}, f"seed {trace['seed']}, ply {number}"
        assert not match.can_go_on()
        final = {
            "breakdown": [as_entry(entry, returned=False) for entry in match.end()],
            "scores": match.points,
            "left": match.left,
            "discarded": match.discarded,
        }
        assert final == trace["final"], f"seed {trace['seed']}"
