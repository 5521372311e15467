"""Addresses of studies."""

from django.urls import path

from webapp.common.steering import ACTIONS
from webapp.lab.studies.views import build, watch
from webapp.lab.studies.views.steer import STEERING

app_name = "studies"
urlpatterns = [
    path("studies/", watch.index, name="list"),
    path("studies/new/", build.new, name="new"),
    path("studies/new/estimate/", build.estimate, name="estimate"),
    path("studies/<int:pk>/", watch.detail, name="detail"),
    path("studies/<int:pk>/live/", watch.live, name="live"),
    path("studies/<int:pk>/result/", watch.result, name="result"),
    path("studies/<int:pk>/rows/", watch.rows, name="rows"),
    path("studies/<int:pk>/settings/", watch.settings, name="settings"),
    path("studies/<int:pk>/charts/<slug:chart_id>.json", watch.chart_json, name="chart_json"),
    path("studies/<int:pk>/charts/<slug:chart_id>/", watch.chart_page, name="chart"),
    path("studies/<int:pk>/export/rows.<slug:format_id>", watch.export, name="export"),
    path("studies/<int:pk>/result.json", watch.result_json, name="result_json"),
    path("studies/<int:pk>/spec.json", watch.spec_json, name="spec"),
    path("studies/<int:pk>/delete/", STEERING.delete, name="delete"),
    *(path(f"studies/<int:pk>/{name}/", STEERING.act, {"action": name}, name=name) for name in ACTIONS),
]
