"""The words of a conversation that look back: at this game (its recap, the play for BG Stats), and
at this table's earlier ones and their statistics."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from common import own_files
from common.clean import read_number
from common.sentences import Sentence
from companion import language
from companion.errors import UserError
from companion.extending import TableWord
from companion.extensions.looking_back import recap, statistics, telling
from companion.extensions.looking_back.recap import bgstats
from companion.extensions.looking_back.settings import find_points
from companion.files import locations
from companion.files.browser import BROWSE
from companion.history import completing, games, standings
from companion.language import _, begin_sentence, end_sentence, plural, translate
from companion.log.store import Store
from companion.settings import config
from companion.wording import codes
from engine.moves import split

if TYPE_CHECKING:
    from companion.extensions.looking_back.recap import Recap
    from companion.game.conversation import Conversation
    from companion.game.session import Session


def look_back(session: Session) -> Recap:
    """The recap of the game so far, in the current language."""
    return recap.look_back(session.referee, session.name, session.store, session.game)


def _show_recap(talk: Conversation, _rest: str) -> None:
    """Show the game round by round, where there is a browser as a page; read its story aloud."""
    look = look_back(talk.session)
    talk.say("answer", *(_browse(talk, look) or recap.lines(look)))
    talk.face.voice.read([point.text for point in look.story])


def _browse(talk: Conversation, look: Recap) -> list[str]:
    """Show a finished game in the browser: its recap, its card as a PNG, its code for BG Stats;
    return where that page is. Nothing where the face opens none."""
    if not look.over or not talk.face.do(BROWSE, ""):
        return []
    from companion.extensions.looking_back.recap import (
        recap_page,  # loads Jinja2, which a game does without
    )

    folder = locations.pictures_dir(os.path.dirname(talk.session.store.path))
    path = os.path.join(folder, f"citadels-{look.name}.html")
    try:
        own_files.replace(path, recap_page.write(look))
    except OSError as error:
        return [translate(locations.cannot_be_saved(folder, error))]
    talk.face.do(BROWSE, path)
    return [_("Open in the browser: {file}").format(file=path)]


def _show_bgstats(talk: Conversation, _rest: str) -> None:
    """Show the link to BG Stats, and a QR code where the face can draw one."""
    look = look_back(talk.session)
    if not bgstats.is_known(look):
        talk.say("refused", translate(bgstats.UNFINISHED))
        return
    link = bgstats.make_link(look)
    fits = codes.fits(link)
    more = () if fits else (codes.tell_too_long(),)
    talk.say("answer", link, *more, title="BG Stats", code=link if fits else "")


def _share(talk: Conversation, _rest: str) -> None:
    """Save the card of the finished game, and show it as text."""
    from companion.extensions.looking_back.recap import (
        recap_card,  # loads Jinja2, which a game does without
    )

    look = look_back(talk.session)
    if not look.over:
        talk.say("refused", end_sentence(begin_sentence(Sentence("the game is not over"))))
        return
    lines = recap_card.tell(look)
    if opened := _browse(talk, look):
        talk.say("answer", *lines, *opened, title=_("A card to share"))
        return
    folder = locations.pictures_dir(os.path.dirname(talk.session.store.path))
    try:
        lines.append(_("The card is in {file}.").format(file=recap_card.save(look, folder)))
    except OSError as error:
        lines.append(translate(locations.cannot_be_saved(folder, error)))
    talk.say("answer", *lines, title=_("A card to share"))


MOST_WAITED_FOR = 300
"""Games to count while people wait; if more are missing, the command must do it."""

MOST_TOLD = 20  # games listed by default


def _check_waiting(store: Store) -> None:
    """Raise UserError if counting would take long."""
    missing = len(completing.find_missing(store))
    if missing > MOST_WAITED_FOR:
        raise UserError(
            plural(
                "{number} game has not been counted yet; run companion stats once.",
                "{number} games have not been counted yet; run companion stats once.",
                missing,
            )
        )


def _show_results(talk: Conversation, rest: str) -> None:
    """Show the latest games, by default MOST_TOLD; or the recap of the game called `rest`."""
    number = read_number(rest, 3)
    if rest and number is None:
        lines = _recap(talk.session, rest)
    else:
        store = talk.session.store
        _check_waiting(store)
        most = MOST_TOLD + 1 if number is None else number
        lines = [telling.game(one) for one in games.read_all(store, most=most)]
        if number is None and len(lines) > MOST_TOLD:
            lines[MOST_TOLD:] = [_("companion history lists earlier games.")]
    _answer(talk, lines)


def _answer(talk: Conversation, lines: Sequence[str]) -> None:
    talk.say("answer", *lines)
    talk.face.voice.read(lines[:MOST_ALOUD])


def _recap(session: Session, name: str) -> list[str]:
    """The recap of that game, in the words of its box. Raises UserError."""
    try:
        return recap.lines(look_back_at(session.store, name))
    finally:
        language.print_as(*session.view.rules.edition.boxes)


def look_back_at(store: Store, name: str) -> Recap:
    """The recap of the saved game with that name, in the current language. Raises
    UserError."""
    game = store.find(name)
    if game is None:
        raise UserError(
            _("no saved game is called {name}; type games to list them.").format(name=name)
        )
    log = store.load(game)
    referee = completing.play_again(log)
    if referee is None:
        raise UserError(
            _(
                "game {name} can't be replayed here, because it was played with another version of "
                "the companion or another cards.yaml."
            ).format(name=log.name)
        )
    return recap.look_back(referee, log.name, store, game)


def _tell_statistics(talk: Conversation, rest: str) -> None:
    """Everybody's results and the records; with names, those players' results by character."""
    store, players = talk.session.store, split(rest) or []
    _check_waiting(store)
    figures = statistics.read_statistics(store, players=players)
    _answer(talk, telling.statistics(figures, by_character=bool(players), brief=True))


def _tell_season(talk: Conversation, _rest: str) -> None:
    """The players in order of their points by place, as the settings count them."""
    store = talk.session.store
    _check_waiting(store)
    plays = standings.read_plays(store, games.EVERY_GAME)
    _answer(talk, standings.tell(standings.make(plays, find_points(config.load()))))


MOST_ALOUD = 9  # sentences

WORDS = {
    "recap": TableWord(
        Sentence("recap: the game's story, round by round."),
        _show_recap,
        row=Sentence("The game round by round"),
    ),
    "bgstats": TableWord(
        Sentence("bgstats: log the finished game in the BG Stats app."),
        _show_bgstats,
        row=Sentence("Log this game in BG Stats"),
    ),
    "share": TableWord(
        Sentence("share: a card of the finished game, as a picture and as text."),
        _share,
        row=Sentence("A card to share"),
    ),
    "results": TableWord(
        Sentence("results: the games of this table; with a name, that game's recap."),
        _show_results,
        takes_text=True,
        keys=("ctrl+g", "shift+f3"),
        does=Sentence("the games of this table"),
    ),
    "stats": TableWord(
        Sentence("stats, stats Anna: statistics."),
        _tell_statistics,
        takes_text=True,
        keys=("ctrl+b", "shift+f5"),
        does=Sentence("statistics: players and records"),
    ),
    "season": TableWord(
        Sentence("season: the players in order of their points by place."), _tell_season
    ),
}
"""What can be said at the table."""
