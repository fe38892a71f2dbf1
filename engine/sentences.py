"""Sentences that can be said in another language, and words that know their grammatical forms.

Both are a `str` as they stand, in English where the engine makes them, so whoever wants no more
than that need not know. `speak` says the same in another language: so the engine writes a sentence
with its fields, and whoever shows it chooses the language, even later on.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Translate = Callable[[str], str]  # an English template into the language's own


class Words(str):
    """Words with forms; a subclass says what its forms are and how to say it otherwise."""

    def __str__(self) -> str:
        """Itself, so that an error made of these words keeps them: `str(ValueError(words))`."""
        return self

    def speak(self, code: str, translate: Translate) -> str:
        """The same in that language; `translate` turns an English template into its own."""
        raise NotImplementedError

    def form(self, form: str) -> str | None:
        """The words in that form, or None if there is no such form."""
        return None

    def choice(self, options: list[str]) -> str:
        """The option for the words' gender."""
        return options[0]

    def __format__(self, spec: str) -> str:
        if not spec:
            return str.__format__(self, "")
        if spec[0] == "?":
            return self.choice(spec[1:].split("|"))
        found = self.form(spec)
        if found is None and spec[0].isupper():
            found = self.form(spec[0].lower() + spec[1:]) or ""
            found = found[:1].upper() + found[1:]
        return found or str.__format__(self, "")


class Sentence(Words):
    """An English sentence that keeps what it was made of: the template and the fields in it."""

    template: str
    fields: dict[str, object]

    def __new__(cls, template: str, /, **fields: object) -> Sentence:
        new = super().__new__(cls, template.format(**fields) if fields else template)
        new.template = template
        new.fields = fields
        return new

    def speak(self, code: str, translate: Translate) -> str:
        words = translate(self.template)
        if not self.fields:
            return words
        return words.format(
            **{name: spoken(value, code, translate) for name, value in self.fields.items()}
        )


class Typed(Words):
    """Words of the notation as they are typed; another language may have its own for them.

    `translate` is given them as they are, and knows by their class that they are no sentence.
    """

    def speak(self, code: str, translate: Translate) -> str:
        return translate(self)


def spoken(value: object, code: str, translate: Translate) -> Any:
    """The value in that language, if it is words that know how; else as it is."""
    speak = getattr(value, "speak", None)
    return value if speak is None else speak(code, translate)


def N_(template: str) -> str:
    """Mark a template for translation that is filled in, or translated, elsewhere."""
    return template


def placed(place: object, problem: str) -> Sentence:
    """A problem with its place before it: a file and line, a key, a command. Programs look for
    `FILE:LINE: `, so every language writes it so."""
    return Sentence("{place}: {problem}", place=place, problem=problem)


def suggesting(problem: Sentence, near: str | None) -> Sentence:
    """The problem with the word that may have been meant, where there is one."""
    if near is None:
        return problem
    return Sentence("{problem}; did you mean “{near}”?", problem=problem, near=near)


def quoted(word: object) -> Sentence:
    """The word in quotation marks, as the language has them."""
    return Sentence("“{word}”", word=word)
