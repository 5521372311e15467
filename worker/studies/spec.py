"""Study specs: JSON both ways, complete, checked before anything is done."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games import registry as game_registry
from games.options import quote
from worker.spec import MAX_SEED, SpecError
from worker.spec.checks import object_of, one_of, whole_number
from worker.studies import registry
from worker.studies.protocol import StudySpec

VERSION = 1
MAX_PIECES = 100_000
KEYS = {"version": True, "study": True, "game": True, "parameters": False, "seed": False}
"""Field -> whether it must be there."""


def from_json(data: Any) -> StudySpec:
    """Check a spec and fill in its defaults. Raises SpecError naming the place."""
    fields = object_of(data, (), KEYS)
    whole_number(fields["version"], ("version",), VERSION, VERSION)
    kind = registry.get(one_of(fields["study"], ("study",), registry.ids()))
    game_id = one_of(fields["game"], ("game",), game_registry.ids())
    parameters = fields.get("parameters", {})
    if not isinstance(parameters, Mapping):
        raise SpecError(("parameters",), f"must be an object, not {quote(parameters)}")
    seed = whole_number(fields.get("seed", 0), ("seed",), 0, MAX_SEED)
    try:
        checked = kind.complete_parameters(game_registry.get(game_id), parameters)
        spec = StudySpec(kind.id, game_id, checked, seed)
        pieces = kind.num_pieces(spec)
    except SpecError as error:
        raise error.below("parameters") from None
    if not 1 <= pieces <= MAX_PIECES:
        raise SpecError(("parameters",), f"ask for {pieces} pieces of work; a study has 1 to {MAX_PIECES}")
    return spec


def to_json(spec: StudySpec) -> dict[str, Any]:
    """The complete spec: `from_json(to_json(spec)) == spec`."""
    return {
        "version": VERSION,
        "study": spec.study,
        "game": spec.game,
        "parameters": dict(spec.parameters),
        "seed": spec.seed,
    }
