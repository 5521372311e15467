"""Addresses of strategies."""

from django.urls import path

from webapp.table.strategies import views

app_name = "strategies"
urlpatterns = [
    path("strategies/", views.index, name="list"),
    path("strategies/new/", views.new, name="new"),
    path("strategies/check/", views.check, name="check"),
    path("strategies/import/", views.import_, name="import"),
    path("strategies/keep/", views.keep, name="keep"),
    path("strategies/examples/<slug:key>/json/", views.export_example, name="export_example"),
    path("strategies/<int:pk>/", views.detail, name="detail"),
    path("strategies/<int:pk>/json/", views.export, name="export"),
    path("strategies/<int:pk>/delete/", views.delete, name="delete"),
]
