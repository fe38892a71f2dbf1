"""A set-up in the making: players, crown, box, cast, secrecy, house rules, not yet checked."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import permutations
from typing import TYPE_CHECKING, Any, NamedTuple

from companion import setup
from companion.draft_cast import DraftCast
from companion.language import _, plural
from companion.options import PlayOptions
from companion.wording.editions import answer
from engine import record
from engine.editions import editions, switches
from engine.moves import fold

if TYPE_CHECKING:
    from companion.config import Config
    from engine.editions import Edition
    from engine.record import Setup

SECRECIES = ("announced", "secret")
BOX, SECRECY, CAST, UNIQUES, MORE, TEACH = "box", "secrecy", "cast", "uniques", "more", "teach"
FIRST = ("city_size", "tie_break", "cities")
"""The house rules that most tables agree on before a game; the others wait behind one line."""


class Row(NamedTuple):
    """A line of the set-up: BOX, SECRECY, CAST, UNIQUES, MORE, TEACH or a switch, and its words."""

    name: str
    label: str


@dataclass
class Draft:
    """What the set-up screen edits."""

    config: Config
    edition_id: str
    secrecy: str
    players: list[str] = field(default_factory=list)
    crown: str = ""
    options: dict[str, Any] = field(default_factory=dict)
    cast: DraftCast = field(default_factory=DraftCast)
    more: bool = False
    teach: bool = False  # explain the first round

    @classmethod
    def of(cls, options: PlayOptions, config: Config, last: Setup | None) -> Draft:
        """What the options and the settings say; the last game's players where there is one."""
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
        """The box that is played."""
        return editions()[self.edition_id]

    @property
    def size(self) -> int:
        """How many play; while they are still being named, as many as the box needs."""
        return max(len(self.players), self.edition.min_players)

    def add(self, name: str) -> str:
        """Seat a player; what is wrong with that, or nothing."""
        if any(fold(name) == fold(other) for other in self.players):
            return _("Two players are called {name}; tell them apart.").format(name=name)
        most = self.edition.max_players
        if len(self.players) >= most:
            return _("This box is for at most {number} players.").format(number=most)
        self.players.append(name)
        return ""

    def remove(self, place: int) -> None:
        """A player leaves; the crown with him, if it was his."""
        if self.players.pop(place) == self.crown:
            self.crown = ""

    def move(self, place: int, by: int) -> int:
        """Move a player to the next seat, around the table; the new seat."""
        to = (place + by) % len(self.players)
        self.players.insert(to, self.players.pop(place))
        return to

    def rows(self) -> list[Row]:
        """What is played: what most tables decide first, the rest only where it is asked for."""
        secret = {
            "announced": _("spoken aloud"),
            "secret": _("kept secret until they take effect"),
        }[self.secrecy]
        found = [Row(BOX, _("Box → {title}").format(title=self.edition.title))]
        if self.cast.has_choice(self.edition, self.size):
            found.append(Row(CAST, _("Characters → {cast}…").format(cast=self._cast_name())))
        if self.cast.has_uniques_to_choose(self.edition):
            which = self.cast.uniques_name(self.edition, self.size)
            found.append(Row(UNIQUES, _("Unique districts → {which}…").format(which=which)))
        found.append(Row(FIRST[0], self._switch_label(FIRST[0])))
        found.append(Row(SECRECY, _("Targets of Assassin and Thief → {how}").format(how=secret)))
        found.append(Row(FIRST[1], self._switch_label(FIRST[1])))
        found.append(Row(FIRST[2], self._switch_label(FIRST[2])))
        taught = _("yes, each character") if self.teach else _("no")
        found.append(Row(TEACH, _("Explain the first round? → {answer}").format(answer=taught)))
        others = self._others()
        if self.more:
            found += [Row(name, self._switch_label(name)) for name in others]
            found.append(Row(MORE, _("Fewer house rules")))
        else:
            found.append(Row(MORE, self._more_label(others)))
        return found

    def _cast_name(self) -> str:
        return self.cast.name(self.edition, self.size)

    def _others(self) -> list[str]:
        """The questions that come up with these cards, but for the first ones."""
        here = self.cast.cards(self.edition, self.size)
        return [n for n, s in switches().items() if n not in FIRST and s.about <= here]

    def _more_label(self, others: list[str]) -> str:
        changed = len(self.options.keys() & set(others))
        if not changed:
            return plural("{number} more house rule…", "{number} more house rules…", len(others))
        return _("More house rules, {number} changed…").format(number=changed)

    def change(self, name: str) -> None:
        """The next answer of that row."""
        if name == BOX:
            self.edition_id = _after(list(editions()), self.edition_id)
            self.cast = DraftCast()
        elif name == SECRECY:
            self.secrecy = _after(list(SECRECIES), self.secrecy)
        elif name == MORE:
            self.more = not self.more
        elif name == TEACH:
            self.teach = not self.teach
        else:
            self._change_switch(name)

    def _change_switch(self, name: str) -> None:
        switch = switches()[name]
        values: list[Any] = list(switch.values)
        if switch.is_list:
            values = [list(p) for n in range(len(values) + 1) for p in permutations(values, n)]
        standard = self._standard(name)
        wanted = _after(values, self.options.get(name, standard))
        self.options.pop(name, None)
        if wanted != standard:
            self.options[name] = wanted

    def _standard(self, name: str) -> Any:
        """The answer where the table says nothing."""
        return self.edition.answers(len(self.players) or 4)[name]

    def _switch_label(self, name: str) -> str:
        switch = switches()[name]
        mark = "* " if name in self.options else ""
        said = answer(switch, self.options.get(name, self._standard(name)))
        return f"{mark}{_(switch.question)} → {said}"

    def setup(self) -> Setup:
        """The checked set-up. Raises Inconsistent with every problem."""
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


def _after(values: list[Any], value: Any) -> Any:
    return values[(values.index(value) + 1) % len(values)]
