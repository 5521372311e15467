"""The page of an agent's webhook, for the agent's owner."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from webapp.common.errors import RefusedError
from webapp.common.permissions import get_owned
from webapp.people.agents.models import Agent
from webapp.table.hooks import selectors, services
from webapp.table.hooks.forms import HookForm
from webapp.table.hooks.models import Hook

POLL_S = 2


def _agent(request: HttpRequest, pk: int) -> Agent:
    return get_owned(Agent.objects.all(), request.user, pk=pk)


def _hook(request: HttpRequest, pk: int) -> Hook:
    return get_object_or_404(Hook.objects.select_related("agent"), agent=_agent(request, pk))


@sensitive_variables("secret")
@require_http_methods(["GET", "HEAD", "POST"])
def of_agent(request: HttpRequest, pk: int) -> HttpResponse:
    """See and set it. A new secret is in this one answer, and nowhere afterwards."""
    agent = _agent(request, pk)
    if request.method != "POST":
        return _page(request, agent)
    form = HookForm(request.POST)
    if not form.is_valid():
        return _page(request, agent, form=form)
    _, secret = services.set_up(agent, form.cleaned_data["url"], form.cleaned_data["events"])
    if secret:
        return _page(request, agent, secret=secret)
    messages.success(request, "Saved")
    return redirect("hooks:of_agent", pk=pk)


@sensitive_variables("secret")
@require_POST
def rotate(request: HttpRequest, pk: int) -> HttpResponse:
    """Another secret, from now on."""
    hook = _hook(request, pk)
    secret = services.rotate(hook)
    return _page(request, _agent(request, pk), secret=secret)


@require_POST
def test(request: HttpRequest, pk: int) -> HttpResponse:
    """Send a test."""
    hook = _hook(request, pk)
    try:
        services.send_test(hook)
        messages.success(request, "A test is on its way: its outcome appears under Last deliveries")
    except RefusedError as error:
        messages.warning(request, str(error))
    return redirect("hooks:of_agent", pk=pk)


@require_POST
def remove(request: HttpRequest, pk: int) -> HttpResponse:
    """No webhook any more."""
    services.remove(_agent(request, pk))
    messages.success(request, "Webhook removed")
    return redirect("hooks:of_agent", pk=pk)


@require_GET
def deliveries(request: HttpRequest, pk: int) -> HttpResponse:
    """The list of the last deliveries alone, for the page that waits for them."""
    return render(request, "hooks/_deliveries.html", _list(_hook(request, pk)))


def _list(hook: Hook) -> dict[str, Any]:
    rows = selectors.last_deliveries(hook)
    return {"agent": hook.agent, "rows": rows, "is_waited_for": selectors.are_waited_for(rows), "poll_s": POLL_S}


def _page(request: HttpRequest, agent: Agent, form: HookForm | None = None, secret: str = "") -> HttpResponse:
    hook = Hook.objects.select_related("agent").filter(agent=agent).first()
    if form is None:
        events = hook.events if hook else Hook.Event.values
        form = HookForm(initial={"url": hook.url if hook else "", "events": events})
    context = {"agent": agent, "hook": hook, "form": form, "secret": secret} | (_list(hook) if hook else {})
    response = render(request, "hooks/hook.html", context)
    if secret:
        response["Cache-Control"] = "no-store"
    return response
