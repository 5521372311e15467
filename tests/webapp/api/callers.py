"""Programs that talk to the API: over Django's client, and a server to talk to over the wire."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn

from tests.webapp.api.answers import NotingClient
from webapp.people.agents import services, tokens
from webapp.people.agents.models import Agent

BOTH = (tokens.READ, tokens.PLAY)


class Caller:
    """An agent with a token; `get` and `post` answer Django's response, `ask` its JSON."""

    def __init__(self, owner: Any, name: str, scopes: tuple[str, ...] = BOTH) -> None:
        self.agent = Agent.objects.filter(name=name).first() or services.create(owner, name, "")
        self.token, self.secret = tokens.issue(self.agent, "test", scopes)
        self.client = NotingClient(headers={"Authorization": f"Bearer {self.secret}"})

    def get(self, path: str) -> Any:
        """GET below /api/v1."""
        return self.client.get(f"/api/v1{path}")

    def post(self, path: str, body: Any = None) -> Any:
        """POST JSON below /api/v1."""
        return self.client.post(f"/api/v1{path}", json.dumps({} if body is None else body), "application/json")

    def ask(self, path: str) -> dict[str, Any]:
        """What a good GET answers."""
        response = self.get(path)
        assert response.status_code == 200, response.content
        return dict(response.json())

    def tell(self, path: str, body: Any = None, status: int = 200) -> dict[str, Any]:
        """What a POST answers with this status."""
        response = self.post(path, body)
        assert response.status_code == status, response.content
        return dict(response.json())

    def open(self, *seats: Any, game: str = "carcassonne", **further: Any) -> str:
        """Open a match; its code."""
        return str(self.tell("/matches", {"game": game, "seats": list(seats), **further}, 201)["code"])


class Researcher:
    """A person's program; `send` answers Django's response, `ask` and `tell` JSON."""

    def __init__(self, owner: Any, scopes: tuple[str, ...] = (tokens.READ, tokens.EXPERIMENT)) -> None:
        self.token, self.secret = tokens.issue_to_person(owner, "test", scopes)
        self.client = NotingClient(headers={"Authorization": f"Bearer {self.secret}"})

    def send(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        """A request below /api/v1; a body is sent as JSON."""
        text = "" if body is None else json.dumps(body)
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.client.generic(method, f"/api/v1{path}", text, "application/json", headers=sent)

    def ask(self, path: str) -> dict[str, Any]:
        """What a good GET answers."""
        return self.tell("GET", path)

    def tell(self, method: str, path: str, body: Any = None, status: int = 200, **headers: str) -> dict[str, Any]:
        """What a request answers with this status."""
        response = self.send(method, path, body, **headers)
        assert response.status_code == status, response.content
        return dict(response.json()) if response.content else {}


def first_action(state: dict[str, Any]) -> dict[str, Any]:
    """The body that plays the first legal action of a state."""
    return {"ply": state["ply"], "action": state["actions"][0]["id"]}


@contextmanager
def serving() -> Iterator[str]:
    """The lab served by uvicorn from this process, as `manage.py up` serves it; yields its address."""
    from webapp.asgi import application

    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(application, log_level="warning", lifespan="off"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    deadline = time.monotonic() + 30
    while not server.started:
        assert thread.is_alive()
        assert time.monotonic() < deadline
        time.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(30)
        listener.close()
        assert not thread.is_alive()
