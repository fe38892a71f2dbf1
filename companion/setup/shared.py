"""A game that is being set up, as every face shares it: the draft, who is offered, and how it
begins."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

from common.problems import Problems
from companion import language, setup
from companion.game.session import Session
from companion.history import people
from companion.language import _, list_offered, listing, number_entry, translate
from companion.log import StoreError
from companion.setup.draft import Draft, name_seats
from engine import record, views
from engine.explain import Refused
from engine.referee import Referee

if TYPE_CHECKING:
    from companion.log.store import GameInfo, Store
    from companion.settings.config import Config
    from companion.setup import PlayOptions


class SetUp:
    """What the faces share while a game is being set up."""

    def __init__(
        self,
        draft: Draft,
        begin: Callable[[Draft], object],
        store: Store | None = None,
        *,
        again: tuple[str, ...] = (),
        unfinished: GameInfo | None = None,
        resume: Callable[[int], object] = lambda _id: None,
        leave: Callable[[], object] = lambda: None,
    ) -> None:
        """`begin` starts the game that was drafted, `resume` the `unfinished` one, by its id; both
        may raise StoreError. The `store` knows who has played here. `again` are the players of the
        game before, `leave` goes back to it."""
        self.draft = draft
        self.again = again
        self.unfinished = unfinished
        self.leave = leave
        self.stays = False
        """Whether there is nothing to go back to: it is open on phones."""
        self.list_joined: Callable[[], Collection[int]] = tuple
        """The seats whose players have come with their phones."""
        self._begin, self._resume, self._store = begin, resume, store
        self._known_names = people.list_offered(store) if store is not None else []
        self.listeners: list[Callable[[], object]] = []
        self.version = 0
        self.is_done = False

    def describe(self) -> list[str]:
        """What the unfinished game is; nothing if there is none, or it can't be replayed."""
        if self._store is None or self.unfinished is None:
            return []
        return describe_unfinished(self._store, self.unfinished)

    @property
    def offered(self) -> list[str]:
        """Players of earlier games who are not seated yet, if there is a chair left."""
        draft = self.draft
        if len(draft.players) >= draft.edition.max_players:
            return []
        return [name for name in self._known_names if name not in draft.players]

    def seat(self, name: str) -> str:
        """Seat a player, on a seat that has only a number if one is free; return the problem, or
        ""."""
        draft, joined = self.draft, self.list_joined()
        numbered = name_seats(draft.edition.max_players)
        seats = [
            seat
            for seat, player in enumerate(draft.players)
            if player in numbered and seat not in joined
        ]
        return draft.add(name) if name in numbered or not seats else draft.rename(seats[0], name)

    def note_change(self) -> None:
        """Have every face draw again."""
        self.version += 1
        for listener in tuple(self.listeners):
            listener()

    def begin(self) -> list[str]:
        """Start the game; returns what is wrong with it, in sentences."""
        if self.is_done:
            return []
        if problems := self.draft.list_problems():
            return problems
        if self.draft.edition.crown_by_lot and not self.draft.crown:
            self.draft.draw_crown()
        try:
            with language.speaking_to_table():
                self._begin(self.draft)
        except StoreError as error:
            return [translate(str(error))]
        self._end()
        return []

    def resume(self) -> list[str]:
        """Continue the unfinished game; returns why it cannot be."""
        try:
            with language.speaking_to_table():
                if self.unfinished is not None:
                    self._resume(self.unfinished.id)
        except StoreError as error:
            return [translate(str(error))]
        self._end()
        return []

    def go_back(self) -> None:
        if not self.stays:
            self._end()
            self.leave()

    def _end(self) -> None:
        self.is_done = True
        self.note_change()


def open_given(store: Store, options: PlayOptions, config: Config) -> Session | None:
    """The game that the options ask for; None if people are to set one up. Raises Problems for
    options that make no game, and StoreError as `Session` does."""
    if options.resume:
        return Session.resume(store, options.game)
    if options.players:
        return Session.begin(store, setup.from_options(options, config), teach=options.teach)
    return None


def format_row(what: str, answer: str) -> str:
    """A row's subject and answer, as read aloud."""
    what, answer = what.rstrip("…"), answer.rstrip("…")
    if not answer:
        return what
    if what.endswith("?"):
        return _("{question} {answer}").format(question=what, answer=answer)
    return number_entry(what, answer)


def offer_languages() -> str:
    """How to switch to another language, and the languages available."""
    sentence = _("language fr: switch to French. Available: {known}.")
    return sentence.format(known=", ".join(list_offered()))


def tell_how() -> list[str]:
    return [
        _("Type an answer or its number; Enter alone accepts the suggestion."),
        _("back: the previous question. quit, or Ctrl+D: leave."),
        _("On a keypad: plus accepts the suggestion, point goes back, slash repeats the question."),
        offer_languages(),
    ]


def tell_how_on_screen() -> list[str]:
    return [
        _("Type names, with commas or spaces between them, or choose those who have played here."),
        _("Enter on a player: first crown, another name, another seat, or does not play."),
        _(
            "Or mark a player: F2 another name, Shift+↑ ↓ another seat, Del removes, F7 first "
            "crown."
        ),
        _("F8 draws the crown by lot. Tab goes to the next section."),
        _("Enter on a line of the game changes it. F5 starts the game, F6 continues the last one."),
    ]


# -- a game that can be resumed --------------------------------------------------------------------


def find_unfinished(store: Store) -> GameInfo | None:
    """The game played last at this table, if it is not over."""
    try:
        last = store.find_last_own_game()
    except StoreError:
        return None
    return last if last is not None and not last.finished else None


def describe_unfinished(store: Store, game: GameInfo) -> list[str]:
    """Its box, players, round, turn, and when it was played; empty if it can't be replayed."""
    # Imports the rules, which the screen that finds the game can be painted without.
    try:
        log = store.load(game.id)
        referee = Referee(record.read_setup(log.setup).table())
        for text in log.moves:
            referee.play(text)
    except (StoreError, Problems, Refused):
        return []
    view = views.redact(referee.table, views.PUBLIC)
    waiting = views.find_awaited(view)
    return [
        _("Game {name} is not finished: {edition}, {names}.").format(
            name=game.name,
            edition=translate(view.rules.edition.title),
            names=listing(view.rules.player_names),
        ),
        _("Round {round}, {player} to play; last played {when}.").format(
            round=view.round,
            player=view.seats[waiting[0] if waiting else view.crown].name,
            when=f"{game.update_time.astimezone():%Y-%m-%d %H:%M}",
        ),
    ]
