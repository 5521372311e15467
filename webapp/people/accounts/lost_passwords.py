"""A lost password: a mail with a link that sets a new one, where the lab can send mail."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.forms import PasswordResetForm
from django.contrib.auth.views import PasswordResetConfirmView, PasswordResetView
from django.contrib.messages.views import SuccessMessageMixin
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse_lazy
from django.views.decorators.http import require_POST

from webapp.common import limits
from webapp.common.limits import TooManyError
from webapp.people.accounts.forms import PASSWORD_HELP, MailForm
from webapp.people.accounts.models import User

MAILS = limits.Limit("address", 3, "mails")


class Lost(SuccessMessageMixin, PasswordResetView):  # type: ignore[type-arg]  # generic in the stubs only
    """Asks for the mail address; what it answers says nothing of who has an account."""

    form_class = PasswordResetForm
    template_name = "accounts/lost.html"
    email_template_name = "accounts/lost_mail.txt"
    subject_template_name = "accounts/lost_subject.txt"
    success_url = reverse_lazy("accounts:login")
    success_message = "If an account has this address, a mail is on its way. Its link holds for three days"
    extra_email_context = {"lab": settings.PUBLIC_URL}

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Answer; without mail there is nothing to send to."""
        if request.method == "POST" and not settings.LAB_MAIL:
            raise Http404("this lab sends no mail")
        return super().dispatch(request, *args, **kwargs)

    def get_context_data(self, **values: Any) -> dict[str, Any]:
        """Whether there is mail at all."""
        return super().get_context_data(**values) | {"has_mail": settings.LAB_MAIL}

    def form_valid(self, form: Any) -> HttpResponse:
        """Send it, a few a minute for each address."""
        try:
            MAILS.count(limits.address(self.request))
        except TooManyError as error:
            form.add_error(None, str(error))
            return self.form_invalid(form)
        answer: HttpResponse = super().form_valid(form)
        return answer


class Found(SuccessMessageMixin, PasswordResetConfirmView):  # type: ignore[type-arg]  # generic in the stubs only
    """Where the link of the mail leads: a new password, twice."""

    template_name = "accounts/found.html"
    success_url = reverse_lazy("accounts:login")
    success_message = "Password set. Sign in with it"

    def get_form(self, form_class: Any = None) -> Any:
        """The form in our words."""
        form = super().get_form(form_class)
        form.fields["new_password1"].help_text = PASSWORD_HELP
        form.fields["new_password2"].label = "New password again"
        form.fields["new_password2"].help_text = ""
        return form


@login_required
@require_POST
def set_mail(request: HttpRequest) -> HttpResponse:
    """Keep another mail address, or none."""
    assert isinstance(request.user, User)
    form = MailForm(request.POST, instance=request.user)
    if form.is_valid():
        form.save()
        messages.success(request, "Mail address kept" if form.cleaned_data["email"] else "Mail address removed")
    else:
        messages.warning(request, "That is no mail address: name@example.org is one. Nothing was changed.")
    return redirect("accounts:account")
