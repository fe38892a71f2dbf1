"""Records: the set-up, an optional position, and the moves, checked as a whole.

`read` takes the plain data of a record file (README, “The other commands”) and gives a `Record`, or
every problem at once; `Record.data` does the reverse.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from common.clean import clean_text
from common.problems import (
    Checker,
    Find,
    Path,
    Problem,
    Problems,
    find_nearest,
    quote_data,
)
from engine import cards
from engine.editions import EARLIER, PRINTED, RULINGS, Edition, editions, kept_switches
from engine.moves import MAX_MOVE_LENGTH, fold
from engine.position import describe_position, read_position
from engine.rules import counting
from engine.ruleset import Ruleset, find_taken_out, list_cast_sizes
from engine.table import Table

KEYS = (
    "edition",
    "players",
    "crown",
    "characters",
    "districts",
    "options",
    "secrecy",
    "position",
    "moves",
)
SECRECIES = ("announced", "secret")
DEFAULT_EDITION = "classic_2016"
MAX_NAME_LENGTH = 40  # characters
RESERVED_NAMES = ("nobody",)  # `unmask nobody` is a move


class Setup(NamedTuple):
    """What is agreed before the first round."""

    edition: str
    players: tuple[str, ...]  # in seat order, clockwise
    crown: str
    characters: tuple[str, ...] | None = None  # None: the edition's own
    districts: tuple[str, ...] | None = None
    options: dict[str, Any] | None = None
    secrecy: str = "announced"

    def ruleset(self) -> Ruleset:
        return Ruleset(
            editions()[self.edition],
            self.players,
            cast=self.characters,
            uniques=self.districts,
            options=self.options,
            secret=self.secrecy == "secret",
        )

    def table(self) -> Table:
        table = Table(self.ruleset(), self.players.index(self.crown))
        if table.rules.only_scores:
            counting.begin(table)
        return table

    def data(self) -> dict[str, Any]:
        """The set-up as the head of a record file, without values that are defaults."""
        data: dict[str, Any] = {"edition": self.edition, "players": list(self.players)}
        data["crown"] = self.crown
        if self.characters is not None:
            data["characters"] = list(self.characters)
        if self.districts is not None:
            data["districts"] = list(self.districts)
        if self.options:
            data["options"] = dict(self.options)
        data["secrecy"] = self.secrecy
        return data


class Record(NamedTuple):
    """A set-up, the table it starts from, and the moves as written."""

    setup: Setup
    start: Table
    moves: tuple[str, ...]
    position: dict[str, Any] | None = None

    def data(self) -> dict[str, Any]:
        """The record as plain data for a file; `read` takes it back."""
        data = self.setup.data()
        if self.position:
            data["position"] = self.position
        data["moves"] = list(self.moves)
        return data


def begin_at(setup: Setup, table: Table) -> dict[str, Any]:
    """The data of a record that begins at this table of that game and has no moves."""
    data = setup._replace(crown=table.rules.player_names[table.crown]).data()
    position = describe_position(table)
    return data | ({"position": position} if position else {}) | {"moves": []}


def read(data: object, find: Find | None = None) -> Record:
    """Parse a record. Raises Problems with every problem found.

    `find` understands names that people write for ids outside the moves; the position of the
    record then has the ids instead.
    """
    check = Checker(find)
    facts = check.read_mapping(data, (), KEYS)
    setup = _read_setup(check, facts)
    moves = _read_moves(check, facts.get("moves"))
    if setup is None:
        raise Problems(check.problems)
    start = setup.table()
    position = facts.get("position")
    if position is not None:
        read_position(check, position, start)
    if check.problems:
        raise Problems(check.problems)
    if check.has_names:
        position = describe_position(start)
    return Record(setup, start, moves, position if isinstance(position, dict) else None)


def read_setup(data: object) -> Setup:
    """Parse only the head of a record. Raises Problems with every problem found."""
    check = Checker()
    setup = _read_setup(check, check.read_mapping(data, (), KEYS))
    if setup is None or check.problems:
        raise Problems(check.problems)
    return setup


def _read_setup(check: Checker, facts: dict[str, object]) -> Setup | None:
    """The set-up, or None if too much is wrong to continue; problems are noted in `check`."""
    before = len(check.problems)
    edition_id = check.check_known(
        facts.get("edition", DEFAULT_EDITION), ("edition",), editions(), "{data} is not an edition"
    )
    players = _read_players(check, facts.get("players"))
    crown = _read_crown(check, facts.get("crown"), players)
    secrecy = check.check_known(
        facts.get("secrecy", "announced"),
        ("secrecy",),
        SECRECIES,
        "{data} is not a kind of secrecy",
    )
    if edition_id is None:
        return None
    edition = editions()[edition_id]
    if players and not edition.min_players <= len(players) <= edition.max_players:
        check.say(
            ("players",),
            "{edition} is for {fewest} to {most} players, not {number}",
            edition=edition.title,
            fewest=edition.min_players,
            most=edition.max_players,
            number=len(players),
        )
    cast = _read_cast(check, facts.get("characters"), edition, len(players))
    in_play = cast if cast is not None else edition.cast
    uniques = _read_uniques(check, facts.get("districts"), edition, in_play)
    options = _read_options(check, facts.get("options"), edition)
    if len(check.problems) > before or crown is None or secrecy is None:
        return None
    return Setup(edition_id, players, crown, cast, uniques, options, secrecy)


def _read_players(check: Checker, data: object) -> tuple[str, ...]:
    if data is None or data == []:
        check.say((), "the record names no players; write players: [Anna, Ben, ...]")
    names: list[str] = []
    taken: set[str] = set()
    for place, name in enumerate(check.read_items(data, ("players",))):
        path: Path = ("players", place)
        if isinstance(name, bool) or not isinstance(name, str | int) or not str(name).strip():
            check.say(path, "a player needs a name")
            continue
        name = clean_text(str(name))
        if len(name) > MAX_NAME_LENGTH:
            check.say(path, "a name can have at most {most} characters", most=MAX_NAME_LENGTH)
        elif fold(name) in RESERVED_NAMES:
            check.say(path, "“{name}” is a word of the notation; choose another name", name=name)
        elif fold(name) in taken:
            check.say(path, "two players are called “{name}”; tell them apart", name=name)
        names.append(name)
        taken.add(fold(name))
    return tuple(names)


def _read_crown(check: Checker, data: object, players: Sequence[str]) -> str | None:
    if data is None:
        return players[0] if players else None
    for name in players:
        if fold(name) == fold(str(data)):
            return name
    near = find_nearest(str(data), players)
    check.say(("crown",), "{data} is not a player in this game", data=quote_data(data), near=near)
    return None


def _read_cast(
    check: Checker, data: object, edition: Edition, players: int
) -> tuple[str, ...] | None:
    if data is None:
        return None
    path: Path = ("characters",)
    in_box = {
        id_: card for id_, card in cards.characters().items() if edition.printing in card.printings
    }
    cast: list[str] = []
    for place, id_ in enumerate(check.read_items(data, path)):
        character = check.check_known(
            id_,
            (*path, place),
            in_box,
            "{data} is not a character in {edition}",
            edition=edition.title,
        )
        if character is None:
            continue
        rank = in_box[character].rank
        if any(in_box[other].rank == rank for other in cast):
            check.say((*path, place), "the cast already has a character of rank {rank}", rank=rank)
        player_range = in_box[character].players
        if players and player_range is not None and players not in player_range:
            check.say(
                (*path, place),
                "“{id}” is for {fewest} to {most} players",
                id=character,
                fewest=player_range[0],
                most=player_range[-1],
            )
        cast.append(character)
    ranks = {in_box[id_].rank for id_ in cast}
    missing = [str(rank) for rank in range(1, 9) if rank not in ranks]
    if missing:
        check.say(path, "the cast has no character of rank {missing}", missing=", ".join(missing))
    elif players and len(cast) not in list_cast_sizes(edition, players):
        check.say(
            path,
            "{number} players can't play with {cast} characters",
            number=players,
            cast=len(cast),
        )
    elif players in edition.nine_with and len(cast) != 9:
        check.say(
            path, "with {number} players, the cast needs a character of rank 9", number=players
        )
    return tuple(cast)


def _read_uniques(
    check: Checker, data: object, edition: Edition, cast: Sequence[str]
) -> tuple[str, ...] | None:
    if data is None:
        return None
    out = find_taken_out(edition, cast)
    uniques = [id_ for id_, d in cards.districts(edition.printing).items() if d.type == "unique"]
    chosen: list[str] = []
    for place, id_ in enumerate(check.read_items(data, ("districts",))):
        path: Path = ("districts", place)
        district = check.check_known(
            id_,
            path,
            uniques,
            "{data} is not a unique district in {edition}",
            edition=edition.title,
        )
        if isinstance(id_, str) and id_ not in cards.district_ids():
            check.say(
                path, "no box has a card “{id}”; a table's own cards go in its cards.yaml", id=id_
            )
        if district in chosen:
            check.say(path, "“{id}” is named twice", id=district)
        elif district in out:
            check.say(
                path,
                "“{id}” is taken out with this cast ({edition})",
                id=district,
                edition=edition.cites,
            )
        elif district is not None:
            chosen.append(district)
    wanted = edition.uniques_played
    if wanted is not None and len(chosen) != wanted:
        check.say(
            ("districts",),
            "{edition} plays exactly {wanted} unique districts, not {chosen}",
            edition=edition.title,
            wanted=wanted,
            chosen=len(chosen),
        )
    return tuple(chosen)


def _read_options(check: Checker, data: object, edition: Edition) -> dict[str, Any] | None:
    if data is None:
        return None
    options = check.read_mapping(data, ("options",), kept_switches())
    for name, value in options.items():
        problem = kept_switches()[name].problem(value)
        if problem:
            check.problems.append(Problem(("options", name), problem))
    if options.get(RULINGS) == EARLIER and not edition.earlier:
        check.say(("options", RULINGS), "{edition} has no earlier rulings", edition=edition.title)
    if options.get(RULINGS) == PRINTED:
        del options[RULINGS]  # as without it
    return options


def _read_moves(check: Checker, data: object) -> tuple[str, ...]:
    moves = []
    if data is not None and not isinstance(data, list):
        check.say(("moves",), "moves must be a list")
        data = None
    for place, move in enumerate(data or []):
        if isinstance(move, bool) or not isinstance(move, str | int):
            check.say(("moves", place), "a move must be a line of text")
        elif len(str(move)) > MAX_MOVE_LENGTH:
            check.say(
                ("moves", place), "a move can have at most {most} characters", most=MAX_MOVE_LENGTH
            )
        else:
            moves.append(str(move))
    return tuple(moves)
