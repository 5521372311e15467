"""Stop rule that plays all planned deals."""

from __future__ import annotations

from dataclasses import dataclass

from worker.analysis.stop_rules import model
from worker.analysis.stop_rules.model import Array, Course, Drop, Expected, Stop, Truth


@dataclass(frozen=True, slots=True)
class FixedNumber:
    """Rule: all planned deals are played."""

    def first_stop(self, values: Array, planned: int) -> Stop | None:
        """The planned end; None before."""
        return model.at_planned(model.checked(values, planned), planned)

    def drops(self, values: Array, planned: int) -> tuple[Drop, ...]:
        """Nothing is dropped."""
        return ()

    def course(self, values: Array, planned: int) -> Course:
        """Only the deals: there is nothing to look at."""
        return model.course_of({}, model.checked(values, planned).shape[1])

    def expected(self, truth: Truth, planned: int) -> Expected:
        """All planned deals."""
        arms = len(truth.means)
        return Expected(planned, planned * arms, planned, planned * arms)
