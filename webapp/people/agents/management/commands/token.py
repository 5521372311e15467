"""`manage.py token NAME`: a token for scripts, without a browser."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from webapp.people.accounts.forms import SignUpForm
from webapp.people.accounts.models import User
from webapp.people.agents import tokens
from webapp.people.agents.models import PersonToken


class Command(BaseCommand):
    """Print the token; it is kept nowhere, and shown this once."""

    help = "Make a token of an account, for scripts (docs/scripting.md). It is shown once, alone on standard output."

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare whose it is and what it may."""
        parser.add_argument("name", help="name of the account")
        parser.add_argument("--create", action="store_true", help="make the account if there is none, without password")
        parser.add_argument("--read-only", action="store_true", help="it sees, but starts and changes nothing")
        parser.add_argument("--label", default="command line", help="what the list of tokens calls it")

    def handle(self, *args: Any, **options: Any) -> None:
        """Make it, with the account if that is asked for."""
        longest = PersonToken._meta.get_field("label").max_length or 0
        if not 0 < len(options["label"].strip()) <= longest:
            raise CommandError(f"A label has 1 to {longest} characters.")
        owner = self._owner(options["name"], is_made=options["create"])
        scopes = (tokens.READ,) if options["read_only"] else (tokens.READ, tokens.EXPERIMENT)
        _, secret = tokens.issue_to_person(owner, options["label"].strip(), scopes)
        self.stdout.write(secret)

    def _owner(self, name: str, *, is_made: bool) -> User:
        found = User.objects.filter(username__iexact=name, is_guest=False).first()
        if found is None and not is_made:
            raise CommandError(f"There is no account {name!r}; --create makes it.")
        if found is None:
            found = self._made(name)
        if not found.is_active:
            raise CommandError(f"The account {found.username} is closed.")
        return found

    def _made(self, name: str) -> User:
        """An account by the rules of the page, which nobody can sign in to until somebody sets its password."""
        made = User(username=name)
        made.set_unusable_password()
        form = SignUpForm({"username": name})
        if problems := form.errors.get("username"):
            raise CommandError(f"{name!r} is no name of an account: {' '.join(map(str, problems))}")
        made.save()
        self.stderr.write(f"made the account {name}; `manage.py changepassword {name}` gives it a password")
        return made
