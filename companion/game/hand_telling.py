"""Telling a hand in a conversation: touches that add a card, and the hand in words. Everything
here is for one seat's player alone (`companion.game.hand`)."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from companion.chips import learning
from companion.chips.entries import DistrictChip, Entry
from companion.game import Offer, Row, picks, tap_meaning
from companion.game.hand import ADD, CannotTell, Hand, Notebook
from companion.game.questions import find_players
from companion.language import _, card, hand_cards, number_entry, plural, translate
from companion.language.vocabulary import card_names, match_names
from companion.log.store import StoreError
from engine.rules.building import price

if TYPE_CHECKING:
    from companion.game.conversation import Conversation
    from companion.game.session import Session
    from engine.moves import Move
    from engine.table import Table

TELL = "tell"
"""The word of a row that adds a card to the hand, followed by its id."""


def data(notebook: Notebook, seat: int) -> dict[str, Any]:
    """A seat's hand for programs, as in docs/reference/api.md."""
    hand, number = notebook.of(seat), notebook.count_cards(seat)
    return {
        "hand": number,
        "told": [*hand.told],
        "not_told": None if number is None else number - len(hand.told),
        "noted": [*hand.noted],
    }


def describe(table: Table, notebook: Notebook, seat: int, *, numbered: bool = False) -> list[str]:
    """The hand in words, as it is read to its player: each told card with its cost. `numbered` adds
    the number that builds it on the keypad, those that can be paid first."""
    hand, number = notebook.of(seat), notebook.count_cards(seat)
    if number is None:
        return []
    lines = [plural("Your hand: {number} card.", "Your hand: {number} cards.", number)]
    numbers, gold = picks.number_districts(table.rules), table.seats[seat].gold
    districts = sorted(hand.all, key=lambda id_: table.rules.price(id_) > gold and numbered)
    for district in districts:
        entry = _("{district}, {number}").format(
            district=card(district), number=table.rules.price(district)
        )
        lines.append(f"{number_entry(numbers.get(district), entry) if numbered else entry}.")
    lines.append(tell_untold(number - len(hand.told)))
    return [*lines, *filter(None, [tell_gone(hand, number)])]


def tell_untold(number: int) -> str:
    if not number:
        return _("All of them are listed.")
    return plural("{number} is not listed.", "{number} are not listed.", number)


def tell_gone(hand: Hand, cards: int) -> str:
    """That more cards are noted than can be in a hand of so many `cards`; "" if not."""
    if not hand.noted:
        return ""
    return plural(
        "You hold {held} and have noted {noted}: which card has gone?",
        "You hold {held} and have noted {noted}: which {number} cards have gone?",
        len(hand.noted),
        held=hand_cards(cards),
        noted=len(hand.all),
    )


def find_district(table: Table, words: str) -> str | None:
    """The district with that id, name or beginning of a name, or that a chip's short name stands
    for; None if there is none or more than one."""
    words = " ".join(words.split())
    if words in table.rules.districts:
        return words
    entry = learning.read_text(words.lower())
    if isinstance(entry, DistrictChip):
        return entry.card if entry.card in table.rules.districts else None
    names = {district: card_names(district) for district in table.rules.districts}
    districts = match_names(words, names)
    return districts[0] if len(districts) == 1 else None


def may_add(session: Session, seat: int) -> bool:
    """Whether that hand has a card that is not told."""
    number = session.notebook.count_cards(seat)
    return number is not None and number > len(session.notebook.of(seat).told)


def sort_key(table: Table, hand: Hand, district: str) -> tuple[int, int]:
    """The place of a district in a list to build from: told cards first, in the order in which they
    were told, by whether the player can pay."""
    if district not in hand.told:
        return 2, 0
    affordable = price(table, district) <= table.acting.gold
    return int(not affordable), hand.told.index(district)


class Telling:
    """What the players of one conversation tell of their hands."""

    def __init__(self, talk: Conversation) -> None:
        self.talk = talk

    # -- touches ----------------------------------------------------------------------------------

    def find_meaning(self, entry: Entry, seat: int | None) -> str:
        """What a touch of this chip at the reader of `seat` means for that player's hand:
        `add` adds the card, `ask` asks whether to build or to add it, "" nothing. A player who has
        told nothing is never asked."""
        talk, notebook = self.talk, self.talk.session.notebook
        if not isinstance(entry, DistrictChip) or seat is None:
            return ""
        if not may_add(talk.session, seat) or entry.card not in talk.view.rules.districts:
            return ""
        if seat in notebook.adding:
            return ADD
        if talk.seat != seat:
            return ""
        told = notebook.of(talk.seat).told
        if not told or entry.card in told or talk.stack:
            return ""
        return "ask" if self._list_moves(entry, seat) else ADD

    def _list_moves(self, entry: Entry, seat: int) -> tuple[Move, ...]:
        return tap_meaning.find_meaning(self.talk.view, self.talk.legal, entry, (), seat).moves

    def may_be_told(self, entry: Entry) -> bool:
        """Whether the chip's card could be added to the conversation's own hand."""
        talk = self.talk
        return (
            talk.seat is not None
            and isinstance(entry, DistrictChip)
            and entry.card in talk.view.rules.districts
            and may_add(talk.session, talk.seat)
        )

    def waits(self, entry: Entry, seat: int) -> bool:
        """Whether a touch of a chip that could be told means neither a move nor adding it for
        sure."""
        meaning = self.find_meaning(entry, seat)
        return meaning != ADD if meaning else not self._list_moves(entry, seat)

    def touch(self, entry: Entry, seat: int | None) -> bool:
        """Do what the touch means for the hand; return whether it meant anything. At the table's
        own readers nothing is said: only that player's phone shows it."""
        if seat is None or not isinstance(entry, DistrictChip):
            return False
        talk, meaning = self.talk, self.find_meaning(entry, seat)
        if not meaning:
            # a full hand takes nothing, and nobody notices
            return seat in talk.session.notebook.adding and talk.seat is None
        if meaning == "ask":
            rows = (
                Row(_("Build it"), self._list_moves(entry, seat), 1, card=entry.card),
                Row(_("Add it to my hand"), number=2, word=f"{TELL} {entry.card}"),
            )
            sentence = _("{district}: build it, or add it to your hand?")
            talk.open_list(Offer(sentence.format(district=card(entry.card)), rows))
        elif talk.seat is not None:
            self.add(entry.card)
        else:
            with suppress(StoreError):  # nothing is said here; the phone shows that it is missing
                talk.session.tell_hand(seat, ADD, entry.card)
        return True

    def preview(self, entry: Entry, seat: int | None) -> list[str]:
        """What the touch would do for the hand; nothing if it means a move."""
        match self.find_meaning(entry, seat):
            case "":
                return []
            case "add":
                return [_("It is added to your list.")]
        return [_("You will be asked whether to build it or to add it to your hand.")]

    # -- words ------------------------------------------------------------------------------------

    def add(self, district: str) -> None:
        """Add a card to the conversation's own hand, and say so there."""
        self.talk.forget()
        if self.tell(ADD, district):
            self.talk.say("note", _("{district}: in your hand.").format(district=card(district)))

    def tell(self, word: str, district: str) -> bool:
        """Note what the conversation's player says, and say what is refused; return whether it was
        noted."""
        talk = self.talk
        if talk.seat is None:
            return False
        try:
            talk.session.tell_hand(talk.seat, word, district)
        except (CannotTell, StoreError) as error:
            talk.say("refused", translate(str(error)))
            return False
        return True

    def hear(self, rest: str) -> None:
        """Read a told hand to one person's ear: each card with the number that builds it, those
        that can be paid first. Everybody else hears the same whatever is told, and nothing without
        an ear.

        It is the hand of the conversation's own player, of the named seat, or of the awaited
        player.
        """
        talk, table, notebook = self.talk, self.talk.view, self.talk.session.notebook
        seat = self._find_hearer(rest)
        if seat is None:
            talk.say("refused", _("nobody here is called {name}.").format(name=rest))
        elif notebook.count_cards(seat) is None:
            talk.say("refused", _("Hands are not counted in this game."))
        elif talk.seat is not None:
            talk.say("answer", *describe(table, notebook, seat), private=True)
        elif talk.face.voice.speak_privately(*describe(table, notebook, seat, numbered=True)):
            name = table.seats[seat].name
            talk.say("note", _("{player}'s hand is read to one person only.").format(player=name))
        else:
            sentence = _("No private output is set (voice.ear), so a hand is not read aloud.")
            talk.say("refused", sentence)

    def _find_hearer(self, rest: str) -> int | None:
        talk = self.talk
        if talk.seat is not None:
            return talk.seat
        if not rest:
            seat = talk.asked.seat
            return seat if seat is not None else talk.view.crown
        players = find_players(talk.view, rest)
        return talk.view.seat_named(players[0]) if len(players) == 1 else None
