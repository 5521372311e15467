"""A file that never changes as a response, whole or from a byte on, so that a broken download goes on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse

BLOCK = 1 << 18
_RANGE = re.compile(r"bytes=(\d{1,18})-(\d{0,18})")
SATISFIED, UNSATISFIED = 206, 416


def file_response(request: HttpRequest, path: Path, name: str, etag: str) -> HttpResponseBase:
    """The file, or the part of it that one range asks for (RFC 9110, section 14). Raises OSError."""
    size = path.stat().st_size
    headers = {
        "Content-Disposition": f'attachment; filename="{name}"',
        "ETag": f'"{etag}"',
        "Accept-Ranges": "bytes",
        "Cache-Control": "private, no-cache",
    }
    if request.headers.get("If-None-Match", "").removeprefix("W/") == headers["ETag"]:
        return HttpResponse(status=304, headers=headers)
    asked = _RANGE.fullmatch(request.headers.get("Range", ""))
    if asked is None or request.headers.get("If-Range", headers["ETag"]) != headers["ETag"]:
        return _part(path, 0, size, 200, headers)
    first, last = int(asked[1]), min(int(asked[2] or size - 1), size - 1)
    if first > last:
        return HttpResponse(status=UNSATISFIED, headers=headers | {"Content-Range": f"bytes */{size}"})
    headers["Content-Range"] = f"bytes {first}-{last}/{size}"
    return _part(path, first, last + 1 - first, SATISFIED, headers)


def _part(path: Path, first: int, size: int, status: int, headers: dict[str, str]) -> StreamingHttpResponse:
    blocks = _blocks(path, first, size)
    response = StreamingHttpResponse(blocks, status=status, content_type="application/zip", headers=headers)
    response["Content-Length"] = str(size)
    return response


def _blocks(path: Path, first: int, left: int) -> Iterator[bytes]:
    with path.open("rb") as file:
        file.seek(first)
        while left > 0 and (block := file.read(min(BLOCK, left))):
            left -= len(block)
            yield block
