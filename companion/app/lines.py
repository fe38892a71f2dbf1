"""What a typed line does: a move, a word about the session, or a chip on the simulated reader."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion import vocabulary
from companion.app import offer
from companion.app.notices import Notice
from companion.chips import deck_words
from companion.clean import clean_text
from companion.intent import typed
from companion.language import _, said
from companion.privacy import is_private

if TYPE_CHECKING:
    from companion.app.screens.table import TableScreen

LONGEST = 1000  # characters of a typed line that are read
WORDS = ("undo", "redo", "why", "help", "repeat", "last", "score")
CHIP_WORDS = ("tap", "hold", "lift", "unplug", "plug")


def answer(table: TableScreen, line: str) -> None:
    """Do what the line says."""
    line = clean_text(line, limit=LONGEST)
    if not line:
        return
    first, _space, rest = line.partition(" ")
    word = vocabulary.word(first, *WORDS, *CHIP_WORDS)
    if word in WORDS and not rest:
        table.run_word(word)
    elif word in CHIP_WORDS:
        _chip(table, word, rest)
    elif line.isdecimal():
        table.take(int(line) - 1)
    else:
        _move(table, line)


def _move(table: TableScreen, line: str) -> None:
    game = table.game
    meant = typed.understand(line, game.view, game.session.legal())
    if len(meant) > 1 and not any(is_private(game.view, move.verb) for move in meant):
        table.show_offer(offer.of_moves(game.view, _("Which one?"), meant))
        return
    table.play(meant[0] if meant else line)


def _chip(table: TableScreen, word: str, words: str) -> None:
    reader = table.app.reader
    if reader is None or reader.deck is None:
        sentence = _("Only the simulated reader can be told what lies on it.")
        table.show_notice(Notice("refused", sentence))
        return
    reader.start()
    if word in ("tap", "hold"):
        try:
            uid = deck_words.chip_named(words, reader.deck, table.game.view.rules)
        except ValueError as error:
            table.show_notice(Notice("refused", said(str(error))))
            return
        if word == "tap":
            reader.lay(uid)
        else:
            reader.hold(uid)
        return
    {"lift": reader.lift, "unplug": reader.unplug, "plug": reader.plug}[word]()
