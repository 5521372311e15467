"""Several experiments beside each other over HTTP: every number of the page that compares them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from ninja import Query, Router

from webapp.api.auth import MAY_READ_RESEARCH, PersonRequest
from webapp.api.comparison_schemas import ComparisonOut
from webapp.api.errors import invalid, problem_responses
from webapp.api.problems import ProblemError
from webapp.api.schemas import NO_NUL
from webapp.lab.comparison.chosen import LONGEST, MOST, choose
from webapp.lab.comparison.numbers import numbers
from webapp.lab.comparison.page import comparison

router = Router(tags=["Experiments"])

Job = Annotated[str, Query(min_length=1, max_length=LONGEST, pattern=NO_NUL)]


@router.get(
    "/compare",
    auth=MAY_READ_RESEARCH,
    response={200: ComparisonOut, **problem_responses(401, 403, 404, 409, 422)},
    operation_id="compare",
    summary="Compare experiments",
)
def compare(
    request: PersonRequest,
    job: Annotated[
        list[Job],
        Query(
            min_length=2,
            max_length=MOST,
            description="Numbers of yours, archived ones too, or slugs or addresses of shared pages of anybody",
        ),
    ],
    measure: Annotated[
        Literal["", "win_rate", "margin", "place"],
        Query(description="By default what the pages of all of them judge; another one where not all have it"),
    ] = "",
    pool: Annotated[
        list[Job] | None,
        Query(
            max_length=MOST,
            description="Those of job that are pooled; by default runs that share all but their luck, if there are any",
        ),
    ] = None,
) -> Any:
    """Set experiments of one game side by side: what differs in their specs, their estimates, and these together.

    Runs with the same rules, line-ups, budgets and versions are pooled deal by deal, each deal once; others only if
    `pool` names them, by random effects. 404 names what you may not see, 409 says why they cannot be compared.
    """
    chosen = choose(job, request.auth.owner)
    if chosen.refused:
        raise ProblemError("not-found", " ".join(f"{row.ref}: {row.why}" for row in chosen.refused))
    if len(chosen.entries) < 2:
        raise ProblemError("refused", "These are one experiment: name at least two.")
    refs = None if pool is None else {entry.ref for entry in choose(pool, request.auth.owner).entries.values()}
    if refs and not refs <= {entry.ref for entry in chosen.entries.values()}:
        raise invalid("query.pool", "names what job does not")
    found = comparison(chosen, measure, refs)
    if found.games:
        labels = ", ".join(label for label, _ in found.games)
        raise ProblemError("refused", f"They are of several games ({labels}), which no axis holds: name those of one.")
    return numbers(found)
