"""Citations of shared results, as text and as BibTeX."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.urls import reverse

from games import registry as game_registry
from webapp.common.formats import num_matches, plural
from webapp.lab.results.versions import versions
from webapp.lab.studies.results import CurrentResult
from webapp.records.models import Experiment, ShareLink, Study

SPECIAL = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"} | {
    c: f"\\{c}" for c in "{}$&#_%"
}


@dataclass(frozen=True)
class Citation:
    """A citation as text and as BibTeX, and the title, facts and versions that they name."""

    text: str
    bibtex: str
    versions: str
    title: str = ""
    facts: str = ""


def address(link: ShareLink) -> str:
    """The whole public address of a link."""
    return f"{settings.PUBLIC_URL}{reverse('sharing:show', args=[link.slug])}"


def citation(link: ShareLink, experiment: Experiment, title: str, played: int) -> Citation:
    """Cite what a link of an experiment shows, as it stands now. title: of the page; played: finished matches."""
    what = f"match {link.match_id}" if link.match_id else num_matches([played])
    used = versions(experiment, link.match) or f"{experiment.game} {game_registry.get(experiment.game).version}"
    seed = "not yet open" if experiment.shown_seed is None else experiment.shown_seed
    facts = f"Experiment {experiment.pk}, {what}, seed {seed}, versions: {used}"
    year = (experiment.finished_at or experiment.created_at).year
    return cite((link.slug, address(link)), year, title, facts, used)


def study_citation(link: ShareLink, study: Study, label: str, current: CurrentResult) -> Citation:
    """Cite a study as it stands now. label: of its kind."""
    used = current.version_words or f"{study.kind} {study.version}"
    rows = plural(current.done, "row", "rows")
    facts = f"Study {study.pk}, {label}, {rows}, seed {study.spec['seed']}, versions: {used}"
    year = (study.finished_at or study.created_at).year
    return cite((link.slug, address(link)), year, study.title, facts, used)


def of_snapshot(cited: Citation, place: tuple[str, str], as_of: datetime, sha256: str) -> Citation:
    """Cite a frozen snapshot. cited: what it was made of; place: of the snapshot, as a key and an address."""
    facts = f"{cited.facts}. Snapshot of {as_of:%Y-%m-%d}, SHA-256 {sha256}"
    return cite(place, as_of.year, cited.title, facts, cited.versions)


def cite(place: tuple[str, str], year: int, title: str, facts: str, versions: str = "") -> Citation:
    """The citation of what stands somewhere. place: key in a list of references, address; facts: how it was made."""
    key, url = place
    ended = re.search(r"[.?!]$", title)
    bibtex = "\n".join(
        [
            f"@misc{{meeplelab-{key},",
            f"  title  = {{{{{_escape(title)}}}}},",
            "  author = {{Meeple Lab}},",
            f"  year   = {{{year}}},",
            f"  note   = {{{_escape(facts)}}},",
            f"  url    = {{{url}}}",
            "}",
        ]
    )
    return Citation(
        f"Meeple Lab ({year}). {title}{'' if ended else '.'} {facts}. {url}", bibtex, versions, title, facts
    )


def _escape(text: str) -> str:
    return "".join(SPECIAL.get(letter, letter) for letter in text.replace("\u202f", " "))
