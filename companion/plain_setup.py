"""Opening a game in the line caller: from options without questions, else by questions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion import lines, plain_casts, setup
from companion.clean import clean_text, printable
from companion.language import _, plural
from companion.session import Session
from engine.editions import editions
from engine.problems import Inconsistent

if TYPE_CHECKING:
    from companion.config import Config
    from companion.options import PlayOptions
    from companion.store import GameInfo, Store
    from engine.record import Setup


def open_session(store: Store, options: PlayOptions, config: Config) -> Session | None:
    """The session to play; None if the input ended before there was one.

    Raises Inconsistent for options that make no game, SessionError and StoreError as `Session`.
    """
    if options.resume:
        return Session.resume(store)
    wanted = setup.from_options(options, config)
    if wanted is None and not options.new and (game := _unfinished(store)) is not None:
        answer = _ask_yes_or_no(
            _("Game {name} of {players} is not finished.").format(
                name=game.name, players=_players(game)
            ),
            _("Go on with it? yes or no; Enter is yes."),
        )
        if answer is None:
            return None
        if answer:
            return Session.resume(store, game.id)
    asked = (wanted, options.teach) if wanted is not None else _ask_setup(options, config)
    return None if asked is None else Session.begin(store, asked[0], teach=asked[1])


def _unfinished(store: Store) -> GameInfo | None:
    games = store.games()
    return games[0] if games and not games[0].finished else None


def _players(game: GameInfo) -> str:
    names = game.setup.get("players")
    return ", ".join(map(str, names)) if isinstance(names, list) else "?"


def _ask_setup(options: PlayOptions, config: Config) -> tuple[Setup, bool] | None:
    """Ask until the answers make a game; with it, whether to teach it. None at the end of the
    input."""
    edition = editions()[options.edition or config.edition]
    _tell(_("New game: {edition}.").format(edition=edition.title))
    seated = options if options.players else _ask_players(options, config)
    with_cast = _ask_cast(seated, config) if seated else None
    if with_cast is None or not with_cast.players:
        return None
    options, first = with_cast, with_cast.players[0]
    while True:
        crown = _ask(
            _("Who has the crown first? It goes to {who}. Enter is {player}.").format(
                who=edition.first_crown, player=first
            )
        )
        if crown is None:
            return None
        wanted = _checked(options._replace(crown=crown or first), config)
        if wanted is not None:
            return wanted, options.teach


def _ask_players(options: PlayOptions, config: Config) -> PlayOptions | None:
    """The options with the players who were named, and what was chosen by a word before them."""
    edition = editions()[options.edition or config.edition]
    _tell(
        _("Type light first for a game that keeps gold, kills and robberies, and no cities."),
        _("Type teach first to have each character explained in the first round."),
    )
    while True:
        names = _ask(
            _(
                "Who plays? {fewest} to {most} names in seat order, clockwise, commas between."
            ).format(fewest=edition.min_players, most=edition.max_players)
        )
        if names is None:
            return None
        changed = setup.chosen_by_word(names, options)
        if changed is not None:
            options, told = changed
            _tell(told)
            continue
        players = tuple(name.strip() for name in names.split(",") if name.strip())
        if not players:
            continue
        if _checked(options._replace(players=players, crown=None), config) is not None:
            _tell(plural("{number} player.", "{number} players.", len(players)))
            return options._replace(players=players)


def _ask_cast(options: PlayOptions, config: Config) -> PlayOptions | None:
    """Ask which characters play, where the box leaves a choice, until they make a game."""
    while True:
        chosen = plain_casts.asked(options, options.edition or config.edition, ask=_ask, tell=_tell)
        if chosen is None or _checked(chosen._replace(crown=None), config) is not None:
            return chosen


def _checked(options: PlayOptions, config: Config) -> Setup | None:
    """The set-up of these answers; None, and every problem told, if they make none."""
    try:
        return setup.from_options(options, config)
    except Inconsistent as error:
        for problem in error.problems:
            _tell(_("Refused: {reason}.").format(reason=problem.text))
    return None


def _ask_yes_or_no(*question: str) -> bool | None:
    """Ask until it is answered; None at the end of the input."""
    words: dict[str, Any] = {"": True, "y": True, "n": False}
    words |= {_("yes"): True, _("yes")[:1]: True, _("no"): False, _("no")[:1]: False}
    while (answer := _ask(*question)) is not None:
        if answer.casefold() in words:
            return bool(words[answer.casefold()])
    return None


def _ask(*question: str) -> str | None:
    _tell(*question)
    line = lines.read()
    return clean_text(line, limit=lines.LONGEST) if line is not None else None


def _tell(*said: str) -> None:
    for line in said:
        print(printable(line))
    print(end="", flush=True)
