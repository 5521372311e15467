"""Addresses of the API (names beginning with `api-v1:`) and of the pages that introduce it (`api:`)."""

from django.urls import include, path

from webapp.api.v1 import api
from webapp.api.views import pages, tokens

introduction = [
    path("api/", pages.start, name="start"),
    path("api/tokens/", tokens.own, name="tokens"),
    path("api/tokens/<int:pk>/revoke/", tokens.revoke, name="revoke"),
    path("api/problems/", pages.problem_list, name="problems"),
    path("api/examples/<str:name>", pages.example, name="example"),
]
urlpatterns = [
    path("", include((introduction, "api"))),
    path("api/v1/", api.urls),
]
