"""Lets the engines of a stored match play it again, from its seed."""

from __future__ import annotations

from typing import Any

from webapp.records import secret_seeds
from webapp.records.models import Match
from worker import replayable
from worker.records import MatchRecord
from worker.replayable import Refusal
from worker.runner import play_match
from worker.spec import ExperimentSpec, MatchSpec, SpecError
from worker.whole_matches import players


class EngineRoom:
    """Plays matches again; keeps the specification of the experiment that it met last.

    longest_s: CPU seconds that a match may have taken.
    """

    def __init__(self, longest_s: float) -> None:
        self._longest_s = longest_s
        self._experiment_id: int | None = None
        self._spec: ExperimentSpec | None = None

    def refusal(self, match: Match, record: MatchRecord) -> Refusal | None:
        """Why this match cannot be played again by its engines; None where it can."""
        is_over = record.status == "finished"
        if is_over and (match.renewal is not None or match.experiment.kind == match.experiment.Kind.PLAY):
            return Refusal(replayable.BY_PEOPLE)
        spec = self._spec_of(match)
        if spec is None:
            return Refusal("its specification is no longer valid")
        seats = spec.arms[match.arm_index].seats if match.arm_index < len(spec.arms) else ()
        if (found := replayable.refusal(record.status, seats, record.versions)) is not None:
            return found
        if record.cpu_s > self._longest_s:
            return Refusal(f"it took more than {self._longest_s:g} CPU seconds to play")
        return None

    def play(self, match: Match, record: MatchRecord) -> MatchRecord:
        """The match played again; asked only where there is no refusal. Plies are recorded where they were."""
        spec = self._spec_of(match)
        assert spec is not None
        return play_match(_match_spec(spec, record))

    def is_played_alike(self, match: Match, record: MatchRecord) -> bool:
        """Whether a kernel that plays such matches whole comes to all that is stored: then it need not be walked.

        False where none is ready, and where anything differs: the walk says what.
        """
        if self.refusal(match, record) is not None:
            return False
        spec = self._spec_of(match)
        assert spec is not None
        asked = _match_spec(spec, record)
        return players.is_ready(asked) and _said(play_match(asked)) == _said(record)

    def _spec_of(self, match: Match) -> ExperimentSpec | None:
        if self._experiment_id != match.experiment_id:
            self._experiment_id = match.experiment_id
            try:
                self._spec = secret_seeds.spec_of(match.experiment)
            except SpecError:
                self._spec = None
        return self._spec


def _said(record: MatchRecord) -> tuple[Any, ...]:
    """All that a walk along a record compares."""
    result = (record.scores, record.ranks, record.results, list(record.metrics))
    plies = [(p.ply, p.seat, p.action, p.notation, p.legal_count, p.scores, p.digest) for p in record.plies]
    return record.status, record.num_plies, record.digest, *map(list, result), plies


def _match_spec(spec: ExperimentSpec, record: MatchRecord) -> MatchSpec:
    """The place of a match in its experiment, with the seeds and the seating that were recorded."""
    arm = spec.arms[record.arm]
    return MatchSpec(
        game=spec.game,
        options=spec.options,
        seats=tuple(arm.seats[place] for place in record.lineup),
        lineup=record.lineup,
        arm=record.arm,
        deal=record.deal,
        rotation=record.rotation,
        seed=record.seed,
        deal_seed=record.deal_seed,
        record="standard" if record.plies else "matches",
    )
