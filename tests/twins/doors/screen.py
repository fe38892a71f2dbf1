"""The full screen: everything painted, its title, its notices and its cursor position, after each
move and key, and while the secret is typed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from companion import language
from companion.app.screens.line import LineScreen
from companion.setup import PlayOptions
from tests.app.driving import Driver, start_table
from tests.twins import tried
from tests.twins.pairs import MORE, Twins, split

KEYS = (
    *(("j", "escape"), ("ctrl+z", "r"), ("question_mark", "escape"), ("v", "escape")),
    *(("s", "escape"), ("z", "z"), ("o", "escape"), ("ctrl+z", "ctrl+z", "r", "r")),
)
"""Keys for sheets and the chronicle, undo and redo."""


def look(twins: Twins, which: int, folder: Path) -> Iterator[tuple[str, Any]]:
    """Play one of the twins on the screen; its secret is first misspelt, then typed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COMPANION_DATA", f"{folder}/data")
        patch.setenv("COMPANION_LANGUAGE", twins.language)
        yield from asyncio.run(_collect(_screens(twins, which)))
    language.use("en")


async def _collect(async_iterator: AsyncIterator[tuple[str, Any]]) -> list[tuple[str, Any]]:
    return [one async for one in async_iterator]


async def _screens(twins: Twins, which: int) -> AsyncIterator[tuple[str, Any]]:
    characters = tuple(twins.cast.split()) or None
    options = PlayOptions(edition=twins.edition, characters=characters)
    settings: dict[str, Any] = {
        "crown": twins.names[1],
        "secrecy": twins.secrecy,
        "options": options,
    }
    settings["house"] = twins.more.get("options")
    async with start_table(twins.names, moves=split(twins.before), **settings) as table:
        for number, secret in enumerate(split(twins.secrets[which])):
            async for view in _tell(table, secret):
                yield f"{number} {view[0]}", view[1]
        for place, text in enumerate(twins.moves(which)[twins.since :], start=twins.since):
            keys = KEYS[place % len(KEYS)] if MORE or place % 3 == 0 else ()
            for key in keys:
                await table.keys(key)
                yield f"{place}: {key}", await look_at_rest(table)
            if len(table.session.referee.moves) > place:  # a forced move
                continue
            if text in ("end", "nobody") and twins.is_near(table.session.view):
                break
            if keys:
                await table.line(text)
            else:  # the line is opened for the secret, and for every third move
                screen = table.app.table
                assert screen is not None
                screen.call_later(screen.line, text, screen.shown)
                await table.settle()
            if len(table.session.referee.moves) == place:  # something is left to take
                await table.keys("9")
            yield f"{place}: {text}", await look_at_rest(table)


async def _tell(table: Driver, secret: str) -> AsyncIterator[tuple[str, Any]]:
    """Type it misspelt, then correctly; yields the screen before and after Enter."""
    badly = [line for line in tried.misspell(secret) if line != "."]
    for number, line in enumerate([*badly, secret] if MORE else [badly[0], secret]):
        await table.keys("colon")
        await table.type(line)
        yield f"typed {number}", await look_at_rest(table)
        await table.keys("enter")
        yield f"entered {number}", await look_at_rest(table)
        if line != secret:
            await table.keys("escape", "escape")
            yield f"left {number}", await look_at_rest(table)


async def look_at_rest(table: Driver) -> tuple[Any, ...]:
    """The whole screen, and what a terminal shows around it, once stable."""
    return await table.wait_for_rest(lambda: look_at_all(table))


def look_at_all(table: Driver) -> tuple[Any, ...]:
    """The whole screen and what a terminal shows around it; the cursor if there is an input
    field."""
    app, screen = table.app, table.app.screen
    cursor = app.cursor_position if isinstance(screen, LineScreen) else None
    around = (app.title, app.sub_title, cursor, type(screen).__name__)
    return (table.text().splitlines(), *around, [str(note) for note in app._notifications])
