"""A made-up command, and one that looks back, with the edits to each file."""

from __future__ import annotations

from tests.adding.edits import Thing, create, insert_after, replace, translate

COMMAND = Thing(
    {"name": "hello"},
    {
        "companion/commands/<name>.py": create('''\
"""`companion hello`: greets."""

from __future__ import annotations

from argparse import Namespace

from companion.commands.declared import Answer, command
from companion.language import _
from companion.settings.config import Config


@command("hello")
def run(_config: Config, _args: Namespace) -> Answer:
    """The greeting."""
    return Answer([_("Hello, table!")])
'''),
        "companion/commands/names.py": insert_after(
            "COMMANDS = {\n", '    "hello": N_("a greeting"),\n'
        ),
        "companion/locale/<code>/LC_MESSAGES/companion.po": translate(
            fr={
                "a greeting": "un bonjour",
                "Hello, table!": "Salut.",
            },
            ru={"a greeting": "привет", "Hello, table!": "Привет!"},
            de={"a greeting": "ein Gruß", "Hello, table!": "Hallo!"},
        ),
    },
    ("tests/companion/test_catalogues.py", "tests/test_readme.py", "tests/test_surface.py"),
)

LOOKING_BACK = Thing(
    {"name": "robberies"},
    {
        "companion/extensions/looking_back/commands/<name>.py": create('''\
"""`companion robberies PLAYER PLAYER`: what two players have stolen from each other."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from statistics import fmean
from typing import Any

from common.clean import clean_text
from common.sentences import Sentence
from companion.commands import CommandError, open_games
from companion.commands.declared import JSON, Answer, arg, command
from companion.extensions.looking_back import commands, telling, timeline
from companion.history import completing, games, people
from companion.language import _, coins, end_sentence, listing, number_entry
from companion.log.store import Store
from companion.settings.config import Config
from companion.wording import facts

NamedDeed = tuple[str, str, timeline.Deed]  # who did it, and to whom


@command(
    "robberies",
    arg("players", metavar="PLAYER", nargs=2, help="by any name that they have played under"),
    *commands.DAYS,
    JSON,
)
def run(config: Config, args: Namespace) -> Answer:
    """The gold that each stole from the other, and their points, in the games of both."""
    with open_games(config) as store:
        one, other = people.find_all(store, args.players)
        if one == other:
            raise CommandError(Sentence("Both names already mean {name}.", name=one))
        both = games.read_finished(store, commands.choose_games(args, all_of=(one, other)))
        deeds = [deed for game in both for deed in list_deeds(store, game)]
    figures = {one: add_up(one, other, both, deeds), other: add_up(other, one, both, deeds)}
    lines = [end_sentence(number_entry(listing(figures), facts.games(len(both))))]
    if both:
        lines += [tell(one, other, figures[one]), tell(other, one, figures[other])]
    return Answer(lines, {"games": len(both), "players": figures})


def add_up(name: str, other: str, both: list[games.Game], deeds: list[NamedDeed]) -> dict[str, Any]:
    """What that player stole from the other, and the points on average; null without games."""
    points = [seat.total for game in both for seat in game.seats if seat.name == name]
    robberies = [
        deed for who, whom, deed in deeds if (deed.kind, who, whom) == (timeline.ROB, name, other)
    ]
    return {
        "stolen": sum(deed.amount for deed in robberies),
        "average": fmean(points) if points else None,
    }


def tell(name: str, other: str, sums: dict[str, Any]) -> str:
    """One player's figures in a line."""
    return _("{player}: {points} points on average; stolen from {other}: {gold}.").format(
        player=clean_text(name),
        other=clean_text(other),
        points=telling.decimal(sums["average"]),
        gold=coins(sums["stolen"]),
    )


def list_deeds(store: Store, game: games.Game) -> Iterator[NamedDeed]:
    """Who did something in that game, to whom, and what; nothing where only the end was noted."""
    referee = completing.play_again(store.load(game.id))
    names = [seat.name for seat in game.seats]
    for deed in timeline.tell(referee).deeds if referee is not None else ():
        yield *deed.find_names(names), deed
'''),
        "tests/looking_back/test_<name>.py": create('''\
"""`companion robberies`: counted as in the recaps of the games."""

from __future__ import annotations

from companion.commands.cli import main
from tests.bench.many_games import fill
from tests.companion.past_games import Capture, json_of, lines_of, random_games


def test_each_robbery_counts_for_whoever_did_it(log: str, capsys: Capture) -> None:
    fill(log, random_games(8))
    both = json_of(capsys, "history", "--player", "Anna", "--player", "Kurt")
    gold = {"Anna": 0, "Kurt": 0}
    for mark in (mark for game in both for mark in json_of(capsys, "recap", game["game"])["marks"]):
        if mark["kind"] == "rob" and {mark["player"], mark["victim"]} == {*gold}:
            gold[mark["player"]] += mark["gold"]
    robberies = json_of(capsys, "robberies", "Anna", "Kurt")
    assert robberies["games"] == len(both)
    assert {name: one["stolen"] for name, one in robberies["players"].items()} == gold
    assert sum(gold.values()) > 0
    for name, one in robberies["players"].items():
        assert one["average"] == sum(game["totals"][name] for game in both) / len(both)
    assert lines_of(capsys, "robberies", "Anna", "Kurt")[0] == f"Anna and Kurt: {len(both)} games."


def test_two_players_are_needed(log: str, capsys: Capture) -> None:
    fill(log, random_games(1))
    assert main(["robberies", "Anna", "Anna"]) == 2
    assert capsys.readouterr().err == "Both names already mean Anna.\\n"
    never = json_of(capsys, "robberies", "Anna", "Kurt", "--since", "2999-01-01")["players"]
    assert never["Anna"] == {"stolen": 0, "average": None}
'''),
        "companion/extensions/looking_back/__init__.py": insert_after(
            "    commands: ClassVar = {\n",
            '        "robberies": Command(\n'
            '            N_("what two players have stolen from each other"), '
            'f"{_COMMANDS}.robberies"\n'
            "        ),\n",
        ),
        "companion/extensions/looking_back/locale/<code>/LC_MESSAGES/companion.po": translate(
            fr={
                "what two players have stolen from each other": "ce que deux joueurs se sont volé",
                "by any name that they have played under": "par n’importe lequel de leurs noms",
                "{player}: {points} points on average; stolen from {other}: {gold}.":
                    "{player} : {points} points en moyenne ; volé à {other} : {gold}.",
            },
            ru={
                "what two players have stolen from each other": "что двое украли друг у друга",
                "by any name that they have played under": "под любым именем, под которым играли",
                "{player}: {points} points on average; stolen from {other}: {gold}.":
                    "{player}: в среднем очков {points}; украдено у {other:of}: {gold}.",
            },
            de={
                "what two players have stolen from each other":
                    "was zwei Spieler voneinander gestohlen haben",
                "by any name that they have played under": "unter irgendeinem ihrer Namen",
                "{player}: {points} points on average; stolen from {other}: {gold}.":
                    "{player}: im Schnitt {points} Punkte; von {other} gestohlen: {gold}.",
            },
        ),
        "docs/reference/api.md": replace(
            "### Players, export, import\n",
            "`companion robberies --json` has the number of `games`, and by player the gold"
            "\n`stolen` and the `average` points, null where there is no game."
            "\n\n### Players, export, import\n",
        ),
    },
    ("tests/companion/test_catalogues.py", "tests/test_readme.py", "tests/test_surface.py",
     "tests/looking_back/test_robberies.py"),
)  # fmt: skip
