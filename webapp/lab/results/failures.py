"""Why a match has no result, in words: one mapping for match pages, lists and tables.

A failure is what `Match.failure` holds: {"seat", "kind", "message"}, seat None where no
engine is to blame (see worker.records.Failure).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Words:
    """label: for chips and lists; sentence: for the match page, with {who} and {ply}, or {after} the one before."""

    label: str
    sentence: str


KINDS: Mapping[str, Words] = {
    "exception": Words("Engine error", "{who} stopped with an error at move {ply}."),
    "illegal_action": Words("Illegal action", "{who} chose an action at move {ply} that the rules do not allow."),
    "over_time": Words("Out of time", "{who} ran out of time at move {ply}."),
    "resigned": Words("Resigned", "{who} resigned {after}."),
    "agreed": Words("Ended by agreement", "The players agreed to end it {after}."),
    "absent": Words("Stayed away", "{who} stayed away for too long {after}."),
    "too_long": Words("Too long", "At move {ply} it had taken more time than the lab gives a match."),
    "engine_died": Words("Engine died", "The process of {who} ended at move {ply}."),
    "absent_code": Words("Code not here", "The code of {who} was not at hand, so it did not play at move {ply}."),
    "died": Words("Worker died twice", "The process playing it ended twice, the last time at move {ply}."),
}
BLAMELESS: Mapping[str, Words] = {
    "exception": Words("Rules error", "The rules of the game stopped with an error at move {ply}."),
}
UNKNOWN = Words("Failed", "It failed at move {ply}.")
PLAYERS = ("resigned", "agreed", "absent")
"""Ends that only people and agents bring about: no program has failed."""


def _words(failure: Mapping[str, Any]) -> Words:
    kind = failure["kind"]
    known = KINDS.get(kind, UNKNOWN)
    return BLAMELESS.get(kind, known) if failure["seat"] is None else known


def label(failure: Mapping[str, Any]) -> str:
    """What happened, in two or three words."""
    return _words(failure).label


def sentence(failure: Mapping[str, Any], who: str, ply: int) -> str:
    """What happened and where. who: name of the side that failed; ply: counted from 1."""
    after = f"after move {ply - 1}" if ply > 1 else "before the first move"
    return _words(failure).sentence.format(who=who, ply=ply, after=after)


def headline(failure: Mapping[str, Any], who: str, ply: int, *, is_played: bool = False) -> str:
    """The same as the title of a page. is_played: by people or agents, of whom none says that they failed."""
    if is_played or failure["kind"] in PLAYERS:
        return sentence(failure, who, ply).removesuffix(".")
    return f"{who} failed at move {ply}"
