"""The editions and their switches: which box a table plays, and how it answers disputed questions.

An edition is data (`engine/data/editions.yaml`); a question it leaves open is answered by the
default in `switches.yaml`. A table's own options override both.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from common.sentences import Sentence
from common.strict_yaml import plain_value
from engine import datafiles, words
from engine.words import Name


class Switch(NamedTuple):
    """One disputed question: the answers the engine can play, in words."""

    name: str
    question: Sentence
    values: dict[Any, Sentence]
    is_list: bool
    default: Any
    source: Sentence
    about: frozenset[str]  # the cards the question depends on, if any
    kept: bool  # only found in games that were stored or recorded with it

    def problem(self, value: object) -> Sentence | None:
        """Why `value` is not an answer to this question, or None if it is."""
        if self.is_list:
            is_known = (
                isinstance(value, list)
                and len({str(item) for item in value}) == len(value)
                and all(isinstance(item, str) and item in self.values for item in value)
            )
            problem = Sentence(
                "{name} must be a list of {values}, each at most once",
                name=self.name,
                values=self._written,
            )
        else:
            # 1 == True in Python: a yes-or-no switch takes only true and false
            is_known = any(value == v and type(value) is type(v) for v in self.values)
            problem = Sentence(
                "{name} must be one of {values}", name=self.name, values=self._written
            )
        return None if is_known else problem

    @property
    def _written(self) -> str:
        return ", ".join(
            str(value).lower() if isinstance(value, bool) else str(value) for value in self.values
        )


_BY_LOT = "drawn at random"  # as the data says it
_CITADELS = 478  # the first Citadels and its later editions, on BoardGameGeek


class Edition(NamedTuple):
    """One box and its rules."""

    id: str
    title: Name
    cites: Sentence
    printing: str
    min_players: int
    max_players: int
    language: str
    first_crown: Sentence
    cast: tuple[str, ...]
    ninth: str | None
    nine_with: tuple[int, ...]
    eight_with: tuple[int, ...]
    uniques: tuple[str, ...] | None
    uniques_played: int | None
    taken_out: dict[str, list[str]]
    small_table: dict[str, Any]
    switches: dict[str, Any]
    earlier: dict[str, Any]  # the answers of earlier versions, for games played by them
    sources: dict[str, Sentence]
    bgg_id: int  # the game's number on BoardGameGeek
    publisher: str  # as printed on the box; "" if it was never sold as one

    @property
    def boxes(self) -> tuple[str, str]:
        """Where the cards' names come from: the edition's own first, then the printing it
        shares."""
        return self.id, self.printing

    @property
    def crown_by_lot(self) -> bool:
        """Whether the first crown is drawn by lot, so that it differs from game to game."""
        return self.first_crown == _BY_LOT

    def ordinary_cast(self, players: int) -> tuple[str, ...]:
        """The characters of an ordinary game with `players` players."""
        if self.ninth is None or players not in self.nine_with:
            return self.cast
        return (*self.cast, self.ninth)

    def answers(self, players: int) -> dict[str, Any]:
        """Every switch's answer in this edition for `players` players."""
        answers = {name: switch.default for name, switch in switches().items()}
        answers.update(self.switches)
        if players <= 3:
            answers.update(self.small_table)
        return answers

    def source(self, switch: str) -> Sentence:
        """The source of this edition's answer to the switch, or of the default answer."""
        return self.sources.get(switch) or switches()[switch].source


def write_answer(value: Any) -> str:
    """An answer as `--option` takes it."""
    if isinstance(value, list):
        return ",".join(value)
    return str(value).lower() if isinstance(value, bool) else str(value)


RULINGS, EARLIER, PRINTED = "rulings", "earlier", "printed"
"""The switch of games that began by the rulings of an earlier version, and its answers."""


def switches() -> dict[str, Switch]:
    return {name: switch for name, switch in kept_switches().items() if not switch.kept}


@datafiles.keep
def kept_switches() -> dict[str, Switch]:
    """Every switch by name, also those that are only kept with games."""
    return {
        name: Switch(
            name=name,
            question=Sentence(facts["question"]),
            values={
                plain_value(value): Sentence(title)
                for value, title in (facts.get("values") or facts["list_of"]).items()
            },
            is_list="list_of" in facts,
            default=facts["default"],
            source=Sentence(facts["source"]),
            about=frozenset(facts.get("about", ())),
            kept=facts.get("kept", False),
        )
        for name, facts in datafiles.load("switches").items()
    }


@datafiles.keep
def editions() -> dict[str, Edition]:
    """Every edition by id, the default one first."""
    return {
        id_: Edition(
            id=id_,
            title=words.edition(id_),
            cites=Sentence(facts["cites"]),
            printing=facts["printing"],
            min_players=facts["players"][0],
            max_players=facts["players"][1],
            language=facts["language"],
            first_crown=Sentence(facts["first_crown"]),
            cast=tuple(facts["cast"]),
            ninth=facts.get("ninth"),
            nine_with=tuple(facts.get("nine_with", ())),
            eight_with=tuple(facts.get("eight_with", ())),
            uniques=tuple(facts["uniques"]) if "uniques" in facts else None,
            uniques_played=facts.get("uniques_played"),
            taken_out=facts.get("taken_out", {}),
            small_table=facts.get("small_table", {}),
            switches=facts.get("switches", {}),
            earlier=facts.get("earlier", {}),
            sources={switch: Sentence(place) for switch, place in facts.get("sources", {}).items()},
            bgg_id=facts.get("bgg", _CITADELS),
            publisher=facts.get("publisher", ""),
        )
        for id_, facts in datafiles.load("editions").items()
    }


class PrintedCast(NamedTuple):
    """A cast printed in a rulebook, with its unique districts."""

    id: str
    title: Sentence
    edition: str
    characters: tuple[str, ...]
    districts: tuple[str, ...]


@datafiles.keep
def printed_casts() -> dict[str, PrintedCast]:
    """The printed casts of all editions by id."""
    return {
        id_: PrintedCast(
            id_,
            Sentence(facts["title"]),
            facts["edition"],
            tuple(facts["characters"]),
            tuple(facts["districts"]),
        )
        for id_, facts in datafiles.load("casts").items()
    }
