"""A made-up example of each thing in docs/dev/adding.md; those of the cards are in cards.py."""

from __future__ import annotations

from tests.adding.cards import CHARACTER, DISTRICT
from tests.adding.edits import (
    Thing,
    copy_another,
    create,
    end,
    insert_after,
    replace,
    translate,
)

EDITION = Thing(
    {},
    {
        "engine/data/editions.yaml": end("""
made_up:
  title: Citadels Made Up (2030)
  cites: Classic 2016
  printing: classic_2016
  players: [2, 7]
  language: en
  first_crown: the oldest player
  cast: [assassin, thief, magician, king, bishop, merchant, architect, warlord]
  small_table: {city_size: 8}
  switches: {highest_rank: chosen}
  sources:
    small_table: Classic 2016 rulebook, Games with two or three players
    highest_rank: Hobby World rulebook, End of the game
"""),
        "tests/engine/boxes.py": insert_after(
            '    "deluxe_2016": Box("deluxe_2016", range(2, 9), 7, 8),\n',
            '    "made_up": Box("classic_2016", range(2, 8), 7, 8),\n',
        ),
        "tests/engine/bookkeeping/facts.py": insert_after(
            "OWN_ANSWERS: dict[str, dict[str, Any]] = {\n",
            '    "made_up": {"highest_rank": "chosen"},\n',
        ),
    },
)


LANGUAGE = Thing(
    {"code": "br"},
    {
        path: copy_another(path)
        for path in (
            "engine/data/names.<code>.yaml",
            "engine/data/texts.<code>.yaml",
            "companion/locale/<code>/words.yaml",
            "companion/locale/<code>/LC_MESSAGES/companion.po",
        )
    },
    ("tests/companion/test_catalogues.py", "tests/companion/test_vocabulary.py",
     "tests/companion/test_verbs.py", "tests/companion/test_commands_card.py"),
)  # fmt: skip

SETTING = Thing(
    {},
    {
        "companion/settings/all_settings.py": replace(
            '    Setting(\n        "plain",',
            '    Setting("bell", False, checks.truth).describe(\n'
            '        "Whether the terminal rings at a refusal: true or false."\n    ),\n'
            '    Setting(\n        "plain",',
        ),
        "companion/settings/config.py": insert_after("    plain: bool\n", "    bell: bool\n"),
    },
    ("tests/companion/test_config.py", "tests/test_readme.py", "tests/test_surface.py"),
)

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

_ROAD = """\
    "udp": Road(
        words="udp:PORT",
        about="a chip's id in each datagram to that port of this computer",
        read=_after("udp", r"\\d{1,5}"),
        reader="udp_reader.UdpReader",
        faults={"failed": N_("No chips come in through {name}: {detail}")},
        is_shared=True,
    ),
"""

LOOKING_BACK = Thing(
    {"name": "robberies"},
    {
        "companion/extensions/looking_back/commands/<name>.py": create('''\
"""`companion robberies [PLAYER…]`: how often each player has robbed another."""

from __future__ import annotations

from argparse import Namespace
from collections import Counter
from collections.abc import Iterator

from companion.commands.declared import CSV, JSON, Answer, arg, command
from companion.extensions.looking_back import commands, timeline
from companion.history import completing, games, people
from companion.language import number_entry
from companion.log.store import Store
from companion.settings.config import Config


@command(
    "robberies",
    arg("players", metavar="PLAYER", nargs="*", help="only these players"),
    *commands.DAYS,
    [JSON, CSV],
)
def run(config: Config, args: Namespace) -> Answer:
    """The robberies of the players in the finished games of all of them."""
    with Store(config.games) as store:
        names = people.find_all(store, args.players)
        found = games.read_finished(store, commands.choose_games(args, all_of=names))
        robbers = [name for game in found for name in list_robbers(store, game)]
    robberies = Counter(name for name in robbers if name in (names or robbers))
    lines = [number_entry(name, str(number)) for name, number in robberies.items()]
    return Answer(lines, dict(robberies), [("player", "robberies"), *robberies.items()])


def list_robbers(store: Store, game: games.Game) -> Iterator[str]:
    """Who robbed in that game, each as often; nobody where only the end was noted."""
    referee = completing.play_again(store.load(game.id))
    for mark in timeline.tell(referee).marks if referee is not None else ():
        if mark.kind == timeline.ROB and mark.actor is not None:
            yield game.seats[mark.actor].name
'''),
        "tests/looking_back/test_<name>.py": create('''\
"""`companion robberies`: counted as in the recaps of the games."""

from __future__ import annotations

from tests.bench.many_games import fill
from tests.companion.past_games import Capture, json_of, lines_of, random_games


def test_each_robbery_counts_for_whoever_did_it(log: str, capsys: Capture) -> None:
    fill(log, random_games(8))
    robberies = json_of(capsys, "robberies")
    recaps = [json_of(capsys, "recap", game["game"]) for game in json_of(capsys, "history")]
    robbed = [mark for recap in recaps for mark in recap["marks"] if mark["kind"] == "rob"]
    assert sum(robberies.values()) == len(robbed) > 0
    name, number = robberies.popitem()
    assert lines_of(capsys, "robberies", name) == [f"{name}: {number}"]
'''),
        "companion/extensions/looking_back/__init__.py": insert_after(
            "    commands: ClassVar = {\n",
            '        "robberies": Command(N_("who has robbed how often"), '
            'f"{_COMMANDS}.robberies"),\n',
        ),
        "companion/extensions/looking_back/locale/<code>/LC_MESSAGES/companion.po": translate(
            fr={"who has robbed how often": "qui a volé combien de fois"},
            ru={"who has robbed how often": "кто сколько раз грабил"},
            de={"who has robbed how often": "wer wie oft bestohlen hat"},
        ),
        "docs/reference/api.md": end(
            "\n`companion robberies --json` is the number of robberies by player.\n"
        ),
    },
    ("tests/companion/test_catalogues.py", "tests/test_readme.py", "tests/test_surface.py"),
)

READER = Thing(
    {"name": "udp_reader"},
    {
        "tags/readers/<name>.py": create('''\
"""A reader to which any program of this computer sends lines in datagrams."""

from __future__ import annotations

import socket

from tags.readers.file_reader import FileReader
from tags.readers.line_sources import LineSource


class _Port(LineSource):
    def __init__(self, port: str) -> None:
        self._socket = socket.socket(type=socket.SOCK_DGRAM)
        try:
            self._socket.bind(("127.0.0.1", int(port)))
        except OSError:
            self._socket.close()
            raise
        self._socket.setblocking(False)

    def read(self) -> bytes:
        """The next datagram, as a line."""
        try:
            return self._socket.recv(4096) + b"\\n"
        except BlockingIOError:
            return b""

    def close(self) -> None:
        """Free the port."""
        self._socket.close()


class UdpReader(FileReader):
    """A ``Reader`` of what comes to that port."""

    road = "udp"
    open_source = _Port
'''),
        "tags/readers/roads.py": replace("ROADS = {\n", f"ROADS = {{\n{_ROAD}"),
        "docs/reference/readers.md": end("\n`udp:PORT` takes a chip's id in each datagram.\n"),
    },
    ("tests/tags", "tests/companion/test_config.py", "tests/test_surface.py"),
)

SCREEN = Thing(
    {"name": "clock"},
    {
        "companion/app/screens/<name>.py": create('''\
"""A clock that is stopped."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.screen import Screen
from textual.widgets import Static

from companion.language import _


class ClockScreen(Screen[None]):
    """Shows the time of the game: none."""

    BINDINGS = [("escape", "app.pop_screen")]

    def compose(self) -> ComposeResult:
        """One line."""
        yield Static(_("No time is kept here."))
'''),
        "companion/app/screens/table_screen.py": replace(
            "    def action_rules(self) -> None:",
            "    def action_clock(self) -> None:\n"
            '        """The clock."""\n'
            "        from companion.app.screens.clock import ClockScreen\n\n"
            "        self.app.push_screen(ClockScreen())\n\n"
            "    def action_rules(self) -> None:",
        ),
        "companion/settings/keys.py": insert_after(
            "SCREEN_ACTIONS = (\n",
            '    ScreenAction("screen", "clock", ("ctrl+h",), Sentence("a clock")),\n',
        ),
        "companion/locale/<code>/LC_MESSAGES/companion.po": translate(
            fr={"a clock": "une pendule", "No time is kept here.": "Ici, le temps ne compte pas."},
            ru={"a clock": "часы", "No time is kept here.": "Здесь время не идёт."},
            de={"a clock": "eine Uhr", "No time is kept here.": "Hier läuft keine Zeit."},
        ),
    },
    (
        "tests/companion/test_catalogues.py",
        "tests/companion/test_config.py",
        "tests/app",
    ),
)

THINGS = {
    "A character": CHARACTER,
    "A district": DISTRICT,
    "An edition": EDITION,
    "A language": LANGUAGE,
    "A setting": SETTING,
    "A command": COMMAND,
    "A command that looks back": LOOKING_BACK,
    "A reader": READER,
    "A screen": SCREEN,
}
"""By the page's headings."""
