"""A club: many tables that show their games on one wall, and whose results make a league."""

from __future__ import annotations

from typing import ClassVar

from common.sentences import N_
from companion.extending import Command, Extension

_COMMANDS = "companion.extensions.club.commands"
_IN_FOLDER = "COMPANION_DATA=FOLDER companion"


class Club(Extension):
    """A club's hub, its league, and the commands of both."""

    name = "club"
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
        "club draw": Command(
            N_("draw the seats of the next round, or swap two players"), f"{_COMMANDS}.draw"
        ),
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
        "club draw --folder": f"{_IN_FOLDER} club draw",
        "club draw --size": "size: 5 in league.yaml",
        "club hub --club": "companion club hub FOLDER",
        "club players --folder": f"{_IN_FOLDER} club players",
        "club results --csv": "companion history --csv",
        "club results --folder": f"{_IN_FOLDER} club results",
        "club standings --folder": f"{_IN_FOLDER} club standings",
    }


EXTENSION = Club()
