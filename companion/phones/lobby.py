"""The lobby: a game that is set up on phones. Who joins takes a chair by name; the phone that came
first, later the crowned player's, leads the set-up. Call every method in the game's thread."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from common import NamedTuple
from common.sentences import Sentence
from companion.files.clean import clean_text
from companion.language import _, translate
from companion.phones.page import Moments, is_current
from companion.setup.conversation import SetUpTalk
from companion.setup.shared import PageName, SetUp, SetupPage, SetupRow
from engine.moves import fold

if TYPE_CHECKING:
    from companion.phones.serving.seat_keys import SeatKeys


_LEADER = 0  # instead of a seat: only one page of the lobby has rows

ONLY_LEADER = Sentence("The phone that came first sets up the game.")


class Chair(NamedTuple):
    """A player's chair."""

    name: str
    has_phone: bool
    leads: bool
    crown: bool


class LobbyPage(NamedTuple):
    """What a page of the lobby shows; an action sends `moment` back. `asked` is the open list of
    the phone that leads, None without one; then `rows` are those of the overview. `settings` are
    the same in words, for everybody."""

    moment: str
    player: str
    leads: bool
    leader: str
    chairs: tuple[Chair, ...]
    phones: int
    settings: tuple[str, ...]
    rows: tuple[SetupRow, ...]
    asked: SetupPage | None
    offered: tuple[str, ...]
    answer: tuple[tuple[str, str], ...]
    unfinished: tuple[str, ...]
    can_leave: bool
    version: int = 0  # events about a game are news for every page of the lobby


class Lobby:
    """One set-up and the phones in it."""

    def __init__(
        self, set_up: SetUp, door: SeatKeys, leader: str = "", *, over: bool = False
    ) -> None:
        """`leader` is the player who leads; "": whose phone comes first. `over` is whether a game
        of these phones was played, to which the set-up can go back."""
        self.set_up, self.door, self.over = set_up, door, over
        self.joined: list[str] = []
        """Who has joined since it was opened, in this order."""
        self._order = [leader] if leader else []
        self._notes: list[tuple[str, str]] = []
        self._talk = self._make_talk()
        self._moments = Moments()
        self._led = leader
        self._players = tuple(set_up.draft.players)
        door.seat(self._players)
        set_up.list_joined = lambda: door.taken
        set_up.listeners.insert(0, self._follow)

    def _make_talk(self) -> SetUpTalk:
        return SetUpTalk(self.set_up, lambda kind, text: self._notes.append((kind, text)))

    def _follow(self) -> None:
        """Have the door know who plays now."""
        self._players = tuple(self.set_up.draft.players)
        if self._players != self.door.players:
            self.door.seat(self._players)

    def close(self) -> None:
        """Stop following the set-up."""
        self.set_up.listeners.remove(self._follow)

    # -- who is here ------------------------------------------------------------------------------

    @property
    def leader(self) -> int | None:
        """The seat whose phone leads; None if none has one."""
        players, names = self.door.players, self.door.taken
        order = [*self._order, *(players[one.seat] for one in self.door.arrivals), *players]
        seats = {name: seat for seat, name in enumerate(players)}
        return next((seats[name] for name in order if seats.get(name) in names), None)

    def find_seat(self, name: str) -> int | None:
        """The chair of that name, if there is one."""
        target = fold(clean_text(name))
        names = [fold(player) for player in self.door.players]
        return names.index(target) if target in names else None

    def add(self, name: str) -> str:
        """Give who joins a chair of their own; returns the problem, or ""."""
        problem = self.set_up.seat(clean_text(name, limit=200))
        if not problem:
            self.set_up.note_change()
        return problem

    def note_joined(self, seat: int) -> None:
        """Note that a phone has come to that chair."""
        name = self.door.players[seat]
        if name not in self._order:
            self._order.append(name)
        self.joined.append(name)
        self.set_up.note_change()

    def rename(self, seat: int, name: str) -> str:
        """Give the player with that phone another name; returns the problem, or ""."""
        before = self.door.players[seat]
        problem = self.set_up.draft.rename(seat, name)
        if not problem:
            now = self.set_up.draft.players[seat]
            self.door.rename(seat, now)
            self._order = [now if one == before else one for one in self._order]
            self.joined = [now if one == before else one for one in self.joined]
            self.set_up.note_change()
        return problem

    def leave(self, seat: int) -> None:
        """Free the chair of who leaves with their phone."""
        self.door.free(seat)
        self.set_up.draft.remove(seat)
        self.set_up.note_change()

    # -- what the phone that leads does -----------------------------------------------------------

    @property
    def talk(self) -> SetUpTalk:
        """The set-up as the phone that leads sees it; another phone begins at the overview."""
        leader = self.leader
        name = "" if leader is None else self.door.players[leader]
        if name != self._led:
            self._led, self._talk = name, self._make_talk()
        return self._talk

    @property
    def moment(self) -> str:
        """Names what the page of the phone that leads offers, in its language. Who joins changes
        nothing there but the list of players."""
        talk, draft = self.talk, self.set_up.draft
        asked = [] if talk.is_at_start else [(row.label, row.is_in) for row in talk.asked.rows]
        return self._moments.name(_LEADER, self.set_up.version, [talk.place, draft.rows(), asked])

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
        if is_current(moment, self.moment, despite_others=despite_others):
            self._moments.note_done(_LEADER)
            work(self.talk)
        else:
            self._notes.append(("refused", _("Something has changed; look again.")))
        return [text for kind, text in self._notes if kind == "refused"]

    def take(self, page: str, row: int, moment: str) -> None:
        """Take a row of the open list, or of the page's own section."""

        def take(talk: SetUpTalk) -> None:
            has_section = page in (PageName.OVERVIEW, PageName.SEATS)
            rows = (talk.page(page) if has_section else talk.asked).rows
            if 0 <= row < len(rows):
                talk.take(rows[row])

        self.act(take, moment, despite_others=True)

    # -- what is shown ----------------------------------------------------------------------------

    def page(self, seat: int | None) -> LobbyPage:
        """The lobby for the phone of that seat; for everybody without one."""
        draft, leader, names = self.set_up.draft, self.leader, self.door.taken
        leads = seat is not None and seat == leader
        talk = self.talk
        chairs = tuple(
            Chair(name, at in names, at == leader, name == draft.crown)
            for at, name in enumerate(draft.players)
        )
        rows = [row for row in draft.rows() if row.answer]
        lines = tuple(self.set_up.describe()) if self.set_up.unfinished else ()
        return LobbyPage(
            moment=self.moment if leads else "",
            player="" if seat is None else draft.players[seat],
            leads=leads,
            leader="" if leader is None else draft.players[leader],
            chairs=chairs,
            phones=len(names),
            settings=tuple(row.label for row in rows),
            rows=talk.page(PageName.OVERVIEW).rows if leads else (),
            asked=talk.asked if leads and not talk.is_at_start else None,
            offered=tuple(self.set_up.offered),
            answer=tuple(self._notes) if leads else (),
            unfinished=lines,
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
            question = page.asked
            view |= {"seat": seat + 1, "player": page.player, "leads": page.leads}
            view["question"] = question.heading if question else None
            view["rows"] = [row.label for row in (question.rows if question else page.rows)]
        return view


def do_line(lobby: Lobby, text: str) -> list[str]:
    """A line of a program for the seat that leads: `start`, `continue`, `back`, the name of a row
    and an answer (`box deluxe_2016`), or what answers the open list. Returns why it was refused."""
    word, _space, rest = text.strip().partition(" ")

    def do(talk: SetUpTalk) -> None:
        draft = lobby.set_up.draft
        values = {str(value): value for value, _label in _list_answers(lobby, word)}
        if text == "start":
            talk.begin()
        elif text == "continue" and lobby.set_up.unfinished is not None:
            talk.resume()
        elif word == "crown" and rest in draft.players:
            draft.give_crown(rest)
            lobby.set_up.note_change()
        elif rest in values:
            draft.choose(word, values[rest])
            lobby.set_up.note_change()
        elif not talk.is_at_start or text.isdecimal():
            talk.line(text)
        else:
            talk.say("refused", _("That is not part of the set-up."))

    return lobby.act(do)


def _list_answers(lobby: Lobby, name: str) -> list[tuple[Any, str]]:
    draft = lobby.set_up.draft
    return draft.answers(name) if name in draft.switchable else []
