"""Numbers of a run so far, with which published cells are compared.

The same from match records (`Collector`) and from rows of a database.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from games import registry
from games.protocol import NUM_TEAMS
from worker.analysis.moments import BlockMoments, Moments
from worker.analysis.rates import Share
from worker.analysis.several import Estimates
from worker.analysis.verdict import Sample
from worker.records import MatchRecord
from worker.spec import ExperimentSpec


@dataclass(frozen=True)
class Quantity:
    """The total of some metrics of a seat, per match or per total of others.

    top, per: ids of the game's metrics; per empty: for each match. reaches: what is counted is not
    the total, but whether it is so much, or more.
    """

    id: str
    top: tuple[str, ...]
    per: tuple[str, ...] = ()
    reaches: float | None = None

    def of(self, metrics: Mapping[str, float]) -> float:
        """Value that one match of a seat adds."""
        total = sum(metrics[name] for name in self.top)
        return total if self.reaches is None else float(total >= self.reaches)


WINS, DRAWS, SCORE, MARGIN = "wins", "draws", "score", "margin"
"""Ids under which `Numbers.blocks` has the matches won, those drawn, points, and points less the best opponent's."""


@dataclass(frozen=True)
class SeatTally:
    """Results of one side of an arm's line-up in one seat."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    scores: Moments = field(default_factory=Moments)
    lowest: float | None = None
    highest: float | None = None

    @property
    def matches(self) -> int:
        """Matches with a result."""
        return self.wins + self.draws + self.losses

    def __add__(self, other: SeatTally) -> SeatTally:
        lows = [value for value in (self.lowest, other.lowest) if value is not None]
        highs = [value for value in (self.highest, other.highest) if value is not None]
        return SeatTally(
            self.wins + other.wins,
            self.draws + other.draws,
            self.losses + other.losses,
            self.scores + other.scores,
            min(lows, default=None),
            max(highs, default=None),
        )


Side = tuple[int, int]
"""Arm, side of its line-up (`worker.spec.seatings`): the place, where no two are exchanged."""


class Key(NamedTuple):
    """What a figure of matches is the mean of: a quantity of one place of an arm, in one seat or (None) in all."""

    arm: int
    place: int
    seat: int | None
    quantity: str


@dataclass(frozen=True)
class Together:
    """Means of some cells of a preset, by their places among them, with what deals make common to them."""

    cells: tuple[int, ...]
    means: Estimates


@dataclass(frozen=True)
class Numbers:
    """seats: by arm, side and seat; blocks: of each side, results and quantities by id; study: a result.

    sides: of an arm in which several places are one side, how many sides there are; together: quantity ->
    the cells that are pooled (`worker.presets.pooling`); as_run: the same of `Preset.of_program`.
    """

    seats: Mapping[tuple[int, int, int], SeatTally] = field(default_factory=dict)
    blocks: Mapping[Side, Mapping[str, BlockMoments]] = field(default_factory=dict)
    study: Mapping[str, Any] = field(default_factory=dict)
    sides: Mapping[int, int] = field(default_factory=dict)
    together: Mapping[str, Together] = field(default_factory=dict, compare=False)
    as_run: Mapping[str, Together] = field(default_factory=dict, compare=False)

    def __add__(self, other: Numbers) -> Numbers:
        """The numbers of two runs that met different deals; those of studies do not add up."""
        if self.study or other.study:
            raise ValueError("results of studies do not add up")
        seats = {key: self.seats.get(key, SeatTally()) + row for key, row in other.seats.items()}
        blocks = {side: dict(self.blocks.get(side, {})) for side in self.blocks.keys() | other.blocks.keys()}
        for side, rows in other.blocks.items():
            for name, row in rows.items():
                blocks[side][name] = blocks[side].get(name, BlockMoments()) + row
        together, as_run = _pooled(self.together, other.together), _pooled(self.as_run, other.as_run)
        sides = {**self.sides, **other.sides}
        return Numbers({**self.seats, **seats}, blocks, sides=sides, together=together, as_run=as_run)

    def moved(self, places: Sequence[int]) -> Numbers:
        """The same numbers by the arms of a preset. places: its arm of each arm of the run (`Preset.places`)."""
        if list(places) == list(range(len(places))):
            return self
        seats = {(places[arm], side, seat): row for (arm, side, seat), row in self.seats.items()}
        blocks = {(places[arm], side): row for (arm, side), row in self.blocks.items()}
        return replace(self, seats=seats, blocks=blocks, sides={places[arm]: n for arm, n in self.sides.items()})

    @property
    def of_program(self) -> Numbers:
        """The same numbers with the pooled cells of `Preset.of_program` in place of the preset's own."""
        return replace(self, together=self.as_run, as_run={})

    def tally(self, arm: int, place: int, seat: int | None = None) -> SeatTally:
        """Results of a place in one seat, or (None) in all."""
        side = self._side(arm, place)
        rows = [row for (a, p, s), row in self.seats.items() if (a, p) == side and seat in (None, s)]
        return sum(rows, SeatTally())

    def wins(self, arm: int, place: int, seat: int | None = None) -> Share | None:
        """Share of matches won; None without any. In all seats the matches of a deal are no independent trials."""
        blocks = self._blocks(arm, place, WINS)
        if seat is None and blocks is not None:
            return Share.of_blocks(blocks)
        tally = self.tally(arm, place, seat)
        return Share(tally.wins, tally.matches) if tally.matches else None

    def score(self, arm: int, place: int, seat: int | None = None) -> Sample | None:
        """Mean score; None without matches. In all seats the deal is the unit."""
        if seat is None and self._blocks(arm, place, SCORE) is not None:
            return self.quantity(arm, place, SCORE)
        return Sample.of(self.tally(arm, place, seat).scores)

    def draws(self, arm: int, place: int) -> Share | None:
        """Share of matches drawn; None without any."""
        return self.share(arm, place, DRAWS)

    def share(self, arm: int, place: int, quantity: str) -> Share | None:
        """Share of matches that count for a quantity, which is 0 or 1 in each; None without any."""
        blocks = self._blocks(arm, place, quantity)
        return None if blocks is None else Share.of_blocks(blocks)

    def margin(self, arm: int, place: int) -> Sample | None:
        """Mean of own points less the best opponent's; None without matches."""
        return self.quantity(arm, place, MARGIN)

    def quantity(self, arm: int, place: int, quantity: str) -> Sample | None:
        """Mean of a quantity; None without any."""
        blocks = self._blocks(arm, place, quantity)
        return None if blocks is None else Sample.of_blocks(blocks, self.tally(arm, place).matches)

    def _side(self, arm: int, place: int) -> Side:
        return arm, place % self.sides[arm] if arm in self.sides else place

    def _blocks(self, arm: int, place: int, quantity: str) -> BlockMoments | None:
        return self.blocks.get(self._side(arm, place), {}).get(quantity)


def _pooled(ours: Mapping[str, Together], others: Mapping[str, Together]) -> dict[str, Together]:
    """The pooled cells that two runs have in common, added up."""
    return {
        name: Together(mine.cells, mine.means + others[name].means)
        for name, mine in ours.items()
        if name in others and others[name].cells == mine.cells
    }


@dataclass(frozen=True)
class _Asked(Numbers):
    """Numbers without any match, which note what they are asked for."""

    keys: list[Key] = field(default_factory=list)

    def wins(self, arm: int, place: int, seat: int | None = None) -> None:
        """Note it."""
        self.keys.append(Key(arm, place, seat, WINS))

    def score(self, arm: int, place: int, seat: int | None = None) -> None:
        """Note it."""
        self.keys.append(Key(arm, place, seat, SCORE))

    def share(self, arm: int, place: int, quantity: str) -> None:
        """Note it."""
        self.keys.append(Key(arm, place, None, quantity))

    def quantity(self, arm: int, place: int, quantity: str) -> None:
        """Note it."""
        self.keys.append(Key(arm, place, None, quantity))


def asked(ours: Callable[[Numbers], Any]) -> Key | None:
    """Which mean a figure is; None where it is none of matches, or made of several."""
    listener = _Asked()
    ours(listener)
    return listener.keys[0] if len(listener.keys) == 1 else None


class Collector:
    """Adds up match records as they come, deal by deal: only whole ones count."""

    def __init__(self, quantities: Sequence[Quantity], spec: ExperimentSpec) -> None:
        self.failed = 0
        self._quantities = quantities
        self._spec = spec
        self._waiting: dict[tuple[int, int], list[MatchRecord]] = {}
        self._seats: dict[tuple[int, int, int], SeatTally] = {}
        self._blocks: dict[tuple[int, int, str], dict[int, tuple[float, float]]] = {}
        self._deals: dict[Key, dict[int, tuple[float, float]]] = {}

    def write(self, records: Iterable[MatchRecord]) -> None:
        """Count the records."""
        for record in records:
            if record.failure is not None:
                self.failed += 1
                continue
            deal = self._waiting.setdefault((record.arm, record.deal), [])
            deal.append(record)
            if len(deal) == self._spec.num_seatings(record.arm):
                for match in self._waiting.pop((record.arm, record.deal)):
                    self._add_match(match)

    def _add_match(self, record: MatchRecord) -> None:
        last = num_speakers(self._spec.game, self._spec.num_sides(record.arm), len(record.lineup))
        for seat, result in enumerate(record.results):
            if record.lineup[seat] < last:
                self._add(record, seat, result)

    def _add(self, record: MatchRecord, seat: int, result: str) -> None:
        score, side = float(record.scores[seat]), record.lineup[seat] % self._spec.num_sides(record.arm)
        row = SeatTally(
            result == "win", result == "draw", result == "loss", Moments(1, score, score * score), score, score
        )
        key = (record.arm, side, seat)
        self._seats[key] = self._seats.get(key, SeatTally()) + row
        ahead = float(record.margin(seat))
        won, drawn = float(result == "win"), float(result == "draw")
        found = [(WINS, 1.0, won), (DRAWS, 1.0, drawn), (SCORE, 1.0, score), (MARGIN, 1.0, ahead)]
        for quantity in self._quantities:
            metrics = record.metrics[seat]
            if any(name not in metrics for name in (*quantity.top, *quantity.per)):
                continue  # such a match has no such metric
            size = sum(metrics[name] for name in quantity.per) if quantity.per else 1.0
            found.append((quantity.id, size, quantity.of(metrics)))
        for name, size, total in found:
            by_seat = self._deals.setdefault(Key(record.arm, side, seat, name), {})
            for deals in (self._blocks.setdefault((record.arm, side, name), {}), by_seat):
                before = deals.get(record.deal, (0.0, 0.0))
                deals[record.deal] = (before[0] + size, before[1] + total)

    def deals(self, key: Key) -> Mapping[int, tuple[float, float]]:
        """Number of values and their sum in each deal; empty for an arm that the spec does not have."""
        if key.arm >= len(self._spec.arms):
            return {}
        side = key.place % self._spec.num_sides(key.arm)
        if key.seat is not None:
            return self._deals.get(key._replace(place=side), {})
        return self._blocks.get((key.arm, side, key.quantity), {})

    def numbers(self) -> Numbers:
        """Numbers added so far."""
        blocks: dict[Side, dict[str, BlockMoments]] = {}
        for (arm, side, name), deals in self._blocks.items():
            rows = [Moments(round(size), total) for size, total in deals.values()]
            blocks.setdefault((arm, side), {})[name] = BlockMoments.of(rows)
        sides = {arm: self._spec.num_sides(arm) for arm in range(len(self._spec.arms))}
        return Numbers(dict(self._seats), blocks, sides=sides)


def num_speakers(game_id: str, num_sides: int, num_places: int) -> int:
    """Places of a line-up, from the first, whose rows count: of partners, who share their results, one."""
    return max(num_sides, NUM_TEAMS) if registry.get(game_id).traits.has_teams else num_places
