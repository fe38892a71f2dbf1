"""The conversation about a game at the table: what it may ask, how moves are played, and what is
said.

Its modes are in `companion.game.modes`. Everything offered, explained or refused here is computed
from public knowledge, or from what the one player whose conversation it is may know.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from common.sentences import Sentence
from companion import verbs
from companion.chips.entries import CharacterChip, Entry, PlayerChip
from companion.game import (
    Face,
    Identity,
    Kind,
    Message,
    Offer,
    asking,
    shortcuts,
    tap_meaning,
)
from companion.game.picks import is_known, list_own
from companion.game.playing import Playing
from companion.game.privacy import may_show
from companion.game.talk import Mode, Talk, tell_rows
from companion.language import _, translate
from companion.log.store import StoreError
from companion.settings.keys import ACTIONS, select_verbs
from companion.wording import editions_told, state, story
from engine.explain import Refusal, Refused
from engine.views import find_awaited

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from companion.extending import TableWord
    from companion.game.session import Session
    from companion.game.teaching import Reading
    from companion.wording.story import Narration
    from engine.moves import Move
    from engine.table import Table


class Modes(NamedTuple):
    """What a conversation may ask; whatever opens a mode finds it here (`modes.MODES`)."""

    moment: Callable[[Conversation], Mode]
    scores: Callable[[Conversation], Mode]
    choice: Callable[[Conversation, Offer], Mode]
    read_to_all: Callable[[Conversation, Reading], Mode]
    read_to_one: Callable[[Conversation], Mode]
    private: Callable[[Conversation, Sequence[Move]], Mode]


class Conversation(Talk):
    """A game in progress, as its faces see it."""

    def __init__(
        self,
        session: Session,
        face: Face,
        modes: Modes,
        *,
        people: bool = True,
        plays_forced: bool = True,
        keys_of: Mapping[str, Sequence[str]] = ACTIONS,
        seat: int | None = None,
        handed_over: bool = True,
        list_more: Callable[[], Mapping[str, TableWord]] = dict,
    ) -> None:
        """`people` are asked before they end a turn with income untaken, and hear the scores part
        by part; a program is not. `plays_forced` plays forced steps.

        Unless it is `handed_over` to whoever is asked in private, it offers what is publicly
        possible, not what that player's secret leaves of it, and no note that is its owner's.

        `list_more` names the words that extensions answer now.

        A conversation with the one player in `seat` (from 0) uses that player's view and offers
        that player's own moves. What the crowned player does for the table is left to the
        conversation without a seat, the whole table's.
        """
        super().__init__()
        self.session = session
        self.face = face
        self.people = people
        self.seat = seat
        self.handed_over = handed_over
        self.list_more = list_more
        self.playing = Playing(session, with_forced=plays_forced, viewer=seat)
        self.keys_of = keys_of
        self.verb_keys = verbs.keys(select_verbs(keys_of))
        self.modes = modes
        self.moment, self.scores = modes.moment(self), modes.scores(self)
        self.pending: tuple[str, ...] = ()  # cards tapped so far, for one move that needs several
        self.private_round = 0  # the last round with a choice by chips in private
        self.last_refusal: Refused | None = None
        self.last_answer: list[Message] = []  # the last answer, to be repeated
        self._messages: list[Message] = []

    # -- what a face draws ------------------------------------------------------------------------

    @property
    def base(self) -> Mode:
        return self.scores if self.session.over else self.moment

    @property
    def chooser(self) -> str | None:
        """Who chooses in private now: None for nobody, "" if that is asked first."""
        return self.top.player

    @property
    def stage(self) -> str:
        return self.view.stage

    @property
    def awaited(self) -> int | None:
        waiting = find_awaited(self.view)
        return waiting[0] if waiting else None

    @property
    def view(self) -> Table:
        """The table as everybody, or the one player, sees it."""
        return self.session.view_of(self.seat)

    @property
    def legal(self) -> list[Move]:
        """The moves that can be made here, as far as everybody, or the one player, can tell."""
        moves = self.session.legal(self.seat)
        if self.seat is not None:
            return list_own(self.view, moves, self.seat)
        if self.handed_over:
            return moves
        return [move for move in moves if not self.session.is_owners_note(move)]

    @property
    def can_go_back(self) -> bool:
        """Whether there is a step to go back: a list, or cards tapped so far."""
        return super().can_go_back or bool(self.pending)

    @property
    def is_for_table(self) -> bool:
        """Whether people follow it together, as at the table's own face."""
        return self.people and self.seat is None and self.handed_over

    @property
    def answers_in_private(self) -> bool:
        """Whether the answer is asked of one player alone, since it may depend on a secret."""
        return self.is_for_table and verbs.asks_for_secret(self.view)

    @property
    def taps_are_secret(self) -> bool:
        """Whether the next tap may reveal a secret: others learn nothing about it, not even whether
        it was accepted."""
        return self.top.secret or (self.seat is None and verbs.may_be_named(self.view, self.legal))

    def may_show(self, text: str) -> bool:
        """Whether the line typed so far is known to hold no secret."""
        return not self.top.secret and may_show(self.view, self.legal, text)

    # -- what people do ---------------------------------------------------------------------------

    def line(self, text: str, *, in_public: bool = False, begun: Identity | None = None) -> None:
        """Handle a typed, sanitized line: keypad keys, a command, a question, a move, nothing, or a
        scanned chip code, which counts as a tap.

        `in_public` means that others could read it: a private choice is then asked for again
        unseen.
        """
        if self.drops(begun):
            return
        entry = tap_meaning.read_line(self.view, text)
        if entry is None:
            self.top.line(text, in_public=in_public)
        elif in_public and self._may_reveal(entry):
            self.top.refuse_read()
        else:
            self.tap(entry, str(entry).encode())

    def _may_reveal(self, entry: Entry) -> bool:
        """Whether that chip's name, which others have read, could reveal a secret."""
        names_somebody = isinstance(entry, CharacterChip | PlayerChip)
        return self.top.secret or (self.taps_are_secret and names_somebody)

    def word(self, word: str, rest: str = "") -> bool:
        """Run a command by its English name; return whether it is one."""
        return self.base.run(word, rest)

    def tap(
        self,
        entry: Entry,
        uid: bytes = b"",
        seat: int | None = None,
        *,
        begun: Identity | None = None,
    ) -> bool | None:
        """Handle a tap of a known chip at the reader of `seat`, or at a shared one. Return whether
        it was accepted; None if it only showed something, or if the result is secret."""
        secret = self.taps_are_secret
        if self.drops(begun):
            return None
        self.top.tap(entry, uid, seat)
        kinds = {message.kind for message in self._messages}
        if secret or (kinds == {"note"} and not (self.pending or self.top.digits)):
            return None
        return "refused" not in kinds

    def go_back(self) -> bool:
        """Go one step back; at last, forget the cards tapped so far."""
        return super().go_back() or self.forget_pending()

    # -- modes ------------------------------------------------------------------------------------

    def open(self, mode: Mode) -> None:
        self.stop_reading()
        super().open(mode)

    def open_list(self, offer: Offer, *, asked: bool = False) -> None:
        self.open(self.modes.choice(self, offer))
        self.list_rows(asked=asked)

    def ask_among(self, moves: Sequence[Move], title: str = "") -> None:
        """Open a list that asks for the next word of these moves."""
        self.open_list(asking.narrow(self.view, moves, title or _("Which one?")))

    def ask_in_private(self, moves: Sequence[Move]) -> None:
        """Ask one player in private for one of these moves; if the answer depends on that player's
        secret, for one of the moves legal in their own view."""
        self.forget()
        if self.answers_in_private:
            wanted = {move.verb for move in moves}
            own = self.session.legal(self.view.questions[-1].seat)
            moves = [move for move in own if move.verb in wanted]
        self.open(self.modes.private(self, moves))

    def read_aloud(self, reading: Reading) -> None:
        self.forget()
        self.open(self.modes.read_to_all(self, reading))

    def close_lists(self) -> None:
        """Back to the moment, or to the card that is being read."""
        self.keep(lambda mode: mode.passes)
        self.top.clear()

    def stop_reading(self) -> None:
        while self.stack and self.stack[-1].passes:
            self.close()

    def forget(self) -> None:
        """Back to the moment; discard the cards tapped so far."""
        while self.stack:
            self.close()
        self.base.clear()
        self.pending = ()

    def forget_pending(self) -> bool:
        """Forget the cards tapped so far for a move; return whether there were any."""
        before, self.pending = self.pending, ()
        return bool(before)

    def renew(self) -> None:
        """Find the rows of the moment again: what they depend on besides the game has changed."""
        self.moment.renew()

    def relabel(self) -> None:
        """Ask again in the current language; close open lists."""
        self.keep(lambda mode: mode.secret and not mode.passes)
        self.base.clear()
        self.pending = ()
        self.renew()

    def catch_up(self) -> None:
        if self.playing.version == self.session.version:
            return
        self.playing.version = self.session.version
        self.keep(lambda mode: mode.holds())
        if not self.top.secret or self.top.passes:
            self.base.clear()
            self.pending = ()

    # -- moves ------------------------------------------------------------------------------------

    def play(self, move: Move | str, *, sure: bool = False) -> bool:
        """Play a move with the forced steps after it; return whether it was accepted. People are
        asked, unless they are `sure`, before a turn ends that would lose something."""
        sure = sure or any(row.word == shortcuts.END_ANYWAY for row in self.offer.rows)
        self.forget()
        is_end = str(move) == "end" and any(legal.text == "end" for legal in self.legal)
        if is_end and self.people and not sure:
            left = shortcuts.ask_before_end(self.view, self.legal)
            if left is not None:
                self.open_list(left)
                return False
        return self.attempt(lambda: self.playing.play(move), self.refuse)

    def attempt(self, play: Callable[[], Narration], refuse: Callable[[Refused], None]) -> bool:
        """Play and tell; or refuse, or say why it cannot be saved. Return whether it was played."""
        try:
            narration = play()
        except Refused as error:
            refuse(error)
        except StoreError as error:
            self.say("refused", translate(str(error)))
        else:
            self.tell_played(narration)
            return True
        return False

    def tell_played(self, narration: Narration) -> None:
        self.last_refusal = None
        if self.people and self.session.over:
            narration = story.keep_winners_back(narration, self.view)
        if narration.lines:
            self.say("told", *narration.lines, brief=narration.brief, shown=narration.shown)
        self.teach()
        self.base.begin()

    # -- telling ----------------------------------------------------------------------------------

    def listen(self) -> None:
        self.catch_up()
        if self._messages:
            self.last_answer, self._messages = self._messages, []

    def say(self, kind: Kind, *lines: str, why: str = "", **marks: Any) -> None:
        """Say something, with the marks of a `Message`; private ones are never repeated. `why` is
        told to who asks why it is refused, if there is more to tell than the lines do."""
        message = Message(kind, lines, **marks)
        if kind == "refused":
            self.last_refusal = Refused("", Refusal("", why or " ".join(lines), Sentence("")))
        if not message.private:
            self._messages.append(message)
        self.face.say(message)

    def refuse(self, error: Refused) -> None:
        """Say why a move is refused, as far as is public."""
        refusal = error.refusal
        self.say("refused", translate(refusal.reason), by_rule=refusal.is_by_rule)
        self.last_refusal = error

    def list_rows(self, *, asked: bool = False) -> None:
        """Say the rows that can be taken now, one a line; those of a list that has just opened only
        if somebody who listens cannot know their numbers."""
        rows = [row for row in self.offer.rows if row.why is None]
        private = self.top.secret
        was_known = not (asked or private) and all(is_known(self.view, row) for row in rows)
        self.say("list", *tell_rows(rows), private=private, known=was_known)

    def greet(self) -> None:
        """Say which game this is, its last move, and the lesson of this moment."""
        lines = [
            _("Game {name}.").format(name=self.session.name),
            *editions_told.tell_agreed(self.view),
        ]
        if self.session.referee.moves:
            lines.append(_("Last move: {what}").format(what=" ".join(self.session.tell_last())))
        elif self.view.stage == "selection":
            lines += state.selection_steps(self.view)
        self.say("note", *lines)
        self.teach()

    def teach(self) -> None:
        """Teach this moment if the first round is guided and it was not taught yet."""
        lesson = self.session.teacher.find_news(self.view)
        if lesson:
            first, *others = lesson
            self.say("told", _("Lesson: {sentence}").format(sentence=first), *others)
