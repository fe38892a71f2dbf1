"""The recap as one HTML page without external resources.

It has no script but the one that makes a PNG of the card to share. Jinja2 escapes all text.
"""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from markupsafe import Markup

from companion import terminal
from companion.extensions.looking_back import recap
from companion.extensions.looking_back.recap import Recap, bgstats, charts, short_story
from companion.extensions.looking_back.recap.recap_card import HEIGHT, WIDTH, draw, load_template
from companion.language import _, card, current
from companion.wording import codes, emblems, facts
from engine import cards, scoring

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.scoring import Standing


_FOLDER = Path(__file__).parent


class Grid(NamedTuple):
    """A table: title, column headings, and rows with their heading first."""

    caption: str
    headings: Sequence[str]
    rows: Sequence[Sequence[object]]


class Style(NamedTuple):
    """How a page looks: by default as the browser says. `size` is that of the text."""

    size: str = "normal"
    theme: str = "auto"  # or light, dark
    contrast: str = "auto"  # or more


DEFAULT = Style()


def write(
    look: Recap,
    style: Style = DEFAULT,
    links: Sequence[tuple[str, str]] = (),
) -> str:
    """Render the page in the current language; `links` leads to other pages of ours, each with its
    address and its name. That of a finished game has the card to share, as a PNG."""
    standing = scoring.standing(look.table)
    whom = _list_whom(look)
    return load_template("page.html").render(
        lang=current(),
        policy=Markup(POLICY),
        styles=_read_styles(style),
        style=style,
        links=links,
        symbols=Markup(emblems.make_symbols([*cards.DISTRICT_TYPES, *_list_shown(look)])),
        title=recap.tell_outcome(look),
        frame=recap.tell_frame(look),
        winner=facts.describe_city(look.table, standing.ranking[0]) if look.over else (),
        not_over="" if look.over else recap.say_not_over(),
        story=[point.text for point in look.story],
        scores=_scores(look, standing),
        whom=whom,
        charts=_charts(look),
        deeds=_deeds(look),
        attacks=_("Attacks"),
        picture=_picture(look) if look.over else None,
        play=_play(look),
    )


_SCRIPT = f"""const card = document.querySelector("#card"), [image, name] = card.children;
image.decode().then(() => {{
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [{WIDTH}, {HEIGHT}];
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  image.src = card.href = canvas.toDataURL("image/png");
  name.textContent = card.download = card.download.replace(/svg$/, "png");
}});"""
"""What makes the picture a PNG, which every messenger takes, also where one copies it."""

_DIGEST = base64.b64encode(hashlib.sha256(_SCRIPT.encode()).digest()).decode()

POLICY = (
    f"default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src 'sha256-{_DIGEST}'"
)
"""The page contains its styles and its pictures, runs that script alone, and loads and sends
nothing."""


def _picture(look: Recap) -> dict[str, Any]:
    drawn = draw(look)
    return {
        "title": _("A card to share"),
        "name": f"citadels-{look.name or 'game'}.svg",
        "source": f"data:image/svg+xml;base64,{base64.b64encode(drawn.encode()).decode()}",
        "script": Markup(_SCRIPT),
    }


@cache
def _read_styles(style: Style) -> Markup:
    """The style sheet: what all pages share, dark and contrasting colours, and what only these
    pages have."""
    base, dark, contrast = (
        (emblems.DESIGN / f"{name}.css").read_text(encoding="utf-8")
        for name in ("base", "dark", "contrast")
    )
    night = _apply(dark, style.theme, "dark", "prefers-color-scheme: dark")
    more = _apply(contrast, style.contrast, "more", "prefers-contrast: more")
    return Markup(base + night + more + (_FOLDER / "page.css").read_text(encoding="utf-8"))


def _apply(rules: str, choice: str, always: str, condition: str) -> str:
    """The rules always, if the browser says so, or never."""
    if choice == "auto":
        return f"@media ({condition}) {{\n{rules}}}\n"
    return rules if choice == always else ""


class FinalCity(NamedTuple):
    name: str
    place: int
    points: str
    won: bool
    city: tuple[facts.DistrictFacts, ...]


def _scores(look: Recap, standing: Standing) -> dict[str, Any] | None:
    """The cities and scores, best first; None if the cities have not been counted."""
    if not look.is_counted:
        return None
    t = look.table
    titles, points = zip(*facts.list_sources(), strict=True)
    scores = [(t.seats[seat].name, standing.scores[seat]) for seat in standing.ranking]
    rows = [(name, score.total, *(of(score) for of in points)) for name, score in scores]
    return {
        "title": _("The final scores") if look.over else _("The scores so far"),
        "results": [
            FinalCity(
                t.seats[seat].name,
                standing.places[seat],
                facts.points(standing.scores[seat].total),
                look.over and seat in standing.winners,
                facts.describe_city(t, seat),
            )
            for seat in standing.ranking
        ],
        "table": Grid(_("Where the points come from"), [_("Player"), _("Points"), *titles], rows),
        "tie": " ".join(facts.tell_ties(t)) if look.over else "",
    }


class Cell(NamedTuple):
    """Who a player was in a round, and what others did to that character."""

    characters: tuple[CharacterPicture, ...]
    fates: tuple[str, ...]


class CharacterPicture(NamedTuple):
    card: str
    name: str
    rank: int


def _list_whom(look: Recap) -> dict[str, Any] | None:
    """Who was who in which round; None if nobody has shown a character."""
    if not look.course.roles:
        return None
    rows = [
        {"round": end.round, "cells": [_cell(look, end.round, seat) for seat in _seats(look)]}
        for end in look.course.rounds
    ]
    return {
        "title": _("Who was who"),
        "round": _("Round"),
        "names": look.course.players,
        "rows": rows,
    }


def _cell(look: Recap, number: int, seat: int) -> Cell:
    whom = recap.find_whom(look, number, seat)
    ranks = look.table.rules.characters
    fates = ((whom.murdered, _("murdered")), (whom.robbed, _("robbed")))
    return Cell(
        tuple(CharacterPicture(id_, card(id_), ranks[id_].rank) for id_ in whom.characters),
        tuple(word for fate, word in fates if fate),
    )


def _list_shown(look: Recap) -> list[str]:
    return sorted({role.character for role in look.course.roles})


def _charts(look: Recap) -> list[dict[str, Any]]:
    """Points and gold by round, the first with the attacks; without points only gold."""
    ends = look.course.rounds
    if not ends:
        return []
    points = [[end.points[seat] if end.points else None for end in ends] for seat in _seats(look)]
    gold = [[end.gold[seat] for end in ends] for seat in _seats(look)]
    curves: list[tuple[str, Sequence[Sequence[int | None]]]] = []
    if any(end.points for end in ends):
        curves.append((_("Points round by round"), points))
    curves.append((_("Gold round by round"), gold))
    return [
        {
            "title": title,
            "drawing": _draw(look, values, deeds=number == 1),
            "alt": _alt(look, values),
            "table": _numbers(look, title, values),
        }
        for number, (title, values) in enumerate(curves, start=1)
    ]


def _draw(look: Recap, values: Sequence[Sequence[int | None]], *, deeds: bool) -> charts.Chart:
    """The chart of these numbers, with the attacks or without."""
    names, ends = look.course.players, look.course.rounds
    lines = [charts.Curve(*both) for both in zip(names, map(tuple, values), strict=True)]
    lanes = []
    for kind, sign in charts.SIGNS.items() if deeds else ():
        spots = tuple(
            charts.Spot(place, short_story.tell(deed, names))
            for place, end in enumerate(ends)
            for deed in recap.deeds_of(look, end.round)
            if deed.kind == kind
        )
        if spots:
            lanes.append(charts.Lane(short_story.word(kind), sign, spots))
    return charts.measure([end.round for end in ends], lines, lanes)


def _seats(look: Recap) -> range:
    return range(len(look.course.players))


def _alt(look: Recap, values: Sequence[Sequence[int | None]]) -> str:
    """The chart in words: its rounds, and where each line ends."""
    first, *_others, end = [*look.course.rounds[:1], *look.course.rounds]
    numbers = recap.list_by_player(look.course.players, [line[-1] for line in values])
    if first is end:
        return _("Round {round}: {ranks}.").format(round=end.round, ranks=numbers)
    text = _("A line for each player, from round {first} to round {last}. At the end: {numbers}.")
    return text.format(first=first.round, last=end.round, numbers=numbers)


def _numbers(look: Recap, title: str, values: Sequence[Sequence[int | None]]) -> Grid:
    rows = [
        (end.round, *("–" if numbers[at] is None else numbers[at] for numbers in values))
        for at, end in enumerate(look.course.rounds)
    ]
    caption = _("{title}, in numbers").format(title=title)
    return Grid(caption, [_("Round"), *look.course.players], rows)


def _deeds(look: Recap) -> Grid:
    rows = [
        (deed.round, short_story.word(deed.kind), short_story.tell(deed, look.course.players))
        for deed in look.course.deeds
    ]
    return Grid(_("Who did what to whom"), [_("Round"), _("Attack"), _("What happened")], rows)


def _play(look: Recap) -> dict[str, Any] | None:
    """The link to BG Stats and its code; None if the game is not over or only a file."""
    if not bgstats.is_known(look):
        return None
    link = bgstats.make_link(look)
    fits = codes.fits(link)
    scan = _("Scan the code or open the link to log this game in the BG Stats app.")
    return {
        "told": scan if fits else codes.tell_too_long(),
        "link": link,
        "open": _("Log this game in BG Stats"),
        "alt": _("QR code with that link"),
        "code": terminal.draw_picture(link) if fits else None,
    }
