"""Experiments with real matches, played at random by hand: no engine and no queue needed."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from functools import cache
from types import SimpleNamespace
from typing import Any

from django.db import connection

from games import options as option_tools
from games import registry as game_registry
from games.protocol import TERMINAL
from webapp.lab.results.charts import registry as chart_registry
from webapp.records import recorder
from webapp.records.models import Arm, Chunk, EngineConfiguration, Experiment, LineupEntry
from worker import schedule
from worker.course import Course
from worker.records import Failure, MatchRecord, PlyRecord
from worker.runner import noted, results
from worker.spec import seatings

BUDGET = {"playouts": 40}


def seat(engine: str = "random", options: dict[str, Any] | None = None, budget: dict[str, Any] | None = None) -> dict:
    """One place of a line-up, as JSON."""
    return {"engine": engine, "options": options or {}, "budget": budget or {}}


def usual_charts(game_id: str) -> list[str]:
    """Ids of the charts of any experiment on a game for two, without sweep and with one budget."""
    spec = {"rotation": "all", "seats": 2, "options": game_registry.get(game_id).bench_options, "arms": [None, None]}
    usual: Any = SimpleNamespace(game=game_id, spec=spec, has_agents=False)
    return [
        chart_id
        for chart_id in chart_registry.CHARTS
        if not chart_id.startswith(("sweep-", "margin-by-budget")) and chart_registry.get(chart_id).fits(usual)
    ]


FLAT = seat("flat_mc", budget=BUDGET)
RANDOM = seat()


def experiment(
    owner: Any, lineups: list[list[dict]] | None = None, deals: int = 3, title: str = "Does it help?", **changes: Any
) -> Experiment:
    """An experiment without matches; one arm of flat_mc against random unless said.

    At tables for more, line-ups are repeated: partners are of one kind.
    """
    game = changes.get("game", "carcassonne")
    rules = game_registry.get(game)
    fewest = rules.traits.min_seats
    lineups = [row * -(-fewest // len(row)) for row in lineups or [[FLAT, RANDOM]]]
    spec = {
        "version": 1,
        "game": game,
        "options": option_tools.to_json(option_tools.from_json(rules.options, rules.bench_options)),
        "seats": len(lineups[0]),
        "arms": [{"name": f"Arm {i}", "seats": row} for i, row in enumerate(lineups)],
        "deals": deals,
        "rotation": "all",
        "seed": 7,
        "stop": {"rule": "fixed"},
        "record": "standard",
        "queue": "batch",
        "priority": 0,
    } | changes
    sizes = [deals * seatings.num_seatings(spec["rotation"], row) for row in lineups]
    made = Experiment.objects.create(owner=owner, title=title, game=game, spec=spec, num_matches=sum(sizes))
    for index, row in enumerate(lineups):
        arm = Arm.objects.create(experiment=made, index=index, name=spec["arms"][index]["name"])
        for place, entry in enumerate(row):
            key = f"{entry['engine']}-{sorted(entry['options'].items())}-{entry['budget']}"[:64]
            configuration, _ = EngineConfiguration.objects.get_or_create(key=key, defaults=entry)
            LineupEntry.objects.create(arm=arm, lineup_index=place, configuration=configuration)
        Chunk.objects.create(experiment=made, arm_index=index, first=0, size=sizes[index])
    return made


def matches_a_deal(made: Experiment, arm: int) -> int:
    """How many matches of an arm a deal is whole with."""
    return seatings.num_seatings(made.spec["rotation"], made.spec["arms"][arm]["seats"])


def record(made: Experiment, arm: int, ordinal: int, fail_at: int | None = None, **changes: Any) -> MatchRecord:
    """One match played at random; with `fail_at` its seat fails at that ply.

    Engines are as good as deterministic: equal ones in exchanged seats play the same match. changes: of the record.
    """
    spec, row = made.spec, made.spec["arms"][arm]["seats"]
    turns, distinct = matches_a_deal(made, arm), seatings.num_sides(spec["rotation"], row)
    deal, rotation = divmod(ordinal, turns)
    luck = (spec["seed"], 1000 * arm + deal * min(turns, distinct) + rotation % distinct, spec["record"])
    place = (arm, deal, rotation)
    played = _played(made.game, json.dumps(spec["options"]), spec["seats"], luck, place, fail_at)
    return replace(played, **changes)


def decided(made: Experiment, arm: int, ordinal: int, *points: int) -> MatchRecord:
    """A match that ends with these points, by place of the line-up."""
    lineup = record(made, arm, ordinal).lineup
    scores = tuple(points[place] for place in lineup)
    ranks = tuple(1 + sum(other > own for other in scores) for own in scores)
    ended = results(ranks, game_registry.get(made.game).traits.has_teams)
    return record(made, arm, ordinal, scores=scores, ranks=ranks, results=ended)


@cache
def _played(
    game_id: str, options: str, seats: int, luck: tuple[int, int, str], place: tuple[int, int, int], fail_at: int | None
) -> MatchRecord:
    """Played once a run, whatever experiments it is recorded for. luck: seeds of the deal and of choices, record."""
    game, (seed, thought, kept), (arm, deal, rotation) = game_registry.get(game_id), luck, place
    course = Course(game, json.loads(options), seats, schedule.deal_seed(seed, deal))
    choice = random.Random(thought)
    plies = []
    while course.player != TERMINAL and course.ply != fail_at:
        before, player = course.state, course.player
        legal = [int(action) for action in game.legal_actions(before)]
        action = choice.choice(legal)
        best = [[a, game.notation(before, a), choice.uniform(-5, 5), 40, 0.5] for a in legal[:4] if a != action]
        best.append([action, game.notation(before, action), 6.0, 40, 0.5])
        course.advance(action)
        plies.append(
            PlyRecord(
                ply=course.ply - 1,
                seat=player,
                action=action,
                notation=game.notation(before, action),
                legal_count=len(legal),
                scores=game.scores(course.state),
                value=6.0 + choice.random(),
                playouts=40 * len(legal),
                nodes=0,
                depth=0,
                elapsed_s=0.005,
                cpu_s=0.005,
                digest=course.digest,
                info={"best": best} | ({"after": noted(game, course.state)} if game.ply_notes else {}),
            )
        )
    values: dict[str, Any] = {"status": "failed"}
    if fail_at is not None:
        values["failure"] = Failure(course.player, "exception", "ValueError: no move came to mind")
    else:
        ranks = game.ranks(course.state)
        values = {
            "status": "finished",
            "scores": game.scores(course.state),
            "ranks": ranks,
            "results": results(ranks, game.traits.has_teams),
            "metrics": game.metrics(course.state),
        }
    return MatchRecord(
        arm=arm,
        deal=deal,
        rotation=rotation,
        seed=schedule.match_seed(seed, arm, deal, rotation),
        deal_seed=schedule.deal_seed(seed, deal),
        lineup=schedule.lineup(seats, rotation),
        num_plies=course.ply,
        digest=course.digest,
        elapsed_s=0.4,
        cpu_s=0.35,
        versions={game.id: game.version, "random": "1"},
        plies=tuple(plies) if kept != "matches" else (),
        **values,
    )


def write(made: Experiment, records: list[MatchRecord]) -> None:
    """Record matches as a worker does."""
    configurations = {
        arm.index: list(arm.entries.order_by("lineup_index").values_list("configuration_id", flat=True))
        for arm in made.arms.all()
    }
    connection.ensure_connection()
    recorder.write(connection.connection, recorder.Target(made.pk, configurations), records)
    for arm in made.arms.all():
        written = made.matches.filter(arm_index=arm.index).count()
        for chunk in made.chunks.filter(arm_index=arm.index).order_by("first"):
            made.chunks.filter(pk=chunk.pk).update(written=min(chunk.size, written))
            written -= min(chunk.size, written)


def played(owner: Any, lineups: list[list[dict]] | None = None, deals: int = 3, **changes: Any) -> Experiment:
    """An experiment whose matches have all been played."""
    made = experiment(owner, lineups, deals, **changes)
    write(made, [record(made, chunk.arm_index, i) for chunk in made.chunks.order_by("id") for i in range(chunk.size)])
    return over(made, Experiment.Status.FINISHED)


def over(made: Experiment, status: str = Experiment.Status.STOPPED) -> Experiment:
    """The experiment, with nothing more to come."""
    Experiment.objects.filter(pk=made.pk).update(status=status)
    made.refresh_from_db()
    return made
