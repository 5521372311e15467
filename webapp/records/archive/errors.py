"""What is wrong with a file of plies, in sentences for pages and commands."""

from __future__ import annotations

PUT_BACK = "Put the file back from a backup, then run manage.py archive check."


class ArchiveError(Exception):
    """A file of plies that cannot be read, or plies that cannot be moved: a sentence on what is wrong.

    advice: what whoever runs the lab can do.
    """

    def __init__(self, sentence: str, advice: str = PUT_BACK) -> None:
        super().__init__(sentence)
        self.sentence, self.advice = sentence, advice


class MissingError(ArchiveError):
    """The file is not there."""

    def __init__(self, name: str) -> None:
        super().__init__(f"The file {name} of the archive, which holds the plies, is missing.")


class DamagedError(ArchiveError):
    """The file is there, and not as it was written."""

    def __init__(self, name: str, what: str) -> None:
        super().__init__(f"The file {name} of the archive, which holds the plies, is damaged: {what}.")
