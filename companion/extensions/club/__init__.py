"""A club: many tables that show their games on one wall, and whose results make a league."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from common import extras
from common.sentences import N_, Sentence
from companion.errors import UserError
from companion.extending import Command, Extension, Onlooker, TableWord
from companion.extensions.club.setting import CLUB
from companion.language import _

if TYPE_CHECKING:
    from companion.extensions.club.publisher import Publisher

_COMMANDS = "companion.extensions.club.commands"
_IN_FOLDER = "COMPANION_DATA=FOLDER companion"


class Club(Extension):
    """The commands of a club, and what tells it of a table's games."""

    commands: ClassVar = {
        "club": Command(N_("many tables on one wall, and their league")),
        "club hub": Command(N_("the wall of a club, with its standings"), f"{_COMMANDS}.hub"),
        "club demo": Command(
            N_("a demonstration club on this computer, with simulated tables"), f"{_COMMANDS}.demo"
        ),
        "club init": Command(
            N_("make a club's folder: for the broker, the hub and a card for each table"),
            f"{_COMMANDS}.init",
        ),
        "club players": Command(
            N_("the club's list of players; adds, renames and removes them"),
            f"{_COMMANDS}.players",
        ),
        "club draw": Command(N_("draw the seats of the next round"), f"{_COMMANDS}.draw"),
        "club results": Command(
            N_("the results of the tables, and the judge's corrections"), f"{_COMMANDS}.results"
        ),
        "club standings": Command(N_("the club's standings by points"), f"{_COMMANDS}.standings"),
    }
    gone: ClassVar = {
        "club history": f"{_IN_FOLDER} history",
        "club import": f"{_IN_FOLDER} import",
        "club recap": f"{_IN_FOLDER} recap",
        "club stats": f"{_IN_FOLDER} stats",
        "club draw --again": "rounds/N.yaml",
        "club draw --folder": f"{_IN_FOLDER} club draw",
        "club draw --size": "size: 5 in league.yaml",
        "club draw --swap": "rounds/N.yaml",
        "club hub --club": "companion club hub FOLDER",
        "club players --folder": f"{_IN_FOLDER} club players",
        "club results --csv": f"{_IN_FOLDER} history --csv",
        "club results --folder": f"{_IN_FOLDER} club results",
        "club standings --folder": f"{_IN_FOLDER} club standings",
    }
    settings: ClassVar = (CLUB,)

    publisher: Publisher | None = None
    """What tells the club of this table's games, if it is in one."""

    def listen(
        self, settings: Mapping[str, Any], folder: str, tell: Callable[[str], object]
    ) -> Onlooker | None:
        self.publisher = None
        url = settings[CLUB.key]
        if url is None:
            return None
        if not extras.is_installed("club"):
            raise UserError(extras.explain(f"--{CLUB.option}", "club"))
        from companion.extensions.club.publisher import Publisher  # heavy, and only in a club

        self.publisher = Publisher(url, folder, tell)
        return self.publisher

    def list_words(self) -> Mapping[str, TableWord]:
        about = Sentence("judge: call the club's judge to this table, also with a sentence.")
        word = TableWord(about, self.call_judge, takes_text=True)
        return {} if self.publisher is None else {"judge": word}

    def call_judge(self, talk: Any, text: str) -> None:
        assert self.publisher is not None
        self.publisher.call_judge(text)
        talk.say("note", _("A judge is called."))


EXTENSION = Club()
