"""One position of a recorded match: who is on turn, what was drawn, and whether engines may think there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from games import draws, variations
from games.protocol import Game, State
from webapp.common.formats import count, signed
from webapp.common.naming import with_names
from webapp.matches import selectors as match_selectors
from webapp.matches.replay import Replay
from webapp.matches.selectors import MatchPage, SeatCard
from webapp.records.models import Match, Ply
from webapp.table.live import action_words
from worker import course as courses


@dataclass(frozen=True)
class Standing:
    """A seat with its points: now, and what unfinished things would add."""

    card: SeatCard
    score: str
    open: str
    is_on_turn: bool


@dataclass(frozen=True)
class Situation:
    """A match after `ply` plies. refusal: why nothing can be analysed here, empty where it can."""

    match: Match
    ply: int
    last: int
    title: str
    refusal: str
    game: Game | None = None
    state: State | None = None
    actions: tuple[int, ...] = ()
    seats: tuple[Standing, ...] = ()
    on_turn: SeatCard | None = None
    drawn: str = ""
    drawn_svg: str = ""
    num_legal: int = 0
    played: int | None = None
    played_words: str = ""

    @property
    def names(self) -> list[str]:
        """Names of the seats."""
        return [standing.card.name for standing in self.seats]

    @property
    def is_over(self) -> bool:
        """Whether this is the end of the match."""
        return self.state is not None and self.on_turn is None

    @property
    def parameters(self) -> dict[str, Any]:
        """The position as the kind `position` takes it, runs apart."""
        spec = self.match.experiment.spec
        return {
            "options": spec["options"],
            "seats": int(spec["seats"]),
            "deal_seed": self.match.deal_seed,
            "actions": list(self.actions),
            **({"renewal": self.match.renewal} if self.match.renewal else {}),
        }


def situation(match: Match, asked: int | None, looking: int | None = None) -> Situation:
    """The position after `asked` plies; None and what is beyond the end count as the end.

    looking: the seat of the reader (`matches.selectors.page`).
    """
    page = match_selectors.page(match, looking)
    last = page.num_plies
    ply = last if asked is None else min(asked, last)
    walked = page.walked
    if walked is None or not last:
        why = page.unreadable or "No moves of this match were kept: there is no position."
        return Situation(match, ply, last, page.title, why)
    state = walked.states[ply]
    player = walked.game.current_player(state)
    actions = tuple(move.action for move in page.plies)
    zeros = zip(walked.standings[ply].scores, walked.standings[ply].projected, strict=True)
    is_over = player < 0
    tells_draws = walked.is_exact and not is_over and not walked.game.traits.has_hidden_information
    played = None if is_over or ply >= len(page.plies) else page.plies[ply]
    return Situation(
        match=match,
        ply=ply,
        last=last,
        title=page.title,
        refusal=_refusal(match, walked, is_over),
        game=walked.game,
        state=state,
        actions=actions[:ply],
        seats=tuple(
            Standing(card, count(now), signed(then - now, 0), card.seat == player)
            for card, (now, then) in zip(page.seats, zeros, strict=True)
        ),
        on_turn=None if is_over else page.seats[player],
        drawn=_drawn(match, page, actions[:ply]) if tells_draws else "",  # may be another seat's secret
        drawn_svg=variations.drawn_svg(walked.game, state, prefix="hand-"),
        num_legal=len(walked.game.legal_actions(state)),
        played=played.action if played else None,
        played_words=_played_words(page, played) if played else "",
    )


def _played_words(page: MatchPage, played: Ply) -> str:
    """The move of the match by all that sets it apart; notation where the record is of another position."""
    walked = page.walked
    if walked is None or (state := walked.recorded(played.ply)) is None:
        return played.notation
    return action_words.choice_line(walked.game, state, played.action, page.inner_names)


def _refusal(match: Match, walked: Replay, is_over: bool) -> str:
    if not walked.is_exact:
        played = match.versions.get(walked.game.id, "unknown")
        return (
            "Not comparable: this match does not replay exactly, so engines of today would think about "
            f"another position. It was played with version {played} of {walked.game.label}; this lab has "
            f"version {walked.game.version}."
        )
    if match.experiment.is_secret:
        return "Agents still play in its experiment: its matches can be analysed when all of them are over."
    if is_over:
        return "The match is over here: nobody is on turn. Step back to an earlier move."
    return ""


def _drawn(match: Match, page: MatchPage, actions: tuple[int, ...]) -> str:
    """Outcomes of chance since the last ply, in words."""
    spec, renewal = match.experiment.spec, courses.Renewal.from_json(match.renewal)
    game_id, seats = match.experiment.game, int(spec["seats"])
    *_, course = courses.replay(game_id, spec["options"], seats, match.deal_seed, actions, renewal)
    return action_words.capitalise(
        with_names(draws.describe_draws(course.game, course.drawn_from, course.outcomes), page.inner_names)
    )
