"""Every sentence filled with what games really put into it, in every language: nothing breaks, and
nothing of another language is left in it."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator
from gettext import NullTranslations
from pathlib import Path

import pytest

from companion import language, reference
from companion.game import asking
from companion.strict_yaml import parse
from companion.voice import script
from companion.wording import editions as editions_told
from companion.wording import facts, prompts, state, story, teaching
from engine import languages, record, views, words
from engine.editions import editions, switches
from engine.moves import Move, UnknownMove
from engine.referee import Referee, judge
from engine.refusals import Refused
from engine.table import Table
from tests.companion.test_catalogues import messages
from tests.engine.boxes import EDITIONS, random_setup
from tests.engine.playing import random_game

GAMES = Path(__file__).parents[1] / "games"
GOLDEN = sorted(p for p in GAMES.rglob("*.yaml") if p.parent.name != "impossible")
LANGUAGES = [code for code in languages.complete() if code != "en"]
OF_A_VERB = 4  # moves of one verb whose labels and refusals are looked at
EVERY = 5  # moves between two looks at everything that can be asked
PROPER = [
    *(edition.title for edition in editions().values()),
    *("BrettspielWelt", "Millennium", "FFG", "Hobby World"),  # whose rulebooks are cited
    *(words.language(code)["language"] for code in languages.complete()),
]


class Strict(str):
    """A translation that is filled only with what the notes for translators promise."""

    def format(self, *args: object, **fields: object) -> str:
        for name, value in fields.items():
            kind = messages.KINDS.get(name)
            if kind is not None and f"{{{name}" in self:
                assert isinstance(value, KINDS[kind]), (self, name, value)
        return str.format(self, *args, **fields)


KINDS = {
    "name": (words.Name, words.Listing),
    "type": (words.Name,),
    "amount": (words.Amount,),
    "list": (words.Listing,),
    "list or amount": (words.Listing, words.Amount),
}


class StrictCatalogue(NullTranslations):
    """The translations of a language, each strict."""

    def __init__(self, kept: NullTranslations) -> None:
        super().__init__()
        self._kept = kept

    def gettext(self, message: str) -> str:
        return Strict(self._kept.gettext(message))

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return Strict(self._kept.ngettext(msgid1, msgid2, n))


def speak(code: str) -> None:
    """Speak that language, strictly."""
    language.use(code)
    assert language._catalogue is not None
    language._catalogue = StrictCatalogue(language._catalogue)


@pytest.fixture(autouse=True)
def _english_afterwards() -> Iterator[None]:
    yield
    language.use("en")


def foreign(sentence: str, code: str, names: Iterable[str]) -> list[str]:
    """What in the sentence is of another language: words in Latin letters in a Russian one, little
    English words in a French one. Proper names and ids are no words."""
    bare = sentence
    for name in sorted((*names, *PROPER), key=len, reverse=True):
        bare = bare.replace(name, "")
    bare = re.sub(r"«[^«»]*»|\w+_\w+|[a-z]+ (?=\()", "", bare)
    if code == "ru":
        return re.findall(r"[A-Za-z]{2,}", bare)
    return re.findall(r"\b(?:the|The|of|takes|is|and|to|with|a card|gold)\b", bare)


def queries(t: Table) -> list[str]:
    """Whatever can be asked about a table."""
    seats = range(len(t.seats))
    told = [line for seat in seats for line in facts.city(t, seat)]
    for about in (facts.gold, facts.status, facts.who, facts.score, state.called, state.characters):
        told += about(t)
    told += [*state.uniques(t), *state.crown(t), *state.options(t), *editions_told.rules(t)]
    told += [*state.hands(t, seats), *state.left(t, seats), *state.gold(t, seats)]
    told += [*prompts.selection_steps(t), *prompts.selection_steps(t, short=True)]
    return told


def refusals(t: Table, moves: list[Move]) -> list[str]:
    """Why each of the moves is refused, aloud and on the screen, where it is."""
    told = []
    for move in moves:
        try:
            judge(t, move)
        except Refused as error:
            told += [line.text for line in script.refused(t, move)]
            told.append(language.said(error.refusal.reason))
            told += [language.said(error.refusal.ruling or "")]
    return told


def labels(t: Table, legal: list[Move]) -> list[str]:
    """What the moves are called, one by one and behind each other."""
    by_verb: dict[str, list[Move]] = {}
    for move in legal:
        by_verb.setdefault(move.verb, []).append(move)
    some = [move for of_verb in by_verb.values() for move in of_verb[:OF_A_VERB]]
    rows = [*asking.flat(t, some), *asking.agenda(t, legal, {}).rows]
    for of_verb in by_verb.values():
        rows += asking.narrowed(t, of_verb).rows
    return [row.label for row in rows]


def moments(referee: Referee, chance: random.Random) -> list[str]:
    """What may be said at this moment of a game, as the whole table hears and sees it."""
    view = views.redact(referee.table, None)
    told = [prompts.question(view), *labels(view, referee.legal()), *teaching.lesson(view)]
    told += [line.text for line in script.opening(view)]
    if referee.moves:
        before = views.redact(referee.before(), None)
        told += story.told(before, referee.moves[-1], view)
        told += [line.text for line in script.told(before, referee.moves[-1], view)]
    if len(referee.moves) % EVERY == 0 or view.phase == "over":
        told += queries(view)
    return told


def check(told: list[str], code: str, names: Iterable[str]) -> None:
    wrong = {(one, *found) for one in set(told) if (found := foreign(one, code, names))}
    assert wrong == set()
    broken = [s for s in told if re.search(r"[{}]|  |\bNone\b| [.,]|\.\.$", s)]
    assert broken == []


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_golden_games(path: Path, code: str) -> None:
    speak(code)
    data = parse(path.read_text("utf-8"), name=path.name).data
    known = record.read(data)
    referee, chance = Referee(known.start), random.Random(path.stem)
    told, seen = moments(referee, chance), list[Move]()
    for text in known.moves:
        try:
            referee.play(text)
        except Refused as error:
            told.append(language.said(error.refusal.reason))
        except UnknownMove:
            continue
        else:
            told += refusals(referee.table, seen[-OF_A_VERB:])
            seen.append(referee.moves[-1])
            told += moments(referee, chance)
    check(told, code, known.start.rules.player_names)


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("light", [False, True], ids=["", "light"])
@pytest.mark.parametrize("edition", EDITIONS)
def test_random_games(edition: str, light: bool, code: str) -> None:
    speak(code)
    for seed in range(2):
        head = random_setup(edition, f"said {seed}")
        if light:
            head |= {"options": {"cities": "untracked"}}
        told: list[str] = []
        seen: list[Move] = []
        chance = random.Random(seed)
        start = record.read(head).start
        for referee in random_game(start, seed, rounds=8, choose=not light):
            told += moments(referee, chance)
            seen += referee.moves[-1:]
            told += refusals(referee.table, chance.sample(seen, min(OF_A_VERB, len(seen))))
        check(told, code, start.rules.player_names)


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("edition", EDITIONS)
def test_boxes_and_cards(edition: str, code: str) -> None:
    speak(code)
    box = editions()[edition]
    table = record.read({"edition": edition, "players": ["Anna", "Ben", "Kurt", "Li"]}).start
    told = [*editions_told.box(box), *editions_told.options(box)]
    told += editions_told.agreed(table)
    for number in range(1, 5):
        cards = reference.listed(table, number)
        for place in range(len(cards)):
            told += reference.entry(table, cards, place)
    check(told, code, [edition, *switches(), *table.rules.player_names])
