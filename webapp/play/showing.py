"""All that the page of a match shows: what `seeing.observe` lets its reader know, drawn and in words.

The first answer is rendered into the page, later ones come as JSON; both are `show`. Panels are
HTML from the same templates, so that page and script cannot differ.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe

from engines import levels as engine_levels
from games import svg
from games.protocol import TERMINAL, Game, Panel, Supply
from webapp.common import naming
from webapp.common.formats import percent, signed
from webapp.lab.results.sides import configuration_words
from webapp.play import aids, links, moves, places, preferences, spoken, wording
from webapp.play.moves import Move
from webapp.play.visitors import Visitor
from webapp.table.live import challenges, hints, leaving, positions, rematch, returning, seating, seeing, wishes
from webapp.table.live.models import LiveMatch, LiveSeat
from webapp.table.live.plans import ANYBODY
from webapp.table.live.positions import MovedError
from webapp.table.live.seating import Table

PREFIX = "board-"
"""Begins every id of the board on the page."""
MOST_PIPS = 10
WHOLE_SHARE = 0.1
NOTHING = Panel(held="", held_label="", note="", supplies=())
"""Beside the board of a match that has not begun."""
PANELS = {
    "turn": "play/_turn.html",
    "plates": "play/_plates.html",
    "outcome": "play/_outcome.html",
    "moves": "play/_moves.html",
    "stock": "play/_stock.html",
    "wishes": "play/_wishes.html",
    "room": "play/_room.html",
    "hint": "play/_hint.html",
}
"""Template of each part beside the board, by the name that page and script give it."""


@dataclass(frozen=True)
class Plate:
    """What stands on a seat's plate. gain: what it would get if the match ended now.

    called: the name, and what tells it apart from an equal one.
    """

    seat: int
    name: str
    called: tuple[str, str]
    note: str
    score: int
    gain: str
    supplies: list[dict[str, Any]]
    left_s: float | None
    is_active: bool
    is_mine: bool
    is_open: bool
    kept_for: str
    replaced: str
    rank: int | None
    has_won: bool


@dataclass(frozen=True)
class Party:
    """Plates that win or lose together, partners or a seat alone, and what they have in common."""

    plates: tuple[Plate, ...]

    @property
    def score(self) -> int:
        """Points, the same for all of them."""
        return self.plates[0].score

    @property
    def rank(self) -> int | None:
        """The place at the end; of two teams the second one's is 2."""
        rank = self.plates[0].rank
        return min(rank, 2) if rank and len(self.plates) > 1 else rank

    @property
    def seat(self) -> int:
        """The first seat of it."""
        return self.plates[0].seat

    @property
    def is_mine(self) -> bool:
        """Whether the reader sits there."""
        return any(plate.is_mine for plate in self.plates)


@dataclass(frozen=True)
class Shown:
    """The match as one reader sees it now. data: for the script; board, panels: SVG and HTML."""

    heading: str
    data: dict[str, Any]
    board: SafeString
    panels: dict[str, SafeString]

    @property
    def json(self) -> dict[str, Any]:
        """All of it, as `play:state` answers."""
        return self.data | {"board": self.board, "panel": self.panels}


def show(found: Visitor, token: str) -> Shown:
    """What the page shows to whoever looks; a match that moves meanwhile is looked at again.

    token: for the forms in the panels (Django's `csrf_token`).
    """
    for _ in range(seeing.LOOKS):
        try:
            return _show(found, token)
        except MovedError:
            found = replace(found, match=LiveMatch.objects.get(pk=found.match.pk))
    raise MovedError(f"match {found.match.pk} moves too fast to be seen")


def _show(found: Visitor, token: str) -> Shown:
    match = found.match
    seen = seeing.observe(match, found.own)
    position = positions.at(match, seen["ply"])
    game, state = position.game, position.state
    viewer = seeing.viewer(position, seen["your_seats"])
    rows = list(match.seats.select_related("configuration").order_by("seat"))
    away = returning.vacant(match, rows, found.own)
    departed = [row for row in rows if row.seat in found.own and returning.departure(row)]
    if seen["latest"] < match.ply:
        rows = seating.as_of(rows, seen["latest"])
    table = Table(match, tuple(rows), tuple(seen["your_seats"]))
    has_begun = match.status != LiveMatch.Status.OPEN
    panel = game.panel(state, viewer, prefix=f"{PREFIX}panel-") if has_begun else NOTHING
    words = wording.away(away[0]) if away else wording.now(table, seen, _first_ask(game, seen["actions"]), departed)
    can = wishes.can(match, found.own, is_creator=found.is_creator)
    offered = aids.offered(match, game)
    told = {"aids": [asdict(aid) for aid in offered], "words": words}
    told["aids_on"] = aids.switched_on(found.person, game, offered)
    data = {
        **seen,
        **told,
        "steps": [asdict(step) for step in game.steps],
        "preferences": preferences.of(found.person).to_json(),
        "can": can,
        "actions": spoken.actions(table, seen["actions"]),
        "hint": spoken.hint(table, found.seats),
        "no_hint": hints.why_not_now(table),
        "held_label": panel.held_label,
        "note": panel.note,
    }
    played = moves.listed(table, seen)
    context = _of_table(table, seen, panel, played) | _of_reader(found, can) | told
    context |= {"match": match, "game": game, "seen": seen, "panel": panel, "csrf_token": token}
    recent = sum(move.is_new for move in played) or 1
    board = game.play_svg(state, seat=viewer, theme="page", prefix=PREFIX, recent=recent) if has_begun else ""
    board = svg.named(naming.labelled(board, wording.within(table)), [wording.name(table, row.seat) for row in rows])
    panels = {name: render_to_string(template, context) for name, template in PANELS.items()}
    return Shown(wording.heading(game, table), data, mark_safe(board), panels)


def _first_ask(game: Game, actions: Sequence[Mapping[str, Any]]) -> str:
    """What is asked for first: of the steps that some legal action has."""
    begun = {action["parts"][0]["name"] for action in actions if action["parts"]}
    return next((step.ask for step in game.steps if step.name in begun), "")


def _of_table(table: Table, seen: Mapping[str, Any], panel: Panel, played: Sequence[Move]) -> dict[str, Any]:
    """What the panels say of the match and those who sit at it."""
    plates, runs = _plates(table, seen, panel), moves.runs(played)
    parties = [Party(tuple(plates[seat] for seat in side)) for side in wording.sides(table)]
    return {
        "held": mark_safe(panel.held),
        "plates": plates,
        "teams": _own_first(parties) if wording.has_teams(table) else [],
        "parties": parties,
        "order": sorted(parties, key=lambda party: (party.rank or 0, -party.score, party.seat)),
        "moves": played,
        "kinds": _kinds(table, seen),
        "last": moves.last(table, seen, runs),
        "earlier": [run for run in runs[1:] if run.is_new],
        "stocks": _stocks(table, panel, has_chances=aids.may_think(table.match)),
        "has_rivals": bool(table.others),
        "rivals_offer": wording.offer(table),
        "asks": _costs(table),
        "helped": wording.helped(table),
        "no_hints": hints.why_not(table),
    }


def _own_first(parties: Sequence[Party]) -> list[Party]:
    """Teams, the reader's before the other."""
    return sorted(parties, key=lambda party: not party.is_mine)


def _of_reader(found: Visitor, can: Mapping[str, Any]) -> dict[str, Any]:
    """What the panels offer to whoever reads them. has_played: also whom an engine has replaced since."""
    return {
        "able": {name.replace("-", "_"): row for name, row in can.items()},
        "invite": links.invite_link(found.match) if found.is_creator else "",
        "is_player": bool(found.seats),
        "may_join": bool(places.free(found.match, invited=False)),
        "has_played": bool(found.own),
        "may_challenge": found.match.is_over and not challenges.why_not(found.match, found.seats),
        "is_creator": found.is_creator,
    }


def _plates(table: Table, seen: Mapping[str, Any], panel: Panel) -> list[Plate]:
    rows = seen.get("result") or [None] * len(table.rows)
    return [_plate(table, row, seen, panel, result) for row, result in zip(table.rows, rows, strict=True)]


def _plate(
    table: Table, row: LiveSeat, seen: Mapping[str, Any], panel: Panel, result: Mapping[str, Any] | None
) -> Plate:
    one, name = seen["seats"][row.seat], wording.name(table, row.seat)
    is_active = seen["on_turn"] == row.seat and table.match.status == LiveMatch.Status.RUNNING
    return Plate(
        seat=row.seat,
        name=name,
        called=naming.parted(name, row.name),
        note=_note(table.match, row),
        score=one["score"],
        gain=_gain(table, one),
        supplies=[_supply(supply) for supply in panel.supplies[row.seat]] if panel.supplies else [],
        left_s=None if row.kind == LiveSeat.Kind.ENGINE else _left_s(one["left_s"], seen, is_active=is_active),
        is_active=is_active,
        is_mine=row.seat in table.seats,
        is_open=row.kind == LiveSeat.Kind.OPEN,
        kept_for=_kept_for(table.match, row),
        replaced=_replaced(table.match, row),
        rank=result["rank"] if result else None,
        has_won=bool(result) and result["result"] == "win",
    )


def _kept_for(match: LiveMatch, row: LiveSeat) -> str:
    """For whom an open seat is; empty where anybody may take it, or somebody has it."""
    if row.kind != LiveSeat.Kind.OPEN or row.name == ANYBODY:
        return ""
    return rematch.asked(match, row.seat) or "an invitation"


def _left_s(before: float | None, seen: Mapping[str, Any], *, is_active: bool) -> float | None:
    """Seconds on a clock now; before: at the beginning of this ply, which runs on the clock of whoever is on turn."""
    if before is None or not is_active:
        return before
    return max(0.0, before - (seen["waited_s"] or 0.0))


def _supply(supply: Supply) -> dict[str, Any]:
    """A supply; pips: for each piece whether it is left, where there are few."""
    pips = [piece < supply.left for piece in range(supply.total)] if supply.total <= MOST_PIPS else []
    return asdict(supply) | {"pips": pips}


def _stocks(table: Table, panel: Panel, *, has_chances: bool) -> list[dict[str, Any]]:
    """What is still to come, its pictures and chances ready for the page; has_counts: whether kinds are counted."""
    return [
        asdict(stock)
        | {
            "has_counts": any(row.total > 1 for row in stock.rows),
            "chances": stock.chances if has_chances else "",
            "rows": [
                asdict(row)
                | {
                    "picture": mark_safe(row.picture),
                    "chance": _chance(row.chance) if has_chances else "",
                    "places": [(seat, wording.name(table, seat), percent(share, 0)) for seat, share in row.places]
                    if has_chances
                    else [],
                }
                for row in stock.rows
            ],
        }
        for stock in panel.stocks
        if stock.left or not table.match.is_over
    ]


def _chance(share: float | None) -> str:
    return "" if share is None else percent(share, 0 if share >= WHOLE_SHARE or not share else 1)


def _gain(table: Table, one: Mapping[str, Any]) -> str:
    """What would be added if the match ended now; empty where that is not known, or past."""
    if table.match.is_over or not aids.may_think(table.match) or one["projected"] is None:
        return ""
    return signed(one["projected"] - one["score"], 0)


def _note(match: LiveMatch, row: LiveSeat) -> str:
    """How strong an engine is, or what else is worth knowing of who sits there."""
    if row.kind == LiveSeat.Kind.ENGINE and row.configuration is not None:
        config = row.configuration
        seconds = config.budget.get("seconds_per_ply")
        if row.level:
            try:
                summary = engine_levels.get(match.game, row.level).summary.rstrip(".")
            except KeyError:  # a level of another version of the lab
                summary = row.level
            return f"{summary}, {seconds:g} s a move" if seconds else summary
        words = configuration_words({"engine": config.engine, "options": config.options, "budget": config.budget})
        return ", ".join(word for word in words if word != row.name)
    if row.kind == LiveSeat.Kind.AGENT:
        return "plays over the network"
    return "starts" if row.seat == match.on_turn and not match.ply else ""


def _replaced(match: LiveMatch, row: LiveSeat) -> str:
    """Who sat here before an engine took over, and why; whoever may come back has not lost yet."""
    back = returning.vacant(match, [row], [row.seat])
    return " ".join(
        f"Since move {entry['ply'] + 1} for {entry['name']}: {entry['why']}"
        + (f" {entry['name']} has lost." if entry["has_lost"] and not back else "")
        for entry in row.replaced or ()
    )


def _costs(table: Table) -> str:
    """What resigning costs, said before it does."""
    if not table.seats or table.match.status != LiveMatch.Status.RUNNING:
        return ""
    own = table.match.on_turn if table.match.on_turn in table.seats else table.seats[0]  # as `seating.Table.acting`
    if leaving.plays_on_without(table.match, own):
        return "You lose the match whatever happens in it; an engine plays your seat on, for the others."
    if len(table.rows) == 2 and len(table.seats) == 1:
        return f"The match ends here and you lose it. {wording.company(table)} wins, whatever the score."
    return "The match ends here and you lose it, whatever the score."


def _kinds(table: Table, seen: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What brought whom how many points in a match that was played to its end; kinds that brought any."""
    position = positions.at(table.match, seen["ply"])
    if table.match.status != LiveMatch.Status.FINISHED or position.player != TERMINAL:
        return []
    values = position.game.metrics(position.state)
    rows = [metric for metric in position.game.metric_table if metric.group == "points" and metric.id in values[0]]
    firsts = [side[0] for side in wording.sides(table)]
    kinds = [
        {"label": metric.kind or metric.label, "points": [int(values[seat][metric.id]) for seat in firsts]}
        for metric in rows
    ]
    return [kind for kind in kinds if any(kind["points"])]
