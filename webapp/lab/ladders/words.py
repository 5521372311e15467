"""A ladder in sentences: who leads and how sure that is, what the numbers rest on, how well they fit. Pure."""

from __future__ import annotations

from games import registry as game_registry
from webapp.common.formats import THIN, count, interval_text, number, plural, signed
from webapp.lab.jobs.briefs import Brief, Effect
from webapp.lab.ladders.selectors import MEAN, State
from worker.analysis.ratings import LEAST_DEALS, Ratings
from worker.ladders import report

PAIRING_WORDS = {
    "round_robin": "All against all",
    "gauntlet": "Some against all",
    "uncertainty": "Where it tells most",
}
SURE = 99.0
ENOUGH_DEALS = 30
"""Deals under which no probability is said: it would know more of the tails than they do."""
DOUBTFUL_P = 0.05


def title(game_id: str) -> str:
    """The title of a ladder that nobody gave one."""
    return f"The {game_registry.get(game_id).label} ladder"


def answer(now: State) -> str:
    """The sentence that a ladder begins with; empty before anything is known."""
    order = report.ordered(now.standing)
    if now.standing.ratings is None or len(order) < 2:
        return ""
    first, second = (now.standing.rated.index(i) for i in order[:2])
    names = [now.ladder.entries[i].name for i in order[:2]]
    lead, interval = now.standing.ratings.lead(first, second), now.standing.ratings.lead_interval(first, second)
    if interval is None:
        return f"No leader yet: {_least_deals(now, first, second)}, and an interval takes {LEAST_DEALS}."
    points = f"{names[0]} leads, {plural(round(lead), 'point', 'points')} above {names[1]}"
    if not round(lead):
        points = f"{names[0]} and {names[1]} lead, level so far"
    points = f"{points} ({interval_text(interval, 0)})"
    probability = probability_above(now.standing.ratings, first, second)
    if probability is None:
        return f"{points}. That rests on few deals: {_least_deals(now, first, second)}."
    sure = sure_words(probability, is_apart=now.standing.ratings.ranks(first) == (1, 1))
    return f"{points}: {sure} sure that it is the stronger."


def brief(now: State) -> Brief:
    """Who leads, as a row of a list has it."""
    order = report.ordered(now.standing)
    found = now.standing.ratings
    if found is None or len(order) < 2:
        return Brief("No ratings yet")
    first, second = (now.standing.rated.index(i) for i in order[:2])
    names = [now.ladder.entries[i].name for i in order[:2]]
    interval = found.lead_interval(first, second)
    if interval is None:
        return Brief("No leader yet", f"{_least_deals(now, first, second)}")
    lead = found.lead(first, second)
    words = f"{signed(lead, 0)} points above {names[1]} ({interval_text(interval, 0)})"
    effect = Effect("rating", float(lead), float(interval[0]), float(interval[1]))
    return Brief(f"{names[0]} leads", words, effect)


def _least_deals(now: State, first: int, second: int) -> str:
    """Which of two rated engines has fewer deals, and how many; tables that play the same deals count once."""
    assert now.standing.ratings is not None
    deals = now.standing.ratings.deals
    few = min(first, second, key=lambda place: int(deals[place]))
    name = now.ladder.entries[now.standing.rated[few]].name
    return f"{name} has {plural(int(deals[few]), 'different deal', 'different deals')}"


def probability_above(found: Ratings, first: int, second: int) -> float | None:
    """Probability that the first is the stronger; None where too few deals speak of it."""
    return found.probability_above(first, second) if found.least_deals(first, second) >= ENOUGH_DEALS else None


def sure_words(probability: float, *, is_apart: bool = True) -> str:
    """A probability in words. is_apart: whether sets of ranks, for which all others count, hold the two apart."""
    percent = 100 * probability
    if percent > SURE and is_apart:
        return f"more than {number(SURE, 0)}{THIN}%"
    return f"{number(min(SURE, percent), 0)}{THIN}%"


def under(now: State) -> str:
    """What the ratings rest on, and what they and their intervals mean."""
    standing = now.standing
    if not standing.meetings:
        return "Ratings come when every engine has met others on whole deals."
    matches = sum(len(m.ranks) for m in standing.meetings)
    played = f"{plural(matches, 'match', 'matches')} on {plural(len(standing.meetings), 'deal', 'deals')} of tables"
    model = (
        "Ratings explain all pairs at once (Bradley and Terry), a draw is half a win"
        if now.ladder.sides == 2
        else "Ratings explain all places at once (Plackett and Luce), a tie is each of its orders in equal parts"
    )
    chosen = (
        " Tables are chosen by what was seen, so intervals for one look are a guide: a decision between two engines"
        " needs an experiment with a stop rule."
        if now.ladder.pairing == "uncertainty"
        else " Intervals are for one look, at the end."
    )
    return (
        f"{played}, every seating once. {model}; intervals come from resampling whole deals. "
        f"{count(MEAN)} is the mean of the pool, no engine is exact by decree.{chosen}"
    )


def fit_words(now: State) -> str:
    """Whether one number for each engine explains the results of pairs; empty before it is tested."""
    fit = now.standing.fit
    if fit is None:
        return ""
    names = [now.ladder.entries[i].name for i in now.standing.rated]
    circles = "".join(
        f" A circle: {names[a]} beats {names[b]}, {names[b]} beats {names[c]}, {names[c]} beats {names[a]}"
        f" ({sure_words(circle.probability)} sure)."
        for circle in fit.circles[:3]
        for a, b, c in [circle.players]
    )
    if fit.p is None:
        return f"Too little is known to test whether one number an engine explains these shares.{circles}"
    p = f"p {number(fit.p, 3) if fit.p >= 0.001 else '< 0.001'}, {plural(fit.freedom, 'degree', 'degrees')} of freedom"
    if fit.p < DOUBTFUL_P:
        return f"The ratings do not explain these shares ({p}): some engine is a special answer to another.{circles}"
    return f"The ratings fit these shares ({p}).{circles}"


def warnings(now: State) -> list[str]:
    """Matches that count nowhere, and why."""
    standing, found = now.standing, []
    if standing.partial:
        found.append(
            f"{plural(standing.partial, 'match counts', 'matches count')} nowhere yet: other matches of the same deals"
            " are still missing, or failed."
        )
    if standing.foreign:
        found.append(
            f"{plural(standing.foreign, 'match was', 'matches were')} played by a version of an engine that is no entry"
            " here, and count nowhere."
        )
    return found
