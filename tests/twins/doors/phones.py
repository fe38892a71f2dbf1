"""Phones: the pages, streams, answers and refusals of every phone but those that know."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from companion.chips.entries import CharacterChip
from companion.game.conversation import Conversation
from companion.game.makers import find_maker
from companion.game.session import Session
from companion.log.store import Store
from companion.phones.table import NotYours, PhoneTable
from engine.refusals import Refused
from tests.companion.talking import Notebook
from tests.twins.pairs import Twins, split

CODES = ("en", "de")


def look(twins: Twins, which: int, folder: Path) -> Iterator[tuple[str, Any]]:
    """Play one of the twins on phones; what each stranger is shown, told and refused."""
    record = twins.record(which)
    with Store(str(folder / "games.sqlite3")) as store:
        session = Session.begin(store, record.setup)
        phones = PhoneTable(lambda: None, calls=True)
        phones.attend(Conversation(session, Notebook(), plays_forced=False), forced=False)
        for place, text in enumerate(record.moves, start=1):
            version = phones.version
            _play(phones, session, text)
            if place >= twins.since:
                for viewer in twins.strangers():
                    where = f"after move {place}, to viewer {viewer}"
                    yield from ((where, shown) for shown in _shown(phones, viewer, version))
                    if viewer is not None:
                        yield where, _refused(phones, viewer, twins)
        session.close()


def _play(phones: PhoneTable, session: Session, text: str) -> None:
    move = session.referee.read(text)
    maker = find_maker(session.view, move)
    if maker is None:
        session.play(move)
    else:
        phones.move(maker, text, "fr")


def _shown(phones: PhoneTable, viewer: int | None, version: int) -> Iterator[Any]:
    for code in CODES:
        yield phones.page(viewer, code)._replace(game="")
        yield phones.events(viewer, code, version)
    for character in phones.session.view.rules.cast:
        yield phones.describe_tap(viewer, CharacterChip(character), "en")


def _refused(phones: PhoneTable, seat: int, twins: Twins) -> str:
    """What this phone hears when it tries to make the secret move itself."""
    move = phones.session.referee.read(split(twins.secrets[0])[0])
    if seat in (phones.session.view.crown, find_maker(phones.session.view, move)):
        return "it may"
    try:
        phones.move(seat, move.text, "en")
    except NotYours as error:
        return str(error)
    except Refused as error:
        return error.refusal.reason
    return "played"
