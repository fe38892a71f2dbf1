"""The setup of a new game from the command line and the settings."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from common.clean import QUOTES, clean_text, draw
from common.problems import Problem, Problems, find_nearest
from common.sentences import Sentence, suggest
from companion.language import (
    _,
    begin_sentence,
    card,
    cards,
    end_sentence,
    listing,
    translate,
    vocabulary,
)
from companion.log.names import means_forgotten
from engine import casts, own_cards, record, words
from engine.editions import Edition, editions
from engine.moves import fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from companion.settings.config import Config
    from engine.casts import Cast, Pick
    from engine.record import Setup


ORDINARY = "ordinary"
RANDOM = "random"

chance: Pick = random.SystemRandom().choice


class PlayOptions(NamedTuple):
    """The options of `companion play`; None for those not given, to be asked for or looked up.

    Given options have been checked, each alone and, if the players are given, together.
    """

    new: bool = False
    """Begin a new game without asking whether to continue the last one."""

    edition: str | None = None
    """The id of the box on the table."""

    players: tuple[str, ...] | None = None
    """The names in seat order, clockwise."""

    crown: str | None = None
    """Who holds the crown first, spelled as among `players`."""

    options: Mapping[str, Any] | None = None
    """House options by name, as a record holds them."""

    cast: str | None = None
    """Which characters play: `ordinary`, `random`, or the id of a printed cast of the edition."""

    characters: tuple[str, ...] | None = None
    """The characters one by one, instead of a cast."""

    districts: tuple[str, ...] | None = None
    """The unique districts shuffled in, instead of those of the cast or the edition."""

    secrecy: str | None = None
    """`announced` or `secret`."""

    teach: bool = False
    """Explain each character in the first round, when it is called."""

    resume: bool = False
    """Continue a game without asking: `game`, or the last one."""

    game: str | None = None
    """The name of the game to continue."""

    reader: str | None = None
    """`auto`, `none`, `simulated`, or the path of a reader."""


_SEPARATORS = r"[,;\uff0c\uff1b\u3001\t\r\n]"
_MARK = r"\s*(?:[-\u2013\u2022*]|[0-9]{1,2}[.)])\s+"  # of a line of a list


def is_list(text: str) -> bool:
    """Whether it is more than words: names with commas between, or a line of a list."""
    return re.search(_SEPARATORS, text) is not None or re.match(_MARK, text) is not None


def split_names(text: str) -> list[str]:
    """The names of a list as people write or paste it: one after another or one a line, with
    bullets, numbers and quotes of any kind."""
    names = [name for name in re.split(_SEPARATORS, text) if name.strip()]
    if all(re.match(_MARK, name) for name in names):
        names = [re.sub(_MARK, "", name, count=1) for name in names]
    return clean_names(names)


def clean_names(names: Iterable[str]) -> list[str]:
    """The names without what surrounds them; none for those that are nothing else."""
    return [*filter(None, map(_clean_name, names))]


def _clean_name(name: str) -> str:
    name = clean_text(name).strip()
    alone = name.strip(f" {QUOTES}")
    has_quotes = not set(alone).isdisjoint(QUOTES)  # as in Anna "Ace"
    return name if has_quotes else alone


def refuse_name(name: str) -> str:
    """Why nobody can be called that; "" if somebody can."""
    if not name:
        return _("Type a name.")
    if len(name) > record.MAX_NAME_LENGTH:
        return _tell(
            Sentence("a name can have at most {most} characters", most=record.MAX_NAME_LENGTH)
        )
    if has_meaning(name):
        return _("Nobody can be called {name}: that word has a meaning here.").format(name=name)
    if name.isdecimal():
        return _("{number} is a number; type a name.").format(number=name)
    return ""


def _tell(problem: Sentence) -> str:
    return end_sentence(begin_sentence(problem))


def refuse_like(name: str, others: Iterable[str]) -> str:
    """Why the name cannot be told from another's; "" if it can."""
    for other in others:
        if fold(name) == fold(other):
            return _tell(Sentence("two players are called “{name}”; tell them apart", name=name))
        if draw(name) == draw(other):
            return _(
                "{name} looks like {other}, but is written with other letters; tell them apart."
            ).format(name=name, other=other)
    return ""


def has_meaning(name: str) -> bool:
    """Whether that word says that nobody does something, or is what forgotten people are called."""
    reserved = (*record.RESERVED_NAMES, *vocabulary.list_small_words("nobody"))
    return fold(name) in map(fold, reserved) or means_forgotten(name)


def from_options(options: PlayOptions, config: Config) -> Setup:
    """The setup that the options describe, players included.

    A random cast is drawn anew each time. Raises Problems with every problem, each naming its
    option.
    """
    edition = editions()[options.edition or config.edition]
    data: dict[str, Any] = {
        "edition": edition.id,
        "players": [clean_text(name) for name in options.players or ()],
        "secrecy": options.secrecy or config.secrecy,
    }
    if options.crown:
        data["crown"] = clean_text(options.crown)
    if options.options:
        data["options"] = dict(options.options)
    names = data["players"]
    problems = tuple(_list_unclear(names))
    try:
        data |= cast_data(options, edition)
    except Problems as error:
        problems += error.problems
    try:
        setup = _list_own_cards(record.read_setup(data))
    except Problems as error:
        problems += error.problems
    if problems:
        raise Problems(problems)
    return setup


def _list_unclear(names: Sequence[str]) -> Iterator[Problem]:
    """What a record would take, but no set-up: names that look alike, and words with a meaning."""
    for seat, name in enumerate(names):
        others = [other for other in names[:seat] if fold(other) != fold(name)]
        problem = refuse_like(name, others)
        if not problem and has_meaning(name) and fold(name) not in record.RESERVED_NAMES:
            problem = refuse_name(name)
        if problem:
            yield Problem(("players", seat), problem.removesuffix("."))


def _list_own_cards(setup: Setup) -> Setup:
    """The setup with its unique districts listed by name if any are the table's own, so that the
    record shows what it needs."""
    own = own_cards.find_in_use(setup.edition)
    uniques = setup.ruleset().uniques if own and setup.districts is None else ()
    return setup._replace(districts=uniques) if own.keys() & set(uniques) else setup


def check(options: PlayOptions, config: Config) -> None:
    """Check options before a game starts: with their players or, if these are still to be asked
    for, with a number of players that suits them. Raises Problems with every problem."""
    if options.players:
        from_options(options, config)
        return
    if not (options.cast or options.characters or options.districts):
        return
    edition = editions()[options.edition or config.edition]
    refused: list[Problems] = []
    for number in range(edition.min_players, edition.max_players + 1):
        seats = tuple(f"player {seat + 1}" for seat in range(number))
        try:
            from_options(options._replace(players=seats, crown=None), config)
        except Problems as error:
            refused.append(error)
        else:
            return
    raise min(refused, key=lambda error: len(error.problems))


COUNTED = {"cities": "counted"}
"""The house option that only counts the points."""

LIGHT = {"cities": "untracked"}
"""The house option of light mode: gold, kills and robberies, and no cities."""


def cast_data(options: PlayOptions, edition: Edition) -> dict[str, Any]:
    """The characters and districts for a record's head, if the options specify any. Raises Problems
    if the edition has no such cast."""
    data: dict[str, Any] = {}
    if options.cast is not None:
        cast = find_cast(options.cast, edition, len(options.players or ()))
        if cast is not None:
            data["characters"] = list(cast.characters)
            if cast.districts is not None:
                data["districts"] = list(cast.districts)
    if options.characters is not None:
        data["characters"] = list(options.characters)
    if options.districts is not None:
        data["districts"] = list(options.districts)
    return data


def cast_names(edition: Edition) -> list[str]:
    return [ORDINARY, RANDOM, *casts.list_printed(edition)]


def find_ways(name: str, edition: Edition, players: int) -> dict[str, Cast]:
    """The ways to play the printed cast that the name begins with, if there is one."""
    printed_cast = casts.list_printed(edition).get(name.partition(casts.WITH)[0])
    return casts.list_ways(edition, printed_cast, players) if printed_cast else {}


class Named(NamedTuple):
    """A cast to choose: its name for `--cast`, its title, who may play each rank, its districts."""

    name: str
    title: str
    ranks: list[list[str]]
    districts: tuple[str, ...] | None

    @property
    def by_lot(self) -> bool:
        """Whether a lot decides who plays some rank."""
        return any(len(able) > 1 for able in self.ranks)


def list_named(edition: Edition, players: int) -> list[Named]:
    """The printed casts to choose from. Where a character may not be used, the table chooses who
    takes its place, or leaves it to the lot."""
    named = []
    for cast in casts.list_printed(edition).values():
        title, ways = translate(cast.title), casts.list_ways(edition, cast, players)
        columns = zip(*(way.characters for way in ways.values()), strict=True)
        ranks = [[*dict.fromkeys(able)] for able in columns]
        drawn = [id_ for able in ranks if len(able) > 1 for id_ in able]
        either = listing(map(card, drawn), conjunction="or")
        by_lot = _("{title}, by lot: {cards}").format(title=title, cards=either)
        named.append(Named(cast.id, by_lot if drawn else title, ranks, cast.districts))
        for name, way in ways.items() if drawn else ():
            shown = cards([id_ for id_ in way.characters if id_ in drawn])
            label = _("{title} with {shown:the}").format(title=title, shown=shown)
            named.append(Named(name, label, [[id_] for id_ in way.characters], cast.districts))
    return named


def clean_cast(name: str) -> str:
    """The name of a cast as data writes it."""
    return name.strip().casefold().replace(" ", "_").replace("-", "_")


def find_cast(name: str, edition: Edition, players: int) -> Cast | None:
    """The named cast for that many players; None is the ordinary one. Who takes the place of a
    character that so many may not use is drawn by lot, if the name doesn't say. Raises Problems if
    the edition has no such cast."""
    word = clean_cast(name)
    if word == ORDINARY:
        return None
    if word == RANDOM:
        return casts.draw(edition, players, chance)
    ways = find_ways(word, edition, players)
    if word in ways:
        return ways[word]
    if ways and casts.WITH not in word:
        return ways[chance(list(ways))]
    names = [*cast_names(edition), *ways]
    problem = Sentence(
        "{edition} has no cast “{name}”; choose from: {casts}",
        name=name,
        edition=translate(edition.title),
        casts=words.listing(names),
    )
    raise Problems([Problem(("cast",), suggest(problem, find_nearest(word, names)))])
