"""Reading: titles, descriptions, pictures and citations of shared pages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode, urlsplit

from django.conf import settings
from django.urls import reverse

from games import registry as game_registry
from webapp.common.formats import count, num_matches, plural
from webapp.lab.ladders import words as ladder_words
from webapp.lab.ladders.forest import forest as ladder_forest
from webapp.lab.ladders.selectors import state as ladder_state
from webapp.lab.results import exports
from webapp.lab.results.answer import answer
from webapp.lab.results.selectors import results
from webapp.lab.studies import selectors as study_selectors
from webapp.matches.selectors import MatchPage
from webapp.records.models import Experiment, ShareLink, Study
from webapp.sharing.card import Card, rows_of, rows_of_forest, scale_of_forest, scale_of_rates
from webapp.sharing.citation import Citation, address, citation, study_citation
from worker.ladders.report import ordered

MAX_FACTS = 3
"""Engines on the card of a ladder."""


@dataclass(frozen=True)
class Preview:
    """The preview that messengers show of a link, and the citation of it."""

    title: str
    description: str
    url: str
    image: str
    card: Card
    citation: Citation

    @property
    def oembed(self) -> str:
        """Address at which sites that know oEmbed ask what to show."""
        return f"{settings.PUBLIC_URL}{reverse('sharing:oembed')}?{urlencode({'url': self.url})}"


def _shown_address(link: ShareLink) -> str:
    return f"{urlsplit(settings.PUBLIC_URL).netloc}/r/{link.slug}"


def _preview(link: ShareLink, title: str, description: str, card: Card, cited: Citation) -> Preview:
    image = f"{settings.PUBLIC_URL}{reverse('sharing:card', args=[link.slug])}?v={card.key[:12]}"
    return Preview(title, description, address(link), image, card, cited)


def preview(link: ShareLink) -> Preview:
    """The preview of a whole job, with the numbers of this moment."""
    return PREVIEWS[link.job.word](link, link.job)


def _experiment_preview(link: ShareLink, experiment: Experiment) -> Preview:
    current, said = results(experiment), answer(experiment)
    state = "" if experiment.status == experiment.Status.FINISHED else f" of {count(current.planned)} planned"
    description = f"{said.sentence} {num_matches([current.finished])}{state}."
    rows, scale = rows_of(current.compared), scale_of_rates(current.lineups.fair_share)
    if said.forest:
        rows, scale = rows_of_forest(said.forest), scale_of_forest(said.forest, said.caution)
    card = Card(experiment.title, description, _shown_address(link), rows=rows, scale=scale if rows else None)
    cited = citation(link, experiment, experiment.title, current.finished)
    return _preview(link, experiment.title, description, card, cited)


def match_preview(link: ShareLink, page: MatchPage) -> Preview:
    """The preview of one match."""
    game = game_registry.get(page.match.experiment.game)
    description = f"One match of {game.label}, deal {page.match.deal}, {page.match.num_plies} moves, one by one."
    scores = tuple((seat.side.name, seat.seat, "" if seat.score is None else count(seat.score)) for seat in page.seats)
    board = game.svg(page.walked.states[-1], theme="light") if page.walked else ""
    card = Card(page.title, description, _shown_address(link), scores=scores, board=board)
    return _preview(link, page.title, description, card, citation(link, page.match.experiment, page.title, 1))


def _study_preview(link: ShareLink, study: Study) -> Preview:
    presentation = study_selectors.presentation_of(study)
    current = presentation.current
    label = study_selectors.kind_label(study.kind)
    game = game_registry.get(study.game).label if study.game in game_registry.ids() else study.game
    state = "" if study.status == study.Status.FINISHED else f" of {count(study.num_pieces)} planned"
    sentence = presentation.finding or f"{label}, {game}."
    description = f"{sentence} {plural(current.done, 'row', 'rows')}{state}."
    facts = tuple((fact.label, fact.value) for fact in presentation.facts) or (("Rows", count(current.done)),)
    card = Card(study.title, description, _shown_address(link), facts=facts)
    return _preview(link, study.title, description, card, study_citation(link, study, label, current))


def _ladder_preview(link: ShareLink, ladder: Experiment) -> Preview:
    now = ladder_state(ladder)
    played, engines = sum(len(m.ranks) for m in now.standing.meetings), len(now.ladder.entries)
    sentence = ladder_words.answer(now) or "No ratings yet."
    description = f"{sentence} {plural(engines, 'engine', 'engines')}, {num_matches([played])}."
    rows = ladder_forest(now, ordered(now.standing)).rows
    facts = tuple((row.name, f"{row.rating} {row.ends}".strip()) for row in rows[:MAX_FACTS])
    card = Card(ladder.title, description, _shown_address(link), facts=facts or (("Engines", count(engines)),))
    return _preview(link, ladder.title, description, card, citation(link, ladder, ladder.title, played))


PREVIEWS: Mapping[str, Callable[[ShareLink, Any], Preview]] = {
    "experiment": _experiment_preview,
    "ladder": _ladder_preview,
    "study": _study_preview,
}
"""Word of a kind of job (`Job.word`) -> the function that makes the preview of one."""


@dataclass(frozen=True)
class ExportRow:
    """One line of the list of files."""

    label: str
    matches: str
    metrics: str
    plies: str


def export_rows(base: str) -> list[ExportRow]:
    """Addresses of all exports below `base`."""
    return [
        ExportRow(kind.label, *(f"{base}export/{table}.{format_id}" for table in exports.TABLES))
        for format_id, kind in exports.FORMATS.items()
    ]


def embed_snippets(preview: Preview) -> dict[str, str]:
    """Snippets of a picture that links to the page; it follows the experiment."""
    picture = preview.image.split("?")[0]
    alt = preview.title.translate(str.maketrans('"<>[]', "'()()"))
    return {
        "HTML": f'<a href="{preview.url}"><img src="{picture}" width="600" height="315" alt="{alt}"></a>',
        "Markdown": f"[![{alt}]({picture})]({preview.url})",
    }
