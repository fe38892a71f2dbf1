"""The registry: learning, looking up, and reporting every problem of a file."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from common.problems import Problems
from companion import chips
from companion.chips.entries import (
    ActionChip,
    CharacterChip,
    CrownChip,
    DistrictChip,
    Entry,
    PieceCatalogue,
    PlayerChip,
    ReferenceChip,
    parse_entry,
)
from companion.chips.registry import Registry
from tags.links import is_random, parse_uid

A, B, C = (bytes.fromhex(f"04{n:012X}") for n in (1, 2, 3))
KNOWN = PieceCatalogue(
    characters=frozenset({"king", "bishop", "warlord"}),
    districts={"temple": 3, "castle": 4, "haunted_quarter": 1},
)

uids = st.sampled_from([4, 7, 10]).flatmap(
    lambda size: st.binary(min_size=size, max_size=size).filter(lambda uid: not is_random(uid))
)
entries: st.SearchStrategy[Entry] = st.one_of(
    st.sampled_from([("temple", 3), ("castle", 4)]).flatmap(
        lambda card: st.builds(DistrictChip, st.just(card[0]), st.integers(1, card[1]))
    ),
    st.builds(CharacterChip, st.sampled_from(sorted(KNOWN.characters))),
    st.builds(PlayerChip, st.integers(1, 8)),
    st.just(CrownChip()),
    st.builds(ActionChip, st.sampled_from(["end", "undo", "help"])),
    st.builds(
        ReferenceChip,
        st.integers(1, 4),
        st.lists(st.sampled_from(sorted(KNOWN.cards)), unique=True, min_size=1).map(tuple),
    ),
)


@st.composite
def registries(draw: st.DrawFn) -> Registry:
    registry = Registry()
    for uid, entry in draw(st.lists(st.tuples(uids, entries), max_size=12)):
        if all(other == uid for other, _ in registry.conflicts(uid, entry)):
            registry = registry.with_chip(uid, entry)
    return registry


def problems(data: object) -> list[tuple[tuple[str | int, ...], str]]:
    with pytest.raises(Problems) as exception_info:
        Registry.from_data(data, KNOWN)
    return [(problem.path, problem.text) for problem in exception_info.value.problems]


@given(registries())
def test_data_survives_a_reader_that_makes_every_scalar_a_text(registry: Registry) -> None:
    text = yaml.safe_dump(registry.to_data())
    assert Registry.from_data(yaml.load(text, yaml.BaseLoader), KNOWN) == registry  # noqa: S506


@given(registries(), uids, entries)
def test_a_learned_chip_is_looked_up_and_can_be_forgotten(
    registry: Registry, uid: bytes, entry: Entry
) -> None:
    for other, _ in registry.conflicts(uid, entry):
        registry = registry.without(other)
    before = registry.to_data()
    new_registry = registry.with_chip(uid, entry)
    assert new_registry.lookup(uid) == entry
    assert uid in new_registry.find(entry)
    assert new_registry.without(uid).lookup(uid) is None
    assert new_registry.conflicts(uid, entry) == []
    assert len(new_registry) == len(list(new_registry))
    assert registry.to_data() == before  # which has not changed


def test_the_printed_form() -> None:
    registry = (
        Registry()
        .with_chip(parse_uid("04:a2:b3:c4:d5:e6:80"), DistrictChip("temple", 2))
        .with_chip(A, ReferenceChip(1, ("castle", "king")))
    )
    assert registry.to_data() == {
        "chips": {"04A2B3C4D5E680": "district temple 2", "04000000000001": "reference 1"},
        "references": {1: ["castle", "king"]},
    }


def test_a_card_copy_has_one_chip_and_a_token_as_many_as_people_like() -> None:
    registry = Registry().with_chip(A, DistrictChip("temple", 1)).with_chip(B, PlayerChip(2))
    assert registry.conflicts(C, DistrictChip("temple", 1)) == [(A, DistrictChip("temple", 1))]
    assert registry.conflicts(B, DistrictChip("temple", 1)) == [
        (A, DistrictChip("temple", 1)),
        (B, PlayerChip(2)),
    ]
    assert registry.conflicts(C, PlayerChip(2)) == []
    assert registry.conflicts(C, DistrictChip("temple", 2)) == []
    with pytest.raises(ValueError, match="04000000000001 is already Temple, copy 1"):
        registry.with_chip(C, DistrictChip("temple", 1))


def test_only_ids_of_a_chip_s_length_are_learned() -> None:
    with pytest.raises(ValueError, match="8, 14 or 20 digits"):
        Registry().with_chip(b"\x04\x01\x02", CrownChip())


def test_an_empty_file_is_an_empty_registry() -> None:
    assert Registry.from_data(None) == Registry.from_data({}) == Registry()


def test_all_problems_are_reported_at_once() -> None:
    found = problems(
        {
            "chips": {
                "04A2B3C4D5E680": "district temple 2",
                "04:a2:b3:c4:d5:e6:80": "crown",
                "04A2B3C4D5E68G": "crown",
                "0411": "crown",
                "04000000000001": "district tempel 1",
                "04000000000002": "district temple 4",
                "04000000000003": "district temple 2",
                "04000000000004": "caracter king",
                "04000000000005": "player 9",
                "04000000000006": "character",
                "04000000000007": ["crown"],
                4112233445566: "crown",
            },
            "references": {"1": ["king", "bischop", "king"], "x": [], "2": "king"},
            "chip": {},
        }
    )
    expected = [
        (("chip",), "Did you mean “chips”?"),
        (("chips", "4112233445566"), "in quotes"),
        (("chips", "04:a2:b3:c4:d5:e6:80"), "same chip as “04A2B3C4D5E680”"),
        (("chips", "04A2B3C4D5E68G"), "8, 14 or 20 digits"),
        (("chips", "0411"), "A chip's id is 8, 14 or 20 digits"),
        (("chips", "04000000000001"), "no district “tempel”. Did you mean “temple”?"),
        (("chips", "04000000000002"), "The copy of temple is a number from 1 to 3, not “4”."),
        (("chips", "04000000000003"), "“04A2B3C4D5E680” is already district temple 2"),
        (("chips", "04000000000004"), "Did you mean “character”?"),
        (("chips", "04000000000005"), "“9” is not a number from 1 to 8"),
        (("chips", "04000000000006"), "like “character king”"),
        (("chips", "04000000000007"), "text, such as"),
        (("references", "1", 1), "no card “bischop”. Did you mean “bishop”?"),
        (("references", "1", 2), "king is listed twice"),
        (("references", "x"), "“x” is not a number from 1 to 99"),
        (("references", "2"), "a list of card ids"),
    ]
    assert [path for path, _ in found] == [path for path, _ in expected]
    for (path, text), (_, part) in zip(found, expected, strict=True):
        assert part in text, path


@given(entries)
def test_entries_are_read_as_they_are_written(entry: Entry) -> None:
    again = parse_entry(str(entry), KNOWN)
    assert again == (ReferenceChip(entry.number) if isinstance(entry, ReferenceChip) else entry)


def test_a_district_without_a_copy_number_is_the_first() -> None:
    assert parse_entry(" district  temple ") == DistrictChip("temple", 1)


@pytest.mark.parametrize("text", ["", "district", "crown 1", "player x", "player ²", "player 1 2"])
def test_half_an_entry_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"\.$"):
        parse_entry(text)


def test_two_decks_each_have_a_first_temple(tmp_path: Path) -> None:
    path = str(tmp_path / "deep" / "tags.yaml")
    temple = DistrictChip("temple", 1)
    chips.save(path, Registry().with_chip(A, temple))
    cafe = chips.load(path, "café 3")
    assert cafe.find(temple) == []
    chips.save(path, cafe.with_chip(B, temple))
    both = chips.load(path)
    assert (both.lookup(A), both.lookup(B), len(both)) == (temple, temple, 2)
    assert both.list_own() == [(A, temple)]
    assert chips.load(path, "café 3").list_own() == [(B, temple)]
    with pytest.raises(ValueError, match="04000000000001 is already Temple, copy 1"):
        both.with_chip(C, temple)
    assert Registry.from_data(both.to_data()) == both


def test_a_chip_belongs_to_one_deck() -> None:
    data = {
        "chips": {"04000000000001": "crown"},
        "decks": {"home": {"04000000000001": "crown"}, " ": {}, "café": []},
    }
    assert {path for path, _text in problems(data)} == {
        ("decks", "home", "04000000000001"),
        ("decks", " "),
        ("decks", "café"),
    }


def write_chips(path: Path, count: int) -> None:
    """A file of so many players' tokens."""
    lines = (f"  04{number:012X}: player 1" for number in range(count))
    path.write_text("\n".join(["chips:", *lines, ""]), encoding="utf-8")


def test_ten_thousand_chips_load_and_too_many_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "tags.yaml"
    write_chips(path, 10_000)
    assert len(chips.load(str(path))) == 10_000
    write_chips(path, 20_001)
    with pytest.raises(chips.ChipsError, match="There are 20001 chips") as wrong:
        chips.load(str(path))
    assert "it holds 20000 at most" in str(wrong.value)
    assert len(wrong.value.problems) == 1
