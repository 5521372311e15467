"""Measurements that were carried out, as rows of a game's page."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from games import registry as game_registry
from games.protocol import NUM_TEAMS
from webapp.common.formats import count, number, plural
from webapp.lab.results.sides import configuration_words
from webapp.play.strength import figures
from webapp.play.strength.figures import Figure
from worker.strength import registry, stored
from worker.strength.model import INSIDER, MATCHES, REGRET, RESPONSE, WIN, Measurement
from worker.strength.stored import Stored

LEAST_SHOWN_MS = 0.1


@dataclass(frozen=True)
class Provenance:
    """What a measurement rests on, in words. outdated: versions of now, empty where they are the same."""

    id: str
    job: str
    title: str
    run_on: Any
    cost: str
    machine: str
    versions: str
    outdated: str
    command: str
    spec: str


@dataclass(frozen=True)
class Line:
    """One row. figure: won, or points ahead where `margin` is what counts; beside: the other of the two.

    sample: what was played; players: both sides in words; share: of matches won, to compare rows by; target, verdict:
    empty without one; found: for a tuned opponent what was found.
    """

    title: str
    words: str
    figure: Figure
    beside: str
    sample: str
    players: tuple[str, ...]
    provenance: Provenance
    share: float
    target: str = ""
    verdict: str = ""
    found: str = ""


@dataclass(frozen=True)
class Loss:
    """Points that one player gives away a decision. best: how often it chose the best action."""

    player: str
    figure: Figure
    best: str


@dataclass(frozen=True)
class Regret:
    """The table of a game."""

    losses: tuple[Loss, ...]
    positions: int
    playouts: int
    by: str
    provenance: Provenance


def lines(game_id: str, part: str) -> tuple[Line, ...]:
    """Rows of the measurements of one part that ship and are of what they measure now."""
    make = {MATCHES: _matches, INSIDER: _matches, RESPONSE: _response}[part]
    return tuple(make(one, found) for one, found in _known(game_id, part))


def regret(game_id: str) -> Regret | None:
    """What levels give away; None where it was not measured."""
    for one, found in _known(game_id, REGRET):
        report = found.report
        rows = [row for row in report["players"] if row["loss"]["interval"]]
        span = max((row["loss"]["interval"][1] for row in rows), default=0.0)
        return Regret(
            losses=tuple(
                Loss(
                    row["name"],
                    figures.points(row["loss"]["mean"], row["loss"]["interval"], span, 2),
                    figures.share(row["best"]["value"], row["best"]["interval"], 1.0).value,
                )
                for row in rows
            ),
            positions=report["positions"],
            playouts=report["playouts"],
            by=report["by"],
            provenance=_provenance(one, found),
        )
    return None


def _known(game_id: str, part: str) -> list[tuple[Measurement, Stored]]:
    pairs = ((one, stored.load(one.id)) for one in registry.of_game(game_id) if one.part == part)
    return [(one, found) for one, found in pairs if found is not None and found.is_fitting]


def _matches(one: Measurement, found: Stored) -> Line:
    (arm,) = found.report["arms"]
    place, target = arm["places"][0], one.target
    even = 1 / (NUM_TEAMS if game_registry.get(one.game).traits.has_teams else len(arm["places"]))
    rate, ahead = place["win_rate_interval"], place["margin_interval"]
    won = figures.share(place["win_rate"], rate, target.value if target and target.measure == WIN else even)
    lead = figures.lead(place["mean_margin"], ahead)
    is_won = target is None or target.measure == WIN
    return Line(
        title=one.title,
        words=one.words,
        figure=won if is_won else lead,
        beside=f"{lead.value} points ahead ({lead.interval})" if is_won else f"won {won.value} ({won.interval})",
        sample=_sample(found.report, place),
        players=_players(arm["places"], found),
        provenance=_provenance(one, found),
        share=place["win_rate"],
        target=figures.target_words(target.measure, target.value) if target else "",
        verdict=figures.verdict(target.value, rate if is_won else ahead) if target else "",
    )


def _seat(place: Mapping[str, Any]) -> dict[str, Any]:
    return {key: place[key] for key in ("engine", "options", "budget")}


def _players(places: Sequence[Mapping[str, Any]], found: Stored) -> tuple[str, ...]:
    """Each side in words, with what it took for a decision."""
    rows: dict[str, str] = {}
    for place, milliseconds in zip(places, found.thinking_ms, strict=True):
        words = ", ".join(configuration_words(_seat(place)))
        time = f"{number(milliseconds)} ms a decision" if milliseconds >= LEAST_SHOWN_MS else "below 0.1 ms a decision"
        rows.setdefault(words, f"{words}: {time}")
    return tuple(rows.values())


def _sample(report: Mapping[str, Any], place: Mapping[str, Any]) -> str:
    """Matches that count; under a stop rule the interval holds at every look."""
    matches = plural(round(place["matches"]), "match", "matches")
    draws = f", {plural(round(place['draws']), 'draw', 'draws')}" if place["draws"] else ""
    ended = "; a sequential test ended it, so the interval holds at every look" if "stop" in report else ""
    return f"{matches} on {plural(place['deals'], 'deal', 'deals')}{draws}{ended}"


def _response(one: Measurement, found: Stored) -> Line:
    """The opponent that was found on fresh deals, or the first one on those of the search where none was better."""
    report, parameters = found.report, one.spec["parameters"]
    confirmed, first = report["confirmation"], report["candidates"][0]
    tried = plural(len(report["candidates"]), "opponent", "opponents")
    words = ", ".join(configuration_words(parameters["seats"][0]))
    if confirmed:
        (won, within), (points, ends) = (_tuned(confirmed[name]) for name in ("win", "margin"))
        deals = plural(parameters["deals"], "deal", "deals")
        sample = f"{count(confirmed['win']['blocks'])} fresh deals, after {tried} on {deals}"
    else:
        (won, within), (points, ends) = (_mean(first[name]) for name in ("win", "margin"))
        sample = f"{plural(first['deals'], 'deal', 'deals')} of the search, among {tried}"
    lead = figures.lead(points, ends)
    return Line(
        title=one.title,
        words=one.words,
        figure=figures.share(won, within, 0.5),
        beside=f"{lead.value} points ahead ({lead.interval})",
        sample=sample,
        players=(words,),
        provenance=_provenance(one, found),
        share=won,
        found=_found(report),
    )


def _exact(value: float) -> str:
    """A number of an option: whole ones without decimals."""
    return number(value, 0 if float(value).is_integer() else 2)


def _tuned(row: Mapping[str, Any]) -> tuple[float, Sequence[float] | None]:
    return row["tuned"], row["tuned_interval"]


def _mean(row: Mapping[str, Any]) -> tuple[float, Sequence[float] | None]:
    return row["mean"], row["interval"]


def _found(report: Mapping[str, Any]) -> str:
    """What the search came to, in words."""
    if not report["confirmation"]:
        return "Nothing that was tried was better than where the search began, which is what these figures are of."
    numbers = report["candidates"][report["tuned"]]["values"]
    values = ", ".join(
        f"{row['label'].rpartition(': ')[2].lower()} {_exact(numbers[row['name']])}" for row in report["values"]
    )
    start = figures.share(report["confirmation"]["win"]["start"], None, 0.5)
    return f"Found: {values}. Where the search began, it won {start.value} of these deals."


def _provenance(one: Measurement, found: Stored) -> Provenance:
    cores, cut, _ = found.machine.partition(" cores")
    return Provenance(
        id=one.id,
        job=one.job,
        title=one.title,
        run_on=found.run_on,
        cost=f"{number(found.cpu_s, 0)} CPU seconds",
        machine=cores + cut,
        versions=", ".join(f"{name} {version}" for name, version in sorted(found.versions.items())),
        outdated=", ".join(f"{name} {now or 'gone'}" for name, _, now in found.outdated),
        command=one.command,
        spec=json.dumps(one.spec, indent=2),
    )
