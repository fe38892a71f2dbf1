"""What concerns one player alone is said by no phone alone: the phones of who is murdered, who is
robbed, who has the crown and of anybody else say the same words."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from companion.phones.serving.pages import Look
from tests.serving import visits
from tests.serving.served import Served
from tests.serving.test_heard import SPY, hear
from tests.serving.visits import Visit

pytestmark = [pytest.mark.outer, pytest.mark.needs("Chromium")]

PLAYERS = ("Anna", "Kurt", "Ashley", "Ben", "Mia")
MOVES = (
    *("choose Anna assassin", "choose Kurt king", "choose Ashley thief", "choose Ben magician"),
    *("choose Mia warlord", "hand", "call", "reveal Anna", "gold", "kill magician", "end"),
    *("reveal Ashley", "gold", "rob king", "end", "nobody", "reveal Kurt"),
)
"""Each notes a card, Ben tells his hand and is murdered, Kurt is robbed."""


@pytest.mark.parametrize(
    ("secrecy", "crown"), [("secret", "Kurt"), ("secret", "Ben"), ("announced", "Ben")]
)
def test_no_phone_says_alone_what_concerns_its_player(
    browser: Browser, tmp_path: Path, secrecy: str, crown: str
) -> None:
    here = Served(tmp_path, players=list(PLAYERS), crown=crown, secrecy=secrecy)
    pages = {}
    here.play("faceup bishop")
    for name in ("Ben", "Kurt", "Mia"):
        page = pages[name] = browser.new_context().new_page()
        visits.open_page(page, here, Visit("alike", 1, "/seat", name), Look("en"))
        page.evaluate(SPY)
    for move in MOVES:
        if move == "hand":
            here.do(partial(here.talk.session.tell_hand, 3, "add", "docks"))
        else:
            here.play(move)
        said = {}
        for name, page in pages.items():
            words = " ".join(one for told in hear(here, page).values() for one in told)
            asked = page.evaluate("asked()")
            words = words.removesuffix(asked).strip()  # the crown's, which names the rank, too
            said[name] = re.sub(r" ?\d [A-Z][a-z]+\.$", "", words)
        assert len({*said.values()}) == 1, (move, said)
    for page in pages.values():
        page.context.close()
    here.close()
