"""Addresses of friends."""

from django.urls import path

from webapp.people.friends import views

app_name = "friends"
urlpatterns = [
    path("accounts/friends/", views.friends, name="list"),
    path("accounts/friends/<slug:deed>/", views.do, name="do"),
]
