"""Studies in the database, made without forms."""

from __future__ import annotations

import uuid
from typing import Any

from tests import counting
from webapp.people.accounts.models import User
from webapp.records import work_source
from webapp.records.models import Study
from worker.studies import spec as study_specs


def make_study(owner: User | None = None, parameters: dict[str, Any] | None = None, **fields: Any) -> Study:
    """A study of the kind *counting* with its pieces."""
    if owner is None:
        owner = User.objects.create_user(f"owner-{uuid.uuid4().hex[:8]}")
    spec = study_specs.to_json(study_specs.from_json(counting.spec(**(parameters or {}))))
    values = {"kind": "counting", "version": "4", "title": "Squares", "game": "carcassonne", "spec": spec}
    study = Study.objects.create(owner=owner, num_pieces=spec["parameters"]["pieces"], **values | fields)
    work_source.open_pieces(study)
    return study
