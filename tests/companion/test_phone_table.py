"""The table on phones: pages, moves and events, each as its viewer may know them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from companion import language
from companion.chips.entries import (
    ActionChip,
    CharacterChip,
    CrownChip,
    DistrictChip,
    Entry,
    PlayerChip,
)
from companion.log.store import StoreError
from companion.phones.page import Private
from companion.phones.phone_table import CALLERS_WORDS, TAKE_BACK, NotYours
from engine.explain import Refused
from tests.companion.phone_seats import ANNAS_TURN, SELECTED, Phones
from tests.companion.talking import FOUR, SHORT_GAME
from tests.twins.pairs import TWINS

if TYPE_CHECKING:
    from pathlib import Path


def private_of(phones: Phones, seat: int) -> Private:
    """What that seat's player sees on holding."""
    private = phones.page(seat).private
    assert private is not None
    return private


def test_a_player_is_not_offered_to_show_a_character_he_has_not_chosen(tmp_path: Path) -> None:
    phones = Phones(tmp_path, f"{SELECTED}; choose Ben warlord; call")
    assert phones.rows(3) == []
    assert [row.label for row in phones.rows(0)] == ["Anna is the Assassin"]


def test_the_theater_is_its_owner_s_to_use(tmp_path: Path) -> None:
    twins = TWINS["chosen before the Theater"]
    phones = Phones(tmp_path, twins.before, setup=twins.head)
    rows = [[row.label for row in phones.rows(seat)] for seat in range(4)]
    assert ["Use one of your districts" in labels for labels in rows] == [False, True, False, False]


def test_each_phone_is_told_in_its_own_language(tmp_path: Path) -> None:
    phones = Phones(tmp_path, ANNAS_TURN)
    phones.choose(0, "Prendre", code="fr")
    assert phones.lines() == ["Anna takes 2 gold."]  # the table, in its own
    version = phones.phones.version - 1
    fields = {code: phones.phones.events(2, code, version)[0].lines for code in ("de", "ru")}
    assert fields == {"de": ("Anna nimmt 2 Gold.",), "ru": ("Anna берёт 2 золотых.",)}


def test_what_one_phone_does_every_other_hears_of_once(tmp_path: Path) -> None:
    phones = Phones(tmp_path, ANNAS_TURN)
    before, version = phones.changes, phones.phones.version
    phones.choose(0, "Take 2 gold")
    assert phones.changes == before + 1
    happenings = phones.phones.events(None, "en", version)
    assert [(h.version, h.lines) for h in happenings] == [(version + 1, ("Anna takes 2 gold.",))]
    assert happenings[0].view["players"]["Anna"]["gold"] == 4
    assert phones.phones.events(None, "en", version + 1) == []


@pytest.mark.parametrize("after", [0, -5, 10**9])
def test_who_was_away_too_long_is_told_how_the_table_is_now(tmp_path: Path, after: int) -> None:
    phones = Phones(tmp_path, ANNAS_TURN)
    phones.choose(0, "Take 2 gold")
    now = phones.phones.events(None, "en", after)
    assert [(h.version, h.lines) for h in now] == [(phones.phones.version, ())]


def test_a_row_of_an_older_page_does_nothing(tmp_path: Path) -> None:
    phones = Phones(tmp_path, ANNAS_TURN)
    old = phones.page(0)
    phones.choose(0, "Take 2 gold")
    gold = phones.session.view.seats[0].gold
    phones.phones.take(0, 0, old.moment, "en")
    assert phones.session.view.seats[0].gold == gold
    assert phones.answer(0) == ["Something has changed; look again."]


def test_a_row_is_taken_although_others_have_chosen_meanwhile(tmp_path: Path) -> None:
    phones = Phones(tmp_path, SELECTED)
    old = {seat: phones.page(seat).moment for seat in (0, 1, 2)}
    phones.choose(3, "Assassin")
    phones.phones.take(2, 1, old[2], "en")
    assert phones.moves()[-2:] == ["choose Ben assassin", "choose Ashley thief"]
    for moment in (old[2], "", "x"):  # touched twice, or by somebody's own form
        phones.phones.take(2, 1, moment, "en")
        assert phones.answer(2) == ["Something has changed; look again."]
    phones.phones.word(1, "undo", old[1], "en", as_caller=True)  # not of what it does not show
    phones.phones.take(0, 0, old[0], "fr")
    assert phones.moves()[-2:] == ["choose Ashley thief", "choose Anna assassin"]


def test_an_answer_is_shown_until_something_happens(tmp_path: Path) -> None:
    phones = Phones(tmp_path, f"{ANNAS_TURN}; gold")
    phones.choose(0, "Palace")
    assert phones.answer(0) == ["The Palace costs 5 gold, but Anna has only 4 gold."]
    phones.play(0, "build temple")
    assert phones.answer(0) == []


def test_an_answer_stays_while_others_choose(tmp_path: Path) -> None:
    phones = Phones(tmp_path, SELECTED)
    phones.phones.tap(0, CharacterChip("bishop"), b"", "en")
    answer = phones.answer(0)
    assert answer
    phones.choose(3, "Assassin")
    assert phones.answer(0) == answer
    phones.choose(1, "Everybody has chosen", as_caller=True)
    assert phones.answer(0) == []


def test_undo_is_the_callers_and_everybody_is_told(tmp_path: Path) -> None:
    phones = Phones(tmp_path, ANNAS_TURN)
    version = phones.phones.version
    phones.choose(0, "Take 2 gold")
    moment = phones.page(1).moment
    for seat, as_caller in ((0, False), (0, True), (1, False)):
        with pytest.raises(NotYours):
            phones.phones.word(seat, "undo", moment, "en", as_caller=as_caller)
    phones.phones.word(1, "undo", moment, "en", as_caller=True)
    assert phones.phones.events(0, "en", version)[-1].lines == ("Undone: Anna takes 2 gold.",)
    assert phones.lines()[-1] == "Undone: Anna takes 2 gold."


def take_back(phones: Phones, seat: int) -> None:
    """Touch the button that undoes that seat's own last move."""
    moment = phones.page(seat).moment
    phones.phones.word(seat, TAKE_BACK, moment, "en")


def may_take_back(phones: Phones) -> list[str]:
    """Whose phones show that button."""
    return [name for seat, name in enumerate(FOUR) if phones.page(seat).takes_back]


def test_a_player_undoes_a_last_move_until_somebody_else_has_moved(tmp_path: Path) -> None:
    phones = Phones(tmp_path, f"{SELECTED}; call; reveal Anna; kill king")
    take_back(phones, 0)
    assert may_take_back(phones) == []  # the card has been shown
    phones.play(0, "kill king")
    phones.choose(0, "Take 2 gold")
    phones.choose(0, "End")
    assert phones.session.view.called == 2
    take_back(phones, 0)
    take_back(phones, 0)
    assert phones.moves()[-1] == "kill king"
    phones.play(0, "gold", "end")
    assert may_take_back(phones) == ["Anna"]
    moment = phones.page(0).moment
    phones.play(1, "nobody")
    assert may_take_back(phones) == ["Kurt"]
    phones.phones.word(0, TAKE_BACK, moment, "en")
    assert phones.answer(0) == ["Something has changed; look again."]
    with pytest.raises(NotYours):
        take_back(phones, 0)
    with pytest.raises(NotYours):
        phones.play(0, "undo")


def test_the_steps_that_played_themselves_are_undone_with_their_move(tmp_path: Path) -> None:
    phones = Phones(tmp_path, "faceup thief bishop; call; reveal Anna; kill king; gold")
    phones.choose(0, "End")
    assert phones.moves()[-2:] == ["end", "nobody"]  # the Thief is face up
    take_back(phones, 0)
    assert phones.moves()[-1] == "gold"


@pytest.mark.parametrize(("victim", "owners"), [("thief", []), ("king", ["Anna"])])
def test_nothing_is_undone_that_has_made_a_secret_public(
    tmp_path: Path, victim: str, owners: list[str]
) -> None:
    before = f"{SELECTED}; call; reveal Anna; kill {victim}; gold"
    phones = Phones(tmp_path, before, secrecy="secret")
    phones.choose(0, "End")
    assert may_take_back(phones) == owners


def test_nobody_is_told_to_deal_once_all_have_noted_a_character(tmp_path: Path) -> None:
    phones = Phones(tmp_path, SELECTED)
    for seat, choice in enumerate(("king", "thief", "architect")):
        phones.phones.move(seat, f"choose {FOUR[seat]} {choice}", "en")
    assert phones.phones.page(None, "en").dealing
    phones.phones.move(3, "choose Ben assassin", "en")
    assert [phones.phones.page(seat, "en").dealing for seat in (None, *range(4))] == [()] * 5


def test_a_note_is_taken_back_by_its_owner_whatever_others_have_noted(tmp_path: Path) -> None:
    phones = Phones(tmp_path, SELECTED)
    phones.has_phone |= {0, 1, 2, 3}
    phones.choose(0, "King")
    phones.choose(2, "Thief")
    assert may_take_back(phones) == ["Anna", "Ashley"]
    version = phones.phones.version
    take_back(phones, 0)
    assert phones.moves() == [SELECTED, "choose Ashley thief"]
    assert phones.phones.events(1, "en", version)[-1].lines == ("A note was taken back.",)
    assert may_take_back(phones) == ["Ashley"]
    crown = phones.page(1).moment
    phones.phones.word(1, "redo", crown, "en", as_caller=True)
    phones.phones.word(1, "undo", phones.page(1).moment, "en", as_caller=True)
    assert phones.moves() == [SELECTED, "choose Ashley thief"]
    (told,) = phones.page(1).answer
    assert "only Ashley can take that back" in told.lines[0]
    phones.choose(1, "Everybody has chosen", as_caller=True)
    assert may_take_back(phones) == ["Kurt"]


def test_undo_is_a_move_that_the_crown_s_program_can_send(tmp_path: Path) -> None:
    phones = Phones(tmp_path, ANNAS_TURN)
    phones.play(0, "gold")
    with pytest.raises(NotYours):
        phones.play(2, "undo")
    assert phones.phones.move(1, "undo", "en") == ("Undone: Anna takes 2 gold.",)
    phones.play(1, "redo")
    assert phones.phones.view(1)["players"]["Anna"]["gold"] == 4
    with pytest.raises(Refused) as exception_info:
        phones.play(1, "redo")
    assert str(exception_info.value) == "Nothing to redo."
    with pytest.raises(Refused):
        phones.play(1, "rematch")


def test_a_program_s_undo_takes_back_one_move_and_a_touch_the_forced_ones_too(
    tmp_path: Path,
) -> None:
    phones = Phones(tmp_path, f"{SELECTED}; call; nobody; nobody; nobody")
    names = []
    for word in ("nobody", "nobody", "undo", "redo"):  # rank 5 lies face up
        phones.play(1, word)
        names.append(phones.session.view.called)
    assert names == [5, 6, 5, 6]
    moment = phones.page(1).moment
    phones.phones.word(1, "undo", moment, "en", as_caller=True)
    assert phones.session.view.called == 4


def test_events_are_complete_after_the_log_was_removed(tmp_path: Path) -> None:
    Phones(tmp_path).store.close()  # so that the game has another id in the new log
    phones = Phones(tmp_path, SELECTED)
    phones.play(1, "call")
    for path in tmp_path.glob("games.sqlite3*"):
        if path.is_file():
            path.unlink()
    with pytest.raises(StoreError):
        phones.play(0, "reveal Anna")
    version = phones.phones.version
    phones.play(0, "reveal Anna", "gold")
    events = [happening.lines for happening in phones.phones.events(2, "en", version)]
    assert events == [("Anna is the Assassin.",), ("Anna takes 2 gold.",)]
    assert phones.lines()[-1] == "Anna takes 2 gold."


@pytest.mark.parametrize("signed", ["king", "architect"])
def test_the_crown_does_not_learn_which_warrant_is_signed(tmp_path: Path, signed: str) -> None:
    twins = TWINS["signed"]
    before = f"{twins.before}; signed {signed}; gold; end; nobody; nobody; reveal Kurt"
    phones = Phones(tmp_path, f"{before}; gold; build temple", setup=twins.head)
    at_the_table = phones.page(1).caller
    assert at_the_table is not None
    assert [row.label for row in at_the_table.rows] == [
        "Confiscate the Temple",
        "Don't confiscate the Temple",
    ]
    phones.has_phone.add(0)
    alone = phones.page(1)
    assert alone.caller is not None
    assert alone.caller.rows == ()
    with pytest.raises(NotYours):
        phones.play(1, "confiscate")
    with pytest.raises(NotYours):
        phones.phones.take(1, 0, alone.moment, "en", as_caller=True)
    assert phones.phones.move(0, "spare", "en")


def test_the_same_people_play_again_at_the_crown_s_word(tmp_path: Path) -> None:
    phones = Phones(tmp_path, setup={**SHORT_GAME, "players": list(FOUR)})
    phones.play_out()
    while phones.conversation.base.go_on():
        pass
    choices = phones.page(3).caller
    assert choices is not None
    assert [row.label for row in choices.rows] == [
        "Play again with the same names",
        "The scores again",
        "Another game",
    ]
    phones.choose(3, "Play again", as_caller=True)
    assert phones.face.asked_to_do == []  # it asks first
    phones.choose(3, "Yes", as_caller=True)
    phones.play(3, "rematch")
    with pytest.raises(NotYours):
        phones.play(0, "rematch")
    assert phones.face.asked_to_do == ["rematch", "rematch"]


def test_what_is_not_a_seat_s_is_told_in_the_language_of_its_phone(tmp_path: Path) -> None:
    phones = Phones(tmp_path, ANNAS_TURN)
    language.use("de")  # the table's
    with pytest.raises(NotYours) as exception_info:
        phones.phones.word(0, "undo", "", "fr", as_caller=True)
    with language.speaking("fr"):
        assert language.translate(str(exception_info.value)).startswith("Seul")
    assert phones.phones.describe_tap(0, ActionChip("undo"), "fr")[0].startswith("Seul")


@pytest.mark.parametrize(("seat", "move"), [(1, "nobody"), (0, "reveal Anna"), (1, "reveal Anna")])
def test_a_program_makes_the_moves_of_its_seat(tmp_path: Path, seat: int, move: str) -> None:
    phones = Phones(tmp_path, f"{SELECTED}; call")
    assert phones.phones.move(seat, move, "en")


@pytest.mark.parametrize(("seat", "move"), [(0, "nobody"), (0, "reveal Ben"), (2, "kill king")])
def test_a_program_makes_no_move_of_others(tmp_path: Path, seat: int, move: str) -> None:
    phones = Phones(tmp_path, f"{SELECTED}; call")
    with pytest.raises(NotYours):
        phones.play(seat, move)


def test_a_refusal_is_told_to_its_player_alone(tmp_path: Path) -> None:
    phones = Phones(tmp_path, ANNAS_TURN)
    with pytest.raises(Refused):
        phones.play(0, "kill assassin")
    assert phones.lines() == []


SELECTION = SELECTED
CALLED = f"{SELECTED}; choose Anna king; call; nobody; nobody; nobody"
TURN = f"{CALLED}; reveal Anna; gold"


@pytest.mark.parametrize(
    ("moves", "seat", "entry", "foretold", "played"),
    [
        (SELECTION, 0, CharacterChip("king"), "Anna chose the King", ["choose Anna king"]),
        (SELECTION, 0, ActionChip("1"), "Assassin", ["choose Anna assassin"]),
        (SELECTION, 1, CrownChip(), "Everybody has chosen: call the characters", ["call"]),
        (SELECTION, 0, CrownChip(), "This chip does nothing right now.", []),
        (SELECTION, 0, DistrictChip("temple"), "This chip does nothing right now.", []),
        (CALLED, 0, PlayerChip(1), "Anna is the King", ["reveal Anna"]),
        (CALLED, 2, PlayerChip(1), "This chip does nothing right now.", []),
        (TURN, 0, DistrictChip("temple"), "Build the Temple for 1 gold", ["build temple"]),
        (TURN, 0, DistrictChip("palace"), "The Palace costs 5 gold, but Anna has only 4 gold.", []),
        (TURN, 1, DistrictChip("temple"), "It is not your turn: a tap changes nothing.", []),
        (TURN, 0, ActionChip("who"), "who: the crown, the characters and what they did.", []),
        (f"{SELECTED}; call; nobody; reveal Ben; rob king; gold", 3, ActionChip("end"),
         "End the turn", ["end"]),
    ],
)  # fmt: skip
def test_a_tap_does_what_was_foretold_and_foretelling_does_nothing(
    tmp_path: Path, moves: str, seat: int, entry: Entry, foretold: str, played: list[str]
) -> None:
    phones = Phones(tmp_path, moves)
    before = phones.session.referee.moves
    was = len(before), phones.phones.version, phones.changes, phones.page(seat)
    assert phones.phones.describe_tap(seat, entry, "en")[0] == foretold
    after = phones.session.referee.moves
    now = len(after), phones.phones.version, phones.changes, phones.page(seat)
    assert now == was
    phones.phones.tap(seat, entry, b"\x04" * 7, "en")
    accepted = [move.text for move in phones.session.referee.moves][was[0] :]
    assert accepted[: len(played)] == played
    assert bool(accepted) == bool(played)


def test_whoever_has_no_seat_only_reads_what_the_chip_is(tmp_path: Path) -> None:
    phones = Phones(tmp_path, TURN)
    assert phones.phones.describe_tap(None, DistrictChip("temple"), "en")[0] == (
        "Temple: religious district, 1 gold."
    )
    assert phones.phones.describe_tap(None, CrownChip(), "en") == []


def test_a_tap_that_means_several_moves_is_told_as_a_question(tmp_path: Path) -> None:
    district = (
        "build temple; end; nobody; nobody; reveal Kurt; gold; build temple; end; reveal Ben; gold"
    )
    phones = Phones(tmp_path, f"{TURN}; {district}")
    tap = phones.phones.describe_tap(3, DistrictChip("temple"), "en")
    assert tap[0] == "You will be asked which of these you mean:"
    assert len(tap) == 4
    assert phones.phones.offers_adding(3, DistrictChip("temple")) == (True, False)
    assert phones.phones.offers_adding(3, DistrictChip("park")) == (False, False)
    assert phones.phones.offers_adding(3, CrownChip()) == (False, False)


def test_a_phone_that_changes_its_language_is_asked_in_the_new_one(tmp_path: Path) -> None:
    phones = Phones(tmp_path, f"{SELECTED}; choose Kurt assassin; call")
    questions = []
    for code in ("en", "de"):
        page = phones.phones.page(1, code)
        assert page.choices is not None
        assert page.caller is not None
        questions.append((page.choices.rows[0].label, page.caller.question))
    assert questions == [
        ("Kurt is the Assassin", "Rank 1. Who is the Assassin?"),
        ("Kurt ist der Assassine", "Rang 1. Wer ist der Assassine?"),
    ]


def test_an_own_character_comes_with_its_text(tmp_path: Path) -> None:
    phones = Phones(tmp_path, f"{SELECTED}; choose Kurt assassin")
    (own,) = private_of(phones, 1).cards
    assert (own.card, own.name, own.lines[0]) == ("assassin", "Assassin", "Assassin: rank 1.")
    assert private_of(phones, 0).cards == ()


def test_only_rows_about_a_card_name_one(tmp_path: Path) -> None:
    phones = Phones(tmp_path, f"{ANNAS_TURN}; gold")
    names = {row.label: row.card for row in phones.rows(0)}
    assert names["Temple, 1"] == "temple"
    assert names["End the turn"] == ""


def test_a_page_is_still_good_after_the_host_was_started_again(tmp_path: Path) -> None:
    phones = Phones(tmp_path, ANNAS_TURN)
    phones.choose(0, "Murder")
    phones.choose(0, "King")
    page = phones.page(0)
    phones.phones.follow(phones.conversation)
    assert phones.page(0).moment == page.moment


@pytest.mark.parametrize("word", CALLERS_WORDS)
def test_only_the_crowned_player_takes_back_by_a_chip(tmp_path: Path, word: str) -> None:
    phones = Phones(tmp_path, ANNAS_TURN)
    phones.session.undo()  # so that there is something to redo as well
    chip, before = ActionChip(word), len(phones.session.referee.moves)
    text = "Only the player with the crown may do that."
    assert phones.phones.describe_tap(0, chip, "en") == [text]
    with pytest.raises(NotYours, match=text):
        phones.phones.tap(0, chip, b"\x04" * 7, "en")
    assert len(phones.session.referee.moves) == before
    assert phones.phones.describe_tap(1, chip, "en") != [text]
    phones.phones.tap(1, chip, b"\x04" * 7, "en")
    assert len(phones.session.referee.moves) != before


def test_the_crown_notes_cards_only_for_players_without_a_phone(tmp_path: Path) -> None:
    phones = Phones(tmp_path, SELECTED)
    crown = phones.session.view.crown
    phones.has_phone |= {0, 1, 2, 3}
    page = phones.page(crown)
    assert page.caller is not None
    assert page.question == "Which card did you take?"
    assert [row.label for row in page.caller.rows] == ["Everybody has chosen: call the characters"]
    without = (crown + 1) % 4
    phones.has_phone.discard(without)
    phones.choose(crown, "Record secretly", as_caller=True)
    listed = phones.page(crown).caller
    assert listed is not None
    assert len(listed.rows) == 6  # the characters that this one player may have taken


def test_a_count_is_asked_for_what_it_counts(tmp_path: Path) -> None:
    setup = {"players": ["Anna", "Kurt"], "crown": "Anna", "options": {"cities": "counted"}}
    phones = Phones(tmp_path, "counted; counted", setup=setup)
    page = phones.page(0)
    assert page.choices is not None
    assert page.question == page.choices.question == "A tie! Who was your last character?"
