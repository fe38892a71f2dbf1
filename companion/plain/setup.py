"""Agreeing on a game in the line caller: by questions with numbers, a default and a way back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion import setup, vocabulary
from companion.clean import clean_text, printable
from companion.draft import CAST, MORE, UNIQUES, Draft
from companion.language import _, listing, plural, said
from companion.options import PlayOptions
from companion.plain import casts
from companion.session import Session
from companion.terminal import lines
from engine import record
from engine.moves import fold
from engine.problems import Inconsistent

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.config import Config
    from companion.draft import Row
    from companion.store import GameInfo, Store
    from engine.record import Setup

_DONE, _BACK = "", "back"  # how a question ended; None is the end of the input


def open_session(
    store: Store, options: PlayOptions, config: Config, read: Callable[[], str | None]
) -> Session | None:
    """The session to play; None if the input ended before there was one. `read` gives the next
    typed line.

    Raises Inconsistent for options that make no game, SessionError and StoreError as `Session`.
    """
    if options.resume:
        return Session.resume(store)
    wanted = setup.from_options(options, config)
    if wanted is not None:
        return Session.begin(store, wanted, teach=options.teach)
    games = store.games(1)
    if not options.new and games and not games[0].finished:
        answer = _ask_whether_to_resume(games[0], read)
        if answer is None:
            return None
        if answer:
            return Session.resume(store, games[0].id)
    asking = Asking(config, read, options=options, last=_setup_of(games))
    wanted = asking.new_game()
    return None if wanted is None else Session.begin(store, wanted, teach=asking.draft.teach)


def players(game: GameInfo) -> str:
    """Who plays a saved game."""
    names = game.setup.get("players")
    return ", ".join(map(str, names)) if isinstance(names, list) else "?"


def _setup_of(games: list[GameInfo]) -> Setup | None:
    """The set-up of the last game, which is offered again; None where there is none to offer."""
    try:
        return record.read_setup(games[0].setup) if games else None
    except Inconsistent:
        return None  # saved by other rules


def _ask_whether_to_resume(game: GameInfo, read: Callable[[], str | None]) -> bool | None:
    """Ask until it is answered; None at the end of the input."""
    while True:
        tell(
            _("Game {name} of {names} is not finished.").format(
                name=game.name, names=players(game)
            ),
            _("Go on with it? yes or no; Enter is yes."),
        )
        line = read()
        if line is None:
            return None
        answer = clean_text(line, limit=lines.LONGEST)
        if not answer or vocabulary.word(answer, "yes", "y", "1"):
            return True
        if vocabulary.word(answer, "no", "n", "2"):
            return False


def tell(*told: str) -> None:
    """Print lines of a question, and let them out at once."""
    for line in told:
        print(printable(said(line)))
    print(end="", flush=True)


class Asking:
    """The questions of a new game, and the draft that their answers edit."""

    def __init__(
        self,
        config: Config,
        read: Callable[[], str | None],
        *,
        options: PlayOptions | None = None,
        last: Setup | None = None,
    ) -> None:
        """`read` gives the next typed line; `last` is the game whose players are offered again."""
        given = options or PlayOptions()
        self.read = read
        self.draft = Draft.of(given, config, last if options is None else None)
        self.again = tuple(last.players) if last else ()
        self._ended = _DONE  # how the last question ended
        self._asks_players = given.players is None
        self._asks_cast = not (given.cast or given.characters)

    def new_game(self) -> Setup | None:
        """Ask until the answers make a game; None at the end of the input, or where somebody goes
        back from the first question."""
        tell(_("New game: {edition}.").format(edition=self.draft.edition.title))
        questions = [self._ask_players] if self._asks_players else []
        questions += [self._ask_cast, self._ask_crown]
        place = 0
        while place < len(questions):
            ended = questions[place]()
            if ended is None or (ended == _BACK and place == 0):
                return None
            self._ended = ended
            place += -1 if ended == _BACK else 1
        return self.draft.setup()

    def _ask(self) -> str | None:
        line = self.read()
        if line is None:
            return None
        answer = clean_text(line, limit=lines.LONGEST)
        return _BACK if answer in (".", "-") or vocabulary.word(answer, _BACK) else answer

    # -- the questions ----------------------------------------------------------------------

    def _ask_players(self) -> str | None:
        edition = self.draft.edition
        fits = edition.min_players <= len(self.again) <= edition.max_players
        tell(
            _("Type light first for a game that keeps gold, kills and robberies, and no cities."),
            _("Type teach first to have each character explained in the first round."),
        )
        while True:
            tell(
                _(
                    "Who plays? {fewest} to {most} names in seat order, clockwise, commas between."
                ).format(fewest=edition.min_players, most=edition.max_players)
            )
            if fits:
                tell(_("Enter is {names}.").format(names=listing(self.again)))
            answer = self._ask()
            if answer is None or answer == _BACK:
                return answer
            changed = setup.chosen_by_word(
                answer, PlayOptions(options=self.draft.options, teach=self.draft.teach)
            )
            if changed is not None:
                self.draft.options = dict(changed[0].options or {})
                self.draft.teach = changed[0].teach
                tell(changed[1])
                continue
            names = self._names(answer) if answer or not fits else list(self.again)
            if not names:
                continue
            self.draft.players, self.draft.crown = names, ""
            if self._is_possible():
                tell(plural("{number} player.", "{number} players.", len(names)))
                return _DONE

    def _names(self, answer: str) -> list[str]:
        """The names typed; a number alone seats so many players, called by their seats."""
        if answer.isascii() and answer.isdecimal() and len(answer) < 3:
            seats = range(1, int(answer) + 1)
            return [_("Player {number}").format(number=seat) for seat in seats]
        return [clean_text(name) for name in answer.split(",") if name.strip()]

    def _ask_cast(self) -> str | None:
        draft = self.draft
        if not self._asks_cast or not draft.cast.has_choice(draft.edition, draft.size):
            return self._ended  # as the question before it or behind it
        return casts.ask_characters(draft, ask=self._ask, tell=tell)

    def _ask_crown(self) -> str | None:
        draft = self.draft
        while True:
            first = draft.players[0]
            tell(
                _("Who has the crown first? By the rules: {who}. Enter is {player}.").format(
                    who=said(draft.edition.first_crown), player=first
                )
            )
            for number, name in enumerate(draft.players, start=1):
                tell(f"{number}: {name}")
            other = len(draft.players) + 1
            tell(_("{number}: first another box, characters or house rules").format(number=other))
            answer = self._ask()
            if answer is None or answer == _BACK:
                return answer
            if answer == str(other) and answer not in draft.players:
                if self._ask_rules() is None:
                    return None
                continue
            draft.crown = self._seated(answer) or answer or first
            if self._is_possible():
                return _DONE
            draft.crown = ""

    def _seated(self, answer: str) -> str:
        """The player whose name or number was typed; nothing if nobody's."""
        by_number = {str(seat): name for seat, name in enumerate(self.draft.players, start=1)}
        by_name = {fold(name): name for name in self.draft.players}
        return by_name.get(fold(answer)) or by_number.get(answer, "")

    # -- what is played ---------------------------------------------------------------------

    def _ask_rules(self) -> str | None:
        """Change rows of the draft until Enter; what a game cannot be played with is told."""
        while True:
            rows = self.draft.rows()
            tell(_("What is played? A number changes it; Enter goes on."))
            for number, row in enumerate(rows, start=1):
                tell(f"{number}: {_in_a_line(row)}")
            answer = self._ask()
            if answer is None:
                return None
            if answer in (_DONE, _BACK):
                if self._is_possible():
                    return _DONE
            elif answer.isascii() and answer.isdecimal() and 1 <= int(answer[:4]) <= len(rows):
                if self._change(rows[int(answer[:4]) - 1]) is None:
                    return None
            else:
                self._no_choice(answer, len(rows))

    def _change(self, row: Row) -> str | None:
        draft = self.draft
        if row.name == CAST:
            return casts.ask_characters(draft, ask=self._ask, tell=tell)
        if row.name == UNIQUES:
            return casts.ask_uniques(draft, ask=self._ask, tell=tell)
        if row.name == MORE:
            draft.change(MORE)
            return _DONE
        answers = draft.answers(row.name)
        while True:
            tell(_("{row}. Enter keeps it.").format(row=_in_a_line(row)))
            for number, (_value, words) in enumerate(answers, start=1):
                tell(f"{number}: {words}")
            answer = self._ask()
            if answer is None or answer in (_DONE, _BACK):
                return answer
            if answer.isascii() and answer.isdecimal() and 1 <= int(answer[:4]) <= len(answers):
                draft.choose(row.name, answers[int(answer[:4]) - 1][0])
                return _DONE
            self._no_choice(answer, len(answers))

    def _no_choice(self, answer: str, last: int) -> None:
        sentence = _("Refused: there is no choice {number}; choose 1 to {last}.")
        tell(sentence.format(number=answer, last=last))

    def _is_possible(self) -> bool:
        """Whether the draft makes a game; what is wrong with it is told."""
        try:
            self.draft.setup()
        except Inconsistent as error:
            for problem in error.problems:
                tell(_("Refused: {reason}.").format(reason=said(problem.text)))
            return False
        return True


def _in_a_line(row: Row) -> str:
    """What a row is about and its answer, as it is heard."""
    what, answer = row.what.rstrip("…"), row.answer.rstrip("…")
    if not answer:
        return what
    sentence = _("{question} {answer}") if what.endswith("?") else _("{question}: {answer}")
    return sentence.format(question=what, answer=answer)
