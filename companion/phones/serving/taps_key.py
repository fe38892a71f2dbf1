"""The key for chips that are laid in the middle of the table: a file in the data folder, the same
at every start until every phone is removed."""

from __future__ import annotations

import hmac
import secrets
from contextlib import suppress

from common import own_files
from common.sentences import Sentence
from companion.log.database import translate_errors

_BYTES = 32
_LONGEST = 64  # characters


class TapsKey:
    """The key in that file."""

    def __init__(self, path: str) -> None:
        self._path = path
        self.text = self._read() or secrets.token_urlsafe(_BYTES)
        if self.text != self._read():
            with suppress(OSError):  # without, it is another one at the next start
                own_files.replace(path, self.text, is_key=True)

    def matches(self, key: str | None) -> bool:
        data = (key or "")[:_LONGEST].encode(errors="replace")
        return hmac.compare_digest(data, self.text.encode())

    def renew(self) -> None:
        """Make another one. Raises StoreError if it cannot be saved."""
        key = secrets.token_urlsafe(_BYTES)
        problem = Sentence("nothing was changed, because it can't be saved")
        with translate_errors(self._path, problem):
            own_files.replace(self._path, key, is_key=True)
        self.text = key

    def _read(self) -> str:
        with suppress(OSError, UnicodeDecodeError):
            text = own_files.read(self._path, _LONGEST).decode("ascii").strip()
            return text if len(text) >= _BYTES else ""
        return ""
