"""`docs/reference/api.md` and the server agree: addresses, methods, statuses, fields."""

from __future__ import annotations

import json
import re

import pytest

from companion.commands import listening
from companion.phones.serving.web import ROUTES
from tests.serving.local_table import SELECTED, Table
from tests.starting import ROOT

PAGE = (ROOT / "docs" / "reference" / "api.md").read_text(encoding="utf-8")
API = PAGE.partition("## For programs")[2]
REQUESTS = re.findall(r"^\| `(GET|POST) (/api/\w+)` \| (.*) \| (.*) \|$", API, re.MULTILINE)
STATUSES = set(map(int, re.findall(r"^\| (\d{3}) \|", API, re.MULTILINE)))
SOURCES = ("api.py", "http.py", "http_messages.py", "site.py", "stream.py", "web.py")


def fields(cell: str) -> set[str]:
    """The fields that a cell of a table names."""
    return set(re.findall(r"`(\w+)`", cell))


def test_every_request_is_on_the_page_and_every_one_there_is_answered() -> None:
    readers = {
        (method, path)
        for path, methods in ROUTES.items()
        for method in methods
        if path.startswith("/api/")
    }
    assert {(method, path) for method, path, *_cells in REQUESTS} == readers


@pytest.mark.documents
def test_every_page_is_on_the_page() -> None:
    documented = re.findall(r"^\| `(/[^`]*)` \|", PAGE.partition("## Pages")[2], re.MULTILINE)
    for path in documented:
        head = path.rpartition("/")[0] + "/"
        assert "GET" in (ROUTES.get(path) or ROUTES[head]), path
    served = {path for path, methods in ROUTES.items() if "GET" in methods and "/api" not in path}
    found = {path if path in ROUTES else path.rpartition("/")[0] + "/" for path in documented}
    assert found == served - {"/static/"}


def test_every_status_is_on_the_page() -> None:
    folder = ROOT / "companion" / "phones" / "serving"
    names = {200, 409}  # by `http_messages.data`
    for name in SOURCES:
        names |= set(map(int, re.findall(r"Rejected\(\s*(\d{3})", (folder / name).read_text())))
    assert STATUSES | {500} == names | {500}


def test_every_option_is_on_the_page() -> None:
    documented = set(re.findall(r"^\| `(--\w+)", PAGE, re.MULTILINE))
    assert documented == {option.name for option in listening.list_options()} | {"--json"}


async def test_the_fields_are_those_on_the_page(table: Table) -> None:
    needs = {path: fields(cell) for _method, path, cell, _answer in REQUESTS}
    answers = {path: fields(cell) for _method, path, _cell, cell in REQUESTS}
    assert needs["/api/join"] == {"code", "seat"}
    status, text = await table.send("/api/join", code=table.code, seat=2)
    assert (status, set(text)) == (200, answers["/api/join"])
    (move,) = needs["/api/moves"]
    assert needs["/api/taps"] == {"chip", "taps"}
    status, value = await table.send("/api/moves", text["key"], **{move: SELECTED})
    assert status == 200
    assert (200, value) == await table.read("/api/seat", text["key"])
    status, left = await table.send("/api/leave", text["key"])
    assert (status, set(left)) == (200, answers["/api/leave"])


async def test_an_event_is_as_on_the_page(table: Table) -> None:
    documented = fields(re.findall(r"as data (.*?)\. The", API, re.DOTALL)[0]) | {"view"}
    answer = await table.ask("GET", "/api/events", b"", authorization=f"Bearer {table.code}")
    assert answer.parts is not None
    await anext(answer.parts)
    number, data, *_rest = (await anext(answer.parts)).decode().split("\n")
    event = json.loads(data.removeprefix("data: "))
    assert set(event) == documented & {"version", "view", "lines"} == {"version", "view", "lines"}
    assert number == f"id: {event['version']}"
    assert event["view"] == (await table.read("/api/table", table.code))[1]
