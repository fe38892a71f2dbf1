"""Leaving the full screen: what is typed while it ends is for nobody, and nobody is told of it."""

from __future__ import annotations

import asyncio
import gc
import warnings
from typing import Any, cast

from textual.message import Message

from companion.app.terminal import AnyByteDriver


class Heard:
    """An application that keeps its messages, as far as a driver knows it."""

    def __init__(self) -> None:
        self.messages: list[Message] = []

    def post_message(self, message: Message) -> bool:
        self.messages.append(message)
        return True

    async def _post_message(self, message: Message) -> bool:
        return self.post_message(message)


def test_a_message_after_the_end_is_dropped_without_a_warning() -> None:
    app = Heard()

    async def type_one() -> AnyByteDriver:
        driver = AnyByteDriver(cast(Any, app))
        driver.send_message(Message())
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        return driver

    driver = asyncio.run(type_one())
    assert len(app.messages) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        driver.send_message(Message())
        gc.collect()
    assert len(app.messages) == 1
