"""The translations: of every sentence, with existing fields and forms, no sentences concatenated
from parts. What a language lags is told by scripts/messages.py, and fails no test."""

from __future__ import annotations

import ast
import importlib.util
import string
from functools import cache
from gettext import c2py
from pathlib import Path
from typing import Any

import pytest
from babel.messages.catalog import Catalog

from companion.language import catalogues, list_offered, words_of
from engine import words
from engine.cards import characters
from engine.editions import editions

ROOT = Path(__file__).parent.parent.parent
_spec = importlib.util.spec_from_file_location("messages", ROOT / "scripts" / "messages.py")
assert _spec is not None
assert _spec.loader is not None
messages = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(messages)

LANGUAGES = messages.list_translated()
LOCALES = [messages.LOCALE, *sorted(messages.EXTENSIONS.glob("*/locale"))]
NAMES = [locale.parent.name for locale in LOCALES]


@cache
def sentences() -> dict[str | tuple[str, str], None]:
    """Every sentence of the program, or both forms of a plural, in order."""
    return dict.fromkeys(marks.message for marks, _where in messages.find_sentences())


@cache
def plurals() -> dict[str, str]:
    """The plural of every singular."""
    return {both[0]: both[1] for both in sentences() if isinstance(both, tuple)}


def strings(message: Any) -> list[str]:
    return [text for text in ([*message.string] if message.pluralizable else [message.string])]


def entries(code: str) -> list[Any]:
    catalogs = (messages.read(code, locale) for locale in LOCALES)
    return [message for catalog in catalogs for message in catalog if message.id]


def forms_of(kind: str, code: str) -> set[str]:
    """The forms that all words of that kind have in a language."""
    data = words.language(code)
    of_cards = {form for form in data["forms"]}
    of_amounts = set.intersection(*(set(noun) for noun in data["nouns"].values())) | {"acc"}
    of_types = set.intersection(*(set(type_) for type_ in data["types"].values()))
    forms = {
        "name": of_cards,
        "list": of_cards,
        "type": of_types - {"name"},
        "amount": of_amounts,
        "list or amount": of_cards & of_amounts,
        "person": {form for rule in data.get("people", ()) for form in rule} - {"when", "cut"},
    }.get(kind, set())
    return {""} | forms | {form[:1].upper() + form[1:] for form in forms}


def test_whoever_has_sentences_of_its_own_has_a_folder_of_languages() -> None:
    assert messages.list_locales() == LOCALES, "run make messages"


@pytest.mark.parametrize("locale", LOCALES, ids=NAMES)
def test_the_template_has_every_sentence(locale: Path) -> None:
    text = (locale / "companion.pot").read_bytes()
    assert text == messages.write_template(locale), "run make messages"


@pytest.mark.parametrize("locale", LOCALES, ids=NAMES)
@pytest.mark.parametrize("code", LANGUAGES)
def test_every_catalogue_has_every_sentence(code: str, locale: Path) -> None:
    text = messages.find_catalogue(code, locale).read_bytes()
    assert text == messages.update_catalogue(code, locale), "run make messages"


@pytest.mark.parametrize("code", LANGUAGES)
def test_an_unfinished_language_has_a_note_of_what_it_lacks(code: str) -> None:
    note = messages.unfinished.note(code)
    result = note.read_bytes() if note.exists() else None
    assert result == messages.note_unfinished(code), "run make messages"


def test_ordinary_spaces_of_a_card_become_those_of_the_language() -> None:
    card = 'texts: {{fr: {{text: "Qui{}?"}}, ru: {{text: 2{}карты}}, de: {{text: 2 Karten}}}}'
    for space in (" ", "\n    "):
        wanted = card.format("\u202f", "\u00a0")
        assert messages.set_spaces_of_card(card.format(space, space)) == wanted


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_program_reads_what_babel_reads(code: str) -> None:
    """Every translation, with its context and its forms by number; nothing fuzzy."""
    catalogue = catalogues.load(code)
    for message in entries(code):
        one = message.id[0] if message.pluralizable else message.id
        translation = message.string and all(message.string) and not message.fuzzy
        if message.pluralizable:
            rule = c2py(words.language(code)["plural"])
            for number in range(30):
                plain = message.id[number != 1]
                reference = message.string[rule(number)] if translation else plain
                assert catalogue.ngettext(one, message.id[1], number) == reference
        else:
            assert catalogue.gettext(one, message.context or "") == (
                message.string if translation else one
            )


OLD = "{player}, gold or cards? " + "A sentence of more than one line. " * 4
NEW = OLD.replace(", gold", ". Gold")


def make_catalogue(**told: str) -> Catalog:
    """A French catalogue of these translations, by English sentences without spaces."""
    result = Catalog(locale="fr")
    for english, own in told.items():
        result.add(english, own)
    return result


def test_a_changed_sentence_keeps_its_translation_as_fuzzy() -> None:
    target, same = (
        make_catalogue(**{NEW: "", "Bishop": "", "{player} takes a card.": ""}) for _time in "12"
    )
    new_catalog = make_catalogue(**{OLD: "{player}, or ou cartes ?", "Bishop": "Évêque"})
    change = messages.renew(new_catalog, target)
    record = change.get(NEW)
    assert (record.string, record.previous_id, record.fuzzy) == (
        "{player}, or ou cartes ?",
        [OLD],
        True,
    )
    assert not change.get("Bishop").fuzzy
    assert change.get("{player} takes a card.").string == ""

    text = messages.write(change)
    assert '#| msgid "" "{player}, gold or cards? A sentence' in text.decode()
    read = catalogues.Catalogue(*catalogues.parse(text))
    assert (read.gettext(NEW), read.gettext("Bishop")) == (NEW, "Évêque")  # English until done

    again = messages.renew(messages.parse(text, "fr"), same)
    assert (again.get(NEW).previous_id, again.get(NEW).user_comments) == ([OLD], [])
    back = messages.renew(again, make_catalogue(**{OLD: "", "Bishop": ""}))
    assert (back.get(OLD).string, back.get(OLD).fuzzy) == ("{player}, or ou cartes ?", False)


def test_a_word_with_two_meanings_is_translated_twice() -> None:
    (one, other) = messages.find_in_source('_("Back", "to the list")\n_("Back", "of a card")\n')
    new_catalog = Catalog(locale="de")
    new_catalog.add(one.message, "Zurück", context=one.context)
    new_catalog.add(other.message, "Rückseite", context=other.context)
    read = catalogues.Catalogue(*catalogues.parse(messages.write(new_catalog)))
    assert read.gettext("Back", "to the list") == "Zurück"
    assert read.gettext("Back", "of a card") == "Rückseite"
    assert read.gettext("Back") == "Back"


def test_a_language_is_offered_until_it_lacks_much() -> None:
    """English sentences that are new take no language away; a language that is begun waits until
    it lacks nothing at the table."""
    lack = messages.unfinished.Lack
    assert not messages.unfinished.lacks_much({"a.po": lack({"Hello."}, 20, "sentences")})
    assert messages.unfinished.lacks_much({"a.po": lack({"a", "b", "c"}, 20, "sentences")})


@pytest.mark.parametrize("code", ["en", *LANGUAGES])
def test_fields_and_their_forms_exist(code: str) -> None:
    wrong = []
    for one, other in pairs(code):
        try:
            result, usage = messages.fields(one), messages.fields(other)
        except ValueError:  # braces that are not fields
            continue
        if not usage.keys() <= result.keys():
            wrong.append((other, f"has fields that “{one}” has not"))
        for name, forms in usage.items():
            kind = "person" if name in messages.PEOPLE else messages.KINDS.get(name, "")
            choices = {form for form in forms if form[:1] == "?"}
            if choices and kind != "name":
                wrong.append((other, f"chooses by the gender of {name}, which has none"))
            if unknown := forms - choices - forms_of(kind, code):
                wrong.append((other, f"{name} has no form {', '.join(unknown)}"))
            wrong += [
                (other, f"{name} needs {count} choices")
                for choice in choices
                if choice.count("|") + 1 != (count := genders_of(name, code))
            ]
    assert wrong == []


def pairs(code: str) -> list[tuple[str, str]]:
    """Every sentence with its translation, if that is done; a plural's with its last, which has all
    its fields."""
    if code == "en":
        flat = [s for both in sentences() for s in ([both] if isinstance(both, str) else both)]
        return [(sentence, sentence) for sentence in flat]
    pairs = []
    for message in entries(code):
        whole = message.id[1] if message.pluralizable else message.id
        pairs += [(whole, text) for text in strings(message) if text and not message.fuzzy]
    for one, text in printed_sentences(code):
        pairs += [(plurals().get(one, one), way) for way in strings_of(text)]
    return pairs


def printed_sentences(code: str) -> list[tuple[str, str | list[str]]]:
    """The sentences that boxes of that language word differently, by the English sentence."""
    boxes = words_of(code).get("printings", {}).values()
    return [pair for box in boxes for pair in box.get("sentences", {}).items()]


def strings_of(answer: str | list[str]) -> list[str]:
    return [answer] if isinstance(answer, str) else answer


@pytest.mark.parametrize("code", ["en", *LANGUAGES])
def test_what_a_box_says_otherwise_is_said_by_the_program(code: str) -> None:
    size = 1 + max(c2py(words.language(code)["plural"])(n) for n in range(201))
    for one, answer in printed_sentences(code):
        assert one in plurals() or one in sentences()
        assert len(strings_of(answer)) == (size if one in plurals() else 1)
    for printings in (words.language(code), words_of(code)):
        assert printings.get("printings", {}).keys() <= BOXES
    assert words.language(code).get("editions", {}).keys() <= editions().keys()


BOXES = {name for edition in editions().values() for name in edition.boxes}


def genders_of(field: str, code: str) -> int:
    """The number of genders of the cards in such a field: characters are never plural."""
    data = words.language(code)
    here = {"character", "owner", "target", "called_character"}
    cards = [
        facts for id_, facts in data["cards"].items() if field not in here or id_ in characters()
    ]
    return (
        max(data["genders"].index(facts.get("gender", data["genders"][0])) for facts in cards) + 1
    )


@pytest.mark.parametrize("code", list_offered())
def test_every_card_has_every_form(code: str) -> None:
    data = words.language(code)
    english = words.language("en")
    assert data["cards"].keys() == english["cards"].keys()
    assert data["nouns"].keys() == english["nouns"].keys()
    assert data["types"].keys() == english["types"].keys()
    assert data["things"].keys() == english["things"].keys()
    if code == "en":  # its only form is a word before the name
        return
    printings = data.get("printings", {}).values()
    boxes = [facts for box in printings for facts in box.get("cards", {}).values()]
    for box in printings:
        assert box.keys() <= {"cards", "types"}
        for type_, facts in box.get("types", {}).items():
            assert {*facts, "letter"} == data["types"][type_].keys()
    for facts in (*data["cards"].values(), *data["things"].values(), *boxes):
        assert set(facts) - {"also"} == {"name", "gender", *data["forms"]}
        assert facts["gender"] in data["genders"]
    size = 1 + max(c2py(data["plural"])(n) for n in range(201))
    assert {len(w) for noun in data["nouns"].values() for w in noun.values()} == {size}
    assert {len(t) for t in data["types"].values()} == {len(data["types"]["noble"])}


# -- no sentence is put together from pieces ------------------------------------------------

SOURCES = [path for package in messages.PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]
MARKS = {"_", "Sentence", "N_", "plural"}
# where a template comes from elsewhere, already marked: the language itself, and what fills data
ALLOWED = {"companion/language/__init__.py", "common/sentences.py", "common/problems.py"}
FROM_DATA = {
    "engine/explain.py", "engine/editions.py",
    "companion/commands/cli.py", "companion/commands/completion.py",
    "companion/commands/parsing.py",
    "common/sentences.py", "companion/chips/entries.py", "tags/readers/faults.py",
}  # fmt: skip


def is_mark(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in MARKS


def test_every_sentence_is_whole() -> None:
    wrong = {path.relative_to(ROOT).as_posix(): in_pieces(path) for path in SOURCES}
    assert {where: pieces for where, pieces in wrong.items() if pieces} == {}


def in_pieces(path: Path) -> list[tuple[int, str]]:
    """The lines of a module where a sentence is concatenated, and what is wrong there."""
    where = path.relative_to(ROOT).as_posix()
    wrong = []
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Call) and is_mark(node) and where not in ALLOWED:
            spots = node.args[:2] if node.func.id == "plural" else node.args[:1]  # type: ignore[attr-defined]
            literal = all(isinstance(a, ast.Constant) and isinstance(a.value, str) for a in spots)
            if not literal and where not in FROM_DATA:
                wrong.append((node.lineno, "is marked and no literal"))
        if isinstance(node, ast.BinOp) and any(map(is_told, (node.left, node.right))):
            wrong.append((node.lineno, "is added to something"))
        if isinstance(node, ast.JoinedStr):
            inside = [v.value for v in node.values if isinstance(v, ast.FormattedValue)]
            letters = any(
                letter.isalpha()
                for v in node.values
                if isinstance(v, ast.Constant)
                for letter in str(v.value)
            )
            if letters and any(map(is_told, inside)):
                wrong.append((node.lineno, "is glued to words"))
    return wrong


HELP = [path for path in SOURCES if "commands" in path.parts]


@pytest.mark.parametrize("path", HELP, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_help_text_is_found(path: Path) -> None:
    """Help is a sentence of the catalogue, as it is or with its fields filled in."""
    known = {*sentences()}
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        for word in node.keywords if isinstance(node, ast.Call) else ():
            if word.arg in ("help", "epilog"):
                helps = {
                    inner.value
                    for inner in ast.walk(word.value)
                    if isinstance(inner, ast.Constant) and " " in str(inner.value).strip(" ,")
                }
                assert helps <= known, f"line {word.value.lineno}: not found by scripts/messages.py"


def is_told(node: ast.AST) -> bool:
    """Whether this is `_(...)` or `_(...).format(...)`."""
    return is_mark(node) or (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "format"
        and is_mark(node.func.value)
    )


def test_a_sentence_that_cannot_be_filled_is_none() -> None:
    for sentence in sentences():
        for text in [sentence] if isinstance(sentence, str) else sentence:
            list(string.Formatter().parse(text))  # raises ValueError for a single brace
