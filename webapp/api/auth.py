"""Tokens in the header ``Authorization``: nothing else is looked at, no session and no cookie."""

from __future__ import annotations

from django.http import HttpRequest
from ninja.security import HttpBearer

from webapp.api import limits
from webapp.api.problems import ProblemError
from webapp.common.limits import address
from webapp.people.agents import tokens
from webapp.people.agents.models import AgentToken

CHALLENGE = 'Bearer realm="Meeple Lab"'


class TokenRequest(HttpRequest):
    """A request that `Bearer` has let in."""

    auth: AgentToken


class Bearer(HttpBearer):
    """A token of an agent that may do what `scope` says; it becomes ``request.auth``."""

    def __init__(self, scope: str) -> None:
        super().__init__()
        self.scope = scope

    def __call__(self, request: HttpRequest) -> AgentToken:
        """The token of the request. Raises ProblemError."""
        found = super().__call__(request)
        if found is None:
            raise ProblemError("no-token", headers={"WWW-Authenticate": CHALLENGE})
        token: AgentToken = found
        return token

    def authenticate(self, request: HttpRequest, token: str) -> AgentToken:
        """Look the token up. Raises ProblemError."""
        row = tokens.find(token.strip())
        if row is None:
            limits.WRONG_TOKEN.count(address(request))
            raise ProblemError("bad-token", headers={"WWW-Authenticate": f'{CHALLENGE}, error="invalid_token"'})
        if self.scope not in row.scopes:
            challenge = f'{CHALLENGE}, error="insufficient_scope", scope="{self.scope}"'
            raise ProblemError(
                "missing-scope",
                f"This token has no scope “{self.scope}”.",
                {"scope": self.scope},
                {"WWW-Authenticate": challenge},
            )
        limits.count(row)
        return row


MAY_READ = Bearer(tokens.READ)
MAY_PLAY = Bearer(tokens.PLAY)
