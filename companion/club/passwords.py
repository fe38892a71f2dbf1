"""The passwords of a club's tables, in one file for the broker and for the hub.

The file is mosquitto's own (`password_file`): a line for each name with the salted hash of its
password, PBKDF2 with SHA-512. A password is 128 random bits, shown once.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from typing import TYPE_CHECKING

from common import own_files

if TYPE_CHECKING:
    from collections.abc import Mapping

ITERATIONS = 101
"""As mosquitto 2 itself; a password of 128 random bits needs no more."""

LARGEST_FILE = 1_000_000
"""Bytes; a larger file is not ours."""


def make_password() -> str:
    """A password of 128 random bits, in 26 letters and digits that are not easily misread."""
    return base64.b32encode(secrets.token_bytes(16)).decode().rstrip("=").lower()


def write_line(name: str, password: str) -> str:
    """The line of mosquitto's password file for that name."""
    salt = secrets.token_bytes(12)
    digest = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, ITERATIONS)
    parts = ("", "7", str(ITERATIONS), _encode(salt), _encode(digest))
    return f"{name}:{'$'.join(parts)}"


class Passwords:
    """The names of a password file, each with how its password is checked."""

    def __init__(self, lines: Mapping[str, str]) -> None:
        self._lines = dict(lines)

    @classmethod
    def read(cls, path: str) -> Passwords:
        """Those of that file. Raises OSError."""
        text = own_files.read(path, LARGEST_FILE).decode("utf-8", "replace")
        rows = (line.partition(":") for line in text.splitlines() if not line.startswith("#"))
        return cls({name: rest for name, colon, rest in rows if colon})

    @property
    def names(self) -> list[str]:
        """The names, in the file's order."""
        return list(self._lines)

    def check(self, name: str, password: str) -> bool:
        """Whether that is the name's password."""
        parts = self._lines.get(name, "").split("$")
        if len(parts) != 5 or parts[1] != "7" or not parts[2].isdecimal():
            return False
        try:
            salt, digest = (base64.b64decode(part, validate=True) for part in parts[3:])
        except ValueError:
            return False
        rounds = min(int(parts[2]), 1_000_000)
        actual_digest = hashlib.pbkdf2_hmac(
            "sha512", password.encode(), salt, max(rounds, 1), len(digest)
        )
        return hmac.compare_digest(actual_digest, digest)


def _encode(data: bytes) -> str:
    return base64.b64encode(data).decode()
