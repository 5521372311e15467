"""A family of verdicts: how many differences chance alone would make, and how many are left beyond that."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from worker.analysis import holm


@dataclass(frozen=True)
class Family:
    """Comparisons that are judged together. judged: how many; by_chance: how many of them are open to chance.

    differ: how many do; expected: how many would on average if nothing differed, at most; exact: differences among
    those that differ which nothing leaves to chance. after_holm: how many are left, exact ones included, if the chance
    that any of them is wrong is to be 5 % at most.
    """

    judged: int
    by_chance: int
    differ: int
    expected: float
    exact: int
    after_holm: int

    @classmethod
    def of(cls, members: Iterable[tuple[float | None, float, bool]]) -> Family:
        """Members: p (None: unknown, or nothing is left to chance), level of the test, and whether it differs.

        The number expected is the sum of the levels whatever depends on what, and Holm's correction (1979)
        holds for all dependence, too. A level of 0 says that nothing is left to chance.
        """
        rows = list(members)
        open_rows = [row for row in rows if row[1] > 0]
        exact = sum(differs for _, level, differs in rows if not level)
        adjusted = holm.adjust([p for p, _, _ in open_rows])
        left = sum(holm.is_rejected(p) and row[2] for p, row in zip(adjusted, open_rows, strict=True))
        return cls(
            judged=len(rows),
            by_chance=len(open_rows),
            differ=sum(differs for _, _, differs in rows),
            expected=sum(level for _, level, _ in open_rows),
            exact=exact,
            after_holm=left + exact,
        )
