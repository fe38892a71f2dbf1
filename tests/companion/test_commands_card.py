"""`companion card`: finds a card by any of its names, and shows it as in the table's box."""

from __future__ import annotations

import pytest

from companion.commands.card import Unclear, find
from companion.commands.cli import main
from companion.language import list_offered
from engine import cards, datafiles, words
from tests.companion.past_games import lines_of, text_of

Capture = pytest.CaptureFixture[str]


@pytest.mark.parametrize(
    ("name", "card"),
    [
        ("TEMPLE", "temple"),
        ("school of magic", "school_of_magic"),
        ("sch", "school_of_magic"),
        ("magic", "magician"),  # a match at the start of a name ranks above one inside it
        ("wall", "great_wall"),
        ("Château", "castle"),
        ("chateau", "castle"),
        ("Condottiere", "warlord"),
        ("Храм", "temple"),
        ("Manufacture", "smithy"),  # and the Factory, but that is in another box
        ("Battlefield", "barracks"),
    ],
)
def test_names(name: str, card: str) -> None:
    assert find(name, "classic_2016", "en") == card


def test_the_same_letters_are_another_card_in_another_language() -> None:
    assert find("Port", "classic_2016", "fr") == "harbor"
    assert find("Порт", "classic_2016", "ru") == "docks"


def test_the_box_decides_between_cards_of_one_name() -> None:
    assert find("Tax Collector", "ffg_2005", "en") == "tax_collector_2004"
    assert find("Tax Collector", "deluxe_2016", "en") == "tax_collector"
    with pytest.raises(Unclear):  # in these boxes both the Smithy and the Factory were called so
        find("Manufacture", "deluxe_2016", "fr")


@pytest.mark.parametrize("name", ["m", "tax collector", "bailli", "Мытарь"])
def test_several_cards_are_offered(name: str, capsys: Capture) -> None:
    assert main(["card", name]) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert "could be several cards" in output.err
    assert output.err.count("\n") > 2


def test_a_near_miss_is_offered(capsys: Capture) -> None:
    assert main(["card", "observatry"]) == 2
    assert "did you mean “Observatory (observatory)”?" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["", " ", "_", "!", "xyzzy", "\x00", "😀", "x" * 10_000])
def test_no_card(name: str, capsys: Capture) -> None:
    assert main(["card", name]) == 2
    err = capsys.readouterr().err
    assert "is no card" in err
    assert len(err) < 200


def test_several_words_are_one_name_or_several_cards(capsys: Capture) -> None:
    assert text_of(capsys, "card", "school", "of", "magic").count("Id: ") == 1
    lines = lines_of(capsys, "card", "keep", "castle")
    assert [line for line in lines if line.startswith("Id: ")] == [
        "Id: keep",
        "Id: castle",
    ]
    assert main(["card", "keep", "xyzzy"]) == 2
    assert "keep xyzzy" in capsys.readouterr().err


def test_every_card_is_found_by_id_and_name(capsys: Capture) -> None:
    for card in (*datafiles.load("characters"), *datafiles.load("districts")):
        assert f"Id: {card}\n" in text_of(capsys, "card", card)
    for card in cards.districts("classic_2016"):
        for language in list_offered():
            assert find(words.card(card, language), "classic_2016", language) == card


def test_a_card_of_this_box(capsys: Capture) -> None:
    printed = text_of(capsys, "card", "--edition", "ffg_2005", "ball_room")
    assert "Salle de Bal (" in printed
    assert "Бальный зал (ru)" in printed
    codes: dict[str, list[str]] = {}
    for code, name in words.printed_names("laboratory"):
        if code != "en":
            codes.setdefault(name, []).append(code)
    assert "fr" in codes["Laboratoire"]
    others = [f"{name} ({', '.join(of_it)})" for name, of_it in codes.items()]
    assert lines_of(capsys, "card", "laboratory") == [
        "Laboratory",
        "District, unique, costs 5 gold, 1 copy in Citadels Classic (2016)",
        cards.text_of("laboratory", "classic_2016").text,
        f"Source: {cards.text_of('laboratory', 'classic_2016').source}.",
        "Other printed names: " + ", ".join(others),
        "Id: laboratory",
    ]


def test_a_card_of_another_box_says_so(capsys: Capture) -> None:
    text = text_of(capsys, "card", "witch")
    assert "Not in Citadels Classic (2016), only in: Citadelles, 3rd edition (Millennium), " in text
    assert "Ruling: " in text


def test_a_card_as_another_box_means_it(capsys: Capture) -> None:
    text = text_of(capsys, "card", "laboratory", "--edition", "ffg_2005")
    assert "1 copy in Citadels with The Dark City (2005)" in text
    assert cards.text_of("laboratory", "ffg_2005").text in text
    assert "Source: FFG 2005 cards, unique districts." in text
    assert main(["card", "--edition", "ffg_2006", "laboratory"]) == 2
    assert "did you mean “ffg_2005”?" in capsys.readouterr().err


def test_a_ruling_of_ours_is_marked(capsys: Capture) -> None:
    assert "\nRuling: ours — " in text_of(capsys, "card", "marshal", "--edition", "deluxe_2016")


def test_the_language_of_the_table(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_LANGUAGE", "ru")
    text = text_of(capsys, "card", "temple")
    assert text.startswith("Храм\n")
    assert cards.text_of("temple", "classic_2016", "ru").text in text


def test_unclear_names_carry_their_candidates() -> None:
    with pytest.raises(Unclear) as exception_info:
        find("ma", "classic_2016", "en")
    offers = {line.split(":")[0].strip() for line in exception_info.value.candidates}
    assert offers == {"magician", "manor", "market", "map_room"}


@pytest.mark.parametrize(
    ("code", "edition", "names"),
    [
        ("de", "ffg_2005", "Beschwörer, Intrigant, Ablassprediger, Eroberer"),
        ("de", "ffg_2005", "Meuchler, Prediger, Händler"),
        ("fr", "deluxe_2016", "Magicienne, Marchande"),
    ],
)
def test_a_card_is_called_as_its_box_prints_it(
    code: str, edition: str, names: str, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_LANGUAGE", code)
    for name in names.split(", "):
        assert lines_of(capsys, "card", "--edition", edition, name)[0] == name


@pytest.mark.parametrize(
    ("code", "edition", "printed"),
    [
        ("de", "brettspielwelt", "Meuchler"),
        ("de", "ffg_2005", "Prediger"),
        ("fr", "deluxe_2016", "Magicienne"),
        ("ru", "hobby_world_2022", "из них бонусных: 14"),
    ],
)
def test_a_box_is_listed_in_its_own_words(
    code: str, edition: str, printed: str, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_LANGUAGE", code)
    for typed in (["editions", edition], ["editions"]):
        assert main(typed) == 0
        assert printed in capsys.readouterr().out


@pytest.mark.parametrize("code", list_offered())
def test_every_name_has_its_source_or_is_marked(code: str) -> None:
    data = datafiles.load_shipped(f"names.{code}")
    assert data["sources"].keys() >= {"cards", *data.get("printings", {})}
    assert data["cards"].keys() >= {*data["unprinted"]}
