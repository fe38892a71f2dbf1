"""A turn in Chromium with only the keyboard, by screen reader, without scripts, and after a phone's
sleep."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from companion import chips
from companion.chips.entries import DistrictChip
from companion.chips.registry import Registry
from companion.phones.serving.pages import Look
from tests.serving import browsing, visits
from tests.serving.served import Served
from tests.serving.visits import Visit, settle
from tests.waiting import wait_until

pytestmark = pytest.mark.outer

TURN = 4  # moves before Ashley's first turn: the Thief
HEARS = """
new Promise((done) => {
  const look = () => (stream.readyState === EventSource.OPEN ? done(line) : setTimeout(look, 20));
  look();
})
"""
KEPT = """
(wanted) => new Promise((done) => {
  const look = () => (!!wake && !wake.released) === wanted ? done() : setTimeout(look, 20);
  look();
})
"""
"""Wait until the screen is kept awake, or no longer."""

FILMED = """
(wanted) => new Promise((done) => {
  const runs = () => film.loop && !film.muted && !film.paused && film.currentTime > 0;
  const look = () => (film?.src && runs() === wanted ? done() : setTimeout(look, 20));
  look();
})
"""
"""Wait until the silent film is there, and runs or not."""

HEARD = Path(__file__).with_name("turn_heard.txt")


@pytest.fixture
def ashley(here: Served, phone: BrowserContext) -> Page:
    """Ashley's phone, before anybody is called."""
    page = phone.new_page()
    here.play(*visits.MOVES[:1])
    visits.open_page(page, here, Visit("ashley", 1, "/seat", "Ashley"), Look("en"))
    return page


def play_on(here: Served, page: Page, until: int) -> None:
    """Play the demonstration up to that move; the page shows each before the next is played.

    Moves that follow at once may reach the page in one step or in several, and what it says then
    differs.
    """
    for move in visits.MOVES[here.do(lambda: len(here.talk.session.referee.moves)) : until]:
        here.play(move)
        version = here.do(lambda: here.phones.table.version)
        expect(page.locator("#main")).to_have_attribute("data-version", str(version))
        wait_until(lambda: page.evaluate("!saying"))


def press_until(page: Page, key: str, there: Callable[[], bool]) -> None:
    """Press that key until `there()` is true, at most a hundred times."""
    for _ in range(100):
        if there():
            return
        page.keyboard.press(key)
    raise AssertionError(page.evaluate("document.activeElement.outerHTML"))


def focused(page: Page) -> str:
    text: str = page.evaluate("document.activeElement.textContent.trim()")
    return text


def test_a_turn_by_keyboard_alone(here: Served, ashley: Page) -> None:
    play_on(here, ashley, TURN)
    ashley.keyboard.press("Tab")
    assert focused(ashley) == "Skip to the content"
    ashley.keyboard.press("Enter")
    for row in ("Rob a character", "King", "Take 2 gold", "End the turn"):
        press_until(ashley, "Tab", lambda row=row: focused(ashley).endswith(row))  # type: ignore[misc]  # mypy knows no such default
        ashley.keyboard.press("Enter")
        settle(ashley)
        assert ashley.evaluate("document.activeElement.matches('#question')")
    assert [move.text for move in here.talk.session.referee.moves[TURN:]] == [
        "rob king",
        "gold",
        "end",
    ]


def test_what_a_screen_reader_finds_through_a_turn(here: Served, ashley: Page) -> None:
    moments = []

    def hear(moment: str) -> None:
        settle(ashley)
        wait_until(lambda: ashley.evaluate("!saying"))
        moments.append(f"# {moment}\n\n{ashley.locator('body').aria_snapshot()}\n")

    hear("waiting")
    play_on(here, ashley, TURN)
    hear("called")
    for row in ("Rob a character", "King", "Take 2 gold"):
        ashley.get_by_role("button", name=row).click()
        hear(row)
    heard = "\n".join(moments).replace(here.where.url, "http://table/")
    if os.environ.get("WRITE_HEARD"):
        HEARD.write_text(heard, "utf-8")
    assert heard == HEARD.read_text("utf-8"), "write it again with WRITE_HEARD=1 and read it"


RUNG = """
const start = OscillatorNode.prototype.start;
window.rung = 0;
OscillatorNode.prototype.start = function () { rung++; start.call(this); };
"""


def test_a_sound_for_one_s_turn_is_turned_on_by_a_touch(here: Served, ashley: Page) -> None:
    ashley.add_init_script(RUNG)
    ashley.reload()
    box, alert = ashley.get_by_label("A sound when it is your turn"), ashley.get_by_role("alert")
    expect(box).not_to_be_checked()
    ashley.locator("#question").click()
    play_on(here, ashley, TURN)
    expect(alert).to_contain_text("Your turn.")
    assert ashley.evaluate("rung") == 0
    box.check()
    assert ashley.evaluate("rung") == 1  # how it sounds
    ashley.reload()
    expect(box).to_be_checked()
    ashley.locator("#question").click()  # without a touch an iPhone stays silent
    wait_until(lambda: ashley.evaluate("sound?.state") == "running")
    again = visits.MOVES.index("reveal Ashley", TURN)
    play_on(here, ashley, again)
    assert ashley.evaluate("rung") == 0
    play_on(here, ashley, again + 1)
    expect(alert).to_contain_text("Your turn.")
    assert ashley.evaluate("rung") == 1


def test_whoever_has_the_crown_hears_their_turn_and_not_each_call(
    here: Served, phone: BrowserContext
) -> None:
    page, turn = phone.new_page(), visits.MOVES.index("reveal Kurt")
    page.add_init_script(RUNG)
    here.play(*visits.MOVES[: turn - 2])  # Ashley's turn
    visits.open_page(page, here, Visit("crown", turn - 2, "/seat", "Kurt"), Look("en"))
    page.get_by_label("A sound when it is your turn").check()
    play_on(here, page, turn)
    expect(page.get_by_role("alert")).to_contain_text("Who is the King?")
    assert page.evaluate("rung") == 1  # how it sounds
    play_on(here, page, turn + 1)
    expect(page.get_by_role("alert")).to_contain_text("Your turn.")
    assert page.evaluate("rung") == 2


def test_only_the_called_player_is_interrupted(here: Served, ashley: Page) -> None:
    ashley.add_init_script("navigator.vibrate = (...how) => (window.shaken ??= []).push(how)")
    ashley.reload()
    ashley.locator("#question").click()  # browsers vibrate only after user interaction
    play_on(here, ashley, 3)
    expect(ashley.locator("#alert")).to_be_empty()
    play_on(here, ashley, TURN)
    expect(ashley.get_by_role("alert")).to_contain_text("Your turn. Gold or cards?")
    assert len(ashley.evaluate("window.shaken")) == 1
    expect(ashley.locator("#told").get_by_text("Ashley is the Thief.")).to_be_visible()


UNDER_A_FINGER = """
new Promise((done) => {
  new MutationObserver((_changes, observer) => {
    const button = document.querySelector("#rows-player button");
    if (!button) return;
    observer.disconnect();
    button.scrollIntoView({ block: "center" });
    const { x, y } = button.getBoundingClientRect();
    done(document.elementFromPoint(x + 9, y + 9).closest("button") === button);
  }).observe(document.querySelector("#main"), { childList: true, subtree: true });
})
"""


def test_what_appears_under_a_finger_is_not_touched_by_it(here: Served, ashley: Page) -> None:
    touch = ashley.evaluate_handle(f"({{ by: {UNDER_A_FINGER.strip()} }})")
    here.play(*visits.MOVES[1:TURN])
    assert touch.evaluate("(touched) => touched.by") is False
    ashley.get_by_role("button", name="Take 2 gold").click()  # as soon as possible
    expect(ashley.locator("#question")).to_contain_text("Build, rob or end?")


def test_the_answer_to_a_touch_is_not_fetched_again(here: Served, ashley: Page) -> None:
    ashley.evaluate(HEARS)
    play_on(here, ashley, TURN)
    settle(ashley)
    requests: list[str] = []
    ashley.on("request", lambda request: requests.append(request.method))
    ashley.get_by_role("button", name="Take 2 gold").click()
    expect(ashley.locator("#question")).to_contain_text("Build, rob or end?")
    here.do(lambda: here.talk.conversation.word("undo"))  # what happens next is fetched
    expect(ashley.locator("#question")).to_contain_text("Gold or cards?")
    ashley.evaluate("line")
    assert requests == ["POST", "GET", "GET"]


def test_what_happens_elsewhere_leaves_focus_and_place(here: Served, ashley: Page) -> None:
    play_on(here, ashley, 9)
    summary = ashley.locator("#leaving summary")
    summary.click()
    ashley.evaluate("window.kept = [...document.querySelectorAll('#told-lines p')]")
    before = summary.bounding_box()
    play_on(here, ashley, 11)
    expect(summary).to_be_focused()
    assert summary.bounding_box() == pytest.approx(before, abs=2)  # pixels
    assert ashley.locator("#leaving").get_attribute("open") is not None
    # the lines already read are unchanged
    assert ashley.evaluate("window.kept.filter((line) => line.isConnected).length") > 3


def test_the_question_for_one_s_own_card_comes_into_view(
    here: Served, phone: BrowserContext
) -> None:
    page = phone.new_page()
    visits.open_page(page, here, Visit("crown", 0, "/seat", "Kurt"), Look("en"))
    here.do(lambda: here.talk.session.teacher.switch(True))  # the rows are below the lesson
    page.reload()
    for name in ("Thief", "Warlord"):
        page.locator("#choices-caller").get_by_text(name, exact=True).click()
        settle(page)
    expect(page.locator("#question")).to_contain_text("Which card did you take?")
    expect(page.locator("#question")).to_be_in_viewport()


def test_after_one_s_own_turn_the_page_is_at_its_top_again(here: Served, ashley: Page) -> None:
    play_on(here, ashley, visits.MOVES.index("swap Anna"))
    here.play("swap Anna")
    expect(ashley.locator(".turn")).to_have_count(1)
    ashley.evaluate("scrollTo(0, 600)")
    ashley.locator("#end-player button").click()
    expect(ashley.locator(".turn")).to_have_count(0)
    assert ashley.evaluate("scrollY") == 0


def test_a_phone_that_slept_shows_what_happened_meanwhile(here: Served, ashley: Page) -> None:
    ashley.evaluate(HEARS)
    ashley.evaluate("stream.close()")
    here.play(*visits.MOVES[1:TURN])
    expect(ashley.locator("#question")).to_have_text("Which card did you take?")
    ashley.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(ashley.locator("#question")).to_contain_text("Gold or cards?")


def test_what_happened_is_told_once_above_the_round_the_latest_in_view(
    here: Served, ashley: Page
) -> None:
    play_on(here, ashley, 20)
    log = ashley.locator("#told-lines p")
    latest = log.last.text_content() or ""
    expect(ashley.locator(".column").get_by_text(latest, exact=True)).to_have_count(1)
    ashley.locator("#told").scroll_into_view_if_needed()
    expect(log.last).to_be_in_viewport()
    expect(log.first).not_to_be_in_viewport()
    at = [ashley.locator(id_).bounding_box() for id_ in ("#told", "#round", "#players")]
    assert at == sorted(at, key=lambda box: box["y"] if box else 0)


def test_the_screen_stays_on_until_the_game_ends_and_again_with_the_next(
    here: Served, ashley: Page
) -> None:
    ashley.context.grant_permissions(["screen-wake-lock"])
    ashley.reload()
    ashley.evaluate(KEPT, True)
    here.play(*visits.MOVES[1:])
    ashley.evaluate(KEPT, False)
    here.do(here.talk.session.undo)
    ashley.evaluate(KEPT, True)


def test_without_a_wake_lock_a_silent_film_runs_from_the_first_touch(ashley: Page) -> None:
    ashley.add_init_script("delete Navigator.prototype.wakeLock")
    ashley.reload()
    ashley.evaluate(FILMED, False)
    ashley.locator("#question").click()
    ashley.evaluate(FILMED, True)
    expect(ashley.locator("#sleeps")).to_be_hidden()


def test_a_phone_that_will_sleep_says_once_what_to_set(here: Served, ashley: Page) -> None:
    told = ashley.locator("#sleeps")
    expect(told).to_be_hidden()
    ashley.route("**/awake.mp4*", lambda route: route.abort())
    ashley.add_init_script("delete Navigator.prototype.wakeLock")
    ashley.reload()
    expect(told).to_be_visible()
    play_on(here, ashley, TURN)
    expect(told).to_be_visible()
    ashley.reload()
    expect(told).to_be_hidden()


def test_a_phone_that_is_put_out_shows_its_seat_no_more(here: Served, ashley: Page) -> None:
    here.do(lambda: here.phones.door.leave(2))
    here.phones.redraw()
    ashley.wait_for_url(here.where.url)
    assert not ashley.get_by_text("in hand").count()


def test_a_covered_page_shows_nothing_until_it_is_touched(here: Served, ashley: Page) -> None:
    ashley.get_by_role("button", name="Hide").click()
    for _ in range(2):
        expect(ashley.get_by_role("button", name="Touch to show")).to_be_focused()
        assert ashley.locator("#cover").bounding_box() == {
            "x": 0,
            "y": 0,
            "width": 390,
            "height": 844,
        }
        assert ashley.evaluate(
            "[...document.querySelectorAll('header, main')].every((one) => one.inert)"
        )
        ashley.reload()
    ashley.get_by_role("button", name="Touch to show").click()
    expect(ashley.get_by_text("2 gold", exact=True)).to_be_visible()
    ashley.reload()
    expect(ashley.locator("#cover")).to_be_hidden()


def test_what_is_private_is_seen_while_it_is_held_and_after_a_touch_until_the_answer(
    here: Served, ashley: Page
) -> None:
    here.do(lambda: here.talk.session.tell_hand(2, "add", "manor"))
    play_on(here, ashley, TURN)
    told = ashley.locator("#private-text")
    summary = ashley.locator("#private summary")
    expect(told).to_be_hidden()
    summary.hover()
    ashley.mouse.down()
    expect(told).to_contain_text("Manor, 3.")
    ashley.mouse.up()
    expect(told).to_be_hidden()
    ashley.get_by_role("button", name="Take 2 gold").click()
    held = ashley.locator("#held-player")
    expect(ashley.locator("#question")).to_contain_text("Build, rob or end?")
    expect(held).to_be_hidden()  # it is another question
    ashley.locator("#question").click()
    expect(held).to_contain_text("Manor")
    ashley.reload()
    expect(held).to_be_visible()
    ashley.get_by_role("button", name="Hide").click()
    ashley.get_by_role("button", name="Touch to show").click()
    expect(held).to_be_hidden()


def test_a_list_of_one_s_hand_is_edited_by_touches_and_letters(here: Served, ashley: Page) -> None:
    ashley.locator("#telling summary").click()
    for width in range(320, 481, 8):
        ashley.set_viewport_size({"width": width, "height": 640})
        assert ashley.evaluate(browsing.BROKEN_WORDS) == []
    ashley.locator(".pick").get_by_role("button", name="Tavern").click()
    noted = ashley.locator("#held li")
    expect(noted).to_have_count(1)
    field = ashley.locator("#typed")
    field.fill("cas")
    expect(ashley.locator(".pick > div:visible")).to_have_count(1)
    field.press("Enter")
    expect(noted).to_have_count(2)
    expect(field).to_have_value("")
    ashley.get_by_role("button", name="Remove Tavern from the list").click()
    expect(noted).to_have_count(1)
    ashley.get_by_role("button", name="Undo the last change").click()
    expect(noted).to_have_count(2)


def test_chips_are_added_by_touch_once_the_table_has_learned_some(
    here: Served, ashley: Page
) -> None:
    expect(ashley.locator("#add")).to_have_count(1)
    expect(ashley.locator("#adding")).to_have_count(0)
    chips.save(here.config.chips, Registry({bytes.fromhex(visits.CHIP): DistrictChip("tavern", 1)}))
    here.do(lambda: here.talk.session.tell_hand(2, "add", "docks"))
    expect(ashley.locator("#adding")).to_have_count(1)


def test_nothing_private_is_in_a_live_region(here: Served, ashley: Page) -> None:
    here.do(lambda: here.talk.session.tell_hand(2, "add", "castle"))
    play_on(here, ashley, TURN)
    ashley.locator("#question").click()
    for live in ashley.locator("[role=status], [role=log], [role=alert], [aria-live]").all():
        assert "Castle" not in (live.text_content() or "")


def test_a_card_is_read_aloud_by_a_voice_of_the_phone_alone(
    here: Served, phone: BrowserContext
) -> None:
    page = phone.new_page()
    page.add_init_script(
        """
        const voices = [
          { lang: "en-US", localService: false }, { lang: "en-GB", localService: true },
        ];
        window.spoken = [];
        window.SpeechSynthesisUtterance = function (text) { this.text = text; };
        Object.defineProperty(window, "speechSynthesis", { value: {
          getVoices: () => voices,
          cancel() {},
          speak: (said) => spoken.push([said.text, said.voice.lang]),
        } });
        """
    )
    visit = Visit("card", 1, "/card/thief", "visitor")
    visits.open_page(page, here, visit, Look("en"))
    page.get_by_role("button", name="Read it aloud").click()
    ((text, voice),) = page.evaluate("spoken")
    assert voice == "en-GB"
    assert text.split("\n")[:2] == ["Thief", "Thief: rank 2."]
    visits.open_page(page, here, visit, Look("de"))  # this phone has no German voice
    expect(page.locator(".aloud")).to_be_hidden()


def test_a_turn_without_a_script(here: Served, browser: Browser) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    here.play(*visits.MOVES[:TURN])
    visits.open_page(page, here, Visit("ben", TURN, "/seat", "Ben"), Look("en"))
    renewal = page.locator("meta[http-equiv=refresh]")
    expect(renewal).to_have_count(1)
    page.get_by_role("button", name="Only when I ask").click()
    expect(renewal).to_have_count(0)
    page.get_by_role("link", name="Refresh").click()
    visits.open_page(page, here, Visit("ashley", TURN, "/seat", "Ashley"), Look("en"))
    assert renewal.count() == 0  # no time pressure
    for row in ("Rob a character", "King", "Take 2 gold", "Manor, 3"):
        page.get_by_role("button", name=row).first.click()
    expect(page.locator("#told-lines")).to_contain_text("Ashley builds the Manor")
    context.close()


def test_a_row_is_found_by_its_letters(here: Served, phone: BrowserContext) -> None:
    page = phone.new_page()
    here.play(*visits.MOVES[:6])
    visits.open_page(page, here, Visit("ashley", 6, "/seat", "Ashley"), Look("en"))
    page.get_by_role("searchbox").fill("TEM")
    view = page.locator("#build-player .rows > div:visible")
    expect(view).to_have_count(1)
    page.keyboard.press("Enter")  # which selects nothing
    view.get_by_role("button").click()
    settle(page)
    assert "build temple" in [move.text for move in here.talk.session.referee.moves]


def test_the_card_is_shared_with_one_touch(phone: BrowserContext, here: Served) -> None:
    page = phone.new_page()
    (visit,) = visits.walk(here, ("end",))
    visits.open_page(page, here, visit, Look("en"))
    with page.expect_download() as save:  # over plain HTTP a browser can share nothing
        page.locator("[data-share]").click()
    assert save.value.suggested_filename == "citadels.png"
    assert save.value.path().read_bytes().startswith(b"\x89PNG")
    page.evaluate(
        """() => {
            navigator.canShare = () => true;
            navigator.share = async ({ files, text }) => {
                document.title = [files[0].type, text].join("\\n");
            };
        }"""
    )
    page.locator("[data-share]").click()
    expect(page).to_have_title(re.compile(r"^image/png\s+Ben wins, 23 to 16\."))
