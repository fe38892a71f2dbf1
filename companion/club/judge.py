"""The judge's page: who has called, results that wait for a decision, and corrections.

The judge shows the code that the hub printed; the browser then keeps a key until it is closed.
Every correction is shown with its reason wherever the result is.
"""

from __future__ import annotations

import hmac
import secrets
from typing import TYPE_CHECKING, Any

from companion.club import drawing, league, ledger
from companion.errors import UserError
from companion.files.clean import clean_text
from companion.language import _, translate
from companion.phones.serving import guard
from companion.phones.serving.guard import TooMany
from companion.phones.serving.messages import (
    HttpRequest,
    Rejected,
    RejectedLate,
    Response,
    see_other,
)

if TYPE_CHECKING:
    from companion.club.hub import ClubHub
    from companion.club.wall import Wall

COOKIE = "judge"
SECONDS = 0
"""How long a browser keeps the judge's key: until it is closed."""

MOST_POINTS = 999
LONGEST_REASON = 120
MOST_SHOWN = 50
"""The latest results that the judge can correct, and the oldest that wait for a decision; a page of
the standings has as many."""


class JudgeDesk:
    """The judge's desk at one hub."""

    def __init__(self, hub: ClubHub, code: str) -> None:
        """`code` lets the judge in."""
        self._hub, self._code = hub, code
        self._key = secrets.token_urlsafe(16)
        self._tries = guard.Tries()
        self._drawn: drawing.Drawn | None = None  # what the judge has drawn or changed last

    def show(
        self, wall: Wall, request: HttpRequest, status: int = 200, problem: str = ""
    ) -> Response:
        """The page, or the question for the code."""
        if not self._is_judge(request):
            return wall.show(request, "judge_code", status, problem=problem)
        results = self._hub.results
        return wall.show(
            request,
            "judge",
            status,
            problem=problem,
            seats=self._tell_seats(),
            players=league.list_everybody(last) if (last := self._hub.league.drawn) else (),
            is_live=True,
            calls=[(table.name, call) for table, call in self._hub.board.list_calls()],
            waiting=[_draw(one) for one in results if one.state == ledger.WAITING][:MOST_SHOWN],
            counted=[_draw(one) for one in reversed(results) if one.state == ledger.COUNTED][
                :MOST_SHOWN
            ],
            replaced=[_draw(one) for one in reversed(results) if one.state == ledger.REPLACED][
                :MOST_SHOWN
            ],
        )

    async def act(self, wall: Wall, request: HttpRequest) -> Response:
        """Do what the judge has asked for. Raises Rejected, and StoreError."""
        fields = await request.form()
        say = fields.get("say", "")
        if say == "enter":
            return self._enter(wall, request, fields.get("code", ""))
        if not self._is_judge(request):
            raise Rejected(403, _("Only the judge may do that."))
        reason = clean_text(fields.get("reason", ""), limit=LONGEST_REASON)
        number = read_number(fields.get("number", ""), 10**9)
        if say == "been":
            self._hub.board.close_calls(fields.get("table", ""))
        elif say in ("accept", "reject") and number is not None:
            await self._hub.decide(number, accept=say == "accept", note=reason)
        elif say == "correct" and number is not None:
            problem = await self._correct(number, fields, reason)
            if problem:
                return self.show(wall, request, 422, problem)
        elif say in ("draw", "again", "swap"):
            problem = await self._draw(say, fields)
            if problem:
                return self.show(wall, request, 422, problem)
        else:
            raise Rejected(400)
        return see_other("/judge")

    def _tell_seats(self) -> list[str]:
        """The last round, with what it repeats if the judge has just drawn it."""
        last = self._hub.league.drawn
        if self._drawn is not None and self._drawn.round == last:
            return drawing.tell(self._drawn)
        return drawing.tell_seats(last) if last is not None else []

    async def _draw(self, say: str, fields: dict[str, str]) -> str:
        """Draw a round or exchange two players; returns why that cannot be, "" if it can."""
        names = (clean_text(name) for name in fields.get("absent", "").split(","))
        choices = drawing.DrawOptions(
            absent=tuple(filter(None, names)), again=say == "again", anyway="anyway" in fields
        )
        try:
            if say == "swap":
                one, other = (clean_text(fields.get(field, "")) for field in ("one", "other"))
                self._drawn = await self._hub.swap_players(one, other)
            else:
                self._drawn = await self._hub.draw_round(choices)
        except UserError as error:
            return " ".join(map(translate, error.lines))
        return ""

    async def _correct(self, number: int, fields: dict[str, str], reason: str) -> str:
        """Correct a result; returns what is wrong with the form, "" for nothing."""
        result = next((one for one in self._hub.results if one.number == number), None)
        if result is None:
            return _("This result no longer counts.")
        if not reason:
            return _("Write why the result is corrected: everybody can read it.")
        totals: dict[str, int] = {}
        for place, name in enumerate(result.score["ranking"]):
            points = read_number(fields.get(f"points{place}", ""), MOST_POINTS)
            if points is None:
                return _("Points are a number from 0 to {most}.").format(most=MOST_POINTS)
            totals[name] = points
        if await self._hub.correct(number, totals, reason) is None:
            return _("This result no longer counts.")
        return ""

    def _enter(self, wall: Wall, request: HttpRequest, code: str) -> Response:
        try:
            is_right = self._tries.check(request.address, code, self._code)
        except TooMany:
            raise RejectedLate(429, _("Too many wrong codes; wait a minute.")) from None
        if not is_right:
            return self.show(wall, request, 403, _("Wrong code."))
        answer = see_other("/judge")
        answer.cookies[COOKIE] = self._key
        return answer

    def _is_judge(self, request: HttpRequest) -> bool:
        key = request.cookies.get(COOKIE, "")
        return hmac.compare_digest(key.encode(), self._key.encode())


def _draw(result: ledger.LedgerResult) -> dict[str, Any]:
    players = result.score["players"]
    return {
        "number": result.number,
        "title": f"{result.table} · {result.game}",
        "note": result.note,
        "scores": [(name, players[name]["total"]) for name in result.score["ranking"]],
    }


def read_number(text: str, most: int) -> int | None:
    """A number from 0 to `most`; None for anything else."""
    is_number = text.isascii() and text.isdecimal() and len(text) <= len(str(most))
    return int(text) if is_number and int(text) <= most else None
