import socket

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


def test_somebody_answers(taken):
    assert ports.answers("127.0.0.1", taken)
    assert not ports.answers("127.0.0.1", ports.first_free("127.0.0.1", taken))
