"""The private choice: one person chooses, the others neither look nor listen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from common.clean import read_number
from companion import verbs
from companion.chips.entries import DIGITS, ActionChip, Entry, PlayerChip
from companion.game import Offer, Row, tap_meaning
from companion.game.talk import Mode
from companion.language import _, vocabulary
from companion.language.vocabulary import card_names, match_names, player_names
from companion.wording import state

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.game.conversation import Conversation
    from companion.wording.story import Narration
    from engine.explain import Refused
    from engine.moves import Move

_OF_SIMULATED = ("tap", "hold", "lift")
"""Commands that put a chip on the simulated reader, in private as in the open."""


class Private(Mode):
    """The moves from which one person chooses; if several people could, it asks first who does.

    Nothing put in is repeated, and nothing is refused with a reason: it could name what was
    whispered.
    """

    secret = True
    talk: Conversation

    def __init__(self, talk: Conversation, moves: Sequence[Move]) -> None:
        super().__init__(talk)
        self._by_player: dict[str, tuple[Move, ...]] = {}
        for move in moves:
            name = move.args[0] if move.verb == "choose" else self._name_asked()
            self._by_player[name] = (*self._by_player.get(name, ()), move)
        self.player: str = next(iter(self._by_player)) if len(self._by_player) == 1 else ""

    def _name_asked(self) -> str:
        table = self.talk.view
        return table.seats[table.questions[-1].seat].name if table.questions else table.acting.name

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves of the person who chooses; none until that person is known."""
        return self._by_player.get(self.player, ())

    # -- what is asked ----------------------------------------------------------------------------

    def question(self) -> str:
        """What everybody sees and hears of it."""
        if not self.player:
            return _("Who is choosing in private?")
        return _(
            "{player} is choosing in private; everyone else, please don't look or listen."
        ).format(player=self.player)

    def offer(self) -> Offer:
        """The players, or that player's choices, characters by rank."""
        if self.player:
            return Offer("", tuple(map(self._row, self.moves)))
        seats = self.talk.view.rules.seat_of
        names = sorted(self._by_player, key=lambda name: seats[name])
        return Offer("", tuple(Row(name, (), seats[name] + 1, card=name) for name in names))

    def _row(self, move: Move) -> Row:
        """The row of a move: a character by its rank, an answer by its verb's number."""
        table = self.talk.view
        if characters := move.words("C"):
            named = characters[-1]
            rank = table.rules.characters[named].rank
            return Row(state.mark_face_up(table, named), (move,), rank, card=named)
        number = verbs.VERBS[move.verb].number
        return Row(verbs.label(table, move), (move,), number, yes=verbs.says_yes(move.verb))

    def find_row(self, words: str) -> Row | None:
        """The row with that number, that of yes or no, or with a name of which the words are an
        unambiguous prefix."""
        rows = self.offer().rows
        yes = vocabulary.match_yes_or_no(words)
        if yes is not None and any(row.yes is yes for row in rows):
            return next(row for row in rows if row.yes is yes)
        if (number := read_number(words, 3)) is not None:
            return next((row for row in rows if row.number == number), None)
        exact = [row for row in rows if any(move.text == words for move in row.moves)]
        names = (
            {row.card: card_names(row.card) for row in rows if row.card}
            if self.player
            else player_names(row.card for row in rows)
        )
        named = match_names(words, names)
        candidates = exact or [row for row in rows if row.card in named]
        return candidates[0] if len(candidates) == 1 else None

    def holds(self) -> bool:
        """Whether the player's choices are still legal: other players may choose theirs
        meanwhile."""
        questions = self.talk.view.questions
        legal = {*self.talk.legal}
        legal.update(self.talk.session.legal(questions[-1].seat) if questions else ())
        choices = [self.moves] if self.player else self._by_player.values()
        return any(legal.issuperset(moves) for moves in choices)

    def begin(self) -> None:
        self._whisper()

    def _whisper(self) -> None:
        """List the choices to the player; the question tells everybody who that is."""
        self.talk.list_rows()
        if self.player:
            choices = [(row.number or 0, row.label) for row in self.offer().rows]
            self.talk.face.voice.whisper_choices(self.question(), choices)

    def leave(self) -> None:
        super().leave()
        self.talk.say("note", _("Nothing was chosen."))

    # -- what is put in ---------------------------------------------------------------------------

    def refuse(self, _reason: Refused | None = None) -> None:
        """Refuse without a reason."""
        self.talk.say("refused", _("You can't choose that; nothing has changed."))

    def refuse_number(self, number: str) -> None:
        self.refuse()

    def refuse_read(self) -> None:
        """Refuse what others have read, and ask once more."""
        super().refuse_read()
        self._whisper()

    def letter(self, key: str) -> bool:
        """No letter is a choice."""
        if len(key) != 1 or not key.isprintable() or key.isspace():
            return False
        self.refuse()
        return True

    def take(self, row: Row | None) -> None:
        """Take that row; None if nothing of the kind can be chosen."""
        if row is None:
            self.refuse()
        elif not self.player:
            self.player = row.card
            self._whisper()
        else:
            move = row.moves[0]
            self.talk.attempt(lambda: self._play(move), self.refuse)

    def _play(self, move: Move) -> Narration:
        """Play it, and leave before the table hears of it."""
        narration = self.talk.playing.play(move)
        if move.words("C"):
            self.talk.face.voice.whisper_chosen(move)
        self.talk.forget()
        return narration

    def line(self, text: str, *, in_public: bool) -> None:
        """A question, a word to leave, or a choice, which others must not have read."""
        word, _space, rest = vocabulary.translate_line(text).partition(" ")
        if word in _OF_SIMULATED and self.talk.face.do(word, rest.strip()):
            return
        if text in (".", ",") or vocabulary.match_word(text, "back"):
            self.leave()
        elif text in ("", "0", "/", "?", "*0") or vocabulary.match_word(
            text, "repeat", "moves", "help"
        ):
            self._whisper()
        elif in_public:
            self.refuse_read()
        else:
            self.take(self.find_row(text))

    def tap(self, entry: Entry, uid: bytes, seat: int | None) -> None:
        """A tap under the hand: a card, a player, the digits of a number, or back. At another
        player's own reader it is ignored silently."""
        view = self.talk.view
        if seat is not None and self.player and view.rules.seat_of[self.player] != seat:
            return
        self.talk.private_round = view.round
        name = entry.name if isinstance(entry, ActionChip) else ""
        if name == "back":
            self.talk.go_back()
        elif name in (*DIGITS, "enter"):
            self.press(name)
        else:
            words = tap_meaning.entry_card(entry) or name
            if isinstance(entry, PlayerChip) and entry.seat <= len(view.seats):
                words = view.seats[entry.seat - 1].name
            self.take(self.find_row(words) if words else None)
