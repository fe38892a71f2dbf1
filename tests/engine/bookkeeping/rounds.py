"""Selection, calling and the end of a round: acting players, and effects without a move."""

from __future__ import annotations

from tests.engine.bookkeeping import scores
from tests.engine.bookkeeping.books import Books, Carry, Player, Question, Turn
from tests.engine.bookkeeping.facts import CROWN_TAKERS


def face_up(b: Books, *characters: str) -> None:
    b.faceup = list(characters)


def do_nothing(b: Books, *_words: str) -> None:
    """Moves that change no count."""


def choose(b: Books, name: str, character: str) -> None:
    """Record a choice; the player's oldest ones give way."""
    player = b.player(name)
    player.noted = [*(each for each in player.noted if each != character), character]
    _drop_notes(b, player, character)


def swap_notes(b: Books, name: str) -> None:
    """The Theater: with one character each the notes are swapped, with two nobody knows."""
    owner, other = next(p for p in b.players if p.has("theater")), b.player(name)
    owner.noted, other.noted = (other.noted, owner.noted) if b.picks == 1 else ([], [])


def _contradict(b: Books, character: str, holder: int | None) -> None:
    """Drop the notes that are wrong because this seat, or nobody (None), had the character."""
    for seat, player in enumerate(b.players):
        if seat != holder:
            player.noted = [each for each in player.noted if each != character]
    if holder is not None:
        _drop_notes(b, b.players[holder], character)


def _drop_notes(b: Books, player: Player, certain: str) -> None:
    """Drop the player's oldest notes, as one has only so many characters; `certain` is one."""
    cards = {*player.revealed, certain}
    while len(cards | set(player.noted)) > b.picks and not cards >= set(player.noted):
        player.noted.remove(next(each for each in player.noted if each not in cards))


def call(b: Books) -> None:
    b.stage, b.called = "calling", 1


def reveal(b: Books, name: str) -> None:
    seat, character = b.seats[name], b.cast[b.called]
    _contradict(b, character, seat)
    b.players[seat].revealed.append(character)
    b.turn = Turn(seat, character)
    b.stage = "turn"
    if character == b.killed:
        b.now.part = "hospital"
        return
    thief = b.find_acting("thief")
    if character == b.robbed and thief not in (None, seat):
        assert thief is not None
        b.pay(b.players[seat], b.players[thief], b.players[seat].gold)
    if character in CROWN_TAKERS:
        b.move_crown(seat)
    if character == b.bewitched:
        b.now.part = "bewitched"
    else:
        arrive(b)


def arrive(b: Books) -> None:
    """Apply a character's effects at the start of its turn."""
    if b.now.character == "queen" and not is_threatened(b):
        pay_queen(b, b.now.seat, b.find_shown(b.cast[4]))
    if b.now.character == "tax_collector_2004":
        for debtor in sorted(b.owes):
            pay_tax(b, debtor, b.now.seat)
        b.owes = []


def pay_queen(b: Books, queen: int, beside: int | None) -> None:
    if beside is not None and abs(queen - beside) in (1, len(b.players) - 1):
        b.players[queen].gold += 3


def pay_tax(b: Books, debtor: int, taker: int) -> None:
    if debtor != taker and b.players[debtor].gold:
        b.pay(b.players[debtor], b.players[taker], 1)


def is_threatened(b: Books) -> bool:
    """Whether the player whose turn it is still has a threat to answer."""
    blackmailer = b.find_acting("blackmailer")
    waiting = b.now.character in set(b.threats) - b.settled_threats
    return waiting and blackmailer not in (None, b.now.seat)


def finish_gathering(b: Books) -> None:
    """After gathering, hand a bewitched turn to the Witch, or ask a threatened player for a
    bribe."""
    b.now.gathered = True
    if b.now.part == "bewitched":
        resume_witch(b)
    elif is_threatened(b):
        b.questions.append(Question("threat", b.now.seat, b.now.character))


def resume_witch(b: Books) -> None:
    """Let the Witch play the rest of the bewitched player's turn."""
    witch = b.find_shown("witch")
    assert witch is not None
    b.turn = Turn(witch, b.now.character, "resumed", gathered=True)
    arrive(b)


def end(b: Books) -> None:
    if b.now.part != "hospital":
        _tax_builder(b)
        if b.me.has("poor_house") and b.me.gold == 0:
            b.me.gold += 1
        if b.now.character == "alchemist" and b.answers["alchemist_refund"] == "end_of_turn":
            b.me.gold += b.now.spent
        if b.me.has("park") and b.me.hand == 0:
            b.draw(b.me, 2)
    call_next_rank(b)


def _tax_builder(b: Books) -> None:
    """Pay the older Tax Collector at the end of the turn, or owe him until he is shown."""
    if b.now.built and "tax_collector_2004" in b.cast.values():
        taker = b.find_acting("tax_collector_2004")
        if taker is not None:
            pay_tax(b, b.now.seat, taker)
        elif b.called == 1:
            b.owes.append(b.now.seat)


def nobody(b: Books) -> None:
    """Nobody answers; a murdered character stays silent, so that says nothing about it."""
    if b.cast[b.called] != b.killed:
        _contradict(b, b.cast[b.called], None)
    call_next_rank(b)


def call_next_rank(b: Books) -> None:
    """Call the next rank, after a turn or when nobody answered."""
    b.turn, b.stage = None, "calling"
    b.called += 1
    if b.called > len(b.cast):
        b.called = 0
        _close_round(b)


def bewitch(b: Books, character: str) -> None:
    b.bewitched = character
    call_next_rank(b)


def forfeit(b: Books) -> None:
    """End the turn unplayed; a bewitched player's is passed to the Witch."""
    if b.now.part == "bewitched":
        resume_witch(b)
    else:
        call_next_rank(b)


def _close_round(b: Books) -> None:
    holder = b.find_shown(b.killed) if b.killed else None
    if holder is not None:
        _settle(b, holder)  # by the Hospital
    elif b.killed and _matters(b):
        b.questions.append(Question("unmask", b.crown, b.killed))
    else:
        begin_next_round(b)


def _matters(b: Books) -> bool:
    """Whether anything depends on who had the killed character."""
    rank_4 = b.killed == b.cast[4]
    return (
        b.answers["killed_player_shows"] == "always"
        or b.killed in CROWN_TAKERS
        or (b.killed == "emperor" and b.answers["emperor_killed"] == "gives")
        or (rank_4 and b.find_acting("queen") is not None)
        or (b.answers["highest_rank"] == "chosen" and _ends(b) and _decides_tie(b))
    )


def _decides_tie(b: Books) -> bool:
    if not b.tracked:
        return True  # nobody knows the totals yet
    able = [i for i, player in enumerate(b.players) if len(player.revealed) < b.picks]
    outcomes = [scores.result(b, unmasked=seat).winners for seat in (-1, *able)]
    return any(winners != outcomes[0] for winners in outcomes)


def unmask(b: Books, name: str) -> None:
    b.questions.pop()
    if name == "nobody":
        _contradict(b, b.killed, None)
        begin_next_round(b)
    else:
        _contradict(b, b.killed, b.seats[name])
        _settle(b, b.seats[name])


def _settle(b: Books, holder: int) -> None:
    """Apply who had the killed character."""
    b.unmasked = holder
    queen = b.find_acting("queen")
    if b.killed == b.cast[4] and queen is not None and b.find_shown(b.killed) is None:
        pay_queen(b, queen, holder)
    if b.killed in CROWN_TAKERS:
        b.move_crown(holder)
    if b.killed == "emperor" and b.answers["emperor_killed"] == "gives":
        b.questions.append(Question("emperor", holder, b.killed))
    else:
        begin_next_round(b)


def crown_after_death(b: Books, name: str, _payment: str) -> None:
    b.questions.pop()
    b.move_crown(b.seats[name])
    begin_next_round(b)


def _ends(b: Books) -> bool:
    return b.ending or any(map(b.is_complete, b.players))


def begin_next_round(b: Books) -> None:
    b.called = 0
    if not _ends(b):
        b.round += 1
        b.stage = "selection"
        b.clear_marks()
    elif b.tracked:
        b.stage = "over"
    else:
        order = [(b.crown + place) % len(b.players) for place in range(len(b.players))]
        b.questions = [Question("city", seat) for seat in reversed(order)]
        for player in b.players:
            player.hand = 0  # counted only if it scores


MOVES: dict[str, Carry] = {
    "faceup": face_up,
    "choose": choose,
    "call": call,
    "reveal": reveal,
    "nobody": nobody,
    "forfeit": forfeit,
    "bewitch": bewitch,
    "end": end,
}
ANSWERS: dict[str, dict[str, Carry]] = {
    "unmask": {"unmask": unmask},
    "emperor": {"crown": crown_after_death},
}
