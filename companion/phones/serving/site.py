"""What all handlers share: the table, the door, and who is asking."""

from __future__ import annotations

import hmac
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from common.sentences import Sentence
from companion import language
from companion.language import _, translate, vocabulary
from companion.phones.lobby import ONLY_LEADER, Lobby
from companion.phones.page import LATEST, Page
from companion.phones.phone_table import ONLY_CROWN, NotYours, PhoneTable
from companion.phones.serving import guard, pages
from companion.phones.serving.door import SHOW, Facts, Proof, decide
from companion.phones.serving.guard import Often, Openings, Owner
from companion.phones.serving.http_messages import HttpRequest, Rejected, RejectedLate
from companion.phones.serving.pages import AsyncCache, Look
from companion.phones.serving.seat_keys import SeatKeys, SeatNews, form_token
from companion.phones.serving.where import Where
from companion.readers import PhoneGate
from engine.moves import fold

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from companion.phones.serving.stream import GameThread, Streams
    from companion.phones.serving.taps_key import TapsKey

SEAT, VISITOR, LOOK = (f"companion_{name}" for name in ("seat", "visitor", "look"))
"""Cookies: the seat's key, the visitor's key, the look."""

T = TypeVar("T")

LONGEST_CODE = 32  # characters; anything longer is no code


class Guest(NamedTuple):
    """The client that sent a request."""

    seat: int | None = None
    key: str = ""
    proof: Proof = Proof.NOTHING

    @property
    def may_look(self) -> bool:
        """Whether they may see what everybody at the table sees."""
        return decide(Facts(self.proof, wants_seat=False)) is SHOW

    @property
    def token(self) -> str:
        return form_token(self.key)


NOBODY = Guest()

_GONE = Sentence("This seat is no longer yours; take it again on the start page.")


def say_words(word: str) -> str:
    """What to type for `phones` and that word, in the current language."""
    return f"{vocabulary.find_name('phones')} {vocabulary.find_typed(word)}"


def _page_of(seat: int) -> tuple[str, int]:
    return "page", seat


class Site:
    """Everything a handler needs."""

    def __init__(
        self,
        table: PhoneTable,
        door: SeatKeys,
        desk: GameThread,
        streams: Streams,
        where: Where,
        tell: Callable[[str], None] = lambda text: None,
        say: Callable[[str], None] = lambda text: None,
        *,
        remedy: Callable[[], str] = lambda: say_words("out"),
        is_public: bool = False,
        is_hosted: bool = False,
        taps: TapsKey,
    ) -> None:
        """`tell` shows a message at the computer, `say` speaks it; both are called in the game's
        thread. `remedy` gives the key or the words there that remove the phone that came last. In a
        public house the table's code is enough for no seat. Of a table that `is_hosted`, without a
        screen, the phone with the crown frees seats. `taps` is the key for chips in the middle of
        the table."""
        self.table, self.door, self.desk, self.streams = table, door, desk, streams
        self.where, self._tell, self._say = where, tell, say
        self._remedy, self.is_public = remedy, is_public
        self.is_hosted, self.taps = is_hosted, taps
        self._wrong_codes = Often(guard.MOST_WRONG, guard.WINDOW)
        self._arrivals = Often(guard.MOST_ARRIVALS, guard.ARRIVING)
        self.openings = Openings()
        self._touches: dict[int, str] = {}  # by seat the last one that was done
        self.gate = PhoneGate()
        self.kept = AsyncCache()

    @property
    def lobby(self) -> Lobby | None:
        """The lobby, while a game is being set up."""
        return self.table.lobby

    def find_guest(self, request: HttpRequest) -> Guest:
        """The guest by cookie or bearer token. Raises Rejected for too many wrong codes."""
        guest = self._recognize(request)
        if request.bearer is not None and not guest.may_look:
            self.try_code(request, request.bearer)
        return guest

    async def find_sender(self, request: HttpRequest) -> tuple[Guest, Mapping[str, str]]:
        """The sender of a form and its fields. Raises Rejected if the form is not from a page of
        that seat."""
        fields = await request.read_form()
        guest = self.find_guest(request)
        token = fields.get("token", "").encode()
        if guest.seat is None or not hmac.compare_digest(token, guest.token.encode()):
            raise Rejected(403, translate(_GONE))
        return guest, fields

    def tell_lost(self, request: HttpRequest) -> str:
        """That the phone's seat is no longer its own, if it had one."""
        key = request.cookies.get(SEAT, "")
        return translate(_GONE) if key and self.door.now.seat_of(key) is None else ""

    def find_owner(self, request: HttpRequest) -> Owner:
        """Who answers for this request and its connection."""
        guest = self._recognize(request)
        name = request.address if guest.seat is None else f"seat {guest.seat}"
        return Owner(guest.proof, name)

    def _recognize(self, request: HttpRequest) -> Guest:
        bearer = request.bearer
        key = request.cookies.get(SEAT, "") if bearer is None else bearer
        seat = self.door.now.seat_of(key)
        if seat is not None:
            return Guest(seat, key, Proof.SEAT)
        if bearer is None:
            key = request.cookies.get(VISITOR, "")
            has_code = self.door.now.is_visitor(key)
        else:
            has_code = len(bearer) <= LONGEST_CODE and guard.is_code(bearer, self.door.now.code)
        return Guest(None, key, Proof.TABLE) if has_code else NOBODY

    def try_code(self, request: HttpRequest, typed: str) -> bool:
        """Whether `typed` is the table's code. Raises Rejected for one wrong code too many. The
        right one always passes: clients behind one router or proxy must not lock each other out;
        the codes are long enough for the speed that the server allows."""
        if not typed or len(typed) > LONGEST_CODE:
            return False
        if guard.is_code(typed, self.door.now.code):
            return True
        if self._wrong_codes.note(request.address):
            text = _("Too many wrong codes. The right one works at any time.")
            raise RejectedLate(429, text, **{"Retry-After": "60"})
        return False

    def find_look(self, request: HttpRequest) -> Look:
        return pages.read_look(request, request.cookies.get(LOOK, ""), language.current())

    async def page(self, guest: Guest, code: str) -> Page:
        """The page of the guest's seat, or the public one; cached until something changes. Raises
        Rejected if the seat is no longer theirs."""
        viewer = guest.seat
        # a seat is asked in one language: pages drawn in another are out of date
        name = _page_of(viewer) if viewer is not None else ("page", None, code)
        tellings = 0 if viewer is None else self.table.tellings.get(viewer, 0)
        taken = self.door.now.taken
        state = self.table.version, tellings, self.table.redrawn, taken, code
        page = await self.kept.get(
            name, state, lambda: self.desk.ask(lambda: self.table.page(viewer, code))
        )
        self.check_still(guest)
        return page

    async def act(self, guest: Guest, work: Callable[[int], T]) -> T:
        """Run an action of the guest's phone in the game's thread; `work` gets the seat. Raises
        Rejected if that seat may not do it or is no longer theirs."""

        def do() -> T:
            if guest.seat is None or not self.is_still(guest):
                raise NotYours(_GONE)
            return work(guest.seat)

        try:
            return await self.desk.ask(do)
        except NotYours as error:
            raise Rejected(403, translate(str(error))) from None
        finally:
            if guest.seat is not None:
                self.kept.drop(_page_of(guest.seat))  # it may have a list open now

    async def act_once(
        self, guest: Guest, fields: Mapping[str, str], work: Callable[[int], object]
    ) -> None:
        """The same for a form that its page sends again, with the same `touch`, if it gets no
        answer; it may even come after its copy."""
        touch = fields.get("touch", "")

        def do(seat: int) -> None:
            if touch and self._touches.get(seat) == touch:
                return
            work(seat)
            self._touches[seat] = touch

        await self.act(guest, do)

    # -- the door ---------------------------------------------------------------------------------

    async def admit(
        self, request: HttpRequest, name: str, proof: Proof, key: str = ""
    ) -> tuple[int, str, str]:
        """Let a phone take that player's seat, or while a game is set up a chair under that name;
        returns the seat, its player and its key. `key` is one that the phone has already. Raises
        Rejected."""

        def admit() -> tuple[int, str, str, SeatNews | None]:
            player = self._find_player(name)
            keeps = bool(key) and self.door.now.name_of(key) == player
            shown = Proof.SEAT if keeps else proof
            decision = decide(self._list_facts(player, shown))
            if not decision.lets_in:
                raise Rejected(decision.status, translate(decision.reason))
            # a seat's own code opens it always
            if shown is Proof.TABLE and self._arrivals.note(request.address):
                text = _("Too many phones have come from there; wait two minutes.")
                raise Rejected(429, text, **{"Retry-After": str(int(guard.ARRIVING))})
            says_nothing_new = keeps and proof is not Proof.SEAT
            seat = self._take_chair(player, None if says_nothing_new else proof)
            if keeps:
                return seat, player, key, None
            given = self.door.give(seat, self.table.version)
            self._report(self.door.now.news[-1])
            return seat, player, given, self.door.now.news[-1]

        seat, player, key_now, news = await self.desk.ask(admit)
        if news is not None:
            self.streams.tell_door(lambda: [news.describe()])
        return seat, player, key_now

    def _find_player(self, name: str) -> str:
        """The player of that name, who may be new in the lobby. Raises Rejected."""
        if self.lobby is not None:
            return self.lobby.find_name(name)
        names = [player for player in self.players if fold(player) == fold(name)]
        if not names:
            raise Rejected(409, _("The game has begun; choose a seat."))
        return names[0]

    def _list_facts(self, name: str, proof: Proof) -> Facts:
        is_private = self.lobby is None and self.table.is_private(self.players.index(name))
        has_phone = self.door.now.has_phone(name)
        return Facts(proof, has_phone=has_phone, is_private=is_private, is_public=self.is_public)

    def _take_chair(self, name: str, proof: Proof | None) -> int:
        """The player's seat, in the lobby with a chair if need be; `proof` as in
        `Lobby.take_chair`. Raises Rejected."""
        if self.lobby is not None:
            problem = self.lobby.take_chair(name, proof)
            if problem:
                raise Rejected(409, problem)
        return self.players.index(name)

    async def welcome(self, request: HttpRequest) -> None:
        """Give a phone of the game that can be continued its chair in the set-up."""
        key = request.cookies.get(SEAT, "") if request.bearer is None else request.bearer
        if self.lobby is None or not key or self.door.now.seat_of(key) is not None:
            return

        def welcome() -> None:
            name = self.door.welcome(key)
            if name is not None and self.lobby is not None:
                self.lobby.take_chair(name)

        await self.desk.ask(welcome)

    def _report(self, news: SeatNews) -> None:
        """Say and show it at the computer, in the set-up too."""
        if self.lobby is not None:
            self.lobby.set_up.note_change()
        self._say(news.describe())
        self._tell(self._offer_removal(news))

    def _offer_removal(self, news: SeatNews) -> str:
        told = news.describe()
        if news.kind == "freed":
            return told
        how = _("To remove it: {key}.").format(key=self._remedy())
        return f"{told} {how}"

    def list_news(self) -> list[str]:
        """What was last told of a seat's phone, with what to do about it."""
        return [*map(self._offer_removal, self.list_latest_news()[-1:])]

    def list_latest_news(self) -> list[SeatNews]:
        """The latest news of seats, until so many moves later as a page tells."""
        since = self.table.version - LATEST
        return [news for news in self.door.now.news if news.version >= since]

    @property
    def head(self) -> int | None:
        """The seat whose phone frees others: the crowned player's, or while a game is set up the
        one that leads."""
        lobby = self.lobby  # the game's thread may end it meanwhile
        if lobby is not None:
            return lobby.leader
        return self.table.session.view.crown

    def list_freeable(self, sender: int) -> list[tuple[int, str]]:
        """The seats that this seat's phone may free, with their players: the head's all others, and
        the next phone after it the head's own, once that is not connected."""
        head, now = self.head, self.door.now
        if not self.is_hosted or head is None:
            return []
        seats = [*enumerate(now.players)]
        if sender == head:
            return seats[:head] + seats[head + 1 :]
        after = (seat for seat, _name in seats[head + 1 :] + seats[:head] if seat in now.taken)
        return seats[head : head + 1] if sender == next(after, None) else []

    async def free(self, guest: Guest, seat: int) -> None:
        """Clear that seat for somebody else. Raises Rejected if the guest's phone may not."""

        def free(sender: int) -> SeatNews:
            if seat not in dict(self.list_freeable(sender)):
                raise NotYours(ONLY_CROWN if self.lobby is None else ONLY_LEADER)
            if seat == self.head and seat in self.door.now.taken and self.streams.is_heard(seat):
                name = self.players[seat]
                raise Rejected(409, _("{player}'s phone is connected.").format(player=name))
            self.door.free(seat, self.table.version, lambda: self._forget(self.players[seat]))
            self._report(self.door.now.news[-1])
            return self.door.now.news[-1]

        news = await self.act(guest, free)
        self.streams.tell_door(lambda: [news.describe()])

    def _forget(self, name: str) -> None:
        """Forget what that player has noted in the game, if there is one."""
        if self.lobby is not None and not self.lobby.over:
            return
        players = self.table.session.setup.players
        if name in players:
            self.table.forget_seat(players.index(name))

    async def leave(self, guest: Guest) -> tuple[int, str]:
        """Give the guest's seat back; returns it and its player. Raises Rejected if it is no longer
        theirs."""

        def leave(seat: int) -> tuple[int, str]:
            player = self.players[seat]
            (self.door if self.lobby is None else self.lobby).leave(seat)
            return seat, player

        left = await self.act(guest, leave)
        self.streams.tell_door()
        return left

    def is_still(self, guest: Guest) -> bool:
        """Whether the guest may keep the stream it has opened."""
        if guest.seat is not None:
            return self.door.now.seat_of(guest.key) == guest.seat
        return self.door.now.is_visitor(guest.key) or guard.is_code(guest.key, self.door.now.code)

    def check_still(self, guest: Guest) -> None:
        """Raise Rejected if the seat is no longer the guest's: another game may have begun, or
        another phone may have the seat."""
        if guest.seat is not None and not self.is_still(guest):
            raise Rejected(403, translate(_GONE))

    def own_code(self, guest: Guest) -> str:
        """The own code of the guest's seat, as shown. Raises Rejected if it is no longer theirs."""
        now = self.door.now
        if guest.seat is None or now.seat_of(guest.key) != guest.seat:
            raise Rejected(403, translate(_GONE))
        return guard.format_code(now.own_codes[now.players[guest.seat]])

    @property
    def players(self) -> tuple[str, ...]:
        return self.door.now.players
