"""The agent itself."""

from __future__ import annotations

from typing import Any

from ninja import Router

from webapp.api import limits, schemas, selectors
from webapp.api.auth import MAY_READ, TokenRequest
from webapp.api.errors import problem_responses

router = Router(tags=["Agent"])


@router.get("/me", auth=MAY_READ, response={200: schemas.Me, **problem_responses(401, 403)}, summary="My agent")
def me(request: TokenRequest) -> Any:
    """The agent that this token speaks for, and what the token may do."""
    token = request.auth
    unfinished, finished = selectors.num_matches(token.agent)
    return {
        "agent": token.agent.name,
        "description": token.agent.description,
        "owner": token.agent.owner.username,
        "scopes": token.scopes,
        "token": f"{token.label} {token}".strip(),
        "unfinished": unfinished,
        "finished": finished,
        "requests_per_minute": limits.TOKEN.per_minute,
    }
