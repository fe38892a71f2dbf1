"""Readers on the network, as written in settings: their URLs, and how one connects to a broker."""

from __future__ import annotations

import re
import ssl
from collections.abc import Sequence
from urllib.parse import parse_qsl, unquote, urlsplit

from common.named_tuples import NamedTuple
from common.sentences import Sentence

PORTS = {"tcp": None, "mqtt": 1883, "mqtts": 8883, "zaparoo": 7497}
"""The schemes, each with its usual port; a bridge has none."""

INTERVAL = 1.0
"""Seconds between two looks of a reader that does not say its interval: ESPHome's default."""

OPTIONS = ("interval", "password-file", "ca-file")
_HOST = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?|[0-9A-Fa-f:.]+")
_LONGEST = 300


class Address(NamedTuple):
    """A reader's URL. ``topic`` is "" for whatever scanners announce themselves; ``interval`` is
    the scanner's, in seconds; the files are paths or ""."""

    scheme: str
    host: str
    port: int
    user: str = ""
    topic: str = ""
    interval: float = INTERVAL
    password_file: str = ""
    ca_file: str = ""

    @property
    def location(self) -> str:
        """``HOST:PORT``, with brackets around an IPv6 address."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    @property
    def is_encrypted(self) -> bool:
        """Whether TLS is used."""
        return self.scheme in ("mqtts", "https")

    def read_password(self) -> str | None:
        """The first line of the password file; None without one. Raises ``OSError``."""
        if not self.password_file:
            return None
        with open(self.password_file, encoding="utf-8", errors="replace") as file:
            return file.readline(1024).rstrip("\r\n")

    def make_context(self) -> ssl.SSLContext:
        """The TLS context, which trusts the given authority or else the system's.

        Raises ``OSError`` for a file that cannot be read or is no certificate.
        """
        return ssl.create_default_context(cafile=self.ca_file or None)


def parse_address(url: str) -> Address:
    """Parse ``tcp://HOST:PORT``, ``mqtt://[USER@]HOST[:PORT][/TOPIC]``, ``mqtts://…`` or
    ``zaparoo://HOST[:PORT]``, the MQTT ones also with ``?interval=SECONDS``, ``password-file=PATH``
    and ``ca-file=PATH`` (joined by ``&``).

    Raises ``ValueError`` with one sentence that says what is wrong.
    """
    scheme = url.partition(":")[0]
    if len(url) > _LONGEST or not url.isprintable():
        raise ValueError(
            Sentence("A reader's address has at most {most} characters.", most=_LONGEST)
        )
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port or PORTS[scheme]
    except (KeyError, ValueError):
        host, port = "", None
    if not _HOST.fullmatch(host) or port is None:
        raise ValueError(
            Sentence(
                "“{path}” is not the address of a reader; write tcp://HOST:PORT, "
                "mqtt://USER@HOST/TOPIC, mqtts://USER@HOST/TOPIC or zaparoo://HOST.",
                path=url,
            )
        )
    if parts.password is not None:
        raise ValueError(
            Sentence(
                "Write no password into “{path}”: others can read it. Put it into a file, and the "
                "file's path into the option password-file.",
                path=f"{scheme}://{host}",
            )
        )
    topic = unquote(parts.path.strip("/"))
    if not scheme.startswith("mqtt") and (topic or parts.query or parts.username):
        raise ValueError(
            Sentence("“{path}” has more than a host and a port; leave out the rest.", path=url)
        )
    if any(sign in topic for sign in "+#"):
        raise ValueError(
            Sentence(
                "“{path}” names several topics; write one, or none for every scanner that "
                "announces itself.",
                path=url,
            )
        )
    options = read_options(url, parts.query, OPTIONS)
    return Address(
        scheme,
        host,
        port,
        unquote(parts.username or ""),
        topic,
        _read_interval(url, options.get("interval", str(INTERVAL))),
        options.get("password-file", ""),
        options.get("ca-file", ""),
    )


def read_options(url: str, query: str, allowed: Sequence[str]) -> dict[str, str]:
    """The options after the ``?`` of an address. Raises ``ValueError`` for one that is not among
    those allowed, or is empty."""
    options = dict(parse_qsl(query, keep_blank_values=True))
    for name, value in options.items():
        if name not in allowed or not value:
            raise ValueError(
                Sentence(
                    "“{name}” in “{path}” is not one of {values}, each with a value.",
                    name=name,
                    path=url.partition("?")[0],
                    values=", ".join(allowed),
                )
            )
    return options


def _read_interval(url: str, text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0
    if not 0.02 <= seconds <= 60:
        raise ValueError(
            Sentence(
                "The interval of “{path}” is a number of seconds from 0.02 to 60.",
                path=url.partition("?")[0],
            )
        )
    return seconds
