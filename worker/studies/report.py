"""Report of a study, as one JSON object: the same from the command line and from a page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from worker.studies import registry, spec
from worker.studies.protocol import StudySpec


def report(
    study: StudySpec,
    rows: Mapping[int, dict[str, Any]],
    failures: Mapping[int, str],
    versions: Mapping[str, str],
) -> dict[str, Any]:
    """Spec, versions, how many pieces there are, which failed, and the result of the kind."""
    kind = registry.get(study.study)
    return {
        "spec": spec.to_json(study),
        "versions": dict(sorted(versions.items())),
        "pieces": kind.num_pieces(study),
        "done": len(rows),
        "failures": [{"piece": index, "message": failures[index]} for index in sorted(failures)],
        "result": kind.result(study, rows),
    }
