"""Which jobs of a list are looked for: words, game, engine, state, tag, and of staff a person; kept in the address."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any
from urllib.parse import urlencode

from django.db.models import CharField, F, Func, Q, QuerySet, Value
from django.http import QueryDict

from games import registry as game_registry
from webapp.common.numbers import parse_whole
from webapp.lab.jobs import tags
from webapp.lab.jobs.kind import JobKind
from webapp.people.accounts.models import User
from webapp.records.job import Job

MAX_LETTERS, MAX_WORDS = 200, 8
MAX_NUMBER = 2**63
EVERYBODY = "everybody"
STATES: Mapping[str, Sequence[tuple[str, str]]] = {
    "running": ((Job.Status.RUNNING, "Running"), (Job.Status.PAUSED, "Paused")),
    "finished": ((Job.Status.FINISHED, "Finished"), (Job.Status.STOPPED, "Stopped")),
    "archived": ((Job.Status.FINISHED, "Finished"), (Job.Status.STOPPED, "Stopped")),
}
"""Tab -> states of the jobs in it, with their words."""


@dataclass(frozen=True)
class Asked:
    """What is looked for; empty texts ask for nothing. q: words, or a number; person: a name, or EVERYBODY."""

    q: str = ""
    game: str = ""
    engine: str = ""
    state: str = ""
    tag: str = ""
    person: str = ""

    @property
    def given(self) -> dict[str, str]:
        """What is asked for by name."""
        return {field.name: value for field in fields(self) if (value := getattr(self, field.name))}

    @property
    def query(self) -> str:
        """The same for an address; empty where nothing is asked for."""
        return urlencode(self.given)

    @property
    def is_narrow(self) -> bool:
        """Whether it leaves anything out of one's own list."""
        return bool(self.given)

    def but(self, **changes: str) -> Asked:
        """The same with other values."""
        return replace(self, **changes)


def read(query: QueryDict | Mapping[str, str], reader: User) -> Asked:
    """What an address asks for; a person only where staff ask."""
    names = [field.name for field in fields(Asked) if field.name != "person" or reader.is_staff]
    given = {name: str(query.get(name, "")).replace("\0", "").strip()[:MAX_LETTERS] for name in names}
    return Asked(**given | {"tag": given["tag"].lower()})


def base(kind: JobKind, asked: Asked, reader: User) -> QuerySet[Any]:
    """Jobs among which is looked for something: one's own, or those of the person that staff ask about."""
    rows = kind.only_listed(kind.jobs)
    if not asked.person:
        return rows.filter(owner=reader)
    rows = rows.select_related("owner")
    if asked.person == EVERYBODY:
        return rows
    owner = User.objects.filter(username=asked.person).values_list("pk", flat=True).first()
    return rows.filter(owner=owner or 0)  # by number: by a name Postgres expects next to no rows, and joins one by one


def narrowed(rows: QuerySet[Any], kind: JobKind, asked: Asked) -> QuerySet[Any]:
    """Jobs that fit, of whatever state. Notes and tags of other people are not looked at."""
    is_own = not asked.person
    for word in asked.q.split()[:MAX_WORDS]:
        rows = _with_word(rows, word, is_own=is_own)
    if asked.game:
        rows = rows.filter(game=asked.game)
    if asked.tag:
        rows = rows.filter(tags__contains=[asked.tag]) if is_own else rows.none()
    if asked.engine and kind.with_engine is not None:
        rows = kind.with_engine(rows, asked.engine)
    return rows


def of_state(rows: QuerySet[Any], asked: Asked, tab: str) -> QuerySet[Any]:
    """Those of a tab that are in the asked state; a state that the tab has not asks for nothing."""
    return rows.filter(status=asked.state) if asked.state in dict(STATES.get(tab, ())) else rows


def _with_word(rows: QuerySet[Any], word: str, *, is_own: bool) -> QuerySet[Any]:
    """Jobs with a word in their title, notes or tags, or with this number."""
    found = Q(title__icontains=word)
    if is_own:
        joined = Func(F("tags"), Value(" "), function="array_to_string", output_field=CharField())
        rows = rows.alias(joined_tags=joined)
        found |= Q(notes__icontains=word) | Q(joined_tags__icontains=word)
    if (number := parse_whole(word.removeprefix("#"))) is not None and number < MAX_NUMBER:
        found |= Q(pk=number)
    return rows.filter(found)


# ---- what a list offers


@dataclass(frozen=True)
class Chip:
    """One thing that is asked for. without: the query of the list without it."""

    label: str
    value: str
    without: str


@dataclass(frozen=True)
class Choices:
    """What a list offers to look for, each with what is shown of it; engines: empty for kinds without."""

    games: Sequence[tuple[str, str]]
    engines: Sequence[tuple[str, str]]
    states: Sequence[tuple[str, str]]
    tags: Sequence[tuple[str, int]]

    def chips(self, asked: Asked, tab: str) -> list[Chip]:
        """What is asked for, each with the way to leave it out."""
        shown = {
            "q": f"“{asked.q}”",
            "game": dict(self.games).get(asked.game, asked.game),
            "engine": dict(self.engines).get(asked.engine, asked.engine),
            "state": dict(self.states).get(asked.state, ""),
            "tag": asked.tag,
            "person": asked.person,
        }
        words = {"q": "Words", "state": "State", "person": "Of"}
        return [
            Chip(words.get(name, name.capitalize()), shown[name], _address(asked.but(**{name: ""}), tab))
            for name in asked.given
            if shown[name]
        ]


def _address(asked: Asked, tab: str) -> str:
    return "&".join(filter(None, (f"tab={tab}" if tab else "", asked.query)))


def choices(rows: QuerySet[Any], kind: JobKind, asked: Asked, tab: str) -> Choices:
    """What can be looked for among these jobs; what is asked for already is always among it."""
    games = {*rows.order_by().values_list("game", flat=True).distinct(), *filter(None, [asked.game])}
    engines = dict(kind.engines(rows)) if kind.engines is not None else {}
    if asked.engine and kind.engines is not None:
        engines.setdefault(asked.engine, asked.engine)
    return Choices(
        games=sorted(((game, _game_label(game)) for game in games), key=lambda row: row[1]),
        engines=sorted(engines.items(), key=lambda row: row[1].lower()),
        states=STATES.get(tab, ()),
        tags=[] if asked.person else tags.counted(rows),
    )


def _game_label(game: str) -> str:
    return game_registry.get(game).label if game in game_registry.ids() else game
