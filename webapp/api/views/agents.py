"""Pages where people keep their agents: make one, give it tokens, see what it played, retire it."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from webapp.api import agent_results
from webapp.common.errors import RefusedError
from webapp.common.permissions import get_owned
from webapp.people.accounts.requests import UserRequest
from webapp.people.agents import services, tokens
from webapp.people.agents.forms import AgentForm, DescriptionForm, TokenForm
from webapp.people.agents.models import Agent
from webapp.play import selectors as play

PER_PAGE = 25


def _agent(request: HttpRequest, name: str) -> Agent:
    return get_owned(Agent.objects.all(), request.user, name__iexact=name)


@login_required
@require_safe
def list_agents(request: UserRequest) -> HttpResponse:
    """One's agents, with how they did."""
    return render(request, "agents/list.html", {"rows": agent_results.standings(request.user)})


@login_required
@sensitive_variables("secret")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: UserRequest) -> HttpResponse:
    """Make an agent, with its first token."""
    form = AgentForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            agent = services.create(request.user, form.cleaned_data["name"], form.cleaned_data["description"])
        except RefusedError as error:
            form.add_error("name", str(error))
        else:
            _, secret = tokens.issue(agent, "First token", [tokens.READ, tokens.PLAY])
            return _page(request, agent, secret=secret, is_new=True)
    return render(request, "agents/new.html", {"form": form})


@never_cache
@require_safe
def detail(request: HttpRequest, name: str) -> HttpResponse:
    """An agent: tokens, matches, what is said of it."""
    return _page(request, _agent(request, name))


@require_POST
def describe(request: HttpRequest, name: str) -> HttpResponse:
    """Change what is said of it."""
    agent = _agent(request, name)
    form = DescriptionForm(request.POST)
    if not form.is_valid():
        return _page(request, agent, description_form=form)
    services.describe(agent, form.cleaned_data["description"])
    messages.success(request, "Saved")
    return redirect("agents:detail", name=agent.name)


@sensitive_variables("secret")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def issue(request: HttpRequest, name: str) -> HttpResponse:
    """Make a token. The secret is in this one answer, and nowhere afterwards; by GET it is the agent's page."""
    agent = _agent(request, name)
    if request.method != "POST":
        return redirect("agents:detail", name=agent.name)
    form = TokenForm(request.POST)
    if not form.is_valid():
        return _page(request, agent, token_form=form)
    try:
        services.check_room_for_token(agent)
    except RefusedError as error:
        messages.warning(request, str(error))
        return redirect("agents:detail", name=agent.name)
    _, secret = tokens.issue(agent, form.cleaned_data["label"], form.scopes())
    return _page(request, agent, secret=secret)


@require_POST
def revoke(request: HttpRequest, name: str, pk: int) -> HttpResponse:
    """Withdraw a token at once and for good."""
    agent = _agent(request, name)
    row = get_object_or_404(agent.tokens, pk=pk)
    messages.success(request, f"Revoked {row}" if tokens.revoke(row) else "It was revoked already")
    return redirect("agents:detail", name=agent.name)


@require_POST
def retire(request: HttpRequest, name: str) -> HttpResponse:
    """Retire an agent: it no longer plays."""
    agent = _agent(request, name)
    services.retire(agent)
    messages.success(request, f"{agent.name} is retired: its tokens are revoked, its matches stay")
    return redirect("agents:detail", name=agent.name)


def _page(request: HttpRequest, agent: Agent, **extra: Any) -> HttpResponse:
    page = Paginator(agent_results.matches(agent), PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "agent": agent,
        "tokens": agent.tokens.order_by("revoked_at", "-created_at"),
        "description_form": DescriptionForm(initial={"description": agent.description}),
        "token_form": TokenForm(),
        "standing": agent_results.standing(agent),
        "page": page,
        "lines": play.lines(page, agent),
        "base": request.build_absolute_uri("/").rstrip("/"),
        **extra,
    }
    return render(request, "agents/detail.html", context)
