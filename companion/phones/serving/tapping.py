"""A chip's link: its page says what a tap would do, and one touch does it, once.

Opening the page changes nothing, since browsers prefetch pages and messengers open links for
previews. With the script and a seat's cookie, the page sends the touch without waiting for one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.responses import Response

from companion import language
from companion.chips import ndef
from companion.chips.entries import DistrictChip, Entry
from companion.language import _, translate
from companion.phones.serving import http_messages, pages
from companion.phones.serving.guard import Opening
from companion.phones.serving.http_messages import HttpRequest, Rejected
from tags.links import format_uid, parse_uid
from tags.presence import moment

if TYPE_CHECKING:
    from companion.phones.serving.site import Site

BY_HAND = "?shown"
"""Query of a page that waits for a touch even with the script."""

_AGAIN = "?again"


async def show(site: Site, request: HttpRequest) -> Response:
    """Show a guest with a seat what the chip is and what a tap would do."""
    uid, guest, look = _uid(request), site.find_guest(request), site.find_look(request)
    place = f"/t/{format_uid(uid)}"
    if not guest.may_look:
        page = pages.show(site.where, look, "enter", problem="", to=place)
        return _reload_once(request, page, place)

    title, lines, is_known, (adds, waits) = await site.desk.ask(
        lambda: _tell(site, guest.seat, uid, look.language)
    )
    opening = None
    if is_known and guest.seat is not None:
        opening = site.openings.add(guest.seat, Opening(uid, lines))
    return pages.show(
        site.where,
        look,
        "chip",
        place=place,
        title=title,
        lines=lines,
        opening=opening,
        seated=guest.seat is not None,
        once="shown" not in request.query_params and not waits,
        adds=adds,
        token=guest.token,
    )


async def tap(site: Site, request: HttpRequest) -> Response:
    """Tap the chip on the seat's own reader, as its page announced. A used page does nothing; one
    whose announcement is out of date is shown again."""
    at = moment()
    uid, code = _uid(request), site.find_look(request).language
    guest, fields = await site.find_sender(request)
    assert guest.seat is not None
    opening = site.openings.use(guest.seat, fields.get("opening", ""))
    if opening is None or opening.uid != uid:
        return http_messages.see_other("/seat")

    def make(seat: int) -> bool:
        _title, lines, is_known, (adds, _waits) = _tell(site, seat, uid, code)
        entry = ndef.find_entry(uid, site.table.lookup) if is_known else None
        if entry is None or lines != opening.told:
            return False
        site.table.touching.add(seat)
        if "add" in fields and adds and isinstance(entry, DistrictChip):
            site.table.tell_typed(seat, entry.card, code)
        else:
            touch(site, seat, entry, uid, code, at)
        return True

    is_made = await site.act(guest, make)
    return http_messages.see_other("/seat" if is_made else f"/t/{format_uid(uid)}{BY_HAND}")


def touch(site: Site, seat: int, entry: Entry, uid: bytes, code: str, at: float) -> tuple[str, ...]:
    """Tap the chip at that seat's own reader unless it was not meant; returns what is said.

    `at` is when the phone reported it (`tags.presence.moment`). Call it in the game's thread.
    Raises NotYours as the table does.
    """
    with language.speaking(code):
        reason = site.gate.reject(seat, uid, at)
    return site.table.tap(seat, entry, uid, code) if reason is None else (reason,)


def touch_in_the_middle(site: Site, entry: Entry, uid: bytes, at: float) -> tuple[str, ...]:
    """The same at the table's own reader."""
    reason = site.gate.reject(None, uid, at)
    return site.table.tap_in_the_middle(entry, uid) if reason is None else (reason,)


def _tell(
    site: Site, seat: int | None, uid: bytes, code: str
) -> tuple[str, tuple[str, ...], bool, tuple[bool, bool]]:
    """What the chip is, what a tap would do, whether this table knows the chip, and whether it
    could be told as a card of the hand (`PhoneTable.offers_adding`); in the game's thread."""
    with language.speaking(code):
        try:
            entry = ndef.find_entry(uid, site.table.lookup)
        except ValueError as error:
            return _("A chip"), (str(error),), False, (False, False)
        title = entry.describe(site.players)
        lines = site.table.describe_tap(seat, entry, code)
        offers = (False, False) if seat is None else site.table.offers_adding(seat, entry)
    return title[:1].upper() + title[1:], tuple(lines), True, offers


def _reload_once(request: HttpRequest, answer: Response, place: str) -> Response:
    """The page, set to reload once if the browser sent none of our cookies: a link opened from
    another program may count as cross-site, where strict cookies are not sent."""
    if not request.cookies and "again" not in request.query_params:
        answer.headers["Refresh"] = f"0; url={place}{_AGAIN}"
    return answer


def _uid(request: HttpRequest) -> bytes:
    """The chip's id in the link. Raises Rejected."""
    try:
        return parse_uid(request.path.rpartition("/")[2])
    except ValueError as error:
        raise Rejected(404, translate(str(error))) from None
