"""Finds a TCP port to listen on, and asks one whether it answers."""

from __future__ import annotations

import errno
import http.client
import socket

PORTS_TO_TRY = 100
EVERYWHERE = ("0.0.0.0", "::")
"""Addresses that mean all of this machine."""
TAKEN = (errno.EADDRINUSE, errno.EACCES)


def is_free(host: str, port: int) -> bool:
    """Whether we could listen there. Raises OSError for a host that is not ours."""
    family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    with socket.socket(family, kind, protocol) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(address)
            probe.listen()
        except OSError as error:
            if error.errno not in TAKEN:
                raise
            return False
    return True


def first_free(host: str, port: int) -> int:
    """The first free port from `port` on. Raises OSError when there is none or no such host."""
    for candidate in range(port, min(port + PORTS_TO_TRY, 65536)):
        if is_free(host, candidate):
            return candidate
    raise OSError(f"no port from {port} to {port + PORTS_TO_TRY - 1} is free")


def serves(host: str, port: int, path: str, seconds: float) -> bool:
    """Whether any answer comes in time; to listen is not enough: a leader does, before its processes work."""
    connection = http.client.HTTPConnection(host, port, timeout=seconds)
    try:
        connection.request("GET", path)
        return connection.getresponse().status > 0
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
