"""What a phone stages large, who has chosen, what can be built, and the end."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.game import playing
from companion.phones.page import Page
from companion.phones.staging import Stage
from tests.companion.phone_seats import ANNAS_TURN, SELECTED, Phones

RECORDED = f"{SELECTED}; choose Anna assassin; choose Ben king; choose Kurt thief"


def stage(phones: Phones, seat: int | None) -> Stage | None:
    return phones.phones.page(seat, "en").stage


def kinds(phones: Phones) -> list[str | None]:
    """The kind of each seat's stage."""
    stages = (stage(phones, seat) for seat in range(4))
    return [None if one is None else one.kind for one in stages]


def test_only_who_recorded_the_called_character_is_called(tmp_path: Path) -> None:
    phones = Phones(tmp_path, f"{RECORDED}; call")
    assert kinds(phones) == ["called", None, None, None]
    view = stage(phones, 0)
    assert view is not None
    assert (view.title, view.card, view.rank) == ("You are called: Assassin", "assassin", 1)


def test_the_murdered_player_alone_is_told_so(tmp_path: Path) -> None:
    phones = Phones(tmp_path, f"{RECORDED}; call; reveal Anna; kill king")
    assert kinds(phones) == [None, None, None, "murdered"]
    view = stage(phones, 3)
    assert view is not None
    assert view.lines == ("You sit this round out.",)
    assert view.loud


def test_a_secret_murder_is_staged_only_once_its_rank_is_called(tmp_path: Path) -> None:
    phones = Phones(tmp_path, f"{RECORDED}; call; reveal Anna; kill king; gold; end", "secret")
    assert "murdered" not in kinds(phones)
    for move in ("reveal Kurt", "gold", "end", "nobody"):
        phones.session.play(move)
    assert phones.session.view.called == 4
    assert kinds(phones)[3] == "murdered"


def test_whose_record_the_table_went_past_is_told_alone(tmp_path: Path) -> None:
    phones = Phones(tmp_path, f"{RECORDED}; call; reveal Anna; gold; end; reveal Kurt; gold; end")
    for _rank in ("magician", "king"):
        phones.session.play("nobody")
    assert kinds(phones) == [None, None, None, "missed"]
    phones.session.undo()
    assert kinds(phones)[3] == "called"


def test_the_public_page_stages_nobody_s_own_moment(tmp_path: Path) -> None:
    phones = Phones(tmp_path, f"{RECORDED}; call; reveal Anna; kill king")
    assert stage(phones, None) is None


def test_every_phone_says_who_has_still_to_choose(tmp_path: Path) -> None:
    phones = Phones(tmp_path, SELECTED)
    phones.has_phone = {0, 1, 3}
    assert phones.phones.page(0, "en").chosen is None
    phones.session.play("choose Anna king")
    selections = [phones.phones.page(seat, "en").chosen for seat in range(4)]
    assert {one.waiting for one in selections if one} == {"Waiting for Kurt and Ben."}
    assert {one.counted for one in selections if one} == {"1 of 4 has chosen."}
    assert [one.own for one in selections if one] == [True, False, False, False]


def page_of_builder(tmp_path: Path) -> tuple[Phones, Page]:
    phones = Phones(tmp_path, f"{ANNAS_TURN}; kill king; gold")
    for district in ("castle", "palace", "tavern"):
        phones.session.tell_hand(0, "add", district)
    return phones, phones.phones.page(0, "en")


def test_what_can_be_built_begins_with_the_told_hand(tmp_path: Path) -> None:
    phones, page = page_of_builder(tmp_path)
    assert page.choices is not None
    assert page.hand is not None
    assert page.hand.lines == (
        *("Your hand: 4 cards.", "Castle, 4.", "Palace, 5.", "Tavern, 1.", "1 is not listed."),
    )
    holdings = [(row.card, row.can, row.short) for row in page.choices.held]
    assert holdings == [("castle", True, 0), ("tavern", True, 0), ("palace", False, 1)]
    assert page.choices.end is not None
    assert "palace" not in [row.card for group in page.choices.types for row in group.rows]
    phones.phones.take(0, page.choices.held[1].row, page.moment, "en")
    assert [card.id for card in phones.session.view.seats[0].city.cards] == ["tavern"]


def test_without_a_told_hand_every_type_is_listed_once(tmp_path: Path) -> None:
    phones = Phones(tmp_path, f"{ANNAS_TURN}; kill king; gold")
    choices = phones.phones.page(0, "en").choices
    assert choices is not None
    assert [group.type for group in choices.types] == [
        *("noble", "religious", "trade", "military", "unique"),
    ]
    rows = [row.row for group in choices.types for row in group.rows]
    others = [*(row.row for row in choices.plain), *([choices.end.row] if choices.end else [])]
    assert sorted([*rows, *others]) == sorted(row.row for row in choices.rows)


@pytest.mark.parametrize("seat", [None, 0, 1])
def test_the_end_names_the_winner_last_and_each_number_once(
    tmp_path: Path, seat: int | None
) -> None:
    game = playing.record()
    phones = Phones(tmp_path, setup=game.setup.data())
    for move in game.moves:
        phones.session.play(move)
    end = phones.phones.page(seat, "en").end
    assert end is not None
    assert end.results[-1].won
    assert [one.place for one in end.results] == sorted(
        (one.place for one in end.results), reverse=True
    )
    winner = end.results[-1]
    assert end.won == (seat == winner.seat)
    assert end.title == f"{winner.name} wins."


def test_with_a_told_hand_one_touch_takes_gold_and_builds(tmp_path: Path) -> None:
    phones = Phones(tmp_path, f"{ANNAS_TURN}; kill king")
    assert not [row for row in phones.rows(0) if row.label.startswith("Take gold, then")]
    for district in ("castle", "palace"):
        phones.session.tell_hand(0, "add", district)
    shortcuts = [row.label for row in phones.rows(0) if row.label.startswith("Take gold, then")]
    assert shortcuts == ["Take gold, then build: Castle, 4", "Take gold, then end the turn"]
    phones.choose(0, shortcuts[0])
    assert [move.text for move in phones.session.referee.moves[-3:-1]] == ["gold", "build castle"]
