"""Cards of engine levels: strength, its measurement, and the seat that a level becomes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

from engines import levels as engine_levels
from engines import registry as engine_registry
from engines.levels import Level, Measurement
from games import rule_sets
from webapp.common.formats import THIN, number, plural, span
from webapp.common.option_forms import budget_words
from webapp.play import measured_deals
from worker.analysis.rates import rate_interval
from worker.spec import SeatSpec, seat_from_json

SECONDS = "seconds_per_ply"
BY_RULES = {rule_sets.RULE_BOOK: "by the rule book", rule_sets.PAPER: "by the paper's rules"}
OPENER = "easy"
"""Id of the level at which a newcomer begins, in every game that has it."""


@dataclass(frozen=True)
class LevelCard:
    """A level and, in words, its measured standing against the next stronger one; brief: without what was played."""

    level: Level
    standing: str
    brief: str = ""


def cards(game_id: str, rules: str = rule_sets.RULE_BOOK) -> list[LevelCard]:
    """The levels of a game, weakest first, with what was measured by these rules, or else by the paper's."""
    known = engine_levels.for_game(game_id)
    following = (*known[1:], None)
    return [
        LevelCard(level, _standing(level, after, rules), _brief(level, after, rules))
        for level, after in zip(known, following, strict=False)
    ]


def _standing(level: Level, after: Level | None, rules: str) -> str:
    """Empty for the strongest."""
    if after is None:
        return ""
    own = level.measured(rules)
    measured = own or level.against_next
    if measured is None or not measured.matches:
        return f"Against {after.label}{_clock_words(after)}: not measured yet."
    words = _measured_words(measured)
    by = BY_RULES[rule_sets.RULE_BOOK if own is not None and rules == rule_sets.RULE_BOOK else rule_sets.PAPER]
    return f"Against {after.label}{_clock_words(after)}: {words}, {by}."


def _brief(level: Level, after: Level | None, rules: str) -> str:
    """Empty for the strongest, and where nobody has measured."""
    measured = level.measured(rules) or level.against_next
    if after is None or measured is None or not measured.matches:
        return ""
    return f"Wins {_rate_words(measured)} against {after.label}{_clock_words(after)}."


@cache
def _measured_words(measured: Measurement) -> str:
    """Rate, interval with the deal as its unit, and what was played."""
    draws = f", {plural(measured.draws, 'draw', 'draws')}" if measured.draws else ""
    sample = f"{plural(measured.matches, 'match', 'matches')} on {plural(measured.num_deals, 'deal', 'deals')}"
    return f"wins {_rate_words(measured)} of {sample}{draws}"


def _rate_words(measured: Measurement) -> str:
    """Rate, and its interval with the deal as its unit."""
    found = rate_interval(measured_deals.wins(measured))
    assert found is not None
    rate = f"{number(100 * measured.wins / measured.matches, 1)}{THIN}%"
    return f"{rate} ({span(100 * found.low, 100 * found.high)})"


def _clock_words(level: Level) -> str:
    """Words on the time with which the level was measured, where it may think for another time."""
    return f" at {budget_words(level.budget)}" if level.has_clock else ""


def opening_level(game_id: str) -> str:
    """The level offered to a newcomer; empty if the game has none."""
    known = [level.id for level in engine_levels.for_game(game_id)]
    return OPENER if OPENER in known else next(iter(known), "")


def measured_seat(game_id: str, level: Level) -> SeatSpec:
    """The engine of a level with the budget that it was measured with."""
    return seat_from_json({"engine": level.engine, "options": level.options, "budget": level.budget}, (), game_id)


def level_of(game_id: str, engine: SeatSpec) -> Level | None:
    """The level that an engine is: as measured, or with a clock for another time; None where it is none."""
    seconds = engine.budget.seconds_per_ply
    for level in engine_levels.for_game(game_id):
        if level.engine == engine.engine:
            same = seat_spec(game_id, level, seconds) if level.has_clock and seconds else measured_seat(game_id, level)
            if (same.options, same.budget) == (engine.options, engine.budget):
                return level
    return None


def limit_time(engine: SeatSpec, seconds_per_ply: float) -> SeatSpec:
    """The same engine, for no longer a ply than that where it knows seconds."""
    if SECONDS not in engine_registry.get(engine.engine).budgets:
        return engine
    own = engine.budget.seconds_per_ply
    seconds = seconds_per_ply if own is None else min(own, seconds_per_ply)
    return replace(engine, budget=replace(engine.budget, seconds_per_ply=seconds))


def seat_spec(game_id: str, level: Level, seconds_per_ply: float) -> SeatSpec:
    """The engine of a level: with a clock it thinks for so long, without as it was measured."""
    budget = {SECONDS: seconds_per_ply} if level.has_clock else level.budget
    written = {"engine": level.engine, "options": level.options, "budget": budget}
    return seat_from_json(written, (), game_id)
