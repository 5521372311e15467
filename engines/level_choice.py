"""Chooses levels in even steps from players that might be one: all of them play a ladder, whose ratings say which.

    python -m engines levels GAME --candidates [--deals N] | python -m worker ladder - | \
        python -m engines levels GAME --choose

plays the levels and the candidates of ``games/GAME/stored/level_candidates.json`` and proposes a chain from the
weakest level to the strongest player, with the share that each wins against the one below.
``--take ID ID …`` makes the levels of these, weakest first; what neighbours had measured against each other stays,
new neighbours are measured with ``--spec`` and ``--note``.

An id is one configuration for good, since finished matches name it: a candidate with the id of a level is refused
unless it is the same. Budgets are counts, so a slow machine makes no level weaker.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from itertools import pairwise
from typing import Any

from engines import ladder, levels
from engines.ladder import LadderError
from engines.levels import Level
from engines.protocol import CLOCKS
from games import data_files, registry

NAME, FORMAT = "level_candidates", "level-candidates-1"
EVEN = (0.65, 0.80)
"""Share of points that a level should win against the one below."""
MIDDLE = 0.725
OUTSIDE = 100.0
"""What a step outside costs by its squared distance, beside one within by that from the middle."""
NEW, GONE = 0.0005, 0.01
"""What a candidate costs, and a level that people know and that is left out: neither makes up for a step outside."""


def candidates(game_id: str) -> tuple[Level, ...]:
    """Players that might be levels and are none. Raises LadderError for one that cannot be."""
    data = data_files.read(registry.get(game_id).folder, NAME, FORMAT) or {"levels": ()}
    known = {level.id: level for level in levels.for_game(game_id)}
    found = []
    for row in data["levels"]:
        one = Level(**{"has_clock": False, "against_next": None, **row})
        if any(key in one.budget for key in CLOCKS):
            raise LadderError(f"{one.id}: a level is held to a count, so that it is the same on every machine")
        if one.id in known and ladder.seat_of(known[one.id]) != ladder.seat_of(one):
            raise LadderError(f"{one.id} is the id of a level that plays otherwise: finished matches name it")
        if one.id not in known:
            found.append(one)
    return tuple(found)


def spec(game_id: str, deals: int) -> dict[str, Any]:
    """The ladder of all levels and candidates. Raises LadderError where there are too few."""
    known = _known(game_id)
    if len(known) < 2:
        raise LadderError(f"{game_id} has {len(known)} levels and candidates: a ladder takes two or more")
    return ladder.ladder_of(game_id, [(one.id, one) for one in known.values()], deals)


def choose(game_id: str, report: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The chain that a report of the ladder speaks for, weakest first; is_even: within `EVEN` by its ratings.

    Raises LadderError where the report is of other players, or one has no rating.
    """
    known = _known(game_id)
    try:
        played = {row["name"]: {key: row[key] for key in ("engine", "options", "budget")} for row in report["entries"]}
        ratings = {row["name"]: row["elo"] for row in report["entries"]}
    except (KeyError, TypeError) as error:
        raise LadderError(f"this is no report of a ladder: {error}") from None
    if report["game"] != game_id or played != {one.id: ladder.seat_of(one) for one in known.values()}:
        raise LadderError(f"this is no ladder of the levels and candidates of {game_id}")
    if unrated := [name for name, rating in ratings.items() if rating is None]:
        raise LadderError(f"{', '.join(unrated)} have no rating: take more --deals")
    new = {one.id for one in candidates(game_id)}
    order = sorted(known, key=lambda one: ratings[one])
    chain = _chain(order, ratings, new)
    below = {after: before for before, after in pairwise(chain)}
    return [_row(one, ratings, below.get(one), new) for one in chain]


def _row(one: str, ratings: Mapping[str, float], below: str | None, new: set[str]) -> dict[str, Any]:
    won = None if below is None else share(ratings[one] - ratings[below])
    is_even = None if won is None else EVEN[0] <= won <= EVEN[1]
    return {"id": one, "is_new": one in new, "rating": ratings[one], "won": won, "is_even": is_even}


def share(points: float) -> float:
    """Share of points that a player so far above another wins."""
    return float(1 / (1 + 10 ** (-points / 400)))


def cost(points: float) -> float:
    """How uneven a step is."""
    won = share(points)
    outside = max(EVEN[0] - won, won - EVEN[1], 0.0)
    return (won - MIDDLE) ** 2 + OUTSIDE * outside**2


def _chain(order: Sequence[str], ratings: Mapping[str, float], new: set[str]) -> list[str]:
    """The cheapest way from the weakest to the strongest: every player is reached by the best one below it."""
    best: dict[str, tuple[float, list[str]]] = {order[0]: (0.0, [order[0]])}
    for place, one in enumerate(order[1:], start=1):
        own = NEW if one in new else 0.0
        ways = []
        for start, before in enumerate(order[:place]):
            gone = sum(GONE for other in order[start + 1 : place] if other not in new)
            price = best[before][0] + own + gone + cost(ratings[one] - ratings[before])
            ways.append((price, [*best[before][1], one]))
        best[one] = min(ways)
    return best[order[-1]][1]


def take(game_id: str, ids: Sequence[str]) -> list[Level]:
    """Make the levels of a game from these, weakest first, and store them.

    What a level has measured stays where the same one is above it. Raises LadderError for unknown and repeated ids.
    """
    known = _known(game_id)
    if unknown := [one for one in ids if one not in known]:
        raise LadderError(f"{', '.join(unknown)}: no level or candidate of {game_id}; known: {', '.join(known)}")
    if len(set(ids)) < len(ids):
        raise LadderError("an id stands twice")
    old = dict(pairwise([level.id for level in levels.for_game(game_id)]))
    labels = [known[one].label for one in ids]
    if len(set(labels)) < len(labels):
        raise LadderError(f"two levels have one name: {', '.join(labels)}")
    made = []
    for one, above in zip(ids, (*ids[1:], None), strict=True):
        is_same = above is not None and old.get(one) == above
        made.append(known[one] if is_same else replace(known[one], against_next=None, by_book=None))
    rest = [asdict(one) for one in known.values() if one.id not in ids]
    levels.store(game_id, made)
    _store_candidates(game_id, rest)
    return made


def _known(game_id: str) -> dict[str, Level]:
    return {one.id: one for one in (*levels.for_game(game_id), *candidates(game_id))}


KEPT = ("id", "label", "summary", "engine", "options", "budget", "has_clock", "stands_in")
"""Fields of a candidate: what has been measured of a level is no part of it."""


def _store_candidates(game_id: str, rows: Sequence[Mapping[str, Any]]) -> None:
    """Keep the others as candidates, one a line; no file where there are none."""
    if not rows:
        data_files.path(registry.get(game_id).folder, NAME).unlink(missing_ok=True)
        return
    lines = [json.dumps({key: row[key] for key in KEPT}, ensure_ascii=False) for row in rows]
    text = f'{{"format": "{FORMAT}", "game": "{game_id}", "levels": [\n' + ",\n".join(lines) + "\n]}\n"
    data_files.write(registry.get(game_id).folder, NAME, text)
