"""What tests of the builder and of the pages of experiments share."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any

from tests.webapp.pages import markup
from tests.webapp.specs import spec
from webapp.lab.experiments import draft
from worker import spec as specs

NEW = "/experiments/new/"
ESTIMATE = "/experiments/new/estimate/"


def posted(**changes: str) -> dict[str, str]:
    """A form that is ready to start, with some fields changed."""
    return {**draft.from_spec(specs.from_json(spec())), **changes}


def text_of(response: Any) -> str:
    """What a page says."""
    return markup(response)


class Form(HTMLParser):
    """The fields of a page's form `builder`, as a browser posts them untouched, and the ids of its buttons."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.data: dict[str, str] = {}
        self.ids: list[str | None] = []
        self.is_inside = False
        self.select = self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take down a field; one that is not ticked or not chosen is not posted."""
        found = dict(attrs)
        self.is_inside |= tag == "form" and found.get("id") == "builder"
        if not self.is_inside or "disabled" in found:
            return
        name, kind, value = found.get("name") or "", found.get("type"), found.get("value") or ""
        if tag == "button":
            self.ids.append(found.get("id"))
        elif tag == "select":
            self.select = name
        elif tag == "option":
            if "selected" in found or self.select not in self.data:
                self.data[self.select] = value
        elif tag == "textarea" and name:
            self.data[name], self.text = "", name
        elif tag == "input" and name and (kind not in ("checkbox", "radio") or "checked" in found):
            self.data[name] = value or ("on" if kind == "checkbox" else "")

    def handle_data(self, data: str) -> None:
        """Take down the text of a text area."""
        if self.text:
            self.data[self.text] += data

    def handle_endtag(self, tag: str) -> None:
        """Leave the form, or a text area."""
        self.is_inside &= tag != "form"
        self.text = "" if tag == "textarea" else self.text
