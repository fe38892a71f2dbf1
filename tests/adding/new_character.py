"""A made-up character with a power of its own, and the edit to each file."""

from __future__ import annotations

from tests.adding.edits import Thing, create, replace, translate

_CHARACTER = """\
# A whole card. What a character does without being asked is in the head of characters.yaml; its
# printings are the boxes that it is added to.
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
# What the card says; what is usually done with it; where it is printed, in the reader's language.
texts:
  en: {text: Take 1 gold and draw 1 card if you have no gold., usually: "Usually: beg first.",
       source: made up}
  es: {text: Toma 1 moneda de oro y roba 1 carta si no tienes oro.,
       usually: "Por lo general: pedir antes.", source: inventado}
  fr: {text: Prenez 1 pièce d’or et piochez 1 carte si vous n’avez pas d’or.,
       usually: "En général : mendier d’abord.", source: inventé}
  ru: {text: "Возьмите 1 золотой и 1 карту, если у вас нет золота.",
       usually: "Обычно сначала просят.", source: придумано}
  de: {text: "Nimm 1 Gold und ziehe 1 Karte, wenn du kein Gold hast.",
       usually: "Meist wird zuerst gebettelt.", source: erfunden}
# Why a move is refused, and the card that says so. {player} is whose turn it is; _WORDS in
# engine/explain.py has all such fields.
rules:
  beggar.has_gold:
    reason: "{player} has gold."
    card: beggar
# What follows a verb of its own: nothing here; P is a player, N a number, D a district, as in
# GRAMMAR of engine/moves.py. And what is typed for it where English is not.
moves: {beg: [""]}
words:
  es: {verbs: {beg: [mendigar]}}
  fr: {verbs: {beg: [mendier]}}
  ru: {verbs: {beg: [просить]}}
  de: {verbs: {beg: [betteln]}}
# Circles and paths within 64 by 64, filled by the even-odd rule. Paths have the commands M, L, C
# and Z alone, each letter before every point or curve.
emblem: <path d="M8 24 L56 24 C56 52 8 52 8 24 Z"/>
"""

_POWERS = "\n\nPOWERS: dict[str, tuple[Power, ...]] = {\n"

_POWER = '''

class Beg(Power):
    """`beg`: the Beggar takes a gold and a card, while she has no gold."""

    verb = "beg"
    used_as = "beggar"

    def closed(self, table: Table) -> str | None:
        # her own rule first: it says more than that the power has been used
        return "beggar.has_gold" if table.acting.gold else super().closed(table)

    def apply(self, table: Table, *words: str) -> None:
        self.spend(table)
        beggar = table.own_acting()
        beggar.gold += 1
        table.draw(beggar, 1)
'''

_KEPT = """
def beg(b: Books) -> None:
    b.me.gold += 1
    b.draw(b.me, 1)
"""

_VERB = """\
    "beg": Verb(
        label=lambda t, a: _("Beg for gold and a card"),
        told=lambda b, a, n: act(_("{player} begs."), b),
        does=lambda a: _("beg"),
        is_lost=True,
        key="b",
        heard="unsaid",
    ),
"""

_CHARACTER_RECORD = """\
# The Beggar takes a gold and a card, but only while she has no gold.
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
    {"id": "beggar", "family": "hands"},
    {
        "engine/data/cards/<id>.yaml": create(_CHARACTER),
        "engine/rules/characters/<family>.py": replace(
            _POWERS, f'{_POWER}{_POWERS}    "beggar": (Beg(),),\n'
        ),
        "companion/verbs/powers.py": replace('    "study": Verb(', f'{_VERB}    "study": Verb('),
        "companion/locale/<code>/LC_MESSAGES/companion.po": translate(
            fr={
                "Beg for gold and a card": "Mendier de l’or et une carte",
                "{player} begs.": "{player} mendie.",
                "beg": "mendier",
                "{player} has gold.": "{player} a de l’or.",
            },
            ru={
                "Beg for gold and a card": "Просить золото и карту",
                "{player} begs.": "{player} просит.",
                "beg": "просить",
                "{player} has gold.": "У {player:of} есть золото.",
            },
            de={
                "Beg for gold and a card": "Gold und eine Karte erbetteln",
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
