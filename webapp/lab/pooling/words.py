"""Runs of one question in words: whether they agree, what they come to together, and how far others are from that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from webapp.common.formats import THIN, number, p_text, plural, signed
from webapp.lab.pooling import pooled
from webapp.lab.pooling.contrasts import Contrast
from webapp.lab.pooling.differing import differences, obstacle
from webapp.lab.pooling.lines import Entry, Forest, Table, compared, scaled
from webapp.lab.pooling.pooled import Measured, Pool
from webapp.lab.results import sentences
from webapp.lab.results.comparisons import PLACE
from webapp.lab.results.forest import UNITS, Compared
from webapp.lab.results.judged import Judged
from worker.analysis.heterogeneity import heterogeneity
from worker.analysis.intervals import Interval
from worker.analysis.stop_rules.model import MARGIN

LEVEL = 0.05
SAID = 2
"""Runs beside those that are pooled of which the sentence speaks; the forest has all."""
NUMBERS = ("No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Eleven", "Twelve")


def sentence(table: Table, entries: Mapping[int, Entry], measure: str) -> str:
    """What came out of the runs of a group."""
    if table.pool and table.together and table.is_shown_together:
        return " ".join([_pooled(table.pool, table.together, entries, measure), *_beside(table, entries, measure)])
    first = table.group.first
    row = compared(first, measure)
    name = entries[next(iter(table.group.rows))].name
    if row.mean is None:
        return f"No deal of {name} is played whole yet."
    said = f"In {name} {_effect(first, row.mean, row.interval, measure)}."
    repeats = [entries[i].name for i, one in table.pool.counted.items() if one.of is not None] if table.pool else []
    if repeats:
        said += f" {_listed(repeats)} played the same matches again, which is no new evidence."
    return " ".join([said, *_beside(table, entries, measure)])


def _effect(row: Contrast, mean: float, interval: Interval | None, measure: str, kind: str = "always valid") -> str:
    judged = Judged(
        measure=measure,
        baseline=row.names[1],
        is_one_arm=row.kind != "arms",
        is_alone=row.parties == 1,
    )
    said = sentences.effect(judged, Compared(row.numbers.side, mean), name=row.names[0])
    if interval is None:
        return said
    return f"{said} (95{THIN}% interval {UNITS[measure].span(interval)}, {kind})"


def _pooled(pool: Pool, one: Measured, entries: Mapping[int, Entry], measure: str) -> str:
    first, scale = pool.group.first, UNITS[measure].scale
    if one.mean is None:
        return "Too few of the runs that are pooled have varied to weigh them against each other."
    runs = pool.num_runs
    number_of = NUMBERS[runs] if runs < len(NUMBERS) else str(runs)
    kind = "always valid" if pool.is_alike else "random effects" if len(pool.units) > 1 else "on common deals"
    said = _effect(first, scale * one.mean, scaled(one.interval, scale), measure, kind)
    if not pool.is_alike:
        return f"{number_of} experiments that are not quite of one question, pooled by choice: {said}."
    return f"{number_of} runs of the same question {_verdict(pool, one, entries)}: together {said}."


def _verdict(pool: Pool, one: Measured, entries: Mapping[int, Entry]) -> str:
    if one.odd is not None:
        odd = _listed([entries[i].name for i in pool.units[one.odd].members])
        return f"do not agree, and {odd} is the odd one out"
    if one.agreement and one.agreement.p <= LEVEL:
        return f"do not agree (p {p_text(one.agreement.p)})"
    return "agree"


def _beside(table: Table, entries: Mapping[int, Entry], measure: str) -> list[str]:
    """How far runs that are not pooled are from the others, or from the first."""
    pool, group = table.pool, table.group
    if pool is not None and not pool.is_alike:
        return []
    members = pool.members if pool else (next(iter(group.rows)),)
    others, unit = [group.rows[i] for i in members], UNITS[measure]
    what = "these together" if pool and table.is_shown_together else entries[members[0]].name
    said: list[str] = []
    for i, row in group.rows.items():
        if i in members or obstacle(row, others[0]) or row.sums is None or len(said) == SAID:
            continue
        total = pool.total if pool else others[0].sums
        if total is None or not total.wins[0].n or not row.sums.wins[0].n:
            continue
        found = pooled.apart(row, others, total, measure)
        interval = scaled(found.interval, unit.scale)
        if found.mean is None or interval is None:
            continue
        why = ", ".join(differences(row, others[0]))
        verdict = "open whether it differs" if interval.low <= 0 <= interval.high else "so it differs"
        on = f", on {plural(found.deals, 'common deal', 'common deals')}" if found.deals else ""
        less = f"{unit.signed(unit.scale * found.mean)} {unit.words} ({unit.span(interval)}{on})"
        said.append(f"{entries[i].name}{f' ({why})' if why else ''} is {less} from {what}: {verdict}.")
    return said


def under(forest: Forest, entries: Mapping[int, Entry]) -> str:
    """What is pooled and how, and which intervals these are."""
    parts = []
    table = forest.tables[0]
    if table.pool and table.is_shown_together:
        names = [entries[i].name for i in table.pool.members]
        if table.pool.is_alike:
            parts.append(
                f"Pooled are {_listed(names)}: rules, line-ups, budgets and versions are the same, and each deal counts"
                " alike, and once."
            )
        else:
            parts.append(
                f"Pooled by choice are {_listed(names)}, which differ in more than their luck: each may have a number"
                " of its own, and this is their mean. Its interval is for one look."
            )
    parts.append(
        "Intervals are for one comparison at a time and hold at every look, however many runs are added; on the page of"
        " an experiment they may be narrower, at its planned end."
    )
    return " ".join(parts)


@dataclass(frozen=True)
class Facts:
    """Whether the runs of a group agree. rows: (label, value); note: how to read them."""

    names: tuple[str, str]
    rows: tuple[tuple[str, str], ...]
    odd: str


def facts(table: Table, entries: Mapping[int, Entry], measure: str) -> Facts | None:
    """The numbers of agreement; None where nothing is pooled."""
    one, pool, unit = table.together, table.pool, UNITS[measure]
    if one is None or pool is None or not table.is_shown_together:
        return None
    digits, rows = (2 if measure == PLACE else 1), []
    if one.agreement:
        found = one.agreement
        low, high = (unit.scale * end for end in found.tau_interval)
        q = f"Q {number(found.q, 2)} on {found.freedom} df, p {p_text(found.p)}"
        rows.append(("Do they differ?", q))
        rows.append(("Of the variation beyond luck, I²", f"{number(100 * found.i_squared, 0)}{THIN}%"))
        tau = f"{number(unit.scale * found.tau, digits)} {unit.gap} ({number(low, digits)} to {number(high, digits)})"
        rows.append(("Spread between runs, τ", tau))
    if one.shared:
        rows.append(("On common deals", f"Q {number(one.shared.q, 2)}, p {p_text(one.shared.p)}"))
    if one.next_run:
        interval = scaled(one.next_run, unit.scale)
        assert interval is not None
        rows.append((f"A next run of {plural(one.next_deals, 'deal', 'deals')}", unit.span(interval)))
    return Facts(table.group.names, tuple(rows), _odd(pool, one, entries, measure)) if rows else None


def _odd(pool: Pool, one: Measured, entries: Mapping[int, Entry], measure: str) -> str:
    """Which run is out, how sure, and what the others say without it."""
    if one.odd is None:
        return ""
    unit, left = UNITS[measure], one.left_out[one.odd]
    name = _listed([entries[i].name for i in pool.units[one.odd].members])
    others = [pooled.sums_of(row.sums, measure)[0] for k, row in enumerate(pool.units) if k != one.odd]
    found = heterogeneity(others)
    rest = "" if found is None else f" The others {'agree' if found.p > LEVEL else 'still do not agree'}"
    rest += "" if found is None else f" among themselves (p {p_text(found.p)})."
    mean = signed(unit.scale * (left.rest.mean or 0), unit.digits)
    apart = unit.signed(unit.scale * (left.difference.mean or 0))
    return (
        f"{name} is {apart} {unit.gap} from the others together, {number(abs(left.z or 0))} standard errors (p"
        f" {p_text(left.p or 0)}, corrected for {len(one.left_out)} runs). Without it they come to {mean}.{rest}"
    )


def _listed(names: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


MEASURES = {"win_rate": "Win rate", MARGIN: "Margin", PLACE: "Place"}
"""Words of the measures."""
