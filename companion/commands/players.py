"""`companion players [rename|merge|split|forget|undo …]`: this table's players and their names."""

from __future__ import annotations

from common.problems import find_nearest
from common.sentences import Sentence, suggest
from companion.commands import DONE, CommandError, load_settings
from companion.commands.parsing import Parser
from companion.errors.output import answer, answer_json
from companion.history import people, telling
from companion.language import _, listing
from companion.log.store import Store

RENAME, MERGE, SPLIT, FORGET, UNDO = "rename", "merge", "split", "forget", "undo"


def run(words: list[str]) -> int:
    """Print the players, or change their names."""
    parser = make_parser()
    args = parser.parse_args(words)
    config = load_settings()
    with Store(config.games) as store:
        match args.words:
            case []:
                _list(store, as_json=args.json)
            case ["rename", one, other]:
                _tell(store, people.rename(store, one, other), as_json=args.json)
            case ["merge", one, other]:
                _tell(store, people.merge(store, one, other), as_json=args.json)
            case ["split", name, *games] if games:
                _tell(store, people.split(store, name, games), as_json=args.json)
            case ["forget", name]:
                people.forget(store, name)
                text = _(
                    "{name} is now called somebody in all finished games, their records and "
                    "exports; to take that back: {command}"
                ).format(name=name, command="companion players undo")
                _tell_change(store, text, as_json=args.json)
            case ["undo"]:
                if not people.undo(store):
                    raise CommandError.of(f"{parser.prog} undo", _NOTHING_TO_UNDO)
                _tell_change(store, _("The last change of names is undone."), as_json=args.json)
            case [what, *_rest] if what in _NEEDED:
                raise CommandError.of(f"{parser.prog} {what}", _NEEDED[what], hint=parser.prog)
            case [word, *_rest]:
                problem = Sentence("unknown word “{word}”", word=word)
                near = find_nearest(word, tuple(_NEEDED))
                raise CommandError.of(parser.prog, suggest(problem, near), hint=parser.prog)
    return DONE


_TWO_NAMES = Sentence("name two players; a name with spaces needs quotes")
_NEEDED = {
    RENAME: _TWO_NAMES,
    MERGE: _TWO_NAMES,
    SPLIT: Sentence("name a player and the games that somebody else of that name has played"),
    FORGET: Sentence("name one player; a name with spaces needs quotes"),
    UNDO: Sentence("undo takes no names; it undoes the last change"),
}
_NOTHING_TO_UNDO = Sentence("no change of names to undo")


def make_parser() -> Parser:
    """The command's options."""
    parser = Parser("players", "Who has played here; one person may have several names.")
    parser.add_argument(
        "words",
        metavar="rename A B | merge A B | split A GAME… | forget A | undo",
        nargs="*",
        help="call a player by another name, count A's games as B's, make the A of these games "
        "another person, leave out A's name, or undo the last of these changes",
    )
    parser.add_argument("--json", action="store_true", help="one JSON list, for programs")
    return parser


def _list(store: Store, *, as_json: bool) -> None:
    persons = people.list_all(store)
    if as_json:
        answer_json([person._asdict() for person in persons])
    else:
        answer(map(describe, persons) if persons else [_("Nobody has played here yet.")])


def describe(person: people.Person) -> str:
    """A player in one line."""
    games = telling.games(person.games)
    if not person.also:
        return _("{player}: {games}.").format(player=person.name, games=games)
    return _("{player}: {games}; also played as {names}.").format(
        player=person.name, games=games, names=listing(person.also)
    )


def _tell(store: Store, name: str, *, as_json: bool) -> None:
    (person,) = (p for p in people.list_all(store) if p.name == name)
    if as_json:
        answer_json(person._asdict())
    else:
        answer([describe(person)])


def _tell_change(store: Store, sentence: str, *, as_json: bool) -> None:
    if as_json:
        answer_json([person._asdict() for person in people.list_all(store)])
    else:
        answer([sentence])
