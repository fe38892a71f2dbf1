"""Sentences that can be translated, and words that know their grammatical forms.

Both are an English `str`, and can be used as one. `speak` translates them: the engine creates a
sentence with its fields, and the code that displays it chooses the language, even later.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from string import Formatter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    Translate = Callable[[str], str]  # an English template to its translation


def fill_in(template: str, fields: Mapping[str, object]) -> str:
    """The template with its fields. A field that ends with a full stop, as the name "Lea M.", also
    ends the sentence."""
    text = str.format(template, **fields)
    if ".." not in text or "}." not in template:
        return text
    filled, formatter = "", Formatter()
    for literal, name, spec, how in formatter.parse(template):
        filled += literal[1:] if literal[:1] == filled[-1:] == "." else literal
        if name is not None:
            value, _first = formatter.get_field(name, (), fields)
            filled += format(formatter.convert_field(value, how), spec or "")
    return filled


class Words(str):
    """Words with forms; a subclass defines its forms and how to translate it."""

    def __str__(self) -> str:
        """Itself, so that an exception keeps its class: `str(ValueError(words))`."""
        return self

    def speak(self, code: str, translate: Translate) -> str:
        """The words in that language; `translate` gives the translation of an English template."""
        raise NotImplementedError

    def form(self, form: str) -> str | None:
        """The words in that form, or None if there is no such form."""
        return None

    def choice(self, options: list[str]) -> str:
        """The option for the words' gender."""
        return options[0]

    def __format__(self, spec: str) -> str:
        if not spec:
            return str.__str__(self)
        if spec[0] == "?":
            return self.choice(spec[1:].split("|"))
        form = self.form(spec)
        if form is None and spec[0].isupper():
            form = self.form(spec[0].lower() + spec[1:]) or ""
            form = form[:1].upper() + form[1:]
        return form or str.__str__(self)


class Sentence(Words):
    """An English sentence that keeps the template and the fields it was made from."""

    template: str
    fields: dict[str, object]

    def __new__(cls, template: str, /, **fields: object) -> Sentence:
        new = super().__new__(cls, fill_in(template, fields) if fields else template)
        new.template = template
        new.fields = fields
        return new

    def speak(self, code: str, translate: Translate) -> str:
        words = translate(self.template)
        if not self.fields:
            return words
        return words.format(
            **{
                name: value.speak(code, translate) if isinstance(value, Words) else value
                for name, value in self.fields.items()
            }
        )


class Typed(Words):
    """Words of the notation as typed; a language may have its own for them.

    `translate` receives them unchanged and knows by their class that they are not a sentence.
    """

    def speak(self, code: str, translate: Translate) -> str:
        return translate(self)


def speak(value: object, code: str, translate: Translate) -> Any:
    """The value in that language if it can be translated, else unchanged."""
    speak = getattr(value, "speak", None)
    return value if speak is None else speak(code, translate)


def N_(template: str) -> str:
    """Mark for translators a template that is filled in or translated elsewhere."""
    return template


def locate(place: object, problem: str) -> Sentence:
    """A problem preceded by its place: a file and line, a key, a command. Programs look for
    `FILE:LINE: `, so it is the same in every language."""
    return Sentence("{place}: {problem}", place=place, problem=problem)


def suggest(problem: Sentence, near: str | None) -> Sentence:
    """The problem with the suggested word, if there is one."""
    if near is None:
        return problem
    if problem.endswith("."):
        return Sentence("{problem} Did you mean “{near}”?", problem=problem, near=near)
    return Sentence("{problem}; did you mean “{near}”?", problem=problem, near=near)


def quote(word: object) -> Sentence:
    """The word in the quotation marks of the language."""
    return Sentence("“{word}”", word=word)


def fill(template: str, fields: dict[str, object]) -> Sentence:
    """A sentence whose template is marked elsewhere. Raises LookupError or ValueError if the fields
    do not fit it."""
    return Sentence(template, **fields)


def parts(sentence: Sentence) -> dict[str, object]:
    """The sentence's template and fields, as plain data for another program."""
    fields = {name: str(value) for name, value in sentence.fields.items()}
    return {"template": sentence.template, "fields": fields}


def from_parts(text: str, data: object) -> str:
    """The `text` as a sentence built from `data`, or unchanged if that gives different text."""
    if not isinstance(data, dict):
        return text
    template, fields = data.get("template"), data.get("fields")
    if not isinstance(template, str) or not isinstance(fields, dict):
        return text
    try:
        # Only plain fields: a format such as {name:99999999999} would cost too much.
        plain = all(not (spec or how) for _, _, spec, how in Formatter().parse(template))
        sentence = Sentence(template, **fields) if plain else text
    except (AttributeError, LookupError, TypeError, ValueError):
        return text
    return sentence if sentence == text else text
