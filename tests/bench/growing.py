"""A lab that has grown, by SQL: one experiment with many matches, thousands of rows of everything that is listed."""

from __future__ import annotations

from typing import Any

from tests.bench.bench_pages import multiply

PLAYED_DEALS = 500
"""Of each of two arms, each dealt to both seatings: 2,000 matches are really played."""
POLICIES = (("greedy", "random"), ("random", "random"))
JOB = {
    "title": "'Copy ' || i",
    "created_at": "now() - i * interval '1 hour'",
    "finished_at": "now() - i * interval '50 minutes'",
    "archived_at": "CASE WHEN i % 3 = 0 THEN now() END",
    "status": "CASE WHEN i % 20 = 0 THEN 'paused' WHEN i % 5 = 0 THEN 'stopped' ELSE 'finished' END",
    "tags": "ARRAY['tag ' || i % 30, 'all']",
    "notes": "repeat('Some words about it. ', 20)",
    "submission": "NULL",
}


def person(name: str, **fields: Any) -> Any:
    """An account."""
    from webapp.people.accounts.models import User

    return User.objects.create_user(name, **fields)


def played(owner: Any, deals: int) -> Any:
    """An experiment of so many deals, of which the first are played and recorded, the others copied."""
    from tests.webapp import specs
    from webapp.records import work_source
    from worker.play import play_chunk
    from worker.stop_switch import StopSwitch

    seats = [[{"engine": "scripted", "options": {"policy": name}, "budget": {}} for name in row] for row in POLICIES]
    arms = [{"name": " against ".join(names), "seats": row} for names, row in zip(POLICIES, seats, strict=True)]
    made = specs.make(owner, "Large", arms=arms, deals=PLAYED_DEALS)
    source, stop = work_source.PostgresWorkSource(), StopSwitch()
    while made.matches.count() < made.num_matches:
        with source.claim() as chunk:
            assert chunk is not None
            play_chunk(chunk, stop)
    source.close()
    multiply(made, deals, PLAYED_DEALS)
    return made


def jobs(owner: Any, number: int) -> None:
    """Experiments, ladders and studies of one person, as many of another, projects and notifications."""
    from tests.webapp.lab.results import factory
    from tests.worker.ladders import made_up
    from webapp.lab.ladders import services as ladders
    from webapp.lab.notifications.models import Notification
    from webapp.lab.projects.models import Project
    from webapp.lab.studies import services as studies
    from webapp.records.models import Experiment, Study
    from worker.studies import spec

    shared = JOB | {"owner_id": f"CASE WHEN i % 2 = 0 THEN {owner.pk} ELSE {person('other').pk} END"}
    small = factory.played(owner, deals=2)
    for made in (small, ladders.create(owner, "A ladder", made_up.spec_of(4))):
        copy(Experiment, 2 * number, made, **(shared | {"title": f"'Copy of {made.pk}'"}))
        _with_all_below(made)
    given = {"version": 1, "study": "complexity", "game": "carcassonne", "parameters": {}}
    study = studies.create(owner, "A study", spec.from_json(given))
    copy(Study, 2 * number, study, **shared)
    project = Project.objects.create(owner=owner, title="A report", blocks=[{"text": "Words", "key": "a"}])
    copy(Project, number, project, title="'Copy ' || i", changed_at="now() - i * interval '1 hour'")
    note = Notification.objects.create(owner=owner, experiment=small, ended_at=small.created_at, words="finished")
    copy(Notification, number, note, ended_at="now() - i * interval '1 hour'")


def people(owner: Any, number: int) -> None:
    """Accounts with ratings, and matches that one person has played."""
    from tests.webapp.table.live import tables
    from webapp.people.accounts.models import User
    from webapp.play.ratings.models import Rating
    from webapp.table.live.models import LiveMatch, LiveSeat

    other = person("somebody")
    copy(User, number, other, username="'person ' || i", date_joined="now() - i * interval '1 hour'")
    rating = Rating.objects.create(game="carcassonne", person=other, mean=1000, deviation=50, num_matches=9)
    ids = "(SELECT id FROM accounts_user WHERE username = 'person ' || i)"
    copy(Rating, number, rating, person_id=ids, mean="1000 + i % 500", deviation="30 + i % 90")
    match = tables.open_match(owner, [tables.person(owner), tables.engine()])
    copy(
        LiveMatch,
        number,
        match,
        code="'c' || i",
        submission="NULL",
        status="CASE WHEN i % 50 = 0 THEN 'running' ELSE 'finished' END",
        ended_at="CASE WHEN i % 50 <> 0 THEN now() - i * interval '1 hour' END",
        turn_began_at="now() - i * interval '1 hour'",
        visibility="CASE WHEN i % 2 = 0 THEN 'public' ELSE 'private' END",
    )
    _insert(LiveSeat, {"match_id": "p.id"}, "JOIN live_livematch p ON p.code LIKE 'c%' WHERE t.match_id", match.pk)


# ---- copies


def copy(model: Any, times: int, one: Any, **changes: str) -> None:
    """Copy a row so many times. changes: SQL by column, in which `i` counts from 1."""
    _insert(model, changes, f"CROSS JOIN generate_series(1, {times}) i WHERE t.id", one.pk)


def _with_all_below(made: Any) -> None:
    """Give the copies of an experiment arms, line-ups, chunks, matches and seats."""
    from webapp.records.models import Arm, Chunk, LineupEntry, Match, Seat

    below = f"JOIN records_experiment p ON p.title = 'Copy of {made.pk}' WHERE t.experiment_id"
    for model in (Arm, Chunk, Match):
        _insert(model, {"experiment_id": "p.id"}, below, made.pk)
    other = "p.experiment_id <> o.experiment_id"
    arms = f"JOIN records_arm o ON o.id = t.arm_id JOIN records_arm p ON p.index = o.index AND {other}"
    titles = f"JOIN records_experiment e ON e.id = p.experiment_id AND e.title = 'Copy of {made.pk}'"
    _insert(LineupEntry, {"arm_id": "p.id"}, f"{arms} {titles} WHERE o.experiment_id", made.pk)
    same = f"p.arm_index = o.arm_index AND p.deal = o.deal AND p.rotation = o.rotation AND {other}"
    matches = f"JOIN records_match o ON o.id = t.match_id JOIN records_match p ON {same}"
    own = {"match_id": "p.id", "experiment_id": "p.experiment_id"}
    _insert(Seat, own, f"{matches} {titles} WHERE o.experiment_id", made.pk)


def _insert(model: Any, changes: dict[str, str], source: str, pk: int) -> None:
    """Insert rows like those of the table `t`, some columns by other SQL. source: joins, and what has to be the key."""
    from django.db import connection

    columns = [field.column for field in model._meta.concrete_fields if field.column not in ("id", "pk")]
    values = ", ".join(changes.get(name, f"t.{name}") for name in columns)
    table = model._meta.db_table
    columns_text = ", ".join(f'"{name}"' for name in columns)
    with connection.cursor() as cursor:
        cursor.execute(f"INSERT INTO {table} ({columns_text}) SELECT {values} FROM {table} t {source} = {pk}")
