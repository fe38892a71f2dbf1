"""Who hears of a table's games beside the face that plays them: the voice, the onlookers of
extensions, the phones, each begun and closed here."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from companion.game.onlooking import Onlookers
from companion.game.session import Listener
from companion.language import translate
from companion.voice.table_voice import Voice

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.chips.entries import Entry
    from companion.game.conversation import Conversation
    from companion.game.session import Session
    from companion.phones.serving.phones import Phones
    from companion.phones.serving.where import Where
    from companion.settings.config import Config
    from companion.setup.shared import SetUp

    Work = Callable[[], None]
    ShowDoor = Callable[[Phones], object]


class Host:
    """What `Beside` needs of the face that plays. Other threads call `post` and `later` alone."""

    def post(self, work: Work) -> None:
        """Run work in the game's thread, between two inputs, and show what it has changed."""
        raise NotImplementedError

    def later(self, seconds: float, work: Work) -> Callable[[], object]:
        """Run work in the game's thread after so many seconds, unless what this returns is called
        there before."""
        ended = threading.Event()

        def run() -> None:
            if not ended.is_set():
                work()

        def wait() -> None:
            if not ended.wait(seconds):
                self.post(run)

        threading.Thread(target=wait, name="later", daemon=True).start()
        return ended.set

    def note(self, text: str) -> None:
        """Show people a line that answers nothing."""
        raise NotImplementedError

    def find_talk(self) -> Conversation | None:
        """The table's own conversation; None before the first game."""
        return None

    def lookup(self, uid: bytes) -> Entry | None:
        """What that chip stands for at the table's reader."""
        return None

    def tell_remedy(self) -> str:
        """The key or the words that remove the phone which came last."""
        from companion.phones.serving.site import say_words

        return say_words("out")


class Beside(Listener):
    """Whoever hears of the games. A face begins with it, lets it `attend` each game, and at its end
    closes it. Call every method but `post` and `tell` in the game's thread."""

    def __init__(
        self,
        host: Host,
        config: Config,
        where: Where | None = None,
        show_door: ShowDoor = lambda _phones: None,
        *,
        is_hosted: bool = False,
    ) -> None:
        """`where` is where phones connect; None without phones. `show_door` shows that once they
        can. `is_hosted` is whether there is nothing else to play with."""
        self.host, self._config, self.where = host, config, where
        self._show_door, self.is_hosted = show_door, is_hosted
        self._thread = threading.current_thread()
        self.voice = Voice(config.voice, self.tell)
        self.phones: Phones | None = None
        """The phones, once they are served."""
        self._listeners: list[Listener] = [self.voice]
        self._onlookers: Onlookers | None = None

    def post(self, work: Work) -> None:
        """Run work in the game's thread, from any other."""
        self.host.post(work)

    def _later(self, seconds: float, work: Work) -> Callable[[], object]:
        return self.host.later(seconds, work)

    def tell(self, text: str) -> None:
        """Show people a line, from any thread."""
        if threading.current_thread() is self._thread:
            self.host.note(text)
        else:
            self.post(lambda: self.host.note(text))

    def tell_notice(self, text: str) -> None:
        self.tell(translate(text))

    def attend(self, session: Session) -> None:
        """Let all of them hear of this game; the first begins what was not needed before."""
        if self._onlookers is None:
            self._onlookers = Onlookers.open(self._config, self.tell, self._later)
            self._listeners.append(self._onlookers)
        session.attend(self, *self._listeners)
        talk = self.host.find_talk()
        if self.phones is not None and talk is not None:
            self.phones.follow(talk)
        else:
            self._serve()

    def open_lobby(self, set_up: SetUp) -> None:
        if self.phones is not None:
            self.phones.open_lobby(set_up)
        else:
            self._serve(set_up)

    def close_lobby(self) -> None:
        if self.phones is not None:
            self.phones.close_lobby()

    def close(self) -> None:
        if self.phones is not None:
            self.phones.stop()
        for listener in self._listeners:
            listener.close()

    def _serve(self, set_up: SetUp | None = None) -> None:
        """Serve phones, if they are wanted, at the table or to set up that game."""
        if self.where is None:
            return
        from companion.phones.serving.phones import Phones  # heavy: the web server

        self.phones = Phones(
            self.host.find_talk(),
            self._config,
            self.where,
            post=self.post,
            later=self._later,
            tell=self.tell,
            say=self.voice.announce,
            remedy=lambda: self.host.tell_remedy(),
            lookup=lambda uid: self.host.lookup(uid),
            set_up=set_up,
            is_hosted=self.is_hosted,
        )
        self.phones.start()
        self._show_door(self.phones)
