"""What happens by itself is told to everybody together with the move that caused it."""

from __future__ import annotations

import pytest

from tests.companion.talking import Begin

CAST = ("assassin", "thief", "magician", "king", "bishop", "merchant", "architect", "warlord")
FIVE = ("Anna", "Kurt", "Ashley", "Ben", "Zoe")
TO_THE_QUEEN = (
    "faceup assassin bishop; call; nobody; nobody; nobody; reveal Anna; gold; end; "
    "nobody; nobody; nobody; nobody"
)


@pytest.mark.parametrize("edition", ["ffg_2005", "deluxe_2016"])
@pytest.mark.parametrize(
    ("queen", "sentences"), [("Kurt", ["Kurt, the Queen, gets 3 gold."]), ("Ashley", [])]
)
def test_a_queen_beside_the_king_is_told_to_get_gold(
    begin: Begin, edition: str, queen: str, sentences: list[str]
) -> None:
    talk = begin(TO_THE_QUEEN, edition=edition, players=FIVE, characters=(*CAST, "queen"))
    assert talk.line(f"reveal {queen}")[1:] == sentences


def test_a_builder_is_told_to_leave_gold_for_the_tax_collector(begin: Begin) -> None:
    moves = "faceup thief magician bishop; call; reveal Anna; gold"
    talk = begin(moves, edition="deluxe_2016", characters=(*CAST, "tax_collector"))
    assert talk.line("build temple")[1:] == ["Anna leaves 1 gold for the Tax Collector."]


def test_a_builder_is_told_to_pay_the_older_tax_collector(begin: Begin) -> None:
    moves = "faceup magician bishop; call; reveal Anna; gold; build temple; end"
    cast = [character.replace("thief", "tax_collector_2004") for character in CAST]
    talk = begin(moves, edition="ffg_2005", characters=tuple(cast))
    assert talk.line("reveal Ben")[1:] == ["Anna pays 1 gold to the Tax Collector."]


@pytest.mark.parametrize(
    ("real", "sentences"),
    [
        ("real merchant", ["The threat is real.", "Anna pays 4 gold."]),
        ("real king", ["The threat is fake."]),
        ("", ["The threat is real.", "Anna pays 4 gold."]),
    ],
)
def test_a_threat_that_is_revealed_is_told_to_be_real_or_fake(
    begin: Begin, real: str, sentences: list[str]
) -> None:
    cast = [character.replace("thief", "blackmailer") for character in CAST]
    moves = ["faceup magician bishop", "call", "nobody", "reveal Ben", "threats king merchant"]
    moves += [*filter(None, [real]), "gold", "end", "nobody", "nobody", "nobody"]
    moves += ["reveal Anna", "gold", "refuse"]
    talk = begin("; ".join(moves), edition="deluxe_2016", characters=tuple(cast))
    line = "expose" if real else "expose real"
    assert talk.line(line)[1:] == sentences
