"""*Play now*: matches that begin by one click, with the terms that the form of a new match begins with."""

from __future__ import annotations

from dataclasses import dataclass, replace

from games import registry as game_registry
from games.protocol import Traits
from webapp.common.table_size import default_num_seats
from webapp.people.accounts.models import User
from webapp.play import draft, level_cards
from webapp.play.builder import MatchBuilder
from webapp.play.level_cards import LevelCard
from webapp.play.match_start import Setup
from webapp.play.ratings import anchors
from webapp.table.live import rated_rules

ENGINES, FRIENDS, RATED = "engines", "friends", "rated"


@dataclass(frozen=True)
class Company:
    """Who is played against, for the whole lobby: label, and a sentence on the terms.

    needs_account: whether a guest may not; words: on the button that begins.
    """

    id: str
    label: str
    terms: str
    words: str = "Play"
    needs_account: bool = False


COMPANIES = (
    Company(ENGINES, "Engines", "Casual: hints, and moves may be taken back."),
    Company(FRIENDS, "Friends", "You open a table and send its link; nobody else sees it.", "Invite", True),
    Company(RATED, "Rated", "Counts for your rating: no hints, nothing taken back.", needs_account=True),
)


def company(wanted: str) -> Company:
    """The company of that id; engines for any other text."""
    return next((one for one in COMPANIES if one.id == wanted), COMPANIES[0])


def levels(game_id: str, of: Company) -> list[LevelCard]:
    """The levels that may be chosen, weakest first; none where all other seats wait for friends."""
    known = level_cards.cards(game_id)
    if of.id == RATED:
        pool = rated_rules.pools(game_id)[0]
        return [card for card in known if anchors.get(game_id, pool, card.level.id) is not None]
    if of.id == FRIENDS and default_num_seats(game_registry.get(game_id).traits) == 2:
        return []
    return known


def table_words(traits: Traits) -> str:
    """Say how many play: ``1 to 4 opponents``."""
    if traits.has_teams:
        return "Two against two"
    least, most = max(1, traits.min_seats - 1), traits.max_seats - 1
    return f"{least} to {most} opponents" if least < most else "1 opponent" if most == 1 else f"{most} opponents"


def builder(person: User | None, game_id: str, level_id: str, of: Company) -> MatchBuilder:
    """Fill in the form of a new match."""
    asked = {"game": game_id, "level": level_id}
    if of.id == RATED:
        asked["counts"] = draft.RATED
    traits = game_registry.get(game_id).traits
    if of.id == FRIENDS:
        friend = default_num_seats(traits) // 2 if traits.has_teams else 1
        asked[f"{draft.seat_prefix(friend)}-who"] = draft.INVITE
    return MatchBuilder(asked, person)


def setup(person: User | None, game_id: str, level_id: str, of: Company, *, is_first: bool = False) -> Setup:
    """The set-up of a match; in a guided first one (is_first) the person begins.

    Raises ValueError with a sentence where the form refuses it.
    """
    made = builder(person, game_id, level_id, of)
    if made.setup is None:
        raise ValueError(" ".join(problem.text for problem in made.problems()))
    keeps_seats = is_first or (of.id == FRIENDS and made.game.traits.has_teams)
    return replace(made.setup, shuffle=not keeps_seats)
