"""Request dispatch: access checks, rate limit, handlers, security headers."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable

from starlette.responses import Response

from companion import errors, language
from companion.language import _, translate
from companion.log import StoreError
from companion.phones.serving import api, guard, http_messages, lobby_pages, pages, room, tapping
from companion.phones.serving.guard import LONGEST_WAIT, RateLimit, RejectionCounter
from companion.phones.serving.http_messages import HttpRequest, Rejected, RejectedLate
from companion.phones.serving.pages import Look
from companion.phones.serving.site import Site
from companion.phones.serving.where import Where

Handler = Callable[["Site", HttpRequest], Awaitable[Response]]

ROUTES: dict[str, dict[str, Handler]] = {
    **{path: {"GET": handler} for path, handler in pages.list_brought().items()},
    # after those of extensions, which replace none of these
    "/": {"GET": room.enter},
    "/enter": {"POST": room.take_code},
    "/sit": {"POST": room.sit},
    "/seat": {"GET": room.seat, "POST": room.act},
    "/hand": {"POST": api.act},
    "/free": {"POST": room.free},
    "/leave": {"POST": room.leave},
    "/table": {"GET": room.table},
    "/card/": {"GET": room.card},
    "/t/": {"GET": tapping.show, "POST": tapping.tap},
    "/look": {"GET": room.look, "POST": room.change_look},
    "/static/": {"GET": room.static},
    "/api/join": {"POST": api.join},
    "/api/leave": {"POST": api.leave},
    "/api/table": {"GET": api.table},
    "/api/seat": {"GET": api.seat},
    "/api/moves": {"POST": api.moves},
    "/api/taps": {"POST": api.taps},
    "/api/hand": {"GET": api.show, "POST": api.change},
    "/api/events": {"GET": api.events},
}
"""Handlers by path and method. A path that ends with a slash takes one more segment."""

IN_LOBBY: dict[str, dict[str, Handler]] = {
    **{path: dict.fromkeys(methods, lobby_pages.nothing_yet) for path, methods in ROUTES.items()},
    **{
        path: ROUTES[path]
        for path in (
            *("/", "/enter", "/sit", "/free", "/leave", "/look", "/static/"),
            *("/api/join", "/api/leave", "/api/table", "/api/seat", "/api/events"),
        )
    },
    "/seat": {"GET": lobby_pages.seat, "POST": lobby_pages.act},
    "/table": {"GET": lobby_pages.table},
    "/api/moves": {"POST": lobby_pages.moves},
}
"""The same while a game is being set up: pages and requests about a game say that there is none."""

HARMLESS = (401, 404, 405)
"""Errors that the table's own programs and browsers get too; not reported."""

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self'; media-src blob:; connect-src 'self'; manifest-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'",
    # with "no-referrer", browsers also hide which page a form comes from
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}
"""For every response that does not set its own."""


class Application(ABC):
    """What answers at one address, in the language of who asks."""

    def __init__(self, where: Where) -> None:
        self.where = where

    @abstractmethod
    def find_look(self, request: HttpRequest) -> Look:
        """The display settings of who asks."""

    @abstractmethod
    async def handle(self, request: HttpRequest) -> Response:
        """The response to a request. Raises Rejected and StoreError."""

    @abstractmethod
    def show_problem(self, request: HttpRequest, status: int, sentence: str) -> Response:
        """The page of an error."""

    def reject(self, request: HttpRequest, rejection: Rejected) -> Response:
        """The error response: a page or, for a program, JSON."""
        sentence = rejection.sentence or _sentence(rejection.status)
        if request.path.startswith("/api/"):
            answer = http_messages.data({"error": sentence}, rejection.status)
        elif rejection.status == 421:
            answer = http_messages.lead_to(self.where.url, sentence)
        elif rejection.status in (503, 500):
            answer = http_messages.text(rejection.status, sentence)
        else:
            answer = self.show_problem(request, rejection.status, sentence)
        answer.headers.update(rejection.headers)
        return answer

    def check_origin(self, request: HttpRequest) -> None:
        """Reject a request under a name that is not ours, or from a page of another site. Raises
        Rejected."""
        if not self.where.is_ours(request.host):
            raise Rejected(421, _("This page has another address."))
        headers = request.headers
        origin = headers.get("origin")
        foreign = origin is not None and not guard.origin_is_ours(
            origin, request.host, secure=self.where.tls is not None
        )
        if headers.get("sec-fetch-site") in ("cross-site", "same-site"):
            foreign |= headers.get("sec-fetch-mode") != "navigate" or request.method != "GET"
        # a program sends no origin; no page can send JSON to another site
        if request.method == "POST" and origin is None and not request.path.startswith("/api/"):
            foreign = True
        if foreign:
            raise Rejected(403, _("Only pages from here may do that."))

    async def answer(self, request: HttpRequest) -> Response:
        """The response to a request; exceptions become error responses."""
        request.port = self.where.port
        with language.speaking(self.find_look(request).language):
            try:
                answer = await self.handle(request)
            except Rejected as failure:
                if isinstance(failure, RejectedLate):
                    await asyncio.sleep(LONGEST_WAIT)
                answer = self.reject(request, failure)
            except StoreError as error:
                answer = self.reject(request, Rejected(503, translate(str(error))))
            except Exception as error:  # a bug
                errors.tell(error)
                answer = self.reject(request, Rejected(500))
        for name, value in HEADERS.items():
            answer.headers.setdefault(name, value)
        if not request.path.startswith("/api/"):
            # a phone that was asleep would ask on a connection that has died meanwhile
            answer.headers["Connection"] = "close"
        return answer


class Web(Application):
    """Handles requests for one site."""

    def __init__(
        self, site: Site, rejections: RejectionCounter, rate_limit: RateLimit | None = None
    ) -> None:
        super().__init__(site.where)
        self._site = site
        self._rejections = rejections
        self._rate_limit = rate_limit or RateLimit()

    def find_look(self, request: HttpRequest) -> Look:
        return self._site.find_look(request)

    async def handle(self, request: HttpRequest) -> Response:
        await self._wait(request)
        self.check_origin(request)
        await self._site.welcome(request)
        return await self._find_handler(request)(self._site, request)

    async def _wait(self, request: HttpRequest) -> None:
        """Wait for the request's turn. Raises Rejected if the client sends too many."""
        owner = self._site.find_owner(request)
        request.own(owner)
        wait = self._rate_limit.reserve(owner)
        if wait is None:
            raise RejectedLate(429, _("Too many requests; wait a moment."), **{"Retry-After": "2"})
        await asyncio.sleep(wait)

    def _find_handler(self, request: HttpRequest) -> Handler:
        path = request.path
        head, slash, word = path.rpartition("/")
        key = path if path in ROUTES else head + slash if head and word else ""
        routes = ROUTES if self._site.lobby is None else IN_LOBBY
        methods = routes.get(key)
        if methods is None:
            raise Rejected(404, _("There is no such page."))
        handler = methods.get("GET" if request.method == "HEAD" else request.method)
        if handler is None:
            raise Rejected(405, _("That cannot be done here."), Allow=", ".join(methods))
        return handler

    def reject(self, request: HttpRequest, rejection: Rejected) -> Response:
        """The same, counted."""
        if rejection.status not in HARMLESS:
            self._rejections.add()
        return super().reject(request, rejection)

    def show_problem(self, request: HttpRequest, status: int, sentence: str) -> Response:
        look = self._site.find_look(request)
        return pages.show(self.where, look, "problem", status, problem=sentence)


def _sentence(status: int) -> str:
    return {
        408: _("The request took too long."),
        413: _("That is too long."),
        500: _("Something went wrong. The game is saved."),
        503: _("The table is not answering; try again in a moment."),
    }.get(status, _("This request cannot be understood."))
