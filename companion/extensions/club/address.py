"""The address of a club: `mqtts://table-3@club.example/club`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import parse_qsl, unquote, urlsplit

from common.sentences import Sentence

if TYPE_CHECKING:
    import ssl

PORTS = {"mqtt": 1883, "mqtts": 8883}
"""The schemes, each with its usual port."""

USUAL_CLUB, USUAL_TABLE = "club", "table"
"""The names of an address that names none."""

LONGEST_ADDRESS = 300
CLUB_NAME = re.compile(r"[a-z0-9-]{1,32}")
"""What a club and a table may be called: the names are levels of topics."""

_HOST = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?|[0-9A-Fa-f:.]+")
_OPTIONS = ("password-file", "ca-file")


class ClubAddress(NamedTuple):
    """Where a club is, and what it and this table are called in it; the files are paths or ""."""

    scheme: str
    host: str
    port: int
    club: str
    table: str
    user: str = ""
    """The table that logs in; nobody does without one in the address."""

    password_file: str = ""
    ca_file: str = ""

    @property
    def location(self) -> str:
        """``HOST:PORT``, with brackets around an IPv6 address."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    @property
    def is_encrypted(self) -> bool:
        return self.scheme == "mqtts"

    def name_table(self, table: str) -> str:
        """The address as it is written in that table's settings."""
        return f"{self.scheme}://{table}@{self.location}/{self.club}"

    def read_password(self) -> str | None:
        """The first line of the password file; None without one. Raises ``OSError``."""
        if not self.password_file:
            return None
        with open(self.password_file, encoding="utf-8", errors="replace") as file:
            return file.readline(1024).rstrip("\r\n")

    def make_context(self) -> ssl.SSLContext:
        """The TLS context, which trusts the given authority or else the system's. Raises
        ``OSError`` for a file that cannot be read or is no certificate."""
        import ssl  # heavy, and only for a club

        return ssl.create_default_context(cafile=self.ca_file or None)


def parse_club(url: str) -> ClubAddress:
    """Parse ``mqtts://TABLE@HOST[:PORT]/CLUB``, or ``mqtt``, with ``?password-file=PATH`` and
    ``ca-file=PATH`` (joined by ``&``). Raises ``ValueError`` with one sentence that says what is
    wrong."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port or PORTS.get(parts.scheme)
    except ValueError:
        host, port = "", None
    if len(url) > LONGEST_ADDRESS or not _HOST.fullmatch(host) or port is None:
        _before, at, rest = url.rpartition("@")
        shown = f"…@{rest}" if at else url  # a password may be before it
        raise ValueError(
            Sentence("“{path}” is not the address of a club; write {example}.",
                     path=shown[:LONGEST_ADDRESS], example="mqtts://TABLE@HOST/CLUB")
        )  # fmt: skip
    if parts.password is not None:
        raise ValueError(
            Sentence(
                "Write no password into “{path}”: others can read it. Put it into a file, and the "
                "file's path into the option password-file.",
                path=f"{parts.scheme}://{host}",
            )
        )
    club, table = unquote(parts.path.strip("/")), unquote(parts.username or "")
    for name in filter(None, (club, table)):
        if not CLUB_NAME.fullmatch(name):
            raise ValueError(
                Sentence(
                    "“{name}” cannot be the name of a club or a table; write up to 32 small "
                    "letters, digits and dashes.",
                    name=name[:LONGEST_ADDRESS],
                )
            )
    options = dict(parse_qsl(parts.query, keep_blank_values=True))
    for name, value in options.items():
        if name not in _OPTIONS or not value:
            raise ValueError(
                Sentence(
                    "“{name}” in “{path}” is not one of {values}, each with a value.",
                    name=name,
                    path=url.partition("?")[0],
                    values=", ".join(_OPTIONS),
                )
            )
    return ClubAddress(
        parts.scheme,
        host,
        port,
        club or USUAL_CLUB,
        table or USUAL_TABLE,
        table,
        options.get("password-file", ""),
        options.get("ca-file", ""),
    )
