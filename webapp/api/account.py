"""The account that a token of a person speaks for."""

from __future__ import annotations

from typing import Any

from ninja import Router

from webapp.api import job_schemas, limits
from webapp.api.auth import MAY_READ_RESEARCH, PersonRequest
from webapp.api.errors import problem_responses
from webapp.lab.quotas.selectors import bounds

router = Router(tags=["Account"])


@router.get(
    "/account",
    auth=MAY_READ_RESEARCH,
    response={200: job_schemas.Account, **problem_responses(401, 403)},
    summary="My account and its quotas",
)
def account(request: PersonRequest) -> Any:
    """Whose token this is, what it may do, and what of each quota is used."""
    token = request.auth
    rows = [
        {"name": bound.name, "label": bound.label, "used": bound.used, "limit": bound.limit, "about": bound.about}
        for bound in bounds(token.owner)
    ]
    return {
        "user": token.owner.username,
        "scopes": token.scopes,
        "token": f"{token.label} {token}".strip(),
        "quotas": rows,
        "requests_per_minute": limits.TOKEN.per_minute,
    }
