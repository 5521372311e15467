"""The short form of the head of a result page, for a row of a list: who is better, by how much, and when it stopped."""

from __future__ import annotations

from dataclasses import replace

from webapp.common.formats import count, number
from webapp.lab.jobs.briefs import Brief, Effect
from webapp.lab.results import notes
from webapp.lab.results.claims import chip_words
from webapp.lab.results.comparisons import PLACE
from webapp.lab.results.forest import Compared
from webapp.lab.results.judged import Judged, judged
from webapp.lab.results.selectors import Results, results
from webapp.records.models import Experiment
from worker.analysis.intervals import Interval
from worker.analysis.stop_rules.model import BEST, H0, H1, MARGIN, WIN_RATE
from worker.spec import stop

OF = {WIN_RATE: "win rate", MARGIN: "margin", PLACE: "place"}


def brief(experiment: Experiment) -> Brief:
    """What came out so far."""
    found = results(experiment)
    if experiment.kind == Experiment.Kind.MATCH:
        return of_match(found)
    return of_judged(judged(experiment, found, notes.of_nothing(found)))


def of_match(found: Results) -> Brief:
    """Who won the only match, and the scores by side."""
    sides = found.sides[0]
    if not found.finished:
        return Brief("Failed" if found.failed else "Not played yet")
    winners = [row.side.name for row in sides if row.result.wins]
    scores = " to ".join(number(row.result.mean_score, 0) for row in sides)
    return Brief(f"{winners[0]} won" if winners else "A draw", scores)


def of_judged(said: Judged) -> Brief:
    """The answer in a few words, with the difference behind it and the deal at which the rule stopped."""
    if said.empty or (said.rows and not said.known):
        return Brief("No answer yet" if said.is_live else "No answer")
    if not said.rows:
        return _alone(said)
    row = _spoken_of(said)
    stopped = ""
    if said.rule.rule != stop.FIXED and said.ruling.deals is not None:
        stopped = f"stopped at deal {count(said.ruling.deals)}"
    words = _verdict(said, row)
    effect = _effect(said, row)
    if not words.startswith(row.name):
        effect = f"{row.name}: {effect}"
    return Brief(words, ", ".join(filter(None, (effect, stopped))), _numbers(said, row))


def _spoken_of(said: Judged) -> Compared:
    """The difference that answers: of two sides that of the better one."""
    if said.is_one_arm and said.leads:
        return replace(said.leads[0], side=replace(said.leads[0].side, name=said.best))
    if len(said.rows) > 1:
        return max(said.known, key=lambda row: row.mean or 0)
    row = said.known[0]
    if row.is_worse and said.baseline_side and said.rule.rule in (stop.FIXED, stop.PRECISION):
        turned = Interval(-row.interval.high, -row.interval.low) if row.interval else None
        return replace(row, side=said.baseline_side, mean=-(row.mean or 0), interval=turned)
    return row


def _verdict(said: Judged, row: Compared) -> str:
    """Who is better, or that nobody is shown to be."""
    if said.rule.rule == stop.SPRT:
        if said.ruling.reason in (H0, H1):
            return f"{row.name} {chip_words(said.rule, said.ruling.reason)}"
        return "Not decided yet" if said.is_live else "Not decided"
    sides = len(said.rows) + 1
    if said.rule.rule == stop.BEST_OF:
        if said.ruling.reason != BEST:
            return "Not decided yet" if said.is_live else "Not decided"
        is_baseline = said.baseline_side is not None and said.ruling.arm == said.baseline_side.arm
        return f"{said.baseline if is_baseline else row.name} best of {sides}"
    if row.is_better:
        is_best = len(said.rows) > 1 and all(lead.is_better for lead in said.leads)
        return f"{row.name} best of {sides}" if is_best else f"{row.name} better"
    if row.is_worse:
        return f"{said.baseline} best of {sides}" if len(said.rows) > 1 else f"{row.name} worse"
    if row.interval is None and not row.is_constant:
        return "Too few deals"
    if row.is_constant:
        return f"{row.name} never varied" if row.mean else "The same in every deal"
    return f"Not told apart{' yet' if said.is_live else ''}"


def _effect(said: Judged, row: Compared) -> str:
    """The difference with its interval, and of what it is."""
    interval = f" ({said.unit.span(row.interval)})" if row.interval else ""
    return f"{'score' if said.is_alone else OF[said.measure]} {said.unit.signed(row.mean or 0)}{interval}"


def _numbers(said: Judged, row: Compared) -> Effect | None:
    """The same difference, to be drawn; scores of one side alone have no measure in common with anything."""
    if said.is_alone or row.mean is None:
        return None
    return Effect(said.measure, row.mean, *(row.interval or ()))


def _alone(said: Judged) -> Brief:
    """Where there is nobody else."""
    if said.first_mover:
        return Brief("It meets itself", f"The first seat won {said.first_mover.split(' of the ')[0]}")
    return Brief(f"It {said.level}") if said.is_alone else Brief("It meets itself")
