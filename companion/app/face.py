"""The full screen as a face of the conversation: what it says is shown, what it wants is done."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from companion.app.reading import keep_taps
from companion.language import NAMES, _, said
from engine.moves import fold

if TYPE_CHECKING:
    from companion.app.screens.table import TableScreen
    from companion.game.sayings import Saying
    from companion.voice.host import Voice

    Deed = Callable[["ScreenFace", str], bool | None]


class ScreenFace:
    """What the conversation needs of the main screen; see `companion.game.sayings.Face`."""

    def __init__(self, table: TableScreen) -> None:
        self.table = table

    @property
    def voice(self) -> Voice:
        """What speaks to the table, and to one ear."""
        return self.table.app.voice

    def say(self, saying: Saying) -> None:
        """Show it where it belongs."""
        self.table.hear(saying)

    def do(self, word: str, rest: str) -> bool:
        """Do what only a screen can; whether it could."""
        deed = _DEEDS.get(word)
        return deed is not None and deed(self, rest) is not False

    def keep_reader(self, alone: bool) -> None:
        """Keep taps from every other program while a private moment lasts."""
        keep_taps(self.table.app, alone=alone)

    def refuse(self, reason: str) -> None:
        """Say why something cannot be done here."""
        self.table.talk.say("refused", reason)


def _act(action: str) -> Deed:
    """What the key of that action does."""

    def deed(face: ScreenFace, rest: str) -> bool:
        if rest:
            return False
        face.table.call_later(getattr(face.table, f"action_{action}"))
        return True

    return deed


def _language(face: ScreenFace, rest: str) -> None:
    found = [code for code, name in NAMES.items() if fold(rest) in (code, fold(name))]
    if found:
        face.table.app.use_language(found[0])
    elif rest:
        known = ", ".join(NAMES)
        sentence = _("{word} is no language here; there are: {known}.")
        face.refuse(sentence.format(word=rest, known=known))
    else:
        face.table.action_language()


def _rematch(face: ScreenFace, rest: str) -> None:
    from companion.game import ending
    from companion.session import Session
    from companion.store import StoreError

    app, setup = face.table.app, face.table.talk.session.setup
    try:
        session = Session.begin(app.store, ending.next_game(setup))
    except StoreError as error:
        face.refuse(said(str(error)))
    else:
        app.call_later(app.begin, session)


def _chip(verb: str) -> Deed:
    """A chip laid on the simulated reader, or its cable."""

    def deed(face: ScreenFace, rest: str) -> None:
        reader = face.table.app.reader
        if reader is None or reader.deck is None:
            face.refuse(_("Only the simulated reader can be told what lies on it."))
            return
        reader.start()
        if verb not in ("tap", "hold"):
            getattr(reader, verb)()
            return
        from companion.chips import deck_words

        try:
            uid = deck_words.chip_named(rest, reader.deck, face.table.talk.view.rules)
        except ValueError as error:
            face.refuse(said(str(error)))
        else:
            (reader.lay if verb == "tap" else reader.hold)(uid)

    return deed


_DEEDS: dict[str, Deed] = {
    "help": _act("help"),
    "quit": _act("leave"),
    "new": _act("new_game"),
    "learn": _act("learn"),
    "voice": _act("voice"),
    "language": _language,
    "rematch": _rematch,
    **{verb: _chip(verb) for verb in ("tap", "hold", "lift", "unplug", "plug")},
}
