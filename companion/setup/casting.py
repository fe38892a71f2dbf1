"""Which characters and unique districts play: the choices of a draft, and typed answers to them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from common.problems import Problems
from companion import setup
from companion.language import _, card, cards, end_sentence, listing, plural
from companion.language.vocabulary import match_names, names_of_cards
from companion.wording import editions as wording
from engine import cards as engine_cards
from engine import casts

if TYPE_CHECKING:
    from companion.setup import Named, PlayOptions
    from companion.setup.draft import Draft
    from engine.editions import Edition
    from engine.record import Setup

    About = Callable[[], list[str]]


@dataclass
class DraftCast:
    """A printed cast by its name, or cards chosen one by one; None is the box's default."""

    printing: str | None = None
    characters: tuple[str, ...] | None = None
    districts: tuple[str, ...] | None = None

    @classmethod
    def of(cls, options: PlayOptions, last: Setup | None) -> DraftCast:
        """The cast of the options, else of the last game."""
        if options.cast or options.characters or options.districts or last is None:
            return cls(options.cast, options.characters, options.districts)
        return cls(None, last.characters, last.districts)

    def has_choice(self, edition: Edition, players: int) -> bool:
        """Whether there is a choice besides the ordinary characters."""
        return casts.has_choice(edition, players)

    def has_uniques_to_choose(self, edition: Edition) -> bool:
        """Whether the box has more unique districts than a game uses."""
        return edition.uniques_played is not None

    def choose(self, name: str, edition: Edition, players: int) -> None:
        """Choose the cast of that name: ordinary, random (drawn at once), or a printed one."""
        self.printing = self.characters = self.districts = None
        if name == setup.RANDOM:
            cast = casts.draw(edition, players, setup.chance)
            self.characters, self.districts = cast.characters, cast.districts
        elif name != setup.ORDINARY:
            self.printing = name

    def choose_character(self, id_: str, edition: Edition, players: int) -> None:
        """Put that character in place of the one of its rank; choosing an optional ninth again
        removes it."""
        characters = engine_cards.characters()
        rank = characters[id_].rank
        choices = {characters[c].rank: c for c in self.playing(edition, players)}
        optional = rank > casts.LAST_RANK and not casts.needs_ninth(edition, players)
        if choices.get(rank) == id_ and optional:
            del choices[rank]
        else:
            choices[rank] = id_
        self.districts = (
            self.list_shuffled_in(edition, players) if self.printing else self.districts
        )
        self.printing = None
        self.characters = tuple(choices[rank] for rank in sorted(choices))

    def choose_districts(self, districts: tuple[str, ...] | None, edition: Edition, n: int) -> None:
        """Shuffle in these unique districts (None: the ordinary ones); the characters stay."""
        if self.printing is not None:
            self.characters, self.printing = self.playing(edition, n), None
        self.districts = districts

    def playing(self, edition: Edition, players: int) -> tuple[str, ...]:
        """The current characters."""
        if self.characters is not None:
            return self.characters
        cast = self._find_named(edition, players)
        return cast.characters if cast else edition.ordinary_cast(players)

    def list_shuffled_in(self, edition: Edition, players: int) -> tuple[str, ...]:
        """The current unique districts."""
        cast = self._find_named(edition, players)
        choices = self.districts or (cast.districts if cast else None) or edition.uniques
        able = casts.uniques(edition, self.playing(edition, players))
        return tuple(id_ for id_ in able if choices is None or id_ in choices)

    def cards(self, edition: Edition, players: int) -> set[str]:
        """Every card of the game."""
        districts = engine_cards.districts(edition.printing)
        usual = {id_ for id_, card in districts.items() if card.type != "unique"}
        return {*self.playing(edition, players), *self.list_shuffled_in(edition, players), *usual}

    def name(self, edition: Edition, players: int) -> str:
        """A short name for the cast."""
        if self.characters is None:
            self._find_named(edition, players)
            entries = {cast.name: cast.title for cast in setup.list_named(edition, players)}
            return entries.get(self.printing or "", _("ordinary"))
        return _("ordinary") if self._is_ordinary(edition, players) else _("chosen")

    def uniques_name(self) -> str:
        """A short name for the unique districts."""
        if self.printing is not None:
            return _("those of the cast")
        if self.districts is None:
            return _("ordinary")
        return plural("{number} chosen", "{number} chosen", len(self.districts))

    def _is_ordinary(self, edition: Edition, players: int) -> bool:
        return set(self.characters or ()) == set(edition.ordinary_cast(players))

    def _find_named(self, edition: Edition, players: int) -> casts.Cast | None:
        """The printed cast as it is played, if one is chosen. A lot is drawn once, and again only
        for another number of players."""
        ways = setup.find_ways(self.printing or "", edition, players)
        if ways and self.printing not in ways:
            self.printing = setup.chance(list(ways))
        return ways.get(self.printing or "")


def list_casts(draft: Draft) -> list[tuple[str, str, str, About]]:
    """The casts to choose from: each one's name for `--cast`, its title, its line with all
    characters, and what tells those by rank."""
    edition, players = draft.edition, draft.size
    ordinary = edition.ordinary_cast(players)
    text = _("One of each rank; the unique districts are drawn at random too.")
    same: list[tuple[str, str, str, About]] = []  # as the ordinary one, under another name
    matches: list[tuple[str, str, str, About]] = [
        (
            setup.ORDINARY,
            _("Ordinary"),
            _("Ordinary: {cards}.").format(cards=cards(ordinary)),
            partial(_tell_ranks, [[id_] for id_ in ordinary]),
        ),
        (
            setup.RANDOM,
            _("Random"),
            _("Random: one of each rank, as allowed for this number of players."),
            lambda: [text],
        ),
    ]
    for cast in setup.list_named(edition, players):
        characters = tuple(id_ for able in cast.ranks for id_ in able)
        line, about = _describe(cast, characters), partial(_tell_ranks, cast.ranks)
        is_ordinary = characters == ordinary and cast.districts == edition.uniques
        (same if is_ordinary else matches).append((cast.name, cast.title, line, about))
    matches += same
    return matches


def _describe(cast: Named, characters: tuple[str, ...]) -> str:
    if cast.by_lot:
        return end_sentence(cast.title)
    return _("{title}: {cards}.").format(title=cast.title, cards=cards(characters))


def _tell_ranks(ranks: list[list[str]]) -> list[str]:
    characters = engine_cards.characters()
    return [
        f"{characters[able[0]].rank} {listing(map(card, able), conjunction='or')}" for able in ranks
    ]


def list_characters(draft: Draft) -> list[tuple[str, str, bool]]:
    """Every character by rank: its id, its label, and whether it plays."""
    edition, players = draft.edition, draft.size
    characters, playing = engine_cards.characters(), draft.cast.playing(edition, players)
    return [
        (id_, f"{characters[id_].rank} {card(id_)}", id_ in playing)
        for ids in casts.candidates(edition, players).values()
        for id_ in ids
    ]


def choose_cast(draft: Draft, answer: str) -> list[str]:
    """Set a cast by its name, or by the characters' names; return the problems."""
    edition, players = draft.edition, draft.size
    able = [id_ for ids in casts.candidates(edition, players).values() for id_ in ids]
    picks, problems = _read(
        answer, able, _("no character for this number of players is called {name}.")
    )
    before = draft.cast
    if picks and not problems:
        draft.cast = type(before)(characters=picks)
    elif "," in answer or (problems and match_names(answer, names_of_cards(able))):
        return problems
    else:
        word = answer.casefold().replace(" ", "_")
        try:
            setup.find_cast(word, edition, players)
        except Problems as error:
            return [end_sentence(p.text) for p in error.problems]
        draft.cast = type(before)()
        draft.cast.choose(word, edition, players)
    problems = draft.list_problems()
    if problems:
        draft.cast = before
    return problems


def _list_able(draft: Draft) -> tuple[str, ...]:
    """The unique districts of the box that may be shuffled in."""
    return casts.uniques(draft.edition, draft.cast.playing(draft.edition, draft.size))


def list_uniques(draft: Draft) -> list[tuple[str, str, bool]]:
    """Every unique district of the box: its id, its name, and whether it is shuffled in."""
    inside = draft.cast.list_shuffled_in(draft.edition, draft.size)
    return [(id_, card(id_), id_ in inside) for id_ in _list_able(draft)]


def ask_for_uniques(draft: Draft) -> list[str]:
    """The question which unique districts play, for an answer in words."""
    return [
        _(
            "Which unique districts? Type their names with commas between them. "
            "Enter: the ordinary ones."
        ),
        *wording.list_cards(_("Choose from: {cards}."), _list_able(draft)),
    ]


def choose_uniques(draft: Draft, answer: str) -> list[str]:
    """Shuffle in the districts of these names, with none the ordinary ones; return the problems."""
    nobody = _("no unique district here is called {name}.")
    districts, problems = _read(answer, _list_able(draft), nobody)
    if problems:
        return problems
    before = draft.cast
    draft.cast.choose_districts(districts or None, draft.edition, draft.size)
    problems = draft.list_problems()
    if problems:
        draft.cast = before
    return problems


def draw_uniques(draft: Draft) -> tuple[str, ...]:
    """As many unique districts as a game uses, by lot."""
    able = list(_list_able(draft))
    for _time in range(len(able) - min(draft.edition.uniques_played or 0, len(able))):
        able.remove(setup.chance(able))
    return tuple(able)


def toggle_unique(draft: Draft, id_: str) -> None:
    """Add that unique district, or take it out."""
    inside = set(draft.cast.list_shuffled_in(draft.edition, draft.size)) ^ {id_}
    choices = tuple(one for one in _list_able(draft) if one in inside)
    draft.cast.choose_districts(choices, draft.edition, draft.size)


def _read(answer: str, able: Iterable[str], nobody: str) -> tuple[tuple[str, ...], list[str]]:
    """The cards that the comma-separated names mean, and a sentence for each name that means none
    or several."""
    names = names_of_cards(able)
    picks, problems = [], []
    for word in filter(None, map(str.strip, answer.split(","))):
        matches = match_names(word, names)
        if len(matches) == 1:
            picks.append(matches[0])
        elif matches:
            sentence = _("{name} could be {cards}; type more of the name.")
            problems.append(
                sentence.format(name=word, cards=listing(map(card, matches), conjunction="or"))
            )
        else:
            problems.append(nobody.format(name=word))
    return tuple(picks), problems
