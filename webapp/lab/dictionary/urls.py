"""Addresses of the data dictionary."""

from django.urls import path

from webapp.lab.dictionary import views

app_name = "dictionary"
urlpatterns = [
    path("data/", views.index, name="index"),
    path("data/<slug:game_id>/", views.game, name="game"),
]
