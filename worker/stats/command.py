"""Arguments of ``python -m worker stats``, and which answer they ask for."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from games import registry as game_registry
from worker.analysis import elo
from worker.analysis.intervals import CONFIDENCE
from worker.analysis.stop_rules import sprt
from worker.analysis.stop_rules.model import MARGIN, NORMALISED, WIN_RATE, RuleError
from worker.analysis.stop_rules.sprt import Sprt
from worker.stats import answers, tables
from worker.stats.tables import Arm, InputError

DIGITS = 9
"""Digits of the largest whole number that is taken."""


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command and its kinds."""
    parser = commands.add_parser(
        "stats", help="rates, differences, sequential tests and ladders from counts or a CSV, as JSON"
    )
    kinds = parser.add_subparsers(dest="kind", required=True)
    rate = kinds.add_parser("rate", help="a rate or mean of each arm, with intervals")
    rate.add_argument("--wins", type=_whole, metavar="N", help="wins of independent matches, instead of a file")
    rate.add_argument("--of", type=_whole, metavar="N", help="number of those matches")
    difference = kinds.add_parser("difference", help="each arm less a baseline, deal by deal")
    for name in ("--first", "--second"):
        difference.add_argument(name, type=_share, metavar="WINS/OF", help="independent matches, instead of a file")
    test = kinds.add_parser("sprt", help="a sequential probability ratio test")
    test.add_argument("--pairs", type=_counts(5), metavar="A,B,C,D,E", help="pairs with 0, 1/2, 1, 3/2, 2 points")
    test.add_argument("--results", type=_counts(3), metavar="L,D,W", help="independent losses, draws, wins")
    for name in ("elo0", "elo1"):
        test.add_argument(f"--{name}", type=_number, metavar="ELO", help="hypothesis on counts, or normalised")
    for name in ("h0", "h1"):
        test.add_argument(f"--{name}", type=_number, metavar="X", help="hypothesis on a file: of the mean of a deal")
    test.add_argument(
        "--normalised", action="store_true", help="hypotheses are normalised (of files: mean / deviation)"
    )
    for name in ("alpha", "beta"):
        test.add_argument(f"--{name}", type=_number, default=sprt.LEVEL, metavar="P", help="error where h0, h1 is true")
    sequence = kinds.add_parser("sequence", help="intervals that hold at every look, deal by deal")
    ladder = kinds.add_parser(
        "ladder", help="strengths from the export of a ladder, or from columns a, b, result (of a), deal"
    )
    ladder.add_argument(
        "file", type=Path, metavar="FILE.csv", help="an export, or a row a match (- reads standard input)"
    )
    seed_words = "of resampling; that of a ladder gives the intervals of its page"
    ladder.add_argument("--seed", type=_whole, default=answers.SEED, metavar="N", help=seed_words)
    ladder.add_argument("--anchor", metavar="PLAYER", help="strengths are less this one's (default: the mean)")
    level = kinds.add_parser("levels", help="ratings of a game's levels, by what each did against the next")
    level.add_argument("game", choices=game_registry.ids())
    for kind in (rate, difference, test, sequence):
        _add_file(kind, has_baseline=kind is not rate)
    for kind in (rate, difference, sequence):
        kind.add_argument(
            "--planned", type=_positive, metavar="DEALS", help="narrow at this number (default: all there are)"
        )
    for kind in (rate, difference, sequence, ladder, level):
        kind.add_argument("--confidence", type=_confidence, default=CONFIDENCE, metavar="P", help="default 0.95")


def run(options: argparse.Namespace) -> dict[str, Any]:
    """Return the answer. Raises InputError, which names the argument or the row."""
    try:
        return KINDS[options.kind](options)
    except RuleError as error:
        is_elo = options.file is None and error.field in {"h0", "h1"}
        raise InputError(f"--{error.field.replace('h', 'elo') if is_elo else error.field}: {error.message}") from None


def _add_file(kind: argparse.ArgumentParser, *, has_baseline: bool) -> None:
    text = "a row a match and seat, as exports have them, or a row a match (- reads standard input)"
    kind.add_argument("file", nargs="?", type=Path, metavar="FILE.csv", help=text)
    kind.add_argument("--on", choices=tables.ON, default="win_rate", help="what of a match (default win_rate)")
    kind.add_argument("--place", type=_whole, default=0, metavar="N", help="rows of this place (default 0)")
    kind.add_argument("--arm", type=_whole, action="append", metavar="N", help="only this arm; may be repeated")
    if has_baseline:
        kind.add_argument("--baseline", type=_whole, metavar="N", help="the arm that others are compared with")
        kind.add_argument(
            "--versus", type=_whole, metavar="N", help="of one arm: the place that --place is compared with"
        )


def _rate(options: argparse.Namespace) -> dict[str, Any]:
    if options.file:
        return answers.rates(_arms(options), options.on, options.planned, options.confidence)
    wins, of = _given(options, "wins"), _given(options, "of")
    if wins > of or of == 0:
        raise InputError(f"--wins: {wins} of {of} matches")
    return answers.count_rate(wins, of, options.confidence)


def _difference(options: argparse.Namespace) -> dict[str, Any]:
    if options.file:
        chosen = _arms(options)
        if len(chosen) == 1 and options.versus is None and len(there := tables.places(options.file)) == 2:
            options.versus = there[there[0] == options.place]
            chosen = _arms(options)
        baseline = chosen[0].number if options.baseline is None else options.baseline
        return answers.differences(chosen, options.on, baseline, options.planned, options.confidence)
    return answers.count_difference(_given(options, "first"), _given(options, "second"), options.confidence)


def _sprt(options: argparse.Namespace) -> dict[str, Any]:
    if options.file:
        return _sprt_of_file(options)
    counts = options.pairs or options.results
    if not counts:
        raise InputError("--pairs, --results or a file is needed")
    elo0, elo1 = _given(options, "elo0"), _given(options, "elo1")
    if not elo0 < elo1:
        raise InputError(f"--elo1: must be above elo0, which is {elo0:g}, not {elo1:g}")
    matches = 2 if options.pairs else 1
    h0, h1 = (elo.deviations(x, matches) if options.normalised else elo.share(x) for x in (elo0, elo1))
    rule = Sprt(NORMALISED if options.normalised else WIN_RATE, h0, h1, options.alpha, options.beta)
    return answers.sprt_of_counts(counts, rule, elo0, elo1)


def _sprt_of_file(options: argparse.Namespace) -> dict[str, Any]:
    chosen = _arms(options)
    if options.versus is not None:
        options.baseline = options.versus
    if options.baseline is not None:
        chosen = tuple(sorted(chosen, key=lambda arm: arm.number != options.baseline))
    if len(chosen) > 2 or (len(chosen) == 2 and options.baseline != chosen[0].number):
        raise InputError(
            f"--arm: choose one of arms {', '.join(str(a.number) for a in chosen)}, or two and a --baseline"
        )
    on = NORMALISED if options.normalised else MARGIN if options.on in tables.OF_COLUMNS else WIN_RATE
    values = tables.prefix(chosen)
    if on == NORMALISED and options.on in tables.OF_RESULTS and len(chosen) == 1:
        values = values - 0.5
    h0, h1 = (_hypothesis(options, which, chosen) for which in "01")
    return answers.sprt_of_arms(values, Sprt(on, h0, h1, options.alpha, options.beta))


def _hypothesis(options: argparse.Namespace, which: str, chosen: tuple[Arm, ...]) -> float:
    """Of the mean of a deal; where it is given in normalised Elo, which is of a match, in deviations of a deal."""
    in_elo = getattr(options, f"elo{which}")
    if in_elo is not None and not options.normalised:
        raise InputError(f"--elo{which}: of a file only with --normalised; --h{which} is in what --on names")
    if in_elo is None:
        return float(_given(options, f"h{which}"))
    return elo.deviations(in_elo, min(arm.matches // max(1, len(arm.deals)) for arm in chosen))


def _sequence(options: argparse.Namespace) -> dict[str, Any]:
    if not options.file:
        raise InputError("FILE.csv is missing: a sequence rests on the order of deals")
    baseline = options.baseline if options.versus is None else options.versus
    return answers.sequence(_arms(options), options.on, options.planned, options.confidence, baseline)


def _ladder(options: argparse.Namespace) -> dict[str, Any]:
    return answers.ladder(*tables.ranked_matches(options.file), options.anchor, options.confidence, options.seed)


def _levels(options: argparse.Namespace) -> dict[str, Any]:
    return answers.ladder(*tables.level_matches(options.game), None, options.confidence, answers.SEED)


KINDS: Mapping[str, Callable[[argparse.Namespace], dict[str, Any]]] = {
    "rate": _rate,
    "difference": _difference,
    "sprt": _sprt,
    "sequence": _sequence,
    "ladder": _ladder,
    "levels": _levels,
}


def _arms(options: argparse.Namespace) -> tuple[Arm, ...]:
    if getattr(options, "versus", None) is not None:
        return _sides(options)
    found = tables.arms(options.file, options.on, options.place)
    if not options.arm:
        return found
    wanted = set(options.arm) | ({options.baseline} if getattr(options, "baseline", None) is not None else set())
    for number in wanted - {arm.number for arm in found}:
        raise InputError(f"--arm: no arm {number}; there are {', '.join(str(arm.number) for arm in found)}")
    return tuple(arm for arm in found if arm.number in wanted)


def _sides(options: argparse.Namespace) -> tuple[Arm, ...]:
    if options.versus == options.place or options.baseline is not None:
        raise InputError("--versus: another place than --place is needed, and no --baseline")
    number = options.arm[0] if options.arm else None
    return tables.sides(options.file, options.on, options.place, options.versus, number)


def _given(options: argparse.Namespace, name: str) -> Any:
    value = getattr(options, name)
    if value is None:
        raise InputError(f"--{name} is missing")
    return value


def _whole(text: str) -> int:
    if not text.isdecimal() or len(text) > DIGITS:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at most {DIGITS} digits")
    return int(text)


def _positive(text: str) -> int:
    if not _whole(text):
        raise argparse.ArgumentTypeError("0 is too few")
    return _whole(text)


def _number(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number")
    return value


def _confidence(text: str) -> float:
    if not 0 < _number(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not between 0 and 1")
    return _number(text)


def _share(text: str) -> tuple[int, int]:
    wins, slash, of = text.partition("/")
    if not slash or not 0 <= _whole(wins) <= _positive(of):
        raise argparse.ArgumentTypeError(f"{text!r} is not WINS/OF, such as 20/40")
    return int(wins), int(of)


def _counts(number: int) -> Callable[[str], list[int]]:
    def read(text: str) -> list[int]:
        counts = [_whole(part.strip()) for part in text.split(",")]
        if len(counts) != number or not sum(counts):
            raise argparse.ArgumentTypeError(f"{text!r} is not {number} counts with commas between them")
        return counts

    return read
