"""Update the translators' files: find every sentence of the program, write them to the template
`companion.pot`, and add new ones to each language's catalogue. Set the no-break spaces there and in
the cards' own files.

    make messages           find and update; say what each language lacks
    python scripts/messages.py --check    only say whether that would change anything, and what lags

A sentence whose English has changed keeps its translation, marked fuzzy, with the former English
above it; the program shows it in English until a translator has looked at it. What people meet at
the table comes first in every file.

Sentences are found where they are marked: `_()`, `plural()`, `Sentence()`, `N_()`, `Checker.say()`,
`Checker.check_known()`, in the templates of pages, and in the engine's data those keys that hold
sentences. CONTRIBUTING.md,
"Adding a language", says how a translation may use the fields.
"""

from __future__ import annotations

import ast
import difflib
import io
import re
import string
import sys
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po, unescape, write_po
from jinja2 import Environment

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from companion.language import catalogues  # noqa: E402
from engine import datafiles, words  # noqa: E402
from scripts import unfinished  # noqa: E402
from scripts.spaces import set_spaces, set_spaces_of_card  # noqa: E402

PACKAGES = ("companion", "engine", "tags", "common")
LOCALE = ROOT / "companion" / "locale"
EXTENSIONS = ROOT / "companion" / "extensions"
_EPOCH = datetime(2026, 1, 1, tzinfo=UTC)  # the current date would change the files at every run

_HEADER: dict[str, Any] = {
    "project": "citadels-companion",
    "version": "1",
    "msgid_bugs_address": "none",
    "last_translator": "none",
    "language_team": "none",
    "fuzzy": False,
}

_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')

_TEMPLATES = Environment(extensions=["jinja2.ext.i18n"], autoescape=True)

# Calls that take a sentence, with the position of that argument.
_CALLS = {"_": 0, "Sentence": 0, "N_": 0, "Parser": 1}
_CHECKS = {"say": 1, "check_known": 3}  # of common.problems.Checker

# Keys of the engine's data that hold sentences.
_DATA = {
    "rules": (
        *("reason", "reason_near", "reason_no_owner", "reason_murdered", "reason_faceup"),
        *("section", "notation", "ours"),
    ),
    "switches": ("question", "values", "list_of", "source"),
    "editions": ("cites", "first_crown", "sources"),
    "casts": ("title",),
}

# The kind of each field, by its name; any other field is plain text or a number.
KINDS = {
    **dict.fromkeys(
        ("card", "character", "district", "owner", "target", "called_character", "about"), "name"
    ),
    **dict.fromkeys(("own", "leaving", "district_named", "twin"), "name"),
    **dict.fromkeys(("type",), "type"),
    **dict.fromkeys(("gold", "price", "cost", "payers_gold", "amount"), "amount"),
    **dict.fromkeys(("hand", "districts", "characters", "points", "choices", "copies"), "amount"),
    **dict.fromkeys(("players", "spare", "named_size", "faceup", "drawn"), "amount"),
    **dict.fromkeys(("shown",), "list"),
    **dict.fromkeys(("cards", "gained", "income"), "list or amount"),
}

# Fields that hold a player's name; too common to mention in notes.
PEOPLE = {
    "player", "payer", "other", "named", "asked", "victim", "thief", "lender", "holder",
    "first_complete",
}  # fmt: skip


class Marked(NamedTuple):
    """A sentence of the program: both forms of a plural, and the context that tells apart two
    meanings of one English word."""

    message: str | tuple[str, str]
    context: str = ""


def find_sentences() -> Iterator[tuple[Marked, str]]:
    """Find every sentence, with its file."""
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            where = path.relative_to(ROOT).as_posix()
            for marks in find_in_source(path.read_text("utf-8")):
                yield marks, where
    for path in sorted((ROOT / "companion").rglob("templates/*.html")):
        where = path.relative_to(ROOT).as_posix()
        for _line, call, message in _TEMPLATES.extract_translations(path.read_text("utf-8")):
            with_context = call == "_" and isinstance(message, tuple)
            yield Marked(*message) if with_context else Marked(message), where
    for name, keys in _DATA.items():
        where = f"engine/data/{name}.yaml"
        for facts in datafiles.load_shipped(name).values():
            for key in keys:
                for sentence in _find_in_data(facts.get(key)):
                    yield Marked(sentence), where


@cache
def find_in_source(text: str) -> list[Marked]:
    """The sentences marked in one module, in order."""
    return [*_find_marked(text)]


def _find_marked(text: str) -> Iterator[Marked]:
    calls = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]
    for call in sorted(calls, key=lambda node: (node.lineno, node.col_offset)):
        function, arguments = call.func, [_constant(argument) for argument in call.args]
        if isinstance(function, ast.Name) and function.id == "plural":
            one, many = arguments[0], arguments[1]
            if one and many:
                yield Marked((one, many))
            continue
        for word in call.keywords:  # of argparse
            if word.arg in ("help", "epilog") and (sentence := _constant(word.value)):
                yield Marked(sentence)
        place = None
        if isinstance(function, ast.Name):
            place = _CALLS.get(function.id)
        elif isinstance(function, ast.Attribute):
            place = _CHECKS.get(function.attr)
        if place is not None and place < len(arguments) and (sentence := arguments[place]):
            in_context = isinstance(function, ast.Name) and function.id == "_"
            yield Marked(sentence, *(text for text in arguments[1:] if in_context and text))


def _constant(node: ast.expr) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _find_in_data(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for inner in value.values():
            yield from _find_in_data(inner)
    elif isinstance(value, str) and any(letter.isalpha() for letter in _strip_fields(value)):
        yield value


def fields(sentence: str) -> dict[str, set[str]]:
    """The fields of a sentence, each with the forms it uses."""
    forms: dict[str, set[str]] = {}
    for _text, name, form, _conversion in string.Formatter().parse(sentence):
        if name is not None:
            forms.setdefault(name, set()).add(form or "")
    return forms


def _strip_fields(sentence: str) -> str:
    """The sentence without its fields."""
    try:
        return "".join(text for text, *_ in string.Formatter().parse(sentence))
    except ValueError:
        return sentence


def list_locales() -> list[Path]:
    """The folders of languages: the companion's own, and those of extensions that say something
    which it does not say itself."""
    extensions = sorted(one.parent / "locale" for one in EXTENSIONS.glob("*/__init__.py"))
    return [LOCALE, *filter(tiers, extensions)]


def template(locale: Path) -> Catalog:
    """A catalogue of every sentence of that folder, untranslated, those of the table first."""
    catalogue = Catalog(creation_date=_EPOCH, revision_date=_EPOCH, **_HEADER)
    at_table = tiers(locale)
    for marks in sorted(at_table, key=lambda marks: not at_table[marks]):
        message, context = marks
        catalogue.add(message, context=context or None, auto_comments=_comments(message), flags=())
    return catalogue


@cache
def tiers(locale: Path) -> dict[Marked, bool]:
    """Every sentence of that folder in order, and whether it is met at the table. What an extension
    says as the companion itself does is the companion's."""
    if locale != LOCALE:
        own = dict.fromkeys(marks for marks, where in find_sentences() if _is_in(where, locale))
        return {marks: False for marks in own if marks not in tiers(LOCALE)}
    at_table: dict[Marked, bool] = {}
    for marks, where in find_sentences():
        if not (ROOT / where).is_relative_to(EXTENSIONS):
            at_table[marks] = at_table.get(marks, False) or unfinished.is_of_table(where)
    return at_table


def _is_in(where: str, locale: Path) -> bool:
    """Whether that file is beside a folder of languages."""
    return (ROOT / where).is_relative_to(locale.parent)


def _comments(message: str | tuple[str, str]) -> list[str]:
    """The notes for translators on the message's fields."""
    sentence = message if isinstance(message, str) else message[1]
    try:
        names = fields(sentence)
    except ValueError:  # braces that are not fields: the sentence is not formatted
        return []
    notes = [f"{name}: {KINDS[name]}" for name in names if name in KINDS]
    return ["; ".join(notes)] if notes else []


def list_translated() -> list[str]:
    """The languages with a catalogue, complete or not, except English."""
    return [code for code in catalogues.list_begun() if code != "en" and (LOCALE / code).is_dir()]


def find_catalogue(code: str, locale: Path) -> Path:
    """The path of the language's catalogue."""
    return Path(catalogues.find_catalogue(str(locale), code))


def read(code: str, locale: Path = LOCALE) -> Catalog:
    """The catalogue of a language as it is on disk (empty if there is none yet)."""
    path = find_catalogue(code, locale)
    if not path.exists():
        return Catalog(locale=code, creation_date=_EPOCH, revision_date=_EPOCH, **_HEADER)
    return parse(path.read_bytes(), code)


def parse(text: bytes, code: str) -> Catalog:
    """The catalogue in the text of a file. Babel reads a former English sentence (`#| msgid`) as a
    comment."""
    own = read_po(io.BytesIO(text), locale=code)
    for message in own:
        former = [line[1:].strip() for line in message.user_comments if line.startswith("|")]
        if former:
            parts = re.split(r"\bmsgid(?:_plural)? (?=\")", " ".join(former))[1:]
            message.previous_id = ["".join(map(unescape, _QUOTED.findall(part))) for part in parts]
            message.user_comments = [c for c in message.user_comments if not c.startswith("|")]
    return own


@cache
def refresh(code: str, locale: Path = LOCALE) -> Catalog:
    """The language's catalogue with all current sentences."""
    return renew(read(code, locale), template(locale))


def renew(own: Catalog, wanted: Catalog) -> Catalog:
    """The catalogue with the sentences of the template: new ones untranslated, changed ones fuzzy,
    removed ones dropped."""
    current = {(message.id, message.context) for message in wanted}
    former = [m for m in own if m.id and (m.id, m.context) not in current and _is_told(m)]
    before = {(message.id, message.context): message.previous_id for message in own}
    own.update(wanted, no_fuzzy_matching=True)
    own.obsolete.clear()
    for message in own:
        if message.fuzzy:  # Babel forgets what it was before
            message.previous_id = before.get((message.id, message.context), [])
    new = [message for message in own if message.id and (message.id, message.context) not in before]
    _keep_translations(former, new)
    return own


def _keep_translations(former: list[Message], new: Iterable[Message]) -> None:
    """Give each new sentence the translation of the former one that it was, if any: fuzzy, unless
    the translation was made for exactly these words."""
    for message in new:
        alike = {_english(one): one for one in former if one.pluralizable == message.pluralizable}
        english = _english(message)
        back = alike.get(english) or next(  # the same in a context, or as it was before a change
            (one for one in former if english == "\n".join(one.previous_id)), None
        )
        close = difflib.get_close_matches(english, alike, 1)
        if back is None and not close:
            continue
        before = back or alike[close[0]]
        former.remove(before)
        message.string = before.string
        if back is None:
            message.flags.add("fuzzy")
            message.previous_id = before.previous_id or before.id
            if isinstance(message.previous_id, str):
                message.previous_id = [message.previous_id]


def _is_told(message: Message) -> bool:
    """Whether it has a translation."""
    return bool(message.string and all(message.string))


def _english(message: Message) -> str:
    return message.id if isinstance(message.id, str) else "\n".join(message.id)


def write_template(locale: Path) -> bytes:
    """The text of the template."""
    made = template(locale)
    made.header_comment = "# Every sentence, those of the table first: see CONTRIBUTING.md"
    return write(made)


def update_catalogue(code: str, locale: Path) -> bytes:
    """The text of a language's catalogue with all current sentences."""
    own = refresh(code, locale)
    for message in own:
        if message.id and isinstance(message.string, str):
            message.string = set_spaces(message.string, code)
        elif message.id and _is_told(message):
            message.string = tuple(set_spaces(each, code) for each in message.string)
    own.header_comment = f"# {words.language(code)['language']}: see CONTRIBUTING.md"
    return write(own)


def write(found: Catalog) -> bytes:
    """The text of a catalogue, without where its sentences are used: that changes more often than
    they do."""
    text = io.BytesIO()
    write_po(
        text,
        found,
        width=98,
        no_location=True,
        sort_output=False,
        ignore_obsolete=True,
        include_previous=True,
    )
    # leave out the version of Babel
    return re.sub(rb'"Generated-By: .*\n', b"", text.getvalue())


def note_unfinished(code: str) -> bytes | None:
    """The list of what an unfinished language lacks for the table; None for one that is offered.

    A language is offered once it lacks nothing, and until it lacks more than a tenth: new English
    sentences alone take no language away.
    """
    lacks = unfinished.list_lacking(code, refresh(code), tiers(LOCALE), at_table=True)
    begins = unfinished.note(code).exists() or unfinished.lacks_much(lacks)
    return unfinished.write_note(lacks) if lacks and begins else None


def _tell_lacking(code: str, locale: Path) -> None:
    """Print what a language lacks in that folder."""
    for at_table in (True, False) if locale == LOCALE else (False,):
        own = refresh(code, locale), tiers(locale)
        if locale == LOCALE:
            lacks = unfinished.list_lacking(code, *own, at_table=at_table)
        else:
            path = find_catalogue(code, locale).relative_to(ROOT).as_posix()
            lacks = unfinished.list_lacking_sentences(path, *own, at_table=at_table)
        if lacks:
            print(unfinished.sentence(code, lacks, at_table=at_table), file=sys.stderr)


def main(check: bool) -> int:
    """Update the template and every catalogue, or report stale ones; report what each language
    lacks."""
    written: dict[Path, bytes | None] = {}
    for locale in list_locales():
        written[locale / "companion.pot"] = write_template(locale)
        for code in list_translated():
            written[find_catalogue(code, locale)] = update_catalogue(code, locale)
            _tell_lacking(code, locale)
    written |= {unfinished.note(code): note_unfinished(code) for code in list_translated()}
    for path in Path(datafiles.CARDS_FOLDER).glob("*.yaml"):
        written[path] = set_spaces_of_card(path.read_text("utf-8")).encode()
    stale = {
        path: content
        for path, content in written.items()
        if (path.read_bytes() if path.exists() else None) != content
    }
    if check and stale:
        files = ", ".join(path.relative_to(ROOT).as_posix() for path in stale)
        print(f"not up to date: {files}; run make messages", file=sys.stderr)
        return 1
    for path, content in stale.items():
        if content is None:
            path.unlink()
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
    return 0


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))
