"""Obligations: moves that may not be offered before they are met, and moves that must be."""

from __future__ import annotations

from tests.engine.bookkeeping.books import Books
from tests.engine.bookkeeping.facts import PAID_BY
from tests.engine.bookkeeping.rounds import is_threatened

GATHERING = {"gold", "cards"}
BEFORE_THE_TURN = {"forfeit"}  # skipping the turn for forgotten thanks; not the player's own move
AMOUNTS = {"pay", "gain", "complete"}  # light mode: what the table reports about districts
ANSWERED_BY = {
    "graveyard": {"rescue", "leave"},
    "unmask": {"unmask"},
    "emperor": {"crown"},
    "warrant": {"confiscate", "spare"},
    "threat": {"bribe", "refuse"},
    "expose": {"expose", "spare"},
    "city": {"city", "decorate", "count", "counted"},
    "completion": {"confirm", "recount"},
    "built_last_round": {"late", "early"},
}


def find_broken(b: Books, legal: list[list[str]]) -> str:
    """A sentence about an offered move that an obligation forbids; empty if there is none."""
    offers = {words[0] for words in legal}
    allowed = _list_only_allowed(b)
    if b.stage != "over" and not offers:
        return "nothing is offered"
    if allowed is not None and not offers <= allowed:
        return f"{', '.join(sorted(offers - allowed))} offered before what is owed"
    if b.turn is None or b.questions:
        return ""
    missing = _list_required(b) - offers
    if missing:
        return f"{', '.join(sorted(missing))} not offered"
    if "end" in offers and (text := _find_owed(b)):
        return f"end offered: {text}"
    if "build" in offers and b.now.character == "navigator":
        return "the Navigator is offered to build"
    for verb in ("navigate", "bonus"):
        if verb in offers and b.answers[f"{verb}_timing"] != "any" and not b.now.gathered:
            return f"{verb} offered before gathering"
    if "build" in offers and not (b.now.gathered or b.answers["build_before_gathering"]):
        return "build offered before gathering"
    return ""


def _list_only_allowed(b: Books) -> set[str] | None:
    """The only verbs that may be offered now; None if there is no restriction."""
    if b.questions:
        return ANSWERED_BY[b.questions[-1].kind]
    if b.turn is None:
        return None
    if b.now.part == "last":
        return {"end"} | (set() if b.tracked else AMOUNTS)
    if b.now.part == "bewitched":
        return GATHERING | BEFORE_THE_TURN
    if b.now.part == "hospital":
        return {"end"} if b.now.gathered else {*GATHERING, *BEFORE_THE_TURN, "end"}
    before = GATHERING | BEFORE_THE_TURN | (set() if b.tracked else AMOUNTS)
    if b.now.character == "witch":
        return {"bewitch"} | (before - GATHERING if b.now.gathered else before)
    if is_threatened(b):
        return before
    return None


def _list_required(b: Books) -> set[str]:
    """The verbs that must be offered, so that nobody is kept from a duty or stuck."""
    always = set() if b.now.gathered else {"gold"}
    if b.now.part in ("bewitched", "last"):
        return always if b.now.part == "bewitched" else {"end"}
    if b.now.gathered and b.now.character == "witch":
        return {"bewitch"}
    whole = b.now.part != "hospital" and b.now.character != "witch" and not is_threatened(b)
    if whole and b.now.character in PAID_BY and not b.now.income and b.tracked:
        always.add("income")
    if whole and b.now.character == "emperor" and not b.now.given_crown:
        always.add("crown")
    paid = {"merchant"} | ({"architect"} if b.tracked else set())
    in_time = b.now.gathered or b.answers["bonus_timing"] == "any"
    if whole and b.now.character in paid and in_time and "bonus" not in b.now.used:
        always.add("bonus")
    free = b.now.gathered or (whole and not b.answers["must_gather"])
    if free and not _find_owed(b):
        always.add("end")
    return always


def _find_owed(b: Books) -> str:
    """The verb required before the turn ends."""
    if b.now.part == "hospital":
        return ""
    if not b.now.gathered and b.answers["must_gather"]:
        return "nothing gathered"
    if b.now.character == "emperor" and not b.now.given_crown:
        return "the crown not given"
    return ""
