"""What a result page must say, number by number and line by line, by `recomputed`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain

from tests.webapp.lab.results import by_hand, recomputed
from tests.webapp.lab.results.recomputed import Compared, Deals, Ends, Export, Values, drawn, lost, won

Line = list[str]


def fixed(number: float, digits: int = 1) -> str:
    """A number as pages write it."""
    text = f"{number:.{digits}f}".replace("-", "\u2212")
    return text.lstrip("\u2212") if not text.strip("\u22120.") else text


def signed(number: float, digits: int = 1) -> str:
    """A difference as pages write it."""
    text = fixed(number, digits)
    return text if text.startswith("\u2212") or not text.strip("0.") else f"+{text}"


def span(ends: Ends | None, scale: float = 1.0, digits: int = 1, write: Callable[..., str] = fixed) -> Line:
    """Both ends; nothing where there are none."""
    return [write(scale * end, digits) for end in ends] if ends else []


def half(ends: Ends, digits: int = 1) -> str:
    """Half of an interval."""
    return f"±{fixed((ends[1] - ends[0]) / 2, digits)}"


def counts(deals: Callable[[Values], Deals]) -> Line:
    """Matches, wins, draws, losses."""
    return [str(sum(map(len, deals(won)))), *(f"{recomputed.total(deals(one)):.0f}" for one in (won, drawn, lost))]


@dataclass
class Page:
    """The numbers of one experiment, of which only the export and the plan are known.

    arms: how many; sides: at one table; planned: deals; on: what is judged, "win", "margin" or "place".
    """

    export: Export
    arms: int
    sides: int
    planned: int
    on: str

    @cached_property
    def compared(self) -> list[tuple[int, int]]:
        """Arm and side of each row of the main table."""
        return [(arm, 0) for arm in range(self.arms)] if self.arms > 1 else [(0, side) for side in range(self.sides)]

    def values(self, row: tuple[int, int], value: Values, seat: int | None = None) -> Deals:
        """Values of a row."""
        return self.export.deals(*row, value, seat)

    # ---- differences

    @cached_property
    def pairs(self) -> list[tuple[tuple[int, int], tuple[int, int]]]:
        """Which rows are compared: arms with the first one, or every two sides."""
        rows = self.compared
        if self.arms > 1:
            return [(row, rows[0]) for row in rows[1:]]
        return [(one, two) for i, one in enumerate(rows) for two in rows[i + 1 :]]

    @property
    def confidence(self) -> float:
        """Of each interval of a difference (Bonferroni)."""
        return 1 - 0.05 / len(self.pairs)

    @property
    def points(self) -> Values:
        """Arms are compared by margins, sides of one table by scores."""
        return recomputed.of("margin" if self.arms > 1 else "score")

    def both(self, pair: tuple[tuple[int, int], tuple[int, int]], value: Values) -> tuple[Deals, Deals]:
        """Values of two rows on their common deals."""
        if self.arms > 1:
            return self.export.pair(pair[0][0], pair[1][0], value)
        return self.values(pair[0], value), self.values(pair[1], value)

    def differences(self, what: str) -> list[Compared]:
        """All of one kind: "win", "points" or "place"."""
        if what == "win":
            found = [recomputed.rate_difference(*self.both(pair, won), self.confidence) for pair in self.pairs]
            return found
        value = self.points if what == "points" else lambda row: -float(row["rank"])
        found = [recomputed.difference(*self.both(pair, value), self.confidence) for pair in self.pairs]
        if what == "place":
            found = [replace(one, ends=self._clipped(one.ends)) for one in found]
        return found

    def _clipped(self, ends: Ends | None) -> Ends | None:
        """No more places than there are to gain or to lose."""
        most = self.sides - 1
        return (max(-most, ends[0]), min(most, ends[1])) if ends else None

    @cached_property
    def judged(self) -> list[Compared]:
        """What the forest shows, in the order of `pairs`."""
        return self.differences({"win": "win", "margin": "points", "place": "place"}[self.on])

    @property
    def scale(self) -> float:
        """Of a difference that is judged."""
        return 100.0 if self.on == "win" else 1.0

    @property
    def digits(self) -> int:
        """Of a difference that is judged."""
        return 2 if self.on == "place" else 1

    def judged_words(self, found: Compared, sign: int = 1) -> Line:
        """A difference and its interval, as the forest has them."""
        assert found.ends
        ends = sorted((sign * found.ends[0], sign * found.ends[1]))
        return [
            signed(sign * self.scale * found.mean, self.digits),
            *span((ends[0], ends[1]), self.scale, self.digits, signed),
        ]

    def level(self, row: tuple[int, int]) -> str:
        """How a row did by itself."""
        if self.on == "win":
            return fixed(100 * recomputed.mean(self.values(row, won)))
        if self.on == "margin":
            return signed(recomputed.mean(self.values(row, recomputed.of("margin"))))
        return fixed(recomputed.mean(self.values(row, recomputed.of("rank"))), 2)

    # ---- lines of the page

    def forest(self, order: Sequence[tuple[int, int, int]], baseline: tuple[int, int]) -> list[Line]:
        """Heading and rows. order: of each row, its pair, its sign, and which row of the table it is."""
        rows = [[self.level(self.compared[row]), *self.judged_words(self.judged[i], sign)] for i, sign, row in order]
        return [["95"], *rows, [self.level(baseline), "0"]]

    def main_table(self) -> list[Line]:
        """Heading, and a row for each arm or side."""
        lines = [["95"]]
        for row in self.compared:
            wins, margins = self.values(row, won), self.values(row, recomputed.of("margin"))
            lines.append(
                [
                    *self._failed(row),
                    *counts(lambda value, row=row: self.values(row, value)),  # type: ignore[misc]
                    fixed(100 * recomputed.mean(wins)),
                    *span(recomputed.rate(wins), 100),
                    fixed(recomputed.mean(self.values(row, recomputed.of("score")))),
                    signed(recomputed.mean(margins)),
                    half(recomputed.student(margins)),
                ]
            )
        return lines

    def _failed(self, row: tuple[int, int]) -> Line:
        """Matches that failed because of the side."""
        failed = [
            rows
            for (arm, _, _), rows in self.export.matches.items()
            if arm == row[0] and rows[0]["status"] == "failed"
            if int(rows[int(rows[0]["failure_seat"])]["place"]) == row[1]
        ]
        return [str(len(failed))] if failed else []

    def places(self) -> list[Line]:
        """Heading, rows and note of the places."""
        lines = [[str(place) for place in range(1, self.sides + 1)]]
        for row in self.compared:
            ranks, line = self.values(row, recomputed.of("rank")), []
            for place in range(1, self.sides + 1):
                came = [[float(rank == place) for rank in deal] for deal in ranks]
                line += [fixed(100 * recomputed.mean(came)), *span(recomputed.rate(came), 100)]
            ends = by_hand.place_bounds([[int(rank) for rank in deal] for deal in ranks], self.sides)
            lines.append([*line, fixed(recomputed.mean(ranks), 2), *span(ends, digits=2)])
        return [*lines, ["95"]]

    def seats(self) -> list[Line]:
        """Rows of what a seat is worth, and its note."""
        teams = self.export.teams
        lines = []
        for seat in range(2 if teams else self.sides):
            wins, margins = self.export.seat(seat, won), self.export.seat(seat, recomputed.of("margin"))
            lines.append(
                [
                    *counts(lambda value, seat=seat: self.export.seat(seat, value)),  # type: ignore[misc]
                    fixed(100 * recomputed.mean(wins)),
                    *span(recomputed.rate(wins), 100),
                    signed(recomputed.mean(margins)),
                    half(recomputed.student(margins)),
                ]
            )
        decisive = self.export.by_deal(
            lambda match: won(match[0]) if any(row["result"] == "win" for row in match) else None
        )
        first = self.export.by_deal(_lead)
        share = [fixed(100 * recomputed.mean(decisive)), *span(recomputed.rate(decisive), 100)]
        fair = fixed(100 / (2 if teams else self.sides))
        lead = [signed(recomputed.mean(first)), half(recomputed.student(first))]
        return [*lines, [*share, str(sum(map(len, decisive))), fair, *lead]]

    def by_seat(self) -> list[Line]:
        """Rows of each side in each seat."""
        lines = []
        teams = self.export.teams
        for row in self.compared:
            for seat in range(2 if teams else self.sides):
                margins = self.values(row, recomputed.of("margin"), seat)
                lines.append(
                    [
                        *counts(lambda value, row=row, seat=seat: self.values(row, value, seat)),  # type: ignore[misc]
                        fixed(100 * recomputed.mean(self.values(row, won, seat))),
                        fixed(recomputed.mean(self.values(row, recomputed.of("score"), seat))),
                        signed(recomputed.mean(margins)),
                        half(recomputed.student(margins)),
                    ]
                )
        return lines

    def difference_table(self, left_out: int = 0) -> list[Line]:
        """Rows of the differences, and their note."""
        kinds = [("win", 100.0, 1), ("points", 1.0, 1), *([("place", 1.0, 2)] if self.sides > 2 else [])]
        columns = []
        for what, scale, digits in kinds:
            found = self.differences(what)
            corrected = recomputed.holm([one.p for one in found])
            columns.append(
                [
                    [signed(scale * one.mean, digits), *span(one.ends, scale, digits, signed), *_p(p)]
                    for one, p in zip(found, corrected, strict=True)
                ]
            )
        ratios = [fixed(one.ratio, 2) for one in self.differences("points")]
        deals = [str(len(self.both(pair, won)[0])) for pair in self.pairs]
        rows = [[deals[i], *chain(*(column[i] for column in columns)), ratios[i]] for i in range(len(self.pairs))]
        family = str(len(self.pairs))
        note = ["1"] if self.arms > 1 else []
        many = [fixed(100 * self.confidence, 2), family, "95", "0", "5", family, "0.05", "0"]
        note += many if len(self.pairs) > 1 else ["0"]
        return [*rows, note + ([str(left_out)] if left_out else [])]

    def every_look(self) -> list[Line]:
        """Rows of what held at every look, and their note."""
        lines = []
        for row in self.compared:
            line = span(recomputed.every_look_rate(self.values(row, won)), 100)
            line += span(recomputed.every_look(self.values(row, recomputed.of("margin")), self.planned), write=signed)
            if self.sides > 2:
                ranks = self.values(row, recomputed.of("rank"))
                line += span(recomputed.places_every_look(ranks, self.sides), digits=2)
            lines.append(line)
        for pair in self.pairs:
            rates = recomputed.every_look_rate_difference(*self.both(pair, won), self.confidence)
            line = span(rates, 100, write=signed)
            line += span(self._looked(pair, self.points), write=signed)
            if self.sides > 2:
                line += span(self._clipped(self._looked(pair, lambda row: -float(row["rank"]))), digits=2, write=signed)
            lines.append(line)
        return [*filter(None, lines), ["95"]]

    def _looked(self, pair: tuple[tuple[int, int], tuple[int, int]], value: Values) -> Ends | None:
        return recomputed.every_look_difference(*self.both(pair, value), self.planned, self.confidence)

    def arms_section(self, note: Line, left_out: int = 0) -> list[list[str]]:
        """The whole section of the tables. note: numbers of the note below the main one."""
        between = self.difference_table(left_out)
        parts = [self.main_table(), [note]]
        if self.sides > 2:
            parts += [self.places()]
        if self.arms == 1:
            parts += [between]
        parts += [[["95"]], self.seats(), self.by_seat()]
        if self.arms > 1:
            parts += [between]
        return [*chain(*parts), *self.every_look()]


def _p(p: float) -> Line:
    return ["0.001"] if p < 0.001 else [fixed(p, 3)]


def _lead(match: list[recomputed.Row]) -> float:
    scores = [float(row["score"]) for row in match]
    if "team" in match[0]:
        return scores[0] - scores[1]
    return scores[0] - sum(scores[1:]) / (len(scores) - 1)
