"""The text of the sheets: why a move was refused, what a card says, scores, cities, events."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content

from companion.app.display import SHEET_WIDTH, fitted, in_columns, joined, lines, shown
from companion.app.symbols import mark
from companion.app.widgets.city import framed
from companion.app.widgets.events import latest
from companion.language import _, card, current, district_type, said
from companion.wording import editions, facts
from engine import cards, scoring

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.wording.chronicle import Line
    from engine.refusals import Refused
    from engine.table import Table

SCORE_WIDTH = 44


def refusal(t: Table, refused: Refused) -> Content:
    """The rule behind a refusal, its place, our ruling, and the text of each card in the move."""
    why = refused.refusal
    parts: list[Content | str] = [
        joined([shown(_("Move: "), "$quiet"), shown(refused.move)]),
        "",
        shown(said(why.reason), "bold"),
        "",
        joined([shown(_("Rule: "), "$quiet"), shown(why.rule)]),
        joined([shown(_("Source: "), "$quiet"), shown(said(why.source))]),
    ]
    if why.ruling:
        parts.append(joined([shown(_("Ruling: "), "$quiet"), shown(said(why.ruling))]))
    known = {**t.rules.characters, **t.rules.districts}
    for word in dict.fromkeys(refused.move.split()):
        if word in known:
            parts += ["", *card_lines(t, word)]
    return lines(parts)


def card_lines(t: Table, card_id: str) -> list[Content | str]:
    """What a card is and says."""
    text = cards.text_of(card_id, t.rules.edition.id, current())
    found: list[Content | str] = [shown(card(card_id), "bold $gold"), _facts(t, card_id), text.text]
    found.append(shown(text.source, "$quiet"))
    if text.ruling:
        found.append(joined([shown(_("Ruling: "), "$quiet"), shown(text.ruling)]))
    return found


def _facts(t: Table, card_id: str) -> Content:
    character = t.rules.characters.get(card_id)
    if character is not None:
        return shown(_("Character, rank {rank}").format(rank=character.rank), "$quiet")
    district = t.rules.districts[card_id]
    sentence = _("{letter} {type}, costs {number}, in the box: {most}").format(
        letter=mark(district.type),
        type=district_type(district.type),
        number=district.cost,
        most=district.copies,
    )
    return shown(sentence, f"${district.type}")


def scores(t: Table) -> Content:
    """Who has how many points and for what, best first."""
    if not t.rules.counts_cards and t.stage != "over":
        return lines([shown(line, "bold") for line in facts.score(t)])
    standing = scoring.standing(t)
    heading = (
        facts.result(t) if t.stage == "over" else _("As things stand, what is public counted.")
    )
    parts: list[Content | str] = [shown(heading, "bold")]
    for place, index in enumerate(standing.ranking, start=1):
        points = standing.scores[index]
        style = "bold $gold" if index in standing.winners else "bold"
        row = in_columns(f"{place}. {t.seats[index].name}", str(points.total), SCORE_WIDTH)
        parts += ["", shown(row, style)]
        parts += [f"   {reason}" for reason in facts.reasons(points)]
    return lines(parts)


def rules(t: Table) -> Content:
    """The box, the cards and every option in force, in words."""
    return Content("\n\n").join([shown(line) for line in editions.rules(t)])


def city(t: Table, index: int) -> Content:
    """What lies before a player, a district a line, and what it is worth so far."""
    seat = t.seats[index]
    parts: list[Content | str] = [facts.gold(t)[index], facts.city(t, index)[0], ""]
    for built in seat.city.cards:
        type_ = t.rules.districts[built.id].type
        parts.append(
            joined([shown(f"{mark(type_)} ", f"bold ${type_}"), shown(facts.district(t, built))])
        )
    reasons = facts.reasons(scoring.score_of(t, index))
    return lines([*parts, "", shown(_("Points so far"), "$quiet bold"), *reasons])


def cities(t: Table) -> Content:
    """Every city as cards."""
    parts: list[Content | str] = []
    for index, seat in enumerate(t.seats):
        heading = facts.city(t, index)[0]
        parts += [shown(heading, "bold $gold"), *framed(t, seat.city, SHEET_WIDTH), ""]
    return lines(parts[:-1])


def journal(told: Sequence[Line]) -> Content:
    """The chronicle, the last move in full strength."""
    return lines(row for row in latest(told, SHEET_WIDTH, len(told) * 9))


def final(t: Table) -> Content:
    """The final scores by parts, best first, and what decided a tie."""
    standing = scoring.standing(t)
    headings = [_("districts"), _("types"), _("city"), _("unique"), _("points")]
    width = [max(7, len(heading) + 2) for heading in headings]
    top = "".join(h.rjust(w) for h, w in zip(headings, width, strict=True))
    room = SHEET_WIDTH - sum(width)
    parts: list[Content | str] = [shown(facts.result(t), "bold"), ""]
    parts.append(shown(" " * room + top, "$quiet"))
    for place, index in enumerate(standing.ranking, start=1):
        score = standing.scores[index]
        by_part = [score.districts, score.five_types, score.complete]
        by_part += [sum(score.unique.values()), score.total]
        row = "".join(str(n).rjust(w) for n, w in zip(by_part, width, strict=True))
        style = "bold $gold" if index in standing.winners else "bold"
        parts.append(shown(fitted(f"{place}. {t.seats[index].name}", room) + row, style))
    return lines(parts)
