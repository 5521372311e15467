"""What tests of the builder and of the pages of experiments share."""

from __future__ import annotations

from typing import Any

from tests.webapp.pages import markup
from tests.webapp.specs import spec
from webapp.lab.experiments import draft
from worker import spec as specs

NEW = "/experiments/new/"
ESTIMATE = "/experiments/new/estimate/"


def posted(**changes: str) -> dict[str, str]:
    """A form that is ready to start, with some fields changed."""
    return {**draft.from_spec(specs.from_json(spec())), **changes}


def text_of(response: Any) -> str:
    """What a page says."""
    return markup(response)
