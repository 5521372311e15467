"""What a test of two claims has shown, in words: for the sentence, the chip and the strip of the forest. Pure.

A test that decides for its upper claim h1 has shown the difference to be above h0, since it errs so in at most alpha
where the difference is h0 or less; one that decides for h0 has shown it to be below h1.
"""

from __future__ import annotations

from webapp.lab.results.stop_state import UNIT_WORDS, amount
from worker.analysis.stop_rules.model import H1
from worker.spec.stop import StopSpec


def chip_words(rule: StopSpec, reason: str) -> str:
    """The verdict in a word or two: better, no better, no worse or worse."""
    if reason == H1:
        return "better" if rule.h0 >= 0 else "no worse"
    return "no better" if rule.h1 > 0 else "worse"


def verdict(rule: StopSpec, reason: str, other: str) -> str:
    """What a side is, after "is": "better than Plain", "not worse than Plain by 5 points of the win rate or more"."""
    is_above, bound = reason == H1, rule.h0 if reason == H1 else rule.h1
    by = f"{amount(abs(bound))} {UNIT_WORDS[rule.on]}"
    if is_above == (bound >= 0) or not bound:
        more = f", by more than {by}" if bound else ""
        return f"{'better' if is_above else 'worse'} than {other}{more}"
    return f"not {'worse' if is_above else 'better'} than {other} by {by} or more"
