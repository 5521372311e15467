"""Requests to a lab that is not there, loses connections, or has too much to do."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from meeple_client import Lab, LabError, ProblemError, UnreachableError, transport
from meeple_client.transport import Transport

Answer = tuple[int, dict[str, str], bytes] | None
"""Status, headers and body; None: the connection is closed without a word."""
PROBLEM = {"Content-Type": "application/problem+json"}
BUSY = (503, PROBLEM | {"Retry-After": "0"}, b'{"type": "/p#busy", "detail": "The lab is busy."}')


class Script:
    """A server that gives these answers, one a request, and keeps what was asked."""

    def __init__(self) -> None:
        self.answers: list[Answer] = []
        self.asked: list[tuple[str, str, str]] = []
        script = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do(self) -> None:
                self.rfile.read(int(self.headers.get("Content-Length", 0)))
                script.asked.append((self.command, self.path, self.headers.get("Idempotency-Key", "")))
                answer = script.answers.pop(0)
                if answer is None:
                    self.close_connection = True
                    return
                status, headers, body = answer
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            do_GET = do_POST = do_DELETE = do  # noqa: N815  # names that the library calls

            def log_message(self, *words: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Iterator[Script]:
    """The server, and a client that does not sleep long."""
    monkeypatch.setattr(transport, "PAUSES_S", (0.01,))
    found = Script()
    thread = threading.Thread(target=found.server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield found
    found.server.shutdown()
    found.server.server_close()
    thread.join()


def refused(call: Callable[[], object]) -> ProblemError:
    """The problem that a call raises."""
    with pytest.raises(ProblemError) as found:
        call()
    return found.value


def test_a_request_is_sent_again_with_the_same_key_until_it_is_answered(script: Script) -> None:
    script.answers = [None, BUSY, (502, {}, b"<html>"), None, (200, {}, b'{"number": 1}')]
    line = Transport(script.url)
    assert line.ask("POST", "/experiments", {"spec": {}}) == {"number": 1}
    assert len(script.asked) == 5
    ((method, path, key),) = set(script.asked)
    assert (method, path, len(key)) == ("POST", "/api/v1/experiments", 32)
    script.asked, script.answers = [], [(200, {}, b"{}"), (200, {}, b"{}")]
    line.ask("POST", "/experiments", {}, key="mine")
    line.ask("POST", "/experiments", {})
    assert script.asked[0][2] == "mine"
    assert script.asked[1][2] not in ("", "mine", key)


def test_what_was_deleted_by_a_request_whose_answer_was_lost_is_deleted(script: Script) -> None:
    gone = (404, PROBLEM, b'{"type": "/p#not-found", "detail": "There is nothing here."}')
    line = Transport(script.url)
    script.answers = [None, gone]
    assert line.call("DELETE", "/experiments/1").status_code == 404
    script.answers = [gone]
    assert refused(lambda: line.call("DELETE", "/experiments/1")).kind == "not-found"


def test_patience_ends_with_the_last_reason(script: Script) -> None:
    line = Transport(script.url, patience_s=0.05)
    script.answers = [BUSY] * 100
    assert str(refused(lambda: line.ask("GET", "/games"))) == "The lab is busy."
    script.answers = [(429, PROBLEM | {"Retry-After": "30000"}, b'{"type": "/p#too-many-requests", "detail": "Wait."}')]
    assert refused(lambda: line.ask("GET", "/games")).kind == "too-many-requests"
    script.answers = [None] * 100
    with pytest.raises(UnreachableError, match=r"gives no answer: RemoteProtocolError"):
        line.ask("GET", "/games")


def test_what_is_no_problem_of_a_lab_is_said_with_its_address(script: Script) -> None:
    script.answers = [(500, {}, b"oops"), (301, {"Location": "/elsewhere"}, b""), (400, {}, b"[1]")]
    with Lab(script.url) as lab:
        said = [refused(lambda: lab.shared("abc")) for _ in range(3)]
    assert [(one.kind, one.status) for one in said] == [("http-500", 500), ("http-301", 301), ("http-400", 400)]
    assert str(said[0]) == f"{script.url}/r/abc/result.json answered 500 Internal Server Error."


def test_what_no_header_can_hold_is_said_at_once(script: Script) -> None:
    script.answers = [(200, {}, b"{}")]
    Lab(script.url, "mlabp_of-a-file\n").request("POST", "/experiments", key=" mine ")
    assert script.asked[0][2] == "mine"
    for token in ("mlabp_ä", "mlabp_\0", "two\nlines"):
        with pytest.raises(ValueError, match="may hold plain letters, digits and signs alone"):
            Lab(script.url, token)
    with pytest.raises(ValueError, match="the key 'größer' may hold"):
        Lab(script.url).request("POST", "/experiments", key="größer")
    with pytest.raises(ValueError, match="names no lab"):
        Lab("http://")


def test_what_is_shared_elsewhere_is_asked_there_and_what_is_not_is_a_sentence(script: Script) -> None:
    script.answers = [(200, {}, b'{"status": "finished"}'), (404, {}, b"<html>"), (410, {}, b"<html>")]
    with Lab("http://127.0.0.1:1", "secret", patience_s=0) as lab:
        assert lab.shared(f"{script.url}/r/abc/").status == "finished"
        assert "No page is shared at" in str(refused(lambda: lab.shared(f"{script.url}/r/abc/")))
        gone = refused(lambda: lab.shared(f"{script.url}/r/abc/result.json"))
        assert (gone.status, str(gone)) == (410, f"The shared page {script.url}/r/abc/ was withdrawn.")
        with pytest.raises(LabError, match="is no address of a shared page"):
            lab.shared("")
    assert {path for _, path, _ in script.asked} == {"/r/abc/result.json"}
