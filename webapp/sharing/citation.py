"""How to cite a shared result: the words, and BibTeX."""

from __future__ import annotations

import re
from dataclasses import dataclass

from django.conf import settings
from django.db.models import OuterRef, Subquery
from django.urls import reverse

from games import registry as game_registry
from webapp.common.formats import num_matches
from webapp.records.models import ShareLink

SPECIAL = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"} | {
    c: f"\\{c}" for c in "{}$&#_%"
}


@dataclass(frozen=True)
class Citation:
    """Both forms of it, and the versions that they name."""

    text: str
    bibtex: str
    versions: str


def address(link: ShareLink) -> str:
    """The whole public address of a link."""
    return settings.PUBLIC_URL + reverse("sharing:show", args=[link.slug])


def versions(link: ShareLink) -> str:
    """Versions of game and engines as the match, or the latest match of each arm, recorded them."""
    experiment = link.experiment
    if link.match is not None:
        rows = [link.match.versions]
    else:
        played = experiment.matches.filter(arm_index=OuterRef("index")).order_by("-deal", "-rotation")
        latest = experiment.arms.annotate(versions=Subquery(played.values("versions")[:1]))
        rows = [found for found in latest.values_list("versions", flat=True) if found is not None]
    if not rows:
        return f"{experiment.game} {game_registry.get(experiment.game).version}"
    pairs = sorted({(name, version) for row in rows for name, version in row.items()})
    return ", ".join(f"{name} {version}" for name, version in pairs)


def citation(link: ShareLink, title: str, played: int) -> Citation:
    """Cite what a link shows, as it stands now. title: of the page; played: finished matches."""
    experiment = link.experiment
    year = (experiment.finished_at or experiment.created_at).year
    what = f"match {link.match_id}" if link.match_id else num_matches([played])
    used = versions(link)
    facts = f"Experiment {experiment.pk}, {what}, seed {experiment.spec['seed']}, versions: {used}"
    url = address(link)
    ended = re.search(r"[.?!]$", title)
    bibtex = "\n".join(
        [
            f"@misc{{meeplelab-{link.slug},",
            f"  title  = {{{{{_escaped(title)}}}}},",
            "  author = {{Meeple Lab}},",
            f"  year   = {{{year}}},",
            f"  note   = {{{_escaped(facts)}}},",
            f"  url    = {{{url}}}",
            "}",
        ]
    )
    return Citation(f"Meeple Lab ({year}). {title}{'' if ended else '.'} {facts}. {url}", bibtex, used)


def _escaped(text: str) -> str:
    return "".join(SPECIAL.get(letter, letter) for letter in text.replace("\u2009", " "))
