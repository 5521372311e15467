"""A base of middlewares that work sync and async."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponseBase
from django.utils.deprecation import MiddlewareMixin


class TwofoldMiddleware(MiddlewareMixin):
    """Hands a request on, sync or async as what is inside it is."""

    def pass_on(self, request: HttpRequest) -> HttpResponseBase:
        """The response of what is inside, which is sync."""
        response = self.get_response(request)
        assert isinstance(response, HttpResponseBase)
        return response

    async def pass_on_async(self, request: HttpRequest) -> HttpResponseBase:
        """The response of what is inside, which is async."""
        response = self.get_response(request)
        assert not isinstance(response, HttpResponseBase)
        return await response
