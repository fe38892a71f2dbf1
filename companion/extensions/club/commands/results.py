"""`companion club results`: the results of the tables, and the judge's corrections."""

from __future__ import annotations

from argparse import Namespace

from common.clean import clean_text, read_number
from common.problems import find_nearest, tell_range
from common.sentences import Sentence, quote, suggest
from companion.commands import CommandError, open_games, refuse_gone
from companion.commands.declared import JSON, Answer, arg, command, refuse_words
from companion.extensions.club.results import Result, correct, list_results
from companion.language import _
from companion.log.store import Store
from companion.settings.config import Config
from engine.moves import fold

MOST_POINTS = 999
LONGEST_REASON = 120

_PROG = "companion club results"
_FORM = "correct GAME NAME=POINTS…"


@command(
    "club results",
    arg(
        "words",
        metavar=_FORM,
        nargs="*",
        help="correct the points of players in the result of a game",
    ),
    arg("--reason", metavar="TEXT", help="why, for everybody to read"),
    JSON,
)
def run(config: Config, args: Namespace) -> Answer:
    with open_games(config) as store:
        match args.words:
            case []:
                pass
            case ["correct", game, *totals] if totals:
                _correct(store, _find(store, game), totals, args.reason)
            case ["accept" | "reject" as word, *_rest]:
                raise refuse_gone(f"{_PROG} {word}", f"{_PROG} correct GAME NAME=POINTS")
            case _:
                raise refuse_words(_PROG, args.words[0], {"correct": _FORM})
        rows = list_results(store)
    none = _("No table has sent a result yet.")
    return Answer([*map(describe, rows)] or [none], [one._asdict() for one in rows])


def _find(store: Store, word: str) -> Result:
    """The result of the game with that name or number. Raises CommandError."""
    everything = list_results(store)
    for one in everything:
        if word in (one.game, str(one.number)):
            return one
    problem = Sentence("there is no result of a game called “{word}”", word=word)
    near = find_nearest(word, [one.game for one in everything])
    raise CommandError.of(_PROG, suggest(problem, near))


def _correct(store: Store, result: Result, words: list[str], reason: str | None) -> None:
    """Correct the points of those players. Raises CommandError."""
    note = clean_text(reason or "", limit=LONGEST_REASON)
    if not note:
        problem = Sentence("give a --reason, which everybody can read")
        raise CommandError.of(_PROG, problem)
    totals = {name: facts["total"] for name, facts in result.score["players"].items()}
    names = {fold(name): name for name in totals}
    for word in words:
        name, _equals, points = word.rpartition("=")
        if fold(name) not in names:
            problem = Sentence("nobody called “{name}” played this game", name=name)
            raise CommandError.of(_PROG, problem)
        number = read_number(points)
        if number is None or number > MOST_POINTS:
            raise CommandError.of(_PROG, tell_range(quote(points), 0, MOST_POINTS))
        totals[names[fold(name)]] = number
    correct(store, result.number, totals, note)


def describe(result: Result) -> str:
    totals = ((name, result.score["players"][name]["total"]) for name in result.score["ranking"])
    line = _("{game}, at {table}: {scores}.").format(
        game=result.game,
        table=result.table,
        scores=", ".join(f"{name} {total}" for name, total in totals),
    )
    if not result.reason:
        return line
    return f"{line} {_('Corrected by the judge: {reason}').format(reason=result.reason)}"
