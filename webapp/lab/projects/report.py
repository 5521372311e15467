"""The blocks of a report: texts and results in their order, as they are stored, read from a form, and moved. Pure."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from webapp.common.formats import count
from webapp.common.numbers import parse_whole
from webapp.lab.jobs import registry

MAX_TITLE, MAX_TEXT, MAX_LETTERS, MAX_BLOCKS = 200, 20_000, 200_000, 100
KEY_BYTES = 4


class ReportError(ValueError):
    """A report that cannot be kept; the message says why, for the person."""


@dataclass(frozen=True)
class Block:
    """A text in Markdown, or a result. key: its name in the page, the same as long as it stands in the report.

    word, number: of the job, "" and 0 of a text; name: the title of the job when the report was last kept.
    """

    key: str
    text: str = ""
    word: str = ""
    number: int = 0
    name: str = ""

    @property
    def is_result(self) -> bool:
        """Whether it is about a job."""
        return bool(self.word)

    @property
    def job(self) -> tuple[str, int]:
        """Kind and number of its job."""
        return self.word, self.number


def new_text(text: str = "") -> Block:
    """A text of its own key."""
    return Block(_key(), text=text)


def new_result(word: str, number: int, name: str) -> Block:
    """A result of its own key."""
    return Block(_key(), word=word, number=number, name=name)


def _key() -> str:
    return secrets.token_hex(KEY_BYTES)


def load(stored: Sequence[Mapping[str, Any]]) -> list[Block]:
    """Blocks from what is stored."""
    return [Block(**row) for row in stored]


def dump(blocks: Sequence[Block]) -> list[dict[str, Any]]:
    """Blocks as they are stored, without what is empty."""
    return [{name: value for name, value in vars(block).items() if value} for block in blocks]


def read(posted: Mapping[str, str], keys: Sequence[str], kept: Sequence[Block]) -> list[Block]:
    """The blocks of a form, in its order. keys: of the blocks that it shows; kept: those of the stored report.

    Results are as they were stored, or named by the form where another tab has removed them meanwhile.
    """
    known = {block.key: block for block in kept}
    found = []
    for key in dict.fromkeys(keys[: MAX_BLOCKS + 1]):
        if f"text-{key}" in posted:
            found.append(Block(key[: 2 * KEY_BYTES], text=_clean(posted[f"text-{key}"])))
        elif key in known and known[key].is_result:
            found.append(known[key])
        elif (result := parse_job(posted.get(f"job-{key}", ""))) is not None:
            found.append(Block(key[: 2 * KEY_BYTES], word=result[0], number=result[1]))
    return found


def parse_job(text: str) -> tuple[str, int] | None:
    """Kind and number of a job from "experiment-12"; None where that is none."""
    word, _, digits = text.partition("-")
    number = parse_whole(digits)
    return (word, number) if word in registry.KINDS and number else None


def check(title: str, blocks: Sequence[Block]) -> str:
    """The title as it is kept. Raises ReportError for what is too much."""
    found = " ".join(title.replace("\0", "").split())
    if not found:
        raise ReportError("Give the project a title.")
    if len(found) > MAX_TITLE:
        raise ReportError(f"A title has at most {MAX_TITLE} letters: this has {count(len(found))}.")
    if len(blocks) > MAX_BLOCKS:
        raise ReportError(f"A report has at most {MAX_BLOCKS} texts and results. Begin another project.")
    longest = max((len(block.text) for block in blocks), default=0)
    if longest > MAX_TEXT:
        raise ReportError(f"A text has at most {count(MAX_TEXT)} letters: one has {count(longest)}. Part it in two.")
    if (letters := sum(len(block.text) for block in blocks)) > MAX_LETTERS:
        raise ReportError(f"All texts have at most {count(MAX_LETTERS)} letters: these have {count(letters)}.")
    return found


def _clean(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\0", "").strip()


# ---- what buttons do


def press(blocks: Sequence[Block], button: str, chosen: Block | None = None) -> tuple[list[Block], str]:
    """The blocks after a button "up:KEY", "down:KEY", "remove:KEY", "text:KEY" or "result:KEY", and where it led.

    New blocks come below the named one, at the end where none is. chosen: the result that is added.
    """
    deed, _, key = button.partition(":")
    changed = list(blocks)
    place = next((i for i, block in enumerate(changed) if block.key == key), None)
    if deed in ("text", "result"):
        added = new_text() if deed == "text" else chosen
        if added is None:
            return changed, key
        changed.insert(len(changed) if place is None else place + 1, added)
        return changed, added.key
    if place is None:
        return changed, ""
    block = changed.pop(place)
    if deed == "remove":
        return changed, changed[min(place, len(changed) - 1)].key if changed else ""
    step = {"up": -1, "down": 1}.get(deed, 0)
    changed.insert(min(max(place + step, 0), len(changed)), block)
    return changed, key


def renamed(blocks: Sequence[Block], names: Mapping[tuple[str, int], str]) -> list[Block]:
    """The blocks with the present titles of their jobs."""
    return [replace(block, name=names.get(block.job, block.name)) if block.is_result else block for block in blocks]
