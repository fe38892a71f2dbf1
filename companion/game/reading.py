"""Reading aloud: a reference card entry by entry, or one's own card in private."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.language import _
from companion.wording import facts

if TYPE_CHECKING:
    from companion.game.reference import Reading
    from companion.game.talk import Talk


def begin(talk: Talk, card: Reading) -> None:
    """Read that entry of a reference card to whoever asked."""
    talk.forget()
    talk.reading.card = card
    lines = card.tell(talk.view)
    talk.say("answer", *lines)
    talk.face.voice.read(lines)


def step(talk: Talk, by: int) -> None:
    """Move on by that many entries and read."""
    if talk.reading.card is not None:
        begin(talk, talk.reading.card.move(by))


def go_to(talk: Talk, place: int) -> None:
    """Read the entry at that place, from 1."""
    if talk.reading.card is None:
        return
    last = len(talk.reading.card.cards)
    if 1 <= place <= last:
        begin(talk, talk.reading.card._replace(place=place))
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
