"""How to cite a shared result: the words, and BibTeX."""

from __future__ import annotations

import re
from dataclasses import dataclass

from django.conf import settings
from django.urls import reverse

from games import registry as game_registry
from webapp.records.models import Experiment, ShareLink
from webapp.results.formats import count

SPECIAL = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"} | {
    c: f"\\{c}" for c in "{}$&#_%"
}


@dataclass(frozen=True)
class Citation:
    """Both forms of it."""

    text: str
    bibtex: str


def address(link: ShareLink) -> str:
    """The whole public address of a link."""
    return settings.PUBLIC_URL + reverse("sharing:show", args=[link.slug])


def versions(experiment: Experiment) -> dict[str, str]:
    """Versions of game and engines as the latest match recorded them."""
    last = experiment.matches.order_by("-finished_at").first()
    if last is not None:
        return dict(sorted(last.versions.items()))
    return {experiment.game: game_registry.get(experiment.game).version}


def citation(link: ShareLink, title: str, num_matches: int) -> Citation:
    """Cite what a link shows, as it stands now. title: of the page."""
    experiment = link.experiment
    year = (experiment.finished_at or experiment.created_at).year
    what = f"match {link.match_id}" if link.match_id else f"{count(num_matches)} matches"
    made = ", ".join(f"{name} {version}" for name, version in versions(experiment).items())
    facts = f"Experiment {experiment.pk}, {what}, seed {experiment.spec['seed']}, versions: {made}"
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
    return Citation(f"Meeple Lab ({year}). {title}{'' if ended else '.'} {facts}. {url}", bibtex)


def _escaped(text: str) -> str:
    return "".join(SPECIAL.get(letter, letter) for letter in text.replace("\u2009", " "))
