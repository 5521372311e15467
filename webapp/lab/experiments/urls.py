"""Addresses of experiments and of the two builders."""

from django.urls import path

from webapp.common.steering import ACTIONS
from webapp.lab.experiments.views import build, watch
from webapp.lab.experiments.views.steer import STEERING

app_name = "experiments"
urlpatterns = [
    path("experiments/", watch.index, name="list"),
    path("experiments/new/", build.experiment, name="new"),
    path("experiments/new/estimate/", build.estimate, {"kind": "experiment"}, name="estimate"),
    path("matches/new/", build.match, name="new_match"),
    path("matches/new/estimate/", build.estimate, {"kind": "match"}, name="estimate_match"),
    path("experiments/<int:pk>/", watch.detail, name="detail"),
    path("experiments/<int:pk>/live/", watch.live, name="live"),
    path("experiments/<int:pk>/result/", watch.result, name="result"),
    path("experiments/<int:pk>/matches/", watch.matches, name="matches"),
    path("experiments/<int:pk>/settings/", watch.settings, name="settings"),
    path("experiments/<int:pk>/failures/", watch.failures, name="failures"),
    path("experiments/<int:pk>/spec.json", watch.spec_json, name="spec"),
    path("experiments/<int:pk>/delete/", STEERING.delete, name="delete"),
    *(path(f"experiments/<int:pk>/{name}/", STEERING.act, {"action": name}, name=name) for name in ACTIONS),
]
