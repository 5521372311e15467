"""The experiments that an address names: own ones by their number, shared ones of anybody by the address they have."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from django.urls import reverse

from webapp.common.formats import count
from webapp.common.numbers import parse_whole
from webapp.lab.pooling.lines import Entry, mark_of
from webapp.people.accounts.models import User
from webapp.records.models import Experiment, ShareLink

MOST = 12
"""Experiments on one page."""
LOOKED_UP = 3 * MOST
"""References that are looked up, those that name nothing included."""
LONGEST = 200
"""Letters of a reference that are looked at: a whole address fits."""
ADDRESS = re.compile(r"(?:.*/)?(?:r/(?P<slug>[-\w]+)|experiments/(?P<number>\d+))(?:/.*)?", re.DOTALL)
NUMBER = re.compile(r"(?:no\.?|#)?\s*(\d+)", re.IGNORECASE)
"""A number as people write it: 12, No. 12, #12."""
KINDS = {
    Experiment.Kind.LADDER: "is a ladder, which rates engines by itself",
    Experiment.Kind.MATCH: "is a single match, of which nothing can be estimated",
    Experiment.Kind.PLAY: "is a match that was played at a table",
}


@dataclass(frozen=True)
class Refused:
    """What an address names and cannot be compared, and why, as a sentence."""

    ref: str
    why: str


@dataclass(frozen=True)
class Chosen:
    """The experiments in the order of the address, each once."""

    entries: dict[int, Entry]
    refused: tuple[Refused, ...] = ()

    @property
    def refs(self) -> list[str]:
        """By which an address names them."""
        return [entry.ref for entry in self.entries.values()]

    def index(self, ref: str) -> int | None:
        """The place of one that an address names; None where it does not name it."""
        return next((i for i, entry in self.entries.items() if entry.ref == ref), None)


class _NoSuchError(Exception):
    """A sentence: why something cannot be compared."""


def choose(refs: Sequence[str], reader: User | None) -> Chosen:
    """Look up what is named. reader: None is somebody without an account, who sees what is shared."""
    found: dict[int, Entry] = {}
    refused = []
    for ref in list(dict.fromkeys(text.strip()[:LONGEST] for text in refs))[:LOOKED_UP]:
        if not ref:
            continue
        try:
            entry = _entry(ref, reader, len(found))
        except _NoSuchError as error:
            refused.append(Refused(ref, str(error)))
            continue
        if any(one.experiment == entry.experiment for one in found.values()):
            continue
        if len(found) == MOST:
            refused.append(Refused(ref, f"No more than {count(MOST)} are compared at once."))
            break
        found[len(found)] = entry
    return Chosen(found, tuple(refused))


def _entry(ref: str, reader: User | None, place: int) -> Entry:
    """One experiment. Raises _NoSuchError."""
    named, numbered = ADDRESS.fullmatch(ref), NUMBER.fullmatch(ref)
    number = parse_whole(named["number"] if named else numbered[1] if numbered else "")
    if number is not None:
        return _own(number, reader, place)
    return _shared(named["slug"] if named else ref, reader, place)


def _own(number: int, reader: User | None, place: int) -> Entry:
    if reader is None:
        raise _NoSuchError("By its number only its owner sees it, who has to be signed in.")
    experiment = Experiment.objects.filter(owner=reader, pk=number).first()
    if experiment is None:
        raise _NoSuchError(
            "No experiment of yours has this number. One of somebody else is named by the address of its shared page."
        )
    return Entry(_checked(experiment), str(number), reverse("experiments:detail", args=[number]), mark_of(place))


def _shared(slug: str, reader: User | None, place: int) -> Entry:
    link = ShareLink.objects.with_jobs().filter(slug=slug.replace("\0", "?")).first()
    if link is None:
        raise _NoSuchError("No page is shared at this address. Has all of it been copied?")
    if link.withdrawn_at is not None:
        raise _NoSuchError("Its shared page was withdrawn.")
    if link.experiment is None:
        raise _NoSuchError("This is a study: only experiments are compared.")
    if link.match_id is not None:
        raise _NoSuchError("At this address one match is shared, and not its experiment.")
    experiment = _checked(link.experiment)
    if reader is not None and experiment.owner_id == reader.pk:
        return _own(experiment.pk, reader, place)
    return Entry(experiment, slug, reverse("sharing:show", args=[slug]), mark_of(place))


def _checked(experiment: Experiment) -> Experiment:
    if (why := KINDS.get(Experiment.Kind(experiment.kind))) is not None:
        raise _NoSuchError(f"No. {experiment.pk} {why}: only experiments are compared.")
    return experiment


def shared_refs(chosen: Chosen) -> tuple[list[str], list[str]]:
    """By which others may see the same, and the names of those that nobody else sees."""
    links = ShareLink.objects.filter(
        experiment__in=[entry.experiment for entry in chosen.entries.values()], match=None, withdrawn_at=None
    ).order_by("-pk")
    slugs = {link.experiment_id: link.slug for link in links}
    own = [entry for entry in chosen.entries.values() if entry.ref.isdecimal()]
    refs = [slugs.get(entry.experiment.pk, entry.ref) for entry in chosen.entries.values()]
    return refs, [entry.name for entry in own if entry.experiment.pk not in slugs]
