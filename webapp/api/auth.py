"""Tokens in the header ``Authorization``: nothing else is looked at, no session and no cookie."""

from __future__ import annotations

from django.http import HttpRequest
from ninja.security import HttpBearer

from webapp.api import limits
from webapp.api.problems import ProblemError
from webapp.common.limits import address
from webapp.people.agents import tokens
from webapp.people.agents.models import AgentToken, PersonToken

CHALLENGE = 'Bearer realm="Meeple Lab"'


class TokenRequest(HttpRequest):
    """A request that a token of an agent has let in."""

    auth: AgentToken


class PersonRequest(HttpRequest):
    """A request that a token of a person has let in."""

    auth: PersonToken


class Bearer(HttpBearer):
    """A token that may do what `scope` says, of an agent or of a person; it becomes ``request.auth``."""

    def __init__(self, scope: str, of: type[AgentToken] | type[PersonToken] = AgentToken) -> None:
        super().__init__()
        self.scope = scope
        self.of = of

    def __call__(self, request: HttpRequest) -> AgentToken | PersonToken:
        """The token of the request. Raises ProblemError."""
        found = super().__call__(request)
        if found is None:
            raise ProblemError("no-token", headers={"WWW-Authenticate": CHALLENGE})
        token: AgentToken | PersonToken = found
        return token

    def authenticate(self, request: HttpRequest, token: str) -> AgentToken | PersonToken:
        """Look the token up. Raises ProblemError."""
        row = tokens.find(token.strip())
        if row is None:
            limits.WRONG_TOKEN.count(address(request))
            raise ProblemError("bad-token", headers={"WWW-Authenticate": f'{CHALLENGE}, error="invalid_token"'})
        if not isinstance(row, self.of):
            raise ProblemError("wrong-token", WRONG[self.of])
        if self.scope not in row.scopes:
            challenge = f'{CHALLENGE}, error="insufficient_scope", scope="{self.scope}"'
            raise ProblemError(
                "missing-scope",
                f"This token has no scope “{self.scope}”: make one that has it.",
                {"scope": self.scope},
                {"WWW-Authenticate": challenge},
            )
        limits.count(row)
        return row


WRONG = {
    AgentToken: "This is a token of your account: an agent plays with one of its own, which its page makes.",
    PersonToken: "This is a token of an agent, for playing: research takes one of your account, from Agents and API.",
}
"""What a token of the other sort is told, by the sort that is needed."""
MAY_READ = Bearer(tokens.READ)
MAY_PLAY = Bearer(tokens.PLAY)
MAY_READ_RESEARCH = Bearer(tokens.READ, PersonToken)
MAY_EXPERIMENT = Bearer(tokens.EXPERIMENT, PersonToken)
