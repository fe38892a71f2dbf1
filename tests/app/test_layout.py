"""A stable layout: the call, the choices, the players and the line of ranks do not move."""

from __future__ import annotations

from itertools import product

import pytest
from rich.cells import cell_len
from textual.geometry import Size
from textual.screen import Screen

from companion.app.display import SHAPES
from companion.app.widgets.panel import KeyLine
from companion.app.widgets.players_panel import Players
from companion.app.widgets.status import Strip
from companion.game.demonstration import read_demo
from companion.language import _, card, list_offered, translate, use
from companion.settings.keys import SCREEN_ACTIONS
from companion.setup import PlayOptions
from companion.wording.state import Mark, Rank
from engine.editions import Edition, editions
from engine.record import Setup
from tests.app.driving import Driver, start_table
from tests.sizes import pick_size

pytestmark = pytest.mark.outer

GAME = read_demo()
SIZES = [(80, 24), (120, 40), (200, 60)]
BUILDING = (
    *("faceup bishop merchant", "call", "reveal Anna", "gold", "build manor", "end", "nobody"),
    *("reveal Kurt", "gold"),
)
"""Until a Magician can build, at whose powers the fewest districts are visible."""


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


@pytest.mark.parametrize("keys", ["f5", "f3", "f1", "ctrl+l"])
async def test_a_window_is_in_the_middle_over_the_table_and_no_wider_than_its_text(
    keys: str,
) -> None:
    async with start_table(moves=BUILDING, size=(120, 40)) as table:
        await table.keys(keys)
        paper = table.app.screen.query_one(".paper")
        middle = (paper.region.x + paper.region.right, paper.region.y + paper.region.bottom)
        assert abs(middle[0] - 120) <= 1
        assert abs(middle[1] - 40) <= 1
        inside = [row[paper.region.x + 1 : paper.region.right - 1] for row in table.rows()]
        longest = max(
            len(row.rstrip()) for row in inside[paper.region.y + 1 : paper.region.bottom - 1]
        )
        assert longest >= paper.region.width - 9
        assert "Crown: Anna" in table.text()


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
        window = table.text().partition("│  Round 1 ")  # after what the dimmed table shows above
        places = [window[2].index(words) for words in lines[1:]]
        assert places == sorted(places)


@pytest.mark.parametrize("moves", [(), ("faceup bishop merchant", "call"), BUILDING])
async def test_the_bottom_line_fits_what_the_moment_needs_in_every_language(
    moves: tuple[str, ...],
) -> None:
    async with start_table(GAME.setup.players, moves=moves) as table:
        for code in list_offered():
            table.app.use_language(code)
            await table.settle()
            for action in ("undo", "help", "leave"):
                text = translate(next(a.hint for a in SCREEN_ACTIONS if a.name == action))
                assert f" {text}" in table.rows()[-1], code
        await table.resize(120, 40)
        assert len(table.app.screen.query_one(KeyLine).items) <= 7


async def test_without_a_reader_nothing_speaks_of_taps() -> None:
    async with start_table(size=(120, 90)) as table:
        await table.keys("h")
        words = table.text().casefold()
        await table.keys("escape")
        words += table.text().casefold()
        assert not any(word in words for word in ("tap", "chip", "reader", "tray", "phone"))


async def test_the_bottom_line_and_the_keys_are_in_the_table_s_language() -> None:
    async with start_table(size=(120, 60)) as table:
        table.app.use_language("de")
        await table.settle()
        assert "U zurücknehmen" in table.rows()[-1]
        await table.keys("h")
        assert "den letzten Zug zurücknehmen" in " ".join(table.text().split())


async def test_where_a_letter_begins_a_name_the_bottom_line_does_not_name_it() -> None:
    moves = ["faceup bishop merchant", "call", "reveal Anna", "gold"]
    async with start_table(moves=moves) as table:
        line = table.rows()[-1]
        assert "Ctrl+Z undo" in line
        assert "V cities" in line
        assert not any(f" {letter} " in f" {line} " for letter in "UHSK")
        await table.keys("m")
        assert "R redo" not in table.rows()[-1]


async def test_the_key_that_says_why_is_not_named_for_the_help_too() -> None:
    moves = ["faceup bishop merchant", "call", "reveal Anna", "gold"]
    async with start_table(moves=moves) as table:
        assert "? help" in table.rows()[-1]
        await table.keys(*"palace", "enter")
        assert "? why" in table.rows()[-1]
        assert "help" not in table.rows()[-1]


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


@pytest.mark.parametrize("taught", [False, True])
async def test_what_can_be_built_comes_first_and_the_rest_is_brief(taught: bool) -> None:
    options = PlayOptions()._replace(teach=taught)
    async with start_table(GAME.setup.players, moves=BUILDING, options=options) as table:
        districts = [
            row for row in table.rows() if any(sign in row[:10] for sign in SHAPES.values())
        ]
        assert len(districts) >= 5
        assert not any("short" in row for row in districts)
        await table.type("pal")
        assert "Palace, 5 · 1 short" in table.text()
        assert "The Palace costs 5 gold, but Kurt has only 4 gold." in table.text()
        await table.keys("enter")
        assert "Refused: The Palace costs 5 gold" in table.text()


async def test_a_character_that_may_not_be_named_is_found_and_says_why() -> None:
    moves = ["faceup bishop merchant", "call", "nobody", "reveal Kurt"]
    async with start_table(GAME.setup.players, moves=moves) as table:
        await table.keys("7")
        assert "Bishop, face up" in table.text()
        assert [row.label for row in table.asked.visible][-2:] == ["Assassin", "Thief"]
        await table.type("assa")
        assert "Assassin · rank 1" in table.text()
        await table.keys("enter", "question_mark")
        assert "The Thief can't name the Assassin, who has rank 1." in table.text()
        assert "thief.rank_1" in table.text()


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
