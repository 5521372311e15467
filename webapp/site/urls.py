"""Addresses of the site's own pages."""

from django.urls import path

from webapp.site import views

app_name = "site"
urlpatterns = [
    path("", views.start, name="start"),
    path("games/", views.games, name="games"),
    path("games/<slug:game_id>/", views.game, name="game"),
    path("games/<slug:game_id>/exact/", views.exact, name="exact"),
    path("engines/", views.engines, name="engines"),
    path("engines/<str:engine_id>/", views.engine, name="engine"),
    path("judging/", views.judging, name="judging"),
    path("workers/", views.workers, name="workers"),
    path("workers/order/", views.order_workers, name="order_workers"),
    path("health/", views.health, name="health"),
    path("metrics", views.metrics, name="metrics"),
    path("health/live/", views.live, name="live"),
    path("health/ready/", views.ready, name="ready"),
]
