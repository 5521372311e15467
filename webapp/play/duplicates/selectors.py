"""What the standing invitation has come to, game by game: sums over deals that name nobody."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.db.models import Count, Q, QuerySet
from django.db.models import F as Field

from engines import registry as engine_registry
from engines.levels import Level
from games import registry as game_registry
from webapp.people.accounts.models import User
from webapp.play import quick_start
from webapp.play.duplicates import rule
from webapp.play.duplicates.models import DuplicateDeal, DuplicateLeg
from webapp.play.duplicates.rule import Standing
from webapp.play.ratings.models import RatedSeat
from webapp.table.live import rated_rules
from webapp.table.live.models import LiveMatch

POINTS = {"win": 1.0, "draw": 0.5, "loss": 0.0}
LIVE = (LiveMatch.Status.OPEN, LiveMatch.Status.RUNNING)
VOID = (
    Q(match__isnull=True)
    | Q(match__status=LiveMatch.Status.CANCELLED)
    | (Q(match__rated__isnull=False) & ~Q(match__rated__why_not=""))
)
"""Legs without a result that counts."""


@dataclass(frozen=True)
class Tally:
    """The count of a game.

    waiting: deals of which one side has been played and the other still can be; people: who took part in whole deals;
    changed: of what played in deals that count in several versions, its name with these.
    """

    game: str
    label: str
    level: Level
    rules: str
    standing: Standing
    waiting: int
    people: int
    changed: tuple[str, ...]

    @property
    def left(self) -> int:
        """Whole deals until the count ends at the latest."""
        return rule.MOST - self.standing.deals


def level_of(game_id: str) -> Level | None:
    """The level that is met: the strongest with a rating; None where none has any."""
    known = quick_start.levels(game_id, quick_start.company(quick_start.RATED))
    return known[-1].level if known else None


def tallies() -> list[Tally]:
    """The counts of all games that have a level with a rating."""
    return [tally(game_id) for game_id in game_registry.ids() if level_of(game_id) is not None]


def tally(game_id: str) -> Tally:
    """The count of one game, by the rules that people begin with. It must have a level with a rating."""
    level, pool = level_of(game_id), rated_rules.pools(game_id)[0]
    assert level is not None
    deals = DuplicateDeal.objects.filter(game=game_id, rules=pool, level=level.id)
    rows = list(_results(deals))
    whole = _whole(rows)
    found = rule.standing([value for _, value in whole])
    done, counted = {deal for deal, _ in whole}, {deal for deal, _ in whole[: found.deals]}
    version = game_registry.get(game_id).version
    return Tally(
        game=game_id,
        label=game_registry.get(game_id).label,
        level=level,
        rules=rated_rules.POOLS[pool],
        standing=found,
        waiting=len({row.deal for row in rows if row.deal not in done and row.game_version == version}),
        people=len({row.person for row in rows if row.deal in counted}),
        changed=_changed(row.versions for row in rows if row.deal in counted),
    )


@dataclass(frozen=True)
class _Leg:
    """A leg with a result.

    number: of the rated match, in the order of counting; value: of the level; game_version: when it was opened;
    versions: of game and engines as its record has them, none where that is gone.
    """

    deal: int
    person: int | None
    number: int
    value: float
    game_version: str
    versions: Mapping[str, str]


def _results(deals: QuerySet[DuplicateDeal]) -> Iterable[_Leg]:
    found = RatedSeat.objects.filter(match__live__duplicate_leg__deal__in=deals, match__why_not="")
    rows = found.filter(seat=Field("match__live__duplicate_leg__seat")).values_list(
        "match__live__duplicate_leg__deal",
        "match__live__duplicate_leg__person",
        "match",
        "result",
        "match__live__game_version",
        "match__live__match__versions",
    )
    return (
        _Leg(deal, person, number, 1 - POINTS[result], game_version, versions or {})
        for deal, person, number, result, game_version, versions in rows
    )


def _changed(found: Iterable[Mapping[str, str]]) -> tuple[str, ...]:
    """What took part in several versions, as "Flat Monte Carlo 1, 2"."""
    known: dict[str, set[str]] = {}
    for versions in found:
        for name, version in versions.items():
            known.setdefault(name, set()).add(version)
    several = ((name, sorted(versions, key=_natural)) for name, versions in known.items() if len(versions) > 1)
    return tuple(sorted(f"{_label(name)} {', '.join(versions)}" for name, versions in several))


def _natural(version: str) -> tuple[int, str]:
    """A key by which 2 comes before 10."""
    return len(version), version


def _label(name: str) -> str:
    """The name of a game or an engine on pages."""
    if name in game_registry.ids():
        return game_registry.get(name).label
    return engine_registry.get(name).label if engine_registry.is_known(name) else name


def _whole(rows: Iterable[_Leg]) -> list[tuple[int, float]]:
    """(deal, mean of the level) of deals that were played from both sides, in the order in which they became whole."""
    by_deal: dict[int, list[_Leg]] = {}
    for row in rows:
        by_deal.setdefault(row.deal, []).append(row)
    both = [legs for legs in by_deal.values() if len(legs) > 1]
    both.sort(key=lambda legs: max(leg.number for leg in legs))
    return [(legs[0].deal, sum(leg.value for leg in legs) / len(legs)) for legs in both]


def with_one_leg(deals: QuerySet[DuplicateDeal]) -> QuerySet[DuplicateDeal, int]:
    """Numbers of the deals of which one side is taken."""
    return deals.annotate(num_legs=Count("legs")).filter(num_legs=1).values_list("pk", flat=True)


def games_going_on(person: User | None) -> frozenset[str]:
    """Games of which the person has a duplicate match that has not ended."""
    legs = DuplicateLeg.objects.filter(person=person, match__status__in=LIVE) if person else DuplicateLeg.objects.none()
    return frozenset(legs.values_list("deal__game", flat=True))


def going_on(person: User, game_id: str) -> LiveMatch | None:
    """The duplicate match that the person has not ended."""
    leg = DuplicateLeg.objects.filter(person=person, deal__game=game_id, match__status__in=LIVE)
    found = leg.select_related("match").order_by("pk").first()
    return found.match if found is not None else None
