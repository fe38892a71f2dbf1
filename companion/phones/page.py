"""What one viewer's page shows now, in words; uses only what that viewer may know."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from companion.game import Message, awaiting, ending, hand_telling
from companion.language import _, card, coins, end_sentence, hand_cards, translate
from companion.phones import staging
from companion.wording import facts, state, story
from engine import scoring

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.game.conversation import Conversation
    from companion.game.ending import Part
    from companion.game.session import Session
    from companion.phones.staging import Choices, Chosen, EndOfGame, GreatMoment, Stage
    from companion.wording.story import ChronicleLine
    from engine.table import Table


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
    """The told hand of the page's player: the number of cards, the list, how many are not on it,
    that more are noted than there can be, whether every chip touched is added, or could be, whether
    the list has changed, whether another card can be told, and the districts that there are."""

    number: int
    noted: tuple[facts.DistrictFacts, ...]
    untold: str
    gone: str
    adding: bool
    can_add: bool
    can_undo: bool
    has_room: bool
    districts: tuple[facts.DistrictFacts, ...]
    lines: tuple[str, ...]  # the hand in words, to be read aloud


class Private(NamedTuple):
    """What only the page's player may know, all of it behind one touch that is held: news, the
    noted characters, the marks that others do not see, and the sentences that others are told
    otherwise."""

    news: Stage | None
    cards: tuple[Card, ...]
    marks: tuple[StripRank, ...]
    told: tuple[str, ...]


class Page(NamedTuple):
    """Everything on a page; an action sends `moment` back.

    An untouched page looks the same in two games that differ in a secret, so all of this is
    computed from what everybody knows, but for `private`, `hand`, `reply`, the `held` rows, and the
    choices of whoever is asked about a secret (`is_guarded`). The touches of a page count until
    `asked` is another one.
    """

    version: int
    moment: str
    game: str
    viewer: int | None
    player: str
    crown: bool
    over: bool
    turn: str  # that it is this player's turn
    question: str
    awaited: bool
    shows: bool  # this player recorded the called character and must reveal it
    is_due: bool  # whether this player is awaited for more than calling the characters
    called: str
    round: str
    strip: tuple[StripRank, ...]
    ending: str
    dealing: tuple[str, ...]  # how the characters are dealt, as far as it is still to be done
    lesson: tuple[str, ...]  # what a guided first round explains now
    asked: str  # names the question that is now asked of this player
    is_noting: bool  # whether this player is asked first of all which card they took
    is_guarded: bool  # whether the choices depend on a secret
    gold: str
    private: Private | None
    hand: Held | None  # where cards are counted
    players: tuple[Player, ...]
    choices: Choices | None
    caller: Choices | None
    told: tuple[ChronicleLine, ...]  # what happened last, by moves from 0
    answer: tuple[Message, ...]  # the response to the last action of the caller on this phone
    reply: tuple[Message, ...]  # the response to the last action of this player
    evening: tuple[Part, ...]  # who won the evening's other games
    stage: Stage | None  # what concerns this player above all, and everybody may see
    chosen: Chosen | None  # who has recorded a character
    end: EndOfGame | None
    great: GreatMoment | None = None  # what has just happened, on the television
    part: Part | None = None  # of the scores, until the last one has been told
    goes_on: bool = False  # whether this phone tells the next part
    takes_back: bool = False  # whether this player can undo their last move, or note, here


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
        self._pages.clear()

    def note_done(self, seat: int) -> None:
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
        rows += talk.asked.offer.identity
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
    reply: Iterable[Message] = (),
    has_chips: bool = False,
    moment_since: int | None = None,
) -> Page:
    """Render the page of the player with the conversation `own`, or without it the public one.
    `caller` is the table's conversation, given to the phone of the player with the crown.
    `has_chips` is whether the table has chips of districts. The page shows the great moment of the
    moves from `moment_since` on (None: none)."""
    viewer = own.seat if own is not None else None
    view = session.view
    awaited = awaiting.find(session).asked
    is_awaited = viewer is not None and awaited is not None and awaited[0] == viewer
    has_turn = is_awaited and awaited is not None and awaited[1] == "turn"
    is_for_caller = awaited is not None and awaited[1] in awaiting.OF_CALLER
    shows = viewer is not None and staging.may_show(session, viewer)
    hand = session.notebook.of(viewer) if viewer is not None else None
    question = state.question(view, to_player=is_awaited, passes=awaited is None)
    choices = None if own is None else staging.draw(own, own.view, hand)
    chosen = staging.find_chosen(session, viewer)
    is_dealt = chosen is not None and all(done for _name, done in chosen.players)
    callers = None if caller is None else staging.draw_callers(caller, viewer, view)
    is_noting = chosen is not None and not chosen.own and not state.lays_face_up(view)
    is_noting &= choices is not None and bool(choices.rows)
    if is_noting and choices is not None and viewer is not None:
        if _count_notes(session, viewer):
            choices = choices._replace(question=_("Which is your second card?"))
        question = choices.question
    elif is_awaited and viewer is not None:  # they know who they are
        name = f"{end_sentence(view.seats[viewer].name)} "
        question = question.removeprefix(name)
        if choices is not None and choices.question == state.question(view):
            choices = choices._replace(question=question)
        elif choices is not None and has_turn:  # a step of what they do
            question = choices.question.removeprefix(name)
            choices = choices._replace(question=question)
        if callers is not None:
            callers = callers._replace(question=callers.question.removeprefix(name))
    return Page(
        version=version,
        moment=moment,
        game=session.name,
        viewer=viewer,
        player="" if viewer is None else view.seats[viewer].name,
        crown=viewer == view.crown,
        over=session.over,
        turn=_("Your turn.") if has_turn else "",
        question=question,
        awaited=is_awaited,
        shows=shows,
        is_due=shows or (is_awaited and not is_for_caller),
        called=_describe_call(view),
        round=state.name_round(view),
        strip=tuple(_rank(rank) for rank in state.ranks(view)),
        ending=state.ending(view),
        dealing=() if is_dealt else tuple(state.list_remaining_steps(view)),
        lesson=tuple(session.teacher.lesson(view)),
        asked=_name_asked(session, viewer, version, is_asked=is_awaited or shows),
        is_noting=is_noting,
        is_guarded=viewer is not None and _is_guarded(view, viewer, is_awaited=is_awaited),
        gold="" if viewer is None or view.rules.only_scores else coins(view.seats[viewer].gold),
        private=None if viewer is None else _list_private(session, viewer),
        hand=None if viewer is None else _describe_hand(session, viewer, has_chips=has_chips),
        players=tuple(_player(view, seat, awaited) for seat in view.rules.seats),
        choices=choices,
        caller=callers,
        told=tuple(_tell_to_all(session)),
        answer=_leave_out_told(answer),
        reply=_leave_out_told(reply),
        evening=tuple(ending.list_evening(session)) if session.over else (),
        stage=staging.find_stage(session, viewer),
        chosen=chosen,
        end=staging.find_end(session, viewer),
        great=None if moment_since is None else staging.find_great_moment(session, moment_since),
    )


def show_part(page: Page, session: Session) -> Page:
    """That page with the part of the scores that is told now, in place of the end and of what can
    be done after it; the same if none is left to tell."""
    if not session.parts_left:
        return page
    caller = None if page.caller is None else page.caller._replace(rows=())
    narration = story.Narration(tuple(line.text for line in page.told))
    kept = story.keep_winners_back(narration, session.view).lines
    told = tuple(line._replace(text=text) for line, text in zip(page.told, kept, strict=True))
    return page._replace(
        part=ending.parts(session)[-session.parts_left - 1], end=None, caller=caller, told=told
    )


_ABOUT_SECRETS = ("warrant", "expose")
"""Questions whose answers depend on what only the asked player knows: which marker is the real
one."""


def _is_guarded(view: Table, seat: int, *, is_awaited: bool) -> bool:
    """Whether that player's choices depend on a secret: which marker is the real one, or at a call,
    whether the called character can be theirs."""
    if view.questions:
        return is_awaited and view.questions[-1].kind in _ABOUT_SECRETS
    is_unseen = len(view.seats[seat].revealed) < view.rules.picks
    return view.stage == "calling" and not is_awaited and is_unseen


def _leave_out_told(messages: Iterable[Message]) -> tuple[Message, ...]:
    """The messages but for what has happened, which the page tells everybody alike."""
    return tuple(message for message in messages if message.kind != "told")


def _name_asked(session: Session, seat: int | None, version: int, *, is_asked: bool) -> str:
    """A name for the question that is now asked of that player: another one as soon as it has been
    answered or somebody else is asked."""
    view = session.view
    if view.stage == "selection" and seat is not None:
        return f"{session.name}.{view.round}.{_count_notes(session, seat)}"
    return f"{session.name}.{version if is_asked else 'waiting'}"


def _count_notes(session: Session, seat: int) -> int:
    name = session.view.seats[seat].name
    return sum(move.args[0] == name for move in session.list_round_notes())


def _list_private(session: Session, seat: int) -> Private:
    view = session.view_of(seat)
    known = {(line.move, line.text) for line in _tell_latest(session, None)}
    return Private(
        news=staging.find_news(session, seat),
        cards=tuple(_cards(view, seat)),
        marks=tuple(_list_own_marks(view, session.view)),
        told=tuple(
            line.text for line in _tell_latest(session, seat) if (line.move, line.text) not in known
        ),
    )


def _list_own_marks(own: Table, public: Table) -> Iterable[StripRank]:
    """The ranks with the marks that only this view has."""
    for mine, theirs in zip(state.ranks(own), state.ranks(public), strict=True):
        one, other = _rank(mine), _rank(theirs)
        marks = tuple(mark for mark in one.marks if mark not in other.marks)
        if marks:
            yield one._replace(marks=marks)


def _tell_to_all(session: Session) -> list[ChronicleLine]:
    """What happened last, and in its place what was announced."""
    lines = [*_tell_latest(session, None)]
    notice = session.notice
    if notice is not None and 0 <= len(session.referee.moves) - notice.moves <= LATEST:
        # Before the next move, and after any earlier notice: a phone says what comes after what it
        # has said, so the same words are heard again.
        place = notice.moves - 1 / (notice.number + 1)
        lines.append(story.ChronicleLine(story.EVENT, translate(notice.text), place))
        lines.sort(key=lambda line: line.move)
    return lines


def _tell_latest(session: Session, viewer: int | None) -> Iterable[ChronicleLine]:
    """What happened last, with the numbers of the moves in the game."""
    moments = session.moments(LATEST, viewer)
    first = len(session.referee.moves) - len(moments)
    chronicle = story.list_chronicle(moments, session.view_of(viewer))
    for number, lines_of_move in groupby(chronicle, key=lambda line: int(line.move)):
        lines = list(lines_of_move)
        if number < 0:
            if first:  # the headings of moves that are told no more
                continue
        elif moments[number][1].verb == "choose":  # who has chosen is shown, not told
            lines = [line for line in lines if line.kind != story.EVENT]
        elif murder := staging.tell_secret_murder(*moments[number]):
            lines.append(story.ChronicleLine(story.MURDER, murder))
            lines.sort(key=story.is_heading)
        yield from (line._replace(move=first + number) for line in lines)


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


def _describe_hand(session: Session, seat: int, *, has_chips: bool) -> Held | None:
    view, notebook = session.view_of(seat), session.notebook
    hand, number = notebook.of(seat), notebook.count_cards(seat)
    if number is None or session.over:
        return None
    return Held(
        number=number,
        noted=tuple(facts.describe_district(view, card_id) for card_id in hand.all),
        untold=hand_telling.tell_untold(number - len(hand.told)),
        gone=hand_telling.tell_gone(hand, number),
        adding=seat in notebook.adding,
        can_add=has_chips and number > len(hand.told),
        can_undo=notebook.find_last(seat) is not None,
        has_room=number > len(hand.told),
        districts=tuple(facts.describe_district(view, id_) for id_ in view.rules.districts),
        lines=tuple(hand_telling.describe(view, notebook, seat)),
    )


def _cards(view: Table, seat: int) -> Iterable[Card]:
    """The characters that the player has recorded, each with its text."""
    for character in view.seats[seat].chosen:
        yield Card(character, card(character), tuple(facts.card_text(view, character)))


def _player(view: Table, index: int, awaited: tuple[int, str] | None) -> Player:
    seat, tracks_cities = view.seats[index], view.rules.tracks_cities
    has_city = tracks_cities or view.rules.only_scores
    return Player(
        name=seat.name,
        seat=index,
        gold="" if view.rules.only_scores else coins(seat.gold),
        hand=hand_cards(seat.hand) if tracks_cities else "",
        crown=index == view.crown and facts.has_crown(view),
        called=awaited is not None and awaited[0] == index,
        complete=has_city and view.is_complete(seat),
        size=state.progress(seat.city.size, view.city_size) if has_city else "",
        points=facts.points(scoring.score_of(view, index).total) if has_city else "",
        shown=tuple(Card(character, card(character), ()) for character in seat.revealed),
        city=facts.describe_city(view, index),
    )
