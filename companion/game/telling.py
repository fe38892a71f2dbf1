"""Telling a hand in a conversation: touches that add a card, questions on which cards went, and the
hand in words. Everything here is for one seat's player alone (`companion.game.hand`)."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from companion.chips.entries import DistrictChip, Entry
from companion.game import picks, tap_meaning
from companion.game.asking import Offer, Row
from companion.game.hand import ADD, CannotTell, Hand, Notebook
from companion.language import _, card, cards, number_entry, plural, translate
from companion.language.vocabulary import card_names, match_names, player_names
from companion.log.store import StoreError
from engine.rules.building import price

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.game.conversation import Conversation
    from companion.game.session import Session
    from engine.table import Table

TELL = "tell"
"""The word of a row that adds a card to the hand, followed by its id."""


def data(notebook: Notebook, seat: int) -> dict[str, Any]:
    """A seat's hand for programs, as in docs/reference/api.md."""
    hand, number = notebook.of(seat), notebook.count_cards(seat)
    question = hand.question
    return {
        "hand": number,
        "told": [*hand.told],
        "not_told": None if number is None else number - len(hand.told),
        "question": question
        and {
            "verb": question.verb,
            "number": question.number,
            "least": question.least,
            "among": [*question.aside, *hand.told],
        },
        "lowered": [*hand.lowered],
    }


def describe(table: Table, notebook: Notebook, seat: int, *, numbered: bool = False) -> list[str]:
    """The hand in words, as it is read to its player: each told card with its cost. `numbered` adds
    the number that builds it on the keypad, those that can be paid first."""
    hand, number = notebook.of(seat), notebook.count_cards(seat)
    if number is None:
        return []
    lines = [plural("Your hand: {number} card.", "Your hand: {number} cards.", number)]
    numbers, gold = picks.number_districts(table.rules), table.seats[seat].gold
    words = sorted(hand.told, key=lambda id_: table.rules.price(id_) > gold and numbered)
    for district in words:
        entry = _("{district}, {number}").format(
            district=card(district), number=table.rules.price(district)
        )
        lines.append(f"{number_entry(numbers.get(district), entry) if numbered else entry}.")
    lines.append(tell_untold(number - len(hand.told)))
    return [*lines, *filter(None, (tell_lowered(hand), ask(hand)))]


def hear(talk: Conversation, rest: str) -> None:
    """Read a told hand to one person's ear: each card with the number that builds it, those that
    can be paid first. Everybody else hears the same whatever is told, and nothing without an ear.

    It is the hand of the conversation's own player, of the named seat, or of the awaited player.
    """
    table, notebook = talk.view, talk.session.notebook
    seat = _find_hearer(talk, rest)
    if seat is None:
        talk.say("refused", _("nobody here is called {name}.").format(name=rest))
        return
    if notebook.count_cards(seat) is None:
        talk.say("refused", _("Hands are not counted in this game."))
    elif talk.seat is not None:
        talk.say("answer", *describe(table, notebook, seat), private=True)
    elif talk.face.voice.speak_privately(*describe(table, notebook, seat, numbered=True)):
        name = table.seats[seat].name
        talk.say("note", _("{player}'s hand is read to one person only.").format(player=name))
    else:
        sentence = _("No private output is set (voice.ear), so a hand is not read aloud.")
        talk.say("refused", sentence)


def _find_hearer(talk: Conversation, rest: str) -> int | None:
    if talk.seat is not None:
        return talk.seat
    if not rest:
        return talk.asked.seat if talk.asked.seat is not None else talk.view.crown
    names = talk.view.rules.player_names
    if rest.isascii() and rest.isdecimal() and len(rest) < 3:
        return int(rest) - 1 if 0 < int(rest) <= len(names) else None
    matches = match_names(rest, player_names(names))
    return talk.view.seat_named(matches[0]) if len(matches) == 1 else None


def tell_untold(number: int) -> str:
    """How many cards of a hand are not told."""
    if not number:
        return _("All of them are listed.")
    return plural("{number} is not listed.", "{number} are not listed.", number)


def ask(hand: Hand) -> str:
    """The open question about a hand, in words."""
    question = hand.question
    if question is None:
        return ""
    number = question.number
    match question.verb:
        case "build":
            return plural(
                "Which card did you give away?", "Which {number} cards did you give away?", number
            )
        case "redraw":
            return plural(
                "Which card did you put back?", "Which {number} cards did you put back?", number
            )
        case "take":
            return _("Which card did the Wizard take?")
        case "crown":
            return _("Which card did the Emperor take?")
    return plural("Which card left your hand?", "Which {number} cards left your hand?", number)


def tell_lowered(hand: Hand) -> str:
    """That cards are no longer taken to be in the hand; "" if none were lowered."""
    if not hand.lowered:
        return ""
    sentence = _("Not sure any more, so no longer on your list: {cards}.")
    return sentence.format(cards=cards(hand.lowered))


def tell(talk: Conversation, word: str, *districts: str) -> bool:
    """Note what the conversation's player says, and say what is refused; return whether it was
    noted."""
    if talk.seat is None:
        return False
    try:
        talk.session.tell_hand(talk.seat, word, *districts)
    except CannotTell as error:
        talk.say("refused", translate(str(error)))
    except StoreError as error:
        talk.say("refused", translate(str(error)))
    else:
        talk.ask_anew()
        return True
    return False


def find_district(table: Table, words: str) -> str | None:
    """The district with that id, name or beginning of a name, or that a chip's short name stands
    for; None if there is none or more than one."""
    from companion.chips import learning  # chips are imported with the first tap

    words = " ".join(words.split())
    if words in table.rules.districts:
        return words
    entry = learning.read_text(words.lower())
    if isinstance(entry, DistrictChip):
        return entry.card if entry.card in table.rules.districts else None
    names = {district: card_names(district) for district in table.rules.districts}
    matches = match_names(words, names)
    return matches[0] if len(matches) == 1 else None


# -- touches --------------------------------------------------------------------------------------


def means_to_tell(talk: Conversation, entry: Entry, seat: int | None) -> str:
    """What a touch of this chip at the reader of `seat` (from 1) means for that player's hand:
    `add` adds the card, `ask` asks whether to build or to add it, "" nothing. A player who has told
    nothing is never asked."""
    if not isinstance(entry, DistrictChip) or seat is None or not may_add(talk.session, seat - 1):
        return ""
    notebook = talk.session.notebook
    if entry.card not in talk.view.rules.districts:
        return ""
    if seat - 1 in notebook.adding:
        return ADD
    if talk.seat != seat - 1:
        return ""
    hand = notebook.of(talk.seat)
    if not hand.told or entry.card in hand.told or talk.lists.stack:
        return ""
    return "ask" if tap_meaning.find_meaning(talk.view, talk.legal, entry, (), seat).moves else ADD


def may_add(session: Session, seat: int) -> bool:
    """Whether that hand has a card that is not told."""
    number = session.notebook.count_cards(seat)
    return number is not None and number > len(session.notebook.of(seat).told)


def may_be_told(talk: Conversation, entry: Entry) -> bool:
    """Whether the chip's card could be added to the conversation's own hand."""
    if talk.seat is None or not isinstance(entry, DistrictChip):
        return False
    return entry.card in talk.view.rules.districts and may_add(talk.session, talk.seat)


def waits(talk: Conversation, entry: Entry, seat: int) -> bool:
    """Whether a touch of a chip that could be told means neither a move nor adding it for sure."""
    meaning = means_to_tell(talk, entry, seat)
    if meaning:
        return meaning != ADD
    return not tap_meaning.find_meaning(talk.view, talk.legal, entry, (), seat).moves


def touch(talk: Conversation, entry: Entry, seat: int | None) -> bool:
    """Do what the touch means for the hand; return whether it meant anything. At the table's own
    readers nothing is said: only that player's phone shows it."""
    if seat is None or not isinstance(entry, DistrictChip):
        return False
    meaning = means_to_tell(talk, entry, seat)
    if not meaning:
        # a full hand takes nothing, and nobody notices
        return seat - 1 in talk.session.notebook.adding and talk.seat is None
    if meaning == "ask":
        moves = tap_meaning.find_meaning(talk.view, talk.legal, entry, (), seat).moves
        rows = (
            Row(_("Build it"), moves, 1, card=entry.card),
            Row(_("Add it to my hand"), number=2, word=f"{TELL} {entry.card}"),
        )
        sentence = _("{district}: build it, or add it to your hand?")
        talk.lists.open(Offer(sentence.format(district=card(entry.card)), rows))
        talk.list_rows()
    elif talk.seat is not None:
        add(talk, entry.card)
    else:
        with suppress(StoreError):  # nothing is said here; the phone shows that it is missing
            talk.session.tell_hand(seat - 1, ADD, entry.card)
    return True


def add(talk: Conversation, district: str) -> None:
    """Add a card to the conversation's own hand, and say so there."""
    talk.forget()
    if tell(talk, ADD, district):
        talk.say("note", _("{district}: in your hand.").format(district=card(district)))


def preview_telling(talk: Conversation, entry: Entry, seat: int | None) -> list[str]:
    """What the touch would do for the hand; nothing if it means a move."""
    meaning = means_to_tell(talk, entry, seat)
    if meaning == ADD:
        return [_("It is added to your list.")]
    return (
        [_("You will be asked whether to build it or to add it to your hand.")] if meaning else []
    )


def sort_key(table: Table, hand: Hand, district: str) -> tuple[int, int]:
    """The place of a district in a list to build from: told cards first, in the order in which they
    were told, by whether the player can pay."""
    if district not in hand.told:
        return 2, 0
    affordable = price(table, district) <= table.acting.gold
    return int(not affordable), hand.told.index(district)


WORDS: dict[str, Callable[[Conversation, str], None]] = {TELL: add}
"""What the rows of a seat's own conversation do besides moves."""
