"""What tests of pages share: their HTML as a browser takes it, and whether they name a person."""

from __future__ import annotations

import re
from typing import Any

BLOCKS = (
    "address|article|aside|blockquote|body|br|caption|dd|details|dialog|div|dl|dt|fieldset|figcaption|figure|footer|form|"
    "h[1-6]|head|header|hr|html|input|legend|li|link|main|meta|nav|ol|option|p|section|select|summary|"
    "table|tbody|td|tfoot|th|thead|title|tr|ul"
)


def markup(answer: Any) -> str:
    """The HTML of an answer, or of a part of one, with white space only where it shows.

    It is one space between words, and none beside blocks and inside tags: how the template breaks its lines
    makes no difference.
    """
    text = answer if isinstance(answer, str) else answer.content.decode()
    text = re.sub(r"[ \t\r\n\f]+", " ", text)
    text = re.sub(r" (?=/?>)", "", text)
    return re.sub(rf" ?(</?(?:{BLOCKS})\b[^>]*>) ?", r"\1", text)


def names_person(text: str | bytes, person: str) -> bool:
    """Whether a page, a file or a title names a person.

    A whole word alone does: addresses and tokens of forms are random, and hold any three letters now and then.
    """
    read = text if isinstance(text, str) else text.decode(errors="replace")
    return re.search(rf"\b{re.escape(person)}\b", read) is not None
