"""Read YAML strictly, keeping the line of every key and value for error messages.

Values in a settings file, a record or a chip file must mean what they look like. So text stays text
unless it is clearly a number or one of `true`, `false`, `null`: chip ids such as `12:34:56`,
`0412345611223344` or `4E12`, and names such as `No` or `Null`, are never converted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

import yaml
from yaml import events as kinds

from common import own_files
from common.problems import MAX_PROBLEMS, Path, Problem, Problems
from common.sentences import Sentence, locate

MAX_SIZE = 1024 * 1024
"""The longest text read, in characters (and the largest file, in bytes)."""

MAX_DEPTH = 32
"""The greatest nesting of lists and mappings."""

MAX_VALUES = 5000
"""The most keys and values in a text, unless its reader allows more."""

_MOST_DIGITS = 18  # fit every counter
_DECIMAL = r"-?(?:0|[1-9][0-9]{0,14})\.[0-9]{1,15}"
_NUMBER_STARTS = "-0123456789"
_WORDS = {"": None, "~": None, "null": None, "true": True, "false": False}
# U+2028 and U+2029 are line ends for YAML, but not in any editor.
_FORBIDDEN = "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff]"
_BLANK = "[ \u00a0\u202f\u3000]"
_KEY = (  # in a list a colon of full width may be one of a name
    rf"^(?:({_BLANK}*)([A-Za-z_]+){_BLANK}*\uff1a{_BLANK}*|((?:-?{_BLANK})*)([A-Za-z_]+):{_BLANK}+)"
)
_LINE_END = "\r\n|\r|\n"


class Document:
    """A parsed text: its plain data and the line of each part.

    `data` holds dict (keys always text), list, str, int, float, bool and None only. `marks` is
    plain data as well: a line, or for a list or mapping a pair of its line and the marks of its
    parts.
    """

    __slots__ = ("data", "marks", "name")

    def __init__(self, name: str, data: Any, marks: Any) -> None:
        self.name = name
        self.data = data
        self.marks = marks

    def line(self, path: Iterable[str | int] = ()) -> int:
        """The line (from 1) of the deepest part of `path` that exists: a key's, or an entry's."""
        mark = self.marks
        for step in path:
            parts = mark[1] if isinstance(mark, tuple) else {}
            if step not in parts:
                break
            mark = parts[step]
        return int(mark[0] if isinstance(mark, tuple) else mark)

    def problem(self, path: Path, text: str) -> Problem:
        """A problem found later in the value at `path`."""
        return Problem(path, text, file=self.name, line=self.line(path))

    def locate(self, problems: Iterable[Problem]) -> Problems:
        """These problems, each with the file's name and its line."""
        return Problems(self.problem(problem.path, problem.text) for problem in problems)


def parse(text: str, *, name: str, most: int = MAX_VALUES) -> Document:
    """Read one YAML document of at most `most` keys and values; `name` is the file's name as
    messages should give it. Raises Problems with every problem found: parsing stops at a syntax
    error, but not at duplicate keys, aliases or tags."""
    if len(text) > MAX_SIZE:
        raise Problems([_problem(name, 1, Sentence("the file is longer than 1 MiB"))])
    text = text.removeprefix("\ufeff")
    forbidden = re.search(_FORBIDDEN, text)
    if forbidden:
        line = 1 + len(re.findall(_LINE_END, text[: forbidden.start()]))
        raise Problems([_problem(name, line, _forbidden_character(forbidden.group()))])

    reader = _Reader(name, most)
    try:
        events = yaml.parse(text, Loader=getattr(yaml, "CLoader", yaml.Loader))
        data, marks = reader.read_document(events)
    except yaml.MarkedYAMLError as error:
        raise Problems([*reader.problems, _syntax_problem(name, text, error)]) from None
    if reader.problems:
        raise Problems(reader.problems)
    return Document(name, data, marks)


def read(path: str, *, most: int = MAX_VALUES) -> Document:
    """Read the YAML file at `path`. Raises OSError if it cannot be read, Problems if it is too
    long, not UTF-8 or not valid YAML."""
    return parse(read_text(path), name=path, most=most)


def read_text(path: str) -> str:
    """The text of a file, which must be UTF-8, UTF-16 or UTF-32. Raises OSError and Problems."""
    source = own_files.read(path, MAX_SIZE + 1)
    if len(source) > MAX_SIZE:
        raise Problems([_problem(path, 1, Sentence("the file is longer than 1 MiB"))])
    try:
        return _plain_keys(source.decode(find_encoding(source)))
    except UnicodeDecodeError as error:
        line = 1 + source.count(b"\n", 0, error.start)
        sentence = Sentence("this is not UTF-8 text; save it as UTF-8")
        raise Problems([_problem(path, line, sentence)]) from None


def _plain_keys(text: str) -> str:
    """The text with ordinary blanks and colons around its keys, where word processors and keyboards
    of other scripts make others that look the same."""
    if text.isascii():
        return text
    return re.sub(
        _KEY,
        lambda key: f"{re.sub(_BLANK, ' ', key[1] or key[3] or '')}{key[2] or key[4]}: ",
        text,
        flags=re.MULTILINE,
    )


def find_encoding(source: bytes) -> str:
    """The encoding of a text file, by its first bytes: UTF-16 as PowerShell's `>` writes it, or
    UTF-8, each with its mark or without; or UTF-32 with its mark."""
    if source.startswith((b"\xff\xfe\0\0", b"\0\0\xfe\xff")):
        return "utf-32"
    if source.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    zeros = [at for at, byte in enumerate(source[:4]) if byte == 0]
    if zeros == [1, 3]:
        return "utf-16-le"
    return "utf-16-be" if zeros == [0, 2] else "utf-8-sig"


def plain_value(text: str) -> str | int | float | bool | None:
    """The value of a text without quotes: a number, one of `true`, `false`, `null`, or itself."""
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in _NUMBER_STARTS:
        return text
    digits = text.removeprefix("-")
    if digits.isascii() and digits.isdigit():  # an integer must print as it was written
        plain = text == "0" or (digits[0] != "0" and len(digits) <= _MOST_DIGITS)
        return int(text) if plain else text
    return float(text) if re.fullmatch(_DECIMAL, text) else text


class _TooMuch(Exception):
    """Stops parsing: nested too deeply, too many values or too many mistakes."""


class _Reader:
    """Turns YAML events into plain data and marks, collecting problems."""

    def __init__(self, name: str, most: int) -> None:
        self.name = name
        self.most = most
        self.problems: list[Problem] = []
        self.values = 0

    def read_document(self, events: Iterator[Any]) -> tuple[Any, Any]:
        self.events = events
        data, marks, documents = None, 1, 0
        try:
            for event in events:
                if not isinstance(event, kinds.DocumentStartEvent):
                    continue
                documents += 1
                if documents > 1:
                    self.problem(
                        event, Sentence("a second document begins here; a file holds only one")
                    )
                    break
                data, marks = self.read_value(next(events), 0)
        except _TooMuch:
            pass
        return data, marks

    def problem(self, event: Any, text: str) -> None:
        self.problems.append(_problem(self.name, event.start_mark.line + 1, text))

    def refuse_mark(self, event: Any, mark: str) -> None:
        """An alias, an anchor or a tag."""
        self.problem(event, Sentence("“{mark}” is not allowed; quote it if it is text", mark=mark))

    def read_value(self, event: Any, depth: int) -> tuple[Any, Any]:
        """The data and marks of the value that begins with `event`."""
        line = event.start_mark.line + 1
        self.values += 1
        if self.values > self.most:
            self.problem(event, Sentence("more than {most} keys and values", most=self.most))
        if self.values > self.most or len(self.problems) >= MAX_PROBLEMS:
            raise _TooMuch
        if isinstance(event, kinds.AliasEvent):
            self.refuse_mark(event, f"*{event.anchor}")
            return None, line
        if event.anchor is not None:
            self.refuse_mark(event, f"&{event.anchor}")
        if event.tag is not None and event.tag != "!":
            self.refuse_mark(event, event.tag)
        if isinstance(event, kinds.ScalarEvent):
            return self.read_scalar(event), line
        if depth >= MAX_DEPTH:
            self.problem(
                event,
                Sentence("more than {most} lists or mappings inside each other", most=MAX_DEPTH),
            )
            raise _TooMuch
        if isinstance(event, kinds.SequenceStartEvent):
            return self.read_sequence(line, depth + 1)
        return self.read_mapping(line, depth + 1)

    def read_scalar(self, event: Any) -> Any:
        text: str = event.value
        if event.style:  # quoted, or a block: always text
            forbidden = re.search(_FORBIDDEN, text)
            if forbidden:
                self.problem(event, _forbidden_character(forbidden.group()))
            return text
        return plain_value(text)

    def read_sequence(self, line: int, depth: int) -> tuple[list[Any], Any]:
        items: list[Any] = []
        marks: dict[str | int, Any] = {}
        for event in self.events:
            if isinstance(event, kinds.SequenceEndEvent):
                break
            item, marks[len(items)] = self.read_value(event, depth)
            items.append(item)
        return items, (line, marks)

    def read_mapping(self, line: int, depth: int) -> tuple[dict[str, Any], Any]:
        entries: dict[str, Any] = {}
        marks: dict[str | int, Any] = {}
        lines: dict[str, int] = {}
        for event in self.events:
            if isinstance(event, kinds.MappingEndEvent):
                break
            key, key_line = self.read_key(event, depth), event.start_mark.line + 1
            value, mark = self.read_value(next(self.events), depth)
            if key is None:
                continue
            if key in lines:
                sentence = Sentence(
                    "“{key}” is given twice, first on line {line}",
                    key=_shorten(key),
                    line=lines[key],
                )
                self.problems.append(_problem(self.name, key_line, sentence))
                continue
            lines[key] = key_line
            entries[key] = value
            marks[key] = (key_line, mark[1]) if isinstance(mark, tuple) else key_line
        return entries, (line, marks)

    def read_key(self, event: Any, depth: int) -> str | None:
        """The key as text, however it is written; None (and a problem) if it is not text."""
        before = len(self.problems)
        self.read_value(event, depth)
        if not isinstance(event, kinds.ScalarEvent):
            if len(self.problems) == before:
                self.problem(event, Sentence("a key must be text, not a list or a mapping"))
            return None
        if event.value == "" and not event.style:
            self.problem(event, Sentence("a key is missing before “:”"))
            return None
        return str(event.value)


def _problem(name: str, line: int, text: str) -> Problem:
    return Problem((), text, file=name, line=line)


def _forbidden_character(character: str) -> str:
    return Sentence(
        "the character {code} cannot be shown and is not allowed", code=f"U+{ord(character):04X}"
    )


def _shorten(text: str) -> str:
    return text if len(text) <= 40 else text[:39] + "…"


# The parser's messages in words for people who never read the YAML specification.
_PLAIN_WORDS = {
    "found character that cannot start any token": Sentence(
        "text cannot begin like this; quote it (and indent with spaces, not tabs)"
    ),
    "mapping values are not allowed in this context": Sentence(
        "there is a “:” where none is expected; quote text that contains one"
    ),
    "did not find expected ',' or ']'": Sentence(
        "a “,” or the closing “{brace}” is missing", brace="]"
    ),
    "did not find expected ',' or '}'": Sentence(
        "a “,” or the closing “{brace}” is missing", brace="}"
    ),
    "did not find expected node content": Sentence("a key or a value is missing here"),
    "found unexpected end of stream": Sentence("a closing quote is missing"),
    "could not find expected ':'": Sentence("this line is not “key: value”"),
    "did not find expected key": Sentence("this line is not indented like its neighbours"),
}


def _syntax_problem(name: str, text: str, error: Any) -> Problem:
    """The parser's error, and its position when it gave up."""
    mark = error.problem_mark or error.context_mark
    last = 1 + len(re.findall(_LINE_END, text.rstrip()))  # the end of the text is not on a line
    sentence = _PLAIN_WORDS.get(error.problem) or Sentence("this is not YAML")
    if error.context and error.context_mark and error.context_mark.line != getattr(mark, "line", 0):
        sentence = Sentence(
            "{problem} (in what begins on line {line})",
            problem=sentence,
            line=error.context_mark.line + 1,
        )
    elif mark and mark.line < last:
        sentence = locate(Sentence("column {column}", column=mark.column + 1), sentence)
    return _problem(name, min(mark.line + 1, last) if mark else 1, sentence)
