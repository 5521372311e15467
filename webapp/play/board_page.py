"""All that the page of a match shows: what `observations.observe` lets its reader know, drawn and in words.

The first answer is rendered into the page, later ones come as JSON; both are `build_page`. Panels are
HTML from the same templates, so that page and script cannot differ.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any

import orjson
from django.utils.safestring import SafeString, mark_safe

from games.panels import Panel
from games.protocol import TERMINAL, Aid, Game, Step
from webapp.play import (
    aids,
    asked,
    boards,
    endings,
    guide,
    links,
    moves,
    open_seats,
    panels,
    plates,
    preferences,
    seat_labels,
    slips,
    stocks,
    wording,
)
from webapp.play.asked import Asked
from webapp.play.endings import EndSheet
from webapp.play.links import Link
from webapp.play.moves import LastMoves, Move, Told
from webapp.play.open_seats import InvitableFriend
from webapp.play.panels import TOKEN, Drawn
from webapp.play.plates import Party, Plate
from webapp.play.preferences import Preferences
from webapp.play.stocks import StockCard
from webapp.play.wording import TurnWords
from webapp.table.live import (
    between_rounds,
    challenges,
    departures,
    hints,
    observations,
    phrases,
    player_requests,
    position_cache,
    seat_return,
    table_seats,
    taking_back,
)
from webapp.table.live.between_rounds import Pause
from webapp.table.live.models import LiveMatch
from webapp.table.live.phrases import Talk
from webapp.table.live.player_requests import Permissions
from webapp.table.live.position_cache import MovedError, Position
from webapp.table.live.snapshot import Action, Snapshot, as_json
from webapp.table.live.table_seats import Table

NOTHING = Panel(held="", held_label="", note="", supplies=())
"""Beside the board of a match that has not begun."""
PANELS = {
    "turn": "play/_turn.html",
    "plates": "play/_plates.html",
    "outcome": "play/_outcome.html",
    "ending": "play/_ending.html",
    "told": "play/_told.html",
    "wishes": "play/_wishes.html",
    "asked": "play/_asked.html",
    "room": "play/_room.html",
    "hint": "play/_hint.html",
    "guide": "play/_guide.html",
}
"""Template of each part beside the board, by the name that page and script give it; moves and stocks draw their own."""
BOARD = "board"
NO_TAGS: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True)
class Script:
    """Data for the page's script beside the snapshot.

    actions: in all their spellings, with labels as people read them; needs_confirm, slip_ms: see `webapp.play.slips`.
    """

    seen: Snapshot
    actions: tuple[Action, ...]
    aids: tuple[Aid, ...]
    words: TurnWords
    aids_on: tuple[str, ...]
    steps: tuple[Step, ...]
    preferences: Preferences
    can: Permissions
    needs_confirm: bool
    slip_ms: int
    hint: dict[str, Any] | None
    no_hint: str
    held_label: str
    note: str
    ending: EndSheet | None
    pause: Pause | None
    talk: Talk | None

    def members(self) -> dict[str, Any]:
        """The snapshot and the rest in one object."""
        rest = {name: value for name, value in vars(self).items() if name != "seen"}
        own = {name: value.to_json() if hasattr(value, "to_json") else value for name, value in rest.items()}
        return self.seen.members() | own

    def to_json(self) -> dict[str, Any]:
        """The same down to what is JSON already."""
        return {name: as_json(value) for name, value in self.members().items()}


@dataclass(frozen=True)
class Scene:
    """Scene that every panel speaks of. spellings: of the legal actions; words: whose turn it is, why one waits."""

    match: LiveMatch
    game: Game
    seen: Snapshot
    spellings: tuple[Action, ...]
    panel: Panel
    words: TurnWords


@dataclass(frozen=True)
class Kind:
    """Kind of points, with what each party got for it."""

    label: str
    points: list[int]


@dataclass(frozen=True)
class AtTable:
    """Data of the panels on the match and those who sit at it.

    order: parties by place; earlier: moves since the reader's last one, but for `last`; asks: what
    resigning costs; told: the last turns of others, where a board keeps nothing of them; helped: who used
    hints; no_hints: why there are none.
    """

    held: SafeString
    plates: list[Plate]
    teams: list[Party]
    parties: list[Party]
    order: list[Party]
    moves: Sequence[Move]
    kinds: list[Kind]
    last: LastMoves | None
    earlier: list[Move]
    told: list[Told]
    stocks: tuple[StockCard, ...]
    ending: EndSheet | None
    has_rivals: bool
    rivals_offer: str
    asked: Asked | None
    asks: str
    helped: str
    no_hints: str


@dataclass(frozen=True)
class ForReader:
    """Offers of the panels to their reader.

    has_played: true also for one whom an engine has replaced since; may_share: whether they may make the match
    public.
    """

    can: Permissions
    invite: Link | None
    is_player: bool
    may_join: bool
    never_back: str
    has_played: bool
    may_challenge: bool
    may_share: bool
    is_creator: bool
    friends: Sequence[InvitableFriend]


@dataclass(frozen=True)
class BoardPage:
    """The match as one reader sees it now.

    parts: the board and each panel, with tags that are alike where these are alike; token: for the forms in them.
    """

    game: Game
    heading: str
    script: Script
    parts: dict[str, Drawn]
    token: str

    @cached_property
    def data(self) -> dict[str, Any]:
        """Data in the page for the script."""
        return self.script.to_json()

    @property
    def board(self) -> SafeString:
        """The board."""
        return self.parts[BOARD].html

    @property
    def panels(self) -> dict[str, SafeString]:
        """The panels, by name."""
        return {name: self._html(name) for name in self.parts if name != BOARD}

    @property
    def opens_ending(self) -> bool:
        """Whether the page begins beside the sheet of an end: the match is over, or waits between two rounds."""
        ending = self.script.ending
        return ending is not None and (self.script.pause is not None or (ending.is_over and ending.is_fresh))

    @property
    def sheet(self) -> SafeString:
        """Symbols that small pictures in the panels refer to, once a page."""
        return mark_safe(self.game.piece_sheet() if self.game.piece_sheet is not None else "")

    def dumps(self, known: Mapping[str, str] = NO_TAGS, **further: Any) -> bytes:
        """All of it as JSON, as `play:state` answers, but for parts that its reader has. known: tags of those."""
        tags = {name: part.tag for name, part in self.parts.items()}
        new = [name for name, tag in tags.items() if known.get(name) != tag]
        panels = {name: self._html(name) for name in new if name != BOARD}
        board = {BOARD: self.board} if BOARD in new else {}
        return orjson.dumps(self.script.members() | board | {"panel": panels, "tags": tags} | further)

    def _html(self, name: str) -> SafeString:
        return mark_safe(self.parts[name].html.replace(TOKEN, self.token))


def build_page(reader: Table, token: str, base: str = "") -> BoardPage:
    """Build the page for its reader; a match that changes meanwhile is read again.

    token: for the forms in the panels (Django's `csrf_token`); base: of links for others (`links.base_of`).
    """
    for _ in range(observations.LOOKS):
        try:
            return _show(reader, token, base)
        except MovedError:
            match = LiveMatch.objects.get(pk=reader.match.pk)
            reader = replace(reader, match=match, rows=table_seats.seats_of(match))
    raise MovedError(f"match {reader.match.pk} moves too fast to be seen")


def _show(reader: Table, token: str, base: str) -> BoardPage:
    match, version = reader.match, reader.match.version
    seen = observations.observe(match, reader.own, rows=reader.rows)
    if match.version != version:
        raise MovedError("who sits there may have changed, too")
    position = position_cache.position_at(match, seen.ply)
    game, viewer = position.game, observations.viewer(position, seen.your_seats)
    table = Table(match, tuple(table_seats.as_of(reader.rows, seen.latest)), seen.your_seats)
    has_begun = match.status != LiveMatch.Status.OPEN
    panel = game.panel(position.state, viewer, prefix=f"{boards.PREFIX}panel-") if has_begun else NOTHING
    spellings = observations.spellings(seen, position)
    scene = Scene(match, game, seen, spellings, panel, _words(reader, table, seen, game))
    at_table = _at_table(table, scene, moves.list_moves(table, seen.ply), position)
    script = _script(reader, table, scene, at_table.ending)
    shown = (scene, at_table, _for_reader(reader, script.can, base))
    context: dict[str, Any] = {name: value for one in shown for name, value in vars(one).items()}
    context["guide"] = guide.find_guide(reader.person, table, seen.ply) if has_begun else None
    parts = {name: panels.draw(name, template, match, context) for name, template in PANELS.items()}
    parts |= {"moves": moves.draw(at_table.moves), "stock": stocks.draw(at_table.stocks)}
    recent = sum(move.is_new for move in at_table.moves) or 1
    parts[BOARD] = boards.draw_board(table, position, viewer, recent) if has_begun else panels.drawn(mark_safe(""))
    return BoardPage(game, wording.heading(game, table), script, parts, token)


def _words(reader: Table, table: Table, seen: Snapshot, game: Game) -> TurnWords:
    """Words for whose turn it is; for a player whom an engine has replaced, words for that."""
    if away := seat_return.vacant_seats(reader.match, reader.rows, reader.own):
        return wording.absence_words(away[0])
    departed = [row for row in reader.rows if row.seat in reader.own and seat_return.departure_note(row)]
    return wording.turn_words(table, seen, _first_ask(game, seen.actions), departed)


def _first_ask(game: Game, actions: Sequence[Action]) -> str:
    """The step that is asked for first, of those that some legal action has."""
    begun = [action.parts[0] for action in actions if action.parts]
    step = next((step for step in game.steps if any(part.name == step.name for part in begun)), None)
    if step is None:
        return ""
    start, words = step.besides or ("", step.ask)
    return words if any(part.name == step.name and part.value.startswith(start) for part in begun) else step.ask


def _script(reader: Table, table: Table, scene: Scene, ending: EndSheet | None) -> Script:
    offered, chosen = aids.offered_aids(scene.match, scene.game), preferences.load(reader.person)
    return Script(
        seen=scene.seen,
        actions=seat_labels.label_actions(table, scene.spellings),
        aids=tuple(offered),
        words=scene.words,
        aids_on=tuple(aids.active_aids(reader.person, scene.game, offered)),
        steps=tuple(scene.game.steps),
        preferences=chosen,
        can=player_requests.permissions(reader),
        needs_confirm=slips.needs_confirm(reader, chosen),
        slip_ms=slips.slip_ms(reader, chosen),
        hint=seat_labels.label_hint(table),
        no_hint=hints.why_not_now(table),
        held_label=scene.panel.held_label,
        note=scene.panel.note,
        ending=ending,
        pause=between_rounds.pause_for(table) if scene.seen.ply == scene.match.ply else None,
        talk=phrases.talk(reader, scene.seen.ply),
    )


def _at_table(table: Table, scene: Scene, played: Sequence[Move], position: Position) -> AtTable:
    seen, panel, runs = scene.seen, scene.panel, moves.runs(played)
    all_plates = plates.plates_of(table, seen, panel)
    parties = plates.parties_of(table, all_plates)
    kinds = _kinds(table, seen.ply)
    return AtTable(
        held=mark_safe(panel.held),
        plates=all_plates,
        teams=sorted(parties, key=lambda party: not party.is_mine) if wording.has_teams(table) else [],
        parties=parties,
        order=sorted(parties, key=lambda party: (party.rank or 0, -party.score, party.seat)),
        moves=played,
        kinds=kinds,
        last=moves.last(table, seen.last, runs),
        earlier=[run for run in runs[1:] if run.is_new],
        told=moves.last_turns(table, played) if scene.game.tells_turns else [],
        stocks=stocks.stocks_of(table, panel),
        ending=_ending(table, position, parties, kinds, played),
        has_rivals=bool(table.others),
        rivals_offer=wording.offer(table),
        asked=asked.find(table),
        asks=_costs(table),
        helped=wording.hint_usage(table),
        no_hints=hints.why_not(table),
    )


def _ending(
    table: Table, position: Position, parties: Sequence[Party], kinds: Sequence[Kind], played: Sequence[Move]
) -> EndSheet | None:
    """The newest end of a round or of the match; None before the first."""
    if table.match.status == LiveMatch.Status.ENDED and position.ply and position.ply == table.match.ply:
        return endings.broken_off(table, position)
    found = endings.find(table, position)
    if found is None:
        return None
    last_own = max((move.ply for move in played if move.seat in table.seats), default=None)
    return endings.sheet(table, found, parties, kinds, last_own)


def _for_reader(reader: Table, can: Permissions, base: str) -> ForReader:
    return ForReader(
        can=can,
        invite=links.invite_link(reader.match, base) if reader.is_creator else None,
        is_player=bool(reader.seats),
        never_back=taking_back.why_never(reader),
        may_join=bool(open_seats.list_open_seats(reader.match, invited=False)),
        has_played=bool(reader.own),
        may_challenge=reader.match.is_over and not challenges.why_not(reader.match, reader.seats),
        may_share=reader.is_creator,
        is_creator=reader.is_creator,
        friends=open_seats.list_invitable(reader),
    )


def _costs(table: Table) -> str:
    """Sentence on what resigning costs, shown before it is done."""
    if not table.seats or table.match.status != LiveMatch.Status.RUNNING:
        return ""
    own = table.match.on_turn if table.match.on_turn in table.seats else table.seats[0]  # as `table_seats.Table.acting`
    if departures.plays_on_without(table.match, own):
        return "You lose the match whatever happens in it; an engine plays on in your seat, for the others."
    if len(table.rows) == 2 and len(table.seats) == 1:
        return f"The match ends here and you lose it. {wording.company(table)} wins, whatever the score."
    return "The match ends here and you lose it, whatever the score."


def _kinds(table: Table, ply: int) -> list[Kind]:
    """Points by kind and party in a match that was played to its end; kinds that brought any."""
    position = position_cache.position_at(table.match, ply)
    if table.match.status != LiveMatch.Status.FINISHED or position.player != TERMINAL:
        return []
    values = position.game.metrics(position.state)
    rows = [metric for metric in position.game.metric_table if metric.group == "points" and metric.id in values[0]]
    firsts = [side[0] for side in wording.sides(table)]
    kinds = [Kind(metric.kind or metric.label, [int(values[seat][metric.id]) for seat in firsts]) for metric in rows]
    return [kind for kind in kinds if any(kind.points)]
