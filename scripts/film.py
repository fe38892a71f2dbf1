"""Film a moment of a game, for the README: a card is tapped, the call changes, a phone lights up.

    python scripts/film.py [FILE]     # docs/img/evening.webp

Needs Chromium and Pillow (the extra `labels` brings it). The caller, its reader and its phones are
the real ones: the screen is the caller's own, taps go through the emulated reader and its driver,
and two phones are tabs of the browser.
"""

from __future__ import annotations

import asyncio
import base64
import io
import os
import re
import sys
import tempfile
from html import escape
from pathlib import Path
from typing import NamedTuple

TOP = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TOP))

from PIL import Image  # noqa: E402
from playwright.async_api import Browser, Page, async_playwright  # noqa: E402

from companion.phones.serving import where  # noqa: E402
from companion.phones.serving.messages import name_cookie  # noqa: E402
from companion.phones.serving.pages import Look  # noqa: E402
from companion.phones.serving.site import LOOK, SEAT  # noqa: E402
from tests.app.driving import Driver, start_table  # noqa: E402
from tests.serving.browsing import PROGRAM  # noqa: E402
from tests.serving.hosting import ask  # noqa: E402

PLAYERS = ("Anna", "Kurt", "Ashley", "Ben")
WITH_PHONES = ("Ashley", "Kurt")
WIDTH, HEIGHT = 960, 560  # of a frame, in pixels
PHONE = (390, 780)  # of a phone's page
QUALITY = 60

STAGE = """
<style>
  body {{ margin: 0; background: #1b2030; color: #f3efe4;
    font: 20px "Open Sans", "DejaVu Sans", sans-serif; }}
  div, img {{ position: absolute; }}
  #words {{ left: 24px; top: 16px; right: 24px; font-size: 24px; }}
  #screen {{ left: 24px; top: 64px; width: 524px; border-radius: 8px; }}
  .phone {{ top: 64px; width: 186px; height: 372px; border-radius: 16px; border: 4px solid #000;
    box-shadow: 0 0 0 2px #555c70; }}
  .name {{ top: 448px; width: 194px; text-align: center; font-size: 18px; }}
  .one {{ left: 564px; }}
  .two {{ left: 758px; }}
  #reader {{ left: 210px; top: 486px; width: 150px; height: 50px; border-radius: 12px;
    background: #39415a; text-align: center; line-height: 50px; font-size: 22px; }}
  #card {{ left: {left}px; top: {top}px; width: 96px; height: 62px; border-radius: 8px;
    background: #f3efe4; color: #1b2030; text-align: center; line-height: 62px;
    font-size: 17px; font-weight: bold; box-shadow: 0 3px 8px #000a; }}
  #reader.lit {{ background: #c8973a; }}
</style>
<div id="words">{words}</div>
<img id="screen" src="{screen}">
<img class="phone one" src="{one}"><div class="name one">{first}</div>
<img class="phone two" src="{two}"><div class="name two">{second}</div>
<div id="reader" class="{lit}">)))</div>
{card}
"""


class Frame(NamedTuple):
    """A picture, and for how many milliseconds it is shown."""

    picture: Image.Image
    milliseconds: int


class Film:
    """The screen, two phones and a reader, photographed after each thing that happens."""

    def __init__(self, table: Driver, stage: Page, phones: dict[str, Page]) -> None:
        self.table, self.stage, self.phones = table, stage, phones
        self.frames: list[Frame] = []
        self.pictures: dict[str, str] = {}

    async def look(self) -> None:
        """Take what the screen and the phones show now."""
        await self.table.settle()
        svg = self.table.app.export_screenshot()
        self.pictures["screen"] = _embed(svg.encode(), "svg+xml")
        for name, page in self.phones.items():
            await page.wait_for_timeout(500)  # what has happened reaches the phone
            await page.wait_for_selector("main:not([aria-busy])")
            self.pictures[name] = _embed(await page.screenshot(), "png")

    async def show(self, words: str, seconds: float, card: str = "", place: str = "") -> None:
        """Add a frame; a card is `above` the reader or on it."""
        left, top = {"above": (390, 478), "": (237, 480)}[place]
        one, two = WITH_PHONES
        html = STAGE.format(
            words=escape(words),
            screen=self.pictures["screen"],
            one=self.pictures[one],
            two=self.pictures[two],
            first=one,
            second=two,
            left=left,
            top=top,
            lit="lit" if card and not place else "",
            card=f'<div id="card">{escape(card.title())}</div>' if card else "",
        )
        await self.stage.set_content(html)
        picture = Image.open(io.BytesIO(await self.stage.screenshot())).convert("RGB")
        self.frames.append(Frame(picture, round(1000 * seconds)))

    async def tap(self, card: str, words: str, seconds: float = 2.2) -> None:
        """Tap a card: it lies beside the reader, then on it, then the table has changed."""
        before = words.partition("|")[0]
        await self.show(before, 1.2, card, "above")
        await self.table.tap(card)
        await self.look()
        await self.show(words.partition("|")[2] or before, seconds, card)

    async def touch(self, name: str, button: str, words: str, seconds: float = 2.6) -> None:
        """Press a button of that player's phone."""
        await self.phones[name].get_by_role("button", name=button).first.click()
        await self.look()
        await self.show(words, seconds)

    def save(self, file: Path) -> None:
        """Write the film as an animated WebP, which repeats."""
        first, *rest = (frame.picture for frame in self.frames)
        times = [frame.milliseconds for frame in self.frames]
        first.save(
            file,
            save_all=True,
            append_images=rest,
            duration=times,
            loop=0,
            quality=QUALITY,
            method=6,
        )
        print(f"{file}: {sum(times) / 1000:.0f} s, {file.stat().st_size // 1000} kB")


def _embed(data: bytes, kind: str) -> str:
    return f"data:image/{kind};base64,{base64.b64encode(data).decode()}"


async def open_phone(browser: Browser, url: str, key: str, port: int) -> Page:
    """A phone with that seat's key."""
    width, height = PHONE
    context = await browser.new_context(
        viewport={"width": width, "height": height}, reduced_motion="reduce"
    )
    cookies = {SEAT: key, LOOK: Look("en", theme="light").cookie()}
    await context.add_cookies(
        [{"name": name_cookie(name, port), "value": v, "url": url} for name, v in cookies.items()]
    )
    page = await context.new_page()
    await page.goto(f"{url}seat")
    return page


async def play(film: Film) -> None:
    """What happens in the film."""
    await film.look()
    await film.show("Four players, their own cards, and a companion.", 3)
    await film.tap("crown", "Everybody has chosen: the crown calls.|Rank 1. Nobody answers.")
    await film.tap("crown", "Nobody is the Assassin.|Rank 2: who is the Thief?")
    await film.tap("Ashley", "Ashley's token: that's me.|Her phone lights up.", 3)
    await film.tap("bishop", "She robs the Bishop: tap the card.")
    await film.touch("Ashley", "Take 2 gold", "She takes her gold on the phone.")
    await film.tap("market", "She builds: tap the district.|The Market is in her city.", 2.6)
    for name in ("Magician", "King"):
        await film.tap("crown", f"Nobody is the {name}.", 1.2)
    await film.show("Rank 5: Kurt is called.", 2.4)
    await film.tap("Kurt", "Kurt's token on the reader.|The Thief takes all his gold.", 4)


async def main(file: Path) -> None:
    """Film it."""
    here = where.find("127.0.0.1", 0)
    moves = ["faceup architect warlord"]
    table = start_table(
        PLAYERS, crown="Kurt", moves=moves, reader="simulated", size=(80, 24), where=here
    )
    async with async_playwright() as playwright, table as driver:
        browser = await playwright.chromium.launch(executable_path=PROGRAM, args=["--no-sandbox"])
        await driver.wait_until(lambda: "Ctrl+F" in driver.text(), "letting phones in", rest=False)
        await driver.keys("ctrl+f")
        code = re.findall(r"Code: (\S+)", driver.text())[0]
        await driver.keys("escape")
        phones = {}
        for name in WITH_PHONES:
            seat = PLAYERS.index(name) + 1
            _status, text = await asyncio.to_thread(
                ask, f"{here.url}api/join", code=code, seat=seat
            )
            phones[name] = await open_phone(browser, here.url, text["key"], here.port)
        stage = await browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        film = Film(driver, stage, phones)
        await play(film)
        await browser.close()
    film.save(file)


if __name__ == "__main__":
    name = sys.argv[1] if len(sys.argv) > 1 else TOP / "docs" / "img" / "evening.webp"
    with tempfile.TemporaryDirectory() as folder:
        os.environ["COMPANION_DATA"] = folder
        asyncio.run(main(Path(name)))
