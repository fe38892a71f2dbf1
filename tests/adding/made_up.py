"""A made-up example of each thing in docs/dev/adding.md; what many begin from has a file of its
own: new_character.py, new_commands.py, new_onlooker.py, new_reader.py."""

from __future__ import annotations

from tests.adding.edits import (
    Thing,
    copy_another,
    create,
    end,
    insert_after,
    replace,
    translate,
)
from tests.adding.new_character import CHARACTER
from tests.adding.new_commands import COMMAND, LOOKING_BACK
from tests.adding.new_onlooker import ONLOOKER
from tests.adding.new_reader import READER

_DISTRICT = """\
district:
  type: unique
  cost: 4
  copies: {deluxe_2016: 1}
  effects: {points: 1}
names:
  en: {name: Archive}
  es: {name: Archivo, gender: m, the: el Archivo, of: del Archivo, to: al Archivo}
  fr: {name: Archives, gender: fp, the: les Archives, of: des Archives, to: aux Archives}
  ru:
    {name: Архив, gender: m, gen: Архива, dat: Архиву, acc: Архив, ins: Архивом, pre: Архиве}
  de: {name: Archiv, gender: n, the: das Archiv, acc: das Archiv, dat: dem Archiv, gen: des Archivs}
texts:
  en: {text: It scores one point more than it costs., source: made up}
  es: {text: Vale un punto más de lo que cuesta., source: inventado}
  fr: {text: Vaut un point de plus que son coût., source: inventé}
  ru: {text: Приносит на одно очко больше своей стоимости., source: придумано}
  de: {text: Zählt einen Punkt mehr als es kostet., source: erfunden}
"""

_DISTRICT_RECORD = """\
# 4 gold to build, 5 points at the end.
edition: deluxe_2016
players: [Anna, Kurt, Ashley, Ben]
districts:
  [archive, armory, basilica, capitol, dragon_gate, factory, framework, gold_mine, great_wall,
   haunted_quarter, keep, laboratory, library, map_room]
position:
  round: 9
  players:
    Anna: {gold: 4, hand: 1}
    Kurt: {city: [castle, palace, church, tavern, market, barracks, fortress]}
  first_complete: Kurt
  turn: {player: Anna, character: warlord, gathered: true}
moves:
  - build archive
  - end
"""


DISTRICT = Thing(
    {"id": "archive"},
    {
        "engine/data/cards/<id>.yaml": create(_DISTRICT),
        "tests/games/districts/<id>.yaml": create(_DISTRICT_RECORD),
    },
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

SCREEN = Thing(
    {"name": "clock"},
    {
        "companion/app/screens/<name>.py": create('''\
"""A clock that is stopped."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.screen import Screen
from textual.widgets import Static

from companion.language import _


class ClockScreen(Screen[None]):
    """Shows the time of the game: none."""

    BINDINGS: ClassVar[list[BindingType]] = [("escape", "dismiss")]

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
    "What the companion says by itself": ONLOOKER,
}
"""By the page's headings."""
