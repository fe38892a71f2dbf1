"""Looking back: at one game, at the games of a table, and at what its players have made of them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, ClassVar

from common.sentences import N_
from companion.extending import Command, Extension, TableWord
from companion.extensions.looking_back.settings import PLACE, POINTS

_COMMANDS = "companion.extensions.looking_back.commands"


class LookingBack(Extension):
    """Recaps, lists of games, statistics and standings."""

    commands: ClassVar = {
        "recap": Command(
            N_("a recap of a game, round by round"), f"{_COMMANDS}.recap", in_front=True
        ),
        "bgstats": Command(
            N_("a finished game for the BG Stats app: a link and its QR code"),
            f"{_COMMANDS}.bgstats",
        ),
        "history": Command(N_("the games of this table, newest first"), f"{_COMMANDS}.history"),
        "stats": Command(N_("statistics: players, cards, boxes and records"), f"{_COMMANDS}.stats"),
        "season": Command(N_("points by place, for any period"), f"{_COMMANDS}.season"),
    }
    gone: ClassVar = {
        "person": "companion stats PLAYER",
        "year": "companion stats --since 2026-01-01 --until 2026-12-31",
        "bgstats --html": "companion recap --html FILE",
        "bgstats --mark": "companion bgstats GAME",
        "bgstats --unsent": "companion bgstats GAME",
        "history --force": "companion history --remove GAME",
        "history --limit": "companion history --since DAY",
        "recap --card": "companion recap --html FILE",
        "recap --text": "companion recap",
        "season --best": "companion season",
        "season --edition": "companion stats --edition EDITION",
        "season --player": "companion history --player NAME",
        "season --points": "COMPANION_POINTS=10,6,3,1 companion season",
        "stats --player": "companion stats PLAYER",
    }

    settings: ClassVar = (POINTS, PLACE)

    # What follows needs much, and only at the table.

    def list_words(self) -> Mapping[str, TableWord]:
        from companion.extensions.looking_back.conversation_words import WORDS

        return WORDS

    def list_pages(self) -> Mapping[str, Callable[[Any, Any], Awaitable[Any]]]:
        from companion.extensions.looking_back.on_phones import PAGES

        return PAGES

    async def tell_end(self, site: Any, language: str) -> Any:
        from companion.extensions.looking_back.on_phones import tell_end

        return await tell_end(site, language)


EXTENSION = LookingBack()
