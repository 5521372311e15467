"""Types of what is answered about several experiments. Intervals are [low, high]."""

from __future__ import annotations

from ninja import Field, Schema

Pair = list[float]
"""Both ends of an interval."""


class ComparedOut(Schema):
    """One experiment. All others name it by its place in this list, from 0."""

    number: int
    job: str = Field(description="As it was asked for: a number of yours, or the slug of a shared page")
    title: str
    game: str
    status: str
    matches: int = Field(description="Distinct ones that have a result")
    answer: str | None = Field(description="The sentence of its own page; null where its spec cannot be read any more")


class SameMatches(Schema):
    """Deals whose matches another run has played, too: they count once, in that run."""

    deals: int
    of: int | None = Field(description="The place of that run")


class RunOut(Schema):
    """One experiment's difference. The interval is always valid, 95 %, for one comparison."""

    experiment: int
    mean: float | None
    interval: Pair | None
    deals: int
    is_pooled: bool
    counted_deals: int = Field(description="Those that no other pooled run has counted")
    same_matches: SameMatches | None
    differs: list[str] = Field(description="In what it differs from the pooled runs, else from the first, but for luck")
    never_pooled: str | None = Field(description="What makes it another question altogether")


class HeterogeneityOut(Schema):
    """Whether runs on deals of their own agree."""

    q: float = Field(description="Cochran's statistic")
    freedom: int
    p: float = Field(description="By Welch's test")
    i_squared: float = Field(description="Part of the variation beyond luck, from 0 to 1")
    tau: float = Field(description="Standard deviation between runs (Paule and Mandel)")
    tau_interval: Pair = Field(description="95 %, of the Q profile")


class CommonDealsOut(Schema):
    """Whether runs on the same deals agree."""

    q: float
    freedom: float
    p: float


class NextRunOut(Schema):
    """Where one more run falls with 95 %."""

    deals: int
    interval: Pair


class LeftOutOut(Schema):
    """One run less all others together."""

    experiments: list[int]
    difference: float | None
    z: float | None = Field(description="The difference in standard errors")
    p_holm: float | None = Field(description="Corrected for the number of runs")
    others: float | None = Field(description="What the others come to without it")
    is_odd_one_out: bool


class PooledOut(Schema):
    """Runs together."""

    mean: float | None
    interval: Pair | None
    is_always_valid: bool = Field(description="Else for one look")
    method: str = Field(description="sums of deals, or random effects")
    deals: int
    runs: int
    heterogeneity: HeterogeneityOut | None
    on_common_deals: CommonDealsOut | None
    next_run: NextRunOut | None
    left_out: list[LeftOutOut]


class ContrastOut(Schema):
    """One side less a baseline, in all experiments that compare them."""

    side: str
    baseline: str
    runs: list[RunOut]
    pooled: PooledOut | None = Field(description="Null where nothing is pooled")


class SettingOut(Schema):
    """One setting of the specs, in words, for each experiment."""

    label: str
    values: list[str]
    differs: bool


class ComparisonOut(Schema):
    """Several experiments. Differences are percentage points of the win rate, points of the margin, or places."""

    format: str
    version: int
    as_of: str
    measure: str | None = Field(description="Null where no experiment compares anything")
    measures: list[str] = Field(description="Those that all have")
    sentence: str
    experiments: list[ComparedOut]
    contrasts: list[ContrastOut]
    settings: list[SettingOut]
