"""A private moment in a conversation: how it begins, what it answers, and how it ends."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from common import NamedTuple
from companion import verbs
from companion.game import typed
from companion.game.asking import Offer, Row
from companion.language import _, card, translate, vocabulary
from companion.language.vocabulary import card_names, match_names, player_names
from companion.log.store import StoreError
from engine.explain import Refused
from engine.referee import judge

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from companion.game.conversation import Conversation
    from engine.moves import Move
    from engine.table import Table


class PrivateMoment(NamedTuple):
    """The moves from which one person chooses, by player; the player may still be undecided."""

    by_player: Mapping[str, tuple[Move, ...]]
    player: str = ""

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves of the person who chooses; none until that person is known."""
        return self.by_player.get(self.player, ())

    def is_open(self, legal: set[Move]) -> bool:
        """Whether the player's choices are still legal: other players may choose theirs
        meanwhile."""
        choices = [self.moves] if self.player else self.by_player.values()
        return any(legal.issuperset(moves) for moves in choices)

    def question(self) -> str:
        """What everybody sees and hears of it."""
        if not self.player:
            return _("Who is choosing in private?")
        return _(
            "{player} is choosing in private; everyone else, please don't look or listen."
        ).format(player=self.player)

    def offer(self, table: Table) -> Offer:
        """The rows: the players, or that player's choices, characters by rank."""
        if not self.player:
            seats = table.rules.seat_of
            names = sorted(self.by_player, key=lambda name: seats[name])
            return Offer("", tuple(Row(name, (), seats[name] + 1, card=name) for name in names))
        return Offer("", tuple(_row(table, move, self.moves) for move in self.moves))

    def find_row(self, table: Table, words: str) -> Row | None:
        """The row with that number, or with a name of which the words are an unambiguous prefix."""
        rows = self.offer(table).rows
        if words.isascii() and words.isdecimal() and len(words) < 4:
            return next((row for row in rows if row.number == int(words)), None)
        exact = [row for row in rows if any(move.text == words for move in row.moves)]
        names = (
            {row.card: card_names(row.card) for row in rows if row.card}
            if self.player
            else player_names(row.card for row in rows)
        )
        matches = match_names(words, names)
        candidates = exact or [row for row in rows if row.card in matches]
        return candidates[0] if len(candidates) == 1 else None


def _row(table: Table, move: Move, among: Sequence[Move]) -> Row:
    """The row of a move: a character by its rank, an answer by its verb's number, followed by its
    place if the verb has several."""
    characters = move.words("C")
    if characters:
        rank = table.rules.characters[characters[-1]].rank
        return Row(card(characters[-1]), (move,), rank, card=characters[-1])
    of_verb = [other for other in among if other.verb == move.verb]
    place = str(of_verb.index(move) + 1) if len(of_verb) > 1 else ""
    return Row(verbs.label(table, move), (move,), int(f"{verbs.VERBS[move.verb].number}{place}"))


def begin(table: Table, moves: Sequence[Move]) -> PrivateMoment:
    """A private moment for these moves; if several players could choose, it asks who first."""
    by_player: dict[str, tuple[Move, ...]] = {}
    for move in moves:
        name = move.args[0] if move.verb == "choose" else _name_asked(table)
        by_player[name] = (*by_player.get(name, ()), move)
    return PrivateMoment(by_player, next(iter(by_player)) if len(by_player) == 1 else "")


def _name_asked(table: Table) -> str:
    return table.seats[table.questions[-1].seat].name if table.questions else table.acting.name


class InPrivate(Enum):
    """What a line in a private moment may be besides a choice."""

    LEAVE = "leave"
    REPEAT = "repeat"


def read_request(line: str) -> InPrivate | None:
    """What the line asks for; None if it should be a choice."""
    if line in (".", ",") or vocabulary.match_word(line, "back"):
        return InPrivate.LEAVE
    if line in ("", "0", "/", "?", "*0") or vocabulary.match_word(line, "repeat", "moves", "help"):
        return InPrivate.REPEAT
    return None


_OF_SIMULATED = ("tap", "hold", "lift")
"""Commands that put a chip on the simulated reader, in private as in the open."""


def ask(talk: Conversation, moves: Sequence[Move]) -> None:
    """Ask one player in private for one of these moves; if the answer depends on that player's
    secret, for one of the moves legal in their own view."""
    talk.forget()
    if talk.answers_in_private:
        verbs = {move.verb for move in moves}
        own = talk.session.legal(talk.view.questions[-1].seat)
        moves = [move for move in own if move.verb in verbs]
    talk.private = begin(talk.view, moves)
    talk.face.keep_reader(alone=True)
    _list(talk)


def take(talk: Conversation, row: Row | None) -> None:
    """Take that row of a private moment; None if it cannot be chosen."""
    moment = talk.private
    if moment is None or row is None:
        refuse(talk)
    elif not moment.player:
        talk.private = moment._replace(player=row.card)
        _list(talk)
    else:
        _choose(talk, row.moves[0])


def answer(talk: Conversation, line: str, *, in_public: bool = False) -> None:
    """Answer a line typed in a private moment: a question, a command to leave, or a choice, which
    others must not have `seen`."""
    word, _space, rest = vocabulary.translate_line(line).partition(" ")
    if word in _OF_SIMULATED and talk.face.do(word, rest.strip()):
        return
    match read_request(line):
        case InPrivate.LEAVE:
            go_back(talk)
        case InPrivate.REPEAT:
            _list(talk)
        case _ if in_public:
            ask_again(talk)
        case _:
            take(talk, talk.private.find_row(talk.view, line) if talk.private else None)


def play_typed(talk: Conversation, moves: Sequence[Move], *, in_public: bool = False) -> None:
    """Play a private move typed in full; ask in private if it is incomplete or was `seen` by
    others."""
    if len(moves) == 1 and not in_public:
        talk.forget()
        _choose(talk, moves[0])
        return
    reason = _find_public_reason(talk, moves[0])
    if reason is not None:
        talk.refuse(reason)
        return
    if len(moves) == 1:
        _refuse_read(talk)
    names = {move.args[0] for move in moves if move.verb == "choose"}
    of_verb = [move for move in talk.legal if move.verb == moves[0].verb]
    ask(talk, [move for move in of_verb if not names or move.args[0] in names])


def leave(talk: Conversation) -> None:
    """End the private moment and discard it."""
    talk.private = None
    talk.lists.clear()
    talk.face.keep_reader(alone=False)


def go_back(talk: Conversation) -> None:
    """Leave the private moment without a choice."""
    leave(talk)
    talk.say("note", _("Nothing was chosen."))


def refuse(talk: Conversation) -> None:
    """Refuse without a reason, which could name what was whispered."""
    talk.say("refused", _("You can't choose that; nothing has changed."))


def ask_again(talk: Conversation) -> None:
    """Refuse a line that others have read; in a private moment, ask once more."""
    _refuse_read(talk)
    if talk.private is not None:
        _list(talk)


def _refuse_read(talk: Conversation) -> None:
    talk.say("refused", _("Everyone could read that, so it wasn't played. Choose in private."))


def _find_public_reason(talk: Conversation, move: Move) -> Refused | None:
    """Why it cannot be played, if the reason names nobody: the verb is not possible at all or, for
    a program, public knowledge forbids it."""
    reason = typed.refuse_closed(move.verb, talk.view)
    if reason is not None:
        return Refused(move.verb, reason)
    if not talk.people:
        try:
            judge(talk.view, move)
        except Refused as error:
            return error
    return None


def _list(talk: Conversation) -> None:
    """Whisper the choices to the player; the question tells everybody who that is."""
    if talk.private is None:
        return
    talk.list_rows()
    if talk.private.player:
        choices = [(row.number or 0, row.label) for row in talk.offer.rows]
        talk.face.voice.whisper_choices(talk.private.question(), choices)


def _choose(talk: Conversation, move: Move) -> None:
    try:
        narration = talk.playing.play(move)
    except Refused:
        reason = _find_public_reason(talk, move) if talk.private is None else None
        if reason is None:
            refuse(talk)
        else:
            talk.refuse(reason)
    except StoreError as error:
        talk.say("refused", translate(str(error)))
    else:
        if talk.private is not None:
            if move.words("C"):
                talk.face.voice.whisper_chosen(move)
            leave(talk)
        talk.tell_played(narration)
