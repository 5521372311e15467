"""Title, description, picture and citation of a shared project."""

from __future__ import annotations

from collections import Counter
from urllib.parse import urlsplit

from django.conf import settings
from django.urls import reverse
from django.utils import timezone

from games import registry as game_registry
from webapp.common.formats import count, plural, signed
from webapp.lab.jobs import bars
from webapp.lab.jobs.briefs import Effect
from webapp.lab.projects.models import Project, ProjectLink
from webapp.lab.projects.selectors import Item, Report
from webapp.sharing.card import MAX_ROWS, Card, Row, Scale
from webapp.sharing.citation import Citation, cite
from webapp.sharing.selectors import Preview

DIGITS = {"win_rate": 1, "margin": 1, "place": 2, "rating": 0}
TICKS = (-1.0, -0.5, 0.0, 0.5, 1.0)
"""Of the axis, in parts of how far it goes."""
SHOWN = 3
"""Results that the description names."""


def preview(link: ProjectLink, project: Project, found: Report) -> Preview:
    """The preview of a project, with the answers that are known at this moment."""
    url = f"{settings.PUBLIC_URL}{reverse('sharing:project', args=[link.slug])}"
    results = plural(len(found.results), "result", "results")
    said = [_said(item) for item in found.results if item.brief][:SHOWN]
    description = " ".join([f"A report with {results}.", *said])
    rows, scale = _dots(found)
    games = sorted({_game(item) for item in found.results})
    facts = (("Results", count(len(found.results))), *((("Games", ", ".join(games)),) if games else ()))
    address = f"{urlsplit(settings.PUBLIC_URL).netloc}/p/{link.slug}"
    card = Card(project.title, description, address, rows=rows, scale=scale, facts=() if scale else facts)
    image = f"{settings.PUBLIC_URL}{reverse('sharing:project_card', args=[link.slug])}?v={card.key[:12]}"
    return Preview(project.title, description, url, image, card, _citation(link, project, url, results))


def _said(item: Item) -> str:
    """A result in words, behind the question that its title may be."""
    assert item.brief is not None
    title = item.job.title
    return f"{title}{'' if title[-1] in '.?!' else ':'} {item.brief.words}."


def _citation(link: ProjectLink, project: Project, url: str, results: str) -> Citation:
    changed = project.changed_at or timezone.now()
    facts = f"Report, {results}, as of {changed.day} {changed:%B %Y}"
    return cite((link.slug, url), changed.year, project.title, facts)


def _game(item: Item) -> str:
    game = item.job.game
    return game_registry.get(game).label if game in game_registry.ids() else str(game)


def _dots(found: Report) -> tuple[tuple[Row, ...], Scale | None]:
    """Results of the measure that most have, on their common axis; nothing where none is known."""
    known = [(item.job.title, item.brief) for item in found.results if item.brief and item.brief.bar]
    measures = Counter(brief.effect.measure for _, brief in known if brief.effect)
    if not measures:
        return (), None
    measure = measures.most_common(1)[0][0]
    rows = []
    for title, brief in known:
        if brief.effect is not None and brief.bar is not None and brief.effect.measure == measure:
            middle = float(brief.bar.middle)
            low, high = float(brief.bar.low or middle), float(brief.bar.high or middle)
            rows.append(Row(title, None, middle, low, high, _words(brief.effect)))
    reach = found.axes.reach[measure]
    ticks = tuple((50 + 50 * part, signed(part * reach, 1 if reach < 2 else 0)) for part in TICKS)
    words = bars.WORDS[measure]
    return tuple(rows[:MAX_ROWS]), Scale(ticks, 50.0, f"{words.capitalize()}, with intervals; dotted: no difference")


def _words(effect: Effect) -> str:
    digits = DIGITS[effect.measure]
    mean = signed(effect.mean, digits)
    if effect.low is None or effect.high is None:
        return mean
    return f"{mean} ({signed(effect.low, digits)} to {signed(effect.high, digits)})"
