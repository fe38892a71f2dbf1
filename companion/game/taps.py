"""What a tap does now: a move, a choice to make, a command, or a card shown; and what it would do.

A scanner's code is a chip's short name on a line of its own, and counts as a tap. Labels carry them
(companion.labels); `tags.yaml` uses the same names: `district tavern 3`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.chips.entries import (
    CALLER_ACTIONS,
    DIGITS,
    ActionChip,
    CardChip,
    CharacterChip,
    Entry,
    PlayerChip,
    ReferenceChip,
    describe_action,
)
from companion.game import keys, picks, private_input, tap_meaning, teaching, telling, words
from companion.game.asking import Offer, Row
from companion.language import _, card, translate
from companion.verbs import SECRET_TARGETS, label
from companion.wording import facts
from engine.moves import Move, fold

if TYPE_CHECKING:
    from companion.game.conversation import Conversation
    from companion.game.tap_meaning import Meaning


def tap(talk: Conversation, entry: Entry, uid: bytes, seat: int | None) -> None:
    """Do what the tapped chip means now; `seat` (from 1) is whose own reader it was, if any."""
    if talk.private is not None:
        _take_private(talk, entry, seat)
        return
    if talk.reading.own:
        teaching.read_alone(talk, tap_meaning.entry_card(entry))
        return
    if telling.touch(talk, entry, seat):
        return
    last = talk.reading.card
    if isinstance(entry, ReferenceChip) and last is not None and last.number == entry.number:
        teaching.step_reading(talk, 1)
    elif isinstance(entry, ActionChip) and entry.name in CALLER_ACTIONS:
        _do_action(talk, entry.name, seat)
    elif talk.session.over:
        if not talk.tell_part():
            _explain(talk, entry, tap_meaning.Meaning())
    else:
        _move(talk, entry, uid, seat)


def _do_action(talk: Conversation, name: str, seat: int | None) -> None:
    """Do what the program itself answers: a digit, or a command."""
    if name in DIGITS:
        _take_digit(talk, name)
    elif name == "city":
        view = talk.view
        talk.say("answer", *facts.city(view, facts.find_asked_seat(view)))
    elif name == "mine" and seat is not None:
        words.run(talk, name, str(seat))
    else:
        words.run(talk, name)


def _take_digit(talk: Conversation, digit: str) -> None:
    numbers = {row.number for row in talk.offer.rows}
    if digit == "0" and not talk.lists.digits and 0 not in numbers:
        words.run(talk, "repeat")
        return
    keys.press(talk, digit, is_tapped=True)
    if talk.lists.digits:
        sentence = _("{number}: tap another digit, or the enter chip.")
        talk.say("note", sentence.format(number=talk.lists.digits))


def _move(talk: Conversation, entry: Entry, uid: bytes, seat: int | None) -> None:
    view, legal = talk.view, talk.legal
    reason = tap_meaning.reject_out_of_turn(view, legal, entry, seat)
    if reason is not None:
        talk.say("refused", reason)
        return
    meaning = mean(talk, entry, seat)
    if meaning.move is not None:
        if not _confirm_second_build(talk, meaning.move, uid):
            _play(talk, meaning.move, uid)
        return
    talk.lists.clear()
    before, talk.pending_chips = talk.pending_chips, meaning.pending
    if meaning.moves:
        talk.ask_among(meaning.moves)
    elif meaning.pending != before:
        talk.say("note", picks.tell_gathered(legal, meaning.pending))
    elif _is_whispered(talk, entry):
        talk.say("refused", _("You can't choose that; nothing has changed."))
    else:
        _explain(talk, entry, meaning)


def mean(talk: Conversation, entry: Entry, seat: int | None) -> Meaning:
    """What the chip means now, in the top list or else at this moment."""
    among = talk.lists.stack[-1].moves if talk.lists.stack else ()
    meaning = tap_meaning.find_meaning(talk.view, among, entry, talk.pending_chips, seat)
    if meaning.moves or meaning.pending:
        return meaning
    return tap_meaning.find_meaning(talk.view, talk.legal, entry, talk.pending_chips, seat)


def _play(talk: Conversation, move: Move, uid: bytes) -> None:
    if talk.play(move) and move.verb == "build" and uid:
        talk.built_chips[uid] = move.args[0]


def _confirm_second_build(talk: Conversation, move: Move, uid: bytes) -> bool:
    """Ask before the same physical card is built a second time; return whether it was asked."""
    district = talk.built_chips.get(uid)
    if not talk.people or move.verb != "build" or district != move.args[0]:
        return False
    if not any(own.id == district for seat in talk.view.seats for own in seat.city.cards):
        return False
    sentence = _("This {district} is already in a city. Build it anyway?")
    rows = (
        Row(_("No, it was tapped by mistake"), number=1, word="back"),
        Row(_("Yes, build it"), (move,), number=2),
    )
    talk.lists.open(Offer(sentence.format(district=card(district)), rows))
    talk.list_rows()
    return True


def _is_whispered(talk: Conversation, entry: Entry) -> bool:
    """Whether a character may be secret; every character is then answered the same way."""
    if not isinstance(entry, CharacterChip) or talk.seat is not None:
        return False
    view, legal = talk.view, talk.legal
    if view.rules.secret and any(move.verb in SECRET_TARGETS for move in legal):
        return True
    return talk.private_round == view.round


def _explain(talk: Conversation, entry: Entry, meaning: Meaning) -> None:
    """Say what the chip stands for when no move fits, and why none does."""
    view = talk.view
    error = tap_meaning.objection(view, entry, meaning)
    if error is not None:
        talk.refuse(error)
    if isinstance(entry, PlayerChip) and meaning.seat is None:
        sentence = _("There is no seat {seat} in this game.")
        talk.say("note", sentence.format(seat=entry.seat))
    elif meaning.seat is not None:
        talk.say("note", facts.gold(view)[meaning.seat], *facts.city(view, meaning.seat))
    elif isinstance(entry, ReferenceChip) and meaning.cards:
        teaching.begin_reading(talk, teaching.Reading(entry.number, meaning.cards))
    elif isinstance(entry, CardChip):
        talk.say("note", *facts.card_text(view, entry.card), card=entry.card)
    else:
        talk.say("note", _("This chip does nothing right now."))


def _take_private(talk: Conversation, entry: Entry, seat: int | None) -> None:
    """Handle a tap under the hand: a character, the digits of a number, or back."""
    if talk.private is None:
        return
    player = talk.private.player
    if seat is not None and player and talk.view.rules.seat_of[player] != seat - 1:
        return  # at another player's own reader: ignore it silently
    talk.private_round = talk.view.round
    if isinstance(entry, ActionChip) and entry.name == "back":
        words.go_back(talk)
    elif isinstance(entry, ActionChip) and entry.name in (*DIGITS, "enter"):
        keys.press(talk, entry.name)
    else:
        word = tap_meaning.entry_card(entry) or (
            entry.name if isinstance(entry, ActionChip) else ""
        )
        if isinstance(entry, PlayerChip) and entry.seat <= len(talk.view.seats):
            word = talk.view.seats[entry.seat - 1].name
        row = talk.private.find_row(talk.view, word) if word else None
        private_input.take(talk, row)


_WORDS = (2, 3)  # words in a short name


def take_line(talk: Conversation, line: str, *, in_public: bool) -> bool:
    """Tap the chip whose short name a typed line is; return whether it is one. If others could read
    a secret in it, ask for it again unseen."""
    entry = _read(talk, line)
    if entry is None:
        return False
    if in_public and _is_overheard(talk, entry):
        talk.listen()
        private_input.ask_again(talk)
    else:
        talk.tap(entry, str(entry).encode())
    return True


def _read(talk: Conversation, line: str) -> Entry | None:
    """The chip whose short name the line is; None for any other line, and for a player's own name.

    Those of the crown and of reference cards are commands already: who has it, and what it says.
    """
    words = line.lower().split()
    if len(words) not in _WORDS:
        return None
    if any(fold(name) == fold(line) for name in talk.view.rules.player_names):
        return None
    from companion.chips import learning  # chips are imported with the first tap

    entry = learning.read_text(" ".join(words))
    return None if isinstance(entry, ReferenceChip) else entry


def _is_overheard(talk: Conversation, entry: Entry) -> bool:
    """Whether that chip, typed on a line that others have read, could reveal a secret."""
    if talk.private is not None or talk.reading.own:
        return True
    return talk.taps_are_secret and isinstance(entry, CharacterChip | PlayerChip)


_MOST = 12  # moves that are named


def preview_tap(talk: Conversation, entry: Entry, seat: int | None) -> list[str]:
    """What tapping this chip would do now, at the reader of `seat` (from 1) or at a shared one; if
    nothing, why, and what the card says."""
    if isinstance(entry, ActionChip) and entry.name in CALLER_ACTIONS:
        return [_answer(talk, entry.name)]
    card = tap_meaning.entry_card(entry)
    if lines := telling.preview_telling(talk, entry, seat):
        return lines
    return _foretell_move(talk, entry, seat) or [
        *_find_obstacle(talk, entry, seat),
        *(facts.card_text(talk.view, card) if card is not None else ()),
    ]


def _answer(talk: Conversation, name: str) -> str:
    if name not in DIGITS:
        return _("{chip}: {does}.").format(chip=name, does=describe_action(name))
    labels = [row.label for row in talk.offer.rows if row.number == int(name)]
    return labels[0] if labels else _("This chip does nothing right now.")


def _foretell_move(talk: Conversation, entry: Entry, seat: int | None) -> list[str]:
    """The move that the tap makes, the moves it chooses between, or what it has gathered so far."""
    if talk.session.over or _is_unawaited(talk, entry, seat):
        return []
    meaning = mean(talk, entry, seat)
    labels = [label(talk.view, move) for move in meaning.moves[:_MOST]]
    if not labels and meaning.pending != talk.pending_chips:
        return [picks.tell_gathered(talk.legal, meaning.pending)]
    return labels if len(labels) < 2 else [_("You will be asked which of these you mean:"), *labels]


def _find_obstacle(talk: Conversation, entry: Entry, seat: int | None) -> list[str]:
    """Why the tap does nothing, as far as the rules say."""
    if not talk.session.over and _is_unawaited(talk, entry, seat):
        return [_("It is not your turn: a tap changes nothing.")]
    error = tap_meaning.objection(talk.view, entry, mean(talk, entry, seat))
    if error is not None:
        return [translate(error.refusal.reason)]
    return [_("This chip does nothing right now.")]


def _is_unawaited(talk: Conversation, entry: Entry, seat: int | None) -> bool:
    return tap_meaning.reject_out_of_turn(talk.view, talk.legal, entry, seat) is not None
