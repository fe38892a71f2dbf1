"""A chip's page is valid for one tap, and only a limited number are kept."""

from __future__ import annotations

from companion.phones.serving.guard import MOST_OPENINGS, Opening, Openings

PAGE = Opening(b"\x04" * 7, ("Build the Temple for 1 gold",))


def test_a_page_is_used_once_and_by_its_seat() -> None:
    openings = Openings()
    word = openings.add(0, PAGE)
    assert openings.use(1, word) is None
    assert openings.use(0, word) == PAGE
    assert openings.use(0, word) is None
    assert openings.use(0, "") is None


def test_pages_that_are_only_fetched_take_bounded_room() -> None:
    openings = Openings()
    other = openings.add(1, PAGE)
    words = [openings.add(0, PAGE) for _ in range(10 * MOST_OPENINGS)]
    assert [openings.use(0, word) for word in words].count(PAGE) == MOST_OPENINGS
    assert openings.use(1, other) == PAGE
    assert len(set(words)) == len(words)
