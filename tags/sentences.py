"""Sentences that keep what they were made of, so that whoever shows them may translate them.

Like `engine.words.Sentence`, of which this package knows nothing: both are English text as they
stand, and `speak` says them in another language.
"""

from __future__ import annotations

from string import Formatter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


class Sentence(str):
    """An English sentence with its template and the fields in it."""

    template: str
    fields: dict[str, object]

    def __new__(cls, template: str, /, **fields: object) -> Sentence:
        new = super().__new__(cls, template.format(**fields) if fields else template)
        new.template, new.fields = template, fields
        return new

    def __str__(self) -> str:
        """Itself, so that an error made of it keeps it: `str(ValueError(sentence))`."""
        return self

    def speak(self, language: str, translate: Callable[[str], str]) -> str:
        """The sentence in another language; `translate` finds the template's translation."""
        words = translate(self.template)
        if not self.fields:
            return words
        return words.format(**{k: _spoken(v, language, translate) for k, v in self.fields.items()})


def suggesting(problem: Sentence, near: str | None) -> Sentence:
    """The problem with the word that may have been meant, where there is one."""
    if near is None:
        return problem
    return Sentence("{problem} Did you mean “{near}”?", problem=problem, near=near)


def parts(sentence: Sentence) -> dict[str, object]:
    """What the sentence was made of, as plain data for another program."""
    filled = {name: str(value) for name, value in sentence.fields.items()}
    return {"template": sentence.template, "fields": filled}


def from_parts(text: str, made: object) -> str:
    """The ``text`` as a sentence made of ``made``, or as it is where that makes something else."""
    if not isinstance(made, dict):
        return text
    template, filled = made.get("template"), made.get("fields")
    if not isinstance(template, str) or not isinstance(filled, dict):
        return text
    try:
        # Only plain fields: a format such as {name:99999999999} would cost more than it says.
        plain = all(not (spec or how) for _, _, spec, how in Formatter().parse(template))
        sentence = Sentence(template, **filled) if plain else text
    except (AttributeError, LookupError, TypeError, ValueError):
        return text
    return sentence if sentence == text else text


def N_(template: str) -> str:
    """Mark a template for translation that is filled in elsewhere."""
    return template


def _spoken(value: object, language: str, translate: Callable[[str], str]) -> Any:
    speak = getattr(value, "speak", None)
    return value if speak is None else speak(language, translate)
