"""Sentences: complete, with correct numbers, for everything in random games."""

from __future__ import annotations

import pytest

from companion import language
from companion.language import hand_cards
from companion.wording import facts, state
from tests.companion.tables import begin_table


def test_one_is_one_and_more_are_more() -> None:
    assert [facts.points(n) for n in (0, 1, 2)] == ["0 points", "1 point", "2 points"]
    assert [hand_cards(n) for n in (0, 1, 2)] == ["0 cards", "1 card", "2 cards"]
    table = begin_table(players={"Anna": {"gold": 1, "hand": 1, "city": ["temple"]}}).table
    assert facts.status(table)[0] == "Anna: 1 gold, 1 card in hand, 1 district built."


def test_the_sources_of_points_are_told_where_there_are_several() -> None:
    table = begin_table(players={"Anna": {"city": ["library"]}, "Ben": {"city": ["temple"]}}).table
    assert facts.score(table)[:4] == [
        "Anna: 6 points.",
        "Ben: 1 point.",
        "Kurt: 0 points.",
        "Ashley: 0 points.",
    ]
    table = begin_table(players={"Anna": {"city": ["dragon_gate"]}}).table
    assert facts.score(table)[:4] == [
        "Anna: 8 points.",
        "6 points for districts.",
        "2 points for the Dragon Gate.",
        "Kurt: 0 points.",
    ]


@pytest.mark.parametrize(
    "messages",
    [
        *("de Léa", "d’Élodie", "d’Œdipe", "d’Yves", "de Yann", "d’Hélène", "de Harry"),
        *("de 3", "de Иван"),
    ],
)
def test_a_french_name_is_elided_as_it_is_spoken(messages: str) -> None:
    name = messages.removeprefix("de ").removeprefix("d’")
    language.use("fr")
    assert language._("{player}'s city").format(player=name) == f"Cité {messages}"
    language.use("en")
    assert language._("{player}'s city").format(player=name) == f"{name}'s city"


@pytest.mark.parametrize(
    ("name", "of", "to", "with_"),
    [
        ("Анна", "Анны", "Анне", "Анной"),
        ("Саша", "Саши", "Саше", "Сашей"),
        ("Ольга", "Ольги", "Ольге", "Ольгой"),
        ("Мария", "Марии", "Марии", "Марией"),
        ("Зоя", "Зои", "Зое", "Зоей"),
        ("Илья", "Ильи", "Илье", "Ильёй"),
        ("Игорь", "Игоря", "Игорю", "Игорем"),
        ("Андрей", "Андрея", "Андрею", "Андреем"),
        ("Павел", "Павла", "Павлу", "Павлом"),
        ("Пётр", "Петра", "Петру", "Петром"),
        ("Любовь", "Любови", "Любови", "Любовью"),
        ("Курт", "Курта", "Курту", "Куртом"),
        *(
            (name, f"игрока {name}", f"игроку {name}", f"игроком {name}")
            for name in ("Ashley", "Кармен", "Отто", "Анна 2", "Анна-Мария К.", "Нинель")
        ),
    ],
)
def test_a_russian_name_takes_its_case(name: str, of: str, to: str, with_: str) -> None:
    language.use("ru")
    answer = language._("{player}'s city"), language._("Pay {gold} to {other}")
    text = language._("{player} swaps hands with {other}.")
    assert answer[0].format(player=name) == f"Город {of}"
    assert answer[1].format(gold="1", other=name) == f"Заплатить 1 {to}"
    end = with_.rstrip(".") + "."  # one full stop
    assert text.format(player="Бен", other=name) == f"Бен обменивается картами с {end}"


@pytest.mark.parametrize(
    ("code", "reason", "sentence"),
    [
        ("fr", "Nothing to undo.", "il n’y a rien à annuler."),
        ("fr", "Élodie a déjà la couronne.", "Élodie a déjà la couronne."),
        ("en", "nothing to undo.", "Nothing to undo."),
        (
            "ru",
            "The Witch must name a character to bewitch before the turn ends.",
            "до конца хода Ведьма должна назвать, кого она околдовывает.",
        ),
        ("ru", "Say whether the threat is real or fake.", "скажите, настоящая угроза или ложная."),
    ],
)
def test_a_reason_follows_a_colon_as_the_language_has_it(
    code: str, reason: str, sentence: str
) -> None:
    language.use(code)
    assert language.put_after_colon(language._(reason), ["Élodie"]) == sentence


@pytest.mark.parametrize(
    ("size", "steps"),
    [
        (2, "Each keeps one, lays one face down and passes the rest on: Kurt and Anna."),
        (3, "Lay 1 face down."),
        (4, "Discard 2 face up."),
        (4, "Ben keeps one and lays the other face down."),
        (
            7,
            "Li also takes the card laid face down, keeps one, and lays the other face down.",
        ),
    ],
)
def test_the_steps_of_the_selection_are_those_of_the_table(size: int, steps: str) -> None:
    lines = state.selection_steps(begin_table(size=size).table)
    assert lines[0] == "Shuffle the 8 characters."
    assert steps in lines
