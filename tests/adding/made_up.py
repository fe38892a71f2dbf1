"""A made-up example of each thing in docs/adding.md, with the edits to each file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]

Edit = Callable[[str], str]
"""Computes a file's new text from the old one, empty for a new file."""


class Thing(NamedTuple):
    """One addition: `names` fill the placeholders in the page's paths; its edits by path; `ring` is
    the relevant part of the inner ring."""

    names: Mapping[str, str]
    files: Mapping[str, Edit]
    ring: tuple[str, ...] = ("tests/engine", "tests/companion")


def create(text: str) -> Edit:
    """Create a file."""
    return lambda before: text


def end(text: str) -> Edit:
    """Append lines."""
    return lambda before: f"{before.rstrip()}\n{text}"


def insert_after(place: str, text: str) -> Edit:
    """Insert text after `place`."""

    def edit(before: str) -> str:
        assert before.count(place) == 1, f"{place!r} is there {before.count(place)} times"
        return before.replace(place, place + text)

    return edit


def replace(old: str, new: str) -> Edit:
    """Replace the first occurrence of `old`."""

    def edit(before: str) -> str:
        assert old in before, f"{old!r} is not there"
        return before.replace(old, new, 1)

    return edit


def combine(*edits: Edit) -> Edit:
    """Apply several edits in order."""

    def edit(text: str) -> str:
        for one in edits:
            text = one(text)
        return text

    return edit


_DISTRICT = """\
district:
  type: unique
  cost: 4
  copies: {deluxe_2016: 1}
  effects: {points: 1}
names:
  en: {name: Archive}
  fr: {name: Archives, gender: fp, the: les Archives, of: des Archives, to: aux Archives}
  ru:
    {name: Архив, gender: m, gen: Архива, dat: Архиву, acc: Архив, ins: Архивом, pre: Архиве}
  de: {name: Archiv, gender: n, the: das Archiv, acc: das Archiv, dat: dem Archiv, gen: des Archivs}
texts:
  en: {text: It scores one point more than it costs., source: made up}
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

_ROW = "| University: two points more. |"


def row(text: str) -> Edit:
    """Insert a row into the page of sentences, above the University's."""
    return replace(_ROW, f"{text}\n{_ROW}")


DISTRICT = Thing(
    {"id": "archive"},
    {
        "engine/data/cards/<id>.yaml": create(_DISTRICT),
        "tests/engine/boxes.py": combine(
            insert_after(
                "thieves_den       unique    -    -    -    -    6x1\n",
                "archive           unique    -    -    -    -    4x1\n",
            ),
            replace("Counted(12, 11, 30, 27)", "Counted(12, 11, 31, 27)"),
        ),
        "tests/games/districts/<id>.yaml": create(_DISTRICT_RECORD),
        "docs/rules-coverage.md": row(
            "| Archive: one point more. | Archive | Deluxe | scoring.py: _POINTS "
            "| districts/archive ▸ build archive |"
        ),
    },
)

_CHARACTER = """\
character:
  rank: 6
  printings: [deluxe_2016]
names:
  en: {name: Beggar}
  fr: {name: Mendiante, gender: f, the: la Mendiante, of: de la Mendiante, to: à la Mendiante}
  ru:
    {name: Нищий, gender: m, gen: Нищего, dat: Нищему, acc: Нищего, ins: Нищим, pre: Нищем}
  de:
    {name: Bettlerin, gender: f, the: die Bettlerin, acc: die Bettlerin, dat: der Bettlerin,
     gen: der Bettlerin}
texts:
  en: {text: Take one gold., usually: "Usually: beg first.", source: made up}
  fr: {text: Prenez une pièce d’or., usually: "En général, on mendie d’abord.", source: inventé}
  ru: {text: Возьмите один золотой., usually: "Обычно сначала просят.", source: придумано}
  de: {text: Nehmt ein Gold., usually: "Meist wird zuerst gebettelt.", source: erfunden}
words:
  fr: {verbs: {beg: [mendier]}}
  ru: {verbs: {beg: [просить]}}
  de: {verbs: {beg: [betteln]}}
"""

_POWER = '''

class Beg(Power):
    """`beg`: the Beggar takes one gold."""

    verb = "beg"
    used_as = "beggar"

    def apply(self, table: Table, *words: str) -> None:
        self.spend(table)
        table.own_seat(table.playing.seat).gold += 1
'''

_KEPT = """

def beg(b: Books) -> None:
    b.me.gold += 1
"""

_VERB = """\
    "beg": Verb(
        label=lambda t, a: _("Beg for gold"),
        told=lambda b, a, n: act(_("{player} begs."), b),
        does=lambda a: _("beg"),
        key="b",
        heard="unsaid",
        chip=lambda: _("the Beggar's power"),
    ),
"""

_CHARACTER_RECORD = """\
# The Beggar takes a gold.
edition: deluxe_2016
players: [Anna, Kurt, Ashley, Ben]
crown: Kurt
characters: [assassin, thief, magician, king, bishop, beggar, architect, warlord]
position:
  round: 3
  faceup: [thief, bishop]
  called: 6
moves:
  - reveal Anna
  - gold
  - beg
  - end
"""


def translate(**told: Mapping[str, str]) -> Edit:
    """Translations for the catalogue of each language, by code; English for the others."""

    def edit(before: str) -> str:
        code = before.partition('"Language: ')[2][:2]
        entries = told.get(code, dict.fromkeys(next(iter(told.values())), "x"))
        added = (f'msgid "{english}"\nmsgstr "{own}"\n' for english, own in entries.items())
        return "\n".join((before, *added))

    return edit


CHARACTER = Thing(
    {"id": "beggar", "family": "bonuses"},
    {
        "engine/data/cards/<id>.yaml": create(_CHARACTER),
        "engine/rules/characters/<family>.py": end(_POWER),
        "engine/rules/characters/__init__.py": combine(
            insert_after('    "trader": (),  # unlimited\n', '    "beggar": (Beg(),),\n'),
            replace("import Bonus,", "import Beg, Bonus,"),
        ),
        "engine/moves.py": insert_after('    "study": ("",),\n', '    "beg": ("",),\n'),
        "companion/verbs/powers.py": replace('    "study": Verb(', f'{_VERB}    "study": Verb('),
        "companion/locale/<code>/LC_MESSAGES/companion.po": translate(
            fr={
                "Beg for gold": "Mendier",
                "{player} begs.": "{player} mendie.",
                "beg": "mendier",
                "the Beggar's power": "le pouvoir de la Mendiante",
            },
            ru={
                "Beg for gold": "Просить",
                "{player} begs.": "{player} просит.",
                "beg": "просить",
                "the Beggar's power": "свойство Нищего",
            },
            de={
                "Beg for gold": "Betteln",
                "{player} begs.": "{player} bettelt.",
                "beg": "betteln",
                "the Beggar's power": "die Fähigkeit der Bettlerin",
            },
        ),
        "tests/engine/boxes.py": combine(
            insert_after('    "trader": (6, _NEW),\n', '    "beggar": (6, _NEW),\n'),
            replace("Counted(12, 11, 30, 27)", "Counted(12, 11, 30, 28)"),
        ),
        "tests/engine/bookkeeping/powers.py": replace(
            "\nMOVES: dict[str, Carry] = {\n",
            f'{_KEPT}\n\nMOVES: dict[str, Carry] = {{\n    "beg": beg,\n',
        ),
        "tests/games/characters/<id>.yaml": create(_CHARACTER_RECORD),
        "docs/rules-coverage.md": row(
            "| Beggar: one gold. | Beggar | Deluxe | rules/characters/bonuses.py: Beg "
            "| characters/beggar ▸ beg |"
        ),
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
  switches: {}
  sources: {small_table: "Classic 2016 rulebook, Games with two or three players"}
"""),
    },
)

_OTHER = "fr"  # the language whose files the made-up one copies


def copy_another(path: str) -> Edit:
    """Copy another language's file."""
    return lambda before: (ROOT / path.replace("<code>", _OTHER)).read_text(encoding="utf-8")


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
        "companion/settings/table.py": replace(
            '    Setting(\n        "plain",',
            '    Setting("bell", False, checks.truth).describe(\n'
            '        "Whether the terminal rings at a refusal: true or false."\n    ),\n'
            '    Setting(\n        "plain",',
        ),
        "companion/settings/config.py": insert_after("    plain: bool\n", "    bell: bool\n"),
    },
    ("tests/companion/test_config.py", "tests/test_readme.py"),
)

COMMAND = Thing(
    {"name": "hello"},
    {
        "companion/commands/<name>.py": create('''\
"""`companion hello`: greets."""

from __future__ import annotations

from companion.commands import DONE
from companion.commands.parsing import Parser
from companion.errors.output import answer
from companion.language import _


def run(words: list[str]) -> int:
    """Say it."""
    Parser("hello", "A greeting.").parse_args(words)
    answer([_("Hello, table!")])
    return DONE
'''),
        "companion/commands/cli.py": insert_after(
            "COMMANDS = {\n", '    "hello": N_("a greeting"),\n'
        ),
        "companion/locale/<code>/LC_MESSAGES/companion.po": translate(
            fr={
                "a greeting": "un bonjour",
                "A greeting.": "Un bonjour.",
                "Hello, table!": "Salut.",
            },
            ru={"a greeting": "привет", "A greeting.": "Привет.", "Hello, table!": "Привет!"},
            de={"a greeting": "ein Gruß", "A greeting.": "Ein Gruß.", "Hello, table!": "Hallo!"},
        ),
        "docs/commands.md": insert_after(
            "| `companion card` | explains a card |\n", "| `companion hello` | greets |\n"
        ),
    },
    ("tests/companion/test_catalogues.py", "tests/test_readme.py"),
)

READER = Thing(
    {"name": "telepathy"},
    {
        "tags/readers/<name>.py": create('''\
"""A reader that knows what lies on it without being there."""

from __future__ import annotations

from collections.abc import Sequence


class TelepathyReader:
    """Sees nothing, and never fails."""

    def __init__(self, name: str) -> None:
        self.name = name

    def open(self) -> None:
        """Nothing to take hold of."""

    def poll(self) -> Sequence[bytes]:
        """No chip."""
        return []

    def close(self) -> None:
        """Nothing to let go."""
'''),
        "tags/readers/paths.py": combine(
            replace('"wedge", "file"]', '"wedge", "file", "telepathy"]'),
            insert_after(
                '        return Place("pcsc", rest.strip())\n',
                '    if path == "telepathy":\n        return Place("telepathy", "")\n',
            ),
        ),
        "tags/readers/factory.py": insert_after(
            "    place, name = parse_place(path), name or path\n",
            '    if place.bus == "telepathy":\n'
            "        from tags.readers.telepathy import TelepathyReader\n\n"
            "        return TelepathyReader(name)\n",
        ),
        "companion/settings/table.py": replace(
            "or file:PATH (taps as lines", "telepathy, or file:PATH (taps as lines"
        ),
        "docs/readers.md": end("\n`telepathy` needs no reader at all.\n"),
    },
    ("tests/tags", "tests/companion/test_config.py"),
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
        "companion/app/screens/table.py": replace(
            "    def action_rules(self) -> None:",
            "    def action_clock(self) -> None:\n"
            '        """The clock."""\n'
            "        from companion.app.screens.clock import ClockScreen\n\n"
            "        self.app.push_screen(ClockScreen())\n\n"
            "    def action_rules(self) -> None:",
        ),
        "companion/settings/keys.py": insert_after("ACTIONS = {\n", '    "clock": ("ctrl+k",),\n'),
        "companion/settings/table.py": replace("undo redo why help", "clock undo redo why help"),
        "companion/app/help.py": replace(
            '                ("cities", _("',
            '                ("clock", _("a clock")),\n                ("cities", _("',
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
    "A reader": READER,
    "A screen": SCREEN,
}
"""By the page's headings."""
