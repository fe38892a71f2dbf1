"""Count what a language lacks, by file, compared with English, the notation and the sentences."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

import yaml
from babel.messages.catalog import Catalog

from companion.game import questions, words
from companion.history import words as looking_back
from companion.language import in_force
from companion.language.available import DOMAIN, UNFINISHED, files
from companion.plain import caller, help_topics
from engine import datafiles
from engine.moves import GRAMMAR, MARKS

ROOT = Path(__file__).parent.parent
FEW = 12  # missing words up to this number are listed
NOT_TYPED = {"?", "gold?", "exit", "enter", words.THEN_END, words.END_ANYWAY}
_GRAMMAR = ("language", "genders", "forms", "plural", "lists")


def list_words_to_type() -> dict[str, set[str]]:
    """The English words, by kind, that a language translates in `words.yaml`."""
    commands = {
        *words.COMMANDS,
        *looking_back.COMMANDS,
        *questions.QUESTIONS,
        *caller.OPERATIONS,
    } - NOT_TYPED
    literals = {w for forms in GRAMMAR.values() for form in forms for w in form.split()}
    return {
        "commands": commands,
        "verbs": GRAMMAR.keys() - commands,
        "small": {word for word in literals if word.islower()} | {*MARKS},
        "topics": {*help_topics._TOPICS, "on", "off", "all", "out", "allow", "refuse", "code"},
        "answers": {"yes", "no", "missing", "done", "light"},
        "chips": {"crown", "reference", "number", "chip", "enter"},
    }


def list_lacking(code: str, catalogue: Catalog) -> dict[str, str]:
    """Each incomplete file of the language, with how many of how many are missing."""
    names, texts, typed, _compiled = files(code)
    there = (ROOT / names).exists(), (ROOT / texts).exists()
    entries = [message for message in catalogue if message.id]
    told = [m.id for m in entries if not (all(m.string) if m.pluralizable else m.string)]
    po = f"companion/locale/{code}/LC_MESSAGES/{DOMAIN}.po"
    found: dict[str, tuple[set[str], set[str], str]] = {
        names: (_names("en"), _names(code) if there[0] else set(), "entries"),
        texts: (_texts("en"), _texts(code) if there[1] else set(), "entries"),
        typed: (_flatten(list_words_to_type()), _flatten(in_force.words_of(code)), "entries"),
    }
    lacks = {
        file: (wanted - known, len(wanted), what) for file, (wanted, known, what) in found.items()
    }
    lacks[po] = ({str(id_) for id_ in told}, len(entries), "sentences")
    return {
        file: f"{len(less)} of {all_} {what}{_list_few(less)}"
        for file, (less, all_, what) in lacks.items()
        if less
    }


def _list_few(lacks: set[str]) -> str:
    """List the missing words if there are few."""
    return f": {', '.join(sorted(lacks))}" if len(lacks) <= FEW else ""


def sentence(code: str, lacks: dict[str, str]) -> str:
    """A sentence for developers on what is missing."""
    told = ", ".join(f"{much} in {file}" for file, much in lacks.items())
    return f"{code} is not finished: it lacks {told}"


def note(code: str) -> Path:
    """The path of an unfinished language's note."""
    return ROOT / "companion" / "locale" / code / UNFINISHED


def write_note(lacks: dict[str, str]) -> bytes:
    """The contents of that note."""
    head = "# What this language lacks. `make messages` keeps and removes this file.\n"
    return (head + yaml.safe_dump(lacks, sort_keys=False, allow_unicode=True)).encode()


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
