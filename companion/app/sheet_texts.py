"""The text of the sheets: why a move was refused, a card's text, scores, cities, events."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content

from companion.app.display import SHEET_WIDTH, fit, fit_columns, join, lines, paint, type_mark
from companion.app.widgets.chronicle import latest
from companion.app.widgets.players_panel import frame
from companion.language import _, card, current, district_type, translate
from companion.wording import editions_told, facts
from engine import cards, scoring

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.wording.story import ChronicleLine
    from engine.explain import Refused
    from engine.table import Table

SCORE_WIDTH = 44


def refusal(table: Table, reason: Refused) -> Content:
    """The rule behind a refusal, its source and sentence, and the text of each card in the move."""
    why = reason.refusal
    if not why.is_by_rule:
        return lines([paint(translate(why.reason), "bold")])
    parts: list[Content | str] = [
        join([paint(_("Move: "), "$quiet"), paint(reason.move)]),
        "",
        paint(translate(why.reason), "bold"),
        "",
        join(
            [
                paint(_("Source: "), "$quiet"),
                paint(translate(why.source)),
                paint(f" ({why.rule})", "$quiet"),
            ]
        ),
    ]
    parts += ["", *facts.printed_sentence(why)]
    cards_in_game = {**table.rules.characters, **table.rules.districts}
    for word in dict.fromkeys(reason.move.split()):
        if word in cards_in_game:
            parts += ["", *card_lines(table, word)]
    return lines(parts)


def card_lines(table: Table, card_id: str) -> list[Content | str]:
    printed = cards.text_of(card_id, table.rules.edition.id, current(), secret=table.rules.secret)
    told: list[Content | str] = [
        paint(card(card_id), "bold $gold"),
        _facts(table, card_id),
        printed.text,
    ]
    told.append(paint(printed.source, "$quiet"))
    if printed.ruling:
        told.append(join([paint(_("Ruling: "), "$quiet"), paint(printed.ruling)]))
    return told


def _facts(table: Table, card_id: str) -> Content:
    character = table.rules.characters.get(card_id)
    if character is not None:
        return paint(_("Character of rank {rank}").format(rank=character.rank), "$quiet")
    district = table.rules.districts[card_id]
    sentence = _("{letter} {type}, costs {number}, in the box: {most}").format(
        letter=type_mark(district.type),
        type=district_type(district.type),
        number=district.cost,
        most=district.copies,
    )
    return paint(sentence, f"${district.type}")


def scores(table: Table) -> Content:
    """The points of each player by source, best first."""
    if not table.rules.tracks_cities and table.stage != "over":
        return lines([paint(line, "bold") for line in facts.score(table)])
    standing = scoring.standing(table)
    heading = (
        facts.tell_result(table)
        if table.stage == "over"
        else [_("So far, counting only what everyone can see.")]
    )
    parts: list[Content | str] = [paint(line, "bold") for line in heading]
    for index in standing.ranking:
        place, points = standing.places[index], standing.scores[index]
        style = "bold $gold" if index in standing.winners else "bold"
        row = fit_columns(f"{place}. {table.seats[index].name}", str(points.total), SCORE_WIDTH)
        parts += ["", paint(row, style)]
        parts += [f"   {reason}" for reason in facts.reasons(points)]
    return lines(parts)


def rules(table: Table) -> Content:
    """The box, the cards and every option in force, in words."""
    return Content("\n\n").join([paint(line) for line in editions_told.rules(table)])


def city(table: Table, index: int) -> Content:
    """A player's city, a district a line, and its value so far."""
    seat = table.seats[index]
    parts: list[Content | str] = [facts.gold(table)[index], facts.city(table, index)[0], ""]
    for district in seat.city.cards:
        type_ = table.rules.districts[district.id].type
        parts.append(
            join(
                [
                    paint(f"{type_mark(type_)} ", f"bold ${type_}"),
                    paint(facts.district(table, district)),
                ]
            )
        )
    reasons = facts.reasons(scoring.score_of(table, index))
    return lines([*parts, "", paint(_("Points so far"), "$quiet bold"), *reasons])


def cities(table: Table, width: int) -> Content:
    """Every city as cards, in rows of at most `width` cells."""
    parts: list[Content | str] = []
    for index, seat in enumerate(table.seats):
        heading = facts.city(table, index)[0]
        parts += [paint(heading, "bold $gold"), *frame(table, seat.city, width), ""]
    return lines(parts[:-1])


def journal(entries: Sequence[ChronicleLine]) -> Content:
    """The chronicle, with the last move undimmed."""
    return lines(row for row in latest(entries, SHEET_WIDTH, len(entries) * 9))


def final(table: Table, columns: int = SHEET_WIDTH) -> Content:
    """The final scores by parts, best first, and what decided a tie; at most so many columns."""
    standing = scoring.standing(table)
    headings = [_("districts"), _("types"), _("city"), _("unique"), _("points")]
    least, gap = (7, 2) if columns >= SHEET_WIDTH else (5, 1)
    width = [max(least, len(heading) + gap) for heading in headings]
    top = "".join(h.rjust(w) for h, w in zip(headings, width, strict=True))
    room = min(SHEET_WIDTH, columns) - sum(width)
    parts: list[Content | str] = [paint(line, "bold") for line in facts.tell_result(table)]
    parts.append("")
    parts.append(paint(" " * room + top, "$quiet"))
    for index in standing.ranking:
        place, score = standing.places[index], standing.scores[index]
        by_part = [score.districts, score.five_types, score.complete]
        by_part += [sum(score.unique.values()), score.total]
        row = "".join(str(n).rjust(w) for n, w in zip(by_part, width, strict=True))
        style = "bold $gold" if index in standing.winners else "bold"
        parts.append(paint(fit(f"{place}. {table.seats[index].name}", room) + row, style))
    return lines(parts)
