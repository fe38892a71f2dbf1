"""Setting up a game in the line caller: numbered questions with defaults and a way back."""

from __future__ import annotations

from itertools import starmap
from typing import TYPE_CHECKING

from common.problems import Problems
from companion import language, setup
from companion.files.clean import clean_text
from companion.game.session import Session, SessionError
from companion.history import people
from companion.language import _, end_sentence, listing, number_entry, plural, translate, vocabulary
from companion.plain import asking
from companion.plain.asking import BACK, NEXT, Questions, refusal, tell
from companion.setup.draft import CAST, MORE, PEOPLE, UNIQUES, Draft
from companion.setup.options import PlayOptions
from engine import record
from engine.moves import fold, split
from engine.views import find_awaited

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.log.store import GameInfo, Store
    from companion.settings.config import Config
    from companion.setup.draft import Row
    from engine.record import Setup


def open_session(
    store: Store, options: PlayOptions, config: Config, read: Callable[[], str | None]
) -> Session | None:
    """The session to play; None if the input ended first. `read` returns the next typed line.

    Raises Problems for options that make no game, and SessionError and StoreError as `Session`
    does.
    """
    if options.resume:
        return Session.resume(store, options.game)
    game_setup = setup.from_options(options, config)
    if game_setup is not None:
        return Session.begin(store, game_setup, teach=options.teach)
    last = store.find_last_own_game()
    if not options.new and last is not None and not last.finished:
        session = _resume(store, last)
        goes_on = session is not None and _ask_to_continue(session, last, Questions(read))
        if goes_on:
            return session
        if session is not None:
            session.close()
        if goes_on is None:
            return None
    known_names = people.list_offered(store)
    asking = Asking(config, read, options=options, last=_setup_of(last), known_names=known_names)
    game_setup = asking.ask_for_game()
    if game_setup is None:
        return None
    session = Session.begin(store, game_setup, teach=asking.draft.teach)
    if language.current() != config.language:  # switched meanwhile
        session.speak(language.current())
    return session


def players(game: GameInfo) -> str:
    """The players of a saved game."""
    names = game.setup.get("players")
    return ", ".join(map(str, names)) if isinstance(names, list) else "?"


def _setup_of(last: GameInfo | None) -> Setup | None:
    """The setup of the last game, offered as the default; None if there is none."""
    try:
        return record.read_setup(last.setup) if last is not None else None
    except Problems:
        return None  # by another version, or with another cards.yaml


def _resume(store: Store, game: GameInfo) -> Session | None:
    """Resume that game; None, and print why, if it can't be replayed."""
    try:
        return Session.resume(store, game.id)
    except SessionError as error:
        tell(str(error))
        return None


def _ask_to_continue(session: Session, game: GameInfo, questions: Questions) -> bool | None:
    """Ask whether to continue the game; None at end of input. The question is in the language in
    which the game was left; what follows it only if the answer is yes."""
    code = language.current()

    def question() -> list[str]:
        view = session.view
        waiting = find_awaited(view)
        return [
            _("Game {name} is not finished: {edition}, {names}.").format(
                name=game.name, edition=translate(view.rules.edition.title), names=players(game)
            ),
            _("Round {round}, {player} to play; last played {when}.").format(
                round=view.round,
                player=view.seats[waiting[0] if waiting else view.crown].name,
                when=f"{game.updated:%Y-%m-%d %H:%M}",
            ),
            _("Continue it? yes or no; Enter: yes."),
        ]

    while (answer := questions.ask(question)) is not None:
        if not answer or vocabulary.match_word(answer, "yes", "y", "1"):
            return True
        if answer == BACK or vocabulary.match_word(answer, "no", "n", "2"):
            language.use(code)
            return False
    return None


class Asking:
    """The questions for a new game, and the draft that their answers edit."""

    def __init__(
        self,
        config: Config,
        read: Callable[[], str | None],
        *,
        options: PlayOptions | None = None,
        last: Setup | None = None,
        known_names: Sequence[str] = (),
        asks_people: bool = False,
    ) -> None:
        """`read` returns the next typed line; `last` is the game whose players are the default, and
        `known` are other players of this table. With `asks_people` it asks whether the group stays
        the same."""
        choices = options or PlayOptions()
        self.questions = Questions(read)
        self.draft = Draft.of(choices, config, last if options is None else None)
        self.again = tuple(last.players) if last else ()
        self.draft.before = self.again if asks_people else ()
        self.known_names = [name for name in known_names if name not in self.again]
        self._last_outcome = NEXT  # how the last question ended
        self._asks_players = choices.players is None
        self._asks_cast = not (choices.cast or choices.characters)

    def ask_for_game(self) -> Setup | None:
        """Ask until the answers make a game; None at end of input, or after going back from the
        first question."""
        tell(_("New game: {edition}.").format(edition=translate(self.draft.edition.title)))
        questions = [self._ask_players] if self._asks_players else []
        questions += [self._ask_people] if self.draft.before else []
        questions += [self._ask_cast, self._ask_crown]
        place = 0
        while place < len(questions):
            outcome = questions[place]()
            if outcome is None or (outcome == BACK and place == 0):
                return None
            self._last_outcome = outcome
            place += -1 if outcome == BACK else 1
        return self.draft.setup()

    # -- the questions ----------------------------------------------------------------------

    def _ask_players(self) -> str | None:
        edition = self.draft.edition
        fits = edition.min_players <= len(self.again) <= edition.max_players
        others = listing(self.known_names)

        def question() -> list[str]:
            who = _("Who plays? {fewest} to {most} names in seat order, clockwise.")
            return [
                who.format(fewest=edition.min_players, most=edition.max_players),
                *([_("Enter: {names}.").format(names=listing(self.again))] if fits else []),
                *(
                    [_("Also known here: {names}.").format(names=others)]
                    if self.known_names
                    else []
                ),
            ]

        tell(
            _("Type light first to track only gold, murders and robberies, not cities."),
            _("Type teach first to have each character explained in the first round."),
        )
        while True:
            answer = self.questions.ask(question)
            if answer is None or answer == BACK:
                return answer
            change = setup.choose_by_word(
                answer, PlayOptions(options=self.draft.options, teach=self.draft.teach)
            )
            if change is not None:
                self.draft.options = dict(change[0].options or {})
                self.draft.teach = change[0].teach
                tell(change[1])
                continue
            names = _names(answer) if answer or not fits else list(self.again)
            self.draft.players, self.draft.crown = names, ""
            if names and self._is_possible():
                tell(plural("{number} player.", "{number} players.", len(names)))
                return NEXT

    def _ask_people(self) -> str | None:
        draft = self.draft
        usual = dict(draft.answers(PEOPLE))[draft.is_same_group]
        tell(_("The same people keep their seats and the code; for others the code is new."))

        def question() -> list[str]:
            sentence = _("Do the same people play as in the last game? yes or no; Enter: {answer}.")
            return [sentence.format(answer=usual)]

        while True:
            answer = self.questions.ask(question)
            if answer is None or answer == BACK:
                return answer
            same = vocabulary.match_word(answer, "yes", "no")
            if same or not answer:
                draft.same_people = same == "yes" if same else draft.is_same_group
                return NEXT

    def _ask_cast(self) -> str | None:
        draft = self.draft
        if not self._asks_cast or not draft.cast.has_choice(draft.edition, draft.size):
            return self._last_outcome  # like the question before or after it
        return asking.ask_characters(draft, self.questions)

    def _ask_crown(self) -> str | None:
        draft = self.draft
        other = len(draft.players) + 1

        def question() -> list[str]:
            sentence = _("Who starts with the crown? By the rules: {who}. Enter: {player}.")
            seats = enumerate(draft.players, start=1)
            return [
                sentence.format(who=translate(draft.edition.first_crown), player=draft.players[0]),
                *starmap(number_entry, seats),
                _("{number}: change the box, characters or house rules first").format(number=other),
            ]

        while True:
            answer = self.questions.ask(question)
            if answer is None or answer == BACK:
                return answer
            if answer == str(other) and answer not in draft.players:
                if self._ask_rules() is None:
                    return None
                continue
            draft.crown = self._find_seat(answer) or answer or draft.players[0]
            if self._is_possible():
                return NEXT
            draft.crown = ""

    def _find_seat(self, answer: str) -> str:
        """The player whose name or number was typed; "" if none."""
        by_number = {str(seat): name for seat, name in enumerate(self.draft.players, start=1)}
        by_name = {fold(name): name for name in self.draft.players}
        return by_name.get(fold(answer)) or by_number.get(answer, "")

    # -- options ----------------------------------------------------------------------------

    def _ask_rules(self) -> str | None:
        """Change rows of the draft until Enter; print what makes the game impossible."""
        while True:
            place = self.questions.choose(
                lambda: [_("Set up the game. A number changes that line; Enter continues.")],
                lambda: list(map(_format_row, self.draft.rows())),
            )
            if place is None:
                return None
            if isinstance(place, int):
                if self._change(self.draft.rows()[place]) is None:
                    return None
            elif self._is_possible():
                return NEXT

    def _change(self, row: Row) -> str | None:
        draft = self.draft
        if row.name == CAST:
            return asking.ask_characters(draft, self.questions)
        if row.name == UNIQUES:
            return asking.ask_uniques(draft, self.questions)
        if row.name == MORE:
            draft.change(MORE)
            return NEXT
        place = self.questions.choose(
            lambda: [_("{row}. Enter keeps it.").format(row=_format_row(row))],
            lambda: [words for _value, words in draft.answers(row.name)],
        )
        if isinstance(place, int):
            draft.choose(row.name, draft.answers(row.name)[place][0])
            return NEXT
        return place

    def _is_possible(self) -> bool:
        """Whether the draft makes a game; prints what is wrong with it."""
        try:
            self.draft.setup()
        except Problems as error:
            for problem in error.problems:
                tell(refusal(end_sentence(problem.text)))
            return False
        return True


def _names(answer: str) -> list[str]:
    """The names typed, separated by commas or spaces; a number alone means that many players, named
    after their seats."""
    if answer.isascii() and answer.isdecimal() and len(answer) < 3:
        seats = range(1, int(answer) + 1)
        return [_("Player {number}").format(number=seat) for seat in seats]
    names = answer.split(",") if "," in answer else split(answer) or answer.split()
    return [clean_text(name) for name in names if name.strip()]


def _format_row(row: Row) -> str:
    """A row's subject and answer, as read aloud."""
    what, answer = row.what.rstrip("…"), row.answer.rstrip("…")
    if not answer:
        return what
    sentence = _("{question} {answer}") if what.endswith("?") else _("{question}: {answer}")
    return sentence.format(question=what, answer=answer)
