"""Prohibitions, checked for every move that the engine accepts."""

from __future__ import annotations

from tests.engine.bookkeeping.books import Books, Card, Player
from tests.engine.bookkeeping.cities import parts_of_exchange

LIMITS = {"architect": 3, "seer": 2, "scholar": 2, "navigator": 0}
SAFE_RANK_1 = ("assassin", "witch", "magistrate")


def find_broken(b: Books, verb: str, words: list[str]) -> str:
    """The rule that the move breaks, as a sentence; empty if it breaks none."""
    if b.turn is None or b.questions:
        return ""
    if verb in ("build", "take"):
        return _check_building(b, verb, words) if b.tracked else ""
    if verb in ("destroy", "seize"):
        return _strike(b, verb, b.player(words[0]), *words[1:])
    if verb == "exchange":
        return _exchange(b, words)
    if verb in ("rob", "threats"):
        return _check_naming(b, words)
    if verb == "use" and words[0] == "bell_tower":
        just_built = b.last[0] in ("build", "take") and "bell_tower" in b.last
        return "" if just_built else "the Bell Tower is announced too late"
    if verb == "use" and words[0] == "armory" and not b.answers["armory_complete_city"]:
        return "the city is complete" if b.is_complete(b.player(words[1])) else ""
    return ""


# -- building -------------------------------------------------------------------------------------


def _check_building(b: Books, verb: str, words: list[str]) -> str:
    if verb == "take" and len(words) == 1:
        return ""
    if verb == "take":
        words = words[1:]
    district = words[0]
    if not b.now.gathered and not b.answers["build_before_gathering"]:
        return "built before gathering"
    if verb == "build" and _counts_towards_limit(b, district) and b.now.counted >= _limit(b):
        return "one building too many"
    if _limit(b) == 0:
        return "the Navigator builds"
    if "from" in words and b.now.borrowed:
        return "borrowed twice"
    city = [*b.me.city]
    if words[1:2] == ["over"]:
        city.remove(b.find(b.me, *words[2:]))
    if district == "monument" and len(city) >= 5:
        return "a Monument beside five districts"
    if any(card.id == district for card in city) and not _may_double(b, verb, city):
        return "a double"
    return ""


def _counts_towards_limit(b: Books, district: str) -> bool:
    """Whether it counts towards the building limit."""
    trade = b.cards[district].type == "trade"
    return district != "stables" and not (b.now.character == "trader" and trade)


def _limit(b: Books) -> int:
    return LIMITS.get(b.now.character, 1)


def _may_double(b: Books, verb: str, city: list[Card]) -> bool:
    if b.answers["doubles"] == "allowed":
        return True
    if b.now.character == "wizard" and (verb == "take" or b.answers["wizard_doubles"] == "turn"):
        return True
    kinds = {card.id for card in city}
    if "quarry" not in kinds:
        return False
    return b.answers["quarry_doubles"] == "any" or len(kinds) == len(city)


def note_building(b: Books, verb: str, words: list[str]) -> None:
    """Record what the move uses up in the turn."""
    if verb == "build" and (not b.tracked or _counts_towards_limit(b, words[0])):
        b.now.counted += 1
    if verb == "build" and "from" in words:
        b.now.borrowed = True


# -- rank 8 ---------------------------------------------------------------------------------------


def _strike(b: Books, verb: str, victim: Player, district: str, *mark: str) -> str:
    if victim is b.me and (verb != "destroy" or not b.answers["strike_own_city"]):
        return "his own city"
    if district == "keep":
        return "a Keep"
    if b.is_complete(victim):
        return "a complete city"
    bishop = b.find_acting("bishop")
    if bishop is not None and b.players[bishop] is victim:
        return "the Bishop's city"
    if verb == "seize":
        if b.worth(b.find(victim, district, *mark)) > 3:
            return "too dear to seize"
        return "a double" if b.me.has(district) else ""
    return ""


def _exchange(b: Books, words: list[str]) -> str:
    (own, *_), name, (district, *_) = parts_of_exchange(words)
    victim = b.player(name)
    if own == district:
        return "a name for the same name"
    if b.me.has(district) or victim.has(own):
        return "a double"
    return _strike(b, "exchange", victim, district)


def _check_naming(b: Books, words: list[str]) -> str:
    if any(character in SAFE_RANK_1 for character in words):
        return "rank 1 named"
    if b.bewitched in words:
        return "the bewitched named"
    return "the killed named" if b.killed in words and not b.secret else ""
