"""Choosing the cast: on the command line, by questions, at random, and in a record."""

from __future__ import annotations

import random

import pytest

from companion import setup
from companion.commands.cli import main
from companion.settings import config
from companion.setup import PlayOptions, casting
from companion.setup.draft import Draft
from engine import casts, record
from engine.editions import editions
from engine.record import Setup
from tests.companion.listening import Listener, companion, complaints

Capture = pytest.CaptureFixture[str]
Monkey = pytest.MonkeyPatch
NAMES = ("Anna", "Ben", "Clara", "Dan", "Eve", "Finn", "Gwen", "Hal")
NEW = ("play", "--plain", "--new", "--reader", "none")


class Settings:
    """The settings that `setup` reads."""

    edition = "classic_2016"
    secrecy = "announced"


def agreed(**options: object) -> Setup:
    """The set-up that the options of `play` make."""
    return setup.from_options(PlayOptions(**options), Settings())  # type: ignore[arg-type]


def test_every_legal_cast_can_be_drawn() -> None:
    chance = random.Random(7)
    for edition in editions().values():
        for players in range(edition.min_players, edition.max_players + 1):
            able = {id_ for ids in casts.candidates(edition, players).values() for id_ in ids}
            drawn: set[str] = set()
            for _ in range(150):
                drawn.update(casts.draw(edition, players, chance.choice).characters)
            assert drawn == able


def test_districts_taken_out_with_a_character_cannot_be_chosen() -> None:
    millennium = editions()["millennium_3e"]
    witch = ("witch", *millennium.cast[1:])
    assert "hospital" not in casts.uniques(millennium, witch)
    assert {"hospital", "graveyard"} <= set(casts.uniques(millennium, millennium.cast))


def test_who_has_a_choice() -> None:
    choosing = {id_ for id_, edition in editions().items() if casts.has_choice(edition, 5)}
    assert choosing == {"millennium_3e", "ffg_2005", "deluxe_2016"}


def test_who_plays_for_the_queen_is_chosen_or_drawn_by_lot(monkeypatch: Monkey) -> None:
    four = {"edition": "deluxe_2016", "players": NAMES[:4]}
    for ninth in ("artist", "tax_collector"):
        result = agreed(**four, cast=f"Devious Dignitaries with {ninth}")
        assert result.characters is not None
        assert result.characters[8:] == (ninth,)
        monkeypatch.setattr(setup, "chance", lambda able, n=ninth: next(w for w in able if n in w))
        result = agreed(**four, cast="devious_dignitaries")
        assert result.characters is not None
        assert result.characters[8:] == (ninth,)


def test_a_draft_draws_the_lot_once() -> None:
    draft = Draft(config.load({}), "deluxe_2016", "announced", [*NAMES[:4]])
    assert casting.choose_cast(draft, "devious_dignitaries") == []
    characters = draft.list_playing()
    assert {draft.list_playing() for _ in range(20)} == {characters}
    assert draft.name_cast() in (
        "Devious Dignitaries with the Artist", "Devious Dignitaries with the Tax Collector"
    )  # fmt: skip
    casting.choose_character(draft, "tax_collector")
    assert draft.list_playing()[8:] in (("tax_collector",), ())
    assert casting.choose_cast(draft, "devious_dignitaries_with_artist") == []
    assert draft.list_playing()[8:] == ("artist",)
    draft.players.append("Eve")
    assert draft.list_playing()[8:] == ("queen",)


@pytest.mark.parametrize("name", ["vicious_nobles", "Vicious-Nobles", " vicious nobles "])
def test_a_cast_has_its_name_whatever_stands_between_the_words(name: str) -> None:
    options = PlayOptions(edition="deluxe_2016", players=(*NAMES[:4],))
    draft = Draft.of(options, config.load({}), None)
    assert casting.choose_cast(draft, name) == []
    asked_for = Draft.of(options._replace(cast=name), config.load({}), None)
    assert [draft.name_cast(), asked_for.name_cast()] == ["Vicious Nobles"] * 2


@pytest.mark.outer
def test_a_record_of_a_chosen_cast_replays(capsys: Capture) -> None:
    words = ["play", "--plain", "--reader", "none", "--edition", "deluxe_2016"]
    words += ["--players", "Anna,Ben,Clara,Dan,Eve", "--cast", "Devious Dignitaries"]
    result = companion(*words, stdin="faceup seer wizard\nfaceup thief wizard\ncall\n")
    assert "Refused: " in result.stdout
    assert companion("record").stdout.count("characters: [magistrate, blackmailer, wizard, ") == 1
    new_setup = agreed(edition="ffg_2005", players=NAMES[:5], cast="random")
    assert record.read_setup(new_setup.data()) == new_setup
    assert new_setup.ruleset().cast == new_setup.characters


def test_characters_one_by_one() -> None:
    choice = ("witch", "thief", "wizard", "king", "abbot", "merchant", "navigator", "diplomat")
    result = agreed(edition="millennium_3e", players=NAMES[:4], characters=choice)
    assert result.characters == choice
    assert "hospital" not in result.ruleset().uniques
    districts = ("keep", "library")
    assert agreed(players=NAMES[:4], districts=districts).ruleset().uniques == districts
    assert agreed(players=NAMES[:4], cast="ordinary").characters is None


@pytest.mark.parametrize(
    ("words", "messages"),
    [
        (["--cast", "vicious_nobels"], "--cast: Citadels (2016) has no cast “vicious_nobels”"),
        (["--cast", "vicious_nobels"], "did you mean “vicious_nobles”?"),
        (["--cast", "random", "--characters", "king"], "cannot be combined"),
        (["--cast", "random", "--resume"], "--resume continues"),
        (["--characters", "kign"], "--characters: “kign” is not a character in Citadels (2016)"),
        (["--characters", "assassin,witch"], "the cast already has a character of rank 1"),
        (["--districts", "keep", "--players", "A,B,C"], "plays exactly 14 unique districts"),
        (["--districts", "kepe", "--players", "A,B,C"], "did you mean “keep”?"),
    ],
)
def test_what_is_no_cast(words: list[str], messages: str, capsys: Capture) -> None:
    assert main(["play", "--plain", "--edition", "deluxe_2016", *words]) == 2
    assert messages in capsys.readouterr().err


@pytest.mark.outer
def test_a_cast_that_suits_some_table_waits_for_the_players() -> None:
    queen = "assassin,thief,magician,king,bishop,merchant,architect,warlord,queen"
    words = (*NEW, "--edition", "deluxe_2016", "--characters", queen)
    result = companion(*words, stdin="A,B,C\nA,B,C,D,E\n\n")
    assert result.returncode == 0
    assert "Refused: “queen” is for 5 to 8 players." in result.stdout
    assert "Citadels (2016), 5 players." in result.stdout
    assert "Which characters?" not in result.stdout


# -- by questions ---------------------------------------------------------------------------


def told_of_cast(*answers: str) -> list[str]:
    """What a table of five with the largest box is told that answers so about the cast."""
    lines = ("Anna,Ben,Clara,Dan,Eve", *answers, "")
    stdin = "".join(f"{line}\n" for line in lines)
    told = companion(*NEW, "--edition", "deluxe_2016", stdin=stdin).stdout.splitlines()
    assert len([line for line in told if line.startswith("Refused: ")]) == len(answers) - 1
    assert complaints(told) == []
    return told


@pytest.mark.outer
@pytest.mark.parametrize(
    ("answers", "characters"),
    [
        ([""], ""),  # the ordinary cast
        (
            ["3"],
            "Magistrate, Thief, Wizard, Patrician, Bishop, Trader, Architect, Marshal and Queen.",
        ),
        (
            ["vicious_nobel", "kng, thief", "ma, thief", "vicious nobles"],
            "Assassin, Thief, Magician, Patrician, Cardinal, Merchant, Navigator",
        ),
        (
            ["witch, spy, seer, patr, abb, tra, scho, dipl"],
            "Witch, Spy, Seer, Patrician, Abbot, Trader, Scholar and Diplomat.",
        ),
    ],
    ids=["enter", "by number", "by name after slips", "one by one"],
)
def test_the_cast_that_was_asked_for_is_told(answers: list[str], characters: str) -> None:
    told = [line for line in told_of_cast(*answers) if line.startswith("Characters: ")]
    assert len(told) == bool(characters)
    assert all(line.startswith(f"Characters: {characters}") for line in told)


@pytest.mark.outer
def test_a_box_without_a_choice_is_not_asked() -> None:
    told = companion(*NEW, stdin="Anna,Ben,Clara,Dan\n").stdout.splitlines()
    at = told.index("4 players: Anna, Ben, Clara and Dan.")
    assert told[at + 1].startswith("Who starts with the crown")


# -- what is in force -----------------------------------------------------------------------


@pytest.mark.outer
def test_the_rules_in_force_are_told() -> None:
    words = ("--edition", "millennium_3e", "--players", "A,B,C,D", "--option", "city_size=7")
    with Listener("--new", *words, "--option", "tie_break=gold", new=False) as caller:
        names = caller.hear()
        assert "Citadelles, 3rd edition (Millennium), 4 players." in names
        assert "A city is complete with 7 districts." in names
        text = "House rule: How are ties broken? The gold left."
        assert text in names
        rules = caller.tell("rules")
        assert text in rules
        assert any(line.startswith("Unique districts: Haunted Quarter") for line in rules)
        assert any(line.startswith("When can the Warlord destroy a district? As") for line in rules)
        assert not any("Abbot" in line for line in rules)  # not asked: he is not in the cast
        assert complaints(caller.transcript) == []
