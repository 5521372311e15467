import socket
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest

from webapp.ops import ports


@pytest.fixture
def taken():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        yield listener.getsockname()[1]


def test_a_taken_port_is_skipped(taken):
    assert not ports.is_free("127.0.0.1", taken)
    found = ports.first_free("127.0.0.1", taken)
    assert found > taken
    assert ports.is_free("127.0.0.1", found)


def test_a_free_port_is_kept(taken):
    free = ports.first_free("127.0.0.1", taken)
    assert ports.first_free("127.0.0.1", free) == free


def test_a_host_that_is_not_ours_is_an_error():
    with pytest.raises(OSError, match="assign"):
        ports.first_free("192.0.2.1", 8000)


def test_who_only_listens_serves_nothing(taken):
    assert not ports.serves("127.0.0.1", taken, "/", 0.2)
    assert not ports.serves("127.0.0.1", ports.first_free("127.0.0.1", taken), "/", 1.0)


def test_who_answers_serves(tmp_path):
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(SimpleHTTPRequestHandler, directory=tmp_path)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        host, port = server.server_address[:2]
        assert ports.serves(host, port, "/", 5.0)
        server.shutdown()
