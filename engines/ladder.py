"""Measures levels: as a ladder, each against the next alone, and the time of a decision.

    python -m engines levels GAME --ladder [--deals N] | python -m worker ladder - | \
        python -m engines levels GAME --note-ladder

plays a ladder of all levels and notes in the game's file what each did against the next. One pair alone is measured by

    python -m engines levels GAME --spec ID [--deals N] | python -m worker run - | \
        python -m engines levels GAME --note ID

``--rules "Rule book"`` with both measures by the rule book, and keeps it beside what was measured by the paper's rules.
``--times`` times all. ``python -m worker stats levels GAME`` rates the levels by what stands in the file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from engines import bench, bench_positions, levels
from engines import registry as engine_registry
from engines.levels import Level, Measurement
from engines.protocol import Budget
from games import options as option_tools
from games import registry, rule_sets
from games.protocol import Game, State

DEALS = 200
LEAST_DEALS = 50
"""Deals on which neighbours have to meet in a ladder that is noted."""
SEED = 2026
SEEDED_POSITIONS = 20
"""Positions a level is timed on where the game has none stored."""
DIGITS = 2
"""Significant digits of a time."""


class LadderError(ValueError):
    """A level cannot be measured, or a summary is not of the matches it should be of."""


def spec(game_id: str, level_id: str, deals: int = DEALS, rules: str = rule_sets.PAPER) -> dict[str, Any]:
    """The experiment of a level against the next by named rules, the weaker in the first place of the line-up.

    Two seats, or as many as the game has at least, the two levels by turns: so partners are alike,
    and a deal has two distinct seatings.
    Raises LadderError for the strongest level and for an unknown one.
    """
    weaker, stronger = _pair(game_id, level_id)
    seats = _lineup(game_id, (weaker, stronger))
    return {
        "version": 1,
        "game": game_id,
        "options": rule_sets.complete(registry.get(game_id), rules),
        "seats": len(seats),
        "arms": [{"name": f"{weaker.label} against {stronger.label}", "seats": seats}],
        "deals": deals,
        "rotation": "all",
        "seed": SEED,
        "record": "matches",
    }


def ladder_spec(game_id: str, deals: int = DEALS) -> dict[str, Any]:
    """The ladder of all levels, weakest first: every engine plays so many deals on average, where they tell most.

    Raises LadderError where there are too few levels.
    """
    known = levels.for_game(game_id)
    if len(known) < 2:
        raise LadderError(f"{game_id} has {len(known)} levels: a ladder takes two or more")
    return ladder_of(game_id, [(level.label, level) for level in known], deals)


def ladder_of(game_id: str, entries: Sequence[tuple[str, Level]], deals: int) -> dict[str, Any]:
    """The ladder of these, each by a name of its own."""
    return {
        "version": 1,
        "game": game_id,
        "seats": max(2, registry.get(game_id).traits.min_seats),
        "ladder": {
            "pairing": "uncertainty",
            "entries": [{"name": name, **seat_of(level)} for name, level in entries],
        },
        "deals": deals,
        "seed": SEED,
        "record": "matches",
    }


def note_ladder(game_id: str, report: Mapping[str, Any]) -> dict[str, Measurement]:
    """Keep what a report of ``python -m worker ladder`` says of each level against the next.

    Raises LadderError where it is of other engines, or neighbours met on too few deals.
    """
    known = levels.for_game(game_id)
    try:
        played = {row["name"]: {k: row[k] for k in ("engine", "options", "budget")} for row in report["entries"]}
        pairs = {(row["first"], row["second"]): row["deal_results"] for row in report["pairs"]}
        if report["game"] != game_id or played != {level.label: seat_of(level) for level in known}:
            raise LadderError(f"this is no ladder of the levels of {game_id}")
        found = {}
        for weaker, stronger in pairwise(known):
            rows = pairs.get((weaker.label, stronger.label), ())
            met = sum(row["deals"] for row in rows)
            if met < LEAST_DEALS:
                text = f"{weaker.label} met {stronger.label} on {met} deals; take more --deals for {LEAST_DEALS}"
                raise LadderError(text)
            found[weaker.id] = _measurement(rows)
    except (KeyError, TypeError) as error:
        raise LadderError(f"this is no report of a ladder: {error}") from None
    _replace(game_id, {level_id: {"against_next": counted} for level_id, counted in found.items()})
    return found


def _lineup(game_id: str, pair: tuple[Level, Level]) -> list[dict[str, Any]]:
    return [seat_of(level) for level in pair] * max(1, registry.get(game_id).traits.min_seats // 2)


def _pair(game_id: str, level_id: str) -> tuple[Level, Level]:
    try:
        level, above = levels.get(game_id, level_id), levels.stronger(game_id, level_id)
    except KeyError:
        known = ", ".join(level.id for level in levels.for_game(game_id)) or "none"
        raise LadderError(f"{level_id!r} is no level of {game_id}; known: {known}") from None
    if above is None:
        raise LadderError(f"{level.label} is the strongest level of {game_id}: there is none to measure it against")
    return level, above


def seat_of(level: Level) -> dict[str, Any]:
    """Engine, complete options and budget, as a summary has them."""
    options = option_tools.from_json(engine_registry.get(level.engine).options_class, level.options)
    budget = Budget.from_json(level.budget).to_json()
    return {"engine": level.engine, "options": option_tools.to_json(options), "budget": budget}


def note(game_id: str, level_id: str, summary: Mapping[str, Any], rules: str = rule_sets.PAPER) -> Measurement:
    """Keep what a summary of ``python -m worker run`` says of the level's first place, played by these rules.

    Raises LadderError where other engines played, or by other rules, or a match failed.
    """
    pair = _pair(game_id, level_id)
    try:
        (arm,) = summary["arms"]
        played = [{key: place[key] for key in ("engine", "options", "budget")} for place in arm["places"]]
        counted = _measurement(arm["places"][0]["deal_results"])
        failed, options = summary["failed"], summary["options"]
    except (KeyError, TypeError, ValueError):
        raise LadderError("this is no summary of one line-up's matches") from None
    if summary["game"] != game_id or played != _lineup(game_id, pair):
        raise LadderError(f"these are not matches of {pair[0].label} against {pair[1].label}")
    if options != rule_sets.complete(registry.get(game_id), rules):
        raise LadderError(f"these matches were not played by the rules {rules!r}")
    if failed:
        raise LadderError(f"{failed} of the matches failed")
    _replace(game_id, {level_id: {"by_book" if rules == rule_sets.RULE_BOOK else "against_next": counted}})
    return counted


def _measurement(rows: Sequence[Mapping[str, int]]) -> Measurement:
    """What a summary says of a place, deal by deal. Raises ValueError without deals, or where deals differ in size."""
    (matches_per_deal,) = {row["wins"] + row["draws"] + row["losses"] for row in rows}
    return Measurement(matches_per_deal, tuple((row["wins"], row["draws"], row["deals"]) for row in rows))


def time_all(game: Game) -> dict[str, float]:
    """Measure and keep the mean CPU seconds of a decision of every level, in the middle of a match."""
    states = _middle(game)
    seconds = {}
    for level in levels.for_game(game.id):
        found = bench.measure(game, level.engine, level.options, level.budget, states, SEED)
        seconds[level.id] = float(f"{found['ms_per_decision'] / 1000:.{DIGITS}g}")
    _replace(game.id, {level_id: {"decision_s": taken} for level_id, taken in seconds.items()})
    return seconds


def _middle(game: Game) -> list[State]:
    """Stored positions of the middle of a match, or seeded ones where none are stored."""
    stored = [position.state(game) for position in bench_positions.load(game.id) if position.phase == "middle"]
    return stored or bench.positions(game, SEEDED_POSITIONS, SEED)


def _replace(game_id: str, changes: Mapping[str, Mapping[str, Any]]) -> None:
    known = levels.for_game(game_id)
    levels.store(game_id, [replace(level, **changes.get(level.id, {})) for level in known])


def list_levels(game_id: str) -> list[dict[str, Any]]:
    """The levels as JSON, weakest first, each with the name of its engine."""
    return [
        {
            "id": level.id,
            "label": level.label,
            "summary": level.summary,
            **seat_of(level),
            "engine_label": engine_registry.get(level.engine).label,
            "has_clock": level.has_clock,
            "stands_in": level.stands_in,
            "decision_s": level.decision_s,
            "against_next": level.against_next and level.against_next.totals(),
        }
        for level in levels.for_game(game_id)
    ]


def game_ids() -> tuple[str, ...]:
    """Games that have levels."""
    return tuple(game_id for game_id in registry.ids() if levels.for_game(game_id))
