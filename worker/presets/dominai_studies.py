"""Questions that the DominAI paper leaves open: quality of beliefs, players by rounds and matches, luck of the deal."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from games.dominoes.belief import quality
from worker.analysis.rates import Share
from worker.analysis.verdict import Sample
from worker.presets.model import MARGIN, RATE, SHARE_SHOWN, SHOWN, Cell, Curve, Preset, Scale
from worker.presets.numbers import Numbers
from worker.studies import ladder
from worker.studies.belief_quality import CLASSES, LABELS

GAME, SEED = "dominoes", 2016
SCALES = ("quick", "standard", "published")
PLAYERS = {"greedy": "Greedy", "pimc": "PIMC"}
PLIES = tuple(range(0, 25, 2))
UNITS = {"round": "rounds", "match": "matches"}
AT_ONCE = "Rounds end as the paper says, as soon as no tile left fits. Its program ends them after three passes."

Made = Callable[..., Preset]
"""Makes a preset of the paper from an id and its fields."""


def presets(made: Made) -> Sequence[Preset]:
    """The presets that are studies."""
    return _beliefs(made), _ladder(made), _luck(made)


def _scales(study: str, sizes: Mapping[str, tuple[str, Mapping[str, Any]]]) -> dict[str, Scale]:
    """Scales of a study: words and parameters of each."""
    common = {"version": 1, "study": study, "game": GAME, "seed": SEED}
    return {
        name: Scale(words, {**common, "parameters": dict(parameters)}) for name, (words, parameters) in sizes.items()
    }


def _sample(found: Mapping[str, Any], n: int) -> Sample | None:
    """A mean of a study; its deviation is that of one of n units which alone would give the interval."""
    if found["mean"] is None:
        return None
    if found["interval"] is None or n < 2:
        return Sample(max(1, n), found["mean"])
    low, high = found["interval"]
    return Sample.of_interval(n, found["mean"], (high - low) / 2)


# ---- beliefs
def _beliefs(made: Made) -> Preset:
    sizes = {
        name: (
            f"{deals:,} rounds each, {worlds:,} worlds a position",
            {"players": list(PLAYERS), "deals": deals, "worlds": worlds},
        )
        for name, deals, worlds in zip(SCALES, (600, 600, 3000), (300, 1000, 1000), strict=True)
    }
    return made(
        "beliefs",
        where="Section III-C",
        title="how good is the belief?",
        question="Which chances does a belief give to the hands that the others really hold, and do they come true?",
        method="The paper updates a probability for each tile and seat, without a test of it; gamma is left for later.",
        scales=_scales("belief_quality", sizes),
        cells=tuple(cell for place in range(len(PLAYERS)) for name in LABELS for cell in _cells(place, name)),
        notes=(
            "Log-loss is the negative natural logarithm of the chance of the whole deal, before each turn of a round, "
            "of the seat on turn: the nearer to 0 the better. The paper's belief gives a deal the product of its "
            "chances for every tile, and so much of it to deals with hands of wrong sizes.",
            "Gamma is 0.5, of seats that lay the most pips; fitted play counts by half. Worlds are drawn exactly and "
            "weighed; effective worlds are the size of an unweighted sample that is as good, as a share.",
            "Calibration: chances of single tiles, what is certain left out.",
            AT_ONCE,
        ),
        curve=Curve(x="Ply of the round", y="Log-loss in nats"),
    )


def _cells(place: int, belief: str) -> Iterator[Cell]:
    """Cells on one belief about one player."""
    group = f"{list(PLAYERS.values())[place]}: {LABELS[belief]}"
    for ply in PLIES:
        yield Cell(group, f"Log-loss before ply {ply + 1}", None, _loss(place, belief, ply), SHOWN, x=float(ply + 1))
    yield Cell(group, "Nats gained on the exact posterior", None, _of(place, belief, "gain"), SHOWN)
    if belief in quality.WEIGHED:
        yield Cell(group, "Effective worlds", None, _effective(place, belief), SHARE_SHOWN)
    for k in range(CLASSES):
        label = f"Came true, of {10 * k} to {10 * k + 10} % predicted"
        yield Cell(group, label, None, _came(place, belief, k), SHARE_SHOWN)


def _belief(numbers: Numbers, place: int, name: str) -> Mapping[str, Any] | None:
    if not numbers.study:
        return None
    rows: list[Mapping[str, Any]] = numbers.study["players"][place]["beliefs"]
    return next(row for row in rows if row["id"] == name)


def _loss(place: int, name: str, ply: int) -> Callable[[Numbers], Sample | None]:
    def ours(numbers: Numbers) -> Sample | None:
        row = _belief(numbers, place, name)
        return _sample(row["plies"][ply], row["plies"][ply]["n"]) if row and ply < len(row["plies"]) else None

    return ours


def _of(place: int, name: str, key: str) -> Callable[[Numbers], Sample | None]:
    def ours(numbers: Numbers) -> Sample | None:
        row = _belief(numbers, place, name)
        return _sample(row[key], numbers.study["players"][place]["rounds"]) if row else None

    return ours


def _effective(place: int, name: str) -> Callable[[Numbers], float | None]:
    def ours(numbers: Numbers) -> float | None:
        rows = numbers.study["players"][place]["effective"] if numbers.study else []
        return next((row["all"]["mean"] for row in rows if row["id"] == name), None)

    return ours


def _came(place: int, name: str, k: int) -> Callable[[Numbers], float | None]:
    def ours(numbers: Numbers) -> float | None:
        row = _belief(numbers, place, name)
        return row["classes"][k]["came"] if row else None

    return ours


# ---- the ladder
def _ladder(made: Made) -> Preset:
    sizes = {
        name: (
            f"{2 * rounds:,} rounds and {2 * matches:,} matches each",
            {"pairs": ladder.every_pair(), "rounds": rounds, "matches": matches},
        )
        for name, rounds, matches in zip(SCALES, (100, 400, 2000), (16, 50, 300), strict=True)
    }
    found: list[Cell] = []
    for place, pair in enumerate(ladder.every_pair()):
        for unit, units in UNITS.items():
            found.append(Cell(pair["label"], f"{units.capitalize()} won", None, _won(place, unit), RATE))
        for unit in UNITS:
            found.append(Cell(pair["label"], f"Points a {unit} ahead", None, _points(place, unit), MARGIN))
        found.append(Cell(pair["label"], "CPU time of a decision, ms", None, _decision(place), SHOWN))
    return made(
        "ladder",
        where="the strategies",
        title="a ladder of strategies, by rounds and by matches",
        question="How many rounds, and how many matches to 100, does each strategy win against a greedy team, and ours "
        "against PIMC?",
        method="Not in the paper, which counts rounds of a few pairs only.",
        scales=_scales("ladder", sizes),
        cells=tuple(found),
        notes=(
            "Rounds and matches stand side by side: a small edge in rounds is a large one in matches, which have 13 "
            "rounds on average. 60 % of the rounds are 82 % of the matches.",
            "Each deal is played with the teams both ways, so that both hold the same hands; all pairs meet the same "
            "deals.",
            "Budgets are for one decision and count playouts, simulations or worlds, not time, so a run repeats "
            "exactly; what a decision takes stands beside them.",
            "Flat Monte Carlo, Flat UCB and UCT know no more of dominoes than its rules: each playout draws the hidden "
            "hands anew and goes on at random to the end of what is played, in a match through all later rounds. UCT "
            "explores with C = 30 points.",
            "Oracles see all hands and are no honest players.",
            AT_ONCE,
        ),
    )


def _pair(numbers: Numbers, place: int) -> Mapping[str, Any] | None:
    return numbers.study["pairs"][place] if numbers.study else None


def _won(place: int, unit: str) -> Callable[[Numbers], Share | None]:
    def ours(numbers: Numbers) -> Share | None:
        pair = _pair(numbers, place)
        if not pair or not pair[unit]["deals"]:
            return None
        told = pair[unit]
        trials = told["wins"] + told["draws"] + told["losses"]
        return Share(told["wins"], trials, told["won"]["effect"], told["won"]["freedom"])

    return ours


def _points(place: int, unit: str) -> Callable[[Numbers], Sample | None]:
    def ours(numbers: Numbers) -> Sample | None:
        pair = _pair(numbers, place)
        return _sample(pair[unit]["points"], pair[unit]["deals"]) if pair else None

    return ours


def _decision(place: int) -> Callable[[Numbers], float | None]:
    def ours(numbers: Numbers) -> float | None:
        pair = _pair(numbers, place)
        seconds = pair["decision_s"][0] if pair else None
        return None if seconds is None else 1000 * seconds

    return ours


# ---- luck of the deal
def _luck(made: Made) -> Preset:
    sizes = {
        name: (f"{deals:,} deals, both ways", {"one": "pimc", "other": "greedy", "deals": deals})
        for name, deals in zip(SCALES, (1400, 4000, 20_000), strict=True)
    }
    cells = (
        Cell("The deal", "Worth to the openers, points", None, _worth, MARGIN),
        Cell("The deal", "Won by perfect openers", None, _perfect, RATE),
        Cell("The result", "Share of its variance that the deal explains", None, _explained, SHARE_SHOWN),
        Cell("The result", "Won by the team that the deal favours", None, _favoured, RATE),
        Cell("PIMC v greedy", "Points a round ahead", None, _ahead, MARGIN),
        Cell("PIMC v greedy", "Standard deviation of a round", None, _deviation("played"), SHOWN),
        Cell("PIMC v greedy", "The same without the luck of the deal", None, _deviation("rest"), SHOWN),
    )
    return made(
        "luck",
        where="the deal",
        title="how much of a round is luck?",
        question="What is a deal worth if all four see all hands and play perfectly, and how much of a result is that?",
        method="Not in the paper, whose oracle alone sees the hands.",
        scales=_scales("deal_luck", sizes),
        cells=cells,
        notes=(
            "The worth of a deal is its double-dummy value from the opening lead: the points that perfect play of all "
            "four comes to when every hand is open.",
            "Each deal is played with the teams both ways: that takes luck out of comparisons; here it is measured.",
            AT_ONCE,
        ),
    )


def _worth(numbers: Numbers) -> Sample | None:
    worth = numbers.study.get("worth")
    return _sample(worth, worth["deals"]) if worth and worth["deals"] else None


def _perfect(numbers: Numbers) -> Share | None:
    worth = numbers.study.get("worth")
    return Share(worth["won"], worth["deals"]) if worth and worth["deals"] else None


def _explained(numbers: Numbers) -> float | None:
    found = numbers.study.get("correlation")
    return found["share"] if found else None


def _favoured(numbers: Numbers) -> Share | None:
    found = numbers.study.get("favoured")
    if not found or not found["rounds"]:
        return None
    return Share(found["won"], found["rounds"], found["effect"], found["freedom"])


def _ahead(numbers: Numbers) -> Sample | None:
    found = numbers.study.get("margin")
    return _sample(found, numbers.study["deals"]) if found else None


def _deviation(key: str) -> Callable[[Numbers], float | None]:
    def ours(numbers: Numbers) -> float | None:
        found = numbers.study.get("deviation")
        return found[key] if found else None

    return ours
