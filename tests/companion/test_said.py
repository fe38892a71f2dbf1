"""Every sentence filled with values from real games, in every language: no errors, and no words of
another language."""

from __future__ import annotations

import random
import re
import unicodedata
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from common.strict_yaml import parse
from companion import language
from companion.game import asking, teaching
from companion.language import current_speech, list_offered
from companion.language.catalogues import Catalogue
from companion.voice import script
from companion.wording import editions_told, facts, state, story
from engine import datafiles, record, views, words
from engine.editions import editions, switches
from engine.explain import Refusal, Refused
from engine.moves import Move, UnknownMove
from engine.referee import Referee, judge
from tests.companion.test_catalogues import messages
from tests.engine.boxes import EDITIONS, random_setup
from tests.engine.playing import random_game
from tests.sizes import pick_in_turn, pick_size

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from engine.table import Table

GAMES = Path(__file__).parents[1] / "games"
GOLDEN = sorted(p for p in GAMES.rglob("*.yaml") if p.parent.name != "impossible")
SOME_GOLDEN = GOLDEN[:: pick_size(4, 3, 1)]
LANGUAGES = [c for c in list_offered() if c != "en" and datafiles.load_shipped(f"texts.{c}")]
"""Those in which cards have texts: these may follow a language's first tier."""
OF_A_VERB = pick_size(2, 3, 4)  # moves of one verb whose labels and refusals are looked at
EVERY = pick_size(10, 7, 5)  # moves between two looks at everything that can be asked
PROPER = [
    *(edition.title for edition in editions().values()),
    *(
        "Citadelles",
        "BrettspielWelt",
        "Millennium",
        "FFG",
        "Hobby World",
    ),  # whose rulebooks are cited
    *(words.language(code)["language"] for code in list_offered()),
]


class Strict(str):
    """A translation that accepts only the values promised in the notes for translators."""

    def __init__(self, text: str) -> None:
        self.promised = [
            (name, KINDS[kind]) for name, kind in messages.KINDS.items() if f"{{{name}" in text
        ]

    def format(self, *args: object, **fields: object) -> str:
        for name, kinds in self.promised:
            if name in fields:
                assert isinstance(fields[name], kinds), (self, name, fields[name])
        return str.format(self, *args, **fields)


strict = cache(Strict)


KINDS = {
    "name": (words.Name, words.Listing),
    "type": (words.Name,),
    "amount": (words.Amount,),
    "list": (words.Listing,),
    "list or amount": (words.Listing, words.Amount),
}


class StrictCatalogue(Catalogue):
    """The translations of a language, each strict."""

    def __init__(self, kept: Catalogue) -> None:
        self._kept = kept

    def gettext(self, sentence: str, context: str = "") -> str:
        return strict(self._kept.gettext(sentence, context))

    def ngettext(self, one: str, many: str, number: int) -> str:
        return strict(self._kept.ngettext(one, many, number))


def speak(code: str) -> None:
    """Speak that language, strictly."""
    language.use(code)
    speech = current_speech()
    assert speech.catalogue is not None
    speech.catalogue = StrictCatalogue(speech.catalogue)


@cache
def proper(names: tuple[str, ...]) -> re.Pattern[str]:
    """A pattern for these names and those of the boxes."""
    return re.compile("|".join(map(re.escape, sorted((*names, *PROPER), key=len, reverse=True))))


def foreign(sentence: str, code: str, names: Iterable[str]) -> list[str]:
    """The words of another language in the sentence: Latin letters in a language without them, else
    common English words. Proper names and ids do not count."""
    bare = proper(tuple(names)).sub("", sentence)
    bare = re.sub(r"«[^«»]*»|\w+_\w+|\w+=\w+|[a-z]+ (?=\()", "", bare)
    if not unicodedata.name(words.language(code)["language"][0]).startswith("LATIN"):
        return re.findall(r"[A-Za-z]{2,}", bare)
    return re.findall(r"\b(?:the|The|of|takes|is|and|to|with|a card|gold)\b", bare)


def queries(t: Table) -> list[str]:
    """All queries about a table."""
    seats = range(len(t.seats))
    lines = [line for seat in seats for line in facts.city(t, seat)]
    for about in (
        facts.gold,
        facts.status,
        facts.tell_who,
        facts.score,
        state.tell_called,
        state.characters,
    ):
        lines += about(t)
    lines += [*state.uniques(t), *facts.tell_crown(t), *state.options(t), *editions_told.rules(t)]
    lines += [*state.hands(t, seats), *state.tell_left(t, seats), *facts.purses(t, seats)]
    lines += state.selection_steps(t)
    return lines


def labels(t: Table, legal: list[Move]) -> list[str]:
    """The labels of the moves, alone and in sequence."""
    by_verb: dict[str, list[Move]] = {}
    for move in legal:
        by_verb.setdefault(move.verb, []).append(move)
    some = [move for of_verb in by_verb.values() for move in of_verb[:OF_A_VERB]]
    rows = [*asking.list_flat(t, some), *asking.agenda(t, legal, {}).rows]
    for of_verb in by_verb.values():
        rows += asking.narrow(t, of_verb).rows
    return [row.label for row in rows]


class Moment:
    """A public moment of a game, and its sentences in any language."""

    def __init__(self, referee: Referee) -> None:
        self.moves = len(referee.moves)
        self.view = views.redact(referee.table, None)
        self.legal = referee.list_legal_moves()
        self.last = referee.moves[-1] if referee.moves else None
        self.before = views.redact(referee.table_before(), None) if referee.moves else self.view

    def tell(self) -> list[str]:
        view = self.view
        sentences = [state.question(view)]
        if self.last is not None:
            sentences += story.tell(self.before, self.last, view)
        assert [line for line in sentences if not line.endswith((".", "?"))] == []
        lines = [*sentences, *labels(view, self.legal), *teaching.lesson(view)]
        lines += [line.text for line in script.opening(view)]
        if self.last is not None:
            lines += [line.text for line in script.tell(self.before, self.last, view)]
        if self.moves % EVERY == 0 or view.phase == "over":
            lines += queries(view)
        return lines


def refused(t: Table, moves: list[Move]) -> list[tuple[Move, Refusal]]:
    """The moves that are refused, with their refusals."""
    refusals = []
    for move in moves:
        try:
            judge(t, move)
        except Refused as error:
            refusals.append((move, error.refusal))
    return refusals


def refusals(t: Table, found: Iterable[tuple[Move, Refusal]]) -> list[str]:
    """The sentences for these refusals, spoken and on the screen."""
    lines = []
    for move, refusal in found:
        lines += [line.text for line in script.tell_refused(t, move)]
        lines.append(language.translate(refusal.reason))
        if refusal.source.startswith("ours"):  # a book is named as it is printed
            lines.append(language.translate(refusal.source))
    return lines


def lags(code: str) -> bool:
    """Whether sentences of the table wait for this language's translators, which fails no test."""
    catalogue, tiers = messages.read(code), messages.tiers(messages.LOCALE)
    return bool(messages.unfinished.list_lacking(code, catalogue, tiers, at_table=True))


def check(lines: list[str], code: str, names: Iterable[str]) -> None:
    wrong = {(one, *strange) for one in set(lines) if (strange := foreign(one, code, names))}
    assert wrong == set() or lags(code)
    spoilt = [s for s in set(lines) if re.search(r"[{}]|  |\bNone\b| [.,]|\.\.$", s)]
    assert spoilt == []


def translated(sentence: str) -> list[str]:
    return [language.translate(sentence)]


class Told:
    """The sentences of one game, in each language."""

    def __init__(self, codes: Iterable[str]) -> None:
        self.lines: dict[str, list[str]] = {code: [] for code in codes}

    def add(self, tell: Callable[[], list[str]]) -> None:
        """Add the sentences in each language."""
        for code, lines in self.lines.items():
            speak(code)
            lines += tell()

    def check(self, names: Iterable[str]) -> None:
        for code, lines in self.lines.items():
            check(lines, code, names)


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("number", "path"), list(enumerate(SOME_GOLDEN)), ids=[path.stem for path in SOME_GOLDEN]
)
def test_golden_games(number: int, path: Path) -> None:
    data = parse(path.read_text("utf-8"), name=path.name).data
    recorded = record.read(data)
    referee, sightings = Referee(recorded.start), list[Move]()
    report = Told(pick_in_turn(number, LANGUAGES))
    report.add(Moment(referee).tell)
    for text in recorded.moves:
        try:
            referee.play(text)
        except Refused as error:
            report.add(partial(translated, error.refusal.reason))
        except UnknownMove:
            continue
        else:
            table = referee.table
            report.add(partial(refusals, table, refused(table, sightings[-OF_A_VERB:])))
            sightings.append(referee.moves[-1])
            report.add(Moment(referee).tell)
    report.check(recorded.start.rules.player_names)


@pytest.mark.sweep
@pytest.mark.parametrize("light", [False, True], ids=["", "light"])
@pytest.mark.parametrize(("number", "edition"), list(enumerate(EDITIONS)), ids=EDITIONS)
def test_random_games(number: int, edition: str, light: bool) -> None:
    for seed in range(pick_size(1, 2, 60)):
        head = random_setup(edition, f"said {seed}")
        if light:
            head |= {"options": {"cities": "untracked"}}
        report, sightings = Told(pick_in_turn(number + light, LANGUAGES)), list[Move]()
        chance = random.Random(seed)
        start = record.read(head).start
        for referee in random_game(start, seed, rounds=8, choose=not light):
            report.add(Moment(referee).tell)
            sightings += referee.moves[-1:]
            some = chance.sample(sightings, min(OF_A_VERB, len(sightings)))
            report.add(partial(refusals, referee.table, refused(referee.table, some)))
        report.check(start.rules.player_names)


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("edition", EDITIONS)
def test_boxes_and_cards(edition: str, code: str) -> None:
    speak(code)
    box = editions()[edition]
    table = record.read({"edition": edition, "players": ["Anna", "Ben", "Kurt", "Li"]}).start
    lines = [*editions_told.box(box), *editions_told.options(box)]
    lines += editions_told.tell_agreed(table)
    for number in range(1, 5):
        cards = teaching.list_cards(table, number)
        for place in range(len(cards)):
            lines += teaching.entry(table, cards, place)
    check(lines, code, [edition, *switches(), *table.rules.player_names])
