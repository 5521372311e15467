"""Addresses of the pages on strength."""

from django.urls import path

from webapp.play.strength import views

app_name = "strength"
urlpatterns = [
    path("strength/", views.index, name="index"),
    path("strength/<slug:game_id>/", views.game, name="game"),
    path("strength/of/<slug:measurement_id>.json", views.record, name="record"),
    path("strength/of/<slug:measurement_id>/start/", views.start, name="start"),
]
