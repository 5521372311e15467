"""Which addresses webhooks may lead to."""

from __future__ import annotations

import asyncio

import pytest

from webapp.table.hooks import addresses
from webapp.table.hooks.addresses import AddressError

ALLOWED = ("127.0.0.1", "agents.internal")


def test_good_addresses_are_read(subtests: pytest.Subtests) -> None:
    for url, port, path, host in [
        ("https://example.org", 443, "/", "example.org"),
        ("https://example.org:8443/a/b?c=d", 8443, "/a/b?c=d", "example.org:8443"),
        ("https://[2606:4700::1111]/x", 443, "/x", "[2606:4700::1111]"),
        ("http://127.0.0.1:9/x", 9, "/x", "127.0.0.1:9"),
        ("http://agents.internal/x", 80, "/x", "agents.internal"),
    ]:
        with subtests.test(url=url, port=port, path=path, host=host):
            target = addresses.parse(url, ALLOWED)
            assert (target.port, target.path, target.host_header) == (port, path, host)


def test_bad_addresses_are_refused(subtests: pytest.Subtests) -> None:
    for url in [
        "",
        "example.org",
        "ftp://example.org",
        "https://",
        "http://example.org/plain",
        "https://user:word@example.org",
        "https://example.org/a b",
        "https://example.org/\n",
        "https://exämple.org",
        "https://example.org:99999",
        "https://example.org:0",
        "https://[::1",
        "https://127.0.0.2/",
        "https://10.0.0.1/",
        "https://[::1]/",
        "https://[fd00::1]/",
        "https://169.254.169.254/latest/meta-data",
        f"https://example.org/{'x' * 500}",
    ]:
        with subtests.test(url=url), pytest.raises(AddressError):
            addresses.parse(url, ALLOWED)


def test_addresses_that_are_not_public_are_refused(subtests: pytest.Subtests) -> None:
    for address in [
        "127.0.0.1",
        "10.1.2.3",
        "172.16.0.1",
        "192.168.1.1",
        "100.64.0.1",
        "169.254.169.254",
        "0.0.0.0",
        "224.0.1.1",
        "240.0.0.1",
        "255.255.255.255",
        "192.0.2.1",
        "192.0.0.8",
        "192.88.99.1",
        "::",
        "::1",
        "fe80::1",
        "fe80::1%eth0",
        "fd12::1",
        "fec0::1",
        "3fff::1",
        "ff02::1",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "64:ff9b::7f00:1",
        "2002:7f00:1::1",
        "2001:0:1:2:3:4:5:6",
        "2001:db8::1",
    ]:
        with subtests.test(address=address):
            assert not addresses.is_public(address)


@pytest.mark.parametrize("address", ["1.1.1.1", "93.184.215.14", "2606:4700:4700::1111", "::ffff:1.1.1.1"])
def test_public_addresses_pass(address: str) -> None:
    assert addresses.is_public(address)


def test_private_names_and_names_without_an_address_are_refused_alike(subtests: pytest.Subtests) -> None:
    for host in ["localhost", "2130706433", "0x7f.1", "127.1", "nowhere.invalid"]:
        with subtests.test(host=host):
            target = addresses.parse(f"https://{host}/", ())
            with pytest.raises(AddressError) as caught:
                asyncio.run(addresses.locate(target))
            assert str(caught.value) == f"{host} does not lead to the public internet."


def test_an_allowed_host_may_be_private() -> None:
    assert asyncio.run(addresses.locate(addresses.parse("http://127.0.0.1:9/", ALLOWED))) == "127.0.0.1"


def test_an_allowed_name_without_an_address_is_said() -> None:
    target = addresses.parse("http://nowhere.invalid/", ("nowhere.invalid",))
    with pytest.raises(AddressError, match=r"nowhere\.invalid has no address"):
        asyncio.run(addresses.locate(target))
