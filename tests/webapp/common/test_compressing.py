"""Compression of pages: text alone, padded, read by whoever takes it."""

from __future__ import annotations

import gzip

import pytest
from django.http import HttpResponse, StreamingHttpResponse
from django.test import RequestFactory

from webapp.common.compressing import CompressingMiddleware

LONG = b"words and words " * 100
GZIP = {"HTTP_ACCEPT_ENCODING": "br, gzip"}


def answer(response, **headers):
    return CompressingMiddleware(lambda request: response)(RequestFactory().get("/", **headers))


def test_text_is_compressed_for_who_takes_it():
    packed = answer(HttpResponse(LONG, headers={"ETag": '"a"'}), **GZIP)
    assert gzip.decompress(packed.content) == LONG
    assert (packed["Content-Encoding"], packed["ETag"], packed["Vary"]) == ("gzip", 'W/"a"', "Accept-Encoding")
    assert packed["Content-Length"] == str(len(packed.content))
    plain = answer(HttpResponse(LONG))
    assert (plain.content, plain["Vary"]) == (LONG, "Accept-Encoding")


def test_the_length_of_an_answer_tells_nothing_exact():
    assert len({len(answer(HttpResponse(LONG), **GZIP).content) for _ in range(40)}) > 5


@pytest.mark.parametrize(
    "response",
    [
        HttpResponse(b"short"),
        HttpResponse(LONG, content_type="image/png"),
        HttpResponse(LONG, headers={"Content-Encoding": "br"}),
        StreamingHttpResponse([LONG]),
    ],
)
def test_what_gains_nothing_passes_as_it_is(response):
    assert answer(response, **GZIP).get("Content-Encoding") != "gzip"


@pytest.mark.django_db
def test_every_page_comes_compressed(client):
    page = client.get("/play/", **GZIP)
    assert page["Content-Encoding"] == "gzip"
    assert b"</html>" in gzip.decompress(page.content)
