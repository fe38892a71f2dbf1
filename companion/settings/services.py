"""The settings of the readers, the club and the voice.

```yaml
readers:
  middle: usb@1-2
  anna: {path: "wedge:/dev/input/by-id/usb-Reader-event-kbd", seat: 1}
club: mqtts://table-3@club.example/club
voice: {table: auto, ear: none}
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal
from urllib.parse import unquote, urlsplit

from common import NamedTuple
from common.problems import find_nearest
from common.sentences import Sentence, suggest
from companion.files.clean import clean_text
from companion.settings import quote
from tags.readers.paths import Address, parse_place, read_options

# -- readers ---------------------------------------------------------------------------------------

SIMULATED = "simulated"
LONGEST_NAME = 32
MOST_SEATS = 8

_NAME = re.compile(r"[^\W_][\w .-]*")
_KEYS = ("path", "seat")


class ReaderSetting(NamedTuple):
    """One reader: its name, its path, and its seat (1 is the first player) or None."""

    name: str
    path: str
    seat: int | None = None


def read_readers(value: Mapping[str, Any]) -> tuple[ReaderSetting, ...]:
    """The readers of a checked mapping, in order."""
    return tuple(
        ReaderSetting(name, options["path"], options.get("seat"))
        if isinstance(options, dict)
        else ReaderSetting(name, options)
        for name, options in value.items()
    )


def check_readers(value: Mapping[str, Any]) -> Iterator[tuple[tuple[str, ...], str]]:
    """Every problem with the mapping, each with its place in it."""
    paths: dict[Any, str] = {}
    place: tuple[str, ...]
    for name, options in value.items():
        if not _NAME.fullmatch(name) or len(name) > LONGEST_NAME:
            yield (
                (name,),
                Sentence(
                    "a reader's name is up to {most} letters, digits, spaces, dots or dashes",
                    most=LONGEST_NAME,
                ),
            )
        path, place = options, (name,)
        if isinstance(options, dict):
            yield from _check_keys(name, options)
            if "path" not in options:
                continue
            path, place = options["path"], (name, "path")
        wrong = _check_path(path)
        if wrong:
            yield place, wrong
        elif path in paths:
            yield (
                place,
                Sentence(
                    "“{path}” is already the reader “{name}”; tell two of a kind apart "
                    "by their ports, as companion doctor shows them (usb@1-2)",
                    path=clean_text(path, limit=60),
                    name=paths[path],
                ),
            )
        else:
            paths[path] = name


def _check_keys(name: str, options: Mapping[str, Any]) -> Iterator[tuple[tuple[str, ...], str]]:
    for key in options:
        if key not in _KEYS:
            problem = Sentence("unknown key “{key}”", key=clean_text(key, limit=60))
            yield (name, key), suggest(problem, find_nearest(key, _KEYS))
    if "path" not in options:
        yield (name,), Sentence("it needs a “path”: the reader's path")
    seat = options.get("seat")
    if "seat" in options and not (type(seat) is int and 1 <= seat <= MOST_SEATS):
        yield (name, "seat"), Sentence("a seat is a number from 1 to {most}", most=MOST_SEATS)


def _check_path(path: Any) -> str:
    if path == SIMULATED:
        return ""
    if not isinstance(path, str) or path in ("auto", "none"):
        return Sentence("write the path of one reader, or simulated")
    try:
        parse_place(path)
    except ValueError as error:
        return str(error)
    return ""


# -- the club --------------------------------------------------------------------------------------

PORTS = {"mqtt": 1883, "mqtts": 8883, "http": 80, "https": 443}
"""The schemes, each with its usual port."""

USUAL_CLUB, USUAL_TABLE = "club", "table"
"""The names of an address that names none."""

LONGEST_ADDRESS = 300
CLUB_NAME = re.compile(r"[a-z0-9-]{1,32}")
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
        if not CLUB_NAME.fullmatch(name):
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


# -- the voice -------------------------------------------------------------------------------------

OUTPUTS = ("none", "auto", "espeak-ng", "spd-say", "say", "windows", "screen-reader")
WITH_DEVICE = ("espeak-ng", "say")
FILES = "files:"
DEVICE = "@"
_PLACES = ", ".join((*OUTPUTS, f"{FILES}FOLDER"))

Level = Literal["calls", "all"]
Output = str | tuple[str, ...]


class VoiceSettings(NamedTuple):
    """The checked settings of the voice; `companion.settings.table` describes each of them."""

    table: Output
    ear: Output
    speed: int
    volume: int
    level: Level
    pause: float
    sounds: bool
    voices: Mapping[str, str]


def read_voice(values: Mapping[str, Any]) -> VoiceSettings:
    """The settings, from checked values by name."""
    return VoiceSettings(
        table=_output(values["table"]),
        ear=_output(values["ear"]),
        speed=round(float(values["speed"])),
        volume=round(float(values["volume"])),
        level=values["level"],
        pause=float(values["pause"]),
        sounds=bool(values["sounds"]),
        voices=dict(values["voices"] or {}),
    )


def _output(value: Any) -> Output:
    return tuple(value) if isinstance(value, list) else str(value)


def check_output(value: Any) -> str | None:
    """The problem with an output setting; None if there is none."""
    if isinstance(value, list):
        if value and all(isinstance(word, str) and word for word in value):
            if not value[0].startswith(DEVICE) or (value[0] != DEVICE and len(value) > 1):
                return None
            return Sentence("write a device as @ and its name, followed by a command")
        return Sentence("a command is a list of words; quote numbers")
    if not isinstance(value, str):
        return Sentence("it is neither one of {values} nor a list of words", values=_PLACES)
    if value in OUTPUTS or (value.startswith(FILES) and len(value) > len(FILES)):
        return None
    name, at, device = value.partition("@")
    if at and device and name in WITH_DEVICE:
        return None
    if at and name in OUTPUTS:
        from engine.words import listing

        return Sentence("a device can be given only for {values}", values=listing(WITH_DEVICE))
    problem = Sentence(
        "{value} is neither one of {values} nor a list of words",
        value=quote(value),
        values=_PLACES,
    )
    return suggest(problem, find_nearest(name, OUTPUTS))


def check_voices(value: Any, languages: Sequence[str]) -> str | None:
    """The problem with the voices chosen for languages; None if there is none."""
    if value is None:
        return None
    if not isinstance(value, dict):
        return Sentence(
            "it is not a list of voices; write {language}: NAME on each line below it",
            language=languages[0],
        )
    for language, name in value.items():
        if language not in languages:
            return Sentence(
                "{value} is not one of {values}",
                value=quote(language),
                values=", ".join(languages),
            )
        if not isinstance(name, str) or not name or name.startswith("-"):
            return Sentence(
                "the voice for {language} is not a name; companion voice lists what there is",
                language=language,
            )
    return None
