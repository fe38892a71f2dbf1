"""The setting `club`: the address at which a table tells its club about its game."""

from __future__ import annotations

import re
from urllib.parse import unquote, urlsplit

from common.named_tuples import NamedTuple
from common.sentences import Sentence
from tags.readers.paths import Address, read_options

PORTS = {"mqtt": 1883, "mqtts": 8883, "http": 80, "https": 443}
"""The schemes, each with its usual port."""

USUAL_CLUB, USUAL_TABLE = "club", "table"
"""The names of an address that names none."""

LONGEST_ADDRESS = 300
NAME = re.compile(r"[a-z0-9-]{1,32}")
"""What a club and a table may be called: the names are levels of topics."""

_HOST = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?|[0-9A-Fa-f:.]+")
_OPTIONS = ("password-file", "ca-file", "home-assistant")


class ClubAddress(NamedTuple):
    """The address of a club: where it is, and what the club and this table are called in it."""

    place: Address
    club: str
    table: str
    is_discovered: bool = False
    """Whether Home Assistant is told of this table."""

    @property
    def is_broker(self) -> bool:
        """Whether it is an MQTT broker; otherwise it is the hub itself, over HTTP."""
        return self.place.scheme.startswith("mqtt")


def parse_club(url: str) -> ClubAddress:
    """Parse ``mqtts://TABLE@HOST[:PORT]/CLUB``, or ``mqtt``, ``https`` or ``http``, with
    ``?password-file=PATH``, ``ca-file=PATH`` and ``home-assistant=yes`` (joined by ``&``).

    Raises ``ValueError`` with one sentence that says what is wrong.
    """
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port or PORTS.get(parts.scheme)
    except ValueError:
        host, port = "", None
    if len(url) > LONGEST_ADDRESS or not _HOST.fullmatch(host) or port is None:
        raise ValueError(
            Sentence("“{path}” is not the address of a club; write {example}.",
                     path=url[:LONGEST_ADDRESS], example="mqtts://TABLE@HOST/CLUB")
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
        if not NAME.fullmatch(name):
            raise ValueError(
                Sentence(
                    "“{name}” cannot be the name of a club or a table; write up to 32 small "
                    "letters, digits and dashes.",
                    name=name[:LONGEST_ADDRESS],
                )
            )
    options = read_options(url, parts.query, _OPTIONS)
    is_discovered = "home-assistant" in options
    if is_discovered and (
        options["home-assistant"] != "yes" or not parts.scheme.startswith("mqtt")
    ):
        raise ValueError(
            Sentence(
                "Write home-assistant=yes or nothing, and only after the address of a broker "
                "(mqtts): “{path}”.",
                path=url,
            )
        )
    place = Address(
        parts.scheme,
        host,
        port,
        table,
        password_file=options.get("password-file", ""),
        ca_file=options.get("ca-file", ""),
    )
    return ClubAddress(place, club or USUAL_CLUB, table or USUAL_TABLE, is_discovered)
