"""Addresses of the API (names beginning with `api-v1:`) and of the pages that introduce it (`api:`)."""

from django.urls import include, path

from webapp.api.v1 import api
from webapp.api.views import pages

introduction = [
    path("api/", pages.start, name="start"),
    path("api/problems/", pages.problem_list, name="problems"),
    path("api/examples/<str:name>", pages.example, name="example"),
]
urlpatterns = [
    path("", include((introduction, "api"))),
    path("api/v1/", api.urls),
]
