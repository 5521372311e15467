"""Addresses of presets."""

from django.urls import path

from webapp.lab.presets import views

app_name = "presets"
urlpatterns = [
    path("presets/", views.index, name="list"),
    path("presets/runs/<int:pk>/", views.comparison, name="comparison"),
    path("presets/papers/<str:paper_id>/contents/", views.contents, name="contents"),
    path("presets/papers/<str:paper_id>/people/", views.people, name="people"),
    path("presets/papers/<str:paper_id>/", views.verdicts, name="verdicts"),
    path("presets/<str:preset_id>/", views.detail, name="detail"),
    path("presets/<str:preset_id>/start/", views.start, name="start"),
]
