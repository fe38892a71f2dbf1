"""`companion club players`: the club's list, in which a player is a name with a number."""

from __future__ import annotations

from argparse import Namespace

from common.problems import find_nearest
from common.sentences import Sentence, suggest
from companion.commands import CommandError, open_games
from companion.commands.declared import JSON, Answer, arg, command, refuse_words
from companion.extensions.club import league, league_files, results
from companion.extensions.club.league import League
from companion.history import people
from companion.language import _
from companion.settings.config import Config
from engine.moves import fold

_PROG = "companion club players"
_FORMS = {"add": "add NAME…", "rename": "rename NUMBER NAME", "remove": "remove NUMBER…"}


@command(
    "club players",
    arg(
        "words",
        metavar=" | ".join(_FORMS.values()),
        nargs="*",
        help="add players, change the name of one, also in the club's games, or take one off the "
        "list, whose games stay",
    ),
    JSON,
)
def run(config: Config, args: Namespace) -> Answer:
    rules = _change(config, league_files.read(config.data), args.words)
    rows = [(key, name, league.make_id(key, name)) for key, name in sorted(rules.players.items())]
    lines = [
        _("{number}. {name} ({id})").format(number=n, name=name, id=id_) for n, name, id_ in rows
    ]
    none = _("Nobody is on the club's list; to add players: {command}")
    return Answer(
        lines or [none.format(command=f"{_PROG} add NAME")],
        [{"number": number, "name": name, "id": id_} for number, name, id_ in rows],
    )


def _change(config: Config, rules: League, words: list[str]) -> League:
    """The list after what the words change. Raises CommandError."""
    match words:
        case []:
            return rules
        case ["add", *names] if names:
            with open_games(config) as store:
                last = results.find_last_number(store)
            rules = _add(rules, names, last)
        case ["rename", number, name]:
            return _rename(config, rules, _find(rules, number), name)
        case ["remove", *numbers] if numbers:
            departures = {_find(rules, number) for number in numbers}
            players = {key: name for key, name in rules.players.items() if key not in departures}
            rules = rules._replace(players=players)
        case [word, *_rest]:
            raise refuse_words(_PROG, word, _FORMS)
    league_files.save(config.data, rules)
    return rules


def _add(rules: League, names: list[str], last: int) -> League:
    """The list with these players; `last` is the highest number that a result names, whose player
    may no longer be on the list."""
    players = dict(rules.players)
    taken = {*map(fold, players.values())}
    for name in names:
        problem = league_files.find_name_problem(name, taken)
        if problem is None and len(players) >= league_files.MOST_PLAYERS:
            problem = Sentence("a club has at most {most} players", most=league_files.MOST_PLAYERS)
        if problem is not None:
            raise CommandError.of(f"{_PROG} add", problem)
        players[1 + max(*players, last, 0)] = name
        taken.add(fold(name))
    return rules._replace(players=players)


def _find(rules: League, word: str) -> int:
    """The number of the player with that number or name. Raises CommandError."""
    for number, name in rules.players.items():
        if word == str(number) or fold(word) == fold(name):
            return number
    problem = Sentence("nobody on the club's list is called “{word}”", word=word)
    near = find_nearest(word, list(rules.players.values()))
    raise CommandError.of(_PROG, suggest(problem, near))


def _rename(config: Config, rules: League, number: int, name: str) -> League:
    """Change a name on the list, in the rounds and in the club's games."""
    was = rules.players[number]
    taken = {fold(other) for key, other in rules.players.items() if key != number}
    problem = league_files.find_name_problem(name, taken)
    if problem is not None:
        raise CommandError.of(f"{_PROG} rename", problem)
    with open_games(config) as store:
        if any(fold(person.name) == fold(was) for person in people.list_all(store)):
            people.rename(store, was, name)
        results.identify(store, was, league.make_id(number, name))
    return league_files.rename(config.data, rules, number, name)
