"""Every question of the keypad and of the pages for players without sight is answered: each test
reads the answer, in every language."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion import language
from companion.game.keypad import KEYPAD
from companion.language import card, coins, hand_cards, list_offered, vocabulary
from companion.plain import caller, help_topics
from engine.table import Table
from tests.companion.talking import FOUR, Begin, Talk

DOCS = Path(__file__).parents[2] / "docs"
PAGES = {path.parent.name.removeprefix("docs") or "en": path for path in DOCS.rglob("plain.md")}
"""The page for players without sight, by language."""

KURT = "faceup bishop merchant; call; reveal Kurt; kill king; gold; build tavern; end"
ASHLEY = "nobody; reveal Ashley; gold"
"""Rank 2 is answered by nobody; the Magician has taken gold."""


@pytest.fixture(params=list_offered())
def talk(request: pytest.FixtureRequest, begin: Begin) -> Talk:
    """A game in its first round, in each language."""
    language.use(request.param)
    return begin(f"{KURT}; {ASHLEY}")


def gold(table: Table, seat: int) -> str:
    return coins(table.seats[seat].gold)


ANSWERS: dict[str, Callable[[Table], list[str]]] = {
    "*1": lambda t: [seat.name for seat in t.seats] + [gold(t, 2), hand_cards(4)],
    "*11": lambda t: ["Anna", gold(t, 0)],
    "*1 2": lambda t: ["Kurt", gold(t, 1)],
    "*13": lambda t: ["Ashley", gold(t, 2)],
    "*14": lambda t: ["Ben", gold(t, 3)],
    "*2": lambda t: ["Kurt", card("assassin"), card("king"), card("bishop"), card("merchant")],
    "*3": lambda t: ["Kurt", card("tavern"), "Anna", "Ben"],
    "*3 2": lambda t: ["Kurt", card("tavern")],
    "*4": lambda t: [card(character) for character in t.rules.characters],
    "*5": lambda t: ["Kurt", "Ben"],
    "*6": lambda t: ["Ashley"],
    "*7": lambda t: ["Kurt", "Ashley", f"{card('assassin')}"],
    "*8": lambda t: ["Anna", "Kurt", "6", "7"],
    "*82": lambda t: ["Kurt", "6"],
    "*9": lambda t: ["7"],
    "**": lambda t: [f"{rank} {card(name)}" for rank, name in t.rules.by_rank.items()],
    "*+": lambda t: ["Kurt", card("assassin"), card("magician")],
    "/": lambda t: [card("temple"), card("manor")],
    "/1": lambda t: ["1"],
    "/4": lambda t: [card("assassin")],
}
"""What is heard for these keys, in any language."""

OF_ONE = {
    "*11": "Anna",
    "*1 2": "Kurt",
    "*13": "Ashley",
    "*14": "Ben",
    "*3 2": "Kurt",
    "*82": "Kurt",
}
"""The keys that ask about one player."""


def test_the_questions_of_the_keypad_are_answered(talk: Talk) -> None:
    for line, find in ANSWERS.items():
        text = " ".join(talk.line(line))
        assert [word for word in find(talk.session.view) if word not in text] == [], (line, text)
        assert not [message for message in talk.face.messages if message.kind == "refused"]
        if line in OF_ONE:
            names = {seat.name for seat in talk.session.view.seats if seat.name in text}
            assert names == {OF_ONE[line]}


def test_why_repeat_back_and_the_next_card_are_answered(talk: Talk) -> None:
    refusals = talk.line("99")
    assert "99" in refusals[0]
    assert set(re.findall(r"\d+", talk.line("*")[0])) >= {"99", "7", "11"}
    assert talk.line("0")
    names = talk.line("7")
    assert len(names) > 1
    assert talk.line("/") == talk.line("0") == names
    talk.line(".")
    assert talk.conversation.stack == []
    assert talk.line("*-") != []
    assert talk.conversation.asked.private


def test_what_carries_on_undoes_and_redoes_is_told(talk: Talk) -> None:
    assert "Ashley" in talk.line("-")[0]
    assert talk.moves()[-1] == "reveal Ashley"
    assert "Ashley" in " ".join(talk.line("--"))
    assert talk.moves()[-1] == "gold"
    talk.line("+")
    assert "end" in talk.moves()


def test_every_key_has_an_answer_here_or_in_the_program_around_it() -> None:
    around = {"*0", "*/", "++"}  # help, phones and another game are the line caller's
    lines = {*ANSWERS, *around, "0", "+", "-", "--", ".", "*", "*-", "*."}
    assert set(KEYPAD) <= lines
    for line in around:
        assert caller.find(*KEYPAD[line].partition(" ")[::2]) is not None


@pytest.mark.parametrize("code", list_offered())
def test_the_help_of_the_keypad_explains_every_key(code: str) -> None:
    language.use(code)
    assert len(help_topics.list_keys()) >= len(KEYPAD) + 2


def test_a_seat_that_there_is_not_and_keys_without_a_meaning_are_named(talk: Talk) -> None:
    for line in ("*1 7", "*3 9", "*8 5", "*5 2", "-4", "/-", "+5"):
        (text,) = talk.line(line)
        assert line[-1] in text
        assert talk.face.messages[-1].kind == "refused"


def questions_of(page: str) -> list[str]:
    """The words in backticks under the heading about what to ask."""
    part = page.split("\n## ")[3]
    return [" ".join(words.split()) for words in re.findall(r"`([^`]+)`", part)]


class Told:
    """What the line caller prints for `help`."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.refused: list[str] = []

    def tell(self, *lines: str) -> None:
        self.lines += lines

    def refuse(self, reason: str) -> None:
        self.refused.append(reason)


@pytest.mark.parametrize("code", PAGES)
def test_the_questions_of_the_page_are_answered(begin: Begin, code: str) -> None:
    language.use(code)
    names = ("Анна", "Курт", "Ольга", "Борис") if code == "ru" else FOUR
    talk = begin(players=names, crown=names[1])
    for move in ("faceup bishop merchant", "call", f"reveal {names[1]}", "gold"):
        talk.session.play(move)
    for words in questions_of(PAGES[code].read_text()):
        word, _space, rest = vocabulary.translate_line(words).partition(" ")
        if word == "help":
            answer: Any = Told()
            help_topics.answer(answer, rest)
            assert answer.lines, words
            assert not answer.refused, words
            continue
        lines = talk.line(words)
        assert lines, words
        if word == "mine":  # there is no second output here
            assert "voice.ear" in " ".join(lines)
            continue
        assert not [message for message in talk.face.messages if message.kind == "refused"], lines
        if named := [name for name in names if words.endswith(f" {name}")]:
            assert {name for name in names if name in " ".join(lines)} == {*named}, lines


def test_the_pages_have_questions_in_every_language() -> None:
    assert {code for code, path in PAGES.items() if len(questions_of(path.read_text())) > 20} == {
        *("en", "fr", "de", "ru")
    }


def test_a_district_is_its_type_and_then_its_place(begin: Begin) -> None:
    talk = begin("faceup bishop merchant; call; reveal Kurt; gold")
    names = talk.line("3")
    assert names[:3] == ["31: Tavern, 1", "32: Market, 2", "33: Trading Post, 2"]
    assert names[3:] == ["34: Docks, 3", "35: Harbor, 4"]
    assert talk.conversation.asked.question == "Which one?"
    assert talk.line("/") == talk.line("0")
    talk.line(".")
    assert talk.line("1")[0] == "11: Manor, 3"
    talk.line(".")
    talk.line("3")
    talk.line("2")
    assert talk.moves()[-1] == "build market"


def test_the_unique_districts_are_all_read_by_their_digit(begin: Begin) -> None:
    talk = begin("faceup bishop merchant; call; reveal Kurt; gold")
    rows = talk.line("5")
    assert rows
    numbers = [int(row.partition(":")[0]) for row in rows]
    assert {number // 10 for number in numbers} == {5, 6}
    talk.line(str(numbers[-1]))
    assert talk.moves()[-1].startswith("build ")


def test_a_type_that_cannot_be_built_says_so_and_why(begin: Begin) -> None:
    talk = begin("faceup bishop merchant; call; reveal Kurt; kill king; gold; build docks; end")
    talk.session.play("nobody")
    talk.session.play("reveal Ben")
    talk.session.play("cards")  # 2 gold: no noble district is that cheap
    talk.conversation.renew()
    assert talk.line("1") == ["No district of type noble can be built now."]
    assert "gold" in talk.line("why")[0]
    assert talk.line("9") != []


def test_a_list_with_numbers_that_never_change_is_read_only_when_asked_for(begin: Begin) -> None:
    talk = begin("faceup bishop merchant; call; reveal Kurt; gold")
    talk.line("7")
    assert [message.known for message in talk.face.messages] == [True]
    talk.line("/")
    assert [message.known for message in talk.face.messages] == [False]
    talk.line(".")
    talk.line("3")
    assert [message.known for message in talk.face.messages] == [False]
