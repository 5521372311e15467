import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.http import HttpResponse, StreamingHttpResponse
from django.test import RequestFactory

from webapp.common import streaming
from webapp.common.streaming import StreamingMiddleware

REQUEST = RequestFactory().get("/")


def finish(coroutine):
    """Run to the end, in a thread of its own: browser tests leave a loop running in this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result(timeout=60)


async def answer(response):
    async def view(request):
        return response

    return await StreamingMiddleware(view)(REQUEST)


def collect(response):
    async def run():
        made = await answer(response)
        return [part async for part in made.streaming_content]

    return finish(run())


def test_the_first_piece_leaves_before_the_last_is_made():
    made = []

    def parts():
        for number in range(40):
            made.append(number)
            yield b"x" * 10_000

    async def first():
        response = await answer(StreamingHttpResponse(parts()))
        async for piece in response.streaming_content:
            return piece

    assert len(finish(first())) == 70_000
    assert made == list(range(7))


@pytest.mark.django_db
@pytest.mark.filterwarnings("error:StreamingHttpResponse must consume")
def test_all_middleware_together_streams_under_asgi_alone(client, async_client):
    async def ask():
        response = await async_client.get("/static/css/base.css")
        return response.is_async, b"".join([part async for part in response.streaming_content])

    is_async, content = finish(ask())
    plain = client.get("/static/css/base.css")
    assert (is_async, plain.is_async) == (True, False)
    assert content == b"".join(plain.streaming_content)


def test_nothing_is_lost_or_reordered():
    parts = [bytes([number % 256]) * (number * 37 % 30_000) for number in range(200)]
    assert b"".join(collect(StreamingHttpResponse(iter(parts)))) == b"".join(parts)


def test_a_slow_source_is_not_held_back(monkeypatch):
    monkeypatch.setattr(streaming, "PIECE_SECONDS", 0.0)
    assert collect(StreamingHttpResponse(iter([b"a", b"b"]))) == [b"a", b"b", b""]


def test_an_error_in_the_middle_is_raised():
    def parts():
        yield b"a"
        raise RuntimeError("gone")

    with pytest.raises(RuntimeError, match="gone"):
        collect(StreamingHttpResponse(parts()))


def test_all_pieces_are_made_in_one_thread():
    threads = set()

    def parts():
        for _ in range(30):
            threads.add(threading.get_ident())
            yield b"x" * 10_000

    collect(StreamingHttpResponse(parts()))
    assert len(threads) == 1


def test_other_responses_pass_unchanged():
    plain = HttpResponse("hello")
    assert finish(answer(plain)) is plain
    assert StreamingMiddleware(lambda request: plain)(REQUEST) is plain
