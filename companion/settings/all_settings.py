"""Every setting in one table: its key, default, check, description, variable and option; those of
extensions are in these.

`config.yaml` is generated from it (`make settings`), as are the variables and the commands'
options.
"""

from __future__ import annotations

from typing import Any

from common.clean import clean_text
from common.sentences import Sentence
from companion.settings import checks, keys, named_readers
from companion.settings.setting import Notice, Setting, name_variable

SECRECIES = ("announced", "secret")
CALLERS = ("by_hand", "by_itself")
THEMES = ("dark", "light", "high-contrast", "terminal")


def _renew_table_voice(value: Any) -> tuple[Any, list[Notice]]:
    """The table's voice without commands, files and devices of its own."""
    name, at, _device = value.partition("@") if isinstance(value, str) else ("", "", "")
    if not _is_own(value) and not (at and name in ("espeak-ng", "say")):
        return value, []
    sentence = Sentence(
        "“{key}: {value}” is no longer possible; the computer's own voice speaks instead "
        "(companion doctor lists what there is)",
        key="voice.table",
        value=clean_text(str(value), limit=60),
    )
    return "auto", [Notice(sentence)]


def _renew_ear(value: Any) -> tuple[Any, list[Notice]]:
    """One person's voice without commands and files of its own: rather none than a loudspeaker."""
    if not _is_own(value):
        return value, []
    sentence = Sentence(
        "“{key}: {value}” is no longer possible, so no secret is spoken; write {example} instead",
        key="voice.ear",
        value=clean_text(str(value), limit=60),
        example="espeak-ng@DEVICE",
    )
    return "none", [Notice(sentence)]


def _is_own(value: Any) -> bool:
    return isinstance(value, list) or (isinstance(value, str) and value.startswith("files:"))


_SETTINGS = (
    Setting(
        "edition",
        "classic_2016",
        checks.edition,
        option="edition",
        metavar="EDITION",
        help="the box on the table",
    ).describe(
        """The box on the table, by its id; companion editions lists them all. You can choose
        another for each new game."""
    ),
    Setting(
        "language",
        "auto",
        checks.spoken_language,
        option="language",
        metavar="CODE",
        help="the language, such as fr",
    ).describe(
        """The language of card names, questions and answers, by its code, such as fr; or auto: the
        one in LC_ALL, LC_MESSAGES or LANG if the companion speaks it, otherwise English.
        Records of games are the same in every language."""
    ),
    Setting(
        "reader",
        "auto",
        checks.reader,
        option="reader",
        metavar="READER",
        help="none, simulated, or a reader's path",
    ).describe(
        """The chip reader: auto (the first one found, otherwise the simulated one), none (keyboard
        only), simulated, or its path, which companion doctor shows for what is plugged in:
        {roads}"""
    ),
    Setting("readers", None, inner=named_readers.problems).describe(
        """Several readers at once, instead of the one above: for each, a name of your own and its
        path, and if you like a seat (1 is the first player) that says who tapped. For example:
          readers:
            middle: usb@1-2
            anna: {path: usb@1-3, seat: 1}
        Of several readers of one file, a line that ends in @anna is the reader anna's.
        null means none. COMPANION_READER and --reader override them."""
    ),
    Setting(
        "secrecy",
        "announced",
        checks.one_of(*SECRECIES),
        option="secrecy",
        metavar="SECRECY",
        help="how targets are named: announced or secret",
    ).describe(
        """How the Assassin and the Thief name a character: announced (aloud, and shown to
        everybody, as the rules say) or secret (known only to the companion until it takes
        effect)."""
    ),
    Setting("forced", "auto", checks.one_of("auto", "play", "ask")).describe(
        """Steps that leave no choice, such as calling a rank that is face up: play makes them
        automatically, ask leaves each to you. auto plays them for people, and asks if a program
        types the moves."""
    ),
    Setting("calling", CALLERS[0], checks.one_of(*CALLERS)).describe(
        """Who calls the characters when everybody has recorded a character on a phone: by_hand
        (the player with the crown) or by_itself (each rank in turn: its player shows it on the
        phone, and a rank that nobody answers passes after a few seconds)."""
    ),
    Setting("theme", "dark", checks.one_of(*THEMES)).describe(
        """The colours of the screen: dark, light, high-contrast, or terminal (your terminal's own).
        Nothing is told by colour alone; NO_COLOR is respected."""
    ),
    Setting("symbols", "auto", checks.symbols).describe(
        """How district types are marked, besides their colour: both (a shape and a letter),
        letters, shapes, ascii (letters, and only signs that a plain console can draw), or auto
        (ascii on the Linux console, otherwise both). Or marks of your own for some of them:
          symbols: {noble: "K", unique: "?"}"""
    ),
    Setting("keys", None, inner=keys.problems).describe(
        """Keys of your own for the screen: an action and its key, or several keys in brackets. A
        letter means the key in that place on a Latin keyboard; F-keys are f1 to f12, others
        ctrl+x, alt+x, "?". Press h while playing to see all keys. The actions:
        {actions}
        and while that move is listed: gold cards income bonus end nobody call build destroy faceup
        redraw choose pay.
        For example:
          keys:
            undo: [backspace, ctrl+z]
            large: f7
        null means none of your own."""
    ),
    Setting("cursor", False, checks.truth).describe(
        """true shows the terminal's cursor on the marked line, for braille displays and magnifiers
        that follow only a visible cursor; otherwise it is there, but invisible."""
    ),
    Setting(
        "plain",
        False,
        checks.truth,
        option="plain",
        help="play line by line, without the full screen",
    ).describe(
        """true plays line by line instead of on the full screen, for screen readers, braille
        displays and other programs."""
    ),
    Setting(
        "phones", False, checks.truth, option="phones", help="let every player use a phone"
    ).describe(
        """true lets every player use a phone beside the screen or the lines: companion shows an
        address and a code, and whoever opens the address and types the code has a seat. Nothing is
        installed, and nothing leaves the room."""
    ),
    Setting("house", "home", checks.one_of("home", "public")).describe(
        """Who may come in with a phone: home (whoever has the table's code takes a free seat) or
        public, for a café or a club (every seat is opened by its own code alone, and each game has
        a new code for the table)."""
    ),
    Setting(
        "voice.table",
        "none",
        checks.one_of(*checks.OUTPUTS),
        option="voice",
        metavar="OUTPUT",
        help="speak aloud: auto (the default), or a voice",
        renew=_renew_table_voice,
    ).describe(
        """What speaks to the whole table (calls, questions, refusals and scores): none, auto
        (whatever this computer has), spd-say (speech-dispatcher), espeak-ng, say (macOS), windows,
        or screen-reader (needs the extra "speech").
        --voice switches it on, F7 on and off during a game."""
    ),
    Setting("voice.ear", "none", checks.ear, renew=_renew_ear).describe(
        """What speaks secrets to one person only, such as through headphones: espeak-ng@DEVICE or
        say@DEVICE. With the table's own output no secret is spoken at all."""
    ),
    Setting("voice.speed", 100, checks.between(50, 300)).describe(
        "How fast it speaks: percent of the voice's usual speed, from 50 to 300."
    ),
    Setting("voice.volume", 100, checks.between(0, 100)).describe(
        """How loud it is: percent of the computer's volume, from 0 to 100. A screen reader keeps
        its own volume."""
    ),
    Setting("voice.level", "all", checks.one_of("calls", "all")).describe(
        """How much is said: calls (calls, answers, questions, refusals, rounds and the end), or
        all (also what happens in a turn)."""
    ),
    Setting("paths.data", None, checks.path).describe(
        """The folder for games, chips and this table's settings; null means your data folder (on
        Linux ~/.local/share/citadels-companion)."""
    ),
    Setting("paths.chips", None, checks.path).describe(
        """The file that says what each chip is; null means tags.yaml in the folder above."""
    ),
    Setting("paths.cards", None, checks.path).describe(
        """The file with this table's own cards; null means cards.yaml in the folder above, which
        does not have to exist. It adds districts to a box, or corrects a cost or the number of
        copies for your printing, under the box's id:
          millennium_3e:
            palace: {copies: 3}
            bastion: {type: military, cost: 4, copies: 1, names: {en: Bastion}}
        A unique district can also have a text, and points that it scores at the end: text: "..."
        and points: 2. A record that uses such a card names it in a comment at the top; a table
        without that card is told which one is missing."""
    ),
    Setting("tags.sounds", True, checks.truth).describe(
        """Whether a reader with a buzzer (ACR122U) tells how a tap was taken: true or false. A
        short sound means accepted, a long one refused. In private moments there is none."""
    ),
    Setting("tags.link", None, checks.link).describe(
        """Where phones find this table: this computer's host name, such as anna.local, or its
        address on the network; with a port, such as anna.local:9000, unless that is 8420. companion
        tags write puts a link to it on each chip, which a phone opens when it touches the chip.
        With --tls: https://anna.local:8420. Or the start of a link to a page of your own, such as
        https://host/path/. null means https://citadels.example/c/, which leads nowhere. The
        companion itself never opens a link."""
    ),
    Setting("tags.deck", None, checks.deck).describe(
        """The name of the deck that chips are learned for, if there are several, such as home or
        café 3: each of them has a first Tavern. null means the deck without a name. Chips of every
        deck are recognized, and those that carry their meaning (tags write) need not be learned."""
    ),
)

SETTINGS = {setting.key: setting for setting in _SETTINGS}
"""Every setting by its key, in the order of `config.yaml`."""

GROUPS = tuple(dict.fromkeys(setting.group for setting in _SETTINGS if setting.group))

GONE = {
    "animation": Sentence("nothing moves on the screen"),
    "season": Sentence("companion season --since DAY chooses the games"),
    "tags.dropout": Sentence("it is always 0.3 seconds"),
    "voice.murmur": Sentence("the voice says everything in words"),
    "voice.pause": Sentence("it is always 0.3 seconds"),
    "voice.sounds": Sentence("the voice says everything in words"),
    "voice.voices": Sentence("each language has the voice that the computer has for it"),
}
"""Settings of former versions, each with what replaces it."""

GONE_VARIABLES = {name_variable(key): key for key in GONE}

VARIABLES = {setting.variable: setting.key for setting in _SETTINGS if setting.variable}
"""The key that each variable sets."""
