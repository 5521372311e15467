"""The DominAI paper on team dominoes (2016): oracle, Imperfect Minimax and PIMC, by rounds.

Its program counted rounds in a way of its own: a printed figure stands beside rounds that were really won, and
beside ours as that program counts them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from worker.analysis.rates import Share
from worker.analysis.verdict import Sample
from worker.presets import cells, dominai_studies, papers
from worker.presets.model import (
    CLAIM_MEAN,
    MARGIN,
    RATE,
    SHARE_SHOWN,
    AsRun,
    Cell,
    Claim,
    Preset,
    Program,
    Reason,
    Scale,
)
from worker.presets.numbers import Numbers, Quantity

GAME, PAPER = "dominoes", "dominai"
SEED, SEATS, SEATINGS = 2016, 4, 2
BETAS = {"1/3": 1 / 3, "1/2": 0.5}
ROUND: Mapping[str, Any] = {"length": "round", "first_opener": "any"}
RULES: Mapping[str, Any] = {**ROUND, "block_end": "three_passes"}
"""Rounds as the authors' program ends them: of all presets of the paper's own experiments."""
COUNTED = Quantity("dominai_won", ("dominai_won",))

UNIT = (
    "What is counted are single rounds, as in the paper; the opener is drawn, and each deal is played with the teams "
    "both ways."
)
COUNTER = Program(
    did="It counted a round as won if the team went out or held fewer pips, even where an opponent had gone out.",
    known="The authors' own logs, recounted round by round, say so.",
    teaches="A round that the others win by going out is not won, however few pips the own team holds.",
    is_certain=True,
)
RECOUNTED = (
    "Beside a printed figure stands a recount of its published log by who really won. Both are of the same rounds, so "
    "one of them counts."
)
TOO_HIGH = Reason(
    "The printed figure counts rounds as won that the others won by going out.",
    "The authors' own logs, recounted round by round (docs/findings/papers.md); the column beside it counts as they "
    "did.",
)
PASSES = (
    "Rounds end after three passes in a row, as in the authors' program, even where the fourth seat could lay, and all "
    "searches know it."
)
BETA = "The logs' file names give beta as its inverse; printed depths 4, 5, 6, 8, 10, 12 prove that."
STARRED = "What weight the modified evaluation gave a tile that was laid is not known; here it is a point."


def greedy() -> dict[str, Any]:
    """The paper's baseline."""
    return {"engine": "scripted", "options": {"policy": "greedy"}, "budget": {}}


def engine(name: str, budget: Mapping[str, int | float] | None = None, **options: Any) -> dict[str, Any]:
    """A seat."""
    return {"engine": name, "options": options, "budget": dict(budget or {})}


def oracle(beta: float) -> dict[str, Any]:
    """Negamax over all hands."""
    return engine("oracle", alpha=5.0, beta=beta)


def ims(alpha: float, beta: str, **options: Any) -> dict[str, Any]:
    """Imperfect Minimax with the authors' pruning."""
    return engine("ims", alpha=float(alpha), beta=BETAS[beta], **{"pruning": "authors", **options})


def pimc(worlds: int, alpha: float, beta: str, **options: Any) -> dict[str, Any]:
    """PIMC with the paper's sampler, worlds drawn anew for every tile."""
    usual = {"sampler": "paper", "common": False, **options}
    return engine("pimc", {"simulations": worlds}, alpha=float(alpha), beta=BETAS[beta], **usual)


EXACT: Mapping[str, Any] = {"sampler": "exact", "common": True}


def experiment(arms: Mapping[str, tuple[Mapping[str, Any], Mapping[str, Any]]], deals: int) -> dict[str, Any]:
    """A spec: in each arm one team of a player against a team of another."""
    return {
        "version": 1,
        "game": GAME,
        "options": dict(RULES),
        "seats": SEATS,
        "arms": [{"name": name, "seats": [dict(one), dict(other)] * 2} for name, (one, other) in arms.items()],
        "deals": deals,
        "rotation": "all",
        "seed": SEED,
    }


def scales(
    arms: Mapping[str, tuple[Mapping[str, Any], Mapping[str, Any]]], deals: tuple[int, int, int]
) -> dict[str, Scale]:
    """Three sizes: deals of each arm, every deal with the teams both ways."""
    each = " each" if len(arms) > 1 else ""
    names = ("quick", "standard", "published")
    return {
        name: Scale(f"{SEATINGS * number:,} rounds{each}", experiment(arms, number))
        for name, number in zip(names, deals, strict=True)
    }


def preset(name: str, **values: Any) -> Preset:
    """A preset of this paper."""
    return Preset(id=f"dominai-{name}", paper=papers.paper(PAPER), game=GAME, **values)


def of_rounds(name: str, **values: Any) -> Preset:
    """A preset of rounds that are counted as the authors' program does, too."""
    return preset(name, quantities=(COUNTED,), program=COUNTER, **values)


def win_share(arm: int) -> Callable[[Numbers], Share | None]:
    """Share of the rounds of an arm that its first team wins."""
    return lambda n: n.wins(arm, 0)


def counted(arm: int) -> AsRun:
    """Share of the rounds of an arm that the authors' program counts as won by its first team."""
    return AsRun(lambda n: n.share(arm, 0, COUNTED.id), arm)


def tie_share(arm: int) -> Callable[[Numbers], Share | None]:
    """Share of the rounds of an arm that nobody wins."""
    return lambda n: n.draws(arm, 0)


def points(arm: int) -> Callable[[Numbers], Sample | None]:
    """Points a round that the first team of an arm gains more than the other."""
    return lambda n: n.margin(arm, 0)


def _shown(group: str, arm: int) -> tuple[Cell, Cell]:
    """Cells for which no figure is printed."""
    return (
        Cell(group, "Rounds tied", None, tie_share(arm), SHARE_SHOWN, arm=arm),
        Cell(group, "Points a round ahead", None, points(arm), MARGIN, arm=arm),
    )


def _of_log(group: str, row: Mapping[str, Any] | None, arm: int) -> tuple[Cell, ...]:
    """A printed row, its recount, and ours beside both; both judge the same rounds, so the recount alone is counted."""
    as_run = counted(arm)
    if row is None:
        return (Cell(group, "Won", None, win_share(arm), RATE, arm=arm, as_run=as_run), *_shown(group, arm))
    printed, true = (Share(row[key][0], sum(row[key])) for key in ("printed", "true"))
    how: dict[str, Any] = {"arm": arm, "is_counted": False, "as_run": as_run}
    return (
        Cell(group, "Won, as printed", printed, win_share(arm), RATE, TOO_HIGH, **how),
        Cell(group, "Won, logs recounted", true, win_share(arm), RATE, arm=arm),
        *_shown(group, arm),
    )


def _row(**wanted: Any) -> Mapping[str, Any]:
    return papers.results()["dominoes-logs"].row(**wanted)


# ---- the oracle


def _oracle() -> Preset:
    result = papers.results()["dominoes-oracle"]
    row = result.row(wins=91)
    printed = Share(row["wins"], row["wins"] + row["losses"])
    arms = {
        "Beta 1/3": (oracle(1 / 3), greedy()),
        "Beta 3": (oracle(3.0), greedy()),
        "To the end, by points": (engine("double_dummy"), greedy()),
    }
    found: list[Cell] = []
    for arm, group in enumerate(arms):
        figure, reason = (printed, TOO_HIGH) if arm < 2 else (None, None)
        is_counted = group != "Beta 1/3"  # both are readings of one printed figure, and it says 3
        how: dict[str, Any] = {"arm": arm, "is_counted": is_counted, "as_run": counted(arm)}
        found.append(Cell(group, "Won", figure, win_share(arm), RATE, reason, **how))
        found += _shown(group, arm)
    return of_rounds(
        "oracle",
        where="Section IV-D",
        title="what is seeing all hands worth?",
        question="How many rounds does a team win that sees all hands, against a greedy one?",
        method="100 rounds, alpha 5, beta 3, of which the number of rounds won is printed.",
        scales=scales(arms, (850, 4_000, 50)),
        cells=tuple(found),
        notes=(
            UNIT,
            PASSES,
            "Whether the printed beta is 3 or its inverse is open: both readings are played, and the figure counts "
            "once, beside the beta that is printed. With beta 3 the oracle "
            "sees the end of the round from turn 4 on.",
            "No log of these rounds is published, so they could not be recounted.",
        ),
    )


WORSE = Claim(float("-inf"), 0.0, "marginally worse")
"""What footnote 10 says of a deeper oracle."""


def _footnote_10() -> Preset:
    """The oracle by depth: the deepest against the least deep, which the paper calls marginally worse."""
    depths = {"Beta 1/3": 1 / 3, "Beta 1/2": 0.5, "Beta 1": 1.0, "Beta 3": 3.0}
    arms = {name: (oracle(beta), greedy()) for name, beta in depths.items()}
    last = len(arms) - 1
    found = [
        cell
        for arm, group in enumerate(arms)
        for cell in (Cell(group, "Won", None, win_share(arm), RATE, arm=arm), *_shown(group, arm))
    ]
    deeper = Cell(
        "Beta 3 less beta 1/3",
        "Points a round",
        WORSE,
        lambda n: cells.less(n.margin(last, 0), n.margin(0, 0)),
        CLAIM_MEAN,
        Reason("Here deeper is better at every step. Whether the paper saw chance, or its counter, is open."),
    )
    return preset(
        "footnote-10",
        where="Footnote 10",
        title="does a deeper oracle play worse?",
        question="Does a team that sees all hands win less when it searches deeper?",
        method='"We noted that our oracle performed marginally worse when increasing search depth", without figures.',
        scales=scales(arms, (400, 2_000, 2_000)),
        cells=(*found, deeper),
        notes=(
            UNIT,
            PASSES,
            "Alpha is 5. Larger betas search deeper: with 1/3 the depth doubles every twelve turns, with 3 it grows "
            "eightfold every four. The paper's own counter may be the reason for what it saw: it is not used here.",
            "The difference takes the two depths as independent, though they meet the same deals: so it is careful.",
        ),
    )


# ---- Imperfect Minimax


def _ims() -> Preset:
    rows = {
        "IMS 4, 1/3": _row(player="IMS", alpha=4, beta="1/3"),
        "IMS* 4, 1/3": _row(player="IMS*"),
        "IMS 5, 1/3": _row(player="IMS", alpha=5),
        "IMS 6, 1/2": _row(player="IMS", alpha=6),
    }
    seats = {
        "IMS 4, 1/3": ims(4, "1/3"),
        "IMS* 4, 1/3": ims(4, "1/3", evaluation="pips_tiles"),
        "IMS 5, 1/3": ims(5, "1/3"),
        "IMS 6, 1/2": ims(6, "1/2"),
        "Greedy first tile, 6, 1/2": ims(6, "1/2", greedy_first=True),
        "IMS 5, 1/3, sound pruning": ims(5, "1/3", pruning="sound"),
    }
    found: list[Cell] = []
    for arm, group in enumerate(seats):
        if group == "Greedy first tile, 6, 1/2":
            row = papers.results()["dominoes-ims"].row(wins=40)
            share = Share(row["wins"], row["wins"] + row["losses"] + row["ties"])
            how: dict[str, Any] = {"arm": arm, "as_run": counted(arm)}
            found.append(Cell(group, "Won, as printed", share, win_share(arm), RATE, TOO_HIGH, **how))
            found += _shown(group, arm)
        else:
            found += _of_log(group, rows.get(group), arm)
    return of_rounds(
        "ims",
        where="Figure 1 and section V-A",
        title="Imperfect Minimax by depth",
        question="How many rounds does a team of Imperfect Minimax win against a greedy one, and does depth matter?",
        method="57 to 200 rounds for each depth.",
        scales=scales({name: (seat, greedy()) for name, seat in seats.items()}, (1_100, 4_000, 100)),
        cells=tuple(found),
        notes=(UNIT, RECOUNTED, PASSES, BETA, STARRED),
    )


# ---- PIMC


def _pimc() -> Preset:
    seats = {
        "100 worlds, 4, 1/3": (pimc(100, 4, "1/3"), _row(player="PIMC", samples=100)),
        "50 worlds, 4, 1/3": (pimc(50, 4, "1/3"), _row(player="PIMC", samples=50)),
        "20 worlds, 6, 1/3": (pimc(20, 6, "1/3"), _row(player="PIMC", samples=20, alpha=6)),
        "30 worlds*, 6, 1/3": (pimc(30, 6, "1/3", evaluation="pips_tiles"), _row(player="PIMC*")),
        "20 worlds, 8, 1/2": (pimc(20, 8, "1/2"), _row(player="PIMC", samples=20, alpha=8)),
        "50 exact worlds, 5, 1/3": (pimc(50, 5, "1/3", **EXACT), None),
    }
    found = [cell for arm, (group, (_, row)) in enumerate(seats.items()) for cell in _of_log(group, row, arm)]
    arms = {name: (seat, greedy()) for name, (seat, _) in seats.items()}
    return of_rounds(
        "pimc",
        where="Figure 2",
        title="many worlds by number and depth",
        question="How many rounds does a team of PIMC win against a greedy one, by worlds and depth?",
        method="100 rounds for each row.",
        scales=scales(arms, (540, 3_000, 50)),
        cells=tuple(found),
        notes=(
            UNIT,
            RECOUNTED,
            PASSES,
            BETA,
            STARRED,
            "The paper's sampler gives every hidden tile to a seat by itself, so hands have wrong sizes; the last row "
            "draws whole deals uniformly, the same for all tiles that are weighed.",
        ),
    )


def _pimc_ims() -> Preset:
    row = _row(player="PIMC v IMS")
    arms = {
        "As published": (pimc(50, 5, "1/3"), ims(5, "1/3")),
        "Exact worlds, sound pruning": (pimc(50, 5, "1/3", **EXACT), ims(5, "1/3", pruning="sound")),
    }
    return of_rounds(
        "pimc-ims",
        where="Section V-B",
        title="many worlds against Imperfect Minimax",
        question="How many rounds does a team of PIMC win against one of Imperfect Minimax?",
        method="100 rounds, alpha 5, beta 1/3, 50 worlds.",
        scales=scales(arms, (1_900, 8_000, 50)),
        cells=tuple(cell for arm, group in enumerate(arms) for cell in _of_log(group, None if arm else row, arm)),
        notes=(UNIT, RECOUNTED, PASSES, BETA),
    )


def presets() -> Sequence[Preset]:
    """All presets of this paper."""
    return (_oracle(), _footnote_10(), _ims(), _pimc(), _pimc_ims(), *dominai_studies.presets(preset))
