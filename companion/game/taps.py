"""What a tapped chip does, and what it would do: a move, a step of one, a command, or the card it
stands for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.chips.entries import (
    CALLER_ACTIONS,
    DIGITS,
    ActionChip,
    CardChip,
    CharacterChip,
    CrownChip,
    Entry,
    PlayerChip,
    ReferenceChip,
    describe_action,
)
from companion.game import Offer, Row, picks, tap_meaning, teaching
from companion.game.hand_telling import Telling
from companion.language import _, card, translate
from companion.verbs import SECRET_TARGETS, label
from companion.wording import facts

if TYPE_CHECKING:
    from companion.game.conversation import Conversation
    from companion.game.tap_meaning import Meaning
    from engine.moves import Move

_MOST = 12  # moves that are named


class Taps:
    """The chips tapped in one conversation."""

    def __init__(self, talk: Conversation) -> None:
        self.talk = talk
        self._built: dict[bytes, str] = {}  # districts, by the chips that built them

    def do_action(self, name: str, seat: int | None) -> None:
        """Do what the program itself answers: a digit, or a command."""
        talk = self.talk
        if name in DIGITS:
            self._take_digit(name)
        elif name == "city":
            talk.say("answer", *facts.city(talk.view, facts.find_asked_seat(talk.view)))
        else:
            talk.word(name, str(seat + 1) if name == "mine" and seat is not None else "")

    def _take_digit(self, digit: str) -> None:
        talk = self.talk
        if (
            digit == "0"
            and not talk.top.digits
            and 0 not in {row.number for row in talk.offer.rows}
        ):
            talk.word("repeat")
            return
        talk.top.press(digit)
        if talk.top.digits:
            sentence = _("{number}: tap another digit, or the enter chip.")
            talk.say("note", sentence.format(number=talk.top.digits))

    def play(self, entry: Entry, uid: bytes, seat: int | None) -> None:
        """Play the move that the chip means, gather it for one that needs several, ask, or
        explain."""
        talk, view, legal = self.talk, self.talk.view, self.talk.legal
        reason = tap_meaning.reject_out_of_turn(view, legal, seat)
        if reason is not None:
            talk.say("refused", reason)
            return
        meaning = self._mean(entry, seat)
        if meaning.move is not None:
            if not self._confirm_second_build(meaning.move, uid):
                self._play_move(meaning.move, uid)
            return
        talk.close_lists()
        before, talk.pending = talk.pending, meaning.pending
        if meaning.moves:
            talk.ask_among(meaning.moves)
        elif meaning.pending and meaning.pending != before:
            talk.say("note", picks.tell_pending(legal, meaning.pending))
        elif self._is_whispered(entry):
            talk.say("refused", _("You can't choose that; nothing has changed."))
        else:
            self.explain(entry, meaning)

    def _mean(self, entry: Entry, seat: int | None) -> Meaning:
        """What the chip means now, in the top list or else at this moment."""
        talk = self.talk
        among = talk.offer.moves if talk.stack else ()
        meaning = tap_meaning.find_meaning(talk.view, among, entry, talk.pending, seat)
        if meaning.moves or meaning.pending:
            return meaning
        return tap_meaning.find_meaning(talk.view, talk.legal, entry, talk.pending, seat)

    def _play_move(self, move: Move, uid: bytes) -> None:
        if self.talk.play(move) and move.verb == "build" and uid:
            self._built[uid] = move.args[0]

    def _confirm_second_build(self, move: Move, uid: bytes) -> bool:
        """Ask before the same physical card is built a second time; return whether it was asked."""
        talk, district = self.talk, self._built.get(uid)
        if not talk.people or move.verb != "build" or district != move.args[0]:
            return False
        if not any(own.id == district for seat in talk.view.seats for own in seat.city.cards):
            return False
        sentence = _("This {district} is already in a city. Build it anyway?")
        rows = (
            Row(_("No, it was tapped by mistake"), number=1, word="back", yes=False),
            Row(_("Yes, build it"), (move,), number=2, yes=True),
        )
        talk.open_list(Offer(sentence.format(district=card(district)), rows))
        return True

    def _is_whispered(self, entry: Entry) -> bool:
        """Whether a character may be secret; every character is then answered the same way."""
        talk = self.talk
        if not isinstance(entry, CharacterChip) or talk.seat is not None:
            return False
        if talk.view.rules.secret and any(move.verb in SECRET_TARGETS for move in talk.legal):
            return True
        return talk.private_round == talk.view.round

    def explain(self, entry: Entry, meaning: Meaning) -> None:
        """Say what the chip stands for when no move fits, and why none does."""
        talk, view = self.talk, self.talk.view
        if (error := tap_meaning.objection(view, entry, meaning)) is not None:
            talk.refuse(error)
        if isinstance(entry, PlayerChip) and entry.seat > len(view.seats):
            sentence = _("There is no seat {seat} in this game.")
            talk.say("note", sentence.format(seat=entry.seat))
        elif isinstance(entry, PlayerChip | CrownChip):
            seat = entry.seat - 1 if isinstance(entry, PlayerChip) else view.crown
            talk.say("note", facts.gold(view)[seat], *facts.city(view, seat))
        elif isinstance(entry, ReferenceChip) and (cards := tap_meaning.list_read(view, entry)):
            talk.read_aloud(teaching.Reading(entry.number, cards))
        elif isinstance(entry, CardChip):
            talk.say("note", *facts.card_text(view, entry.card), card=entry.card)
        else:
            talk.say("note", _("This chip does nothing right now."))

    # -- what it would do -------------------------------------------------------------------------

    def preview(self, entry: Entry, seat: int | None) -> list[str]:
        """What tapping this chip would do now, at the reader of `seat` or at a shared one;
        if nothing, why, and what the card says."""
        if isinstance(entry, ActionChip) and entry.name in CALLER_ACTIONS:
            return [self._foretell_action(entry.name)]
        if lines := Telling(self.talk).preview(entry, seat):
            return lines
        if lines := self._foretell_move(entry, seat):
            return lines
        card_id = tap_meaning.entry_card(entry)
        text = facts.card_text(self.talk.view, card_id) if card_id is not None else []
        return [self._find_obstacle(entry, seat), *text]

    def _foretell_action(self, name: str) -> str:
        if name not in DIGITS:
            return _("{chip}: {does}.").format(chip=name, does=describe_action(name))
        labels = [row.label for row in self.talk.offer.rows if row.number == int(name)]
        return labels[0] if labels else _("This chip does nothing right now.")

    def _foretell_move(self, entry: Entry, seat: int | None) -> list[str]:
        """The move that the tap makes, the moves it chooses between, or the cards tapped so
        far."""
        talk = self.talk
        if talk.session.over or self._is_unawaited(seat):
            return []
        meaning = self._mean(entry, seat)
        labels = [label(talk.view, move) for move in meaning.moves[:_MOST]]
        if not labels and meaning.pending and meaning.pending != talk.pending:
            return [picks.tell_pending(talk.legal, meaning.pending)]
        if len(labels) < 2:
            return labels
        return [_("You will be asked which of these you mean:"), *labels]

    def _find_obstacle(self, entry: Entry, seat: int | None) -> str:
        """Why the tap does nothing, as far as the rules say."""
        if not self.talk.session.over and self._is_unawaited(seat):
            return _("It is not your turn: a tap changes nothing.")
        error = tap_meaning.objection(self.talk.view, entry, self._mean(entry, seat))
        if error is not None:
            return translate(error.refusal.reason)
        return _("This chip does nothing right now.")

    def _is_unawaited(self, seat: int | None) -> bool:
        talk = self.talk
        return tap_meaning.reject_out_of_turn(talk.view, talk.legal, seat) is not None
