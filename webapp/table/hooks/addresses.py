"""Addresses that a webhook may lead to: https anywhere in public, other hosts only where the lab allows them.

An address is read once (`parse`), its host is resolved by us (`locate`), every address that
comes out is checked, and the connection goes to one of those and to nothing that a second
question to the name server might answer.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from collections.abc import Collection
from dataclasses import dataclass
from urllib.parse import urlsplit

from django.conf import settings

PORTS = {"https": 443, "http": 80}
MAX_URL = 500
NAT64 = ipaddress.ip_network("64:ff9b::/96")
NOT_PUBLIC = [ipaddress.ip_network(block) for block in ("192.0.0.0/24", "192.88.99.0/24", "fec0::/10", "3fff::/20")]
"""Networks of the protocols, relays to 6to4, site-local, documentation: what some Python takes for public."""
ASTRAY = "{} does not lead to the public internet."
"""Said of private addresses and of none alike, so that nobody learns what names mean inside our network."""


class AddressError(ValueError):
    """An address that is not delivered to; the message is for its owner."""


@dataclass(frozen=True)
class Target:
    """A checked address. path: with its query; is_allowed: its host may be anywhere, and http will do."""

    scheme: str
    host: str
    port: int
    path: str
    is_allowed: bool

    @property
    def host_header(self) -> str:
        """Host and, where it is not the usual one, port."""
        host = _bracketed(self.host)
        return host if self.port == PORTS[self.scheme] else f"{host}:{self.port}"

    def url_at(self, address: str) -> str:
        """The same place at an address instead of a name."""
        return f"{self.scheme}://{_bracketed(address)}:{self.port}{self.path}"

    @property
    def is_name(self) -> bool:
        """Whether the host is a name, not an address."""
        return _as_address(self.host) is None


def parse(url: str, allowed: Collection[str]) -> Target:
    """Read an address. allowed: hosts that may be private and spoken to over http.

    Raises AddressError for what may never be delivered to, whatever its name resolves to.
    """
    if len(url) > MAX_URL or not url.isascii() or not url.isprintable() or " " in url:
        raise AddressError(f"An address has at most {MAX_URL} plain letters without spaces.")
    try:
        parts = urlsplit(url)
        host, port = (parts.hostname or "").rstrip("."), parts.port
    except ValueError:
        raise AddressError("This is not a web address.") from None
    if parts.scheme not in PORTS or not host:
        raise AddressError("Give an address that begins with https://.")
    if parts.username is not None or parts.password is not None:
        raise AddressError("An address with a user name or password is not delivered to: check the signature instead.")
    is_allowed = host in allowed
    if parts.scheme == "http" and not is_allowed:
        raise AddressError("Plain http is only for hosts that this lab allows. Use https.")
    if not is_allowed and (literal := _as_address(host)) is not None:
        _check(host, [str(literal)])
    if port == 0:
        raise AddressError("There is no port 0.")
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Target(parts.scheme, host, port or PORTS[parts.scheme], path, is_allowed)


def check(url: str) -> None:
    """Raises AddressError for what may not be delivered to, as far as its letters tell and the lab allows."""
    parse(url, settings.LAB_HOOK_HOSTS)


def is_public(address: str) -> bool:
    """Whether an address is of the public internet, and leads there through no tunnel."""
    ip = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(ip, ipaddress.IPv6Address):
        if ip.sixtofour is not None or ip.teredo is not None or ip in NAT64:
            return False
        ip = ip.ipv4_mapped or ip
    is_special = ip.is_private or ip.is_loopback or ip.is_link_local or ip.is_multicast or ip.is_reserved
    return ip.is_global and not (is_special or ip.is_unspecified or any(ip in block for block in NOT_PUBLIC))


def _check(host: str, addresses: Collection[str]) -> None:
    """Raises AddressError where a host has no address, or any that is not public."""
    if not addresses or not all(map(is_public, addresses)):
        raise AddressError(ASTRAY.format(host))


async def locate(target: Target) -> str:
    """Resolve the host and return the address to connect to. Raises AddressError where any is not public."""
    loop = asyncio.get_running_loop()
    try:
        found = await loop.getaddrinfo(target.host, target.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        found = []
    addresses = [str(row[4][0]) for row in found]
    if not target.is_allowed:
        _check(target.host, addresses)
    elif not addresses:
        raise AddressError(f"{target.host} has no address.")
    return addresses[0]


def _as_address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host
