"""Languages: found by their files, and offered once complete; and the sentences of each.

For incomplete languages, `make messages` lists what each lacks in `unfinished.yaml`. They are not
offered; asking for one by its code says what is missing or, if every file exists, uses it with
English in the gaps.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from common import own_files
from common.sentences import Sentence
from companion import extending
from engine import datafiles, words

LOCALE_FOLDER = os.path.join(os.path.dirname(os.path.dirname(__file__)), "locale")
UNFINISHED = "unfinished.yaml"
DOMAIN = "companion"
_ROOT = os.path.dirname(os.path.dirname(LOCALE_FOLDER))


def list_begun() -> list[str]:
    """Every language with a file, finished or not, English first."""
    folders = (entry.name for entry in os.scandir(LOCALE_FOLDER) if entry.is_dir())
    codes = {*datafiles.list_languages(), *(code for code in folders if code.isalpha())}
    return sorted(codes, key=lambda code: (code != "en", code))


def list_offered() -> list[str]:
    """The finished languages, which a table can choose, English first."""
    return [code for code in list_begun() if code == "en" or is_finished(code)]


def is_finished(code: str) -> bool:
    """Whether every file exists and is complete."""
    return is_whole(code) and not os.path.exists(os.path.join(LOCALE_FOLDER, code, UNFINISHED))


def is_whole(code: str) -> bool:
    """Whether every file of the language exists, so that it can at least be tried."""
    return code.isalpha() and next(_list_absent_files(code), None) is None


def files(code: str) -> tuple[str, ...]:
    """The files of a language, relative to the root of the tree. English is in the code: it has no
    catalogue."""
    locale = f"companion/locale/{code}"
    own = (f"engine/data/names.{code}.yaml", f"engine/data/texts.{code}.yaml")
    catalogue = f"{locale}/LC_MESSAGES/{DOMAIN}.po"
    return (*own, f"{locale}/words.yaml", *(() if code == "en" else (catalogue,)))


def own_name(code: str) -> str:
    """The language's name for itself, as a list entry; one that no native speaker has read says
    so."""
    data = words.language(code)
    name: str = data["language"]
    unread = f" ({data['unread']})" if "unread" in data else ""
    return name[:1].upper() + name[1:] + unread


def describe_missing(code: str) -> str | None:
    """What an unfinished language lacks, in one sentence; None for any other."""
    if code not in list_begun() or is_finished(code) or code == "en":
        return None
    lacks = dict.fromkeys(_list_absent_files(code), "")
    text = os.path.join(LOCALE_FOLDER, code, UNFINISHED)
    if os.path.exists(text):
        lacks = {**datafiles.read(text), **lacks}
    lines = [f"{file} ({much})" if much else file for file, much in lacks.items()]
    return Sentence(
        "the language {language} is not finished; missing: {files}",
        language=code,
        files=", ".join(lines),
    )


def _list_absent_files(code: str) -> Iterator[str]:
    return (file for file in files(code) if not os.path.exists(os.path.join(_ROOT, file)))


# -- the sentences of a language -------------------------------------------------------------------
#
# A catalogue is read from the `.po` file that translators edit, so a fresh checkout needs no tool
# to compile it, and what a translator saves is heard at the next start. Sentences that are fuzzy,
# because the English has changed since, or empty are left out: they are shown in English.


_MOST = 4 * 1024 * 1024
"""The largest catalogue, in bytes."""
_CONTEXT = "\4"  # between a sentence's context and itself, as gettext has it
_ESCAPE = re.compile(r"\\(.)")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}


class Catalogue:
    """The translations of one language; `bring` has those of the extensions, which are loaded for
    the first sentence that the companion does not have itself."""

    def __init__(
        self,
        plural: str,
        translations: dict[str, Any],
        bring: Callable[[], dict[str, Any]] = dict,
    ) -> None:
        self._plural, self._translations, self._bring = plural, translations, cache(bring)

    def _find(self, key: str) -> Any:
        found = self._translations.get(key)
        return self._bring().get(key) if found is None else found

    def __contains__(self, sentence: str) -> bool:
        return self._find(sentence) is not None

    def gettext(self, sentence: str, context: str = "") -> str:
        translation = self._find(_make_key(sentence, context)) or sentence
        return str(translation[0] if isinstance(translation, list) else translation)

    def ngettext(self, one: str, many: str, number: int) -> str:
        """The translation of a plural sentence for that number, or the English one."""
        forms = self._find(one)
        if not isinstance(forms, list):
            return one if number == 1 else many
        return words.choose_form(number, forms, self._plural)


def load(code: str) -> Catalogue:
    """The catalogue of a language; an empty one if it has none, or none that can be read."""

    def bring() -> dict[str, Any]:
        return dict(extending.gather(lambda one: _read(one.locale, code)[1].items()))

    return Catalogue(*_read(LOCALE_FOLDER, code), bring)


def _read(folder: str, code: str) -> tuple[str, dict[str, Any]]:
    try:
        return parse(own_files.read(find_catalogue(folder, code), _MOST))
    except OSError:
        return "n != 1", {}


def find_catalogue(folder: str, code: str) -> str:
    return os.path.join(folder, code, "LC_MESSAGES", f"{DOMAIN}.po")


def parse(source: bytes) -> tuple[str, dict[str, str | list[str]]]:
    """The plural rule of a catalogue and its translations, by the English sentence (the singular,
    which has a list of forms)."""
    plural, translations = "n != 1", {}
    for entry in _split(source.decode("utf-8", "replace")):
        sentence = entry.get("msgid", "")
        forms = [text for part, text in entry.items() if part.startswith("msgstr")]
        if not sentence:
            rule = forms[0].partition("plural=")[2].partition(";")[0] if forms else ""
            plural = rule.strip() or plural
        elif forms and all(forms) and "fuzzy" not in entry:
            key = _make_key(sentence, entry.get("msgctxt", ""))
            translations[key] = forms if "msgid_plural" in entry else forms[0]
    return plural, translations


def _make_key(sentence: str, context: str) -> str:
    return f"{context}{_CONTEXT}{sentence}" if context else sentence


def _split(text: str) -> Iterator[dict[str, str]]:
    """The entries, each its texts by keyword (`msgid`, `msgstr[1]`), and `fuzzy` if it is."""
    entry: dict[str, str] = {}
    part = ""
    for line in text.splitlines():
        if line.startswith("#"):
            if "msgstr" in part:  # a comment belongs to the entry below it
                yield entry
                entry, part = {}, ""
            if line.startswith("#,") and "fuzzy" in line:
                entry["fuzzy"] = ""
            continue
        keyword, _space, literal = line.partition('"')
        keyword = keyword.strip()
        if keyword in ("msgid", "msgctxt") and "msgstr" in part:
            yield entry
            entry = {}
        part = keyword or part
        if literal:
            entry[part] = entry.get(part, "") + _unescape(literal.rstrip()[:-1])
    if "msgstr" in part:
        yield entry


def _unescape(text: str) -> str:
    return _ESCAPE.sub(lambda match: _ESCAPES.get(match[1], match[1]), text)
