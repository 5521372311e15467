"""Addresses of a match."""

from django.urls import path

from webapp.matches import views

app_name = "matches"
urlpatterns = [
    path("matches/<int:pk>/", views.match, name="detail"),
    path("matches/<int:pk>/board.svg", views.board, name="board"),
    path("matches/<int:pk>/trace.json", views.trace_json, name="trace"),
    path("matches/<int:pk>/export/<slug:table>.<slug:format_id>", views.export, name="export"),
]
