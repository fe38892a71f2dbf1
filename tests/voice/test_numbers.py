"""Spoken numbers: in the gender of the counted noun."""

from __future__ import annotations

import pytest

from companion import language
from companion.language import amount, list_offered
from companion.voice.script import agree_numbers
from engine import words

pytestmark = pytest.mark.outer


@pytest.mark.parametrize(
    ("code", "text", "sentence"),
    [
        ("ru", "Анна берёт 2 карты.", "Анна берёт две карты."),
        ("ru", "Взять 1 карту, 1 золотой и 12 карт", "Взять одну карту, 1 золотой и 12 карт"),
        ("ru", "У Анны 21 очко.", "У Анны двадцать одно очко."),
        ("fr", "Anna prend 1 pièce d’or et 1 carte.", "Anna prend une pièce d’or et une carte."),
        ("fr", "Anna prend 11 pièces d’or.", "Anna prend 11 pièces d’or."),
        ("de", "Leg 1 Charakter verdeckt ab.", "Leg einen Charakter verdeckt ab."),
        ("de", "Anna hat 1 Punkt. 1 Punkt.", "Anna hat einen Punkt. ein Punkt."),
        ("en", "Anna takes 1 card.", "Anna takes 1 card."),
    ],
)
def test_a_number_is_read_in_the_gender_of_its_noun(code: str, text: str, sentence: str) -> None:
    assert agree_numbers(text, code) == sentence


@pytest.mark.parametrize("code", [code for code in list_offered() if code != "en"])
def test_every_number_in_words_is_of_an_amount_that_can_be_said(code: str) -> None:
    language.use(code)
    forms = ("", "acc", "gen")
    nouns = words.language(code)["nouns"]
    lines = {
        format(amount(noun, number), form)
        for noun in nouns
        for number in range(1, 50)
        for form in forms
    }
    for count in words.language(code)["spoken"]:
        assert any(one.startswith(count) or one in count for one in lines), count
