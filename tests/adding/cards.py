"""A made-up district and a made-up character, with the edits to each file."""

from __future__ import annotations

from tests.adding.edits import Thing, create, replace, translate

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

_CHARACTER = """\
# A whole card. What else a character does without being asked is in the head of characters.yaml.
character:
  rank: 6
  printings: [deluxe_2016]
names:
  en: {name: Beggar}
  es: {name: Mendiga, gender: f, the: la Mendiga, of: de la Mendiga, to: a la Mendiga}
  fr: {name: Mendiante, gender: f, the: la Mendiante, of: de la Mendiante, to: à la Mendiante}
  ru:
    {name: Нищий, gender: m, gen: Нищего, dat: Нищему, acc: Нищего, ins: Нищим, pre: Нищем}
  de:
    {name: Bettlerin, gender: f, the: die Bettlerin, acc: die Bettlerin, dat: der Bettlerin,
     gen: der Bettlerin}
texts:
  en: {text: Take 1 gold if you have none., usually: "Usually: beg first.", source: made up}
  es: {text: Toma 1 moneda de oro si no tienes ninguna., usually: "Por lo general: pedir antes.",
       source: inventado}
  fr: {text: Prenez 1 pièce d’or si vous n’en avez aucune.,
       usually: "En général : mendier d’abord.", source: inventé}
  ru: {text: "Возьмите 1 золотой, если у вас нет золота.", usually: "Обычно сначала просят.",
       source: придумано}
  de: {text: "Nimm 1 Gold, wenn du keines hast.", usually: "Meist wird zuerst gebettelt.",
       source: erfunden}
rules:
  beggar.has_gold:
    reason: "{player} has gold."
    card: beggar
# What follows a verb of its own: nothing here; P is a player, N a number, D a district, as in
# GRAMMAR of engine/moves.py. And what is typed for it.
moves: {beg: [""]}
words:
  es: {verbs: {beg: [mendigar]}}
  fr: {verbs: {beg: [mendier]}}
  ru: {verbs: {beg: [просить]}}
  de: {verbs: {beg: [betteln]}}
# Shapes within 64 by 64, as in companion/wording/emblems.svg.
emblem: <path d="M8 24 L56 24 C56 52 8 52 8 24 Z"/>
"""

_POWERS = "\n\nPOWERS: dict[str, tuple[Power, ...]] = {\n"

_POWER = '''

class Beg(Power):
    """`beg`: the Beggar takes one gold, while he has none."""

    verb = "beg"
    used_as = "beggar"

    def closed(self, table: Table) -> str | None:
        return "beggar.has_gold" if table.acting.gold else super().closed(table)

    def apply(self, table: Table, *words: str) -> None:
        self.spend(table)
        table.own_acting().gold += 1
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
    ),
"""

_CHARACTER_RECORD = """\
# The Beggar takes a gold, but only while he has none.
edition: deluxe_2016
players: [Anna, Kurt, Ashley, Ben]
crown: Kurt
characters: [assassin, thief, magician, king, bishop, beggar, architect, warlord]
position:
  round: 3
  players:
    Anna: {gold: 0}
  faceup: [thief, bishop]
  called: 6
moves:
  - reveal Anna
  - beg
  - gold
  - beg
"""


CHARACTER = Thing(
    {"id": "beggar", "family": "crown"},
    {
        "engine/data/cards/<id>.yaml": create(_CHARACTER),
        "engine/rules/characters/<family>.py": replace(
            _POWERS, f'{_POWER}{_POWERS}    "beggar": (Beg(),),\n'
        ),
        "companion/verbs/powers.py": replace('    "study": Verb(', f'{_VERB}    "study": Verb('),
        "companion/locale/<code>/LC_MESSAGES/companion.po": translate(
            fr={
                "Beg for gold": "Mendier",
                "{player} begs.": "{player} mendie.",
                "beg": "mendier",
                "{player} has gold.": "{player} a de l’or.",
            },
            ru={
                "Beg for gold": "Просить",
                "{player} begs.": "{player} просит.",
                "beg": "просить",
                "{player} has gold.": "У {player:of} есть золото.",
            },
            de={
                "Beg for gold": "Betteln",
                "{player} begs.": "{player} bettelt.",
                "beg": "betteln",
                "{player} has gold.": "{player} hat Gold.",
            },
        ),
        "tests/engine/bookkeeping/powers.py": replace(
            "\nMOVES: dict[str, Carry] = {\n",
            f'{_KEPT}\n\nMOVES: dict[str, Carry] = {{\n    "beg": beg,\n',
        ),
        "tests/games/characters/<id>.yaml": create(_CHARACTER_RECORD),
    },
    ("tests/engine", "tests/companion", "tests/end_to_end/test_records.py"),
)
