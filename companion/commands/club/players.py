"""`companion club players`: the club's list, in which a player is a name with a number."""

from __future__ import annotations

from common.problems import find_nearest
from common.sentences import Sentence, suggest
from companion.club import league, league_files, ledger
from companion.club.league import League
from companion.commands import DONE, CommandError, load_settings
from companion.commands.club import add_folder, find_folder
from companion.commands.looking_back import answer_csv
from companion.commands.parsing import Parser
from companion.errors.output import answer, answer_json
from companion.files.locations import games_file
from companion.history import people
from companion.language import _
from companion.log.store import Store
from engine.moves import fold

COLUMNS = ("number", "name", "id")


def run(words: list[str]) -> int:
    """Print the players, or change the list."""
    parser = make_parser()
    args = parser.parse_args(words)
    folder = find_folder(args, load_settings())
    rules = league_files.read(folder)
    match args.words:
        case []:
            pass
        case ["add", *names] if names:
            with Store(games_file(folder)) as store:
                last = ledger.find_last_number(store)
            rules = _save(folder, _add(rules, names, last, parser))
        case ["rename", number, name]:
            rules = _rename(folder, rules, _find(rules, number, parser), name, parser)
        case ["remove", *numbers] if numbers:
            departures = {_find(rules, number, parser) for number in numbers}
            players = {key: name for key, name in rules.players.items() if key not in departures}
            rules = _save(folder, rules._replace(players=players))
        case [word, *_rest] if word in _NEEDED:
            raise CommandError.of(f"{parser.prog} {word}", _NEEDED[word], hint=parser.prog)
        case [word, *_rest]:
            problem = Sentence("unknown word “{word}”", word=word)
            near = find_nearest(word, tuple(_NEEDED))
            raise CommandError.of(parser.prog, suggest(problem, near), hint=parser.prog)
    rows = [(key, name, league.make_id(key, name)) for key, name in sorted(rules.players.items())]
    if args.json:
        answer_json([dict(zip(COLUMNS, row, strict=True)) for row in rows])
    elif args.csv:
        answer_csv([COLUMNS, *rows])
    elif rows:
        answer(
            _("{number}. {name} ({id})").format(number=key, name=name, id=id_)
            for key, name, id_ in rows
        )
    else:
        sentence = _("Nobody is on the club's list; to add players: {command}")
        answer([sentence.format(command="companion club players add NAME")])
    return DONE


_NEEDED = {
    "add": Sentence("name at least one player; a name with spaces needs quotes"),
    "rename": Sentence("give a player's number or name, and the new name"),
    "remove": Sentence("give the number or name of at least one player"),
}


def make_parser() -> Parser:
    """The command's options."""
    parser = Parser("club players", "The club's players: each has a name and a number.")
    parser.add_argument(
        "words",
        metavar="add NAME… | rename NUMBER NAME | remove NUMBER…",
        nargs="*",
        help="add players, change the name of one, also in the club's games, or take one off the "
        "list, whose games stay",
    )
    add_folder(parser)
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="one JSON list, for programs")
    form.add_argument("--csv", action="store_true", help="a table for a spreadsheet")
    return parser


def _save(folder: str, rules: League) -> League:
    league_files.save(folder, rules)
    return rules


def _add(rules: League, names: list[str], last: int, parser: Parser) -> League:
    """The list with these players; `last` is the highest number that a result names, whose player
    may no longer be on the list."""
    players = dict(rules.players)
    for name in names:
        problem = league_files.find_name_problem(name, players.values())
        if problem is None and len(players) >= league_files.MOST_PLAYERS:
            problem = Sentence("a club has at most {most} players", most=league_files.MOST_PLAYERS)
        if problem is not None:
            raise CommandError.of(f"{parser.prog} add", problem)
        players[1 + max(*players, last, 0)] = name
    return rules._replace(players=players)


def _find(rules: League, word: str, parser: Parser) -> int:
    """The number of the player with that number or name. Raises CommandError."""
    for number, name in rules.players.items():
        if word == str(number) or fold(word) == fold(name):
            return number
    problem = Sentence("nobody on the club's list is called “{word}”", word=word)
    near = find_nearest(word, list(rules.players.values()))
    raise CommandError.of(parser.prog, suggest(problem, near))


def _rename(folder: str, rules: League, number: int, name: str, parser: Parser) -> League:
    """Change a name on the list, in the rounds and in the club's games."""
    was = rules.players[number]
    others = [other for key, other in rules.players.items() if key != number]
    problem = league_files.find_name_problem(name, others)
    if problem is not None:
        raise CommandError.of(f"{parser.prog} rename", problem)
    with Store(games_file(folder)) as store:
        if any(fold(person.name) == fold(was) for person in people.list_all(store)):
            people.rename(store, was, name)
        ledger.identify(store, was, league.make_id(number, name))
    return league_files.rename(folder, rules, number, name)
