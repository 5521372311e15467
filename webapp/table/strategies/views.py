"""Pages of strategies: one's own and the examples, the editor, trying out, import and export."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import RequestDataTooBig
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.text import slugify
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.strategies import StrategyError
from webapp.common import limits
from webapp.common.errors import RefusedError
from webapp.common.numbers import parse_whole
from webapp.common.permissions import get_owned
from webapp.common.requests import HtmxRequest
from webapp.people.accounts.requests import UserRequest
from webapp.table.strategies import draft, prefill, selectors, services, trials
from webapp.table.strategies.editor import Editor
from webapp.table.strategies.models import Strategy
from webapp.table.strategies.trials import GAME, TrialForm

KEPT = "strategy"
"""Under which a session keeps what somebody without an account wanted to save."""
MAX_BYTES = 200_000
"""Most bytes of an imported file: many times the size of a strategy as JSON."""


def _strategy(request: HttpRequest, pk: int) -> Strategy:
    return get_owned(Strategy.objects.all(), request.user, pk=pk)


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """One's strategies, and examples to start from."""
    context = {"mine": selectors.mine(request.user), "examples": GAME.strategies.examples, "game": GAME}
    return render(request, "strategies/list.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HtmxRequest) -> HttpResponse:
    """A new strategy: blank, or like an example or one of one's own (``?example=``, ``?copy=``)."""
    return _edit(request, None)


@require_http_methods(["GET", "HEAD", "POST"])
def detail(request: HtmxRequest, pk: int) -> HttpResponse:
    """The editor of one of one's strategies."""
    return _edit(request, _strategy(request, pk))


def _edit(request: HtmxRequest, strategy: Strategy | None) -> HttpResponse:
    if request.method != "POST":
        return _show(request, strategy, _source(request, strategy))
    posted = request.POST.dict()
    action, data = posted.get("do", "save"), draft.read(posted)
    if action == "save":
        return _save(request, strategy, data, posted)
    if action == "export":
        return _export(request, strategy, data, posted)
    if action == "try":
        posted["tried"] = "yes"
    changed, place = draft.press_button(data, action)
    return _show(request, strategy, changed, posted, place)


def _source(request: HttpRequest, strategy: Strategy | None) -> dict[str, Any]:
    """Data that the editor begins with."""
    if strategy is not None:
        return _complete(strategy.data)
    if (example := request.GET.get("example", "")) in GAME.strategies.examples:
        return _copy(GAME.strategies.examples[example])
    if (number := parse_whole(request.GET.get("copy"))) is not None:
        return _copy(_complete(_strategy(request, number).data))
    return dict(draft.BLANK)


def _complete(data: Mapping[str, Any]) -> dict[str, Any]:
    """Stored data with all that the form shows, also where today's form reads it no more."""
    try:
        checked: dict[str, Any] = GAME.strategies.check(data)
        return checked
    except StrategyError:
        return {**draft.BLANK, "name": str(data.get("name", ""))[:80]}


def _copy(data: Mapping[str, Any]) -> dict[str, Any]:
    return {**data, "name": f"{data['name'][:70]}, mine"}


def _show(
    request: HtmxRequest,
    strategy: Strategy | None,
    data: Mapping[str, Any],
    posted: Mapping[str, str] | None = None,
    place: draft.Place | None = None,
    **extra: Any,
) -> HttpResponse:
    first = trials.first_kingdom(data) if posted is None else posted
    form = TrialForm(first, selectors.own_strategies(request.user), request.user.is_authenticated)
    editor = Editor(data, form.kingdom_cards, place)
    if extra.get("is_refused"):
        editor.show_errors()
    context = {
        "strategy": strategy,
        "editor": editor,
        "trial_form": form,
        "is_tried": bool(posted and posted.get("tried")),
        "here": request.path,
        **extra,
    }
    if context["is_tried"]:
        context |= _result(request, editor, form)
    if strategy is not None:
        context["meeting"] = prefill.trial_query(form.data, strategy.pk)
    is_part = request.htmx and not extra.get("is_refused")
    return render(request, "strategies/_editor.html" if is_part else "strategies/editor.html", context)


def _result(request: HttpRequest, editor: Editor, form: TrialForm) -> dict[str, Any]:
    """Result of a trial of the editor's strategy, where it and the form can be played."""
    if editor.checked is None or not form.is_valid():
        return {}
    try:
        return {"result": trials.attempt(limits.address(request), editor.checked, form)}
    except trials.NotReadyError:
        return {"is_waiting": True}
    except limits.TooManyError as error:
        return {"refusal": str(error)}


@require_POST
def check(request: HtmxRequest) -> HttpResponse:
    """Answer with remarks on the form as it stands, and with a trial where it was tried before or now is."""
    posted = request.POST.dict()
    form = TrialForm(posted, selectors.own_strategies(request.user), request.user.is_authenticated)
    editor = Editor(draft.read(posted), form.kingdom_cards)
    context: dict[str, Any] = {"editor": editor, "trial_form": form, "is_tried": bool(posted.get("tried"))}
    if context["is_tried"]:
        context |= _result(request, editor, form)
    if (number := parse_whole(posted.get("kept"))) is not None:
        context["meeting"] = prefill.trial_query(posted, number)
    return render(request, "strategies/_check.html", context)


def _save(
    request: HtmxRequest, strategy: Strategy | None, data: dict[str, Any], posted: Mapping[str, str]
) -> HttpResponse:
    try:
        checked = GAME.strategies.check(data)
    except StrategyError:
        return _show(request, strategy, data, posted, is_refused=True)
    if not request.user.is_authenticated:
        request.session[KEPT] = checked
        messages.info(request, "With an account your strategy is kept. It is saved as soon as you have one.")
        return redirect(f"{reverse('accounts:sign_up')}?next={reverse('strategies:keep')}")
    try:
        if strategy is None:
            strategy = services.create(request.user, checked)
        else:
            services.change(strategy, checked)
    except RefusedError as error:
        messages.warning(request, str(error))
        return _show(request, strategy, data, posted)
    messages.success(request, "Saved")
    return redirect("strategies:detail", pk=strategy.pk)


@login_required
@require_safe
def keep(request: UserRequest) -> HttpResponse:
    """Save what somebody wanted to save before there was an account."""
    data = request.session.pop(KEPT, None)
    if data is None:
        return redirect("strategies:list")
    try:
        made = services.create(request.user, GAME.strategies.check(data))
    except (RefusedError, StrategyError) as error:
        messages.warning(request, str(error))
        return redirect("strategies:list")
    messages.success(request, "Saved")
    return redirect("strategies:detail", pk=made.pk)


def _export(
    request: HtmxRequest, strategy: Strategy | None, data: dict[str, Any], posted: Mapping[str, str]
) -> HttpResponse:
    """The form as it stands as a file."""
    try:
        return _file(GAME.strategies.check(data))
    except StrategyError:
        return _show(request, strategy, data, posted, is_refused=True)


def _file(data: Mapping[str, Any]) -> HttpResponse:
    response = HttpResponse(as_text(data), content_type="application/json")
    name = slugify(str(data["name"])) or "strategy"
    response["Content-Disposition"] = f'attachment; filename="{name}.json"'
    return response


def as_text(data: Mapping[str, Any]) -> str:
    """JSON with a line for each rule."""
    lines = []
    for key, value in data.items():
        if isinstance(value, list) and value:
            rows = ",\n".join(f"    {json.dumps(row, ensure_ascii=False)}" for row in value)
            lines.append(f"  {json.dumps(key)}: [\n{rows}\n  ]")
        else:
            lines.append(f"  {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


@require_safe
def export(request: HttpRequest, pk: int) -> HttpResponse:
    """One of one's strategies as a file."""
    return _file(_strategy(request, pk).data)


@require_safe
def export_example(request: HttpRequest, key: str) -> HttpResponse:
    """An example as a file."""
    if key not in GAME.strategies.examples:
        raise Http404(f"no example {key}")
    return _file(GAME.strategies.examples[key])


@require_http_methods(["GET", "HEAD", "POST"])
def import_(request: HtmxRequest) -> HttpResponse:
    """A strategy from a file or as text, into the editor."""
    if request.method != "POST":
        return render(request, "strategies/import.html", {})
    text = request.POST.get("pasted", "")
    try:
        if (file := request.FILES.get("file")) is not None:
            if (file.size or 0) > MAX_BYTES:
                raise RequestDataTooBig
            text = file.read().decode()
        data = GAME.strategies.check(json.loads(text))
    except UnicodeDecodeError:
        problem = "This file is no text."
    except RequestDataTooBig:
        problem = f"This file is larger than {MAX_BYTES // 1000} kB: it holds something else."
    except json.JSONDecodeError as error:
        problem = f"This is not JSON: line {error.lineno}, column {error.colno}: {error.msg}."
    except RecursionError:
        problem = "This JSON is nested too deeply."
    except StrategyError as error:
        words = str(error) if error.path else f"A strategy {error.message}"
        problem = f"{words}.".encode("utf-8", "replace").decode()  # a text may hold half a character
    except ValueError:
        problem = "This JSON holds a number with too many digits."
    else:
        messages.info(request, "Read. It is not saved yet.")
        return _show(request, None, data, here=reverse("strategies:new"))
    return render(request, "strategies/import.html", {"problem": problem, "pasted": text[:MAX_BYTES]})


@require_http_methods(["GET", "HEAD", "POST"])
def delete(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask, then delete."""
    strategy = _strategy(request, pk)
    if request.method != "POST":
        return render(request, "strategies/delete.html", {"strategy": strategy})
    services.delete(strategy)
    messages.success(request, f"Deleted {strategy.name}")
    return redirect("strategies:list")
