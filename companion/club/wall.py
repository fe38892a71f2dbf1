"""The hub over HTTP: the wall's pages for everybody, the tables' messages, and the judge's page.

The pages are those of the phones in style and safety; a table's message is a PUT to its topic.
"""

from __future__ import annotations

import base64
import binascii
import zlib
from collections import deque
from functools import cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from companion import errors, language
from companion.club import judge, messages, picture
from companion.club.judge import read_number
from companion.history import season, standings, telling
from companion.language import _, card, plural, translate
from companion.log import StoreError
from companion.phones.serving import guard, pages
from companion.phones.serving.guard import Owner, Trust
from companion.phones.serving.messages import (
    EVENTS,
    JSON,
    HttpRequest,
    Rejected,
    Response,
    data,
    see_other,
)
from companion.phones.serving.site import LIFETIMES, LOOK
from companion.phones.serving.web import HEADERS
from companion.wording import facts
from engine import cards

if TYPE_CHECKING:
    from jinja2 import Environment

    from companion.club.folder import Passwords
    from companion.club.hub import ClubHub
    from companion.club.ledger import LedgerResult
    from companion.phones.serving.where import Where

HERE = Path(__file__).parent

MOST_RESULTS = 1000
"""Results in an answer for programs."""

MOST_GONE = 8
"""Earlier connections of a table that are remembered."""


class Wall:
    """Handles the requests to one hub."""

    def __init__(
        self,
        hub: ClubHub,
        where: Where,
        passwords: Passwords | None,
        judge_code: str,
        usual: str,
        *,
        table_address: str,
    ) -> None:
        """Without `passwords` only this computer's own tables are taken. `usual` is the language of
        those who prefer none that the pages have; `table_address` is shown while there is no
        table."""
        self._table_address = table_address
        self.hub, self.where, self.usual = hub, where, usual
        self.desk = judge.JudgeDesk(hub, judge_code)
        self._passwords = passwords
        self._sessions: dict[str, tuple[str, deque[str]]] = {}
        """Of each table over HTTP: the connection that speaks for it, and those before."""

    async def answer(self, request: HttpRequest) -> Response:
        """The response to a request; exceptions become error responses."""
        request.port = self.where.port
        with language.speaking(self.find_look(request).language):
            try:
                answer = await self._answer(request)
            except Rejected as failure:
                answer = self._reject(request, failure)
            except StoreError as error:
                answer = self._reject(request, Rejected(503, translate(str(error))))
            except Exception as error:  # a bug
                errors.tell(error)
                answer = self._reject(request, Rejected(500))
        answer.write_cookies(
            {**LIFETIMES, judge.COOKIE: judge.SECONDS}, request.port, secure=request.secure
        )
        own = {name for name, _value in answer.headers}
        answer.headers += [(name, value) for name, value in HEADERS if name not in own]
        return answer

    async def _answer(self, request: HttpRequest) -> Response:
        if not self.where.is_ours(request.host):
            raise Rejected(421, _("This hub has another address."))
        path, method = request.path, request.method
        if path.startswith(f"/{messages.ROOT}/"):
            return await self._take_message(request)
        if method == "POST":
            self._check_origin(request)
            return await self._post(request)
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
            case "", "judge":
                return self.desk.show(self, request)
            case "", "look":
                to = pages.safe_redirect(request.query.get("to", "/"))
                return self.show(request, "look", to=to)
            case "/card", name:
                return self._show_card(request, name)
            case "/static", name:
                return _send_file(name)
            case "/api", "tables":
                return data(self._list_tables())
            case "/api", "standings":
                return data(self.hub.standings or {})
            case "/api", "results":
                after = read_number(request.query.get("after", ""), 10**9) or 0
                rows = (one for one in self.hub.results if one.number > after)
                return data([one._asdict() for one in islice(rows, MOST_RESULTS)])
            case "/api", "events":
                return self._follow(request)
        raise Rejected(404, _("There is no such page."))

    async def _post(self, request: HttpRequest) -> Response:
        if request.path == "/look":
            fields = await request.form()
            answer = see_other(pages.safe_redirect(fields.get("to", "/")))
            answer.cookies[LOOK] = pages.read_choices(fields, self.find_look(request)).cookie()
            return answer
        if request.path == "/judge":
            return await self.desk.act(self, request)
        raise Rejected(404, _("There is no such page."))

    def _check_origin(self, request: HttpRequest) -> None:
        """Reject forms of other sites. Raises Rejected."""
        origin = request.headers.get("origin")
        secure = self.where.tls is not None
        if not guard.origin_is_ours(origin, request.host, secure=secure):
            raise Rejected(403, _("Only this hub's own pages may do that."))

    # -- pages ---------------------------------------------------------------------------------

    def find_look(self, request: HttpRequest) -> pages.Look:
        """The viewer's display settings."""
        return pages.read_look(request, request.cookies.get(LOOK, ""), self.usual)

    def show(self, request: HttpRequest, name: str, status: int = 200, **fields: Any) -> Response:
        """Render a page of the club."""
        return pages.render(templates(), self.find_look(request), name, status, **fields)

    def _draw(self, name: str) -> picture.Picture | None:
        table = self.hub.board.tables.get(name)
        return None if table is None else picture.draw(self.hub.board, table)

    def _draw_tile(self, name: str) -> str | None:
        """The tile of a table in the current language, made once for all viewers; None if there is
        no such table."""
        table = self.hub.board.tables.get(name)
        if table is None:
            return None
        text = language.current()
        if text not in table.tiles:
            macro: Any = templates().get_template("tile.html").module
            tile = macro.tile(picture.draw(self.hub.board, table))
            table.tiles[text] = str(tile).strip()
        return table.tiles[text]

    def _show_wall(self, request: HttpRequest) -> Response:
        board = self.hub.board
        tables = board.list_tables()
        games = len(self.hub.list_counted())
        summary = [
            plural("{number} table", "{number} tables", len(tables)),
            plural("{number} game finished", "{number} games finished", games),
        ]
        count = sum(not (table.is_there and board.is_current(table)) for table in tables)
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
            raise Rejected(404, _("There is no such table."))
        return self.show(request, "one", one=one, is_live=True)

    def _show_card(self, request: HttpRequest, name: str) -> Response:
        if name not in cards.characters() and name not in cards.district_ids():
            raise Rejected(404, _("There is no such card."))
        text = cards.text_of(name, "", self.find_look(request).language)
        sign, lines = picture.find_sign(name), [translate(text.text)]
        return self.show(request, "card", sign=sign, title=card(name), lines=lines)

    def _show_standings(self, request: HttpRequest) -> Response:
        ranking = self.hub.league.standings
        before = read_number(request.query.get("before", ""), 10**9)
        rows = [one for one in self.hub.list_counted() if before is None or one.number < before]
        shown = rows[-judge.MOST_SHOWN :]
        return self.show(
            request,
            "standings",
            earlier=shown[0].number if len(shown) < len(rows) else None,
            is_latest=before is None,
            ranking=ranking.rows if ranking is not None else (),
            tell_points=season.round_points,
            tell_decimal=telling.decimal,
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
            for table in self.hub.board.list_tables()
        ]

    def _follow(self, request: HttpRequest) -> Response:
        if self.hub.viewers.is_full:
            raise Rejected(503)
        text = self.find_look(request).language

        def draw(name: str) -> str | None:
            with language.speaking(text):
                return self._draw_tile(name)

        only = request.query.get("table")
        return Response(kind=EVENTS, parts=self.hub.viewers.follow(draw, only=only))

    async def _take_message(self, request: HttpRequest) -> Response:
        topic = messages.read_topic(request.path[1:])
        if request.method == "GET":
            return self._give_own(request)
        if request.method != "PUT":
            raise Rejected(405, Allow="PUT")
        if topic is None or topic.club != self.hub.club:
            raise Rejected(404, _("This hub is of another club."))
        self._check_table(request, topic.table)
        if (
            request.headers.get("content-type", "").partition(";")[0] != JSON
            or request.read is None
        ):
            raise Rejected(415)
        body = await request.read()
        try:
            await self.hub.take(topic, body, by_http=True)
        except messages.MessageProblem as refusal:
            raise Rejected(422, str(refusal)) from None
        return data({"seen": self.hub.seen.get(topic.table)})

    def _give_own(self, request: HttpRequest) -> Response:
        levels = request.path.removeprefix(f"/{messages.name_hub(self.hub.club)}/").split("/")
        if levels == ["players"]:  # the wall names only those who play
            self._check_login(request, _read_login(request)[0])
        topic = self.hub.find_own(*levels)
        if topic is None:
            raise Rejected(404)
        return Response(200, topic, JSON)

    def _check_table(self, request: HttpRequest, table: str) -> None:
        """Reject whoever may not write for that table. Raises Rejected."""
        self._check_login(request, table)
        request.own(Owner(Trust.SEAT, f"table {table}"))
        self._check_session(table, request.headers.get("citadels-session", "")[:64])

    def _check_login(self, request: HttpRequest, table: str) -> None:
        """Reject whoever is not that table. Raises Rejected."""
        user, password = _read_login(request)
        if self._passwords is None:
            if not guard.is_loopback(request.address):
                raise Rejected(
                    401, _("Only tables on this computer may join: the club has no passwords yet.")
                )
        elif not self._passwords.check(user, password):
            raise Rejected(401, _("Wrong table or password."))
        elif user != table:
            raise Rejected(403, _("A table may only write about itself."))

    def _check_session(self, table: str, session: str) -> None:
        """Let the newest connection of a table speak for it, and no earlier one. Raises
        Rejected."""
        owner, names = self._sessions.setdefault(table, (session, deque(maxlen=MOST_GONE)))
        if session in names:
            raise Rejected(409)
        if session != owner:
            names.append(owner)
            self._sessions[table] = session, names

    # -- errors --------------------------------------------------------------------------------

    def _reject(self, request: HttpRequest, rejection: Rejected) -> Response:
        sentence = rejection.sentence or str(rejection.status)
        if request.path.startswith(("/api/", f"/{messages.ROOT}/")) or rejection.status >= 500:
            answer = data({"error": sentence}, rejection.status)
        else:
            answer = self.show(request, "problem", rejection.status, problem=sentence)
        answer.headers += rejection.headers.items()
        return answer


def _describe(result: LedgerResult) -> dict[str, Any]:
    players = result.score["players"]
    return {
        "number": result.number,
        "title": f"{result.table} · {result.game}",
        "note": result.note,
        "scores": [
            (name, facts.points(players[name]["total"])) for name in result.score["ranking"]
        ],
    }


def _read_login(request: HttpRequest) -> tuple[str, str]:
    """The name and password of HTTP's basic authentication; empty without one."""
    kind, _space, text = request.headers.get("authorization", "").partition(" ")
    try:
        plain = base64.b64decode(text, validate=True).decode() if kind.lower() == "basic" else ""
    except (binascii.Error, ValueError):
        return "", ""
    user, _colon, password = plain.partition(":")
    return user, password


@cache
def templates() -> Environment:
    """The club's templates, over those of the phones."""
    environment = pages.environment(HERE / "templates")
    environment.globals["static"] = _address
    return environment


@cache
def _files() -> dict[str, tuple[str, bytes]]:
    own = {
        path.name: (pages.KINDS[path.suffix], path.read_bytes())
        for path in (HERE / "static").iterdir()
        if path.suffix in pages.KINDS
    }
    return {**pages.files(), **own}


def _address(name: str) -> str:
    return f"/static/{name}?{zlib.crc32(_files()[name][1]):08x}"


def _send_file(name: str) -> Response:
    match = _files().get(name)
    if match is None:
        raise Rejected(404)
    kind, body = match
    return Response(kind=kind, body=body, headers=[("Cache-Control", "max-age=3600")])
