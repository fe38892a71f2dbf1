"""What is being read to somebody: a reference card by entries, or one's own card in private."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.language import _
from companion.wording import facts

if TYPE_CHECKING:
    from companion.game.conversation import Conversation
    from companion.reference import Reading


class Listening:
    """The reference card being listened to, and whether the next tap reads a card in private."""

    def __init__(self) -> None:
        self.card: Reading | None = None
        self.own = False

    def stop(self) -> bool:
        """Listen no more; whether anything was being read."""
        was = self.card is not None or self.own
        self.card, self.own = None, False
        return was

    def begin(self, talk: Conversation, card: Reading) -> None:
        """Read that entry of a reference card, to whoever asked."""
        talk.forget()
        self.card = card
        told = card.told(talk.view)
        talk.say("answer", *told)
        talk.face.voice.read(told)

    def step(self, talk: Conversation, by: int) -> None:
        """Read on by so many entries."""
        if self.card is not None:
            self.begin(talk, self.card.moved(by))

    def go_to(self, talk: Conversation, place: int) -> None:
        """Read the entry at that place, from 1."""
        if self.card is None:
            return
        last = len(self.card.cards)
        if 1 <= place <= last:
            self.begin(talk, self.card._replace(place=place))
        else:
            sentence = _("The card has entries 1 to {last}.")
            talk.say("refused", sentence.format(last=last))

    def listen_alone(self, talk: Conversation) -> None:
        """Let the next tap be read to one person, with the readers kept from other programs."""
        self.own = True
        talk.face.keep_reader(alone=True)
        talk.say("note", _("The next card tapped is read to one person alone; it plays nothing."))

    def read_alone(self, talk: Conversation, card: str | None) -> None:
        """Read a card to the one ear or, where there is none, on the private screen."""
        self.own = False
        talk.face.keep_reader(alone=False)
        if card is None:
            talk.say("refused", _("That is no card to read."))
            return
        lines = facts.card_text(talk.view, card)
        if not talk.face.voice.in_private(*lines):
            talk.say("answer", *lines, private=True)
