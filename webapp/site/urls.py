"""Addresses of the site's own pages."""

from django.urls import path

from webapp.site import views
from webapp.site.strength import views as strength

app_name = "site"
urlpatterns = [
    path("", views.start, name="start"),
    path("games/", views.games, name="games"),
    path("games/<slug:game_id>/", views.game, name="game"),
    path("games/<slug:game_id>/exact/", views.exact, name="exact"),
    path("engines/", views.engines, name="engines"),
    path("engines/<str:engine_id>/", views.engine, name="engine"),
    path("strength/", strength.index, name="strength"),
    path("strength/<slug:game_id>/", strength.game, name="strength_game"),
    path("strength/of/<slug:measurement_id>.json", strength.record, name="strength_record"),
    path("strength/of/<slug:measurement_id>/start/", strength.start, name="strength_start"),
    path("judging/", views.judging, name="judging"),
    path("workers/", views.workers, name="workers"),
    path("workers/order/", views.order_workers, name="order_workers"),
    path("health/", views.health, name="health"),
    path("metrics", views.metrics, name="metrics"),
    path("health/live/", views.live, name="live"),
    path("health/ready/", views.ready, name="ready"),
]
