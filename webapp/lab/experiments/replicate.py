"""A replication: an experiment, one's own or a shared one, once more with other luck; or its very matches again."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, replace

from webapp.common.numbers import parse_whole
from webapp.lab.experiments import draft, services
from webapp.lab.experiments.cost import Cost, cost_of
from webapp.lab.quotas import selectors as quotas
from webapp.people.accounts.models import User
from webapp.records.models import Experiment
from worker.spec import MAX_SEED, ExperimentSpec, SpecError, check_presence, from_json

NEW, SAME = "new", "same"
BEFORE = {NEW: "Replication: ", SAME: "Same matches: "}
LONGEST = Experiment._meta.get_field("title").max_length or 200


@dataclass(frozen=True)
class Replication:
    """What would be started. seed: a new one; luck: NEW or SAME; over: why a quota refuses it, or empty.

    submission: number of the shown form; refusal: why it cannot be started as it is, as a sentence, or empty: then
    there is no cost.
    """

    origin: Experiment
    seed: int
    luck: str
    submission: uuid.UUID
    refusal: str = ""
    spec: ExperimentSpec | None = None
    cost: Cost | None = None
    over: str = ""

    @property
    def title(self) -> str:
        """The title that it gets; of a replication of a replication "Replication" stands once."""
        title = self.origin.title
        for word in BEFORE.values():
            title = title.removeprefix(word)
        return f"{BEFORE[self.luck]}{title}"[:LONGEST]


def plan(reader: User, origin: Experiment, data: Mapping[str, str]) -> Replication:
    """A replication of what the reader may see, as a form has it. data: empty at first."""
    made = Replication(
        origin=origin,
        seed=_seed(origin, data.get("seed", "")),
        luck=SAME if data.get("luck") == SAME else NEW,
        submission=_submission(data.get("submission", "")),
    )
    try:
        spec = from_json(origin.spec)
    except SpecError as error:
        return replace(made, refusal=f"Its spec is of another version of the lab ({error}).")
    if spec.has_agents:
        return replace(made, refusal="An agent plays in it, which only its owner can send to a match.")
    spec = replace(spec, seed=spec.seed if made.luck == SAME else made.seed)
    try:
        check_presence(spec)
        services.check(reader, spec)
    except SpecError as error:
        return replace(made, refusal=f"It cannot be started here: {error}.")
    return replace(made, spec=spec, cost=cost_of(spec), over=quotas.refusal(reader, quotas.ask_of(spec)))


def start(reader: User, made: Replication) -> Experiment:
    """Start it; the same form sent twice starts one. Raises SpecError where it is refused."""
    if made.spec is None:
        raise SpecError((), made.refusal.removesuffix("."))
    return services.create(reader, made.title, made.spec, submission=made.submission, origin=made.origin)


def _seed(origin: Experiment, text: str) -> int:
    """The seed that the form has shown; never that of the original, and another one where it is none."""
    seed = parse_whole(text)
    known = origin.spec.get("seed")
    while seed is None or seed > MAX_SEED or seed == known:
        seed = int(draft.draw_seed())
    return seed


def _submission(text: str) -> uuid.UUID:
    try:
        return uuid.UUID(text)
    except ValueError:
        return uuid.uuid4()
