"""What extensions show on the phones' pages below the scores."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion import errors, extending

if TYPE_CHECKING:
    from companion.phones.page import Page
    from companion.phones.serving.site import Site


class Link(NamedTuple):
    """A link. A picture is saved under the name `download`, or shared together with the text at the
    address `text`."""

    label: str
    url: str
    download: str = ""
    text: str = ""


class Ending(NamedTuple):
    """Sentences and links below the scores."""

    lines: tuple[str, ...] = ()
    links: tuple[Link, ...] = ()


async def look_at_end(site: Site, page: Page, code: str) -> Ending:
    """What that page shows once every part of the scores has been told."""
    if page.end is None:
        return Ending()
    return await site.kept.get(("ending", code), site.table.version, lambda: _tell(site, code))


async def _tell(site: Site, code: str) -> Ending:
    endings = []
    for tell in extending.gather(lambda extension: [extension.tell_end]):
        try:
            endings.append(await tell(site, code) or Ending())
        except Exception as error:  # the scores are shown without it
            errors.tell(error)
    lines = tuple(line for ending in endings for line in ending.lines)
    return Ending(lines, tuple(link for ending in endings for link in ending.links))
