"""Addresses of projects; their public ones are in `webapp.sharing.urls`."""

from django.urls import path

from webapp.lab.projects import views

app_name = "projects"
urlpatterns = [
    path("projects/", views.index, name="list"),
    path("projects/add/", views.add, name="add"),
    path("projects/<int:pk>/", views.detail, name="detail"),
    path("projects/<int:pk>/edit/", views.edit, name="edit"),
    path("projects/<int:pk>/delete/", views.delete, name="delete"),
]
