"""Addresses of sign-up, sign-in and the account page."""

from django.contrib.auth.views import LogoutView
from django.urls import path

from webapp.people.accounts import views

app_name = "accounts"
urlpatterns = [
    path("accounts/", views.account, name="account"),
    path("accounts/login/", views.Login.as_view(), name="login"),
    path("accounts/logout/", LogoutView.as_view(), name="logout"),
    path("accounts/new/", views.sign_up, name="sign_up"),
    path("accounts/password/", views.ChangePassword.as_view(), name="password"),
]
