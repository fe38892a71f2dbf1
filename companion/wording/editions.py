"""The editions and their options in words: what each box plays, and what is in force at a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.language import _, amount, card, cards, listing, plural, said
from engine import casts, languages, words
from engine.differences import SMALL_TABLE, can_come_up, characters_of, districts_of
from engine.editions import switches
from engine.moves import fold

if TYPE_CHECKING:
    from collections.abc import Iterable

    from engine.editions import Edition, Switch
    from engine.table import Table


def language_name(language: str) -> str:
    """What the language is called in itself."""
    name: str = words.language(language)["language"]
    return name


def language_called(word: str) -> str | None:
    """The language of that code or name; None where there is none."""
    wanted = fold(word)
    known = ((code, (code, fold(language_name(code)))) for code in languages.complete())
    return next((code for code, names in known if wanted in names), None)


def answer(switch: Switch, value: Any) -> str:
    """An answer to a disputed question in a player's words."""
    if not switch.is_list:
        return said(switch.values[value])
    if not value:
        return _("nothing, so that the victory is shared")
    told, *others = [said(switch.values[item]) for item in value]
    for other in others:
        told = _("{first}, then {second}").format(first=told, second=other)
    return told


def written(value: Any) -> str:
    """An answer as `--option` takes it."""
    if isinstance(value, list):
        return ",".join(value)
    return str(value).lower() if isinstance(value, bool) else str(value)


def options(edition: Edition) -> list[str]:
    """Every option of the edition: what it asks, what is played, and what else it takes."""
    return [line for switch in switches().values() for line in _option(edition, switch)]


def box(edition: Edition) -> list[str]:
    """What lies in the box, in lines of one fact each."""
    return [
        f"{edition.id}: {edition.title}",
        _("For {fewest} to {most} players.").format(
            fewest=edition.min_players, most=edition.max_players
        ),
        *_cards(edition),
        _("The first crown: {who}.").format(who=said(edition.first_crown)),
        _("Speaks by default: {language}.").format(language=language_name(edition.language)),
    ]


def _cards(edition: Edition) -> list[str]:
    """How many cards lie in the box, which of them an ordinary game uses, and what else goes."""
    districts = districts_of(edition).values()
    unique = sum(card.copies for card in districts if card.type == "unique")
    lines = [
        _("{characters}; {districts}, {unique} of them unique.").format(
            characters=amount("character", len(characters_of(edition))),
            districts=amount("district", sum(card.copies for card in districts)),
            unique=unique,
        ),
        _("Ordinary cast: {cards}.").format(cards=cards(edition.cast)),
    ]
    if edition.ninth:
        tables = listing(map(str, edition.nine_with), joined="or")
        lines.append(
            _("With {tables} players also the {card}.").format(
                tables=tables, card=card(edition.ninth)
            )
        )
    if edition.uniques_played is not None:
        lines.append(
            plural(
                "{number} unique district is shuffled in.",
                "{number} unique districts are shuffled in.",
                edition.uniques_played,
            )
        )
    for character, districts_out in edition.taken_out.items():
        lines.append(
            _("With the {character} these stay in the box: {cards}.").format(
                character=card(character), cards=cards(districts_out)
            )
        )
    lines += [printed_cast(cast.id, cast.characters) for cast in casts.printed(edition).values()]
    return lines


def printed_cast(cast: str, characters: Iterable[str]) -> str:
    """A printed cast in a line."""
    return _("Cast {name}: {cards}.").format(name=cast, cards=cards(characters))


def _option(edition: Edition, switch: Switch) -> list[str]:
    """A switch: its question, the edition's answer and source, and what else it takes; then whether
    it can come up at all."""
    played = edition.answers(SMALL_TABLE + 1)[switch.name]
    told = answer(switch, played)
    small = edition.small_table.get(switch.name, played)
    if small != played and edition.min_players <= SMALL_TABLE:
        told = _("{answer}; with 2 or 3 players {small}").format(
            answer=told, small=answer(switch, small)
        )
    values = ", ".join(
        _("{value} ({meaning})").format(value=written(value), meaning=said(meaning))
        for value, meaning in switch.values.items()
    )
    sentence = (
        _("Option {name}: {question} {answer} ({source}). A list of: {values}.")
        if switch.is_list
        else _("Option {name}: {question} {answer} ({source}). One of: {values}.")
    )
    line = sentence.format(
        name=switch.name,
        question=said(switch.question),
        answer=_sentence_start(told),
        source=said(edition.source(switch.name)),
        values=values,
    )
    return [line] if can_come_up(edition, switch) else [line, _("Its card is not in this box.")]


def _sentence_start(text: str) -> str:
    return text[:1].upper() + text[1:]


# -- at a table -----------------------------------------------------------------------------

_LONGEST = 115  # characters that a listener keeps in mind


def agreed(t: Table) -> list[str]:
    """What is played here, for the start of a game: the box, and what is not as usual in it."""
    rules = t.rules
    lines = _box(t)
    if rules.secret:
        lines.append(_("Who is murdered or robbed stays secret until it takes effect."))
    if rules.cast != rules.edition.ordinary_cast(len(t.seats)):
        lines += listed(_("Characters: {cards}."), rules.cast)
    for name in rules.options:
        if name != "city_size":
            lines += in_force(t, name)
    return lines


def rules(t: Table) -> list[str]:
    """Everything in force: the box, the cards, and each disputed question that can come up."""
    found = _box(t)
    found.append(
        _("Who is murdered or robbed stays secret until it takes effect.")
        if t.rules.secret
        else _("Who is murdered or robbed is said aloud.")
    )
    found += listed(_("Characters: {cards}."), t.rules.cast)
    found += listed(_("Unique districts: {cards}."), t.rules.uniques)
    here = {*t.rules.cast, *t.rules.districts}
    for name, switch in switches().items():
        if name != "city_size" and switch.about <= here:
            found += in_force(t, name)
    return found


def listed(sentence: str, ids: Iterable[str]) -> list[str]:
    """The cards in as many lines as keep each short."""
    lines: list[str] = []
    line: list[str] = []
    for id_ in ids:
        if line and len(sentence) + len(cards([*line, id_])) > _LONGEST:
            lines.append(sentence.format(cards=cards(line)))
            line = []
        line.append(id_)
    return [*lines, sentence.format(cards=cards(line))] if line else lines


def in_force(t: Table, name: str) -> list[str]:
    """A disputed question and its answer at this table, in one line or two short ones."""
    switch = switches()[name]
    question = said(switch.question)
    told = _sentence_start(answer(switch, t.rules.answers[name]))
    if name in t.rules.options:
        question = _("House option: {question}").format(question=question)
    line = _("{question} {answer}.").format(question=question, answer=told)
    return [line] if len(line) <= _LONGEST else [question, _("{answer}.").format(answer=told)]


def _box(t: Table) -> list[str]:
    return [
        _("{edition}, {players}.").format(
            edition=t.rules.edition.title,
            players=amount("player", len(t.seats)),
        ),
        _("A city is complete with {districts}.").format(districts=amount("district", t.city_size)),
    ]
