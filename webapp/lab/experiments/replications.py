"""An experiment together with those that run it again: pooled, with the odd one out, as far as a reader sees them."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode

from django.urls import reverse

from webapp.lab.experiments import lineage
from webapp.lab.pooling import lines, pooled, words
from webapp.lab.pooling.contrasts import contrasts, measures
from webapp.lab.pooling.groups import groups
from webapp.lab.pooling.lines import Entry, Forest
from webapp.lab.pooling.words import Facts
from webapp.lab.results import queries
from webapp.lab.results.comparisons import measure_of
from webapp.lab.results.selectors import results
from webapp.people.accounts.models import User
from webapp.records.models import Experiment

MOST = 12
"""Runs that are shown at once: the original and its latest ones."""


@dataclass(frozen=True)
class Replications:
    """The runs of an experiment with itself. compare_url: the page that says more; num_hidden: older runs beside."""

    forest: Forest
    sentence: str
    under: str
    facts: tuple[Facts, ...]
    compare_url: str
    num_hidden: int
    private: tuple[str, ...]


def replications(experiment: Experiment, reader: User | None) -> Replications | None:
    """What the runs come to that a reader may see; None where there is none, or nothing is compared in it."""
    if experiment.kind != Experiment.Kind.EXPERIMENT:
        return None
    runs = [run for run in lineage.descendants(experiment) if run.kind == Experiment.Kind.EXPERIMENT]
    urls = lineage.addresses(runs, reader)
    seen = [(run, urls[run.pk]) for run in runs if run.pk in urls]
    if not seen:
        return None
    shown = [(experiment, lineage.address(experiment, reader)), *seen[1 - MOST :]]
    entries = {i: Entry(run, _ref(url), url, lines.mark_of(i)) for i, (run, url) in enumerate(shown)}
    made = _made(entries, _measure(experiment))
    if made is None:
        return None
    forest, sentence, under, facts = made
    query = urlencode([("job", entry.ref) for entry in entries.values()])
    private = tuple(entry.name for entry in entries.values() if entry.ref.isdecimal() and not _is_shared(entry))
    return Replications(
        forest=forest,
        sentence=sentence,
        under=under,
        facts=facts,
        compare_url=f"{reverse('comparison:compare')}?{query}",
        num_hidden=len(seen) - len(shown) + 1,
        private=private,
    )


def _measure(experiment: Experiment) -> str:
    return measure_of(experiment, results(experiment).lineups)


@queries.snapshot()
def _made(entries: dict[int, Entry], wished: str) -> tuple[Forest, str, str, tuple[Facts, ...]] | None:
    """The groups in which the original takes part with another."""
    found = [
        group
        for group in groups([contrasts(entry.experiment) for entry in entries.values()])
        if 0 in group.rows and len(group.rows) > 1
    ]
    if not found:
        return None
    offered = measures([row for group in found for row in group.rows.values()])
    measure = wished if wished in offered else offered[0]
    drawn = lines.forest(found, entries, [pooled.pool(group) for group in found], measure)
    facts = (words.facts(table, entries, measure) for table in drawn.tables)
    return (
        drawn,
        words.sentence(drawn.tables[0], entries, measure),
        words.under(drawn, entries),
        tuple(one for one in facts if one),
    )


def _ref(url: str) -> str:
    """By which an address of a comparison names an experiment: the last part of its page's."""
    return url.strip("/").rpartition("/")[2]


def _is_shared(entry: Entry) -> bool:
    return entry.experiment.share_links.filter(match=None, withdrawn_at=None).exists()
