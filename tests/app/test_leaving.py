"""Leaving the full screen: what is typed while it ends is for nobody, and nobody is told of it."""

from __future__ import annotations

import asyncio
import gc
import warnings

import pytest
from textual.driver import Driver
from textual.message import Message

from companion.app.terminal import SafeApp
from tests.app.driving import start_table


def test_a_message_after_the_end_is_dropped_without_a_warning() -> None:
    app = SafeApp()

    async def start() -> Driver:
        return app.get_driver_class()(app)

    driver = asyncio.run(start())
    assert app.terminal is driver
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        driver.send_message(Message())
        gc.collect()


@pytest.mark.outer
async def test_space_takes_the_answer_that_is_highlighted() -> None:
    async with start_table() as table:
        await table.keys("q", "down", "space")
        assert table.app.screen is table.app.table
        await table.keys("q", "space")
        await table.wait_until(lambda: not table.app.is_running, "leaving", rest=False)
