"""Which characters and unique districts play: the choices of a draft, and typed answers to them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING

from common.problems import Problems
from companion import setup
from companion.game import Row
from companion.language import (
    _,
    begin_sentence,
    card,
    cards,
    end_sentence,
    listing,
    number_entry,
)
from companion.language.vocabulary import match_names, names_of_cards
from companion.setup.draft import Draft, DraftCast
from companion.wording import editions_told
from engine import cards as engine_cards
from engine import casts

if TYPE_CHECKING:
    from companion.setup import Named


def list_casts(draft: Draft) -> list[Row]:
    """The casts to choose from, each with its name for `--cast` as the word, a line with all
    characters, and what tells those by rank."""
    edition, players = draft.edition, draft.size
    ordinary = edition.ordinary_cast(players)
    text = _("One of each rank; the unique districts are drawn at random too.")
    rows = [
        Row(
            begin_sentence(_("ordinary")),
            word=setup.ORDINARY,
            line=_("Ordinary cast: {cards}.").format(cards=cards(ordinary)),
            about=partial(_tell_ranks, [[id_] for id_ in ordinary]),
        ),
        Row(
            _("Random"),
            word=setup.RANDOM,
            line=_("Random: one of each rank, as allowed for this number of players."),
            about=lambda: [text],
        ),
    ]
    same: list[Row] = []  # as the ordinary one, under another name
    for cast in setup.list_named(edition, players):
        characters = tuple(id_ for able in cast.ranks for id_ in able)
        line, about = _describe(cast, characters), partial(_tell_ranks, cast.ranks)
        is_ordinary = characters == ordinary and cast.districts == edition.uniques
        row = Row(cast.title, word=cast.name, line=line, about=about)
        (same if is_ordinary else rows).append(row)
    return [*rows, *same]


def _describe(cast: Named, characters: tuple[str, ...]) -> str:
    if cast.by_lot:
        return end_sentence(cast.title)
    return end_sentence(number_entry(cast.title, str(cards(characters))))


def _tell_ranks(ranks: list[list[str]]) -> list[str]:
    characters = engine_cards.characters()
    return [
        f"{characters[able[0]].rank} {listing(map(card, able), conjunction='or')}" for able in ranks
    ]


def list_characters(draft: Draft) -> list[tuple[str, str, bool]]:
    """Every character by rank: its id, its label, and whether it plays."""
    characters, playing = engine_cards.characters(), draft.list_playing()
    return [
        (id_, f"{characters[id_].rank} {card(id_)}", id_ in playing)
        for ids in casts.candidates(draft.edition, draft.size).values()
        for id_ in ids
    ]


def choose_cast(draft: Draft, answer: str) -> list[str]:
    """Set a cast by its name, or by the characters' names; return the problems."""
    edition, players = draft.edition, draft.size
    able = [id_ for ids in casts.candidates(edition, players).values() for id_ in ids]
    picks, problems = _read(
        answer, able, _("no character for this number of players is called {name}.")
    )
    if picks and not problems:
        return _change(draft, DraftCast(characters=picks))
    if "," in answer or (problems and match_names(answer, names_of_cards(able))):
        return problems
    word = setup.clean_cast(answer)
    try:
        found = setup.find_cast(word, edition, players)
    except Problems as error:
        return [end_sentence(p.text) for p in error.problems]
    if word == setup.RANDOM and found is not None:
        return _change(draft, DraftCast(None, found.characters, found.districts))
    return _change(draft, DraftCast(None if found is None else word))


def _change(draft: Draft, cast: DraftCast) -> list[str]:
    """Play that cast, if it makes a game; return the problems."""
    before, draft.cast = draft.cast, cast
    problems = draft.list_problems()
    if problems:
        draft.cast = before
    return problems


def choose_character(draft: Draft, id_: str) -> None:
    """Put that character in place of the one of its rank; choosing an optional ninth again removes
    it."""
    characters = engine_cards.characters()
    rank = characters[id_].rank
    choices = {characters[c].rank: c for c in draft.list_playing()}
    optional = rank > casts.LAST_RANK and not casts.needs_ninth(draft.edition, draft.size)
    if choices.get(rank) == id_ and optional:
        del choices[rank]
    else:
        choices[rank] = id_
    districts = draft.list_shuffled_in() if draft.cast.printing else draft.cast.districts
    draft.cast = DraftCast(None, tuple(choices[rank] for rank in sorted(choices)), districts)


def list_uniques(draft: Draft) -> list[tuple[str, str, bool]]:
    """Every unique district of the box: its id, its name, and whether it is shuffled in."""
    inside = draft.list_shuffled_in()
    return [(id_, card(id_), id_ in inside) for id_ in draft.list_able()]


def ask_for_uniques(draft: Draft) -> list[str]:
    """The question which unique districts play, for an answer in words."""
    return [
        _(
            "Which unique districts? Type their names with commas between them. "
            "Enter: the ordinary ones."
        ),
        *editions_told.list_cards(_("Choose from: {cards}."), draft.list_able()),
    ]


def choose_uniques(draft: Draft, answer: str) -> list[str]:
    """Shuffle in the districts of these names, with none the ordinary ones; return the problems."""
    nobody = _("no unique district here is called {name}.")
    districts, problems = _read(answer, draft.list_able(), nobody)
    if problems:
        return problems
    return _change(draft, with_districts(draft, districts or None))


def with_districts(draft: Draft, districts: tuple[str, ...] | None) -> DraftCast:
    """The cast with these unique districts (None: the ordinary ones); the characters stay."""
    if draft.cast.printing is None:
        return draft.cast._replace(districts=districts)
    return DraftCast(None, draft.list_playing(), districts)


def draw_uniques(draft: Draft) -> tuple[str, ...]:
    """As many unique districts as a game uses, by lot."""
    able = list(draft.list_able())
    for _time in range(len(able) - min(draft.edition.uniques_played or 0, len(able))):
        able.remove(setup.chance(able))
    return tuple(able)


def toggle_unique(draft: Draft, id_: str) -> None:
    inside = set(draft.list_shuffled_in()) ^ {id_}
    choices = tuple(one for one in draft.list_able() if one in inside)
    draft.cast = with_districts(draft, choices)


def _read(answer: str, able: Iterable[str], nobody: str) -> tuple[tuple[str, ...], list[str]]:
    """The cards that the comma-separated names mean, and a sentence for each name that means none
    or several."""
    names = names_of_cards(able)
    picks, problems = [], []
    for word in filter(None, map(str.strip, answer.split(","))):
        meant = match_names(word, names)
        if len(meant) == 1:
            picks.append(meant[0])
        elif meant:
            sentence = _("{name} could be {cards}; type more of the name.")
            problems.append(
                sentence.format(name=word, cards=listing(map(card, meant), conjunction="or"))
            )
        else:
            problems.append(nobody.format(name=word))
    return tuple(picks), problems
