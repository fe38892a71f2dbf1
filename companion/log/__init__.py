"""Games on disk: written move by move, read back, and as record files; here, what can go wrong with
them."""

from __future__ import annotations

from common.sentences import Sentence
from companion.errors import UserError


class StoreError(UserError):
    """The log cannot be read or written: one sentence with what, where and what to do."""


class BadLog(Exception):
    """The rows are not a game: not written by this program."""


class LogReplaced(StoreError):
    """The open file is no longer the one at its path; nothing was written."""

    def __init__(self, path: str) -> None:
        super().__init__(
            Sentence(
                "{path}: the file was removed, moved or replaced while the game was open. The "
                "whole game has been saved there again. Repeat your last input.",
                path=path,
            )
        )
