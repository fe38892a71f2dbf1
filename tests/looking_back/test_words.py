"""The words that look back, in each language."""

from __future__ import annotations

import pytest

from companion.extensions.looking_back.conversation_words import WORDS
from companion.language import list_offered, load_words


@pytest.mark.parametrize("code", [code for code in list_offered() if code != "en"])
def test_every_word_has_one_in_the_language(code: str) -> None:
    assert load_words(code, "commands").keys() >= WORDS.keys()
