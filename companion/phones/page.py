"""What one viewer's page shows now, in words; uses only what that viewer may know."""

from __future__ import annotations

from typing import TYPE_CHECKING

from common import NamedTuple
from companion.game import Message, ending, telling
from companion.language import _, card, cards, coins, hand_cards, listing, plural
from companion.phones import staging
from companion.wording import facts, state, story
from engine import scoring
from engine.views import find_awaited

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from companion.game.conversation import Conversation
    from companion.game.ending import Part
    from companion.game.session import Session
    from companion.phones.staging import Choices, Chosen, EndOfGame, Stage
    from companion.wording.story import ChronicleLine
    from engine.table import Table


AGAIN, REMATCH = "again", "rematch"


class Vote(NamedTuple):
    """How many want to play again, who does in sentences, and whether the page's player does."""

    number: int
    counted: str  # "2 of 4 want to play again."
    waiting: str  # "Waiting for Mia and Ben."; "" if nobody with a phone is missing
    own: bool


class Votes:
    """The seats whose players want to play again with the same names. Call `follow` with each
    game."""

    def __init__(self, has_phone: Callable[[int], bool]) -> None:
        """`has_phone` knows which seats have one. Set `on_vote` to be called after each vote."""
        self._has_phone = has_phone
        self.on_vote: Callable[[], None] = lambda: None
        self._seats: set[int] = set()

    def follow(self, table: Conversation) -> None:
        """Ask anew, at the end of the game of the table's own conversation."""
        self._table = table
        self._seats.clear()

    @property
    def count(self) -> int:
        """The number of votes."""
        return len(self._seats)

    def _list_missing(self) -> list[str]:
        names = self._table.view.rules.player_names
        return [
            name
            for seat, name in enumerate(names)
            if self._has_phone(seat) and seat not in self._seats
        ]

    def take_from(self, seat: int) -> Callable[[str, str], bool]:
        """What does the words of that seat's phone."""
        return lambda word, _rest: self._do(seat, word)

    def _do(self, seat: int, word: str) -> bool:
        """Take the vote of that seat's phone; whether the word is one. Once all have voted, the
        game begins, if the player with the crown is among them; otherwise the table is told."""
        if word != AGAIN or not self._table.session.over:
            return False
        self._seats.add(seat)
        self.on_vote()
        if not self._list_missing():
            if self._table.view.crown in self._seats:
                return self._table.face.do(REMATCH, "")
            self._table.say("note", _("Everybody with a phone wants to play again."))
        return True

    def tell(self, seat: int | None) -> Vote | None:
        """What the page of that seat shows; None before the end."""
        if not self._table.session.over:
            return None
        names = self._table.view.rules.player_names
        text = plural(
            "{number} of {all} wants to play again.",
            "{number} of {all} want to play again.",
            len(self._seats),
            all=len(names),
        )
        missing = self._list_missing()
        waiting = _("Waiting for {names}.").format(names=listing(missing)) if missing else ""
        return Vote(len(self._seats), text, waiting, seat in self._seats)


LATEST = 12
"""Number of recent moves that a page tells."""


class Card(NamedTuple):
    """A card with its explanation: id, name, text."""

    card: str
    name: str
    lines: tuple[str, ...]


class Player(NamedTuple):
    """A player as seen by everybody."""

    name: str
    seat: int
    gold: str
    hand: str
    crown: bool
    called: bool  # is awaited now
    complete: bool
    size: str  # districts of those needed: "3/7"; "" where cities are not kept
    points: str  # so far; "" where cities are not kept
    shown: tuple[Card, ...]  # the characters shown this round
    city: tuple[facts.DistrictFacts, ...]


class StripRank(NamedTuple):
    """A rank of the round strip."""

    rank: int
    name: str
    card: str
    player: str
    marks: tuple[str, ...]
    now: bool


class Held(NamedTuple):
    """The told hand of the page's player: the number of cards, the told ones, what is asked about
    them, whether every chip touched is added, and whether another card can be told."""

    number: int
    told: tuple[facts.DistrictFacts, ...]
    untold: str
    question: str
    pool: tuple[facts.DistrictFacts, ...]  # the cards that the question is about
    asked: int  # how many of them went
    may_be_untold: bool  # whether a card that was not told may have gone
    lowered: str
    adding: bool
    has_room: bool
    lines: tuple[str, ...]  # the hand in words, to be read aloud


class Page(NamedTuple):
    """Everything on a page; an action sends `moment` back."""

    version: int
    moment: str
    game: str
    viewer: int | None
    player: str
    crown: bool
    over: bool
    question: str
    awaited: bool
    shows: bool  # this player recorded the called character and must reveal it
    called: str
    round: str
    strip: tuple[StripRank, ...]
    ending: str
    own: tuple[str, ...]  # what only this player sees: gold, hand, own characters
    cards: tuple[Card, ...]  # the characters this player has recorded
    hand: Held | None  # where cards are counted
    players: tuple[Player, ...]
    choices: Choices | None
    caller: Choices | None
    told: tuple[ChronicleLine, ...]  # what happened last, by moves from 0
    answer: tuple[Message, ...]  # the response to the last action on this phone
    evening: tuple[Part, ...]  # who won the evening's other games
    stage: Stage | None  # what concerns this player above all
    chosen: Chosen | None  # who has recorded a character
    end: EndOfGame | None
    again: Vote | None = None  # who wants to play again, after the end


class _Offered(NamedTuple):
    """The rows of a seat's page, since which version it has them, and the actions there since."""

    rows: list[object]
    since: int
    actions: int = 0


class Moments:
    """Names the moment of each seat's page: the version, since which version it offers the same
    rows, and how much was done there since. What others do meanwhile outdates no row that stays."""

    def __init__(self) -> None:
        self._pages: dict[int, _Offered] = {}

    def clear(self) -> None:
        """Follow another game."""
        self._pages.clear()

    def note_done(self, seat: int) -> None:
        """Something was done on that seat's page."""
        if (page := self._pages.get(seat)) is not None:
            self._pages[seat] = page._replace(actions=page.actions + 1)

    def name(self, seat: int, version: int, rows: list[object]) -> str:
        """The moment of that seat's page, which offers these rows."""
        page = self._pages.get(seat)
        if page is None or page.rows != rows:
            actions = page.actions if page is not None and page.since == version else 0
            page = self._pages[seat] = _Offered(rows, version, actions)
        return f"{version}.{page.since}.{page.actions}"


def list_offered(talks: Iterable[Conversation]) -> list[object]:
    """What decides whether the rows of these conversations are still the same."""
    rows: list[object] = []
    for talk in talks:
        view = talk.view
        rows.append((view.round, view.called, view.stage, view.playing.seat, view.questions))
        rows += [
            (row.word, row.card, row.number, row.moves, row.why is None)
            for row in talk.asked.offer.rows
        ]
    return rows


def is_current(moment: str | None, now: str, *, despite_others: bool) -> bool:
    """Whether what was sent from a page of that moment (None: from no page) may be done now. What
    may be done `despite_others` needs only the same rows, whatever they have done meanwhile."""
    if moment is None or moment == now:
        return True
    return despite_others and moment.partition(".")[2] == now.partition(".")[2]


def draw(
    session: Session,
    own: Conversation | None,
    caller: Conversation | None,
    *,
    version: int,
    moment: str = "",
    answer: Iterable[Message] = (),
    has_phone: Callable[[int], bool] = lambda seat: False,
) -> Page:
    """Render the page of the player with the conversation `own`, or without it the public one.
    `caller` is the table's conversation, given to the phone of the player with the crown.
    `has_phone` knows which seats have one."""
    viewer = own.seat if own is not None else None
    view = session.view_of(viewer)
    asker = find_awaited(view)
    is_awaited = viewer is not None and asker is not None and asker[0] == viewer
    hand = session.notebook.of(viewer) if viewer is not None else None
    return Page(
        version=version,
        moment=moment,
        game=session.name,
        viewer=viewer,
        player="" if viewer is None else view.seats[viewer].name,
        crown=viewer == view.crown,
        over=session.over,
        question=state.question(view),
        awaited=is_awaited,
        shows=viewer is not None and staging.may_show(session, viewer),
        called=_describe_call(view),
        round=_("Round {round}").format(round=view.round),
        strip=tuple(_rank(rank) for rank in state.ranks(view)),
        ending=state.ending(view),
        own=() if viewer is None else tuple(_describe_own(view, viewer)),
        cards=() if viewer is None else tuple(_cards(view, viewer)),
        hand=None if viewer is None else _describe_hand(session, viewer),
        players=tuple(_player(view, seat, asker) for seat in view.rules.seats),
        choices=None if own is None else staging.draw(own, view, hand),
        caller=None if caller is None else staging.draw_callers(caller, viewer, view),
        told=tuple(_tell_latest(session, viewer)),
        answer=tuple(answer),
        evening=tuple(ending.list_evening(session)) if session.over else (),
        stage=staging.find_stage(session, viewer, awaited=is_awaited),
        chosen=staging.find_chosen(session, viewer, has_phone),
        end=staging.find_end(session, viewer),
    )


def _tell_latest(session: Session, viewer: int | None) -> Iterable[ChronicleLine]:
    """What happened last, with the numbers of the moves in the game."""
    moments = session.moments(LATEST, viewer)
    first = len(session.referee.moves) - len(moments)
    for line in story.list_chronicle(moments, session.view_of(viewer)):
        yield line._replace(move=first + line.move)


def _describe_call(view: Table) -> str:
    """The called rank and its character; nothing while characters are chosen."""
    if view.stage not in ("calling", "turn") or view.called not in view.rules.by_rank:
        return ""
    return f"{view.called} {card(view.rules.by_rank[view.called])}"


def _rank(rank: state.Rank) -> StripRank:
    marks = [mark for mark in rank.marks if mark not in ("called", "now")]
    return StripRank(
        rank.rank,
        card(rank.character),
        rank.character,
        rank.player,
        tuple(state.describe_mark(mark, rank.character) for mark in marks),
        "now" in rank.marks,
    )


def _describe_own(view: Table, seat: int) -> Iterable[str]:
    """The player's gold and characters, in sentences."""
    yield facts.gold(view)[seat]
    lines = view.seats[seat].chosen
    if lines:
        yield _("You are: {characters}.").format(characters=cards(lines))


def _describe_hand(session: Session, seat: int) -> Held | None:
    view, notebook = session.view_of(seat), session.notebook
    hand, number = notebook.of(seat), notebook.count_cards(seat)
    if number is None or session.over:
        return None
    question = hand.question
    return Held(
        number=number,
        told=tuple(facts.describe_district(view, card_id) for card_id in hand.told),
        untold=telling.tell_untold(number - len(hand.told)),
        question=telling.ask(hand),
        pool=tuple(
            facts.describe_district(view, card_id)
            for card_id in (*(question.aside if question else ()), *hand.told)
        ),
        asked=question.number if question else 0,
        may_be_untold=question is not None and question.least < question.number,
        lowered=telling.tell_lowered(hand),
        adding=seat in notebook.adding,
        has_room=number > len(hand.told),
        lines=tuple(telling.describe(view, notebook, seat)),
    )


def _cards(view: Table, seat: int) -> Iterable[Card]:
    """The characters that the player has recorded, each with its text."""
    for character in view.seats[seat].chosen:
        yield Card(character, card(character), tuple(facts.card_text(view, character)))


def _player(view: Table, index: int, asker: tuple[int, str] | None) -> Player:
    seat, counts_cards = view.seats[index], view.rules.counts_cards
    return Player(
        name=seat.name,
        seat=index,
        gold=coins(seat.gold),
        hand=hand_cards(seat.hand) if counts_cards else "",
        crown=index == view.crown,
        called=asker is not None and asker[0] == index,
        complete=counts_cards and view.is_complete(seat),
        size=f"{seat.city.size}/{view.city_size}" if counts_cards else "",
        points=facts.points(scoring.score_of(view, index).total) if counts_cards else "",
        shown=tuple(Card(character, card(character), ()) for character in seat.revealed),
        city=facts.describe_city(view, index),
    )
