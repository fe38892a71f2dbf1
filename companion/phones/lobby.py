"""The lobby: a game that is set up on phones. Who joins takes a chair by name; the phone that came
first, later the crowned player's, leads the set-up. In a public house names are given at the
computer alone. Call every method in the game's thread."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from common.clean import clean_text
from common.sentences import Sentence
from companion.game import Message
from companion.language import _, translate
from companion.phones import staging
from companion.phones.page import Moments, is_current
from companion.phones.serving.door import Proof
from companion.setup.setup_talk import SeatPage, SeatsPage, SetUpTalk
from companion.setup.shared import SetUp
from engine.moves import fold

if TYPE_CHECKING:
    from companion.game import Row
    from companion.game.talk import Mode
    from companion.phones.serving.seat_keys import SeatKeys
    from companion.phones.staging import Choices


ONLY_LEADER = Sentence("The phone that came first sets up the game.")
_NAMED_THERE = Sentence("The players are named where the game was started.")


_LEADER = 0  # instead of a seat: only one page of the lobby has rows


class _WithoutNames(SetUpTalk):
    """The set-up for a phone in a public house."""

    def open(self, mode: Mode) -> None:
        """Open a page on top, but none on which players are named."""
        if isinstance(mode, SeatsPage | SeatPage):
            self.say("refused", translate(_NAMED_THERE))
        else:
            super().open(mode)

    def add(self, text: str) -> None:
        self.say("refused", translate(_NAMED_THERE))


class Chair(NamedTuple):
    """A player's chair."""

    name: str
    has_phone: bool
    leads: bool
    crown: bool


class LobbyPage(NamedTuple):
    """What a page of the lobby shows; an action sends `moment` back. The phone that leads has
    `choices`: a list from which it can go `back`, or the overview. `settings` are the same in
    words, for everybody."""

    moment: str
    player: str
    leads: bool
    leader: str
    chairs: tuple[Chair, ...]
    phones: int
    settings: tuple[str, ...]
    doors: tuple[Row, ...]
    choices: Choices | None
    offered: tuple[str, ...]
    answer: tuple[Message, ...]
    unfinished: tuple[str, ...]
    can_leave: bool
    version: int = 0  # events about a game are news for every page of the lobby


class Lobby:
    """One set-up and the phones in it."""

    def __init__(
        self,
        set_up: SetUp,
        door: SeatKeys,
        leader: str = "",
        *,
        over: bool = False,
        is_public: bool = False,
    ) -> None:
        """`leader` is the player who leads; "": whose phone comes first. `over` is whether a game
        of these phones was played, to which the set-up can go back; `is_public`, whether the house
        is public."""
        self.set_up, self.door, self.over, self.is_public = set_up, door, over, is_public
        self.joined: list[str] = []
        """Who has joined or led since it was opened, in this order."""
        self.newcomers: set[str] = set()
        """Whose phone came with no more than the table's code."""
        self._notes: list[Message] = []
        self._talk = self._make_talk()
        self._moments = Moments()
        self._first = self._led = leader
        self._players = tuple(set_up.draft.players)
        door.seat(self._players)
        set_up.list_joined = lambda: door.now.taken
        set_up.listeners.insert(0, self._follow)

    def _make_talk(self) -> SetUpTalk:
        make = _WithoutNames if self.is_public else SetUpTalk
        return make(self.set_up, self._notes.append)

    def _follow(self) -> None:
        """Have the door know who plays now; whose name was mended keeps the phone."""
        before, self._players = self.door.now.players, tuple(self.set_up.draft.players)
        both = zip(before, self._players, strict=False)
        changes = [(old, new) for old, new in both if old != new]
        if len(before) == len(self._players) and len(changes) == 1:
            self._rename(*changes[0])
        if self._players != self.door.now.players:
            self.door.seat(self._players)

    def _rename(self, before: str, now: str) -> None:
        if self.door.now.has_phone(now):  # of the game before, which the name alone does not open
            return
        if self.door.now.has_phone(before):
            self.newcomers.add(now)
        self.door.rename(before, now)
        self.joined = [now if one == before else one for one in self.joined]
        self._first = now if self._first == before else self._first
        self._led = now if self._led == before else self._led

    def close(self) -> None:
        self.set_up.listeners.remove(self._follow)

    # -- who is here ------------------------------------------------------------------------------

    @property
    def leader(self) -> int | None:
        """The seat whose phone leads; None if none has one."""
        now = self.door.now
        order = [self._first, *self.joined, *(one.player for one in now.news), *now.players]
        leads = (name for name in order if name in now.players and name in now.holders)
        return next(map(now.players.index, leads), None)

    def find_name(self, name: str) -> str:
        """The name as somebody here or in the game before is called, if anybody is."""
        wanted = fold(clean_text(name))
        return next(
            (one for one in self.door.now.known_names if fold(one) == wanted),
            clean_text(name, limit=200),
        )

    def take_chair(self, name: str, proof: Proof | None = None) -> str:
        """Give who joins the chair of that name; returns the problem, or "". `proof` is what they
        have shown for it; None with the key alone, which proves what it was given for."""
        problem = "" if name in self.door.now.players else self.set_up.seat(name)
        if problem:
            return problem
        if proof is Proof.TABLE:
            self.newcomers.add(name)
        elif proof is Proof.SEAT:
            self.newcomers.discard(name)
        if name not in self.joined:
            self.joined.append(name)
        self.set_up.note_change()
        return ""

    def leave(self, seat: int) -> None:
        """Free the chair of who leaves with their phone."""
        self.door.leave(seat)
        self.set_up.draft.remove(seat)
        self.set_up.note_change()

    # -- what the phone that leads does -----------------------------------------------------------

    @property
    def talk(self) -> SetUpTalk:
        """The set-up as the phone that leads sees it; another phone begins at the overview."""
        leader = self.leader
        name = "" if leader is None else self.door.now.players[leader]
        if name != self._led:
            self._led, self._talk = name, self._make_talk()
        return self._talk

    @property
    def moment(self) -> str:
        """Names what the page of the phone that leads offers, in its language. Who joins changes
        nothing there but the list of players."""
        talk, draft = self.talk, self.set_up.draft
        asked = talk.identity if talk.can_go_back else None
        return self._moments.name(_LEADER, self.set_up.version, [draft.rows(), asked])

    def act(
        self,
        work: Callable[[SetUpTalk], object],
        moment: str | None = None,
        *,
        despite_others: bool = False,
    ) -> list[str]:
        """Run `work` in the set-up, if the page of `moment` is current (`page.is_current`); returns
        why it was refused."""
        self._notes.clear()
        draft = self.set_up.draft
        if draft.same_people is None and draft.before and self._led not in self.joined:
            draft.same_people = True  # a phone of the group sets up its next game
        if self._led and self._led not in self.joined:
            self.joined.append(self._led)
        if is_current(moment, self.moment, despite_others=despite_others):
            self._moments.note_done(_LEADER)
            work(self.talk)
        else:
            self._notes.append(Message("refused", (_("Something has changed; look again."),)))
        return [text for note in self._notes if note.kind == "refused" for text in note.lines]

    def take(self, row: int, moment: str) -> None:
        def take(talk: SetUpTalk) -> None:
            if 0 <= row < len(rows := talk.offer.rows):
                talk.take(rows[row])

        self.act(take, moment, despite_others=True)

    # -- what is shown ----------------------------------------------------------------------------

    def page(self, seat: int | None) -> LobbyPage:
        """The lobby for the phone of that seat; for everybody without one."""
        draft, leader, taken = self.set_up.draft, self.leader, self.door.now.taken
        leads = seat is not None and seat == leader
        talk = self.talk
        chairs = tuple(
            Chair(name, at in taken, at == leader, name == draft.crown)
            for at, name in enumerate(draft.players)
        )
        shown = [row for row in draft.rows() if row.answer]
        unfinished = tuple(self.set_up.describe()) if self.set_up.unfinished else ()
        return LobbyPage(
            moment=self.moment if leads else "",
            player="" if seat is None else draft.players[seat],
            leads=leads,
            leader="" if leader is None else draft.players[leader],
            chairs=chairs,
            phones=len(taken),
            settings=tuple(row.label for row in shown),
            doors=talk.list_doors() if leads else (),
            choices=staging.draw(talk) if leads else None,
            offered=tuple(self.set_up.offered),
            answer=tuple(self._notes) if leads else (),
            unfinished=unfinished,
            can_leave=self.over,
        )

    def view(self, seat: int | None) -> dict[str, Any]:
        """The same as JSON."""
        page = self.page(seat)
        view: dict[str, Any] = {
            "phase": "lobby",
            "edition": self.set_up.draft.edition_id,
            "players": [chair.name for chair in page.chairs],
            "phones": [chair.has_phone for chair in page.chairs],
            "leader": page.leader or None,
            "crown": self.set_up.draft.crown or None,
            "settings": [translate(text) for text in page.settings],
        }
        if seat is not None:
            view |= {"seat": seat + 1, "player": page.player, "leads": page.leads}
            view["question"] = page.choices.question if page.choices and page.choices.back else None
            view["rows"] = [row.label for row in page.choices.rows] if page.choices else []
        return view


def do_line(lobby: Lobby, text: str) -> list[str]:
    """A line of a program for the seat that leads: `start`, `continue`, `back`, the name of a row
    and an answer (`box deluxe_2016`), or what answers the open list. Returns why it was refused."""
    word, _space, rest = text.strip().partition(" ")

    def do(talk: SetUpTalk) -> None:
        draft = lobby.set_up.draft
        answers = {str(value): value for value, _label in draft.answers(word)}
        if text == "start":
            talk.begin()
        elif text == "continue" and lobby.set_up.unfinished is not None:
            talk.resume()
        elif word == "crown" and rest in draft.players:
            draft.give_crown(rest)
            lobby.set_up.note_change()
        elif rest in answers:
            draft.choose(word, answers[rest])
            lobby.set_up.note_change()
        elif talk.can_go_back or text.isdecimal():
            talk.line(text)
        else:
            talk.say("refused", _("That is not part of the set-up."))

    return lobby.act(do)
