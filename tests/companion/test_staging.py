"""What a phone stages large, who has chosen, what can be built, and the end."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.game.demonstration import read_demo
from companion.phones.phone_table import NotYours
from companion.phones.staging import Stage
from tests.companion.phone_seats import ANNAS_TURN, SELECTED, Phones

RECORDED = f"{SELECTED}; choose Anna assassin; choose Ben king; choose Kurt thief"


def stage(phones: Phones, seat: int | None) -> Stage | None:
    return phones.page(seat).stage


def kinds(phones: Phones) -> list[str | None]:
    """The kind of each seat's stage; the public page has none."""
    assert stage(phones, None) is None
    stages = (stage(phones, seat) for seat in range(4))
    return [None if one is None else one.kind for one in stages]


def news(phones: Phones, seat: int) -> Stage | None:
    """What that seat's player learns on holding."""
    private = phones.page(seat).private
    return None if private is None else private.news


def kinds_of_news(phones: Phones) -> list[str | None]:
    """The kind of each seat's news."""
    found = (news(phones, seat) for seat in range(4))
    return [None if one is None else one.kind for one in found]


def test_only_who_recorded_the_called_character_is_called(tmp_path: Path) -> None:
    phones = Phones(tmp_path, f"{RECORDED}; call")
    assert kinds(phones) == ["called", None, None, None]
    view = stage(phones, 0)
    assert view is not None
    assert (view.title, view.card, view.rank) == (
        "The Assassin: that's you! Show your card.",
        "assassin",
        1,
    )


def test_the_murdered_player_alone_is_told_so(tmp_path: Path) -> None:
    phones = Phones(tmp_path, f"{RECORDED}; call; reveal Anna; kill king")
    assert kinds(phones) == [None, None, None, None]
    assert kinds_of_news(phones) == [None, None, None, "murdered"]
    view = news(phones, 3)
    assert view is not None
    assert view.lines == ("You sit this round out.",)


def test_a_secret_murder_is_told_only_once_its_rank_is_called(tmp_path: Path) -> None:
    phones = Phones(tmp_path, f"{RECORDED}; call; reveal Anna; kill king; gold; end", "secret")
    assert "murdered" not in kinds_of_news(phones)
    for move in ("reveal Kurt", "gold", "end", "nobody"):
        phones.session.play(move)
    assert phones.session.view.called == 4
    assert kinds_of_news(phones)[3] == "murdered"
    assert kinds(phones)[3] is None  # it stays as the others


def test_whose_record_the_table_went_past_is_told_alone(tmp_path: Path) -> None:
    phones = Phones(tmp_path, f"{RECORDED}; call; reveal Anna; gold; end; reveal Kurt; gold; end")
    for _rank in ("magician", "king"):
        phones.session.play("nobody")
    assert kinds(phones) == [None, None, None, None]
    assert kinds_of_news(phones) == [None, None, None, "missed"]
    phones.session.undo()
    assert kinds(phones)[3] == "called"


def great(phones: Phones) -> tuple[str, ...]:
    """What the television shows large."""
    moment = phones.page(None).great
    return () if moment is None else moment.lines


def told(phones: Phones) -> list[str]:
    """What the page of everybody tells."""
    return [line.text for line in phones.page(None).told]


@pytest.mark.parametrize(
    ("moves", "lines"),
    [
        (f"{ANNAS_TURN}; kill king", ("Anna murders the King.",)),
        (f"{ANNAS_TURN}; kill king; gold", ()),
        (
            f"{SELECTED}; call; nobody; reveal Kurt; gold; rob king; end; nobody; reveal Ben",
            ("Kurt steals 2 gold from Ben.", "Ben is the King and takes the crown."),
        ),
        (
            f"{ANNAS_TURN}; gold; build tavern; end; nobody; nobody; nobody; nobody; nobody;"
            " nobody; reveal Ben; gold; destroy Anna tavern",
            ("Ben destroys Anna's Tavern for free.",),
        ),
    ],
)
def test_a_great_moment_fills_the_television_until_the_next_move(
    tmp_path: Path, moves: str, lines: tuple[str, ...]
) -> None:
    phones = Phones(tmp_path, moves)
    assert great(phones) == lines
    assert set(lines) <= set(told(phones))
    phones.session.undo()
    phones.session.redo()
    assert great(phones) == lines


def test_a_secret_murder_fills_the_television_at_its_call(tmp_path: Path) -> None:
    phones = Phones(tmp_path, f"{SELECTED}; call; reveal Anna; kill magician; gold", "secret")
    assert great(phones) == ()
    for move in ("end", "nobody"):
        assert "The Magician was murdered." not in told(phones)
        phones.session.play(move)
    assert great(phones) == ("The Magician was murdered.",)
    assert "The Magician was murdered." in told(phones)
    for _rank in ("the Magician's own, which passes by itself", "the King's"):
        phones.session.play("nobody")
    assert great(phones) == ()


def test_a_secret_robbery_fills_the_television_when_its_victim_shows_himself(
    tmp_path: Path,
) -> None:
    before = f"{SELECTED}; call; nobody; reveal Kurt; gold; rob king; end; nobody"
    phones = Phones(tmp_path, before, "secret")
    assert great(phones) == ()
    phones.session.play("reveal Ben")
    assert great(phones)[0] == "Kurt steals 2 gold from Ben."


def test_the_thief_is_told_what_he_got(tmp_path: Path) -> None:
    before = f"{SELECTED}; call; nobody; reveal Kurt; gold; rob king; end; nobody; reveal Ben"
    phones = Phones(tmp_path, before)
    view = stage(phones, 1)
    assert view is not None
    assert view.title == "You have stolen 2 gold from Ben."
    assert stage(phones, 0) is None


def test_every_phone_says_who_has_still_to_choose(tmp_path: Path) -> None:
    phones = Phones(tmp_path, SELECTED)
    phones.has_phone = {0, 1, 3}
    before = phones.page(0).chosen
    assert before is not None
    assert (before.counted, before.waiting) == ("", "")
    assert [name for name, _done in before.players] == ["Kurt", "Ashley", "Ben", "Anna"]
    phones.session.play("choose Anna king")
    selections = [phones.page(seat).chosen for seat in range(4)]
    assert {one.waiting for one in selections if one} == {"Waiting for Kurt and Ben."}
    assert {one.counted for one in selections if one} == {"1 of 4 has chosen."}
    assert [one.own for one in selections if one] == [True, False, False, False]
    assert {tuple(name for name, done in one.players if done) for one in selections if one} == {
        ("Anna",)
    }
    assert all("has chosen a character" not in line for line in told(phones))


def test_who_noted_what_somebody_else_shows_is_told_alone(tmp_path: Path) -> None:
    phones = Phones(tmp_path, f"{RECORDED}; call; reveal Kurt")
    assert kinds(phones) == [None, None, None, None]
    assert kinds_of_news(phones) == ["missed", None, None, None]
    view = news(phones, 0)
    assert view is not None
    assert view.title == "Kurt has shown the Assassin, which you have noted too."


def test_what_can_be_built_begins_with_the_told_hand(tmp_path: Path) -> None:
    phones = Phones(tmp_path, f"{ANNAS_TURN}; kill king; gold")
    for district in ("castle", "palace", "tavern"):
        phones.session.tell_hand(0, "add", district)
    page = phones.page(0)
    assert page.choices is not None
    assert page.hand is not None
    assert page.hand.lines == (
        *("Your hand: 4 cards.", "Castle, 4.", "Palace, 5.", "Tavern, 1.", "1 is not listed."),
    )
    holdings = [(row.card, row.can, row.brief) for row in page.choices.held]
    assert holdings == [("castle", True, ""), ("tavern", True, ""), ("palace", False, "1 short")]
    assert page.choices.end is not None
    assert "palace" in [row.card for group in page.choices.types for row in group.rows]
    phones.phones.take(0, page.choices.held[1].row, page.moment, "en")
    assert [card.id for card in phones.session.view.seats[0].city.cards] == ["tavern"]


def test_without_a_told_hand_every_type_is_listed_once(tmp_path: Path) -> None:
    phones = Phones(tmp_path, f"{ANNAS_TURN}; kill king; gold")
    choices = phones.page(0).choices
    assert choices is not None
    assert [group.type for group in choices.types] == [
        *("noble", "religious", "trade", "military", "unique"),
    ]
    rows = [row.row for group in choices.types for row in group.rows]
    others = [*(row.row for row in choices.plain), *([choices.end.row] if choices.end else [])]
    assert sorted([*rows, *others]) == sorted(row.row for row in choices.rows)


def play_demo(tmp_path: Path, has_phone: set[int]) -> Phones:
    game = read_demo()
    phones = Phones(tmp_path, setup=game.setup.data())
    phones.has_phone |= has_phone
    for move in game.moves[:-1]:
        phones.session.play(move)
    phones.conversation.line(game.moves[-1])
    return phones


def titles(phones: Phones) -> list[str | None]:
    """The part of the scores on the television and on each phone."""
    pages = [phones.page(seat) for seat in (None, 0, 1, 2, 3)]
    return [one.part.title if one.part else None for one in pages]


def go_on(phones: Phones, seat: int) -> None:
    moment = phones.page(seat).moment
    phones.phones.word(seat, "next", moment, "en")


def test_the_end_is_one_ceremony_for_all_screens(tmp_path: Path) -> None:
    phones = play_demo(tmp_path, {0, 1, 2, 3})
    crown = phones.session.view.crown
    other = (crown + 1) % 4
    assert titles(phones) == ["Districts"] * 5
    told = " ".join(line.text for line in phones.page(None).told)
    assert "wins" not in told
    go_on(phones, crown)
    assert titles(phones) == ["Five types"] * 5
    with pytest.raises(NotYours):
        go_on(phones, other)
    assert phones.conversation.base.go_on()  # Enter at the computer
    assert titles(phones) == ["Complete cities"] * 5
    late = phones.page(crown).moment
    go_on(phones, crown)
    phones.phones.word(crown, "next", late, "en")  # touched twice
    assert titles(phones) == ["Unique districts"] * 5
    phones.has_phone.discard(crown)
    assert phones.page(other).goes_on
    go_on(phones, other)
    assert titles(phones) == ["The winner"] * 5
    go_on(phones, other)
    assert titles(phones) == [None] * 5
    assert phones.page(None).end is not None


@pytest.mark.parametrize("seat", [None, 0, 1])
def test_the_end_names_the_winner_first_and_each_number_once(
    tmp_path: Path, seat: int | None
) -> None:
    phones = play_demo(tmp_path, set())
    while phones.conversation.base.go_on():
        pass
    end = phones.page(seat).end
    assert end is not None
    assert end.results[0].won
    assert [one.place for one in end.results] == sorted(one.place for one in end.results)
    winner = end.results[0]
    assert end.won == (seat == winner.seat)
    assert end.title == f"{winner.name} wins."


def test_whoever_deals_is_asked_without_their_name(tmp_path: Path) -> None:
    phones = Phones(tmp_path)
    asked = [phones.page(seat).question for seat in (None, 0, 1)]
    others = "Kurt. Discard 2 characters face up."
    assert asked == [others, others, "Discard 2 characters face up."]


def test_a_guided_round_is_explained_on_every_page(tmp_path: Path) -> None:
    phones = Phones(tmp_path, "faceup bishop merchant")
    phones.session.teacher.switch(True)
    opening = phones.page(1).lesson
    assert len(opening) == 6
    assert phones.page(None).lesson == opening
    phones.session.play("call")
    for seat in (None, 0, 1):
        assert phones.page(seat).lesson[0].endswith("“Rank 1, the Assassin!”")


def test_with_two_characters_each_the_second_note_is_asked_for(tmp_path: Path) -> None:
    setup = {"players": ["Anna", "Ben", "Cem"], "crown": "Anna"}
    phones = Phones(tmp_path, setup=setup)
    asked = [phones.page(1).question]
    for rank in (1, 4):
        row = next(row for row in phones.rows(1) if row.number == rank)
        phones.phones.take(1, row.row, phones.page(1).moment, "en")
        asked.append(phones.page(1).question)
    assert asked[0] == "Which card did you take?"
    assert asked[1] == "Which is your second card?"
    assert asked[2] not in asked[:2]
