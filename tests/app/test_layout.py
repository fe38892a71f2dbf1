"""A stable layout: the call, the choices, the players and the line of ranks do not move."""

from __future__ import annotations

from itertools import product

import pytest
from rich.cells import cell_len
from textual.geometry import Size
from textual.screen import Screen

from companion.app.widgets.players import Players
from companion.app.widgets.status import Strip
from companion.game import playing
from companion.language import _, card, list_offered, use
from companion.wording.state import Mark, Rank
from engine.editions import Edition, editions
from engine.record import Setup
from tests.app.driving import Driver, start_table
from tests.sizes import pick_size

pytestmark = pytest.mark.outer

GAME = playing.record()
SIZES = [(80, 24), (120, 40), (200, 60)]


def heads(table: Driver) -> list[int]:
    """The lines of the panel with the players' names, on the screen as it is painted."""
    assert table.text()
    seats = table.app.screen.query_one(Players)._seats
    return [seats.index(seat) for seat in table.session.view.rules.seats]


@pytest.mark.sweep
@pytest.mark.parametrize("size", SIZES)
async def test_players_and_choices_keep_their_places_through_a_game(size: tuple[int, int]) -> None:
    places, first = set(), set()
    setup = GAME.setup
    async with start_table(
        setup.players, crown=setup.crown, size=size, settings_too={"forced": "ask"}
    ) as table:
        for move in GAME.moves[:-1]:
            table.session.play(move)
            if len(table.session.referee.moves) % pick_size(17, 11, 5) == 0:
                assert table.app.table is not None
                table.app.table.show_table()
                await table.settle()
                places.add((*heads(table), "╭" in table.text()))
                first.add(table.app.screen.query_one("#choices").region.y)
    assert len(places) <= (2 if size == SIZES[2] else 1)  # no frame before the first district
    assert len({place[:-1] for place in places}) == 1
    assert len(first) == 1


async def test_the_call_stays_large_through_the_turn() -> None:
    async with start_table(moves=["faceup bishop merchant", "call"]) as table:
        names = table.rows()[2:5]
        assert any("█" in row for row in names)
        await table.keys("1", "g")
        assert table.rows()[2:5] == names


async def test_the_line_of_ranks_says_what_is_known_of_each() -> None:
    moves = ["faceup bishop merchant", "call", "reveal Anna", "kill king", "gold", "end"]
    async with start_table(moves=moves, size=(120, 40)) as table:
        line = table.rows()[2]
        for part in ("1 Assassin", "▶2 Thief", "4 King murdered", "5 Bishop face up", "8 Warlord"):
            assert part in line
        await table.line("reveal Kurt")
        await table.line("rob architect")
        assert "7 Architect robbed" in table.rows()[2]


async def test_the_line_of_ranks_ends_with_the_end() -> None:
    setup = GAME.setup
    near = False
    async with start_table(setup.players, crown=setup.crown, size=(120, 40)) as table:
        for move in GAME.moves[:-1]:
            table.session.play(move)
            view = table.session.view
            missing = [view.city_size - seat.city.size for seat in view.seats]
            if not near and 1 in missing:
                near = True
                table.app.table.show_table()  # type: ignore[union-attr]
                await table.settle()
                assert "One district from the end" in table.rows()[2]
        table.app.table.show_table()  # type: ignore[union-attr]
        await table.settle()
        assert "LAST ROUND" in table.rows()[2]
    assert near


async def test_the_chronicle_reads_in_the_order_of_events() -> None:
    moves = [
        *("faceup bishop merchant", "call", "reveal Anna", "kill king", "gold", "end"),
        *("reveal Kurt", "rob architect", "gold"),
    ]
    async with start_table(moves=moves, size=(120, 40)) as table:
        lines = ["Round 1", "1 Assassin", "✗ Murder: ", "2 Thief", "¤ Robbery: ", "Kurt takes 2"]
        panel = "\n".join(row[:54] for row in table.rows()[12:])
        assert 0 < panel.index(lines[-2]) < panel.index(lines[-1])
        await table.keys("f6")
        places = [table.text().index(words) for words in lines]
        assert places == sorted(places)


async def test_the_bottom_line_fits_what_is_needed_most_in_every_language() -> None:
    async with start_table(reader="simulated") as table:
        await table.wait_until(lambda: table.app.reader is not None, "opening the reader")
        for code in list_offered():
            table.app.use_language(code)
            await table.settle()
            for key in ("U ", "? ", ": ", "T ", "J "):
                assert key in table.rows()[-1], code


async def test_the_bottom_line_and_the_keys_are_in_the_table_s_language() -> None:
    async with start_table(size=(120, 60)) as table:
        table.app.use_language("de")
        await table.settle()
        assert "U zurücknehmen" in table.rows()[-1]
        await table.keys("h")
        assert "den letzten Zug zurücknehmen" in " ".join(table.text().split())


async def test_beside_the_tray_the_bottom_line_names_what_still_works() -> None:
    async with start_table(reader="simulated", size=(120, 40)) as table:
        await table.wait_until(lambda: table.app.reader is not None, "opening the reader")
        await table.keys("t")
        line = table.rows()[-1]
        assert "Ctrl+Z undo" in line
        assert "F3 scores" in line
        assert not any(key in line for key in ("F5", "F6", "F7", " : ", "T tray"))
        await table.keys("escape")
        assert "T tray" in table.rows()[-1]


async def test_where_letters_look_for_a_row_the_bottom_line_names_no_letters() -> None:
    moves = ["faceup bishop merchant", "call", "reveal Anna", "gold"]
    async with start_table(moves=moves) as table:
        line = table.rows()[-1]
        assert "Ctrl+Z undo" in line
        assert not any(f" {letter} " in f" {line} " for letter in "URHQJSKVZ")


MARKED: tuple[Mark, ...] = ("faceup", "murdered", "robbed")


@pytest.mark.parametrize("language", list_offered())
@pytest.mark.parametrize("edition", editions().values(), ids=editions())
def test_the_line_of_ranks_keeps_every_name(language: str, edition: Edition) -> None:
    use(language)
    players = [f"Player {number}" for number in range(1, edition.max_players + 1)]
    by_rank = Setup(edition.id, tuple(players), players[0]).ruleset().by_rank
    line = Strip()
    line.ranks = tuple(
        Rank(rank, id_, "", MARKED[rank - 1 : rank]) for rank, id_ in sorted(by_rank.items())
    )
    for width, ending in product((78, 98, 118), ("", _("LAST ROUND.").rstrip("."))):
        line.ending = line.brief = ending
        plain = line.draw(width, 1).plain
        assert plain.endswith(ending)
        assert cell_len(plain) <= width
        for rank, id_ in by_rank.items():
            assert f"{rank} {card(id_)[:3]}" in plain


async def test_everybodys_gold_is_shown_on_a_narrow_terminal() -> None:
    async with start_table(GAME.setup.players, crown=GAME.setup.crown, size=(60, 20)) as table:
        for player in GAME.setup.players:
            assert f"{player} 2" in table.text()


async def test_a_district_that_is_too_dear_says_how_much_is_missing() -> None:
    async with start_table(GAME.setup.players, crown="Kurt", size=(80, 40)) as table:
        for move in ("faceup bishop merchant", "call", "reveal Kurt", "cards"):
            await table.line(move)
        assert "Manor, 3 · 1 gold short" in table.text()
        assert "Castle, 4 · 2 short" in table.text()


async def test_a_great_moment_is_staged_below_the_question_and_moves_nothing() -> None:
    async with start_table(GAME.setup.players, crown="Kurt") as table:
        for move in ("faceup bishop merchant", "call", "reveal Kurt"):
            await table.line(move)
        rows = table.rows()
        question = next(at for at, row in enumerate(rows) if "Gold or cards?" in row)
        assert not rows[question + 1].strip()
        await table.line("kill magician")
        assert "✗ Kurt murders the Magician." in table.rows()[question + 1]
        assert "Gold or cards?" in table.rows()[question]
        for move in ("gold", "end", "reveal Anna", "gold"):
            await table.line(move)
        assert not table.rows()[question + 1].strip()


async def test_a_move_lays_out_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no list is too long for its place, and no notice for its line."""
    laid_out: list[Screen[object]] = []
    lay_out = Screen._refresh_layout

    def note(screen: Screen[object], size: Size | None = None, scroll: bool = False) -> None:
        laid_out.append(screen)
        lay_out(screen, size, scroll)

    moves = ["faceup bishop merchant", "call", "nobody"]
    async with start_table(GAME.setup.players, crown="Kurt", size=(100, 30), moves=moves) as table:
        monkeypatch.setattr(Screen, "_refresh_layout", note)
        await table.keys("ctrl+z", "ctrl+y")
        assert "Redone" in table.text()
        assert laid_out == []
