"""One attempt to deliver: a signed POST to a checked address, and nothing of the answer but its status."""

from __future__ import annotations

import asyncio
import ssl
import time
from collections.abc import Collection

import httpx

from webapp.table.hooks import addresses, delivery_signature
from webapp.table.hooks.addresses import AddressError
from webapp.table.hooks.queue import DeliveryClaim, Outcome

TOTAL_S = 10.0
"""Time for everything: name, connection, request, first line of the answer."""
CONNECT_S = 5.0


def client() -> httpx.AsyncClient:
    """Client that all attempts share: no proxy, no redirects, and a connection for each attempt alone.

    Connections are not kept: one to an address serves the host that it was made for.
    """
    return httpx.AsyncClient(
        timeout=httpx.Timeout(TOTAL_S, connect=CONNECT_S),
        limits=httpx.Limits(max_connections=None, max_keepalive_connections=0),
        follow_redirects=False,
        trust_env=False,
    )


async def attempt(http: httpx.AsyncClient, delivery: DeliveryClaim, allowed: Collection[str]) -> Outcome:
    """Deliver once; whatever goes wrong is in the outcome."""
    began = time.perf_counter()
    answer: int | None = None
    try:
        async with asyncio.timeout(TOTAL_S):
            answer = await _post(http, delivery, allowed)
        problem = _judged(answer)
    except TimeoutError:
        problem = f"No answer within {TOTAL_S:.0f} s."
    except AddressError as error:
        problem = str(error)
    except httpx.TimeoutException:
        problem = "The connection took too long."
    except (httpx.HTTPError, httpx.InvalidURL, OSError) as error:
        problem = f"No answer: {_told(error)}."
    return Outcome(answer, problem, time.perf_counter() - began)


async def _post(http: httpx.AsyncClient, delivery: DeliveryClaim, allowed: Collection[str]) -> int:
    target = addresses.parse(delivery.url, allowed)
    address = await addresses.locate(target)
    body = delivery.body.encode()
    signed = delivery_signature.headers(delivery.row_id, delivery.event, delivery.secret, int(time.time()), body)
    request = http.build_request(
        "POST",
        target.url_at(address),
        content=body,
        headers={"Host": target.host_header} | signed,
        extensions={"sni_hostname": target.host} if target.is_name else {},
    )
    response = await http.send(request, stream=True)
    await response.aclose()  # its body is not read
    return response.status_code


def _told(error: BaseException) -> str:
    """Words on a failed connection for the owner: what TLS says, but no address that we connected to."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ssl.SSLCertVerificationError):
            return f"its certificate does not hold ({cause.verify_message.rstrip('.')})"
        if isinstance(cause, ssl.SSLError):
            return "TLS could not be agreed on"
        cause = cause.__cause__ or cause.__context__
    return "the connection could not be made, or broke off"


def _judged(answer: int) -> str:
    """Problem with an answer; empty where it is fine."""
    if 200 <= answer < 300:
        return ""
    if 300 <= answer < 400:
        return f"Answered {answer}: redirects are not followed. Give the address it leads to."
    return f"Answered {answer}."
