"""The conversation: all questions and output at every position, for typed lines, keys, taps,
queries, private choices, undo and redo; and everything spoken to the table."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion import language
from companion.chips.entries import (
    ACTIONS,
    ActionChip,
    CharacterChip,
    CrownChip,
    DistrictChip,
    Entry,
    PlayerChip,
)
from companion.settings import config
from companion.verbs import ALWAYS_SECRET
from companion.voice.backends import MAKERS
from companion.voice.channel import Channel
from companion.voice.script import Audience, Manner, Utterance
from companion.voice.table_voice import Voice
from engine.views import find_awaited
from tests.companion.talking import Talk
from tests.twins import tried
from tests.twins.pairs import MORE, Twins, split
from tests.voice.speaking import writer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.game import Row
    from engine.explain import Refusal

ASKED = (
    *("repeat", "why", "history", "last", "moves", "moves all", "status", "who", "called", "round"),
    *("characters", "options", "taps", "hand", "left", "cities", "score", "card king", "steps"),
    *("recap", "share", "bgstats"),
    *("back", "*", "0", "/", "**", "*+", "", "undo", "redo", "99", "why merchant", "look"),
)
MOVING = ("next", "1", "2", "3", "7", "9", "Ben", "Kurt", "nobo")
KEYS = ("1", "2", "5", "7", "8", "9", "n", "e", "k", "g", "t", "enter", "backspace", "escape")
IN_PRIVATE = ("99", "kng", "moves", "repeat", "0", "status", "12345")
ALWAYS = 3  # inputs used at every position
EVERY = 1 if MORE else 24
"""One in this many inputs is used at each position, others at the next."""


class Page(Channel):
    """A voice output that records everything."""

    def __init__(self, audience: Audience) -> None:
        super().__init__(audience, [writer(Path(audience.value))], Manner, print)
        self.output = audience.value
        self.messages: list[Utterance] = []

    def say(self, *utterances: Utterance) -> None:
        """Record them, refusing private ones for the table like every output."""
        assert self.audience is Audience.EAR or all(
            u.audience is not Audience.EAR for u in utterances
        )
        self.messages += utterances


class Table(Talk):
    """One of the twins at a table with a voice, and its public output."""

    def __init__(self, twins: Twins, folder: Path, *, people: bool) -> None:
        setup = twins.record(0, 0).setup
        super().__init__(folder, setup, people=people, plays_forced=people)
        self.twins = twins
        self.troubles: list[str] = []  # of the voice
        self.round = 0  # in which the secret was recorded
        self.aloud, self.ear = Page(Audience.TABLE), Page(Audience.EAR)
        voice_settings = config.load({}).voice._replace(table="none", ear="none", level="all")
        voice = Voice(voice_settings, tell=self.troubles.append)
        self.session.attend(voice)
        voice._table, voice._ear = self.aloud, self.ear
        self.face.voice = voice

    @property
    def whispers(self) -> bool:
        """Whether a player who knows the secret is being asked in private."""
        return self.conversation.chooser in self.twins.knows.split()

    def read_heard(self) -> list[Any]:
        """The public output since the last call, and the current question."""
        messages = [s for s in self.face.messages if not (s.private and self.whispers)]
        self.face.messages.clear()
        question = self.conversation.asked
        where = (
            find_awaited(self.session.view),
            question.question,
            question.seat,
            question.private,
        )
        if self.whispers:
            return [messages, where]
        rows = [_describe_row(row) for row in question.offer.rows]
        return [
            messages,
            where,
            question.typed,
            question.filters,
            rows,
            len(question.visible),
        ]

    def reasons(self) -> list[Refusal | None]:
        """The refusals of the disabled rows."""
        return [row.why and row.why().refusal for row in self.conversation.asked.offer.rows]

    def play(self, text: str) -> None:
        """Play a public move of the twins by typing it."""
        before = len(self.moves())
        self.conversation.line(text)
        if len(self.moves()) == before:  # something is left to take: end the turn without it
            self.conversation.line("9")
        assert len(self.moves()) > before, text

    def tell(self, text: str, way: str) -> None:
        """Record a secret: typed in full, or in a private moment by the card's number or its
        chip."""
        if way == "line":
            for line in (*tried.misspell(text), text):
                self.conversation.line(line)
            return
        move = self.session.referee.read(text)
        self.round = self.session.view.round
        top = next(row for row in self.offer.rows if row.private and move in row.moves)
        self.conversation.take(top)
        if self.conversation.asked.seat is not None and move.verb == "choose":
            self.conversation.line(str(self.session.view.seat_named(move.args[0]) + 1))
        if way == "tap":
            self.conversation.tap(CharacterChip(move.args[-1]))
        else:
            row = next(row for row in self.offer.rows if move in row.moves)
            self.conversation.line(str(row.number))

    def tap_again(self, which: int) -> None:
        """Tap the chip of the secret's card during its round, when that means no move."""
        view = self.session.view
        cards = [secret.split()[-1] for secret in self.twins.secrets]
        moves = [m for m in self.session.legal() if m.verb not in ALWAYS_SECRET]
        names = {view.rules.by_rank.get(view.called), *(word for m in moves for word in m.args)}
        if names.isdisjoint(cards) and view.round == self.round:
            self.conversation.tap(CharacterChip(cards[which]))

    def ends_at(self, text: str) -> bool:
        """Whether that move and the forced moves after it may reveal the secret."""
        calls = text in ("end", "nobody") and self.conversation.playing.with_forced
        return calls and self.twins.is_near(self.session.view)

    def undo_to(self, moves: list[str]) -> None:
        """Close all open lists, and undo the tried moves."""
        while self.conversation.press("escape"):
            pass
        while len(self.moves()) > len(moves):
            self.conversation.word("undo")
        while len(self.moves()) < len(moves):
            self.conversation.word("redo")
        assert self.moves() == moves


def _describe_row(row: Row) -> tuple[object, ...]:
    return (row.number, row.label, row.key, row.card, row.word, row.private, row.why is None)


def play_by(way: str, twins: Twins, which: int, folder: Path) -> Iterator[tuple[str, Any]]:
    """Play one of the twins; the secret is recorded by `way`: line, number or tap."""
    language.use(twins.language)
    table = Table(twins, folder, people=way != "line")
    first = len(split(twins.before))
    for place, text in enumerate(twins.moves(which)):
        if len(table.moves()) > place:  # a forced move
            continue
        if place >= twins.since and table.ends_at(text):
            break
        if first <= place < twins.since:
            table.tell(text, way)
            yield "the secret", table.read_heard()
        else:
            table.play(text)
            yield text, table.read_heard()
        if place >= twins.since - 1:
            yield text if place >= twins.since else "the secret", table.reasons()
            if way == "tap":
                table.tap_again(which)
                yield f"{place}: the same chip again", table.read_heard()
            yield from _wander(table, place)
    yield "spoken", table.aloud.messages
    yield "arguments of voices", list(_arguments(table.ear.messages))
    assert table.ear.messages or way == "line"
    table.close()


def _arguments(utterances: list[Utterance]) -> Iterator[tuple[str, ...]]:
    """The process arguments while each kind of voice speaks these utterances."""
    for name, voice in MAKERS.items():
        for utterance in utterances:
            command = voice("").command(utterance, Manner())
            yield (name, *(command.words if command is not None else ()))


WAYS = {f"conversation, by {way}": partial(play_by, way) for way in ("line", "number", "tap")}
"""Ways of recording a secret; with the first one no forced moves are played."""


def _wander(table: Table, place: int) -> Iterator[tuple[str, Any]]:
    """Do everything that strangers can do here, and yield the results."""
    moves, talk = table.moves(), table.conversation
    things = list(_things(table))
    for number, (name, do) in enumerate(things):
        if number < ALWAYS or number % EVERY == place % EVERY:
            do()
            yield f"{place}: {name}", (table.read_heard(), len(table.moves()))
            table.undo_to(moves)
            yield f"{place}: back from {name}", table.read_heard()
    for number in range(min(len(moves), 4)):
        talk.word("undo")
        yield f"{place}: undo {number}", table.read_heard()
    table.undo_to(moves)
    yield f"{place}: back", table.read_heard()


def _things(table: Table) -> Iterator[tuple[str, Any]]:
    """The possible actions here; without moves if the secret is about to be revealed."""
    talk, view = table.conversation, table.session.view
    is_near = table.twins.is_near(view)
    lines = [*ASKED, *(MOVING if not is_near else ()), *tried.MISSPELT]
    yield from ((f"“{line}”", partial(talk.line, line)) for line in lines)
    yield from ((f"chip {chip}", partial(talk.tap, chip)) for chip in _cards(table))
    for row in talk.asked.offer.rows:
        if row.private and not any(move.verb in tried.DECIDED for move in row.moves):
            for words in IN_PRIVATE:
                yield f"{words} in private", partial(_try_in_private, table, row, words)
    if not is_near:
        yield from ((f"“{move}”", partial(talk.line, move.text)) for move in tried.moves(view))
        yield from ((f"key {key}", partial(talk.press, key)) for key in KEYS)
        yield from ((f"chip {chip}", partial(talk.tap, chip)) for chip in _list_chips(table))


def _try_in_private(table: Table, row: Row, words: str) -> None:
    """Open that private moment, type the words, and tap a chip that does not fit."""
    table.conversation.take(row)
    table.conversation.line(words)
    table.conversation.tap(DistrictChip("tavern"))


def _cards(table: Table) -> Iterator[Entry]:
    """Chips that name cards."""
    view = table.session.view
    name = view.rules.by_rank.get(view.called)
    yield from (CharacterChip(card) for card in view.rules.cast if card != name)
    yield from (DistrictChip("tavern"), DistrictChip("palace"))


def _list_chips(table: Table) -> Iterator[Entry]:
    """Chips that may be a move."""
    yield from (PlayerChip(seat + 1) for seat in table.session.view.rules.seats)
    view = table.session.view
    yield from map(CharacterChip, {*view.rules.cast} & {view.rules.by_rank.get(view.called)})
    yield from (ActionChip(name) for name in ACTIONS if name not in tried.DECIDED)
    yield CrownChip()
