"""Input in the user's language: commands, verbs, names in every form, prefixes."""

from __future__ import annotations

import pytest

from common.sentences import Typed
from companion import chips, language, verbs
from companion.commands.card import printings_of
from companion.game.typed import refuse_unknown, spell_move, understand
from companion.language import list_offered, vocabulary
from companion.language.vocabulary import card_names, match_names, names_of_cards, player_names
from engine import record
from engine.editions import editions
from engine.moves import GRAMMAR, Move
from engine.record import Setup
from engine.words import is_anothers, printed_names
from scripts import unfinished
from tests.companion.tables import begin_table
from tests.engine.boxes import EDITIONS, random_setup
from tests.engine.playing import random_game
from tests.sizes import pick_in_turn, pick_size

OFFERED = list_offered()
LANGUAGES = [code for code in OFFERED if code != "en"]


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_word_has_one_in_the_language(code: str) -> None:
    for kind, english in unfinished.list_words_to_type().items():
        assert language.words_of(code)[kind].keys() == english


@pytest.mark.parametrize("code", [*LANGUAGES, "en"])
def test_every_word_means_one_thing_in_other_letters_too(code: str) -> None:
    language.use(code)
    for english, own in vocabulary._words("commands").items():
        for word in own:
            assert vocabulary.translate_line(word) == english
            assert vocabulary.translate_line(vocabulary.spell_out(word)) == english
    for english, own in vocabulary._words("verbs").items():
        for word in own:
            assert vocabulary.verbs(word, GRAMMAR) == [english]
            assert vocabulary.verbs(vocabulary.spell_out(word), GRAMMAR) == [english]


@pytest.mark.parametrize("code", LANGUAGES)
def test_no_word_for_a_chip_is_a_card_s_name(code: str) -> None:
    language.use(code)
    for card in chips.load_catalogue().cards:
        for name in card_names(card):
            assert chips.translate_words([name]) == [name]


@pytest.mark.parametrize(
    ("code", "words_typed", "english"),
    [
        ("fr", "annuler", "undo"),
        ("fr", "AIDE puces", "help chips"),
        ("fr", "etat", "status"),
        ("fr", "cité Ben", "city Ben"),
        ("ru", "отмена", "undo"),
        ("ru", "помощь чипы", "help chips"),
        ("ru", "счет", "score"),
        ("ru", "голос выкл", "voice off"),
        ("ru", "undo", "undo"),
        ("ru", "убить вора", "убить вора"),
        ("ru", "рука П", "hand П"),  # a player, not the topic партия
        ("ru", "карта та", "card та"),
        ("ru", "ходы все", "moves all"),
        ("fr", "or?", "gold?"),
        ("ru", "золото?", "gold?"),
    ],
)
def test_commands(code: str, words_typed: str, english: str) -> None:
    language.use(code)
    assert vocabulary.translate_line(words_typed) == english


@pytest.mark.parametrize(
    ("code", "words_typed", "move"),
    [
        ("fr", "tuer le voleur", "kill thief"),
        ("fr", "construire école-de-magie", "build school_of_magic"),
        ("fr", "batir l’echoppe", "build trading_post"),
        ("fr", "demasquer personne", "unmask nobody"),
        ("fr", "détruire Ben hotel de ville", "destroy Ben town_hall"),
        ("ru", "убить короля", "kill king"),
        ("ru", "ограбить епископа", "rob bishop"),
        ("ru", "строить дозорную башню", "build watchtower"),
        ("ru", "никто", "nobody"),
        ("ru", "разоблачить никого", "unmask nobody"),
        ("ru", "разрушить Ben таверну", "destroy Ben tavern"),
        ("ru", "build таверна", "build tavern"),
    ],
)
def test_moves(code: str, words_typed: str, move: str) -> None:
    language.use(code)
    table = Setup("classic_2016", ("Anna", "Ben", "Kurt", "Mia"), "Anna").table()
    understood = understand(words_typed, table, [])
    assert [m.text for m in understood] == [move]


@pytest.mark.parametrize(
    ("words_typed", "move"),
    [
        ("murder the king", "kill king"),
        ("take 2 gold", "gold"),
        ("draw", "cards"),
        ("Draw 2 cards, keep 1", "cards"),
        ("pass", "end"),
        ("done", "end"),
        ("end the turn", "end"),
        ("steal from the bishop", ""),
    ],
)
def test_english_has_other_words_too(words_typed: str, move: str) -> None:
    referee = begin_table("faceup thief bishop", "call", "reveal Ben")
    if move == "end":
        referee = begin_table("faceup thief bishop", "call", "reveal Ben", "gold")
    understood = understand(words_typed, referee.table, referee.list_legal_moves())
    assert [m.text for m in understood] == ([move] if move else [])


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("edition", "code"),
    [(one, code) for number, one in enumerate(EDITIONS) for code in pick_in_turn(number, OFFERED)],
)
def test_every_row_can_be_typed_back(edition: str, code: str) -> None:
    language.use(code)
    start = record.read(random_setup(edition, "typed")).start
    for referee in random_game(start, 2, rounds=pick_size(1, 2, 60)):
        t, legal = referee.table, referee.list_legal_moves()
        by_verb: dict[str, list[Move]] = {}
        for move in legal:
            by_verb.setdefault(move.verb, []).append(move)
        for verb, moves in by_verb.items():
            for move in (moves[0], moves[-1]):
                assert move in understand(verbs.label(t, move), t, legal)
                assert understand(spell_move(move), t, legal) == [move]
            if len(moves) > 1:
                assert understand(verbs.fold_label(t, verb, moves), t, legal) == moves


@pytest.mark.parametrize(
    ("code", "words_typed", "messages"),
    [
        ("en", "b tvern", "I don't understand “b tvern”. Did you mean “build Tavern”"),
        ("en", "tvern", "I don't understand “tvern”. Did you mean “build Tavern”"),
        (
            "fr",
            "batir tavrne",
            "Je ne comprends pas «\u00a0batir tavrne\u00a0». Vouliez-vous dire «\u00a0bâtir",
        ),
        ("en", "zzz", "I don't understand “zzz”."),
    ],
)
def test_a_slip_is_told_with_what_can_be_done_now(
    code: str, words_typed: str, messages: str
) -> None:
    language.use(code)
    referee = begin_table("faceup thief bishop", "call", "reveal Ben", "gold")
    refusal = refuse_unknown(words_typed, referee.table, referee.list_legal_moves())
    text = language.translate(refusal.reason)
    assert text.startswith(messages)
    assert "rob" not in text


@pytest.mark.parametrize(
    ("code", "notation", "words_typed"),
    [
        ("fr", "kill", "assassiner"),
        ("fr", "income gold N cards M", "revenu or N cartes M"),
        ("ru", "income gold N cards M", "доход золото N карты M"),
    ],
)
def test_what_is_told_to_be_typed_is_told_in_the_language(
    code: str, notation: str, words_typed: str
) -> None:
    language.use(code)
    assert language.translate(Typed(notation)) == words_typed


def test_a_name_is_found_without_accents_hyphens_and_apostrophes() -> None:
    language.use("fr")
    names = {id_: card_names(id_) for id_ in ("ivory_tower", "town_hall", "map_room")}
    for words_typed in ("tour d'ivoire", "tour d’ivoire", "Tour-d-Ivoire", "tour d ivoire"):
        assert match_names(words_typed, names) == ["ivory_tower"]
    language.use("ru")
    scholar = {"scholar": card_names("scholar")}
    assert match_names("ученый", scholar) == match_names("учёного", scholar) == ["scholar"]


@pytest.mark.parametrize(
    ("code", "words_typed", "move"),
    [
        ("de", "zerstoeren", "destroy"),
        ("de", "ZERSTOREN", "destroy"),
        ("de", "kroenen", "crown"),
        ("fr", "confisquer", "confiscate"),
    ],
)
def test_a_keyboard_without_accents_will_do_for_verbs(
    code: str, words_typed: str, move: str
) -> None:
    language.use(code)
    assert vocabulary.verbs(words_typed, GRAMMAR) == [move]


def test_umlauts_and_ligatures_are_typed_in_two_letters_or_without_their_dots() -> None:
    language.use("de")
    assert vocabulary.translate_line("zurueck") == vocabulary.translate_line("zuruck") == "back"
    people = player_names(["Jürgen", "Søren", "Cœur", "Weiß"])
    assert match_names("juerg", people) == match_names("jurg", people) == ["Jürgen"]
    assert match_names("soeren", people) == match_names("soren", people) == ["Søren"]
    assert match_names("coeur", people) == match_names("cœur", people) == ["Cœur"]
    assert match_names("weiss", people) == ["Weiß"]
    assert match_names("juergen", player_names(["Jürgen", "Juergen"])) == ["Juergen"]


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("edition", "code"),
    [
        (one, code)
        for number, one in enumerate(EDITIONS)
        for code in pick_in_turn(number, LANGUAGES)
    ],
)
def test_no_beginning_means_more_cards_because_of_a_spelling(edition: str, code: str) -> None:
    language.use(code)
    printing = editions()[edition].printing
    ids = [card for card in chips.load_catalogue().cards if printing in printings_of(card)]
    spelt = names_of_cards(ids)
    usual = {
        id_: [vocabulary.simplify(name) for name in (id_, *_names_in(code, id_))] for id_ in ids
    }
    known = {name for names in usual.values() for name in names}
    for beginning in {name[:end] for name in known for end in range(1, len(name) + 1)}:
        assert match_names(beginning, spelt) == match_names(beginning, usual)


def _names_in(code: str, card: str) -> list[str]:
    printed = [name for of, name in printed_names(card) if of == code]
    return [
        *(name for name in printed if not is_anothers(name, card, code)),
        *language.card(card).forms(),
    ]
