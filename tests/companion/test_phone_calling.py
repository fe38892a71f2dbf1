"""`calling: by_itself`: ranks are called as soon as everybody has recorded on a phone."""

from __future__ import annotations

import socket
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from companion.game.awaiting import PAUSE, find_next
from companion.game.session import Session
from companion.log import open_game
from companion.log.open_game import GameSettings
from companion.phones.serving.phones import Phones as Served
from companion.phones.serving.where import Where
from companion.settings.config import load as load_config
from companion.setup import PlayOptions
from companion.setup.draft import Draft
from companion.setup.shared import SetUp
from engine.moves import make
from engine.record import Setup
from tests.companion.every_face import Lines
from tests.companion.phone_seats import SELECTED, Phones
from tests.companion.talking import FOUR, Talk
from tests.engine.playing import game
from tests.twins.pairs import TWINS

CHOICES = ("king", "thief", "architect", "assassin")


def record_choices(phones: Phones, choices: tuple[str, ...] = CHOICES) -> None:
    for seat, choice in enumerate(choices):
        phones.play(seat, f"choose {FOUR[seat]} {choice}")


def let_it_call(phones: Phones) -> list[float]:
    """Run due steps until a player is awaited; returns how long each step waited."""
    waits = []
    while (due := phones.phones.find_due()) is not None:
        waits.append(due[1])
        phones.phones.call_on(due[0])
    return waits


def test_the_calling_begins_when_everybody_has_recorded_on_a_phone(tmp_path: Path) -> None:
    phones = Phones(tmp_path, SELECTED, calls=True)
    record_choices(phones, CHOICES[:3])
    assert phones.phones.find_due() is None
    phones.session.play("choose Ben assassin")  # by somebody else, not on Ben's phone
    assert phones.phones.find_due() is None
    record_choices(phones)
    assert let_it_call(phones) == [0.0]
    assert [phones.page(seat).shows for seat in range(4)] == [False] * 3 + [True]
    assert [row.label for row in phones.rows(3)] == ["Ben is the Assassin"]


def test_a_rank_that_nobody_can_answer_passes_after_the_pause(tmp_path: Path) -> None:
    clock = Lines()
    phones = Phones(tmp_path, SELECTED, calls=True, later=clock.later)
    record_choices(phones)
    clock.turn(0.0)
    phones.play(3, "reveal Ben", "gold", "end")
    phones.play(1, "reveal Kurt", "gold", "end")
    assert phones.session.view.called == 3
    due = phones.phones.find_due()
    assert due is not None
    clock.turn(PAUSE - 1)
    phones.session.undo()  # which makes what was due void
    phones.session.redo()
    phones.phones.call_on(due[0])
    clock.turn(PAUSE - 1)
    assert phones.session.view.called == 3
    clock.turn(1)
    assert phones.session.view.called == 4


def test_the_calling_begins_whether_or_not_two_have_recorded_the_same(tmp_path: Path) -> None:
    phones = Phones(tmp_path, SELECTED, calls=True)
    record_choices(phones, ("king", "thief", "king", "assassin"))
    assert let_it_call(phones) == [0.0]
    phones.play(3, "reveal Ben", "gold", "end")
    phones.play(1, "reveal Kurt", "gold", "end")
    assert let_it_call(phones) == [PAUSE]
    shows = [phones.page(seat).shows for seat in range(4)]
    assert shows == [True, False, True, False]  # both are asked
    version = phones.phones.version
    phones.play(2, "reveal Ashley")
    text = "Your recorded choice, the King, was removed."
    for viewer in (None, *range(4)):
        (event,) = phones.phones.events(viewer, "en", version)
        assert (text in event.lines) == (viewer == 0)
        page = phones.page(viewer)
        assert text not in [line.text for line in page.told]
        assert (page.private is not None and text in page.private.told) == (viewer == 0)
    phones.play(2, "gold", "end")
    # the calling continues, and the player without a record may answer any of the ranks left
    phones.phones.call_on(phones.phones.version)
    assert phones.session.view.called == 7
    assert [row.label for row in phones.rows(0)] == ["Anna is the Architect"]


def test_a_choice_recorded_elsewhere_asks_nothing(tmp_path: Path) -> None:
    for number, choice in enumerate(("king", "architect")):
        (folder := tmp_path / str(number)).mkdir()
        phones = Phones(folder, SELECTED, calls=True)
        record_choices(phones, ("king", "thief", choice))
        phones.session.play("choose Ben king")  # at the computer
        assert phones.phones.find_due() is None
        record_choices(phones, ("king", "thief", choice, "king"))
        assert phones.phones.find_due() is not None
        phones.session.undo()
        phones.session.play("choose Ben king")
        assert phones.phones.find_due() is None


def test_a_murdered_rank_waits_as_long_as_one_that_nobody_has_and_asks_nobody(
    tmp_path: Path,
) -> None:
    phones = Phones(tmp_path, SELECTED, "secret", calls=True)
    record_choices(phones, ("assassin", "king", "thief", "warlord"))
    let_it_call(phones)
    for row in ("Anna is the Assassin", "Take 2 gold", "Murder", "Thief", "End the turn"):
        phones.choose(0, row)
    assert phones.session.view.called == 2  # although nobody may answer
    questions = {phones.phones.page(viewer, "en").question for viewer in (None, *range(4))}
    assert questions == {"The Thief was murdered."}
    assert let_it_call(phones) == [PAUSE, PAUSE]  # the Magician is nobody's
    assert phones.session.view.called == 4


@pytest.mark.parametrize(
    ("moves", "delay"),
    [
        (("faceup bishop merchant", "call"), PAUSE),
        (("faceup thief merchant", "call", "nobody"), 0.0),
        (("faceup bishop merchant", "call", "reveal Anna", "kill thief", "gold", "end"), 0.0),
    ],
)
def test_only_what_everybody_knows_passes_at_once(moves: tuple[str, ...], delay: float) -> None:
    assert find_next(game(*moves).table) == (make("nobody"), delay)


def test_ranks_that_lie_face_up_pass_with_the_move_before_them(tmp_path: Path) -> None:
    phones = Phones(tmp_path, SELECTED, calls=True)
    record_choices(phones)
    let_it_call(phones)
    version = phones.phones.version
    phones.session.play("reveal Ben")
    phones.play(3, "gold", "kill king", "end")
    phones.play(1, "reveal Kurt", "gold", "end")
    assert let_it_call(phones) == [PAUSE]  # the Magician is nobody's, the King was murdered
    assert phones.session.view.called == 7
    lines = [line for event in phones.phones.events(None, "en", version) for line in event.lines]
    assert [line for line in lines if "face up" in line] == [
        "The Bishop is face up.",
        "The Merchant is face up.",
    ]
    assert "Carry on?" not in " ".join(lines)


def test_nobody_is_told_that_the_crown_calls_where_the_companion_does(tmp_path: Path) -> None:
    phones = Phones(tmp_path, SELECTED, calls=True)
    phones.session.teacher.switch(True)
    record_choices(phones)
    pages = [phones.page(None)]
    let_it_call(phones)
    pages.append(phones.page(None))
    assert all(page.lesson for page in pages)
    phones.play(3, "reveal Ben", "gold", "end")
    phones.play(1, "reveal Kurt", "gold", "end")
    let_it_call(phones)
    phones.play(0, "reveal Anna")
    assert phones.session.view.crown == 0
    stage = phones.page(0).stage
    assert stage is not None
    assert (stage.title, stage.lines) == ("You have the crown.", ())
    lessons = " ".join(line for page in pages for line in page.lesson)
    assert "has the crown" not in lessons
    assert "Whoever has the card turns it up" in lessons


def list_asked(phones: Phones) -> list[str]:
    """The players whose phones are drawn as asked, and those marked on the public page."""
    pages = [phones.page(seat) for seat in range(4)]
    marked = [player.name for player in phones.page(None).players if player.called]
    return [page.player for page in pages if page.awaited or page.shows] + marked


def test_the_crown_is_asked_to_call_only_where_the_companion_does_not(tmp_path: Path) -> None:
    phones = Phones(tmp_path, calls=True)
    phones.has_phone = {0, 1, 2, 3}
    assert list_asked(phones) == ["Kurt", "Kurt"]  # to lay two characters face up
    phones.session.play(SELECTED)
    assert list_asked(phones) == []
    record_choices(phones, CHOICES[:3])
    phones.session.play("choose Ben assassin")  # at the computer: the companion does not begin
    assert list_asked(phones) == ["Kurt", "Kurt"]
    phones.session.undo()
    phones.play(3, "choose Ben assassin")
    let_it_call(phones)
    assert list_asked(phones) == ["Ben"]  # to show the card
    phones.play(3, "reveal Ben", "gold", "end")
    phones.play(1, "reveal Kurt", "gold", "end")
    assert phones.session.view.called == 3
    assert list_asked(phones) == []  # nobody has it: the companion goes on after a pause
    let_it_call(phones)
    phones.session.undo()
    assert list_asked(phones) == ["Kurt", "Kurt"]  # it does not go on by itself


def test_who_calls_is_what_the_game_was_set_up_with(tmp_path: Path) -> None:
    phones = Phones(tmp_path, SELECTED, calls=False)
    record_choices(phones)
    assert phones.phones.find_due() is None
    phones.session.settings.put("calling", "by_itself")
    assert phones.phones.find_due() is not None


def test_a_round_recorded_on_phones_is_called_after_a_restart_too(tmp_path: Path) -> None:
    phones = Phones(tmp_path, SELECTED, calls=True)
    record_choices(phones, CHOICES[:3])
    phones.phones.follow(phones.conversation)
    assert phones.phones.find_due() is None
    phones.play(3, "choose Ben assassin")
    phones.phones.follow(phones.conversation)
    assert let_it_call(phones) == [0.0]
    moment = phones.page(1).moment
    phones.phones.word(1, "undo", moment, "en", as_caller=True)
    phones.phones.follow(phones.conversation)
    assert phones.phones.find_due() is None  # what was undone stays undone


@pytest.mark.parametrize("is_resumed", [False, True])
def test_ranks_pass_again_after_another_game_was_to_be_set_up(home: Path, is_resumed: bool) -> None:
    clock, config = Lines(), load_config({"COMPANION_CALLING": "by_itself"})
    talk = Talk(home, Setup("classic_2016", FOUR, "Kurt"), SELECTED)
    set_up = SetUp(Draft.of(PlayOptions(), config, talk.session.setup), lambda _draft: None)
    serve = partial(
        Served,
        config=config,
        where=Where(socket.socket(), "127.0.0.1", 0),
        post=clock.post,
        later=clock.later,
        tell=clock.note,
    )
    phones = serve(talk.conversation)
    for seat, choice in enumerate(("king", "thief", "architect", "warlord")):
        phones.table.move(seat, f"choose {FOUR[seat]} {choice}", "en")
    clock.turn(0.0)
    if is_resumed:  # the computer was started again, and asks first
        clock = Lines()
        phones = serve(None, set_up=set_up, post=clock.post, later=clock.later)
        phones.follow(talk.conversation)
    else:
        phones.open_lobby(set_up)
        clock.turn(PAUSE)
        assert talk.session.view.called == 1
        phones.close_lobby()
    clock.turn(PAUSE)
    assert talk.session.view.called == 2
    phones.where.socket.close()


def test_which_character_was_recorded_is_not_kept_beside_the_log(tmp_path: Path) -> None:
    phones = Phones(tmp_path, SELECTED, calls=True)
    record_choices(phones)
    settings = Path(open_game.settings_path(phones.store.path)).read_text()
    assert "recorded" in settings
    assert not any(choice in settings for choice in CHOICES)


def test_settings_with_codes_take_the_place_of_a_link(tmp_path: Path) -> None:
    log, foreign = tmp_path / "games.sqlite3", tmp_path / "foreign"
    foreign.write_text("{}")
    Path(open_game.settings_path(str(log))).symlink_to(foreign)
    GameSettings(str(log), "game").save("phones", "codes")
    assert foreign.read_text() == "{}"
    assert GameSettings(str(log), "game").get("phones") == "codes"


def test_settings_of_the_oldest_games_make_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(open_game, "SETTINGS_LIMIT", 500)
    log = str(tmp_path / "games.sqlite3")
    for number in range(9):
        GameSettings(log, f"game {number}").save("note", "x" * 100)
    rest = [GameSettings(log, f"game {number}").get("note") is not None for number in range(9)]
    assert rest == [False] * 5 + [True] * 4


def test_a_game_begins_with_what_its_own_group_has_left_alone(tmp_path: Path) -> None:
    log = str(tmp_path / "games.sqlite3")
    first, second, other = (GameSettings(log, name) for name in ("first", "second", "other"))
    other.put("phones", "of a game in a log that was removed")
    first.put("phones", "codes")
    first.put("language", "fr")
    second.begin(first)
    other.begin()
    assert (second.get("phones"), second.get("language")) == ("codes", None)
    assert GameSettings(log, "other").get("phones") is None
    assert first.group == second.group != other.group


def test_with_a_theater_the_crown_says_when_everybody_has_chosen(tmp_path: Path) -> None:
    twins = TWINS["chosen before the Theater"]
    phones = Phones(tmp_path, twins.before, setup=twins.head, calls=True)
    record_choices(phones)
    assert phones.phones.find_due() is None
    phones.play(1, "use theater Ben")
    assert let_it_call(phones) == [0.0]  # and then rank 1 is awaited
    assert phones.session.view.stage == "calling"


def test_who_has_a_hospital_is_asked_although_murdered_and_not_hurried(tmp_path: Path) -> None:
    twins = TWINS["kill, with a Hospital"]
    before = twins.before.removesuffix("; call; reveal Anna")
    phones = Phones(tmp_path, before, setup=twins.head, calls=True)
    record_choices(phones, ("assassin", "merchant", "thief", "warlord"))
    let_it_call(phones)
    phones.play(0, "reveal Anna", "gold", "kill merchant", "end")
    phones.play(2, "reveal Ashley", "gold", "rob warlord", "end")
    let_it_call(phones)
    assert phones.session.view.called == 6
    assert [phones.page(seat).shows for seat in range(4)] == [False, True, False, False]
    assert list_asked(phones) == ["Kurt", "Kurt"]  # has the crown, too, and may pass the rank
    phones.play(1, "reveal Kurt")


def test_the_next_game_of_the_same_people_is_called_as_this_one(tmp_path: Path) -> None:
    phones = Phones(tmp_path, SELECTED)
    phones.session.settings.put("calling", "by_itself")
    again = Session.begin(
        phones.session.store, phones.session.setup, before=phones.session.settings
    )
    with closing(again):
        assert again.calling == "by_itself"
