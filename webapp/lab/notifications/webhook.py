"""The webhook of a person, as a page: the same that `PUT /webhook` of the API sets."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_http_methods, require_POST

from webapp.common.errors import RefusedError
from webapp.lab.notifications.forms import OwnHookForm
from webapp.people.accounts.models import User
from webapp.people.accounts.requests import UserRequest
from webapp.table.hooks import selectors, services
from webapp.table.hooks.models import Hook


def _hook(owner: User) -> Hook:
    return get_object_or_404(Hook, owner=owner)


@sensitive_variables("secret")
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def show(request: UserRequest) -> HttpResponse:
    """See and set it. A new secret is in this one answer, and nowhere afterwards."""
    if request.method != "POST":
        return _page(request)
    form = OwnHookForm(request.POST)
    if not form.is_valid():
        return _page(request, form)
    _, secret = services.set_up_own(request.user, form.cleaned_data["url"])
    if secret:
        return _page(request, secret=secret)
    messages.success(request, "Saved")
    return redirect("notifications:webhook")


@sensitive_variables("secret")
@login_required
@require_POST
def rotate(request: UserRequest) -> HttpResponse:
    """Another secret, from now on."""
    return _page(request, secret=services.rotate(_hook(request.user)))


@login_required
@require_POST
def test(request: UserRequest) -> HttpResponse:
    """Send a test."""
    try:
        services.send_test(_hook(request.user))
        messages.success(request, "A test is on its way: its outcome appears under Last deliveries")
    except RefusedError as error:
        messages.warning(request, str(error))
    return redirect("notifications:webhook")


@login_required
@require_POST
def remove(request: UserRequest) -> HttpResponse:
    """No webhook any more."""
    _hook(request.user)
    services.remove_own(request.user)
    messages.success(request, "Webhook removed")
    return redirect("notifications:webhook")


def _page(request: UserRequest, form: OwnHookForm | None = None, secret: str = "") -> HttpResponse:
    hook = Hook.objects.filter(owner=request.user).first()
    rows = selectors.last_deliveries(hook) if hook else []
    context = {
        "hook": hook,
        "form": form or OwnHookForm(initial={"url": hook.url if hook else ""}),
        "secret": secret,
        "rows": rows,
        "is_waited_for": selectors.are_waited_for(rows),
    }
    response = render(request, "notifications/webhook.html", context)
    if secret:
        response["Cache-Control"] = "no-store"
    return response
