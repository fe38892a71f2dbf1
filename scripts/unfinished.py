"""Count what a language lacks, by file, compared with English, the notation and the sentences.

There are two tiers: what people meet at the table makes a language offered; the rest (commands,
chips, looking back, faults in files, what cards say in full) may follow.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import yaml
from babel.messages.catalog import Catalog

from companion.game import commands, questions, shortcuts
from companion.language import words_of
from companion.language.catalogues import UNFINISHED, files
from companion.plain import caller, help_topics
from engine import datafiles
from engine.moves import GRAMMAR, MARKS

ROOT = Path(__file__).parent.parent
FEW = 12  # missing words up to this number are listed
MUCH = 0.1  # the part of the table's sentences without which a language is not offered
LATER = (
    *("companion/chips/", "companion/commands/", "companion/errors/", "companion/files/"),
    *("companion/history/", "companion/log/", "companion/readers/", "companion/settings/"),
    *("common/", "engine/data/switches", "engine/own_cards", "engine/position/", "engine/record"),
    "tags/",
)
"""How the paths begin of modules whose sentences are not met at the table."""
NOT_TYPED = {"?", "gold?", "exit", "enter", shortcuts.SEVERAL, shortcuts.END_ANYWAY}
_GRAMMAR = ("language", "genders", "forms", "plural", "lists")


def list_words_to_type() -> dict[str, set[str]]:
    """The English words, by kind, that a language translates in `words.yaml`."""
    typed = {*commands.COMMANDS, *questions.QUESTIONS, *caller.OPERATIONS} - NOT_TYPED
    literals = {w for forms in GRAMMAR.values() for form in forms for w in form.split()}
    return {
        "commands": typed,
        "verbs": GRAMMAR.keys() - typed,
        "small": {word for word in literals if word.islower()} | {*MARKS},
        "topics": {*help_topics._TOPICS, "on", "off", "all", "out", "code", "taps"},
        "answers": {"yes", "no", "missing", "done", "light", "play"},
        "chips": {"crown", "reference", "number", "chip", "enter"},
    }


def is_of_table(where: str) -> bool:
    """Whether people at the table meet the sentences of that file."""
    return not where.startswith(LATER)


class Lack(NamedTuple):
    """What a file lacks: the missing entries of how many."""

    missing: set[str]
    all: int
    what: str

    def __str__(self) -> str:
        few = f": {', '.join(sorted(self.missing))}" if len(self.missing) <= FEW else ""
        return f"{len(self.missing)} of {self.all} {self.what}{few}"


def list_lacking(
    code: str, catalogue: Catalog, tiers: Mapping[Any, bool], *, at_table: bool
) -> dict[str, Lack]:
    """What each incomplete file of the language lacks in that tier."""
    names, texts, typed, po = files(code)
    lacks: dict[str, Lack] = {}
    if at_table:
        own = _names(code) if (ROOT / names).exists() else set()
        lacks[names] = _compare(_names("en"), own)
        own = _flatten(words_of(code))
        lacks[typed] = _compare(_flatten(list_words_to_type()), own)
    else:
        own = _texts(code) if (ROOT / texts).exists() else set()
        lacks[texts] = _compare(_texts("en"), own)
    lacks |= list_lacking_sentences(po, catalogue, tiers, at_table=at_table)
    return {file: lack for file, lack in lacks.items() if lack.missing}


def list_lacking_sentences(
    file: str, catalogue: Catalog, tiers: Mapping[Any, bool], *, at_table: bool
) -> dict[str, Lack]:
    """What that catalogue lacks in that tier; nothing if it is complete."""
    wanted = {(m.message, m.context) for m, of_table in tiers.items() if of_table == at_table}
    translated = {
        (message.id, message.context or "")
        for message in catalogue
        if message.string and all(message.string) and not message.fuzzy
    }
    missing = [message for message, context in wanted if (message, context) not in translated]
    less = {message if isinstance(message, str) else message[0] for message in missing}
    return {file: Lack(less, len(wanted), "sentences")} if less else {}


def _compare(wanted: set[str], own: set[str]) -> Lack:
    return Lack(wanted - own, len(wanted), "entries")


def lacks_much(lacks: Mapping[str, Lack]) -> bool:
    """Whether more than a tenth of any file is missing."""
    return any(len(lack.missing) > MUCH * lack.all for lack in lacks.values())


def sentence(code: str, lacks: Mapping[str, Lack], *, at_table: bool) -> str:
    """A sentence for developers on what is missing."""
    text = ", ".join(f"{much} in {file}" for file, much in lacks.items())
    where = "for the table" if at_table else "for the rest"
    return f"{code} lags {where}: it lacks {text}"


def note(code: str) -> Path:
    """The path of an unfinished language's note."""
    return ROOT / "companion" / "locale" / code / UNFINISHED


def write_note(lacks: Mapping[str, Lack]) -> bytes:
    """The contents of that note."""
    head = "# What this language lacks. `make messages` keeps and removes this file.\n"
    fields = {file: str(lack) for file, lack in lacks.items()}
    return (head + yaml.safe_dump(fields, sort_keys=False, allow_unicode=True)).encode()


def _names(code: str) -> set[str]:
    data = datafiles.load_shipped(f"names.{code}")
    kinds = {kind: data.get(kind) or {} for kind in ("nouns", "types", "things", "cards")}
    return {key for key in _GRAMMAR if key in data} | _flatten(kinds)


def _texts(code: str) -> set[str]:
    return {
        f"{id_} {key}"
        for id_, facts in datafiles.load_shipped(f"texts.{code}").items()
        for key in ("text", "usually")
        if key in facts
    }


def _flatten(data: Mapping[str, Iterable[str]]) -> set[str]:
    return {f"{kind} {key}" for kind, inner in data.items() for key in inner}
