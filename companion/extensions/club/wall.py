"""The hub over HTTP: the wall's pages for everybody, in style and safety those of the phones."""

from __future__ import annotations

import zlib
from functools import cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markupsafe import Markup
from starlette.responses import Response

from common.clean import read_number
from companion import language
from companion.extensions.club import picture
from companion.history import season, standings
from companion.language import _, card, plural, translate
from companion.phones.serving import pages
from companion.phones.serving.http_messages import (
    EventStream,
    HttpRequest,
    Rejected,
    data,
)
from companion.phones.serving.room import save_look, send_file
from companion.phones.serving.site import LOOK
from companion.phones.serving.web import Application
from companion.wording import facts
from engine import cards

if TYPE_CHECKING:
    from jinja2 import Environment

    from companion.extensions.club.hub import ClubHub
    from companion.extensions.club.results import Result
    from companion.phones.serving.where import Where

HERE = Path(__file__).parent

MOST_RESULTS = 1000
"""Results in an answer for programs."""

MOST_SHOWN = 50
"""Results below the standings, the latest."""


class Wall(Application):
    def __init__(
        self,
        hub: ClubHub,
        where: Where,
        usual: str,
        *,
        table_address: str,
    ) -> None:
        """`usual` is the language of those who prefer none that the pages have; `table_address` is
        shown while there is no table."""
        super().__init__(where)
        self._table_address = table_address
        self.hub, self.usual = hub, usual

    async def handle(self, request: HttpRequest) -> Response:
        """The page or the data that is asked for. Raises Rejected."""
        self.check_origin(request)
        path, method = request.path, request.method
        if method == "POST" and path == "/look":
            return await save_look(request, self.find_look(request))
        if method not in ("GET", "HEAD"):
            raise Rejected(405, _("That cannot be done here."), Allow="GET")
        head, name = path.rpartition("/")[::2]
        match head, name:
            case "", "":
                return self._show_wall(request)
            case "/table", name:
                return self._show_table(request, name)
            case "", "standings":
                return self._show_standings(request)
            case "", "draw":
                return self.show(request, "draw", draw=self.hub.draw, is_live=True)
            case "", "look":
                to = pages.safe_redirect(request.query_params.get("to", "/"))
                return self.show(request, "look", to=to)
            case "/card", name:
                return self._show_card(request, name)
            case "/static", name:
                return send_file(_files(), name)
            case "/api", "tables":
                return data(self._list_tables())
            case "/api", "standings":
                return data(self.hub.standings or {})
            case "/api", "results":
                after = read_number(request.query_params.get("after", "")) or 0
                results = (one for one in self.hub.results.values() if one.number > after)
                return data([one._asdict() for one in islice(results, MOST_RESULTS)])
            case "/api", "events":
                return self._follow(request)
        raise Rejected(404, _("There is no such page."))

    # -- pages ---------------------------------------------------------------------------------

    def find_look(self, request: HttpRequest) -> pages.Look:
        return pages.read_look(request, request.cookies.get(LOOK, ""), self.usual)

    def show(self, request: HttpRequest, name: str, status: int = 200, **fields: Any) -> Response:
        return pages.render(templates(), self.find_look(request), name, status, **fields)

    def _draw(self, name: str) -> picture.Picture | None:
        table = self.hub.directory.tables.get(name)
        return None if table is None else picture.draw(self.hub.directory, table)

    def _draw_tile(self, name: str) -> str | None:
        """The tile of a table in the current language, made once for all viewers; None if there is
        no such table."""
        table = self.hub.directory.tables.get(name)
        if table is None:
            return None
        text = language.current()
        if text not in table.tiles:
            macro: Any = templates().get_template("tile.html").module
            tile = macro.tile(picture.draw(self.hub.directory, table))
            table.tiles[text] = str(tile).strip()
        return table.tiles[text]

    def _show_wall(self, request: HttpRequest) -> Response:
        directory = self.hub.directory
        tables = directory.list_tables()
        games = len(self.hub.results)
        summary = [
            plural("{number} table", "{number} tables", len(tables)),
            plural("{number} game finished", "{number} games finished", games),
        ]
        count = sum(not (table.is_there and directory.is_fresh) for table in tables)
        if count:
            summary.append(plural("{number} not connected", "{number} not connected", count))
        return self.show(
            request,
            "wall",
            heading=_("Club {name}").format(name=self.hub.club),
            tiles=[Markup(self._draw_tile(table.name)) for table in tables],
            summary=" · ".join(summary),
            address=self._table_address,
        )

    def _show_table(self, request: HttpRequest, name: str) -> Response:
        one = self._draw(name)
        if one is None:
            raise Rejected(404, _("There is no such page."))
        return self.show(request, "one", one=one, is_live=True)

    def _show_card(self, request: HttpRequest, name: str) -> Response:
        if name not in cards.characters() and name not in cards.district_ids():
            raise Rejected(404, _("There is no such card."))
        text = cards.text_of(name, "", self.find_look(request).language)
        sign, lines = picture.find_sign(name), [translate(text.text)]
        return self.show(request, "card", sign=sign, title=card(name), lines=lines)

    def _show_standings(self, request: HttpRequest) -> Response:
        ranking = self.hub.league.standings
        shown = list(self.hub.results.values())[-MOST_SHOWN:]
        return self.show(
            request,
            "standings",
            ranking=ranking.rows if ranking is not None else (),
            tell_points=season.round_points,
            explained=standings.explain(ranking) if ranking is not None else (),
            results=list(map(_describe, reversed(shown))),
            is_live=True,
        )

    # -- for programs --------------------------------------------------------------------------

    def _list_tables(self) -> list[dict[str, Any]]:
        return [
            {
                "table": table.name,
                "status": table.status,
                "meta": table.meta,
                "state": table.state,
                "calls": table.calls,
            }
            for table in self.hub.directory.list_tables()
        ]

    def _follow(self, request: HttpRequest) -> Response:
        if self.hub.viewers.is_full:
            raise Rejected(503)
        text = self.find_look(request).language

        def draw(name: str) -> str | None:
            with language.speaking(text):
                return self._draw_tile(name)

        only = request.query_params.get("table")
        return EventStream(self.hub.viewers.follow(draw, only=only))

    def show_problem(self, request: HttpRequest, status: int, sentence: str) -> Response:
        return self.show(request, "problem", status, problem=sentence)


def _describe(result: Result) -> dict[str, Any]:
    players = result.score["players"]
    return {
        "number": result.number,
        "title": result.game,
        "note": result.reason,
        "scores": [
            (name, facts.points(players[name]["total"])) for name in result.score["ranking"]
        ],
    }


@cache
def templates() -> Environment:
    environment = pages.environment(HERE / "templates")
    environment.globals["static"] = _address
    return environment


@cache
def _files() -> dict[str, tuple[str, bytes]]:
    return {**pages.files(), **pages.read_folder(HERE / "static")}


def _address(name: str) -> str:
    return f"/static/{name}?{zlib.crc32(_files()[name][1]):08x}"
