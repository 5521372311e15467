"""Levels of a game, weakest first, with what each won against the one below."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from engines import levels
from engines.levels import Level, Measurement
from games import rule_sets
from webapp.common.formats import plural, seconds
from webapp.lab.results.sides import configuration_words
from webapp.play import measured_deals
from webapp.play.level_cards import BY_RULES
from webapp.play.strength import figures
from webapp.play.strength.figures import Figure
from worker.analysis.rates import rate_interval

EVEN = 0.5
LEAST_S = 1e-4
"""Seconds below which a decision is told by this bound."""


@dataclass(frozen=True)
class Step:
    """A level. player: what it is, in words; decision: time of one; won: against the level below, None for the weakest.

    below: that level's name; sample: what was played, and by which rules if not by the rule book.
    """

    label: str
    summary: str
    player: str
    decision: str
    below: str = ""
    won: Figure | None = None
    sample: str = ""


@cache
def steps(game_id: str) -> tuple[Step, ...]:
    """The levels of a game; none where nobody has named any."""
    known = levels.for_game(game_id)
    if not known:
        return ()
    return (_bare(known[0]), *(_step(below, level) for below, level in pairwise(known)))


def _bare(level: Level) -> Step:
    player = ", ".join(configuration_words({"engine": level.engine, "options": level.options, "budget": level.budget}))
    decision = "" if level.decision_s is None else _time(level.decision_s)
    return Step(level.label, level.summary, player, decision)


def _time(decision_s: float) -> str:
    return "below 0.1 ms" if decision_s < LEAST_S else seconds(decision_s)


def _step(below: Level, level: Level) -> Step:
    """What the stronger one won, which the weaker one lost."""
    bare = _bare(level)
    measured = below.by_book or below.against_next
    if measured is None or not measured.matches:
        return Step(**{**vars(bare), "below": below.label})
    sample = _sample(measured) if below.by_book else f"{_sample(measured)}, {BY_RULES[rule_sets.PAPER]}"
    return Step(**{**vars(bare), "below": below.label, "won": _won(measured), "sample": sample})


def _won(measured: Measurement) -> Figure:
    interval = rate_interval(measured_deals.losses(measured))
    return figures.share(measured.losses / measured.matches, interval, EVEN)


def _sample(measured: Measurement) -> str:
    draws = f", {plural(measured.draws, 'draw', 'draws')}" if measured.draws else ""
    matches, deals = plural(measured.matches, "match", "matches"), plural(measured.num_deals, "deal", "deals")
    return f"{matches} on {deals}{draws}"
