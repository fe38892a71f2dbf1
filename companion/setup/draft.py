"""An unfinished, unchecked setup: players, crown, box, cast, uniques, secrecy, house rules.

The setup screen and the line caller's questions both edit one.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import permutations
from typing import TYPE_CHECKING, Any, NamedTuple

from common.clean import QUOTES, clean_text, read_number
from common.problems import Problem, Problems
from common.sentences import Sentence
from companion import language, setup
from companion.game.session import Session
from companion.language import _, end_sentence, plural, translate, vocabulary
from companion.settings.all_settings import CALLERS, SECRECIES
from companion.setup import PlayOptions
from companion.wording.editions_told import answer
from engine import cards, casts
from engine.differences import characters_of
from engine.editions import Edition, editions, switches
from engine.moves import fold, split

if TYPE_CHECKING:
    from companion.log.store import Store
    from companion.settings.config import Config
    from engine.record import Setup


_PLAIN_QUOTES = str.maketrans(dict.fromkeys(QUOTES, '"'))


def read_names(text: str) -> list[str]:
    """The names typed, separated by commas or as in a list, else by spaces, in quotes of any kind
    where they have spaces; a number alone means that many players, named after their seats."""
    if (number := read_number(text, 2)) is not None:
        return name_seats(number)
    text = text.translate(_PLAIN_QUOTES)
    if setup.is_list(text):
        return setup.split_names(text)
    return setup.clean_names(split(text) or text.split())


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
PEOPLE, CALLING = "people", "calling"
PLAY, COUNT = "play", "count"
DOORS = {
    PLAY: Sentence("Play"),
    TEACH: Sentence("Explain it to us"),
    COUNT: Sentence("Only count the points"),
}
"""The ways to begin, above everything else; the second one answers TEACH."""

_FIRST = (BOX, PEOPLE, CALLING, TEACH)
"""What every table is asked; everything else is behind one more row."""

_ROWS = (*_FIRST, CAST, UNIQUES, "city_size", SECRECY, "tie_break", "cities")
"""The rows that come before the other house rules.

A new row is a name here, its question, its answers in `Draft.answers`, and its field."""

_OF_POINTS = (
    *(BOX, PEOPLE, "city_size", "tie_break", "points_of_districts", "doubles"),
    *("haunted_quarter_last_round", "wishing_well_counts_itself"),
)
"""Those that matter where only the points are counted."""

_QUESTIONS = {
    BOX: Sentence("Box"),
    PEOPLE: Sentence("The same people as in the last game?"),
    CAST: Sentence("Characters"),
    UNIQUES: Sentence("Unique districts"),
    CALLING: Sentence("Who calls the characters?"),
    SECRECY: Sentence("Targets of Assassin and Thief"),
    TEACH: Sentence("Explain the first round?"),
}
_FIELDS = {
    BOX: "edition_id",
    PEOPLE: "same_people",
    CALLING: "calling",
    SECRECY: "secrecy",
    TEACH: "teach",
}


class DraftRow(NamedTuple):
    """A row of the setup: one of `_ROWS`, MORE or a switch; its subject, and the current answer
    ("" if it only opens more)."""

    name: str
    what: str
    answer: str = ""
    changed: bool = False

    @property
    def label(self) -> str:
        """The row as a screen shows it."""
        mark = "* " if self.changed else ""
        return f"{mark}{self.what} → {self.answer}" if self.answer else self.what


class DraftCast(NamedTuple):
    """A printed cast by its name, or cards chosen one by one; None is the box's default."""

    printing: str | None = None
    characters: tuple[str, ...] | None = None
    districts: tuple[str, ...] | None = None

    @classmethod
    def of(cls, options: PlayOptions, last: Setup | None) -> DraftCast:
        """The cast of the options, else of the last game."""
        if options.cast or options.characters or options.districts or last is None:
            printing = None if options.cast is None else setup.clean_cast(options.cast)
            return cls(printing, options.characters, options.districts)
        return cls(None, last.characters, last.districts)


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
    asks_cast: bool = True  # whether nobody has said beforehand which characters play
    calling: str = ""  # who calls, a value of the setting of that name, once that was answered
    more: bool = False
    teach: bool = False  # whether the first round is guided
    before: tuple[str, ...] = ()  # who played before, where it matters whether they still do
    same_people: bool | None = None  # whether they do, once that was answered

    @classmethod
    def of(cls, options: PlayOptions, config: Config, last: Setup | None) -> Draft:
        """A draft from the options and settings, with the last game's players if there is one."""
        wanted = options.edition or (last.edition if last else config.edition)
        edition = wanted if wanted in editions() else next(iter(editions()))
        draft = cls(config, edition, options.secrecy or config.secrecy)
        draft.players = list(options.players or (last.players if last else ()))
        draft.crown = options.crown or ""
        draft.teach = options.teach
        draft.asks_cast = not (options.cast or options.characters)
        house = options.options or (last.options if last else None) or {}
        draft.options = {name: value for name, value in house.items() if name in switches()}
        if not options.options and draft.door == COUNT:
            draft.choose_door(PLAY)  # the last game is no reason to count again
        draft.cast = DraftCast.of(options, last if last and last.edition == edition else None)
        return draft

    @property
    def edition(self) -> Edition:
        return editions()[self.edition_id]

    @property
    def size(self) -> int:
        """The number of players; while they are still being named, at least the box's minimum."""
        return max(len(self.players), self.edition.min_players)

    @property
    def door(self) -> str:
        """The way to begin, one of `DOORS`."""
        if self.options.items() >= setup.COUNTED.items():
            return COUNT
        return TEACH if self.teach else PLAY

    def choose_door(self, door: str) -> None:
        if self.door == COUNT:
            self.options = {n: value for n, value in self.options.items() if n not in setup.COUNTED}
        self.teach = door == TEACH
        if door == COUNT:
            self.options |= setup.COUNTED

    def choose_by_word(self, word: str) -> str:
        """Take a word that chooses a way to begin; returns what that is, "" if it is none."""
        if vocabulary.match_word(word, "light"):
            self.options |= setup.LIGHT
            return _("Light: you enter each amount of gold, and the cities are counted at the end.")
        door = vocabulary.match_word(word, TEACH, "explain", COUNT, PLAY)
        if door is None:
            return ""
        self.options.pop("cities", None)
        self.choose_door(TEACH if door == "explain" else door)
        return {
            TEACH: _("Lessons: in the first round, each character is explained when it is called."),
            COUNT: _("Only the points: first the names, then everybody's city."),
            PLAY: _("A whole game, from the first round."),
        }[self.door]

    @property
    def needs_crown(self) -> bool:
        """Whether it matters who has the crown: where only points are counted, for the Statue."""
        here = self.cast.districts or cards.districts(self.edition.printing)
        return self.door != COUNT or "statue" in here

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
        problem = setup.refuse_name(name)
        if problem:
            return problem
        problem = setup.refuse_like(name, self.players)
        if problem:
            return problem
        most = self.edition.max_players
        if len(self.players) >= most:
            return _("This box is for at most {number} players.").format(number=most)
        self.players.append(name)
        return ""

    def rename(self, place: int, name: str) -> str:
        """Give a player another name; return the problem, or ""."""
        name, before = clean_text(name), self.players[place]
        others = [other for seat, other in enumerate(self.players) if seat != place]
        problem = setup.refuse_like(name, others) or setup.refuse_name(name)
        if not problem:
            self.players[place] = name
            self.crown = name if self.crown == before else self.crown
        return problem

    def give_crown(self, name: str) -> None:
        self.crown = name

    def draw_crown(self) -> None:
        self.crown = setup.chance(self.players)

    def tell_first_crown(self) -> str:
        """Who gets the first crown by the box's rules, and how to say so."""
        who = translate(self.edition.first_crown)
        if self.door == COUNT:
            return _("Who has the crown at the end? F7: the marked player.")
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
        """The rows: what every table decides; the rest only on request."""
        others = [name for name in _ROWS if name not in _FIRST] + self._others()
        others = [name for name in others if self.has(name)]
        names = [*filter(self.has, _FIRST), *(others if self.more else ())]
        more = _("Less") if self.more else self._more_label(others)
        return [*map(self._row, names), DraftRow(MORE, more)]

    def has(self, name: str) -> bool:
        """Whether there is anything to choose in that row."""
        if self.door == COUNT and name not in _OF_POINTS:
            return False
        if name == CAST:
            return casts.has_choice(self.edition, self.size)
        if name == UNIQUES:
            return self.edition.uniques_played is not None
        return bool(self.answers(name))

    def _row(self, name: str) -> DraftRow:
        what = _QUESTIONS[name] if name in _QUESTIONS else switches()[name].question
        return DraftRow(name, translate(what), self._answer(name), name in self.options)

    def _answer(self, name: str) -> str:
        if name == BOX:
            return translate(self.edition.title)
        if name == CAST:
            return f"{self.name_cast()}…"
        if name == UNIQUES:
            return f"{self.name_uniques()}…"
        if name in switches():
            return answer(switches()[name], self.find_answer(name))
        now = self.find_answer(name)
        return next(label for value, label in self.answers(name) if value == now)

    def _others(self) -> list[str]:
        """The disputed questions that these cards raise, except those among the first rows."""
        here = self.list_all_cards()
        return [n for n, s in switches().items() if n not in _ROWS and s.about <= here]

    def _more_label(self, others: list[str]) -> str:
        count = len(self.options.keys() & set(others))
        if not count:
            return _("More: cards and house rules…")
        return _("More: cards and house rules, {number} changed…").format(number=count)

    def change(self, name: str) -> None:
        """Switch that row to its next answer."""
        if name == MORE:
            self.more = not self.more
            return
        values = [value for value, _words in self.answers(name)]
        self.choose(name, values[(values.index(self.find_answer(name)) + 1) % len(values)])

    def answers(self, name: str) -> list[tuple[Any, str]]:
        """Every answer of that row, with its label; none if it has no list of them."""
        if name == BOX:
            return [*describe_boxes().items()]
        if name == SECRECY:
            aloud, secretly = _("spoken aloud"), _("kept secret until they take effect")
            return list(zip(SECRECIES, (aloud, secretly), strict=True))
        if name == PEOPLE:
            answers = [(False, _("no")), (True, _("yes"))]
            return answers if self.before else []
        if name == CALLING:
            alone = _("the companion, when everybody has noted a card on a phone")
            return list(zip(CALLERS, (_("the crown"), alone), strict=True))
        if name == TEACH:
            return [(False, _("no")), (True, _("yes, each character"))]
        if (switch := switches().get(name)) is None:
            return []
        values: list[Any] = [v for v in switch.values if {name: v} != setup.COUNTED]  # a door
        if switch.is_list:
            values = [list(p) for n in range(len(values) + 1) for p in permutations(values, n)]
        return [(value, answer(switch, value)) for value in values]

    def find_answer(self, name: str) -> Any:
        if name == PEOPLE:
            return self.is_same_group
        if name == CALLING:
            return self.calling or self.config.calling
        if name in _FIELDS:
            return getattr(self, _FIELDS[name])
        return self.options.get(name, self._standard(name))

    def choose(self, name: str, value: Any) -> None:
        if name == BOX:
            self.cast = DraftCast()
        if name in _FIELDS:
            setattr(self, _FIELDS[name], value)
        else:
            self.options.pop(name, None)
            if value != self._standard(name):
                self.options[name] = value

    def _standard(self, name: str) -> Any:
        return self.edition.answers(len(self.players) or 4)[name]

    def list_playing(self) -> tuple[str, ...]:
        """The characters that play."""
        if self.cast.characters is not None:
            return self.cast.characters
        cast = self._find_named()
        return cast.characters if cast else self.edition.ordinary_cast(self.size)

    def list_shuffled_in(self) -> tuple[str, ...]:
        """The unique districts that play, or are drawn from."""
        cast = self._find_named()
        choices = self.cast.districts or (cast.districts if cast else None) or self.edition.uniques
        return tuple(id_ for id_ in self.list_able() if choices is None or id_ in choices)

    def list_all_cards(self) -> set[str]:
        districts = cards.districts(self.edition.printing)
        usual = {id_ for id_, card in districts.items() if card.type != "unique"}
        return {*self.list_playing(), *self.list_shuffled_in(), *usual}

    def name_cast(self) -> str:
        if self.cast.characters is None:
            self._find_named()
            titles = {cast.name: cast.title for cast in setup.list_named(self.edition, self.size)}
            return titles.get(self.cast.printing or "", _("ordinary"))
        is_ordinary = set(self.cast.characters) == set(self.edition.ordinary_cast(self.size))
        return _("ordinary") if is_ordinary else _("chosen")

    def name_uniques(self) -> str:
        if self.cast.printing is not None:
            return _("those of the cast")
        if self.cast.districts is None:
            return _("ordinary")
        return plural("{number} chosen", "{number} chosen", len(self.cast.districts))

    def _find_named(self) -> casts.Cast | None:
        """The printed cast as it is played, if one is chosen. A lot is drawn once, and again only
        for another number of players."""
        ways = setup.find_ways(self.cast.printing or "", self.edition, self.size)
        if ways and self.cast.printing not in ways:
            self.cast = self.cast._replace(printing=setup.chance(list(ways)))
        return ways.get(self.cast.printing or "")

    def list_able(self) -> tuple[str, ...]:
        """The unique districts of the box that may be shuffled in."""
        return casts.uniques(self.edition, self.list_playing())

    def list_problems(self) -> list[str]:
        """Why the draft makes no game yet, in sentences."""
        try:
            self.setup()
        except Problems as error:
            return [end_sentence(translate(problem.text)) for problem in error.problems]
        return []

    def begin(self, store: Store, played: Session | None = None) -> Session:
        """Begin this game, with the settings of the one that was `played` before if its people
        stay. Raises Problems and StoreError."""
        before = played.settings if played is not None and self.is_same_group else None
        return Session.begin(
            store, self.setup(), teach=self.teach, calling=self.calling, before=before
        )

    def setup(self) -> Setup:
        """The checked setup. Raises Problems with every problem."""
        if len(self.players) < 2:
            raise Problems([Problem((), Sentence("Type at least two names first."))])
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
