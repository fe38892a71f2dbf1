"""Record files: parsing with every problem on its line, playing, and writing.

`engine.record` interprets the data; this module handles the file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from common import strict_yaml
from common.named_tuples import NamedTuple
from common.problems import Problems
from common.sentences import Sentence
from companion import language
from companion.files.clean import printable
from engine import record

if TYPE_CHECKING:
    from common.strict_yaml import Document
    from engine.explain import Refused
    from engine.record import Record
    from engine.referee import Referee
    from engine.table import Table


MAX_MOVES = 60_000
"""The most keys and values of a record, moves included; a game has a few hundred."""


class RecordFile(NamedTuple):
    """A record and its source file."""

    record: Record
    document: Document

    def line_of_move(self, place: int) -> int:
        """The line of a move, by its index."""
        return self.document.line(("moves", place))


class Replay(NamedTuple):
    """A record after its moves, or before the refused one, whose index is `place`."""

    referee: Referee
    refused: Refused | None = None
    place: int = 0

    @property
    def table(self) -> Table:
        """The current table."""
        return self.referee.table


def read(path: str) -> RecordFile:
    """The record file at `path`.

    Raises OSError if it cannot be read, Problems with everything that is wrong with it.
    """
    document = strict_yaml.read(path, most=MAX_MOVES)
    if isinstance(document.data, dict):
        head = {key: value for key, value in document.data.items() if key != "moves"}
        if _size(head) > strict_yaml.MAX_VALUES:
            most = strict_yaml.MAX_VALUES
            sentence = Sentence("more than {most} keys and values", most=most)
            raise Problems([document.problem((), sentence)])
    else:
        problem = document.problem(
            (), Sentence("this is not a record; a record begins with lines of “key: value”")
        )
        raise Problems([problem])
    try:
        return RecordFile(record.read(document.data), document)
    except Problems as error:
        raise document.locate(error.problems) from None


def _size(data: object) -> int:
    """The number of keys and values in it."""
    if isinstance(data, dict):
        return sum(1 + _size(value) for value in data.values())
    return sum(map(_size, data)) if isinstance(data, list) else 1


def play(played: Record) -> Replay:
    """Play a record's moves up to the end or the first refused one."""
    from engine.explain import Refused
    from engine.referee import Referee  # a table without a saved game needs no rules

    referee = Referee(played.start)
    language.print_as(*played.start.rules.edition.boxes)
    for place, text in enumerate(played.moves):
        try:
            referee.play(text)
        except Refused as error:
            return Replay(referee, error, place)
    return Replay(referee)


def text_of(data: dict[str, Any]) -> str:
    """A record's data as YAML that `read` parses back to the same."""
    lines = []
    for key in record.KEYS:
        value = data.get(key)
        if key == "moves":
            moves = [f"  - {flow(move)}" for move in value or ()]
            lines += ["moves:", *moves] if moves else ["moves: []"]
        elif key == "position" and value:
            lines += ["position:", *(f"  {flow(k)}: {flow(v)}" for k, v in value.items())]
        elif value is not None:
            lines.append(f"{key}: {flow(value)}")
    return "\n".join(lines) + "\n"


def flow(value: Any) -> str:
    """A value on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{flow(k)}: {flow(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(flow, value)) + "]"
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, int) else _scalar(str(value))


_PLAIN = r"[^\W\d_]\w*(?: \w+)*"
# Words that YAML parsers, this one or others, do not take as text.
_NOT_TEXT = ("y", "n", "yes", "no", "on", "off", "true", "false", "null")


def _scalar(text: str) -> str:
    """Text unquoted if it can only be text; otherwise quoted, with invisible and control characters
    escaped."""
    import re

    if printable(text) == text and "\n" not in text and "\t" not in text:
        if re.fullmatch(_PLAIN, text) and text.lower() not in _NOT_TEXT:
            return text
        if '"' in text or "\\" in text:
            return "'" + text.replace("'", "''") + "'"
    return '"' + "".join(map(_escape_character, text)) + '"'


def _escape_character(character: str) -> str:
    if character in '"\\':
        return "\\" + character
    if printable(character) == character and character not in "\n\t":
        return character
    code = ord(character)
    if code > 0xFFFF:
        return f"\\U{code:08X}"
    return f"\\u{code:04X}" if code > 0xFF else f"\\x{code:02X}"
