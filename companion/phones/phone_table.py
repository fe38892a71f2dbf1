"""The table as its phones know it: a conversation for each seat. Call every method in the game's
thread; `serving` hands work over."""

from __future__ import annotations

from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from common.sentences import Sentence
from companion import language
from companion.chips.entries import ActionChip, Entry
from companion.game import Message, awaiting, ending, hand_telling, tap_meaning
from companion.game.commands import NOTHING
from companion.game.conversation import Conversation
from companion.game.hand_telling import Telling
from companion.game.modes import MODES
from companion.game.picks import whose_move
from companion.game.playing import Playing
from companion.game.session import Later, Listener, Session
from companion.game.taps import Taps
from companion.language import _, translate
from companion.log.store import StoreError
from companion.phones import page
from companion.phones.calling import PhoneFace, Recorded
from companion.phones.happenings import Happenings, ViewedEntry
from companion.phones.page import Page
from companion.wording import facts
from companion.wording.story import Narration
from engine import views
from engine.explain import Refusal, Refused

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from companion.phones.lobby import Lobby
    from engine.moves import Move
    from engine.table import Table

    Lookup = Callable[[bytes], Entry | None]

_RECORDED = "recorded"  # the key under which the seats that recorded on their own phone are stored

OWN_WORDS = ("back", "next")
GO_ON = "next"
TAKE_BACK = "take back"
"""The word of a seat that undoes its own last move, or takes back its notes."""

CALLERS_WORDS = ("undo", "redo")
NEW, REMATCH = "new", "rematch"

ONLY_CROWN = Sentence("Only the player with the crown may do that.")
_NOT_YOURS = Sentence("That move isn't yours to make.")
_OWN_NOTE = Sentence("This player has recorded a character on their own phone.")


class NotYours(Exception):
    """An action that this seat's player may not do; the message, to be translated, says so."""


class PhoneTable(Listener):
    """All phones of one table. Call `follow` first: it says which game is played."""

    def __init__(
        self,
        on_change: Callable[[], None],
        *,
        steps: bool = False,
        calls: bool = False,
        has_phone: Callable[[int], bool] = lambda seat: False,
        has_chips: Callable[[], bool] = lambda: False,
        redraw: Callable[[], None] = lambda: None,
        on_hand: Callable[[int], None] = lambda seat: None,
        later: Later = lambda seconds, work: lambda: None,
    ) -> None:
        """`on_change` is called after every move, undo and note taken back, `redraw` after whatever
        else changes what pages show, `on_hand` with a seat whose told hand has changed without a
        move. `steps` plays forced steps after a program's move too; with `calls` the ranks are
        called without the crowned player, by `later` (`Host.later`), see `find_due`. `has_phone`
        knows which seats have one, `has_chips` whether the table has chips of districts."""
        self._on_change, self._later = on_change, later
        self._end_wait: Callable[[], object] = lambda: None
        self._on_hand = on_hand
        self._redraw = redraw
        self.redrawn = 0  # how often something else was shown without a move
        self.tellings: dict[int, int] = {}
        """By seat: how often its told hand was changed."""
        self._steps = steps
        self._calls = calls
        self._has_phone, self._has_chips = has_phone, has_chips
        self._happenings = Happenings()
        self.lobby: Lobby | None = None  # while a game is being set up
        self._acting: int | None = None  # the seat on whose phone something is being done
        self._moments = page.Moments()
        self._codes: dict[int | None, str] = {}
        """The language of each seat's conversation, and of the caller's (None)."""

    def follow(
        self, table: Conversation, *, forced: bool = True, lookup: Lookup = lambda _uid: None
    ) -> None:
        """Follow the game of the table's own conversation. `forced` plays forced steps after an
        action on a page; `lookup` knows the table's chips."""
        self.table = table
        self.session: Session = table.session
        self.lookup = lookup
        self.touching: set[int] = set()  # seats whose phones have played or told a chip
        self._happenings.follow(self.session)
        settings = self.session.settings
        keep = partial(settings.put, _RECORDED)
        self._recordings = Recorded(self.session.referee.table, settings.get(_RECORDED), keep)
        self.session.has_phone = self._has_phone
        self.session.has_caller = self._has_caller
        self.session.calls_by_itself = self._calls_now
        self.session.is_owners_note = self._is_owners_note
        self._moments.clear()
        self._codes.clear()
        self._last: tuple[int, int | None] = (-1, None)
        seats = self.session.view.rules.seats
        self._faces = {seat: PhoneFace() for seat in seats}
        self._own = {
            seat: Conversation(self.session, face, MODES, plays_forced=forced, seat=seat)
            for seat, face in self._faces.items()
        }
        self._callers = PhoneFace(self._do_at_table)
        self._caller = Conversation(
            self.session, self._callers, MODES, plays_forced=forced, handed_over=False
        )
        self.session.attend(self)
        self.change()

    @property
    def version(self) -> int:
        return self._happenings.version

    def is_private(self, seat: int) -> bool:
        return self._happenings.is_private(seat)

    def forget_seat(self, seat: int) -> None:
        """Forget what was noted at that seat, for somebody else to sit there. Raises StoreError."""
        self.session.forget_seat(seat)
        self._recordings.forget(seat)
        self._happenings.forget(seat)
        self._own[seat].forget()
        self.change()

    # -- what is shown ----------------------------------------------------------------------------

    def page(self, viewer: int | None, code: str) -> Page:
        """The page of that seat's player (None: the public one), in that language."""
        draw = partial(
            page.draw,
            version=self.version,
            has_chips=viewer in self.touching or self._has_chips(),
        )
        with language.speaking(code):
            if viewer is None:
                since = self._find_last() or 0
                drawn = draw(self.session, None, None, moment_since=since)
                return page.show_part(drawn, self.session)
            self._turn_to(viewer, code)
            caller = self._caller if self.session.view.crown == viewer else None
            if caller is not None:
                caller.renew()  # notes are left to whoever has a phone by now
            own, moment = self._own[viewer], self._moment(viewer)
            drawn = draw(
                *(self.session, own, caller),
                moment=moment,
                answer=self._callers.messages if caller else (),
                reply=self._faces[viewer].messages,
            )
            drawn = drawn._replace(
                takes_back=self.may_take_back(viewer),
                goes_on=self.may_go_on(viewer),
            )
            drawn = page.show_part(drawn, self.session)
        if drawn.caller is not None and self._is_left_to_another(viewer):
            return drawn._replace(caller=drawn.caller._replace(rows=()))
        return drawn

    def _is_left_to_another(self, seat: int) -> bool:
        """Whether only the player who is asked may answer, on a phone of their own: a refusal would
        tell the seat with the crown whether the warrant is the signed one."""
        questions = self.session.view.questions
        if not questions or questions[-1].kind != "warrant":
            return False
        asked = questions[-1].seat
        is_recorded = self.session.view_of(asked).marks.signed is not None
        return is_recorded and asked != seat and self._has_phone(asked)

    def _turn_to(self, seat: int, code: str) -> None:
        """Ask that seat's player again if the phone's language has changed."""
        if self._codes.get(seat, code) != code:
            self._own[seat].relabel()
            self._moments.note_done(seat)  # a list may have been closed
        self._codes[seat] = code
        if self.session.view.crown == seat:
            if self._codes.get(None, code) != code:
                self._caller.relabel()
            self._codes[None] = code

    def view(self, viewer: int | None) -> dict[str, Any]:
        """The table in the format of `companion replay --json`, for that viewer."""
        if self.lobby is not None:
            return self.lobby.view(viewer)
        return views.table_json(self.session.view_of(viewer), viewer=viewer)

    def events(self, viewer: int | None, code: str, after: int) -> list[ViewedEntry]:
        """The happenings after that version, oldest first. Only the current table if there are too
        many, or if the version is from another game."""
        if self.lobby is None:
            return self._happenings.events(viewer, code, after)
        return [ViewedEntry(self.version, (), self.lobby.view(viewer))]

    # -- the told hand ----------------------------------------------------------------------------

    def tell_typed(self, seat: int, words: str, code: str) -> None:
        """Add the district that was typed or scanned on that seat's phone to its hand."""

        def work(talk: Conversation) -> None:
            district = hand_telling.find_district(talk.view, words)
            if district is None:
                text = _("No single district begins with “{words}”.")
                talk.say("refused", text.format(words=words))
            else:
                Telling(talk).add(district)

        self._do(seat, code, False, work)

    def switch_adding(self, seat: int, *, on: bool) -> None:
        """Let every district touched at that seat be added to its hand, or no longer."""
        adding = self.session.notebook.adding
        (adding.add if on else adding.discard)(seat)
        self.tell_hand(seat)

    def tell_hand(self, seat: int) -> None:
        """That seat's rows may be others now."""
        self.tellings[seat] = self.tellings.get(seat, 0) + 1
        self._own[seat].renew()
        self._moments.note_done(seat)  # its rows may be others now
        self._on_hand(seat)

    # -- actions on a page ------------------------------------------------------------------------

    def take(self, seat: int, row: int, moment: str, code: str, *, as_caller: bool = False) -> None:
        """Take a row of the page rendered at `moment`. If it offers other rows now, it gets an
        explanation."""
        if as_caller and self._is_left_to_another(seat):
            raise NotYours(_NOT_YOURS)
        self._do(seat, code, as_caller, lambda talk: self._take(talk, row), moment)

    def word(
        self, seat: int, word: str, moment: str, code: str, *, as_caller: bool = False
    ) -> None:
        """Do one of OWN_WORDS, or a word of the caller: one of CALLERS_WORDS, unless anything has
        happened since `moment`. Or TAKE_BACK, where `may_take_back`."""
        if word == GO_ON and self.session.over:
            self._do(seat, code, False, lambda _talk: self._go_on(seat), moment)
            return
        if word == TAKE_BACK:
            self._do(seat, code, False, lambda _talk: self._take_back(seat), moment)
            return
        if word not in OWN_WORDS and not (as_caller and word in (*CALLERS_WORDS, NEW)):
            raise NotYours(ONLY_CROWN)
        is_own = word in OWN_WORDS
        work = partial(Conversation.word, word=word)
        self._do(seat, code, as_caller, work, moment, despite_others=is_own)

    # -- the ceremony at the end ------------------------------------------------------------------

    def may_go_on(self, seat: int) -> bool:
        """Whether a touch on that seat's phone tells the next part: on the crown's, or on any
        other where the crown's player has none."""
        crown = self.session.view.crown
        return self.session.parts_left > 0 and (seat == crown or not self._has_phone(crown))

    def _go_on(self, seat: int) -> None:
        if not self.may_go_on(seat):
            raise NotYours(ONLY_CROWN)
        if self.table.is_for_table:
            with language.speaking_to_table():
                self.table.base.go_on()
        else:
            self.session.tell_part(self.session.parts_left - 1)

    def _begin_ceremony(self) -> None:
        """Tell the first part, where no face at the table does; without phones, all of them."""
        is_led = any(map(self._has_phone, self.session.view.rules.seats))
        if is_led and not self.table.is_for_table:
            self.session.parts_left = len(ending.parts(self.session)) - 1

    # -- taking back ------------------------------------------------------------------------------

    def may_take_back(self, seat: int) -> bool:
        """Whether that seat's player can take back on their own phone what they did last: a note,
        or a move after which nobody else has moved and nothing that was secret has come out."""
        if self.session.view.stage == "selection":
            return bool(self.session.list_notes(seat))
        place = self._find_last()
        if place is None or self.session.over:
            return False
        before, move, _after = self.session.referee.list_latest()[place]
        is_own = whose_move(before, move) == seat and move.verb != "reveal"
        return is_own and not self._has_come_out(before)

    def _find_last(self) -> int | None:
        """The place of the last move that somebody chose."""
        if self._last[0] != self.session.version:
            self._last = self.session.version, self._caller.playing.find_last()
        return self._last[1]

    def _has_come_out(self, before: Table) -> bool:
        """Whether a target that was secret then is public now."""
        true, shown, now = before.marks, self.session.redact_for(None, before), self.session.view
        named = (("killed", true.killed), ("robbed", true.robbed))
        return any(
            character is not None
            and getattr(shown.marks, mark) is None
            and getattr(now.marks, mark) == character
            for mark, character in named
        )

    def _take_back(self, seat: int) -> None:
        if not self.may_take_back(seat):
            raise NotYours(_NOT_YOURS)
        if self.session.view.stage == "selection":
            self._recordings.forget(seat)
            self.session.take_notes_back(seat)
        else:
            self._own[seat].word("undo")

    def _is_owners_note(self, move: Move) -> bool:
        view = self.session.view
        if move.verb != "choose" or view.stage != "selection":
            return False
        seat = view.seat_named(move.args[0])
        return self._has_phone(seat) or self._recordings.has(view.round, seat)

    def tap(self, seat: int, entry: Entry, uid: bytes, code: str) -> tuple[str, ...]:
        """Tap a chip with that seat's phone, as on its player's own reader; returns what is said.
        Raises NotYours for one of CALLERS_WORDS from a player without the crown."""
        if self._is_for_crown(seat, entry):
            raise NotYours(ONLY_CROWN)
        messages = self._do(seat, code, False, lambda talk: talk.tap(entry, uid, seat))
        return tuple(line for message in messages for line in message.lines)

    def tap_in_the_middle(self, entry: Entry, uid: bytes) -> tuple[str, ...]:
        """Tap a chip at the table's own reader; returns what everybody is told."""
        version = self.version
        self.table.tap(entry, uid, None)
        return self._happenings.tell_everybody(version)

    def describe_tap(self, seat: int | None, entry: Entry, code: str) -> list[str]:
        """What such a tap would do now, or for a viewer without a seat what the chip is."""
        with language.speaking(code):
            if seat is not None and self._is_for_crown(seat, entry):
                return [translate(ONLY_CROWN)]
            if seat is not None:
                return Taps(self._own[seat]).preview(entry, seat)
            card = tap_meaning.entry_card(entry)
            return [] if card is None else facts.card_text(self.session.view, card)

    def offers_adding(self, seat: int, entry: Entry) -> tuple[bool, bool]:
        """Whether such a touch could also add the card to that seat's told hand, and whether its
        page waits for a touch, because it is not sure which is meant."""
        talk = self._own[seat]
        hand = Telling(talk)
        may = hand.may_be_told(entry)
        return may, may and hand.waits(entry, seat)

    def _is_for_crown(self, seat: int, entry: Entry) -> bool:
        """Whether the chip is a word of the caller and that seat does not have the crown."""
        is_callers = isinstance(entry, ActionChip) and entry.name in CALLERS_WORDS
        return is_callers and self.session.view.crown != seat

    def move(self, seat: int, text: str, code: str) -> tuple[str, ...]:
        """Play a move in notation that a program sends for that seat; for the crowned player also
        one of CALLERS_WORDS, NEW, and after the end REMATCH. Returns what is said. Raises NotYours
        if its player may not make it, Refused if the rules forbid it, with the reason as that
        player may know it, and StoreError if it cannot be saved."""
        if text in CALLERS_WORDS:
            return self._step_in_time(seat, text, code)
        if text == NEW or (text == REMATCH and self.session.over):
            return self._do_as_host(seat, text, code)
        move = self.session.referee.read(text)
        is_own = whose_move(self.session.view_of(seat), move) == seat
        if not is_own and (self.session.view.crown != seat or self._is_left_to_another(seat)):
            raise NotYours(_NOT_YOURS)
        self._check_note(seat, move)
        playing = Playing(
            self.session, with_forced=self._steps, viewer=seat if is_own else views.PUBLIC
        )
        with self._acts(seat), language.speaking(code):
            narration = playing.play(move)
        return narration.lines

    def _check_note(self, seat: int, move: Move) -> None:
        """Raise NotYours for a note about another player who has made their own on their phone."""
        if move.verb == "choose":
            owner = self.session.view.seat_named(move.args[0])
            if owner != seat and self._recordings.has(self.session.view.round, owner):
                raise NotYours(_OWN_NOTE)

    def _step_in_time(self, seat: int, word: str, code: str) -> tuple[str, ...]:
        """Undo or redo as much as a program plays with one move; without the crown, undo one's own
        last move, or take one's notes back."""
        is_own = word == "undo" and self.may_take_back(seat)
        is_note = is_own and self.session.view.stage == "selection"
        if self.session.view.crown != seat and not is_own:
            raise NotYours(ONLY_CROWN)
        playing = Playing(self.session, with_forced=self._steps)
        version = self.version
        with self._acts(seat), language.speaking(code):
            if is_note:
                self._take_back(seat)
            elif not (playing.undo() if word == "undo" else playing.redo()):
                raise Refused(word, Refusal("", NOTHING[word], Sentence("Notation, Moves")))
        with language.speaking(code):
            return self._happenings.tell_everybody(version)

    def _do_as_host(self, seat: int, word: str, code: str) -> tuple[str, ...]:
        messages = self._do(seat, code, True, lambda talk: talk.face.do(word, ""))
        lines = tuple(line for message in messages for line in message.lines)
        if any(message.kind == "refused" for message in messages):  # only the log can refuse now
            raise StoreError(*lines)
        return lines

    def _do(
        self,
        seat: int,
        code: str,
        as_caller: bool,
        work: Callable[[Conversation], object],
        moment: str | None = None,
        *,
        despite_others: bool = True,
    ) -> Sequence[Message]:
        """Run `work` in that seat's conversation, or in the caller's, if the page of `moment` is
        current (`page.is_current`); returns what was said."""
        if as_caller and self.session.view.crown != seat:
            raise NotYours(ONLY_CROWN)
        talk, face = (
            (self._caller, self._callers) if as_caller else (self._own[seat], self._faces[seat])
        )
        self._faces[seat].messages.clear()
        self._callers.messages.clear()
        with self._acts(seat), language.speaking(code):
            now = self._moment(seat)
            if page.is_current(moment, now, despite_others=despite_others):
                self._moments.note_done(seat)
                work(talk)
            else:
                face.say(Message("refused", (_("Something has changed; look again."),)))
        return list(face.messages)

    def _do_at_table(self, word: str, rest: str) -> bool:
        """Let the table's own face begin the next game, which every phone then follows."""
        return word in (REMATCH, NEW) and self.table.face.do(word, rest)

    def _take(self, talk: Conversation, row: int) -> None:
        if 0 <= row < len(rows := talk.asked.offer.rows):
            talk.take(rows[row])

    def _moment(self, seat: int) -> str:
        has_crown = self.session.view.crown == seat
        talks = (self._own[seat], *((self._caller,) if has_crown else ()))
        rows = [*page.list_offered(talks), self.session.parts_left]
        return self._moments.name(seat, self.version, rows)

    @contextmanager
    def _acts(self, seat: int) -> Iterator[None]:
        """Within the block that seat's phone acts; afterwards the table's own face tells, in its
        language, what was done."""
        version, self._acting = self.version, seat
        try:
            yield
        finally:
            self._acting = None
        if self._happenings.list_since(version):
            lines = self._happenings.tell_everybody(version)
            self.table.tell_played(Narration(lines, lines, lines))

    # -- the calling without a caller -----------------------------------------------------------

    def find_due(self) -> tuple[int, float] | None:
        """The version for `call_on`, and the seconds until it should be called. None while players
        are awaited, after an undo, or if a player did not record their character on a phone."""
        due = self._find_next()
        return None if due is None else (self.version, due[1])

    def call_on(self, version: int) -> None:
        """Make the due move, unless something has happened since that version."""
        due = self._find_next()
        if due is not None and version == self.version:
            self.table.play(due[0])

    def change(self) -> None:
        """Have everybody hear of a change; what was due before it is void."""
        self._on_change()
        self._end_wait()
        if due := self.find_due():
            self._end_wait = self._later(due[1], partial(self.call_on, due[0]))

    def _find_next(self) -> tuple[Move, float] | None:
        if self.lobby is not None or self.session.next_redo or not self._calls_now():
            return None
        return awaiting.find_next(self.session.referee.table)

    def _has_caller(self) -> bool:
        said = self.session.calling
        return not self._calls if said is None else said != "by_itself"

    def _calls_now(self) -> bool:
        return not self._has_caller() and self._recordings.is_complete(self.session)

    # -- what happens ----------------------------------------------------------------------------

    def tell_move(self, before: Table, move: Move, after: Table) -> None:
        self._recordings.note(self.session.referee.table, move, self._acting)
        if self.session.over and before.stage != "over":
            self._begin_ceremony()
        self._note(move, undone=False)

    def tell_undo(self, lines: Sequence[str], view: Table) -> None:
        self._note(self.session.referee.undone[-1], undone=True)

    def tell_shown(self) -> None:
        self.redrawn += 1
        self._redraw()

    def tell_notice(self, text: str) -> None:
        self.tell_shown()

    def tell_note_back(self) -> None:
        self._happenings.note(None, undone=True)
        self.change()

    def _note(self, move: Move, *, undone: bool) -> None:
        if undone or move.verb != "choose":  # a choice changes nothing for the others
            for face in (*self._faces.values(), self._callers):
                face.messages.clear()  # it was about the previous moment
        self._happenings.note(move, undone=undone)
        self.change()
