"""The matches of an experiment, filtered, sorted, a page at a time.

Pages follow each other by key (the sort value and id of the last row), so the thousandth
page costs what the first does. Each order has an index, which begins with the experiment and ends with the
match, so that rows are read in their order and never sorted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypedDict
from urllib.parse import urlsplit

from django import forms
from django.db.models import Expression, F, QuerySet
from django.db.models.fields.tuple_lookups import Tuple, TupleGreaterThan, TupleLessThan
from django.db.models.functions import Coalesce
from django.http import HttpResponse, QueryDict

from webapp.common import formats
from webapp.common.requests import HtmxRequest
from webapp.lab.experiments import match_filter
from webapp.lab.experiments.match_filter import MatchFilter
from webapp.lab.results import counted
from webapp.lab.results.sides import Lineups, Side, lineups
from webapp.records.models import UNKNOWN_MARGIN, Experiment, Match, Seat
from worker.spec.seatings import num_seatings

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations

    class _SortValue(TypedDict):
        sort_value: Any
        sort_last: int

    KeyedMatch = WithAnnotations[Match, _SortValue]

PAGE = 15
MAX_COUNTED = 1_000
"""Rows that are counted for the sake of a place in the list: with a filter each costs a look at another table."""


@dataclass(frozen=True)
class Sort:
    """One way to order: expression over a match, default direction, and the parser of a key.

    last: the match as the index behind the order has it.
    """

    label: str
    expression: Any
    parse: Callable[[str], Any]
    is_descending: bool = True
    is_number: bool = True
    last: str = "pk"


SORTS: Mapping[str, Sort] = {
    "ended": Sort("Match", F("finished_at"), datetime.fromisoformat, is_number=False),
    "deal": Sort("Deal", F("deal"), int, is_descending=False),
    "margin": Sort("Margin", Coalesce(F("focal__margin"), UNKNOWN_MARGIN), int, last="focal__match_id"),
    "plies": Sort("Plies", F("num_plies"), int),
    "cpu": Sort("CPU time", F("cpu_s"), float),
}
USUAL = ("ended", True)
"""Name of the order that nobody asked for, and whether it is descending."""


@dataclass(frozen=True)
class MatchRow:
    """One line of the list; `side` is the arm's engine, whose margin and result are shown.

    failure: see webapp.lab.results.failures; None where the match has a result. is_beyond: played beyond the
    deal at which the stop rule ended.
    """

    id: int
    side: Side
    arm: str
    deal: int
    seating: str
    scores: str
    margin: int | None
    result: str
    num_plies: int
    cpu_s: float
    failure: dict[str, Any] | None
    is_beyond: bool


@dataclass(frozen=True)
class Heading:
    """A column head that sorts."""

    label: str
    query: str
    direction: str
    is_number: bool


@dataclass(frozen=True)
class Page:
    """One page of the list; `newer`, `older` and `here` are query strings, empty at the ends.

    place: numbers of these rows among all that fit, e.g. "16 to 30 of 120". order: as the query names it, for the
    filter to keep; empty where it is the usual one.
    """

    rows: list[MatchRow]
    form: forms.Form
    headings: dict[str, Heading]
    is_filtered: bool
    newer: str
    older: str
    here: str
    place: str
    order: str

    @property
    def is_first(self) -> bool:
        """Whether this is the first page, on which matches that end now appear."""
        return not self.newer


def page(experiment: Experiment, query: QueryDict, played: int) -> Page:
    """The page that the query string asks for; invalid parts of it are ignored."""
    sides = lineups(experiment)
    form = MatchFilter(query, sides.arms)
    found, total = _fitting(experiment, sides.focus, form.chosen, played)
    name, is_descending = _sort(query)
    matches, has_newer, has_older = _slice(found, name, is_descending, query)
    seats = Seat.objects.filter(match__in=matches).select_related("configuration")
    by_match: dict[int, list[Seat]] = {}
    for seat in seats.order_by("seat"):
        by_match.setdefault(seat.match_id, []).append(seat)
    limits = counted.limits(experiment)
    turns = [num_seatings(experiment.spec["rotation"], arm["seats"]) for arm in experiment.spec["arms"]]
    return Page(
        rows=[_row(match, by_match.get(match.pk, []), sides, turns, limits) for match in matches],
        form=form,
        headings=_headings(query, name, is_descending),
        is_filtered=bool(form.chosen),
        newer=_link(query, before=_key(matches[0])) if matches and has_newer else "",
        older=_link(query, after=_key(matches[-1])) if matches and has_older else "",
        here=_link(query, **{name: str(query[name]) for name in ("before", "after") if query.get(name)}),
        place=_place(found, name, is_descending, matches, has_newer, total),
        order="" if (name, is_descending) == USUAL else f"{'-' if is_descending else '+'}{name}",
    )


def _fitting(experiment: Experiment, focus: int, chosen: Mapping[str, Any], played: int) -> tuple[QuerySet[Match], str]:
    """Matches that fit, and their number in words.

    Where few fit they are named one by one: in the index of an order all the others might stand before them.
    """
    if not chosen:
        return match_filter.matches(experiment, focus), formats.count(played)
    found = match_filter.matches(experiment, focus, chosen)
    some = list(found.order_by().values_list("pk", flat=True)[: MAX_COUNTED + 1])
    if len(some) > MAX_COUNTED:
        return found, f"more than {formats.count(MAX_COUNTED)}"
    return match_filter.matches(experiment, focus).filter(pk__in=some), formats.count(len(some))


def remember(request: HtmxRequest, response: HttpResponse, shown: Page) -> HttpResponse:
    """Put the query of the list into the address of the page around it, so that a reload keeps it."""
    around = request.htmx.current_url_abs_path
    if around and request.htmx.target == "matches":
        response["HX-Replace-Url"] = urlsplit(around).path + shown.here
    return response


def _sort(query: QueryDict) -> tuple[str, bool]:
    wanted = query.get("sort", USUAL[0])
    name = wanted.removeprefix("-").removeprefix("+")
    if name not in SORTS:
        return USUAL
    return name, wanted.startswith("-") or (not wanted.startswith("+") and SORTS[name].is_descending)


def _slice(
    found: QuerySet[Match], name: str, is_descending: bool, query: QueryDict
) -> tuple[list[KeyedMatch], bool, bool]:
    """The rows of one page, and whether there is more before and after it."""
    sort = SORTS[name]
    keyed = _keyed(found, sort)
    before, after = _parse(sort, query.get("before")), _parse(sort, query.get("after"))
    backwards = before is not None
    anchor = before if backwards else after
    goes_down = is_descending != backwards
    if anchor is not None:
        keyed = keyed.filter(_beyond(*anchor, "lt" if goes_down else "gt"))
    sign = "-" if goes_down else ""
    rows = list(keyed.order_by(f"{sign}sort_value", f"{sign}pk")[: PAGE + 1])
    if anchor is not None and not rows:  # nothing follows it: an address of before, or with another filter
        return _slice(found, name, is_descending, QueryDict())
    more, rows = len(rows) > PAGE, rows[:PAGE]
    if backwards:
        return rows[::-1], more, True
    return rows, anchor is not None, more


def _keyed(found: QuerySet[Match], sort: Sort) -> QuerySet[KeyedMatch]:
    """With what `_beyond` compares."""
    return found.annotate(sort_value=sort.expression, sort_last=F(sort.last))


def _beyond(value: Any, pk: int, step: str) -> Expression:
    """Whether a row comes behind (value, pk) in the order, as one comparison that an index can begin at."""
    compare = TupleLessThan if step == "lt" else TupleGreaterThan
    return compare(Tuple(F("sort_value"), F("sort_last")), (value, pk))


def _place(
    found: QuerySet[Match], name: str, is_descending: bool, matches: list[KeyedMatch], has_newer: bool, total: str
) -> str:
    before = 0
    if has_newer:
        first = matches[0]
        ahead = _beyond(first.sort_value, first.pk, "gt" if is_descending else "lt")
        sign = "-" if is_descending else ""
        keyed = _keyed(found, SORTS[name]).filter(ahead).order_by(f"{sign}sort_value", f"{sign}pk")
        before = keyed[: MAX_COUNTED + 1].count()  # in order, so that its index is read as far as that, and no more
    if before > MAX_COUNTED:
        return f"{len(matches)} of {total}, beyond the first {formats.count(MAX_COUNTED)}"
    return f"{formats.count(before + 1)} to {formats.count(before + len(matches))} of {total}"


def _parse(sort: Sort, text: str | None) -> tuple[Any, int] | None:
    value, _, pk = (text or "").rpartition("~")
    try:
        return sort.parse(value), int(pk)
    except ValueError:
        return None


def _key(match: KeyedMatch) -> str:
    value = match.sort_value
    return f"{value.isoformat() if isinstance(value, datetime) else value}~{match.pk}"


def _link(query: QueryDict, **changes: str) -> str:
    made = query.copy()
    for name in [name for name, value in made.items() if not value or name in ("before", "after")]:
        del made[name]
    for name, value in changes.items():
        made[name] = value
    return f"?{made.urlencode()}" if made else ""


def _headings(query: QueryDict, current: str, is_descending: bool) -> dict[str, Heading]:
    heads = {}
    for name, sort in SORTS.items():
        direction = ("descending" if is_descending else "ascending") if name == current else ""
        turned = f"{'+' if is_descending else '-'}{name}" if name == current else name
        heads[name] = Heading(sort.label, _link(query, sort=turned), direction, sort.is_number)
    return heads


def _row(match: Match, seats: list[Seat], sides: Lineups, turns: Sequence[int], limits: Mapping[int, int]) -> MatchRow:
    """turns: seatings of each arm; limits: deals that count, of arms whose stop rule says so."""
    focal = next((seat for seat in seats if seat.lineup_index == sides.focus), None)
    by_place = {seat.lineup_index: seat for seat in seats}
    scores = [by_place[side.place] for side in sides.parties[match.arm_index]]
    return MatchRow(
        id=match.pk,
        side=sides.focal(match.arm_index),
        arm=sides.arms[match.arm_index],
        deal=match.deal,
        seating=f"{match.rotation + 1} of {turns[match.arm_index]}",
        scores="" if match.failure else " : ".join(formats.count(seat.score or 0) for seat in scores),
        margin=focal.margin if focal else None,
        result=(focal.result or "") if focal else "",
        num_plies=match.num_plies,
        cpu_s=match.cpu_s,
        failure=match.failure,
        is_beyond=match.deal >= limits.get(match.arm_index, match.deal + 1),
    )
