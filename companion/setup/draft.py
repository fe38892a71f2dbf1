"""An unfinished, unchecked setup: players, crown, box, cast, uniques, secrecy, house rules.

The setup screen and the line caller's questions both edit one.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import permutations
from typing import TYPE_CHECKING, Any, NamedTuple

from common.problems import Problems
from companion import setup
from companion.files.clean import clean_text
from companion.language import _, end_sentence, plural, translate
from companion.settings.table import SECRECIES
from companion.setup.options import PlayOptions
from companion.wording.editions import answer
from engine import cards, casts, record
from engine.differences import characters_of
from engine.editions import editions, switches
from engine.moves import fold

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.settings.config import Config
    from engine.editions import Edition
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
    return ""


def describe_boxes() -> dict[str, str]:
    """Every box, so that a family recognizes theirs: title, publisher, number of characters."""
    told = {}
    for id_, edition in editions().items():
        number = len(characters_of(edition))
        parts = [edition.publisher, plural("{number} character", "{number} characters", number)]
        told[id_] = f"{translate(edition.title)} · {' · '.join(filter(None, parts))}"
    return told


@dataclass
class DraftCast:
    """A printed cast by its name, or cards chosen one by one; None is the box's default."""

    printed: str | None = None
    characters: tuple[str, ...] | None = None
    districts: tuple[str, ...] | None = None

    @classmethod
    def of(cls, options: PlayOptions, last: Setup | None) -> DraftCast:
        """The cast of the options, else of the last game."""
        if options.cast or options.characters or options.districts or last is None:
            return cls(options.cast, options.characters, options.districts)
        return cls(None, last.characters, last.districts)

    def has_choice(self, edition: Edition, players: int) -> bool:
        """Whether there is a choice besides the ordinary characters."""
        return casts.has_choice(edition, players)

    def has_uniques_to_choose(self, edition: Edition) -> bool:
        """Whether the box has more unique districts than a game uses."""
        return edition.uniques_played is not None

    def choose(self, name: str, edition: Edition, players: int) -> None:
        """Choose the cast of that name: ordinary, random (drawn at once), or a printed one."""
        self.printed = self.characters = self.districts = None
        if name == setup.RANDOM:
            drawn = casts.draw(edition, players, setup.chance)
            self.characters, self.districts = drawn.characters, drawn.districts
        elif name != setup.ORDINARY:
            self.printed = name

    def choose_character(self, id_: str, edition: Edition, players: int) -> None:
        """Put that character in place of the one of its rank; choosing an optional ninth again
        removes it."""
        known = cards.characters()
        rank = known[id_].rank
        chosen = {known[c].rank: c for c in self.playing(edition, players)}
        optional = rank > casts.LAST_RANK and not casts.needs_ninth(edition, players)
        if chosen.get(rank) == id_ and optional:
            del chosen[rank]
        else:
            chosen[rank] = id_
        self.districts = self.list_shuffled_in(edition, players) if self.printed else self.districts
        self.printed = None
        self.characters = tuple(chosen[rank] for rank in sorted(chosen))

    def choose_districts(self, districts: tuple[str, ...] | None, edition: Edition, n: int) -> None:
        """Shuffle in these unique districts (None: the ordinary ones); the characters stay."""
        if self.printed is not None:
            self.characters, self.printed = self.playing(edition, n), None
        self.districts = districts

    def playing(self, edition: Edition, players: int) -> tuple[str, ...]:
        """The current characters."""
        if self.characters is not None:
            return self.characters
        named = self._find_named(edition, players)
        return named.characters if named else edition.ordinary_cast(players)

    def list_shuffled_in(self, edition: Edition, players: int) -> tuple[str, ...]:
        """The current unique districts."""
        named = self._find_named(edition, players)
        chosen = self.districts or (named.districts if named else None) or edition.uniques
        able = casts.uniques(edition, self.playing(edition, players))
        return tuple(id_ for id_ in able if chosen is None or id_ in chosen)

    def cards(self, edition: Edition, players: int) -> set[str]:
        """Every card of the game."""
        printed = cards.districts(edition.printing)
        usual = {id_ for id_, card in printed.items() if card.type != "unique"}
        return {*self.playing(edition, players), *self.list_shuffled_in(edition, players), *usual}

    def name(self, edition: Edition, players: int) -> str:
        """A short name for the cast."""
        if self.characters is None:
            self._find_named(edition, players)
            named = {cast.name: cast.title for cast in setup.list_named(edition, players)}
            return named.get(self.printed or "", _("ordinary"))
        return _("ordinary") if self._is_ordinary(edition, players) else _("chosen")

    def uniques_name(self) -> str:
        """A short name for the unique districts."""
        if self.printed is not None:
            return _("those of the cast")
        if self.districts is None:
            return _("ordinary")
        return plural("{number} chosen", "{number} chosen", len(self.districts))

    def _is_ordinary(self, edition: Edition, players: int) -> bool:
        return set(self.characters or ()) == set(edition.ordinary_cast(players))

    def _find_named(self, edition: Edition, players: int) -> casts.Cast | None:
        """The printed cast as it is played, if one is chosen. A lot is drawn once, and again only
        for another number of players."""
        ways = setup.find_ways(self.printed or "", edition, players)
        if ways and self.printed not in ways:
            self.printed = setup.chance(list(ways))
        return ways.get(self.printed or "")


BOX, SECRECY, CAST, UNIQUES, MORE, TEACH = "box", "secrecy", "cast", "uniques", "more", "teach"
PEOPLE = "people"
FIRST = ("city_size", "tie_break", "cities")
"""The house rules that most tables agree on before a game; the rest are behind one more row."""


class Row(NamedTuple):
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
        wanted = options.edition or (last.edition if last else config.edition)
        edition = wanted if wanted in editions() else next(iter(editions()))
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

    def remove(self, place: int) -> None:
        """Remove a player, and the crown with them if they have it."""
        if self.players.pop(place) == self.crown:
            self.crown = ""

    def move(self, place: int, by: int) -> int:
        """Move a player to the next seat, around the table; return the new seat."""
        to = (place + by) % len(self.players)
        self.players.insert(to, self.players.pop(place))
        return to

    def rows(self) -> list[Row]:
        """The rows: what most tables decide first; the rest only on request."""
        found = [Row(BOX, _("Box"), translate(self.edition.title))]
        if self.before:
            answer = dict(self.answers(PEOPLE))[self.is_same_group]
            found.append(Row(PEOPLE, _("The same people as in the last game?"), answer))
        if self.cast.has_choice(self.edition, self.size):
            found.append(Row(CAST, _("Characters"), f"{self._cast_name()}…"))
        if self.cast.has_uniques_to_choose(self.edition):
            which = self.cast.uniques_name()
            found.append(Row(UNIQUES, _("Unique districts"), f"{which}…"))
        found.append(self._switch_row(FIRST[0]))
        how = dict(self.answers(SECRECY))[self.secrecy]
        found.append(Row(SECRECY, _("Targets of Assassin and Thief"), how))
        found += [self._switch_row(FIRST[1]), self._switch_row(FIRST[2])]
        taught = dict(self.answers(TEACH))[self.teach]
        found.append(Row(TEACH, _("Explain the first round?"), taught))
        others = self._others()
        if self.more:
            found += [self._switch_row(name) for name in others]
            found.append(Row(MORE, _("Fewer house rules")))
        else:
            found.append(Row(MORE, self._more_label(others)))
        return found

    def _cast_name(self) -> str:
        return self.cast.name(self.edition, self.size)

    def _others(self) -> list[str]:
        """The disputed questions that these cards raise, except those in `FIRST`."""
        here = self.cast.cards(self.edition, self.size)
        return [n for n, s in switches().items() if n not in FIRST and s.about <= here]

    def _more_label(self, others: list[str]) -> str:
        changed = len(self.options.keys() & set(others))
        if not changed:
            return plural("{number} more house rule…", "{number} more house rules…", len(others))
        return _("More house rules, {number} changed…").format(number=changed)

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
            aloud, kept = _("spoken aloud"), _("kept secret until they take effect")
            return list(zip(SECRECIES, (aloud, kept), strict=True))
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

    def _switch_row(self, name: str) -> Row:
        switch = switches()[name]
        told = answer(switch, self.find_answer(name))
        return Row(name, translate(switch.question), told, changed=name in self.options)

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
            cast=self.cast.printed,
            characters=self.cast.characters,
            districts=self.cast.districts,
            secrecy=self.secrecy,
        )
        wanted = setup.from_options(options, self.config)
        return wanted or record.read_setup({"edition": self.edition_id, "players": []})
