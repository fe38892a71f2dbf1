"""The reference cards of the accessible edition as audio, and one's own card, read in private.

Cards 1 to 3 hold the unique districts, card 4 the characters. A chip may list other cards instead.
The voice and the printed lines use the same entries.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from common.named_tuples import NamedTuple
from companion.language import _, card, plural
from companion.language.vocabulary import simplify
from companion.wording import facts

if TYPE_CHECKING:
    from companion.game.talk import Talk
    from engine.table import Table


NUMBERS = range(1, 5)
CHARACTERS = 4  # the card of the characters; the others share the unique districts


def list_cards(table: Table, number: int) -> tuple[str, ...]:
    """The ids of the cards on that reference card; empty if there is no such card.

    Districts are sorted by name in the current language.
    """
    if number == CHARACTERS:
        return tuple(sorted(table.rules.cast, key=lambda id_: table.rules.characters[id_].rank))
    uniques = sorted(table.rules.uniques, key=lambda id_: simplify(card(id_)))
    share = -(-len(uniques) // (CHARACTERS - 1))
    return tuple(uniques[(number - 1) * share : number * share]) if number in NUMBERS else ()


def title(table: Table, number: int, cards: tuple[str, ...]) -> str:
    """The card's title and number of entries."""
    many = len(cards)
    entries = (
        plural("{number} character", "{number} characters", many)
        if cards and cards[0] in table.rules.characters
        else plural("{number} district", "{number} districts", many)
    )
    return _("Reference card {number}: {entries}.").format(number=number, entries=entries)


def entry(table: Table, cards: tuple[str, ...], place: int) -> list[str]:
    """The entry at that place, from 1: its number, then the card, one sentence a line."""
    first, *rest = facts.card_text(table, cards[place - 1])
    return [_("{number}: {entry}").format(number=place, entry=first), *rest]


class Reading(NamedTuple):
    """A reference card being read, and the place, from 1, of the entry read last."""

    number: int
    cards: tuple[str, ...]
    place: int = 1

    def move(self, by: int) -> Reading:
        """The reading moved by some entries, wrapping around at the ends."""
        return self._replace(place=(self.place - 1 + by) % len(self.cards) + 1)

    def tell(self, table: Table) -> list[str]:
        """The entry in lines, preceded by the title at the first one."""
        lines = entry(table, self.cards, self.place)
        return [title(table, self.number, self.cards), *lines] if self.place == 1 else lines


class ReadingState:
    """The reference card being read, and whether the next tap reads a card in private."""

    def __init__(self) -> None:
        self.card: Reading | None = None
        self.own = False

    def stop(self) -> bool:
        """Stop reading; return whether anything was being read."""
        was = self.card is not None or self.own
        self.card, self.own = None, False
        return was


def begin_reading(talk: Talk, card: Reading) -> None:
    """Read that entry of a reference card to whoever asked."""
    talk.forget()
    talk.reading.card = card
    lines = card.tell(talk.view)
    talk.say("answer", *lines)
    talk.face.voice.read(lines)


def step_reading(talk: Talk, by: int) -> None:
    """Move on by that many entries and read."""
    if talk.reading.card is not None:
        begin_reading(talk, talk.reading.card.move(by))


def go_to(talk: Talk, place: int) -> None:
    """Read the entry at that place, from 1."""
    if talk.reading.card is None:
        return
    last = len(talk.reading.card.cards)
    if 1 <= place <= last:
        begin_reading(talk, talk.reading.card._replace(place=place))
    else:
        sentence = _("The card has entries 1 to {last}.")
        talk.say("refused", sentence.format(last=last))


def listen_alone(talk: Talk) -> None:
    """Read the next tapped card to one person, with the readers reserved for this program."""
    talk.reading.own = True
    talk.face.keep_reader(alone=True)
    talk.say("note", _("The next card you tap is read to one person only, not played."))


def read_alone(talk: Talk, card: str | None) -> None:
    """Read a card to the private output or, without one, on the private screen."""
    talk.reading.own = False
    talk.face.keep_reader(alone=False)
    if card is None:
        talk.say("refused", _("That isn't a card."))
        return
    lines = facts.card_text(talk.view, card)
    if not talk.face.voice.speak_privately(*lines):
        talk.say("answer", *lines, private=True)
