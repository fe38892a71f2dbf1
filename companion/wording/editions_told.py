"""Editions and their options in words: what each box plays, what a table plays, and the differences
between two editions, a line for each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any

from companion.language import (
    _,
    amount,
    card,
    cards,
    catalogues,
    coins,
    current,
    end_sentence,
    list_offered,
    listing,
    plural,
    translate,
)
from companion.wording.facts import sentences
from engine import casts, words
from engine.cards import characters as every_character
from engine.cards import text_of
from engine.differences import SMALL_TABLE, Pair, can_come_up, characters_of, compare, districts_of
from engine.editions import RULINGS, Edition, Switch, kept_switches, switches, write_answer
from engine.moves import fold

if TYPE_CHECKING:
    from engine.table import Table


def language_name(language: str) -> str:
    name: str = words.language(language)["language"]
    return name


def language_called(word: str) -> str | None:
    """The language with that code or name; None if there is none."""
    typed = fold(word)
    languages = ((code, (code, fold(language_name(code)))) for code in list_offered())
    return next((code for code, names in languages if typed in names), None)


def refuse_language(word: str) -> str:
    """Why the table cannot use that language."""
    lacking = catalogues.describe_missing(word)
    if lacking:
        return translate(lacking)
    sentence = _("Unknown language {word}. Choose from: {known}.")
    return sentence.format(word=word, known=", ".join(list_offered()))


def answer(switch: Switch, value: Any) -> str:
    """The answer to a disputed question, in a player's words."""
    if not switch.is_list:
        return translate(switch.values[value])
    if not value:
        return _("they aren't: the victory is shared")
    text, *others = [translate(switch.values[item]) for item in value]
    for other in others:
        text = _("{first}, then {second}").format(first=text, second=other)
    return text


def options(edition: Edition) -> list[str]:
    return [line for switch in switches().values() for line in _option(edition, switch)]


def box(edition: Edition) -> list[str]:
    """The contents of the box, one fact a line."""
    return [
        f"{edition.id}: {translate(edition.title)}",
        _("For {fewest} to {most} players.").format(
            fewest=edition.min_players, most=edition.max_players
        ),
        *_cards(edition),
        _("First crown: {who}.").format(who=translate(edition.first_crown)),
        _("Language: {language}.").format(language=language_name(edition.language)),
    ]


def _cards(edition: Edition) -> list[str]:
    """The number of cards in the box, those used in an ordinary game, and the alternatives."""
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
        tables = listing(map(str, edition.nine_with), conjunction="or")
        lines.append(
            _("With {tables} players, also the {card}.").format(
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
            _("With the {character}, these stay in the box: {cards}.").format(
                character=card(character), cards=cards(districts_out)
            )
        )
    lines += [
        describe_cast(cast.id, cast.characters) for cast in casts.list_printed(edition).values()
    ]
    return lines


def describe_cast(cast: str, characters: Iterable[str]) -> str:
    return _("Cast {name}: {cards}.").format(name=cast, cards=cards(characters))


def _option(edition: Edition, switch: Switch) -> list[str]:
    """A switch: its question, the edition's answer and source, and the alternatives; then whether
    it can come up at all."""
    default = edition.answers(SMALL_TABLE + 1)[switch.name]
    text = answer(switch, default)
    small = edition.small_table.get(switch.name, default)
    if small != default and edition.min_players <= SMALL_TABLE:
        text = _("{answer}; with 2 or 3 players {small}").format(
            answer=text, small=answer(switch, small)
        )
    values = ", ".join(
        _("{value} ({meaning})").format(value=write_answer(value), meaning=translate(meaning))
        for value, meaning in switch.values.items()
    )
    line = _("Option {name}: {question} {answer} ({source}). Values: {values}.").format(
        name=switch.name,
        question=translate(switch.question),
        answer=_sentence_start(text),
        source=translate(edition.source(switch.name)),
        values=values,
    )
    return [line] if can_come_up(edition, switch) else [line, _("Its card is not in this box.")]


def _sentence_start(text: str) -> str:
    return text[:1].upper() + text[1:]


# -- at a table -----------------------------------------------------------------------------

_LONGEST = 115  # characters that a listener can remember


def tell_agreed(table: Table) -> list[str]:
    """The table's rules for the start of a game: the box, and what differs from its defaults."""
    rules = table.rules
    lines = _box(table)
    if rules.secret:
        lines.append(_("Who is murdered or robbed stays secret until it takes effect."))
    if rules.cast != rules.edition.ordinary_cast(len(table.seats)):
        lines += list_cards(_("Characters: {cards}."), rules.cast)
    for name in rules.options:
        if name != "city_size" and not (name == "cities" and rules.only_scores):
            lines += describe_ruling(table, name)
    return lines


def rules(table: Table) -> list[str]:
    """The table's rules in full: box, cards, and each disputed question that can come up."""
    lines = _box(table)
    lines.append(
        _("Who is murdered or robbed stays secret until it takes effect.")
        if table.rules.secret
        else _("Who is murdered or robbed is announced aloud.")
    )
    lines += list_cards(_("Characters: {cards}."), table.rules.cast)
    lines += list_cards(_("Unique districts: {cards}."), table.rules.uniques)
    cards_in_game = {*table.rules.cast, *table.rules.districts}
    for name, switch in switches().items():
        if name != "city_size" and switch.about <= cards_in_game:
            lines += describe_ruling(table, name)
    return lines + (describe_ruling(table, RULINGS) if RULINGS in table.rules.options else [])


def list_cards(sentence: str, ids: Iterable[str]) -> list[str]:
    """The cards, in as many lines as keep each short; only the first says what they are."""
    parts: list[list[str]] = [[]]
    for id_ in ids:
        if parts[-1] and len(sentence) + len(cards([*parts[-1], id_])) > _LONGEST:
            parts.append([])
        parts[-1].append(id_)
    first, *others = parts
    if not first:
        return []
    return [sentence.format(cards=cards(first)), *(end_sentence(str(cards(o))) for o in others)]


def describe_ruling(table: Table, name: str) -> list[str]:
    """A disputed question and its answer at this table, in one line or two short ones."""
    switch = kept_switches()[name]
    question = translate(switch.question)
    text = _sentence_start(answer(switch, table.rules.answers[name]))
    if name in table.rules.options and not switch.kept:
        question = _("House rule: {question}").format(question=question)
    line = end_sentence(_("{question} {answer}").format(question=question, answer=text))
    return [line] if len(line) <= _LONGEST else [question, end_sentence(text)]


def _box(table: Table) -> list[str]:
    return [
        end_sentence(
            _("{label}, {mark}").format(
                label=translate(table.rules.edition.title),
                mark=amount("player", len(table.seats)),
            )
        ),
        _("A city is complete with {districts}.").format(
            districts=amount("district", table.city_size)
        ),
    ]


def list_differences(one: Edition, other: Edition) -> list[str]:
    """The differences in lines; none for two equal editions."""
    difference = compare(one, other, current())

    def tell_both(question: str, pair: Pair | None, tell: Callable[[Any], str]) -> list[str]:
        if pair is None:
            return []
        sentence = _("{question} {one}: {first}; {other}: {second}.")
        if pair[0] == pair[1]:  # told because it applies only at small tables
            sentence = _("{question} In both: {first}.")
        return [
            sentence.format(
                question=question,
                one=translate(one.cites),
                first=tell(pair[0]),
                other=translate(other.cites),
                second=tell(pair[1]),
            )
        ]

    lines = [
        *tell_both(_("Players."), difference.players, _span),
        *tell_both(end_sentence(_("First crown")), difference.first_crown, translate),
        *tell_both(end_sentence(_("Language")), difference.language, language_name),
        *tell_both(_("Ordinary cast."), difference.ordinary_cast, _cast),
        *tell_both(_("Always nine characters."), difference.nine_with, _tables),
        *tell_both(_("Unique districts shuffled in."), difference.uniques_played, _uniques),
        *tell_both(_("Left in the box."), difference.taken_out, _list_left_out),
    ]
    only = _("Characters only in {edition}: {cards}."), _("Districts only in {edition}: {cards}.")
    told: tuple[Iterable[str], ...] = (
        map(_add_ranks, difference.characters),
        map(cards, difference.districts),
    )
    for sentence, of_both in zip(only, told, strict=True):
        for edition, card_list in zip((one, other), of_both, strict=True):
            if card_list:
                lines.append(sentence.format(edition=translate(edition.cites), cards=card_list))
    for id_, pair in difference.costs.items():
        lines += tell_both(_("{card}, cost.").format(card=card(id_)), pair, coins)
    for id_, pair in difference.copies.items():
        lines += tell_both(_("{card}, copies.").format(card=card(id_)), pair, str)
    for name, pair in difference.switches.items():
        switch = switches()[name]
        lines += tell_both(translate(switch.question), pair, partial(answer, switch))
    for name, pair in difference.small_table.items():
        switch = switches()[name]
        question = _("With 2 or 3 players: {question}").format(question=translate(switch.question))
        lines += tell_both(question, pair, partial(answer, switch))
    for id_ in difference.texts:
        lines += _texts(one, other, id_)
    return lines


def _span(players: tuple[int, int]) -> str:
    return _("{fewest} to {most}").format(fewest=players[0], most=players[1])


def _cast(cast: tuple[tuple[str, ...], str | None]) -> str:
    return cards((*cast[0], cast[1]) if cast[1] else cast[0])


def _tables(numbers: tuple[int, ...]) -> str:
    if not numbers:
        return _("never")
    return _("with {numbers} players").format(numbers=listing(map(str, numbers), conjunction="or"))


def _uniques(number: int | None) -> str:
    return _("all", "copies of a card") if number is None else str(number)


def _list_left_out(taken_out: dict[str, list[str]]) -> str:
    parts = [
        _("with the {character}, the {cards}").format(character=card(id_), cards=cards(districts))
        for id_, districts in taken_out.items()
    ]
    return listing(parts) if parts else _("nothing")


def _add_ranks(characters: tuple[str, ...]) -> str:
    """Names with ranks: two boxes may each have a Tax Collector at different ranks."""
    cast = every_character()
    return listing(
        _("{character} (rank {rank})").format(character=card(id_), rank=cast[id_].rank)
        for id_ in characters
    )


def _texts(one: Edition, other: Edition, id_: str) -> list[str]:
    """The sentences of a card that only one edition has."""
    texts = {e.id: sentences(text_of(id_, e.id, current()).text) for e in (one, other)}
    lines = []
    for edition, rest in ((one, texts[other.id]), (other, texts[one.id])):
        own = " ".join(sentence for sentence in texts[edition.id] if sentence not in rest)
        if own:
            lines.append(
                _("{card}, {edition}: {text}").format(
                    card=card(id_), edition=translate(edition.cites), text=own
                )
            )
    return lines
