"""Addresses of sign-up, sign-in and the account page."""

from django.contrib.auth.views import LogoutView
from django.urls import path

from webapp.people.accounts import lost_passwords, views

app_name = "accounts"
urlpatterns = [
    path("accounts/", views.account, name="account"),
    path("accounts/login/", views.Login.as_view(), name="login"),
    path("accounts/logout/", LogoutView.as_view(), name="logout"),
    path("accounts/new/", views.sign_up, name="sign_up"),
    path("accounts/lost/", lost_passwords.Lost.as_view(), name="lost"),
    path("accounts/lost/<uidb64>/<token>/", lost_passwords.Found.as_view(), name="found"),
    path("accounts/mail/", lost_passwords.set_mail, name="mail"),
    path("accounts/password/", views.ChangePassword.as_view(), name="password"),
]
