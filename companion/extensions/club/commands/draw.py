"""`companion club draw`: who sits where in a round."""

from __future__ import annotations

from argparse import Namespace

from common.sentences import Sentence, locate
from companion.commands import CommandError
from companion.commands.declared import JSON, Answer, arg, command, take_count
from companion.extensions.club import drawing, league
from companion.extensions.club.drawing import CannotDraw, Drawn, DrawOptions, ResultsMatter
from companion.language import _
from companion.settings.config import Config


@command(
    "club draw",
    arg(
        "--absent",
        metavar="NAME",
        action="append",
        default=[],
        help="somebody who is not here; repeat it for several",
    ),
    arg(
        "--tables",
        metavar="NUMBER",
        type=take_count(1, 1000),
        help="how many tables there are at most",
    ),
    arg("--anyway", action="store_true", help="draw even if results of the last round are missing"),
    [
        arg("--again", action="store_true", help="redraw the last round"),
        arg(
            "--swap",
            metavar=("NAME", "OTHER"),
            nargs=2,
            help="swap two players of the last round",
        ),
        arg("--show", action="store_true", help="show the last round"),
    ],
    JSON,
)
def run(config: Config, args: Namespace) -> Answer:
    """The next round, or the last one, which may be changed."""
    try:
        result = _draw(args, config.data)
    except CannotDraw as error:
        lines = [locate("companion club draw", line) for line in error.lines]
        if isinstance(error, ResultsMatter):
            lines.append(Sentence("To draw anyway: {option}", option="--anyway"))
        raise CommandError(*lines, code=error.code) from None
    text = drawing.tell(result.round)
    if result.path:
        change = _("To change it: {command}, or edit {path}")
        swap = "companion club draw --swap NAME OTHER"
        text.append(change.format(command=swap, path=result.path))
    return Answer(text, league.data(result.round, result.waiting))


def _draw(options: Namespace, folder: str) -> Drawn:
    if options.show:
        return drawing.read_last(folder)
    if options.swap:
        one, other = options.swap
        return drawing.swap_players(folder, one, other)
    choices = DrawOptions(
        absent=tuple(options.absent),
        most_tables=options.tables,
        again=options.again,
        anyway=options.anyway,
    )
    return drawing.draw_round(folder, choices)
