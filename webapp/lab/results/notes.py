"""The sentences below result tables: what the numbers rest on, and what is in none of them."""

from __future__ import annotations

from webapp.common.formats import THIN, count, number, plural
from webapp.lab.results import units
from webapp.lab.results.method import stop_of
from webapp.lab.results.selectors import Results
from webapp.lab.results.stop_state import has_rule
from webapp.records.models import Experiment
from worker.spec import stop


def of_table(experiment: Experiment, found: Results, is_over: bool) -> str:
    """What the numbers of the main table rest on."""
    looks = _looks(experiment, found, is_over) if found.is_always_valid else ONE_LOOK
    return " ".join(filter(None, (units.sentence(experiment), _note(found, is_over, looks))))


def of_nothing(found: Results) -> str:
    """Why there is no number yet; empty where there are some."""
    if any(arm.counted for arm in found.arms):
        return ""
    if found.finished:
        return "No deal has been played whole yet: numbers are of whole deals alone."
    if found.failed:
        return "All matches that ended so far have failed; each match says why."
    return "Numbers appear here with the first deal that is played."


ONE_LOOK = "They are for one look, at its end; those that held at every look are below."


def _looks(experiment: Experiment, found: Results, is_over: bool) -> str:
    """Why intervals that hold at every look are the only ones."""
    if not is_over:
        why = f"The narrower ones for one look are shown once all {count(found.planned)} matches are played."
        if has_rule(experiment):
            why = "There are no others, since its stop rule may end it after any deal."
        if stop_of(experiment) == stop.PRECISION:
            why = "The narrower ones for one look are shown at its end."
    elif has_rule(experiment) and experiment.status == Experiment.Status.FINISHED:
        why = "A stop rule decided when it ended, so only these are shown."
    else:
        why = "It ended before all planned matches were played, so only these are shown."
    return f"They hold at every look, however often one looks. {why}"


def _note(found: Results, is_over: bool, looks: str) -> str:
    win = "A match is won by a team" if found.lineups.has_teams else "A win is the sole best score"
    parts = [f"{win}; draws count apart. Intervals are at 95{THIN}%, with the deal as the unit. {looks}"]
    if found.differences or found.versus:
        parts.append(
            "Whether two intervals overlap does not say whether two sides differ: the differences from the baseline do."
        )
    if not found.is_paired:
        parts.append("Agents take part, so every match has a deal of its own and is its own unit.")
    if found.failed:
        parts.append("Failed matches have no result and are in none of these numbers.")
    parts += _uncounted(found, is_over)
    return " ".join(parts)


def _uncounted(found: Results, is_over: bool) -> list[str]:
    """Which finished matches are in no number, and why."""
    parts = []
    if found.left_out:
        left = plural(found.left_out, "finished match", "finished matches")
        deal, were = ("its deal", "was") if found.left_out == 1 else ("their deals", "were")
        why = f"{were} not played whole, because of a stop or a failed match"
        if not is_over:
            why = f"{_are(found.left_out)} not whole so far"
        parts.append(f"{left} {_are(found.left_out)} in none of them: {deal} {why}.")
    if found.beyond:
        later = plural(found.beyond, "match was", "matches were")
        where = "the deal at which the stop rule ended the experiment or dropped the arm"
        parts.append(f"{later} played beyond {where}: kept, but outside of the numbers.")
    if found.repeats:
        again = plural(found.repeats, "further match only repeats one", "further matches only repeat one")
        parts.append(f"{again} of these, with equal engines in the same seats, and {_are(found.repeats)} not counted.")
    return parts


def _are(number: int) -> str:
    return "is" if number == 1 else "are"


def of_differences(found: Results) -> str:
    """What the differences rest on."""
    if not found.differences:
        return ""
    left_out = max(row.wins.left_out for row in found.differences)
    parts = [
        "Differences over the deals that both arms have played whole, deal by deal.",
        "A variance ratio below 1, here of the margins, says how much the shared deals help.",
    ]
    if found.is_one_arm:
        parts = ["Every two sides, deal by deal: they meet in every match, so one's luck may be the other's loss."]
    elif not found.is_paired:
        parts = ["Pairing is off: where agents play every match has a deal of its own (of margins Welch's tests)."]
    family = len(found.differences)
    if found.is_always_valid:
        parts.append(_at_every_look(family, found.differences[0].confidence))
    elif family > 1:
        confidence = number(100 * found.differences[0].confidence, 2)
        parts += [
            f"Each interval is at {confidence}{THIN}%, so that all {family} of a column hold together at"
            f" 95{THIN}% (Bonferroni): two are said to differ where theirs leaves out 0, so the chance that any two of"
            f" the column are called different wrongly is at most 5{THIN}%.",
            f"p is corrected for the {family} comparisons of its column (Holm), each column apart; it may be at most"
            " 0.05 where the interval just holds 0.",
        ]
    else:
        test = "the paired test" if found.is_paired or found.is_one_arm else "the test"
        parts.append(f"Two are said to differ where the interval leaves out 0; p is that of {test}.")
    if left_out:
        parts.append(f"Deals left out so far: at most {count(left_out)} a pair.")
    return " ".join(parts)


def _at_every_look(family: int, confidence: float) -> str:
    """What holds of differences that are looked at while they come in."""
    together = f", each at {number(100 * confidence, 2)}{THIN}%, so that all {family} of a column hold together"
    return (
        f"The intervals hold at every look{together if family > 1 else ''}: two differ as soon as the interval leaves"
        f" out 0, and the chance that this is ever said wrongly is at most 5{THIN}%."
    )
