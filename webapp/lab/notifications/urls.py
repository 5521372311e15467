"""Addresses of what people are told, and of how they wish to be told."""

from django.urls import path

from webapp.lab.notifications import views, webhook

app_name = "notifications"
urlpatterns = [
    path("notifications/", views.index, name="list"),
    path("notifications/bell/", views.bell, name="bell"),
    path("notifications/wishes/", views.wishes, name="wishes"),
    path("notifications/webhook/", webhook.show, name="webhook"),
    path("notifications/webhook/rotate/", webhook.rotate, name="rotate"),
    path("notifications/webhook/test/", webhook.test, name="test"),
    path("notifications/webhook/remove/", webhook.remove, name="remove"),
    path("experiments/<int:pk>/tell/", views.tell, {"kind": "experiment"}, name="tell_experiment"),
    path("ladders/<int:pk>/tell/", views.tell, {"kind": "ladder"}, name="tell_ladder"),
    path("studies/<int:pk>/tell/", views.tell, {"kind": "study"}, name="tell_study"),
]
