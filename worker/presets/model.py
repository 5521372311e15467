"""Presets: a published table or figure, how we rebuild it, and which number is which."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from engines import bench_positions
from worker.analysis.rates import Share
from worker.analysis.verdict import Judgement, Levels, Sample, judge_claim, judge_exact, judge_samples, judge_shares
from worker.presets.numbers import Numbers, Quantity
from worker.presets.papers import Paper
from worker.spec import read, seatings, write

SCALES: Mapping[str, str] = {"quick": "Quick", "standard": "Standard", "published": "As published"}
"""Scale -> its name on pages. Quick: as many deals as a minute of CPU time holds (docs/findings/verdicts.md); standard:
12 minutes on 2 cores."""
_UNPUBLISHED_SCALES = {**SCALES, "published": "Thorough"}
"""The same where there is no publication to be like."""


@dataclass(frozen=True)
class Claim:
    """A statement without a number: that the value lies from low to high."""

    low: float
    high: float
    words: str


Figure = Share | Sample | Claim | float | int | str
"""A share, a mean, a claim, a number without error, or words."""
Judge = Callable[[Any, Any, Levels], Judgement | None]
"""Judges ours beside the published figure."""


@dataclass(frozen=True)
class Measure:
    """Measure of a cell: what it counts and how it is judged; judge None: shown, never judged.

    margin: a difference that is too small to matter, in words; factor: figures are shown times this; unit: what one
    more of which is needed where the unit is not the deal ("positions").
    """

    unit: str
    digits: int
    judge: Judge | None
    margin: str = ""
    factor: float = 1.0
    needs: str = "matches"


def mean_margin(value: float, least: float, part: float) -> float:
    """Margin of a mean: a part of the published value, or at least so much."""
    return max(least, part * abs(value))


def _rate(ours: Share, published: Share, levels: Levels) -> Judgement | None:
    return judge_shares(ours, published, RATE_MARGIN, levels)


def _mean(least: float, part: float) -> Judge:
    def judge(ours: Sample, published: Sample, levels: Levels) -> Judgement:
        return judge_samples(ours, published, mean_margin(published.value, least, part), levels)

    return judge


def _claim(ours: Share | Sample, claim: Claim, levels: Levels) -> Judgement | None:
    return judge_claim(ours, claim.low, claim.high, levels)


RATE_MARGIN = 0.05
LEAST_POINTS, PART = 2.0, 0.1
"""Margin of scores and leads: a tenth of the published value, or two points."""
RATE = Measure("%", 1, _rate, "5 points", factor=100.0)
"""A share of matches."""
SCORE = Measure("points", 1, _mean(LEAST_POINTS, PART), "10 %, at least 2 points")
"""A mean of points."""
MEAN = Measure("", 2, _mean(0.0, PART), "10 %")
"""Any other mean per match."""
NODES = Measure("nodes", 0, _mean(0.0, 0.25), "25 %", needs="positions")
"""Nodes of a search, mean over positions."""
CLAIM = Measure("%", 1, _claim, "the range that the text states", factor=100.0)
"""A share of which the text only says on which side of a bound it lies."""
CLAIM_MEAN = Measure("", 1, _claim, "the range that the text states")
"""A mean of which the text only says on which side of a bound it lies."""
MARGIN = SCORE
"""A mean lead in points."""
GAIN = Measure("%", 1, _mean(RATE_MARGIN, 0.0), "5 points", factor=100.0, needs="positions")
"""Nodes saved."""
FACTOR_2 = Measure("", 2, _mean(math.log10(2), 0.0), "a factor of two")
"""A decimal logarithm of a mean number of games."""
SPEED = Measure("a second", 0, None)
SECONDS = Measure("s", 3, None)
EXTREME = Measure("points", 0, None)
TIME = Measure("ms", 1, None)
SHARE_SHOWN = Measure("%", 0, None, factor=100.0)
SHOWN = Measure("", 2, None)
WHOLE = Measure("", 0, None)


def exact(digits: int | None) -> Measure:
    """A number without chance; digits: significant ones that are printed (None: whole)."""
    margin = "every digit" if digits is None else "the digits printed"
    return Measure("", 0, lambda ours, published, _: judge_exact(ours, published, digits), margin, needs="")


@dataclass(frozen=True)
class Reason:
    """Reason why we expect another number.

    evidence: what shows it, where anybody can see it; "" where that is open. tried: what has been tried to explain it,
    and the figure that came of it.
    """

    words: str
    evidence: str = ""
    tried: tuple[tuple[str, str], ...] = ()

    @property
    def is_open(self) -> bool:
        """Whether nothing shows it yet."""
        return not self.evidence


Found = Share | Sample | float | None
"""A figure of ours; None: there is none yet."""


@dataclass(frozen=True)
class AsRun:
    """Where the same figure is found by the authors' program as it ran, or most likely ran. arm: as in `Cell`."""

    ours: Callable[[Numbers], Found]
    arm: int | None = None


@dataclass(frozen=True)
class Cell:
    """One published figure, and where ours is found. reason: why we expect another number.

    ours: by the method as the paper describes it; as_run: by that of the authors' program, where it differs.
    seatings: how many seatings a match may have, where the figure counts those of one of them;
    x: where it stands on the preset's curve or sweep; arm: whose budget it was reached with, and without
    which a scale does not have it. is_counted: whether it adds to the counts of verdicts: of figures that set the
    same matches of the paper beside the same ones of ours only one does.
    """

    group: str
    label: str
    published: Figure | None
    ours: Callable[[Numbers], Found]
    measure: Measure
    reason: Reason | None = None
    seatings: int = 1
    x: float | None = None
    arm: int | None = None
    is_counted: bool = True
    as_run: AsRun | None = None

    @property
    def of_program(self) -> Cell | None:
        """The same figure by the authors' program."""
        found = self.as_run
        return None if found is None else replace(self, ours=found.ours, arm=found.arm, as_run=None, reason=None)


@dataclass(frozen=True)
class Curve:
    """Curve through the cells of a group that have an x.

    x, y: titles of the axes; level: group of the one value that is the same everywhere, a line across.
    families: with these the groups are stacked instead, first one lowest; numbers from 0 to 4, one a
    group: those of a family are shades of one colour.
    """

    x: str
    y: str
    is_x_log: bool = False
    is_y_log: bool = False
    level: str = ""
    families: tuple[int, ...] = ()


@dataclass(frozen=True)
class Scale:
    """One size of the rebuilt experiment. spec: of an experiment or (with key "study") of a study.

    places: the preset's arm of each arm of the spec; empty where it has the first ones.
    """

    words: str
    spec: Mapping[str, Any]
    places: tuple[int, ...] = ()

    @property
    def job(self) -> str:
        """Kind of job that it starts, an "experiment" or a "study"."""
        return "study" if "study" in self.spec else "experiment"

    @property
    def is_study(self) -> bool:
        """Whether it is a job without matches."""
        return self.job == "study"

    def plays(self, arm: int) -> bool:
        """Whether it has this arm of the preset: a small scale may leave the dearest ones out."""
        return self.is_study or (arm in self.places if self.places else arm < len(self.arms))

    def budget(self, arm: int) -> Mapping[str, Any]:
        """Budget of the first place of an arm on a ply, as specs write it; of a study nothing."""
        if self.is_study:
            return {}
        first = self.arms[self.places.index(arm) if self.places else arm]["seats"][0]
        found: Mapping[str, Any] = first.get("budget", {})
        return found

    @property
    def arms(self) -> Sequence[Mapping[str, Any]]:
        """Its arms, all of those that a sweep makes."""
        whole = write.to_json(read.from_json(self.spec)) if "sweep" in self.spec else self.spec
        found: Sequence[Mapping[str, Any]] = whole["arms"]
        return found

    @property
    def deals(self) -> int:
        """Deals of each arm; 0 of a study."""
        return 0 if self.is_study else int(self.spec["deals"])

    @property
    def seatings(self) -> int:
        """Matches of a deal; 1 of a study."""
        return 1 if self.is_study else self.units // self.deals

    @property
    def units(self) -> int:
        """Matches of each arm, or of a study positions, else matches; 0 where it has neither."""
        if not self.is_study:
            rotation, line_up = self.spec.get("rotation", seatings.ALL), self.spec["arms"][0]["seats"]
            return int(self.spec["deals"]) * seatings.num_seatings(rotation, line_up)
        parameters, stored = self.spec["parameters"], len(bench_positions.load(str(self.spec["game"])))
        chosen = parameters.get("positions", parameters.get("matches", 0))
        return stored if chosen == "all" else chosen if isinstance(chosen, int) else len(chosen)


@dataclass(frozen=True)
class Program:
    """What the authors' program did otherwise than their paper says, or most likely did.

    did: what; known: how one knows; teaches: what the difference teaches, in a sentence that holds whatever our
    figures say; is_certain: whether its source or its logs show it; is_fitted: whether it was chosen because its
    figures come near the printed ones, which then show nothing.
    """

    did: str
    known: str
    teaches: str
    is_certain: bool = False
    is_fitted: bool = False

    @property
    def doubt(self) -> str:
        """What is to be said of it wherever it stands: empty, "chosen to fit" or "open"."""
        return "" if self.is_certain else "chosen to fit" if self.is_fitted else "open"


@dataclass(frozen=True)
class Preset:
    """A published table or figure.

    question: what it asks; method: how the paper found its figures; notes: what differs here;
    quantities: metrics that cells count beside results and scores; curve: how cells with an x are drawn;
    program: of cells that say where they are found as the authors' program ran.
    """

    id: str
    title: str
    paper: Paper
    where: str
    game: str
    question: str
    method: str
    scales: Mapping[str, Scale]
    cells: tuple[Cell, ...]
    notes: tuple[str, ...] = ()
    quantities: tuple[Quantity, ...] = ()
    curve: Curve | None = None
    program: Program | None = None

    @property
    def full_title(self) -> str:
        """The title of its experiments: "Heyden 2009, Table 6.1: ..."."""
        return f"{self.paper.short}, {self.where}: {self.title}"

    def places(self, spec: Mapping[str, Any]) -> tuple[int, ...]:
        """The preset's arm of each arm of a spec of its: by their names in the largest scale, else by their order."""
        largest = list(self.scales.values())[-1].spec
        if "arms" not in spec or "sweep" in spec or "arms" not in largest:
            return tuple(range(len(spec.get("arms", ()))))
        names, known = ([arm.get("name") for arm in one["arms"]] for one in (spec, largest))
        is_named = len(set(known)) == len(known) and set(names) <= set(known)
        return tuple(known.index(name) for name in names) if is_named else tuple(range(len(names)))

    @property
    def of_program(self) -> Preset:
        """The cells that are found by the authors' program too, by that alone."""
        cells = (cell.of_program for cell in self.cells)
        return replace(self, cells=tuple(cell for cell in cells if cell is not None), program=None)

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """All reasons that its cells give, each once."""
        return tuple(dict.fromkeys(cell.reason for cell in self.cells if cell.reason is not None))

    @property
    def open(self) -> tuple[Reason, ...]:
        """The reasons that nothing shows yet."""
        return tuple(reason for reason in self.reasons if reason.is_open)

    @property
    def is_published(self) -> bool:
        """Whether the paper says anything of its figures: else there is nothing to compare them with."""
        return any(cell.published is not None for cell in self.cells)

    @property
    def scale_names(self) -> Mapping[str, str]:
        """Scale -> its name on pages."""
        return SCALES if self.is_published else _UNPUBLISHED_SCALES
