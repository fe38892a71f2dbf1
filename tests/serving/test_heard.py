"""What a screen reader says by itself over a whole game: what a page puts into its live regions."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from common.sentences import Sentence
from companion.phones.serving.pages import Look
from companion.wording import story
from tests.serving import visits
from tests.serving.hosting import Hosting
from tests.serving.served import Served
from tests.serving.visits import Visit
from tests.waiting import wait_until

pytestmark = [pytest.mark.outer, pytest.mark.needs("Chromium")]

SPY = """window.said = [];
new MutationObserver((changes) => {
  for (const { target, addedNodes } of changes) {
    const region = target.closest("[role=alert], [role=status], [role=log], [aria-live]");
    for (const node of addedNodes) {
      const text = node.textContent.trim().replace(/\\s+/g, " ");
      if (region && text) window.said.push([region.id || region.parentNode.id, text]);
    }
  }
}).observe(document.body, { subtree: true, childList: true })"""
TAKE = "said.splice(0)"
ASKED = "[asked(), tell()[2] === asked() ? '' : tell()[2] ?? '']"
"""The question of this phone's player, and what is offered besides."""


def hear(here: Served, page: Page) -> dict[str, list[str]]:
    """What has been said since the last time, by region, once the page is up to date."""
    version = here.do(lambda: here.phones.table.version)
    expect(page.locator("#main")).to_have_attribute("data-version", str(version))
    wait_until(lambda: page.evaluate("!saying"))  # what changes within a moment is said together
    heard: dict[str, list[str]] = {}
    for region, text in page.evaluate(TAKE):
        heard.setdefault(region, []).append(text)
    return heard


def list_new(here: Served) -> list[str]:
    """What the last move has brought for everybody, in sentences."""

    def tell() -> list[str]:
        (moment,) = here.talk.session.moments(1)
        told = [one.text for one in story.list_sentences(*moment) if one.about != "round_begins"]
        return [] if moment[1].verb == "choose" else told  # who has chosen is shown, not told

    return here.do(tell)


HEADING = re.compile(r"Round \d\.|\d ·|\d [A-Z][a-z]+\.")


@pytest.mark.parametrize("player", visits.GAME.setup.players)
def test_every_new_fact_is_said_once_and_nothing_old(
    here: Served, phone: BrowserContext, player: str
) -> None:
    page = phone.new_page()
    here.play(*visits.MOVES[:1])
    visits.open_page(page, here, Visit("heard", 1, "/seat", player), Look("en"))
    page.evaluate(SPY)
    asked, offered = page.evaluate(ASKED)
    headings: list[str] = []
    for move in visits.MOVES[1:-1]:
        here.play(move)
        heard = hear(here, page)
        now, offers = page.evaluate(ASKED)
        calls = now and now != asked
        told = heard.pop("alert" if calls else "news", [])
        assert len(told) <= 1, move
        rest = "".join(told)
        if calls:
            assert rest.endswith(now), (move, told)
            rest = rest.removesuffix(now)
        for sentence in [*list_new(here), *([offers] if offers and offers != offered else [])]:
            assert rest.count(sentence) == 1, (move, told)
            rest = rest.replace(sentence, "", 1)
        rest = re.sub(r"The [A-Z][a-z]+ was murdered\.$", "", rest)  # a secret that has come out
        new = HEADING.findall(rest)
        assert HEADING.sub("", rest).split() == [], (move, told)
        if any(one.startswith("Round") for one in new):
            headings = []
        assert not {*new} & {*headings}, (move, told)
        headings += new
        assert heard == {}, move
        asked, offered = now, offers
    here.do(here.talk.session.undo)
    ((said,),) = hear(here, page).values()
    assert said.removesuffix(page.evaluate(ASKED)[0]).strip() == "The last move was undone."
    here.do(here.talk.session.redo)
    ((said,),) = hear(here, page).values()
    assert list_new(here)[0] in said


TURN: tuple[tuple[str, str, list[str]], ...] = (
    ("Rob a character", "Who do you rob?", []),
    ("King", "Gold or cards?", ["Ashley will rob the King."]),
    ("Take 2 gold", "Build or end?", ["Ashley takes 2 gold. 4 gold."]),
    ("Manor, 3", "Rank 3. Who is the Magician?", ["Ashley builds the Manor for 3 gold. 1 gold."]),
)
"""Each touch of a turn, the question that then has the focus, and what is said besides."""


@pytest.mark.parametrize("engine", ["focuses what is touched", "does not"])
def test_one_s_own_turn_is_said_once(here: Served, phone: BrowserContext, engine: str) -> None:
    page = phone.new_page()
    here.play(*visits.MOVES[:4])
    visits.open_page(page, here, Visit("ashley", 4, "/seat", "Ashley"), Look("en"))
    page.evaluate(SPY)
    if engine == "does not":
        page.evaluate("addEventListener('mousedown', (event) => event.preventDefault())")
    question = page.locator("#question")
    for row, asked, told in TURN:
        page.evaluate("document.activeElement.blur()")
        page.get_by_role("button", name=row).first.click()
        expect(question).to_contain_text(asked)
        expect(question).to_be_focused()  # which says it
        assert hear(here, page) == ({"news": told} if told else {}), row


ALL_BUT_BEN = [
    "nobody",
    *(one for who in ("Ashley", "Anna", "Kurt") for one in (f"reveal {who}", "gold", "end")),
    *("nobody", "reveal Ben", "gold", "bonus"),
]


def test_what_ends_a_turn_is_said_before_what_comes_of_it(
    here: Served, phone: BrowserContext
) -> None:
    page = phone.new_page()
    here.play(*visits.MOVES[:2], *ALL_BUT_BEN)
    visits.open_page(page, here, Visit("ending", 2, "/seat", "Ben"), Look("en"))
    page.evaluate(SPY)
    question = page.locator("#question")
    page.get_by_role("button", name="Manor, 3").first.click()
    expect(question).to_have_text("Kurt. Discard 2 characters face up.")
    expect(question).to_be_focused()  # which says it
    # not that the Architect is face up, and the Warlord nobody's, when all have shown themselves
    assert hear(here, page) == {"news": ["Ben builds the Manor for 3 gold. 2 gold. Round 2."]}


def test_a_call_names_its_rank_once(here: Served, phone: BrowserContext) -> None:
    page = phone.new_page()
    here.play(*visits.MOVES[:2])
    visits.open_page(page, here, Visit("called", 2, "/seat", "Kurt"), Look("en"))
    page.evaluate(SPY)
    here.play("nobody")
    said = "1 · The Assassin is face up. Rank 2. Who is the Thief?"
    assert hear(here, page) == {"alert": [said]}


def test_what_is_announced_is_heard_and_the_next_move_too(
    here: Served, phone: BrowserContext
) -> None:
    page = phone.new_page()
    here.play(*visits.MOVES[:4])
    visits.open_page(page, here, Visit("announced", 4, "/table", "visitor"), Look("de"))
    page.evaluate(SPY)
    waiting = Sentence("Waiting for {names}.", names="Ashley")
    here.do(lambda: here.talk.session.announce(waiting))
    expect(page.locator("#told-lines")).to_contain_text("Es fehlen noch: Ashley.")
    assert hear(here, page) == {"news": ["Es fehlen noch: Ashley."]}
    here.play("rob bishop")
    (said,) = hear(here, page).values()
    assert "Ashley" in said[0]
    assert "zurückgenommen" not in said[0]


def test_what_is_announced_in_the_same_words_is_heard_again(
    here: Served, phone: BrowserContext
) -> None:
    page = phone.new_page()
    here.play(visits.MOVES[0])
    visits.open_page(page, here, Visit("again", 1, "/table", "visitor"), Look("en"))
    page.evaluate(SPY)
    here.play("choose Anna king")  # which is not told
    hear(here, page)
    for _ in range(2):
        here.do(lambda: here.talk.session.announce("Waiting for Ben."))
        wait_until(lambda: page.evaluate("said.length"))
        assert hear(here, page) == {"news": ["Waiting for Ben."]}


def test_what_follows_quickly_takes_no_word_away(here: Served, phone: BrowserContext) -> None:
    page = phone.new_page()
    here.play(*visits.MOVES[:4])
    page.clock.install()
    visits.open_page(page, here, Visit("quick", 4, "/seat", "Kurt"), Look("en"))
    page.clock.pause_at(page.evaluate("Date.now() + 10_000"))
    page.evaluate(SPY)

    def play(*moves: str) -> None:
        for move in moves:
            here.play(move)
            version = here.do(lambda: here.phones.table.version)
            expect(page.locator("#main")).to_have_attribute("data-version", str(version))

    play("rob bishop", "gold")
    page.clock.run_for(1000)
    assert page.evaluate(TAKE) == [["news", "Ashley will rob the Bishop. Ashley takes 2 gold."]]
    play("build castle")
    page.clock.run_for(1000)
    expect(page.locator("#news")).to_contain_text("Ashley takes 2 gold.")  # for a slow reader
    assert page.evaluate(TAKE) == [["news", "Ashley builds the Castle for 4 gold."]]
    play("end", "nobody")
    page.clock.run_for(1000)
    ((region, said),) = page.evaluate(TAKE)
    assert region == "alert"  # which would silence what is polite just before it
    assert "Nobody is the Magician." in said
    here.do(here.talk.session.undo)
    play("reveal Anna")
    page.clock.run_for(1000)
    # nobody's move too: it had played itself
    assert page.evaluate(TAKE) == [["news", "The last move was undone. Anna is the Magician."]]


def test_notes_that_push_all_that_happened_off_the_page_are_no_undo(
    here: Served, phone: BrowserContext
) -> None:
    page = phone.new_page()
    here.play(visits.MOVES[0])
    visits.open_page(page, here, Visit("noted", 1, "/seat", "Ben"), Look("en"))
    page.evaluate(SPY)
    notes = [f"choose {name} {card}" for card in ("king", "thief") for name in ("Anna", "Kurt")]
    here.play(*notes * 3)
    assert hear(here, page) == {}
    expect(page.locator("#told-lines p")).to_have_count(0)
    here.do(here.talk.session.undo)
    expect(page.locator("#told-lines p")).not_to_have_count(0)
    assert hear(here, page) == {}
    here.play("choose Kurt thief", "call")
    ((said,),) = hear(here, page).values()
    assert said.startswith("Everybody has chosen.")


LANDS = """window.lands = [];
addEventListener("click", ({ target }) => { window.touched = target.closest("button"); }, true);
new MutationObserver((changes) => {
  for (const { target, removedNodes } of changes)
    if ([...removedNodes].some((node) => node.contains(window.touched))) {
      const words = document.createTreeWalker(target, NodeFilter.SHOW_TEXT,
        (node) => node.data.trim() && node.parentNode.checkVisibility()
          ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_SKIP);
      window.lands.push(words.nextNode()?.parentNode.id ?? "");
    }
}).observe(document.body, { subtree: true, childList: true })"""
"""A script: where Orca goes, in silence, when the button that was touched is removed: to the first
text of what it was removed from. A focus that comes there afterwards is no news to it."""


def test_the_question_after_a_turn_is_not_where_a_reader_already_is(
    here: Served, phone: BrowserContext
) -> None:
    page = phone.new_page()
    here.play(*visits.MOVES[:2], *["nobody"] * 7, "reveal Ben")
    visits.open_page(page, here, Visit("closing", 10, "/seat", "Ben"), Look("en"))
    page.evaluate(LANDS)
    question = page.locator("#question")
    for row, asked in (
        ("Take 2 gold", "Build or end?"),
        ("End the turn", "Discard 2 characters face up."),
    ):
        page.get_by_role("button", name=row).first.click()
        expect(question).to_contain_text(asked)
        expect(question).to_be_focused()
        lands = page.evaluate("lands.splice(0)")
        assert lands, row
        assert "question" not in lands, row


def test_the_set_up_and_the_begin_of_a_game_are_said(phone: BrowserContext) -> None:
    page = phone.new_page()
    with Hosting(new=False) as host:

        def join(name: str) -> str:
            key: str = host.ask("api/join", code=host.code, name=name)[1]["key"]
            return key

        anna = join("Anna")
        page.goto(f"{host.url}#{host.code}")
        page.get_by_label("Your name").fill("Ben")
        page.get_by_role("button", name="Take a chair").click()
        page.wait_for_url("**/seat")
        page.evaluate(SPY)
        join("Kurt")
        expect(page.locator("#count")).to_have_text("3 of 3 phones")
        host.ask("api/moves", anna, move="crown Anna")
        expect(page.locator("#first-crown")).to_have_text("First crown: Anna.")
        join("Ashley")
        expect(page.locator("#count")).to_have_text("4 of 4 phones")
        assert page.evaluate(TAKE) == [
            ["count", "3 of 3 phones"],
            ["first-crown", "First crown: Anna."],
            ["count", "4 of 4 phones"],
        ]
        host.ask("api/moves", anna, move="start")
        expect(page.locator("#question")).to_be_focused()  # which says it
        expect(page.locator("#question")).to_have_text("Anna. Discard 2 characters face up.")
        wait_until(lambda: page.evaluate("!saying"))
        assert page.evaluate(TAKE) == [["news", "Round 1."]]  # the page was not loaded anew
