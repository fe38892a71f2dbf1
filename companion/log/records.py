"""Record files: parsing with every problem on its line, playing, and writing.

`engine.record` interprets the data; this module handles the file.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from common import strict_yaml
from common.clean import printable
from common.problems import Problem, Problems
from common.sentences import Sentence
from companion import language
from companion.files import kinds, pasted
from companion.language.grammar import read_arguments
from companion.language.vocabulary import find_named
from companion.verbs import is_private
from engine import explain, record, views
from engine.editions import EARLIER, RULINGS, editions
from engine.explain import Refused
from engine.moves import GRAMMAR, MAX_MOVE_LENGTH, UnknownMove, find_player_places, make, split
from engine.referee import Referee

if TYPE_CHECKING:
    from collections.abc import Sequence

    from common.strict_yaml import Document
    from engine.moves import Move
    from engine.record import Record
    from engine.ruleset import Ruleset
    from engine.table import Table


MAX_MOVES = 60_000
"""The most keys and values of a record, moves included; a game has a few hundred."""

_LONGEST_LINE = 40  # words
_MOST_READINGS = 200  # of one line
_FEW = 5  # moves offered for a line that may be several


class RecordFile(NamedTuple):
    record: Record
    document: Document

    def line_of_move(self, place: int) -> int:
        """The line of a move, by its index."""
        return self.document.line(("moves", place))


class Replay(NamedTuple):
    """A record after its moves, or before the refused one, whose index is `place`."""

    referee: Referee
    moves: tuple[str, ...]
    """Those that were played, as written, but with ids for the names of cards."""

    refused: Refused | None = None
    place: int = 0
    by_earlier: bool = False
    """Whether the box's earlier rulings allow the refused move."""

    @property
    def table(self) -> Table:
        return self.referee.table


def read(path: str) -> RecordFile:
    """The record file at `path`. Raises OSError if it cannot be read, Problems with everything that
    is wrong with it."""
    try:
        return _read(path)
    except Problems:
        other = kinds.name_other(path)
        if other is None:
            raise
        raise Problems([Problem((), other, file=path, line=1)]) from None


def _read(path: str) -> RecordFile:
    text = strict_yaml.read_text(path)
    try:
        return _understand(strict_yaml.parse(text, name=path, most=MAX_MOVES))
    except Problems as problems:
        tidied = pasted.tidy(text)
        if tidied == text:
            raise
        try:
            document = strict_yaml.parse(tidied, name=path, most=MAX_MOVES)
        except Problems:
            raise problems from None  # what is wrong is told of the file as it is
    return _understand(document)


def _understand(document: Document) -> RecordFile:
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
    edition = editions().get(str(document.data.get("edition", record.DEFAULT_EDITION)))
    if edition is not None:
        language.print_as(*edition.boxes)  # its cards are read by the names that it prints
    try:
        return RecordFile(record.read(document.data, find_named), document)
    except Problems as error:
        raise document.locate(error.problems) from None


def _size(data: object) -> int:
    if isinstance(data, dict):
        return sum(1 + _size(value) for value in data.values())
    return sum(map(_size, data)) if isinstance(data, list) else 1


def play(played: Record) -> Replay:
    """Play a record's moves up to the end or the first refused one."""
    referee = Referee(played.start)
    language.print_as(*played.start.rules.edition.boxes)
    moves: list[str] = []
    for text in played.moves:
        try:
            moves.append(_play(referee, text))
        except Refused as error:
            place = len(moves)
            return Replay(referee, tuple(moves), error, place, _is_allowed_earlier(played, place))
    return Replay(referee, tuple(moves))


def _play(referee: Referee, text: str) -> str:
    """Play a move of a record and return it with ids; people may write the names of cards in any
    language. Raises Refused, also for a name that may be several cards."""
    try:
        referee.play(text)
        return text
    except Refused as error:
        rules = referee.table.rules
        meant: list[Move] = []
        if error.refusal.rule == explain.UNKNOWN:
            meant = _read_names(text, rules) or _read_names(pasted.tidy_move(text), rules)
        if not meant:
            raise
        if len(meant) > 1:
            unclear = UnknownMove(text, lambda: [move.text for move in meant])
            raise Refused(text, explain.refuse_unknown(unclear)) from None
        return referee.play(meant[0]).text


def _read_names(text: str, rules: Ruleset) -> list[Move]:
    """The few moves that a line with names of cards may mean."""
    ids = {"C": rules.cast, "D": rules.districts}

    def match(kind: str, words: str) -> list[str]:
        if kind in ids:
            return find_named(words, ids[kind])
        read = rules.vocabulary.read(kind, words)
        return [] if read is None else [read]

    words = split(text) if len(text) <= MAX_MOVE_LENGTH else None
    if not words or len(words) > _LONGEST_LINE:
        return []
    verb, *names = words
    moves = (
        make(verb.lower(), *args, player_places=find_player_places(form))
        for form in GRAMMAR.get(verb.lower(), ())
        for args in read_arguments(form.split(), names, match)
    )
    return list(islice(dict.fromkeys(islice(moves, _MOST_READINGS)), _FEW))


def _is_allowed_earlier(played: Record, place: int) -> bool:
    """Whether the moves are played up to that one by the earlier rulings of the box."""
    options = played.setup.options or {}
    if not played.start.rules.edition.earlier or RULINGS in options:
        return False
    try:
        data = {**played.data(), "options": {**options, RULINGS: EARLIER}}
        earlier = record.read(data)
        referee = Referee(earlier.start)
        for text in earlier.moves[: place + 1]:
            _play(referee, text)
    except (Problems, Refused):
        return False
    return True


def text_of(data: dict[str, Any]) -> str:
    """A record's data as YAML that `read` parses back to the same."""
    lines = []
    for key in record.KEYS:
        value = data.get(key)
        if key == "moves":
            moves = [f"  - {flow(move)}" for move in value or ()]
            lines += ["moves:", *moves] if moves else ["moves: []"]
        elif key == "position" and value and isinstance(value, dict):
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


# -- without what its table may not know yet -------------------------------------------------------
#
# A secret move is kept only if its content came out in the same round: the victim's character was
# called, the robbed one revealed, the threat shown. The result plays to the table that everybody
# sees.


_MARKS = {"kill": "killed", "rob": "robbed"}  # a verb's mark of the round for its target
_POSITION_SECRETS = {
    "chosen": None,
    "signed": None,
    "real": "real",
    "killed": "kill",
    "robbed": "rob",
}
"""Position keys that hold secrets, each with the verb that sets it."""


def remove_secrets(game: Record) -> dict[str, Any]:
    """The record as data of a record file, without what the public may not know at its end. Raises
    Refused if a move of the record is refused."""
    referee = Referee(game.start)
    tables = [game.start]
    for text in game.moves:
        referee.play(text)
        tables.append(referee.table)
    events = [
        move.text
        for place, move in enumerate(referee.moves)
        if not is_private(tables[place], move.verb)
        or _was_revealed(move.verb, tables[place + 1 :], referee.moves[place + 1 :])
    ]
    data: dict[str, Any] = {**game.setup.data(), "moves": events}
    if game.position:
        data["position"] = {
            key: value
            for key, value in game.position.items()
            if key not in _POSITION_SECRETS or _is_told(key, tables, referee.moves)
        }
        if "players" in data["position"] and referee.table.stage != "over":
            data["position"]["players"] = _hide_vault(game.position["players"])
    return data


def _hide_vault(players: dict[str, Any]) -> dict[str, Any]:
    """The players without the Secret Vault in a hand, which is shown after the game."""
    return {
        name: {key: value for key, value in (facts or {}).items() if key != "vault"}
        for name, facts in players.items()
    }


def _is_told(key: str, tables: Sequence[Table], moves: Sequence[Move]) -> bool:
    verb = _POSITION_SECRETS[key]
    if verb is None:
        return False
    return not is_private(tables[0], verb) or _was_revealed(verb, tables, moves)


def _was_revealed(verb: str, later: Sequence[Table], moves: Sequence[Move]) -> bool:
    """Whether the round revealed that move's content; `later` begins after it."""
    of_round = [table for table in later if table.round == later[0].round]
    if verb == "real":
        return any(move.verb == "expose" for move in moves[: len(of_round) - 1])
    if verb not in _MARKS:
        return False
    tables = (views.redact(table, views.PUBLIC) for table in of_round)
    return any(getattr(table.marks, _MARKS[verb]) is not None for table in tables)
