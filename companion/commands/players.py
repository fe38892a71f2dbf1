"""`companion players [rename A B | merge A B]`: this table's players and their names."""

from __future__ import annotations

from common.problems import find_nearest
from common.sentences import Sentence, suggest
from companion.commands import DONE, CommandError, blame, see, settings
from companion.commands.parsing import Parser
from companion.errors.output import answer, answer_json
from companion.history import people, telling
from companion.language import _, listing
from companion.log.store import Store

RENAME, MERGE = "rename", "merge"


def run(words: list[str]) -> int:
    """Print the players, or change their names."""
    parser = make_parser()
    given = parser.parse_args(words)
    config = settings.load()
    with Store(config.games) as store:
        match given.words:
            case []:
                _list(store, as_json=given.json)
            case [("rename" | "merge") as what, one, other]:
                _change(store, what, one, other, as_json=given.json)
            case [("rename" | "merge") as what, *_rest]:
                problem = Sentence("name two players; a name with spaces needs quotes")
                raise CommandError(blame(f"{parser.prog} {what}", problem), see(parser.prog))
            case [word, *_rest]:
                problem = Sentence("unknown word “{word}”", word=word)
                near = find_nearest(word, (RENAME, MERGE))
                raise CommandError(blame(parser.prog, suggest(problem, near)), see(parser.prog))
    return DONE


def make_parser() -> Parser:
    """The command's options."""
    parser = Parser("players", "Who has played here; one person may have several names.")
    parser.add_argument(
        "words",
        metavar="rename A B | merge A B",
        nargs="*",
        help="call a player by another name, or count A's games as B's",
    )
    parser.add_argument("--json", action="store_true", help="one JSON list, for programs")
    return parser


def _list(store: Store, *, as_json: bool) -> None:
    found = people.list_all(store)
    if as_json:
        answer_json([person._asdict() for person in found])
    else:
        answer(map(describe, found) if found else [_("Nobody has played here yet.")])


def describe(person: people.Person) -> str:
    """A player in one line."""
    games = telling.games(person.games)
    if not person.also:
        return _("{player}: {games}.").format(player=person.name, games=games)
    return _("{player}: {games}; also played as {names}.").format(
        player=person.name, games=games, names=listing(person.also)
    )


def _change(store: Store, what: str, one: str, other: str, *, as_json: bool) -> None:
    name = (people.rename if what == RENAME else people.merge)(store, one, other)
    (person,) = (p for p in people.list_all(store) if p.name == name)
    if as_json:
        answer_json(person._asdict())
    else:
        answer([describe(person)])
