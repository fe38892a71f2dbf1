"""Random conversations as hashes: any change in offers, questions or sentences changes a line.

    python -m tests.companion.random_talk          # compare with random_talk.txt
    python -m tests.companion.random_talk --write  # write it anew, after looking at what changed
    python -m tests.companion.random_talk --tell 3 # print conversation 3, to compare two versions

Rows are picked, keys pressed, lines typed and chips tapped at random, in random games of every box
and in the middle of records of `tests/games`. A line of the file has the table, the amount of
output and its hash. Only the fields of sentences are hashed, so that rewording changes nothing.
"""

from __future__ import annotations

import hashlib
import random
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from string import Formatter
from typing import Any, NamedTuple

from companion import language
from companion.chips.entries import (
    ActionChip,
    CharacterChip,
    CrownChip,
    DistrictChip,
    Entry,
    PlayerChip,
    ReferenceChip,
)
from companion.game import Message, Row
from companion.game.modes import ReadToAll
from companion.game.picks import whose_move
from companion.game.taps import Taps
from companion.language import current_speech
from companion.language.catalogues import Catalogue
from companion.log import records
from engine import record
from engine.moves import Move
from engine.record import Setup
from engine.referee import Referee
from engine.table import Table as Start
from tests.companion.talking import Talk
from tests.engine.boxes import EDITIONS, random_setup
from tests.kept_lines import compare_or_write

FILE = Path(__file__).with_suffix(".txt")
GAMES = Path(__file__).parents[1] / "games"
DEEDS, FEW_DEEDS = 60, 25  # in a random game, and in a record
PLAYED = 4  # moves before the first of them, times the number of the random game
BIG = ("deluxe_2016", "millennium_3e", "ffg_2005", "deluxe_2016")  # boxes played more than once


def _words(text: str) -> tuple[str, ...]:
    """Split the text at bars."""
    return tuple(part.strip() for part in text.split("|"))


# The inputs. None is read from the program, so that additions to it change no line.
RECORDS = _words("""
    short_game | short_game | short_game | light_game | light_game | secret_game | secret_game |
    two_players | three_players | characters/abbot | characters/alchemist | characters/artist |
    characters/blackmailer | characters/blackmailer | characters/blackmailer |
    characters/cardinal | characters/diplomat | characters/emperor | characters/magician |
    characters/magistrate | characters/magistrate | characters/magistrate | characters/marshal |
    characters/merchant | characters/navigator | characters/scholar | characters/seer |
    characters/spy | characters/tax_collector | characters/thief | characters/warlord |
    characters/witch | characters/wizard | districts/armory.deluxe | districts/ball_room |
    districts/bell_tower | districts/framework | districts/graveyard | districts/hospital |
    districts/laboratory | districts/museum | districts/secret_vault | districts/smithy |
    districts/theater | districts/thieves_den
""")
COMMANDS = _words("""
    undo | undo; undo; redo; redo; redo | repeat | back | next | moves | moves all; 1 | ? | why |
    last | history 3 | history x | look | teach on; teach; teach no | teach off |
    reference 1; 2; next; back; 99 | reference 4; 04; 3 | reference 9 | /3; /9 | why thief |
    why x | moves end | moves buil | moves kill; back | moves build; back; back | *8 1 | *3 2 |
    .. | 99 | 12345678 |  | gold | gold Anna | crown | end; 1 | end; 2 | card temple | card c |
    city 2 | left 9 | hand Kurt | hand x | kill king | choose | choose Anna king | choose Anna |
    choose Ann kin | warrants king | threats king queen | 0 | . | 1 | 2 | player 1 | player 1 2 |
    bild temple | kil kin | t | use | destroy | kill king; why | build palace; why |
    warrants; why | gold; why | spy; why | seize; why | undo; undo; undo; undo | abc def ghi |
    end | next | undo | *9 | kill king | enter | gold? | biuld temple | beautify 2 | city Anna |
    look; player 1 | look; character king | kill; 2 | rob; back
""")
PRIVATE = _words("""
    0 | . | 9 | 1 | king | moves | back | Anna |  | player 1 | kin | 1; 2 | 2; 0
""")
READING = _words("""
    2 | 3 | next | next; next | back | back; back | 99 | repeat | 0 | why
""")
QUESTIONS = _words("""
    status | who | round | called | characters | uniques | options | rules | steps | taps | hand |
    left | city | cities | score | card | *1 | *3 | *8 | ** | *-
""")
MOVE_CHIPS = _words("""
    call | nobody | gold | cards | income | bonus | end | navigate | tithe | collect | leave |
    confiscate | spare | bribe | refuse | expose
""")
CALLER_CHIPS = _words("""
    undo | redo | repeat | why | moves | next | back | enter | last | who | status | city |
    score | look | 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9
""")
KEYS = _words("""
    enter | escape | backspace | f7 | a | c | e | g | i | n | r | t | v | 0 | 1 | 2 | 3 | 4 | 5 |
    6 | 7 | 8 | 9 | t e backspace escape | x y z enter | 1 enter | 2 escape | 5 enter |
    6 backspace backspace | c i t
""")


class Bare(Catalogue):
    """Sentences reduced to their fields, ordered by name."""

    def gettext(self, sentence: str, context: str = "") -> str:
        fields = {field for _, field, _, _ in Formatter().parse(sentence) if field}
        return "<" + " ".join(f"{{{field}}}" for field in sorted(fields)) + ">"

    def ngettext(self, one: str, many: str, number: int) -> str:
        return self.gettext(one if number == 1 else many)


class Ear:
    """A voice that records what it is told to say; whether it can whisper is given."""

    def __init__(self, whispers: bool) -> None:
        self.whispers = whispers
        self.noted: list[str] = []

    def __getattr__(self, name: str) -> Callable[..., bool]:
        def note(*words: object) -> bool:
            self.noted.append(f"{name} {words}")
            return self.whispers

        return note


class Table(NamedTuple):
    """The table of a conversation: a random game, or a record up to one of its moves."""

    number: int
    name: str
    setup: Setup
    start: Start | None  # the start of a record; None for a random game
    moves: tuple[str, ...]
    how: dict[str, Any]


def tables() -> Iterator[Table]:
    """Some tables of every box, some with a program as the face, some with a single player."""
    for number, edition in enumerate((*EDITIONS, *BIG, *BIG)):
        head = random_setup(edition, f"talk {number}")
        if number % 6 == 5:
            head |= {"options": {"cities": "untracked"}}
        yield Table(number, edition, record.read_setup(head), None, (), _choose_options(number))
    for number, name in enumerate(RECORDS, start=20):
        new_record = records.read(str(GAMES / f"{name}.yaml")).record
        count = random.Random(number).randint(
            len(new_record.moves) * 2 // 3, len(new_record.moves) - 1
        )
        yield Table(
            number,
            name,
            new_record.setup,
            new_record.start,
            new_record.moves[:count],
            _choose_options(number),
        )


def _choose_options(number: int) -> dict[str, Any]:
    people = number % 7 != 3
    seat = 1 if number % 5 == 2 else None
    return {"seat": seat, "people": people, "plays_forced": people}


class Random:
    """One conversation with random inputs."""

    def __init__(self, table: Table, folder: Path) -> None:
        self.chance = random.Random(f"talk {table.number}")
        self.talk = Talk(folder, table.setup, **table.how)
        if table.start is not None:
            self.talk.session.referee = Referee(table.start)  # nothing is cached yet
        self.talk.session.teacher.switch(table.number % 4 == 1)
        self.deeds = DEEDS if table.start is None else FEW_DEEDS
        self.ear = self.talk.face.voice = Ear(whispers=table.number % 2 == 1)
        self.talk.conversation.list_more = dict  # looking back depends on the date and time
        for text in table.moves:
            self.talk.session.play(text)
        for _move in range(PLAYED * table.number) if table.start is None else ():
            moves = self.talk.session.referee.list_legal_moves()
            if not self.talk.session.over:
                self.talk.session.play(self._choose_move(moves))

    def lines(self) -> Iterator[str]:
        """The inputs and their results."""
        in_private = [self._take, self._press, self._type, self._ask, self._ask, self._tap]
        deeds = [*in_private, self._ask, self._tap, self._take_by_keys, self._play, self._play]
        for number in range(self.deeds):
            among = in_private if self.talk.conversation.chooser is not None else deeds
            deed = self.chance.choice(among) if number % 20 else self._greet
            self.talk.face.messages.clear()
            self.ear.noted.clear()
            yield f"> {deed()}"
            name = self.talk.session.name
            yield from (
                _tell_message(message).replace(name, "it") for message in self.talk.face.messages
            )
            yield from self.ear.noted
            yield from self._tell_asked()

    def _tell_asked(self) -> Iterator[str]:
        question = self.talk.conversation.asked
        marks = [
            question.seat,
            question.filters,
            question.private,
            question.typed,
        ]
        yield f"{question.question} {marks} {self.talk.moves()[-2:]}"
        rows = question.offer.rows
        yield from map(_tell_row, rows)
        yield f"visible {[row.number for row in question.visible]}"
        for row in self.chance.sample(rows, min(2, len(rows))):
            if row.why is not None:
                yield f"why {row.number}: {row.why().refusal.rule}"

    def _take(self) -> str:
        row = self._choose_row()
        self.talk.conversation.take(row)
        return f"take {row.number}"

    def _take_by_keys(self) -> str:
        keys = [*str(self._choose_row().number), *self.chance.choices(("", "enter"))]
        return f"{keys} {[self.talk.conversation.press(key) for key in filter(None, keys)]}"

    def _choose_row(self) -> Row:
        rows = self.talk.offer.rows or (Row("", word="moves"),)
        private = [row for row in rows if row.private] if self.chance.random() < 0.3 else []
        return self.chance.choice(private or rows)

    def _press(self) -> str:
        keys = self.chance.choice(KEYS)
        return f"{keys} {[self.talk.conversation.press(key) for key in keys.split()]}"

    def _ask(self) -> str:
        lines = self.chance.choice(self._find_lines()).split("; ")
        return " ".join(map(self._say, lines))

    def _find_lines(self) -> tuple[str, ...]:
        talk = self.talk.conversation
        if talk.chooser is not None:
            return PRIVATE
        if isinstance(talk.top, ReadToAll):
            return READING
        return self.chance.choice((COMMANDS, COMMANDS, COMMANDS, QUESTIONS))

    def _greet(self) -> str:
        if self.chance.random() < 0.5:
            self.talk.conversation.relabel()
        else:
            self.talk.conversation.greet()
        return "greet"

    def _type(self) -> str:
        chance, session, row = self.chance, self.talk.session, self._choose_row()
        names = session.view.rules.player_names
        words = [chance.choice(names)[:3], row.label, row.card, row.card[:4]]
        words.append(" ".join(chance.sample(sorted(session.view.rules.districts), 2)))
        words.append(str(self._choose_chip()))
        for move in self._choose_offered():
            words += [move.text, " ".join(word[:4] for word in move.text.split())]
            words += [move.text[:-1], move.verb, " ".join(move.text.split()[:2])]
        return self._say(chance.choice(words))

    def _say(self, line: str) -> str:
        is_seen = self.chance.random() < 0.2
        is_shown = self.talk.conversation.may_show(line)
        self.talk.conversation.line(line, in_public=is_seen)
        return f"“{line}” {is_seen} {is_shown}"

    def _tap(self) -> str:
        view, chance, conversation = self.talk.session.view, self.chance, self.talk.conversation
        entry = self._choose_chip()
        seat = chance.choice((None, None, None, 0, len(view.seats) - 1, len(view.seats)))
        for move in self._choose_offered() if chance.random() < 0.3 else ():
            seat = whose_move(view, move)
        foretold = Taps(conversation).preview(entry, seat)
        is_accepted = conversation.tap(entry, str(entry).encode(), seat)
        return f"tap {entry} {seat} {is_accepted} {foretold}"

    def _choose_chip(self) -> Entry:
        chance, view = self.chance, self.talk.session.view
        rules = view.rules
        targets = [word for move in self._choose_offered() for word in move.args]
        targets += [card.id for seat in view.seats for card in seat.city.cards[:1]]
        district = chance.choice([w for w in targets if w in rules.districts] or [*rules.districts])
        character = chance.choice([w for w in targets if w in rules.characters] or [*rules.cast])
        if self.talk.conversation.chooser is not None and chance.random() < 0.7:
            name = chance.choice(("back", "enter", "1", "2", "9", "bribe"))
            return chance.choice((ActionChip(name), PlayerChip(2), CharacterChip(character)))
        return chance.choice(
            (
                DistrictChip(district),
                DistrictChip(district),
                CharacterChip(character),
                CharacterChip(character),
                PlayerChip(chance.randint(1, len(rules.player_names) + 1)),
                CrownChip(),
                ActionChip(chance.choice(MOVE_CHIPS)),
                ActionChip(chance.choice(CALLER_CHIPS)),
                ReferenceChip(chance.randint(1, 4)),
            )
        )

    def _play(self) -> str:
        moves = self.talk.session.referee.list_legal_moves()
        if not moves:
            return self._say("")
        move = self._choose_move(moves)
        if self.chance.random() < 0.3 or move.verb == "choose":
            self.talk.session.play(move)
            return f"play {move.text}"
        return f"say {move.text} {self.talk.conversation.play(move)}"

    def _choose_offered(self) -> list[Move]:
        """An offered move; empty if the game is over."""
        legal = self.talk.session.legal()
        return [self._choose_move(legal)] if legal else []

    def _choose_move(self, moves: list[Move]) -> Move:
        """A move of a random verb, rarely a recorded choice, which could be made again and
        again."""
        verbs = {move.verb for move in moves}
        verb = self.chance.choice(sorted(verbs - {"choose"}) or ["choose"])
        return self.chance.choice([move for move in moves if move.verb == verb])


def _tell_message(message: Message) -> str:
    brief = None if message.brief is None else len(message.brief)
    marks = [message.private, message.card, bool(message.title), brief, bool(message.code)]
    return f"{message.kind}: {' | '.join(message.lines)} {marks}"


def _tell_row(row: Row) -> str:
    can = "" if row.why is None else " (not now)"
    moves = f"{len(row.moves)} {row.moves[0].text}" if row.moves else "0"
    marks = " ".join(filter(None, [row.key, row.card, row.word, "private" * row.private]))
    return f"  {row.number}: {row.label} [{marks}] {moves}{can}"


def tell(table: Table) -> Iterator[str]:
    """The conversation, line by line."""
    language.use("en")
    current_speech().catalogue = Bare("n != 1", {})
    try:
        with tempfile.TemporaryDirectory() as folder:
            chance = Random(table, Path(folder))
            yield from chance.lines()
            chance.talk.close()
    finally:
        language.use("en")


def lines() -> Iterator[str]:
    """Every line of the file."""
    for table in tables():
        names = list(tell(table))
        digest = hashlib.sha256("\n".join(names).encode()).hexdigest()[:20]
        yield f"{table.number:2} {table.name:26} {len(names):5}  {digest}"


def main() -> int:
    """Compare with the file, write it, or print one conversation."""
    if "--tell" in sys.argv[1:]:
        (table,) = (table for table in tables() if table.number == int(sys.argv[-1]))
        print("\n".join(tell(table)))
        return 0
    return compare_or_write(FILE, lines())


if __name__ == "__main__":
    sys.exit(main())
