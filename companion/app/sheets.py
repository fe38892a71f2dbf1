"""The text of the sheets: why a move was refused, what a card says, the scores, the keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content

from companion.app.display import in_columns, joined, lines, shown
from companion.app.symbols import mark
from companion.language import _, card, current
from companion.wording import editions, facts
from engine import cards, scoring

if TYPE_CHECKING:
    from engine.refusals import Refused
    from engine.table import Table

SCORE_WIDTH = 44


def refusal(t: Table, refused: Refused) -> Content:
    """The rule behind a refusal, its place, our ruling, and the text of each card in the move."""
    why = refused.refusal
    parts: list[Content | str] = [
        joined([shown(_("Move: "), "$quiet"), shown(refused.move)]),
        "",
        shown(why.reason, "bold"),
        "",
        joined([shown(_("Rule: "), "$quiet"), shown(why.rule)]),
        joined([shown(_("Source: "), "$quiet"), shown(why.source)]),
    ]
    if why.ruling:
        parts.append(joined([shown(_("Ruling: "), "$quiet"), shown(why.ruling)]))
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
    sentence = _("{letter} {type}, costs {cost}, {copies} in the box").format(
        letter=mark(district.type),
        type=facts.type_name(district.type),
        cost=district.cost,
        copies=district.copies,
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


def keys() -> Content:
    """Every key, and what can be typed."""
    parts: list[Content | str] = []
    for heading, rows in _keys():
        parts += [shown(heading, "bold $gold")]
        parts += [joined([shown(f"  {key:<14}", "bold"), shown(text)]) for key, text in rows]
        parts.append("")
    return lines(parts[:-1])


def _keys() -> list[tuple[str, list[tuple[str, str]]]]:
    return [
        (
            _("Moves"),
            [
                ("1 … 9", _("the choice of that number")),
                ("Enter, space", _("the marked choice; ↑ ↓ mark another")),
                ("g  c", _("take gold, draw cards")),
                ("i  b", _("take the income, the Merchant's or Architect's bonus")),
                ("d  x", _("build, destroy: a list opens; type a name, then Enter")),
                ("a  n  e", _("everybody has chosen, nobody answers, end the turn")),
                ("f  w  p", _("discard face up, replace cards, record a choice in private")),
                (":  or  /", _("type a move, as in a record; tap CARD, lift, unplug, plug")),
            ],
        ),
        (
            _("The game"),
            [
                ("u, Ctrl+Z", _("take the last move back")),
                ("r, Ctrl+Y", _("play it again")),
                ("?, F1", _("why the last move was refused; else this help")),
                ("s, F3", _("the scores as they stand")),
                ("k, F2", _("the cards with their texts")),
                ("o, F9", _("what is played: box, cards, every house rule")),
                ("h", _("this help")),
                ("Ctrl+N", _("a new game")),
                ("q, Ctrl+Q", _("leave; the game is saved")),
            ],
        ),
        (
            _("Chips"),
            [
                ("t", _("the tray: chips to lay on the simulated reader")),
                ("l", _("say what an unknown chip is")),
            ],
        ),
        (
            _("Marks of the cities"),
            [(mark(type_), facts.type_name(type_)) for type_ in cards.DISTRICT_TYPES],
        ),
    ]
