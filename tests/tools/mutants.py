"""Mutation testing: put small mistakes into the program, one at a time, and check that the inner
ring finds each.

    python tests/tools/mutants.py [--count 200] [--seed 1] [--jobs 2] [--least 90] [PATH[:LINE] ...]
        [--seconds 60] [--tests tests] [--outer]

The tests are collected once. First their line coverage is recorded, which takes one test run and is
cached until the program changes. Each mutant is a fork of that process with the code of its
functions replaced: the tests that reach its line are run, first those of each file that reach the
fewest other lines, until one fails or `--seconds` are over. A line reached only during import and
collection needs a new process, and takes longer.

Prints the survivors, to be reviewed one by one; exits with 1 if fewer than `--least` percent were
found, or if a mutant could not be tried because no function has its code. `no_difference.txt` lists
equivalent mutants, with the reason; they do not count. PATH: by default engine and companion/game.
`--outer` also uses tests of the outer ring, if they call the program in their own process.
"""

from __future__ import annotations

import argparse
import ast
import functools
import gc
import os
import random
import resource
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, NamedTuple

os.environ |= {"RING": "test", "CI": "1"}  # small sweeps and the same examples every time

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
sys.setrecursionlimit(3000)

import pytest  # noqa: E402

from tests.tools import reaching  # noqa: E402
from tests.tools.forks import Trial, run_at_once  # noqa: E402
from tests.tools.mutations import Mutant, find_mutants, make_mistake, mutate  # noqa: E402

PATHS = ["engine", "companion/game"]
NO_DIFFERENCE = Path(__file__).with_name("no_difference.txt")
PATIENCE = 60  # seconds until a hanging test counts as failed: each takes a few
MEMORY = 4 << 30  # bytes; a mutant that needs more fails
LOST = "NOT TRIED, no function has its code"


class Verdict(NamedTuple):
    """The result of a mutant; `found` names the test that found it."""

    mutant: Mutant
    words: str
    found: str
    tests: int
    lost: bool = False  # no function has its code, so it was never in the program

    @property
    def place(self) -> str:
        """Its place, for display."""
        return f"{self.mutant.path.relative_to(ROOT)}:{self.mutant.line}: {self.words}"

    @property
    def key(self) -> str:
        """The mutant's key in `no_difference.txt`, independent of other lines of its file."""
        return f"{self.mutant.path.relative_to(ROOT)}:{self.mutant.function}: {self.words}"


class Mutation:
    """The pytest plugin that does this instead of running the tests."""

    def __init__(self, tests: Sequence[str], options: argparse.Namespace) -> None:
        self.tests = tests  # as command-line arguments
        self.places = [path.partition(":") for path in options.paths]
        self.count, self.seed, self.jobs = options.count, options.seed, options.jobs
        self.seconds: float = options.seconds
        self.verdicts: list[Verdict] = []
        self._lines = reaching.Lines()
        reaching.import_with(self._lines.compile)
        self._failed = False

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Record that a test has failed."""
        self._failed = self._failed or report.failed

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Record the tests' coverage, then try one mutant after the other."""
        files = sorted({file for path, *_ in self.places for file in _modules(ROOT / path)})
        for file in files:  # modules imported later would lack the mutation
            import_module(_module_name(file))
        gc.unfreeze()  # `get_objects` leaves out what tests/conftest.py has frozen
        self._functions, self._caches = _functions(), _caches()
        self._imported = self._lines.reached()
        gc.freeze()
        usual = self._recorded(session.items)
        items = {item.nodeid: item for item in session.items if item.nodeid in usual}
        print(f"{len(items)} tests of {len(session.items)} pass and are used", flush=True)
        mutants = [
            mutant for file in files for mutant in find_mutants(file) if self._is_meant(mutant)
        ]
        print(f"{self.count} of {len(mutants)} mutants in {len(files)} modules", flush=True)
        random.Random(self.seed).shuffle(mutants)
        at_once = run_at_once(self._trials(mutants, items, usual), self.jobs)
        for number, verdict in enumerate(at_once, start=1):
            self.verdicts.append(verdict)
            text = f"found by {verdict.found}" if verdict.found else "SURVIVED"
            print(f"{number:4} {verdict.place}: {LOST if verdict.lost else text}", flush=True)
        self._doubt(items)
        return True

    def _is_meant(self, mutant: Mutant) -> bool:
        return any(
            mutant.path.is_relative_to(ROOT / path) and line in ("", str(mutant.line))
            for path, _colon, line in self.places
        )

    def _recorded(self, items: list[pytest.Item]) -> dict[str, reaching.Usual]:
        """The coverage of each passing test; runs only new and changed tests."""
        usual = reaching.load()
        now = {path: reaching.digest(path) for path in {item.path for item in items}}
        new = [
            item
            for item in items
            if item.nodeid not in usual or usual[item.nodeid].written != now[item.path]
        ]
        if new:
            duration = time.monotonic()
            for item in new:
                usual.pop(item.nodeid, None)
            usual |= self._record(new)
            reaching.keep(usual)
            print(f"{len(new)} tests recorded in {time.monotonic() - duration:.0f} s", flush=True)
        return usual

    def _record(self, items: list[pytest.Item]) -> dict[str, reaching.Usual]:
        size = -(-len(items) // self.jobs)
        slices = [items[begin : begin + size] for begin in range(0, len(items), size)]
        parts: list[Trial] = [(functools.partial(self._watch, part), {}, 3600.0) for part in slices]
        usual: dict[str, reaching.Usual] = {}
        for part in run_at_once(iter(parts), self.jobs):
            usual |= part
        return usual

    def _watch(self, items: list[pytest.Item]) -> dict[str, reaching.Usual]:
        usual = {}
        path, text = None, ""
        for item, following in zip(items, [*items[1:], None], strict=True):
            if item.path != path:
                self._forget_what_was_kept()  # so that each file fills the caches anew
                path, text = item.path, reaching.digest(item.path)
            self._lines.forget()
            self._failed = False
            start = time.process_time()  # the same on a busy machine
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if not self._failed:
                seconds = time.process_time() - start
                usual[item.nodeid] = reaching.Usual(text, seconds, self._lines.reached())
        return usual

    def _trials(
        self,
        mutants: list[Mutant],
        items: dict[str, pytest.Item],
        usual: dict[str, reaching.Usual],
    ) -> Iterator[Trial]:
        """The trials of the mutants, with the result of one that times out."""
        count = 0
        sizes = {name: reaching.count_lines(usual[name].reached) for name in items}
        for mutant in mutants:
            if count == self.count:
                return
            try:
                mutation = mutate(mutant, self._lines.compile)
            except (ValueError, SyntaxError):
                continue
            if not mutation.code:
                continue
            count += 1
            reach = [
                name
                for name in items
                if self._lines.is_reached(mutant.path, mutant.statement, usual[name].reached)
            ]
            tests = list(_limit(_order(reach, items, sizes), usual, self.seconds))
            endless = Verdict(mutant, mutation.words, "a test that never ends", len(tests))
            if tests or not self._lines.is_reached(mutant.path, mutant.statement, self._imported):
                trial = functools.partial(self._try, mutant, [items[name] for name in tests])
                if not any(self._having(code) for code in mutation.code):
                    trial = functools.partial(endless._replace, found="", lost=True)
                yield trial, endless, PATIENCE + 10 * sum(usual[name].seconds for name in tests)
            else:
                trial = functools.partial(self._try_anew, endless._replace(tests=len(items)))
                yield trial, endless, PATIENCE + 10 * sum(one.seconds for one in usual.values())

    def _try(self, mutant: Mutant, items: list[pytest.Item]) -> Verdict:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        mutation = mutate(mutant, self._lines.compile)
        self._replace(mutation.code)
        for number, item in enumerate(items, start=1):
            following = items[number] if number < len(items) else None
            if not self._passes(item, following):
                return Verdict(mutant, mutation.words, item.nodeid, number)
        return Verdict(mutant, mutation.words, "", len(items))

    def _try_anew(self, verdict: Verdict) -> Verdict:
        mutant = verdict.mutant
        words = [f"--one={mutant.path}:{mutant.site}", *self.tests]
        result = subprocess.run([sys.executable, __file__, *words], check=False)
        return verdict._replace(found="a new process" if result.returncode else "")

    def _forget_what_was_kept(self) -> None:
        for cache in self._caches:
            cache.cache_clear()

    def _replace(self, code: dict[CodeType, CodeType]) -> None:
        """Replace the code of all functions that have one of these code objects."""
        for old, new in code.items():
            for function in self._having(old):
                function.__code__ = new
        self._forget_what_was_kept()

    def _having(self, code: CodeType) -> list[FunctionType]:
        function_types = self._functions[code.co_filename, code.co_firstlineno]
        return [function for function in function_types if function.__code__ == code]

    def _passes(self, item: pytest.Item, following: pytest.Item | None) -> bool:
        self._failed = False
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        return not self._failed

    def _doubt(self, items: dict[str, pytest.Item]) -> None:
        """Discard the findings of tests that fail alone without a mutation."""
        finders = sorted({verdict.found for verdict in self.verdicts} & items.keys())
        alone = [(functools.partial(self._fails_alone, items[name]), "", 600.0) for name in finders]
        unreliable = set(run_at_once(iter(alone), self.jobs)) - {""}
        for name in sorted(unreliable):
            print(f"fails alone, and finds nothing: {name}")
        self.verdicts = [
            verdict._replace(found="") if verdict.found in unreliable else verdict
            for verdict in self.verdicts
        ]

    def _fails_alone(self, item: pytest.Item) -> str:
        self._forget_what_was_kept()
        return "" if self._passes(item, None) else item.nodeid


def _modules(path: Path) -> Iterator[Path]:
    return path.rglob("*.py") if path.is_dir() else iter([path])


def _order(reach: Sequence[str], items: dict[str, pytest.Item], sizes: dict[str, int]) -> list[str]:
    """Order the tests that reach a mutant: of each file the one that reaches the fewest lines, then
    the next of each, as tests of a file are similar."""
    before: Counter[Path] = Counter()
    order = {}
    for name in sorted(reach, key=lambda name: sizes[name]):
        order[name] = before[items[name].path]
        before[items[name].path] += 1
    return sorted(order, key=lambda name: (order[name], sizes[name]))


def _limit(names: Iterable[str], usual: dict[str, reaching.Usual], seconds: float) -> Iterator[str]:
    for name in names:
        if seconds <= 0:
            return
        seconds -= usual[name].seconds
        yield name


def _module_name(file: Path) -> str:
    parts = file.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _functions() -> dict[tuple[str, int], list[FunctionType]]:
    """All functions, by the position of their code."""
    results = defaultdict(list)
    for thing in gc.get_objects():
        if isinstance(thing, FunctionType):
            code = thing.__code__
            results[code.co_filename, code.co_firstlineno].append(thing)
    return results


def _caches() -> list[functools._lru_cache_wrapper[Any]]:
    """All function caches of the program and the tests."""
    things = gc.get_objects()
    return [
        one for one in things if isinstance(one, functools._lru_cache_wrapper) and _is_ours(one)
    ]


def _is_ours(thing: Any) -> bool:
    return str(getattr(thing, "__module__", "")).partition(".")[0] in (*reaching.PROGRAM, "tests")


def _read_equivalents() -> dict[str, str]:
    """The equivalent mutants, and why."""
    lines = NO_DIFFERENCE.read_text("utf-8").splitlines()
    rows = [line.rpartition("  # ") for line in lines if line and not line.startswith("#")]
    return {mutant: why for mutant, _, why in rows}


def _report(verdicts: list[Verdict]) -> float:
    """Print the survivors and the figures; returns the percentage found."""
    equivalents = _read_equivalents()
    verdicts = [verdict for verdict in verdicts if not verdict.lost]
    tallies = [verdict for verdict in verdicts if verdict.found or verdict.key not in equivalents]
    for verdict in verdicts:
        if not verdict.found and verdict.key in equivalents:
            print(f"no difference: {verdict.place}: {equivalents[verdict.key]}")
        elif not verdict.found:
            print(f"survivor ({verdict.tests} tests): {verdict.place}\n    {verdict.key}")
        elif verdict.key in equivalents:
            print(f"found after all, take it out of {NO_DIFFERENCE.name}: {verdict.key}")
    index = sum(bool(verdict.found) for verdict in tallies)
    percent = 100 * index / len(tallies) if tallies else 100.0
    none = len(verdicts) - len(tallies)
    print(f"{index} of {len(tallies)} mutants found, {percent:.1f} %; {none} make no difference")
    return percent


def _compile_with_mistake(path: Path, site: int, tree: ast.Module, file: Path) -> CodeType:
    if file == path:
        make_mistake(tree, site)
    return compile(tree, str(file), "exec", dont_inherit=True)


def _run_pytest(tests: Sequence[str], outer: bool, *more: str, **options: Any) -> int:
    rings = "not soak" if outer else "not outer and not soak"
    quiet = ["-p", "no:xdist", "-p", "no:cacheprovider", "-q", "--no-header", "-s", "--tb=no"]
    limit = f"--timeout={PATIENCE}"
    paths = [str(ROOT / path) for path in tests]
    return int(pytest.main([*paths, "-m", rings, *quiet, limit, *more], **options))


def main() -> int:
    """Try as many mutants as requested; returns the exit code."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("paths", metavar="PATH[:LINE]", nargs="*", default=PATHS)
    options.add_argument("--count", type=int, default=200)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--jobs", type=int, default=os.cpu_count() or 2)
    options.add_argument(
        "--seconds", type=float, default=60, help="that the tests of one mutant take, as they are"
    )
    options.add_argument("--tests", metavar="PATH", nargs="+", default=["tests"])
    options.add_argument("--outer", action="store_true", help="tests of the outer ring as well")
    options.add_argument("--least", type=int, default=90, help="percent that must be found")
    options.add_argument("--one", help=argparse.SUPPRESS)  # a mutant that needs a new process
    args = options.parse_args()
    if args.one:
        path, _colon, site = args.one.rpartition(":")
        reaching.import_with(functools.partial(_compile_with_mistake, Path(path), int(site)))
        return _run_pytest(args.tests, args.outer, "-x")
    tests = ["--tests", *args.tests, *(["--outer"] if args.outer else [])]
    mutation = Mutation(tests, args)
    _run_pytest(args.tests, args.outer, plugins=[mutation])
    percent = _report(mutation.verdicts)
    verdicts = [verdict for verdict in mutation.verdicts if verdict.lost]
    for verdict in verdicts:
        print(f"error: {LOST}: {verdict.place}", file=sys.stderr)
    return 0 if percent >= args.least and not verdicts else 1


if __name__ == "__main__":
    sys.exit(main())
