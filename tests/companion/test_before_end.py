"""What a turn would end without is asked about once, and named as the choice that it is."""

from __future__ import annotations

import pytest

from companion import language
from engine.moves import make
from tests.companion.talking import Begin
from tests.end_to_end.steps import record_of

CALLED = "faceup thief bishop; call"


UNUSED = {
    "reveal Kurt; gold": "Murder a character",
    "nobody; reveal Kurt; cards": "Rob a character",
    "nobody; nobody; nobody; nobody; nobody; nobody; reveal Kurt; gold": (
        "Draw the Architect's 2 extra cards"
    ),
}


@pytest.mark.parametrize("again", ["end", "+", "next", "9"])
@pytest.mark.parametrize("moves", UNUSED)
def test_a_power_is_asked_about_once_before_it_is_lost(
    begin: Begin, moves: str, again: str
) -> None:
    talk = begin(f"faceup bishop merchant; call; {moves}", forced=False)
    before = talk.moves()
    talk.line("+")
    assert talk.moves() == before
    question = f"You can still choose “{UNUSED[moves]}”. End anyway?"
    assert talk.conversation.asked.question == question
    talk.line(again)
    assert "end" in talk.moves()


def test_everything_that_would_be_lost_is_named_and_each_can_be_taken(begin: Begin) -> None:
    ranks = "; ".join(["nobody"] * 5)
    talk = begin(f"faceup bishop thief; call; {ranks}; reveal Kurt; gold; build tavern")
    talk.line("end")
    assert talk.conversation.asked.question == (
        "You can still choose “Take the income: 1 gold” and “Take the Merchant's extra gold”. "
        "End anyway?"
    )
    talk.line("7")
    assert talk.conversation.asked.question.startswith("You can still choose “Take the income")
    talk.line("8")
    assert talk.moves()[-4:-1] == ["build tavern", "bonus", "income"]


@pytest.mark.parametrize(("yes", "no"), [("yes", "no"), ("y", "n")])
def test_yes_ends_the_turn_anyway_and_no_goes_on(begin: Begin, yes: str, no: str) -> None:
    talk = begin(f"{CALLED}; nobody; nobody; nobody; reveal Anna; gold; build manor")
    talk.line("end")
    talk.line(no)
    assert talk.moves()[-1] == "build manor"
    assert talk.conversation.asked.question == "Anna. Take the income or end?"
    talk.line("end")
    talk.line(yes)
    assert "income" not in talk.moves()
    assert "end" in talk.moves()


YES = [("en", "yes"), ("en", "y"), ("de", "ja"), ("fr", "oui"), ("ru", "да"), ("es", "sí")]


@pytest.mark.parametrize(("code", "yes"), YES)
def test_yes_answers_whatever_asks_yes_or_no(begin: Begin, code: str, yes: str) -> None:
    talk = begin("faceup assassin thief")
    talk.conversation.playing.with_forced = False
    language.use(code)
    talk.line(yes)
    talk.line(yes)
    talk.line(yes)
    assert talk.moves()[-3:] == ["call", "nobody", "nobody"]
    before = talk.moves()
    talk.line(yes)  # who is the Magician?
    assert talk.moves() == before
    talk.line("Anna")
    talk.line(yes)  # gold or cards?
    assert talk.moves()[-1] == "reveal Anna"
    talk.line("1")
    talk.line(yes)  # build, swap or end?
    assert talk.moves()[-1] == "gold"


@pytest.mark.parametrize(("code", "no"), [("en", "no"), ("fr", "non"), ("es", "no")])
def test_no_does_not_carry_on(begin: Begin, code: str, no: str) -> None:
    talk = begin("faceup assassin thief; call")
    talk.conversation.playing.with_forced = False
    language.use(code)
    for _again in range(2):
        (said,) = talk.line(no)
        assert no in said
    assert talk.moves()[-1] == "call"
    talk.line("nobody")
    assert talk.moves()[-1] == "nobody"


def test_the_key_y_is_yes_where_nothing_else_is(begin: Begin) -> None:
    talk = begin("faceup assassin thief")
    talk.conversation.playing.with_forced = False
    talk.keys("y y y")
    assert talk.moves()[-1] == "nobody"
    assert talk.conversation.asked.question == "Rank 3. Who is the Magician?"
    assert talk.keys("y") == ["“y” does nothing now."]


def test_yes_ends_a_turn_with_nothing_left(begin: Begin) -> None:
    talk = begin(f"{CALLED}; nobody; nobody; nobody; reveal Anna; gold; build manor; income")
    assert talk.conversation.asked.question == "Anna. End the turn?"
    talk.line("yes")
    assert "end" in talk.moves()


def test_yes_ends_no_turn_that_is_asked_for_gold_or_cards(begin: Begin) -> None:
    talk = begin("faceup assassin thief; call", edition="brettspielwelt")
    for line in ("nobody", "nobody", "Anna", "build tavern"):
        talk.line(line)
    assert talk.conversation.asked.question == "Anna. Gold or cards?"
    assert make("end") in talk.conversation.legal
    before = talk.moves()
    talk.line("yes")
    talk.keys("y")
    assert talk.moves() == before


@pytest.mark.parametrize(("word", "move"), [("yes", "rescue Anna"), ("no", "leave")])
def test_an_offer_is_answered_by_yes_or_no(begin: Begin, word: str, move: str) -> None:
    moves = record_of("whole_game").moves
    talk = begin("; ".join(moves[: moves.index("rescue Anna")]))
    talk.line(word)
    assert move in talk.moves()[-2:]


@pytest.mark.parametrize(
    ("word", "answer"), [("yes", "confiscate"), ("y", "confiscate"), ("no", "spare")]
)
def test_yes_or_no_to_what_one_player_knows_alone_asks_in_private(
    begin: Begin, word: str, answer: str
) -> None:
    game = record_of("editions/deluxe_2016.devious_dignitaries")
    talk = begin(**game.setup._asdict())
    for move in game.moves[: game.moves.index("confiscate")]:
        talk.session.play(move)
    assert talk.conversation.asked.question == "Zoë. Confiscate the Tavern?"
    before = len(talk.moves())
    talk.conversation.line(word, in_public=True)
    assert talk.conversation.asked.private
    talk.line(word)
    assert talk.moves()[before] == answer
