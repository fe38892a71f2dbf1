"""A set-up in the making: players, crown, box, secrecy and house rules, before it is checked."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import permutations
from typing import TYPE_CHECKING, Any

from companion.language import _
from engine import record
from engine.editions import editions, switches
from engine.moves import fold

if TYPE_CHECKING:
    from companion.config import Config
    from companion.options import PlayOptions
    from engine.record import Setup

SECRECIES = ("announced", "secret")


@dataclass
class Draft:
    """What the set-up screen edits."""

    edition: str
    secrecy: str
    players: list[str] = field(default_factory=list)
    crown: str = ""
    options: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, options: PlayOptions, config: Config, last: Setup | None) -> Draft:
        """What the options and the settings say; the last game's players where there is one."""
        draft = cls(options.edition or config.edition, options.secrecy or config.secrecy)
        if draft.edition not in editions():
            draft.edition = next(iter(editions()))
        draft.players = list(options.players or (last.players if last else ()))
        draft.crown = options.crown or ""
        draft.options = dict(options.options or (last.options if last else None) or {})
        return draft

    def add(self, name: str) -> str:
        """Seat a player; what is wrong with that, or nothing."""
        if any(fold(name) == fold(other) for other in self.players):
            return _("Two players are called {name}; tell them apart.").format(name=name)
        most = editions()[self.edition].max_players
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

    def lines(self) -> list[str]:
        """What is played, a question and its answer a line."""
        secret = {
            "announced": _("spoken aloud"),
            "secret": _("kept secret until they take effect"),
        }[self.secrecy]
        found = [
            _("Box → {title}").format(title=editions()[self.edition].title),
            _("Targets of Assassin and Thief → {how}").format(how=secret),
        ]
        for name, switch in switches().items():
            mark = "* " if name in self.options else ""
            found.append(f"{mark}{_(switch.question)} → {self._answer(name)}")
        return found

    def change(self, line: int) -> None:
        """The next answer of that line."""
        if line == 0:
            self.edition = _after(list(editions()), self.edition)
        elif line == 1:
            self.secrecy = _after(list(SECRECIES), self.secrecy)
        else:
            self._change_switch(list(switches())[line - 2])

    def _change_switch(self, name: str) -> None:
        switch = switches()[name]
        values: list[Any] = list(switch.values)
        if switch.is_list:
            values = [list(p) for n in range(len(values) + 1) for p in permutations(values, n)]
        standard = self._standard(name)
        answer = _after(values, self.options.get(name, standard))
        self.options.pop(name, None)
        if answer != standard:
            self.options[name] = answer

    def _standard(self, name: str) -> Any:
        """The answer where the table says nothing."""
        return editions()[self.edition].answers(len(self.players) or 4)[name]

    def _answer(self, name: str) -> str:
        switch = switches()[name]
        answer = self.options.get(name, self._standard(name))
        if switch.is_list:
            return ", ".join(_(switch.values[item]) for item in answer) or _("nothing: shared")
        return _(switch.values[answer])

    def setup(self) -> Setup:
        """The checked set-up. Raises Inconsistent with every problem."""
        data: dict[str, Any] = {
            "edition": self.edition,
            "players": list(self.players),
            "secrecy": self.secrecy,
        }
        if self.crown:
            data["crown"] = self.crown
        if self.options:
            data["options"] = dict(self.options)
        return record.read_setup(data)


def _after(values: list[Any], value: Any) -> Any:
    return values[(values.index(value) + 1) % len(values)]
