"""Partners as one side of a game of teams: places of like parity play together (`games.protocol.Traits`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from games.protocol import NUM_TEAMS

TIMES = "\N{MULTIPLICATION SIGN}"


class Group(NamedTuple):
    """Places of a line-up under one name."""

    places: tuple[int, ...]
    name: str


def team_of(place: int) -> int:
    """The team of a place, and of a seat: rotations keep partners together."""
    return place % NUM_TEAMS


def count_names(names: Iterable[str]) -> str:
    """Each name once, in the order given: two of Random, or "greedy + Random"."""
    return " + ".join(f"{n} {TIMES} {name}" if n > 1 else name for name, n in Counter(names).items())


def teams(names: Sequence[str]) -> list[Group]:
    """Both teams by what plays in them; names: of every place, equal ones for equal engines."""
    places = [tuple(range(team, len(names), NUM_TEAMS)) for team in range(NUM_TEAMS)]
    members = [[names[place] for place in row] for row in places]
    called = [count_names(row) for row in members]
    if Counter(members[0]) == Counter(members[1]):
        called = [f"{called[0]}, team {team + 1}" for team in range(NUM_TEAMS)]
    return [Group(*pair) for pair in zip(places, called, strict=True)]


def players(names: Sequence[str]) -> list[Group]:
    """What plays alike in a team: partners of one name, or a place by itself."""
    found = [
        Group(places, count_names(names[place] for place in places))
        for team in range(NUM_TEAMS)
        for name in dict.fromkeys(names[team::NUM_TEAMS])
        for places in [tuple(p for p in range(team, len(names), NUM_TEAMS) if names[p] == name)]
    ]
    repeated = Counter(group.name for group in found)
    return [
        group._replace(name=f"{group.name}, team {team_of(group.places[0]) + 1}") if repeated[group.name] > 1 else group
        for group in found
    ]
