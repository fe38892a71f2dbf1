"""Sentences that keep what they were made of, so that whoever shows them may translate them.

Like `engine.words.Sentence`, of which this package knows nothing: both are English text as they
stand, and `speak` says them in another language.
"""

from __future__ import annotations

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


def N_(template: str) -> str:
    """Mark a template for translation that is filled in elsewhere."""
    return template


def _spoken(value: object, language: str, translate: Callable[[str], str]) -> Any:
    speak = getattr(value, "speak", None)
    return value if speak is None else speak(language, translate)
