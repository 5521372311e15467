"""Rows of matches from a CSV file, and the values of deals that they make.

Columns are those of exports (`webapp.lab.results.exports.MATCH_COLUMNS`), of which these are read: arm, deal, place,
status, counts, and result, margin or score. Only deal and what is asked for are needed: without arm all rows are of
one, without place each row is a match by itself.
"""

from __future__ import annotations

import csv
import io
import itertools
import math
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engines import levels
from worker.analysis.plackett_luce import Ranking
from worker.spec import seatings
from worker.spec.ladder import BETWEEN

Array = NDArray[np.float64]

POINTS = {"win": 1.0, "draw": 0.5, "loss": 0.0, "1": 1.0, "0.5": 0.5, "0": 0.0, "1.0": 1.0, "0.0": 0.0}
RANKS = {1.0: (1, 2), 0.5: (1, 1), 0.0: (2, 1)}
"""Ranks of two players, by the points of the first."""
OF_RESULTS = ("win_rate", "draw_rate", "loss_rate", "points")
"""What results make: rates, or points with half of one for a draw."""
OF_COLUMNS = ("margin", "score")
ON = OF_RESULTS + OF_COLUMNS
OF_LADDERS = ("match", "arm", "place", "status", "rank")
"""What the export of a ladder has beside deals and names."""
PLAYER, TABLE_NAME = "player", "arm_name"
"""Who has a place, and all who sit at a table: older exports have only this."""
OF_LINE_UPS = {"match", "arm", "place", "rotation", "engine", "options", "budget"}
"""What an export says of who sat where."""
RATED = {"win_rate": 1.0, "draw_rate": 0.5, "loss_rate": 0.0}
"""Points of the results that a rate counts."""


class InputError(ValueError):
    """Wrong argument or row; the message names it."""


@dataclass(frozen=True, slots=True)
class Row:
    """Row of a file. line: its number in the file, the header being 1."""

    line: int
    cells: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Table:
    """File with its rows."""

    name: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]

    def error(self, row: Row, message: str) -> InputError:
        """Return the error of a row."""
        return InputError(f"{self.name}, line {row.line}: {message}")

    def whole(self, row: Row, column: str) -> int:
        """A whole number."""
        text = row.cells[column].strip()
        if not text.isdecimal() or len(text) > 18:
            raise self.error(row, f"{column} must be a whole number from 0 up, not {text!r}")
        return int(text)

    def number(self, row: Row, column: str) -> float:
        """A finite number."""
        text = row.cells[column].strip()
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            raise self.error(row, f"{column} must be a number, not {text!r}")
        return value

    def points(self, row: Row) -> float:
        """Points of a result."""
        text = row.cells["result"].strip()
        if text not in POINTS:
            raise self.error(row, f"result must be win, draw or loss (or 1, 0.5, 0), not {text!r}")
        return POINTS[text]


def read(path: Path, needed: Iterable[str]) -> Table:
    """Read a file (- is standard input). Raises InputError where it has no such columns, or no rows."""
    data = sys.stdin.buffer.read() if str(path) == "-" else path.read_bytes()
    if data.lstrip().startswith((b"{", b"[")):
        raise InputError(f"{path} holds JSON; what is read here is CSV, such as an export of a lab")
    try:
        reader = csv.reader(io.StringIO(data.decode("utf-8-sig"), newline=""), strict=True)
        lines = [(reader.line_num, cells) for cells in reader if cells]
    except (UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"{path} is not CSV in UTF-8: {error}") from None
    columns = tuple(name.strip() for name in lines[0][1]) if lines else ()
    for name in needed:
        if name not in columns:
            raise InputError(f"{path} has no column {name!r}; it has {', '.join(columns) or 'none'}")
    for line, cells in lines[1:]:
        if len(cells) != len(columns):
            raise InputError(f"{path}, line {line}: {len(cells)} cells under {len(columns)} columns")
    if len(lines) < 2:
        raise InputError(f"{path} has no rows")
    return Table(
        str(path), columns, tuple(Row(line, dict(zip(columns, cells, strict=True))) for line, cells in lines[1:])
    )


@dataclass(frozen=True, slots=True)
class Arm:
    """Values of one arm. deals: deal -> values of its matches, of whole deals alone; left_out: other rows.

    failed: deals whose matches have all ended, some of them without a result.
    """

    number: int
    name: str
    deals: Mapping[int, tuple[float, ...]]
    left_out: int
    failed: frozenset[int] = frozenset()

    @property
    def matches(self) -> int:
        """Matches of whole deals (of a place that several seats of a match fill, rows)."""
        return sum(map(len, self.deals.values()))

    def means(self) -> Array:
        """Mean of each deal, in the order of deals."""
        return np.array([np.mean(self.deals[deal]) for deal in sorted(self.deals)])


def arms(path: Path, on: str, place: int) -> tuple[Arm, ...]:
    """Values of all arms in a file.

    on: one of ON; place: whose rows are read, where the file has that column. Rows with a status other than finished
    are matches that failed: they count for nothing, and their deals are not whole. A deal is whole in an arm if it has
    as many matches there as any. Rows that the export says do not count (beyond a stop, or repeats) are left out.
    Places that only change seats with an equal are one side (`worker.spec.seatings`) with a row each; of partners, who
    share each result, one speaks for both.
    """
    table = read(path, ("deal", "result" if on in OF_RESULTS else on))
    values: dict[int, dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    speaking = {number: _speaking(table, number, place, size) for number, size in _periods(table).items()}
    names: dict[int, str] = {}
    beyond: dict[int, int] = defaultdict(int)
    ended: dict[int, Counter[int]] = defaultdict(Counter)
    failed: dict[int, set[int]] = defaultdict(set)
    for row in table.rows:
        arm, deal = (table.whole(row, name) if name in table.columns else 0 for name in ("arm", "deal"))
        at = table.whole(row, "place") if "place" in table.columns else place
        if at not in speaking.get(arm, (place,)):
            continue
        ended[arm][deal] += at == place
        if row.cells.get("status", "finished") != "finished":
            failed[arm].add(deal)
            continue
        names[arm] = row.cells.get("arm_name", "")
        if row.cells.get("counts", "1") == "0":
            beyond[arm] += at == place
            continue
        values[arm][deal].append(_value(table, row, on))
    if not values:
        raise InputError(f"{path} has no finished match with a place {place}")
    found = []
    for number in sorted(values):
        arm_of = _arm(number, names[number], values[number], beyond[number])
        rows = len(speaking.get(number, (place,)))
        size = len(next(iter(arm_of.deals.values()))) // rows
        passed = frozenset(deal for deal in failed[number] if ended[number][deal] >= size)
        found.append(replace(arm_of, failed=passed))
    return tuple(found)


def _periods(table: Table) -> Mapping[int, int]:
    """Seats after which the line-up of an arm looks the same, where the file has line-ups and seats were exchanged.

    Without an exchange, or where no arm shows one, the places of equal engines are sides of their own.
    """
    if not set(table.columns) >= OF_LINE_UPS or not any(table.whole(row, "rotation") for row in table.rows):
        return {}
    entries: dict[int, dict[int, tuple[str, ...]]] = defaultdict(dict)
    for row in table.rows:
        plays = tuple(row.cells[name] for name in ("engine", "options", "budget"))
        entries[table.whole(row, "arm")][table.whole(row, "place")] = plays
    return {arm: seatings.period([plays for _, plays in sorted(found.items())]) for arm, found in entries.items()}


def _speaking(table: Table, arm: int, place: int, period: int) -> tuple[int, ...]:
    """Places of a side of an arm, `place` among them, without those whose results are always those of another."""
    results: dict[int, list[tuple[str, ...]]] = defaultdict(list)
    for row in table.rows:
        at = table.whole(row, "place")
        if table.whole(row, "arm") == arm and (at - place) % period == 0:
            results[at].append(tuple(row.cells.get(name, "") for name in ("match", "result", "margin")))
    first: dict[tuple[tuple[str, ...], ...], int] = {}
    for at in sorted(results, key=lambda at: (at != place, at)):
        first.setdefault(tuple(sorted(results[at])), at)
    return tuple(first.values())


def sides(path: Path, on: str, place: int, versus: int, number: int | None) -> tuple[Arm, Arm]:
    """Two places of one arm as two arms, numbered by their places. number: which arm; None: the only one."""
    found = []
    for of_place in (versus, place):
        every = arms(path, on, of_place)
        chosen = [arm for arm in every if number in (None, arm.number)]
        if len(chosen) != 1:
            there = ", ".join(str(arm.number) for arm in every)
            raise InputError(f"--arm: choose one of arms {there}: --versus compares places of one arm")
        found.append(replace(chosen[0], number=of_place, name=f"place {of_place}"))
    return found[0], found[1]


def places(path: Path) -> tuple[int, ...]:
    """Places of a file's sides, the first of each; none without such a column."""
    table = read(path, ())
    if "place" not in table.columns:
        return ()
    found = {table.whole(row, "place") for row in table.rows}
    return tuple(sorted({at % max(_periods(table).values(), default=len(found)) for at in found}))


def _value(table: Table, row: Row, on: str) -> float:
    if on in OF_COLUMNS:
        return table.number(row, on)
    points = table.points(row)
    return points if on == "points" else float(points == RATED[on])


def _arm(number: int, name: str, deals: Mapping[int, list[float]], beyond: int) -> Arm:
    size = max(map(len, deals.values()))
    whole = {deal: tuple(values) for deal, values in deals.items() if len(values) == size}
    return Arm(number, name, whole, beyond + sum(len(values) for values in deals.values() if len(values) < size))


def prefix(chosen: tuple[Arm, ...]) -> Array:
    """Means of the longest run of deals, from the first on, that have ended in all arms: float64[arms, deals].

    A deal in which a match failed is passed over, as a stop rule does (`worker.looks`).
    """
    deal = min(min({*arm.deals, *arm.failed}, default=0) for arm in chosen)
    numbers = []
    while all(deal in arm.deals or deal in arm.failed for arm in chosen):
        if all(deal in arm.deals for arm in chosen):
            numbers.append(deal)
        deal += 1
    return np.array([[np.mean(arm.deals[number]) for number in numbers] for arm in chosen])


def ranked_matches(path: Path) -> tuple[tuple[str, ...], tuple[Ranking, ...]]:
    """Names of players, and their matches: an export of a ladder, or columns a, b, result (of a), deal."""
    table = read(path, ("deal",))
    if {"a", "b", "result"} <= set(table.columns):
        return _pair_matches(table)
    for name in (*OF_LADDERS, *([] if PLAYER in table.columns else [TABLE_NAME])):
        if name not in table.columns:
            raise InputError(f"{path} has neither the columns a, b, result nor that of an export of a ladder, {name!r}")
    return _table_matches(table)


def _pair_matches(table: Table) -> tuple[tuple[str, ...], tuple[Ranking, ...]]:
    names: dict[str, int] = {}
    matches = []
    for row in table.rows:
        a, b = (row.cells[column].strip() for column in ("a", "b"))
        if not a or not b or a == b:
            raise table.error(row, f"a and b must be two players, not {a!r} and {b!r}")
        players = names.setdefault(a, len(names)), names.setdefault(b, len(names))
        matches.append(Ranking(table.whole(row, "deal"), players, RANKS[table.points(row)]))
    return tuple(names), tuple(matches)


def _table_matches(table: Table) -> tuple[tuple[str, ...], tuple[Ranking, ...]]:
    """Matches of the whole deals of each table."""
    names: dict[str, int] = {}
    players = _players(table, names)
    deals: dict[int, dict[int, dict[str, dict[int, int]]]] = defaultdict(lambda: defaultdict(lambda: defaultdict(dict)))
    for row in table.rows:
        arm, deal = table.whole(row, "arm"), table.whole(row, "deal")
        ranks = deals[arm][deal][row.cells["match"]]
        if row.cells["status"] == "finished" and row.cells.get("counts", "1") != "0":
            ranks[table.whole(row, "place")] = table.whole(row, "rank")
    matches = []
    for arm, of_arm in sorted(deals.items()):
        size, places = max(map(len, of_arm.values())), set(range(len(players[arm])))
        for deal, of_deal in sorted(of_arm.items()):
            if len(of_deal) == size and all(places <= ranks.keys() for ranks in of_deal.values()):
                for ranks in of_deal.values():
                    own = [ranks[place] for place in range(len(players[arm]))]
                    matches.append(Ranking(deal, players[arm], tuple(1 + sum(x < rank for x in own) for rank in own)))
    return tuple(names), tuple(matches)


def _players(table: Table, names: dict[str, int]) -> dict[int, tuple[int, ...]]:
    """Who sits at each table, in the order of places: by the column of players, or by a name as "Ada v Bo"."""
    first: dict[int, Row] = {}
    by_place: dict[int, dict[int, str]] = defaultdict(dict)
    for row in table.rows:
        arm = table.whole(row, "arm")
        first.setdefault(arm, row)
        if PLAYER in table.columns:
            by_place[arm][table.whole(row, "place")] = row.cells[PLAYER]
    found: dict[int, tuple[int, ...]] = {}
    for arm, row in first.items():
        if PLAYER in table.columns:
            at_table = list(dict.fromkeys(name for _, name in sorted(by_place[arm].items())))  # partners are one
        else:
            at_table = row.cells[TABLE_NAME].split(BETWEEN)
        if len(at_table) < 2 or len(set(at_table)) < len(at_table):
            column = PLAYER if PLAYER in table.columns else TABLE_NAME
            what = f"{column} must name two players or more of a table, such as 'Ada{BETWEEN}Bo'"
            raise table.error(row, f"{what}, not {BETWEEN.join(at_table)!r}")
        found[arm] = tuple(names.setdefault(name, len(names)) for name in at_table)
    return found


def level_matches(game_id: str) -> tuple[tuple[str, ...], tuple[Ranking, ...]]:
    """Names of a game's levels, and the matches of each against the next; a pair's deals are its own."""
    known = levels.for_game(game_id)
    matches: list[Ranking] = []
    names: list[str] = [known[0].label] if known else []
    deal = 0
    for place, (level, above) in enumerate(itertools.pairwise(known)):
        measured = level.against_next
        if measured is None:
            break
        names.append(above.label)
        for wins, draws, count in measured.deals:
            losses = measured.matches_per_deal - wins - draws
            for _ in range(count):
                results = ((1.0, wins), (0.5, draws), (0.0, losses))
                matches += [
                    Ranking(deal, (place, place + 1), RANKS[points], times) for points, times in results if times
                ]
                deal += 1
    if not matches:
        raise InputError(f"nobody has measured the levels of {game_id}")
    return tuple(names), tuple(matches)
