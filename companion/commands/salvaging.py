"""`companion record --salvage`: salvages a damaged log into a new file beside it."""

from __future__ import annotations

from common.sentences import Sentence
from companion.commands import DONE, REFUSED, CommandError
from companion.errors.output import answer
from companion.files.locations import cannot_be_read
from companion.language import _, plural
from companion.log import salvage
from companion.log.store import Store


def salvage_all(path: str) -> int:
    """Write everything readable to a new log beside the damaged one, which is not changed."""
    try:
        saved = salvage.read(path)
    except OSError as error:
        raise CommandError(cannot_be_read(path, error), code=REFUSED) from None
    if not saved:
        raise CommandError(
            Sentence("{path}: no game can be read from this file", path=path), code=REFUSED
        )
    new = salvage.free_path(path)
    with Store(new) as store:
        for one in saved:
            name = store.add(one.log).name
            moves = plural("{number} move", "{number} moves", len(one.log.moves))
            whole = _("{name}: {moves}, the whole game.")
            cut = _("{name}: {moves}; the rest is damaged.")
            answer([(whole if one.whole else cut).format(name=name, moves=moves)])
    where = _(
        "Saved in {path}. To use it, move {damaged} elsewhere and put the saved file in its place."
    )
    answer([where.format(path=new, damaged=path)])
    return DONE
