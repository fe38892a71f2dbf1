"""`companion tags list`, `export`, `import`: the whole mapping; `key`: action and number chips."""

from __future__ import annotations

import os
from textwrap import wrap
from typing import TYPE_CHECKING

from common.sentences import Sentence
from companion import chips, language
from companion.chips import entries
from companion.commands import DONE, REFUSED, CommandError
from companion.errors.output import answer, print_error
from companion.language import _, plural
from tags.uids import format_uid

if TYPE_CHECKING:
    from companion.settings.config import Config


def run(config: Config, width: int | None) -> int:
    """Print the key in the table's language, wrapped to `width` columns."""
    language.use(config.language)
    for line in entries.list_action_chips():
        answer(wrap(line, width) if width else [line])
    return DONE


def show(config: Config) -> int:
    """Print every chip with its meaning. Raises ChipsError."""
    registry = chips.load(config.chips)
    answer(f"{format_uid(uid)}: {entry}" for uid, entry in registry)
    number = len(registry)
    print_error(
        [plural("{number} chip in {file}", "{number} chips in {file}", number, file=config.chips)]
    )
    return DONE


def export(config: Config, file: str) -> int:
    """Write the mapping to a new file. Raises ChipsError and CommandError."""
    if os.path.lexists(file):
        raise CommandError(
            Sentence("{file}: this file already exists; name another one", file=file)
        )
    registry = chips.load(config.chips)
    try:
        chips.save(file, registry, makes_folder=False)
    except chips.ChipsError as error:
        raise CommandError(*error.lines) from None
    answer([plural("{number} chip written.", "{number} chips written.", len(registry))])
    return DONE


def take_in(config: Config, file: str) -> int:
    """Add a file's chips: all of them, or none if one contradicts the mapping here.

    Each named deck keeps its name; chips without a deck are added to the current one. Raises
    ChipsError and CommandError.
    """
    if not os.path.exists(file):
        raise CommandError(Sentence("{file}: there is no such file", file=file))
    registry, imports = chips.load(config.chips), chips.load(file)
    conflicts, count = [], 0
    for deck in imports.list_decks():
        registry = registry.with_deck(deck or config.deck or "")
        for uid, entry in imports.with_deck(deck).list_own():
            contradictions = registry.conflicts(uid, entry)
            conflicts += [
                _("{uid} would be {entry}, but here {other} is {held}.").format(
                    uid=format_uid(uid), entry=entry, other=format_uid(other), held=meaning
                )
                for other, meaning in contradictions
            ]
            if not contradictions:
                count += uid not in registry
                registry = registry.with_chip(uid, entry)
    if conflicts:
        raise CommandError(*conflicts, _("Nothing was imported."), code=REFUSED)
    chips.save(config.chips, registry)
    answer([plural("{number} new chip imported.", "{number} new chips imported.", count)])
    return DONE
