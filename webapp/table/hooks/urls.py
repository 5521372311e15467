"""Addresses of the pages of webhooks."""

from django.urls import path

from webapp.table.hooks import views

app_name = "hooks"
urlpatterns = [
    path("agents/<int:pk>/webhook/", views.of_agent, name="of_agent"),
    path("agents/<int:pk>/webhook/deliveries/", views.deliveries, name="deliveries"),
    path("agents/<int:pk>/webhook/rotate/", views.rotate, name="rotate"),
    path("agents/<int:pk>/webhook/test/", views.test, name="test"),
    path("agents/<int:pk>/webhook/remove/", views.remove, name="remove"),
]
