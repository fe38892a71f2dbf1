"""Update the translators' files: find every sentence of the program, add new ones to each
language's catalogue, and compile the catalogues.

    make messages           find, update and compile
    python scripts/messages.py --check    only say whether that would change anything

Sentences are found where they are marked: `_()`, `plural()`, `Sentence()`, `N_()`, `check.say()`,
`check.check_known()`, in the templates of pages, and in the engine's data those keys that hold
sentences. CONTRIBUTING.md,
"Adding a language", says how a translation may use the fields.
"""

from __future__ import annotations

import ast
import io
import re
import string
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from jinja2 import Environment

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from companion.language import available  # noqa: E402
from engine import datafiles, words  # noqa: E402
from scripts import unfinished  # noqa: E402

PACKAGES = ("companion", "engine", "tags", "common")
LOCALE = ROOT / "companion" / "locale"
_EPOCH = datetime(2026, 1, 1, tzinfo=UTC)  # the current date would change the files at every run

_HEADER: dict[str, Any] = {
    "project": "citadels-companion",
    "version": "1",
    "msgid_bugs_address": "none",
    "last_translator": "none",
    "language_team": "none",
    "fuzzy": False,
}

_TEMPLATES = Environment(extensions=["jinja2.ext.i18n"], autoescape=True)

# Calls that take a sentence, with the position of that argument.
_CALLS = {"_": 0, "Sentence": 0, "N_": 0, "Parser": 1}
_CHECKS = {"say": 1, "check_known": 3}  # of common.problems.Checker

# Keys of the engine's data that hold sentences.
_DATA = {
    "rules": ("reason", "reason_near", "reason_no_owner", "section", "notation", "ours"),
    "switches": ("question", "values", "list_of", "source"),
    "editions": ("cites", "first_crown", "sources"),
    "casts": ("title",),
}

# The kind of each field, by its name; any other field is plain text or a number.
KINDS = {
    **dict.fromkeys(
        ("card", "character", "district", "owner", "target", "called_character", "about"), "name"
    ),
    **dict.fromkeys(("own", "leaving", "district_named", "wrong_district", "twin"), "name"),
    **dict.fromkeys(("type",), "type"),
    **dict.fromkeys(("gold", "price", "cost", "payers_gold", "smithy_price", "amount"), "amount"),
    **dict.fromkeys(("hand", "districts", "characters", "points", "choices", "copies"), "amount"),
    **dict.fromkeys(("players", "spare", "named_size", "faceup", "drawn"), "amount"),
    **dict.fromkeys(("shown",), "list"),
    **dict.fromkeys(("cards", "gained", "income"), "list or amount"),
}

# Fields that hold a player's name; too common to mention in notes.
PEOPLE = {
    "player", "other", "named", "asked", "victim", "thief", "lender", "holder", "first_complete",
}  # fmt: skip


def find_sentences() -> Iterator[tuple[str | tuple[str, str], str]]:
    """Find every sentence (both forms of a plural), with its file."""
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            where = path.relative_to(ROOT).as_posix()
            for message in find_in_source(path.read_text("utf-8")):
                yield message, where
    for path in sorted((ROOT / "companion").rglob("templates/*.html")):
        where = path.relative_to(ROOT).as_posix()
        for _line, _call, message in _TEMPLATES.extract_translations(path.read_text("utf-8")):
            yield message, where
    for name, keys in _DATA.items():
        where = f"engine/data/{name}.yaml"
        for facts in datafiles.load_shipped(name).values():
            for key in keys:
                yield from ((sentence, where) for sentence in _find_in_data(facts.get(key)))


@cache
def find_in_source(text: str) -> list[str | tuple[str, str]]:
    """The sentences marked in one module, in order."""
    return [*_find_marked(text)]


def _find_marked(text: str) -> Iterator[str | tuple[str, str]]:
    calls = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]
    for call in sorted(calls, key=lambda node: (node.lineno, node.col_offset)):
        function, arguments = call.func, [_constant(argument) for argument in call.args]
        if isinstance(function, ast.Name) and function.id == "plural":
            one, many = arguments[0], arguments[1]
            if one and many:
                yield one, many
            continue
        for word in call.keywords:  # of argparse
            if word.arg in ("help", "epilog") and (sentence := _constant(word.value)):
                yield sentence
        place = None
        if isinstance(function, ast.Name):
            place = _CALLS.get(function.id)
        elif isinstance(function, ast.Attribute):
            place = _CHECKS.get(function.attr)
        if place is not None and place < len(arguments) and (sentence := arguments[place]):
            yield sentence


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
    found: dict[str, set[str]] = {}
    for _text, name, form, _conversion in string.Formatter().parse(sentence):
        if name is not None:
            found.setdefault(name, set()).add(form or "")
    return found


def _strip_fields(sentence: str) -> str:
    """The sentence without its fields."""
    try:
        return "".join(text for text, *_ in string.Formatter().parse(sentence))
    except ValueError:
        return sentence


def template() -> Catalog:
    """A catalogue of every sentence, untranslated."""
    catalogue = Catalog(project="citadels-companion", charset="utf-8", creation_date=_EPOCH)
    for message, where in find_sentences():
        catalogue.add(message, locations=[(where, 0)], auto_comments=_comments(message), flags=())
    return catalogue


def _comments(message: str | tuple[str, str]) -> list[str]:
    """The notes for translators on the message's fields."""
    sentence = message if isinstance(message, str) else message[1]
    try:
        names = fields(sentence)
    except ValueError:  # braces that are not fields: the sentence is not formatted
        return []
    told = [f"{name}: {KINDS[name]}" for name in names if name in KINDS]
    return ["; ".join(told)] if told else []


def list_translated() -> list[str]:
    """The languages with a catalogue, complete or not, except English."""
    return [code for code in available.list_begun() if code != "en" and (LOCALE / code).is_dir()]


def catalogue(code: str) -> Path:
    """The path of the language's catalogue."""
    return LOCALE / code / "LC_MESSAGES" / "companion.po"


def read(code: str) -> Catalog:
    """The catalogue of a language as it is on disk (empty if there is none yet)."""
    path = catalogue(code)
    if not path.exists():
        return Catalog(locale=code, creation_date=_EPOCH, revision_date=_EPOCH, **_HEADER)
    with path.open("rb") as file:
        return read_po(file, locale=code)


def refresh(code: str) -> Catalog:
    """The catalogue with all current sentences: new ones untranslated, removed ones dropped."""
    known = read(code)
    known.update(template(), no_fuzzy_matching=True)
    known.obsolete.clear()
    return known


def update_catalogue(code: str) -> bytes:
    """The text of that catalogue."""
    known = refresh(code)
    known.header_comment = f"# {words.language(code)['language']}: see CONTRIBUTING.md"
    written = io.BytesIO()
    write_po(
        written, known, width=98, sort_output=False, include_lineno=False, ignore_obsolete=True
    )
    # leave out the version of Babel
    return re.sub(rb'"Generated-By: .*\n', b"", written.getvalue())


def compile_catalogue(code: str) -> bytes:
    """The compiled catalogue."""
    written = io.BytesIO()
    write_mo(written, read(code))
    return written.getvalue()


def note_unfinished(code: str) -> bytes | None:
    """A list of what an unfinished language lacks; None once complete, when it is offered."""
    lacks = unfinished.list_lacking(code, refresh(code))
    return unfinished.write_note(lacks) if lacks else None


def main(check: bool) -> int:
    """Update and compile every catalogue, or report stale ones; report what each language lacks."""
    stale = []
    for code in list_translated():
        path, note = catalogue(code), unfinished.note(code)
        begun = note.exists() or not path.with_suffix(".mo").exists()
        for file, make in (
            (path, update_catalogue),
            (path.with_suffix(".mo"), compile_catalogue),
            *([(note, note_unfinished)] if begun else []),
        ):
            made = make(code)
            if (file.read_bytes() if file.exists() else None) == made:
                continue
            stale.append(file.relative_to(ROOT).as_posix())
            if check:
                continue
            if made is None:
                file.unlink()
            else:
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(made)
        if lacks := unfinished.list_lacking(code, refresh(code)):
            print(unfinished.sentence(code, lacks), file=sys.stderr)
    if check and stale:
        print(f"not up to date: {', '.join(stale)}; run make messages", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))
