"""Available languages: found by their files, and offered once complete.

For incomplete languages, `make messages` lists what each lacks in `unfinished.yaml`. They are not
offered; asking for one by its code says what is missing or, if every file exists, uses it with
English in the gaps.
"""

from __future__ import annotations

import os

from common.sentences import Sentence
from engine import datafiles

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

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
    from engine import words

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
        from engine import datafiles

        lacks = {**datafiles.read(text), **lacks}
    lines = [f"{file} ({much})" if much else file for file, much in lacks.items()]
    return Sentence(
        "the language {language} is not finished; missing: {files}",
        language=code,
        files=", ".join(lines),
    )


def _list_absent_files(code: str) -> Iterator[str]:
    return (file for file in files(code) if not os.path.exists(os.path.join(_ROOT, file)))
