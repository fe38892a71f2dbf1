"""An unfinished, unchecked setup: players, crown, box, cast, uniques, secrecy, house rules.

The setup screen and the line caller's questions both edit one.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import permutations
from typing import TYPE_CHECKING, Any

from common import NamedTuple
from common.problems import Problems
from companion import language, setup
from companion.files.clean import clean_text
from companion.language import _, end_sentence, plural, translate
from companion.settings.table import SECRECIES
from companion.setup import PlayOptions
from companion.setup.casting import DraftCast
from companion.wording.editions import answer
from engine import record
from engine.differences import characters_of
from engine.editions import Edition, editions, switches
from engine.moves import fold, split

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.settings.config import Config
    from engine.record import Setup


def refuse_name(name: str) -> str:
    """Why nobody can be called that; "" if somebody can."""
    if not name:
        return _("Type a name.")
    if len(name) > record.MAX_NAME_LENGTH:
        most = record.MAX_NAME_LENGTH
        return _("A name can have at most {most} characters.").format(most=most)
    if fold(name) in record.RESERVED_NAMES:
        return _("Nobody can be called {name}: that word means that nobody does.").format(name=name)
    if name.isdecimal():
        return _("{number} is a number; type a name.").format(number=name)
    return ""


_PLAIN_QUOTES = str.maketrans(dict.fromkeys("“”„«»", '"'))


def read_names(text: str) -> list[str]:
    """The names typed, separated by commas or spaces, in quotes of any kind where they have spaces;
    a number alone means that many players, named after their seats."""
    if text.isascii() and text.isdecimal() and len(text) < 3:
        return name_seats(int(text))
    text = text.translate(_PLAIN_QUOTES)
    names = text.split(",") if "," in text else split(text) or text.split()
    return [clean_text(name.strip(' "')) for name in names if name.strip(' "')]


def name_seats(count: int) -> list[str]:
    """Names for the players of so many seats whose own names nobody has typed, in the table's
    language on every phone."""
    with language.speaking_to_table():
        return [_("Player {number}").format(number=seat) for seat in range(1, count + 1)]


def describe_boxes() -> dict[str, str]:
    """Every box, so that a family recognizes theirs: title, publisher, number of characters."""
    fields = {}
    for id_, edition in editions().items():
        number = len(characters_of(edition))
        parts = [edition.publisher, plural("{number} character", "{number} characters", number)]
        fields[id_] = f"{translate(edition.title)} · {' · '.join(filter(None, parts))}"
    return fields


BOX, SECRECY, CAST, UNIQUES, MORE, TEACH = "box", "secrecy", "cast", "uniques", "more", "teach"
PEOPLE = "people"
FIRST = ("city_size", "tie_break", "cities")
"""The house rules that most tables agree on before a game; the rest are behind one more row."""


class DraftRow(NamedTuple):
    """A row of the setup: BOX, PEOPLE, SECRECY, CAST, UNIQUES, MORE, TEACH or a switch; its
    subject, and the current answer ("" if it only opens more)."""

    name: str
    what: str
    answer: str = ""
    changed: bool = False

    @property
    def label(self) -> str:
        """The row as a screen shows it."""
        mark = "* " if self.changed else ""
        return f"{mark}{self.what} → {self.answer}" if self.answer else self.what


@dataclass
class Draft:
    """The setup being edited until a game is started with it."""

    config: Config
    edition_id: str
    secrecy: str
    players: list[str] = field(default_factory=list)
    crown: str = ""
    options: dict[str, Any] = field(default_factory=dict)
    cast: DraftCast = field(default_factory=DraftCast)
    more: bool = False
    teach: bool = False  # whether the first round is guided
    before: tuple[str, ...] = ()  # who played before, where it matters whether they still do
    same_people: bool | None = None  # whether they do, once that was answered

    @classmethod
    def of(cls, options: PlayOptions, config: Config, last: Setup | None) -> Draft:
        """A draft from the options and settings, with the last game's players if there is one."""
        target = options.edition or (last.edition if last else config.edition)
        edition = target if target in editions() else next(iter(editions()))
        draft = cls(config, edition, options.secrecy or config.secrecy)
        draft.players = list(options.players or (last.players if last else ()))
        draft.crown = options.crown or ""
        draft.teach = options.teach
        draft.options = dict(options.options or (last.options if last else None) or {})
        draft.cast = DraftCast.of(options, last if last and last.edition == edition else None)
        return draft

    @property
    def edition(self) -> Edition:
        """The edition of the box."""
        return editions()[self.edition_id]

    @property
    def size(self) -> int:
        """The number of players; while they are still being named, at least the box's minimum."""
        return max(len(self.players), self.edition.min_players)

    @property
    def is_same_group(self) -> bool:
        """Whether the people of the game before play again: their phones stay. Without an answer
        equal names must do, but not in a public house."""
        if self.same_people is not None or not self.before:
            return bool(self.same_people)
        before, now = ({fold(name) for name in names} for names in (self.before, self.players))
        return self.config.house == "home" and before == now

    def add(self, name: str) -> str:
        """Seat a player; return the problem, or ""."""
        problem = refuse_name(name)
        if problem:
            return problem
        if any(fold(name) == fold(other) for other in self.players):
            return _("Two players are called {name}; tell them apart.").format(name=name)
        most = self.edition.max_players
        if len(self.players) >= most:
            return _("This box is for at most {number} players.").format(number=most)
        self.players.append(name)
        return ""

    def rename(self, place: int, name: str) -> str:
        """Give a player another name; return the problem, or ""."""
        name, before = clean_text(name), self.players[place]
        others = (other for seat, other in enumerate(self.players) if seat != place)
        if any(fold(name) == fold(other) for other in others):
            return _("Two players are called {name}; tell them apart.").format(name=name)
        problem = refuse_name(name)
        if not problem:
            self.players[place] = name
            self.crown = name if self.crown == before else self.crown
        return problem

    def give_crown(self, name: str) -> None:
        """Give that player the first crown."""
        self.crown = name

    def draw_crown(self) -> None:
        """Draw by lot who has the first crown."""
        self.crown = setup.chance(self.players)

    def tell_first_crown(self) -> str:
        """Who gets the first crown by the box's rules, and how to say so."""
        who = translate(self.edition.first_crown)
        if not self.players:
            return _("First crown: {who}. F7: the marked player. F8: drawn at random.").format(
                who=who
            )
        return _(
            "First crown by the rules: {who}. Until you say so, {player} has it. F7: the marked "
            "player. F8: drawn at random."
        ).format(who=who, player=self.players[0])

    def remove(self, place: int) -> None:
        """Remove a player, and the crown with them if they have it."""
        if self.players.pop(place) == self.crown:
            self.crown = ""

    def move(self, place: int, by: int) -> int:
        """Move a player to the next seat, around the table; return the new seat."""
        to = (place + by) % len(self.players)
        self.players.insert(to, self.players.pop(place))
        return to

    def rows(self) -> list[DraftRow]:
        """The rows: what most tables decide first; the rest only on request."""
        matches = [DraftRow(BOX, _("Box"), translate(self.edition.title))]
        if self.before:
            answer = dict(self.answers(PEOPLE))[self.is_same_group]
            matches.append(DraftRow(PEOPLE, _("The same people as in the last game?"), answer))
        if self.cast.has_choice(self.edition, self.size):
            matches.append(DraftRow(CAST, _("Characters"), f"{self._cast_name()}…"))
        if self.cast.has_uniques_to_choose(self.edition):
            which = self.cast.uniques_name()
            matches.append(DraftRow(UNIQUES, _("Unique districts"), f"{which}…"))
        matches.append(self._switch_row(FIRST[0]))
        how = dict(self.answers(SECRECY))[self.secrecy]
        matches.append(DraftRow(SECRECY, _("Targets of Assassin and Thief"), how))
        matches += [self._switch_row(FIRST[1]), self._switch_row(FIRST[2])]
        words = dict(self.answers(TEACH))[self.teach]
        matches.append(DraftRow(TEACH, _("Explain the first round?"), words))
        others = self._others()
        if self.more:
            matches += [self._switch_row(name) for name in others]
            matches.append(DraftRow(MORE, _("Fewer house rules")))
        else:
            matches.append(DraftRow(MORE, self._more_label(others)))
        return matches

    def _cast_name(self) -> str:
        return self.cast.name(self.edition, self.size)

    def _others(self) -> list[str]:
        """The disputed questions that these cards raise, except those in `FIRST`."""
        here = self.cast.cards(self.edition, self.size)
        return [n for n, s in switches().items() if n not in FIRST and s.about <= here]

    def _more_label(self, others: list[str]) -> str:
        count = len(self.options.keys() & set(others))
        if not count:
            return plural("{number} more house rule…", "{number} more house rules…", len(others))
        return _("More house rules, {number} changed…").format(number=count)

    def change(self, name: str) -> None:
        """Switch that row to its next answer."""
        if name == MORE:
            self.more = not self.more
            return
        values = [value for value, _words in self.answers(name)]
        self.choose(name, values[(values.index(self.find_answer(name)) + 1) % len(values)])

    def list_answers(self, name: str) -> list[tuple[Any, str, Callable[[], list[str]]]]:
        """Every answer of that row, with its label and what tells more of it."""
        if name == BOX:
            return [(id_, label, list) for id_, label in describe_boxes().items()]
        return [(value, label, list) for value, label in self.answers(name)]

    def answers(self, name: str) -> list[tuple[Any, str]]:
        """Every answer of that row, with its label."""
        if name == BOX:
            return [(id_, translate(edition.title)) for id_, edition in editions().items()]
        if name == SECRECY:
            aloud, secretly = _("spoken aloud"), _("kept secret until they take effect")
            return list(zip(SECRECIES, (aloud, secretly), strict=True))
        if name == PEOPLE:
            return [(False, _("no", "answer")), (True, _("yes", "answer"))]
        if name == TEACH:
            return [(False, _("no", "answer")), (True, _("yes, each character"))]
        switch = switches()[name]
        values: list[Any] = list(switch.values)
        if switch.is_list:
            values = [list(p) for n in range(len(values) + 1) for p in permutations(values, n)]
        return [(value, answer(switch, value)) for value in values]

    @property
    def switchable(self) -> set[str]:
        """The rows with answers to choose from."""
        return {BOX, SECRECY, TEACH, *switches(), *([PEOPLE] if self.before else [])}

    def find_answer(self, name: str) -> Any:
        """The current answer of that row."""
        if name == PEOPLE:
            return self.is_same_group
        if name in (BOX, SECRECY, TEACH):
            return {BOX: self.edition_id, SECRECY: self.secrecy, TEACH: self.teach}[name]
        return self.options.get(name, self._standard(name))

    def choose(self, name: str, value: Any) -> None:
        """Set the answer of that row."""
        if name == BOX:
            self.edition_id, self.cast = value, DraftCast()
        elif name == PEOPLE:
            self.same_people = value
        elif name == SECRECY:
            self.secrecy = value
        elif name == TEACH:
            self.teach = value
        else:
            self.options.pop(name, None)
            if value != self._standard(name):
                self.options[name] = value

    def _standard(self, name: str) -> Any:
        """The default answer."""
        return self.edition.answers(len(self.players) or 4)[name]

    def _switch_row(self, name: str) -> DraftRow:
        switch = switches()[name]
        text = answer(switch, self.find_answer(name))
        return DraftRow(name, translate(switch.question), text, changed=name in self.options)

    def list_problems(self) -> list[str]:
        """Why the draft makes no game yet, in sentences."""
        try:
            self.setup()
        except Problems as error:
            return [end_sentence(translate(problem.text)) for problem in error.problems]
        return []

    def setup(self) -> Setup:
        """The checked setup. Raises Problems with every problem."""
        options = PlayOptions(
            edition=self.edition_id,
            players=tuple(self.players),
            crown=self.crown or None,
            options=dict(self.options) or None,
            cast=self.cast.printing,
            characters=self.cast.characters,
            districts=self.cast.districts,
            secrecy=self.secrecy,
        )
        return setup.from_options(options, self.config)
