"""`companion record --salvage`: what can be read of a damaged log, in a new one beside it."""

from __future__ import annotations

from companion import salvage
from companion.commands import DONE, REFUSED, CommandError
from companion.commands.output import answer
from companion.language import _, plural
from companion.locations import cannot_be_read
from companion.store import Store
from engine.sentences import Sentence


def salvage_all(path: str) -> int:
    """Write what can be read into a new log beside the damaged one, which is left alone."""
    try:
        saved = salvage.read(path)
    except OSError as error:
        raise CommandError(cannot_be_read(path, error), code=REFUSED) from None
    if not saved:
        raise CommandError(
            Sentence("{path}: no game can be read of this file", path=path), code=REFUSED
        )
    new = salvage.free_path(path)
    with Store(new) as store:
        for one in saved:
            name = store.add(one.log).name
            moves = plural("{number} move", "{number} moves", len(one.log.moves))
            whole = _("{name}: {moves}, the whole game.")
            cut = _("{name}: {moves}; what followed is damaged.")
            answer([(whole if one.whole else cut).format(name=name, moves=moves)])
    where = _("Saved in {path}. To go on with it, move {damaged} away and put it in its place.")
    answer([where.format(path=new, damaged=path)])
    return DONE
