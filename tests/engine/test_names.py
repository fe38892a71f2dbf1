"""The names of cards in sentences: by gender, in a form, in another language."""

from __future__ import annotations

import pytest

from engine import datafiles, words


@pytest.mark.parametrize(
    ("code", "card", "options", "chosen"),
    [
        ("fr", "king", ["m", "f", "mp", "fp"], "m"),
        ("fr", "witch", ["m", "f"], "f"),
        ("ru", "king", ["m", "f"], "m"),
        ("ru", "witch", ["m"], "m"),  # the last one, where there are fewer options than genders
        ("en", "witch", ["m", "f"], "m"),  # English names have no gender
    ],
)
def test_a_choice_is_by_gender(code: str, card: str, options: list[str], chosen: str) -> None:
    assert words.card(card, code).choice(options) == chosen


def test_the_forms_of_a_name() -> None:
    name = words.card("king", "ru")
    assert set(name.forms()) > {"Король", "Короля", "Королю"}
    assert "m" not in name.forms()
    assert name.form("gen") == "Короля"
    assert name.form("xyz") is None
    assert f"{words.card('king', 'en'):The} {words.card('king', 'en'):the}" == "The King the King"


def test_a_language_that_is_not_finished_has_english_words_for_what_it_lacks() -> None:
    french = datafiles.load("names.fr")
    datafiles.stand_in({"names.fr": {"nouns": {"card": french["nouns"]["card"]}}})
    assert str(words.amount("card", 2, "fr")) == "2 cartes"
    assert str(words.amount("gold", 2, "fr")) == "2 gold"
    assert str(words.district_type("trade", "fr")) == "trade"
    assert str(words.card("king", "fr")) == "King"


def test_english_is_the_first_of_the_languages() -> None:
    english, *others = datafiles.list_languages()
    assert english == "en"
    assert others == sorted(others)


def test_a_number_beyond_the_forms_takes_the_last() -> None:
    assert words.choose_by_number(5, ["a", "b"], "ru") == "b"  # Russian has a third form for it
    assert words.choose_by_number(1, ["a", "b"], "ru") == "a"


def test_a_list_has_no_form_with_a_capital() -> None:
    names = words.listing([words.card("king"), words.card("queen")])
    assert names.form("The") is None
    assert names.form("the") == "the King and the Queen"
