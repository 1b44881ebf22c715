"""A source that is late is left out and named, the rest answers, and the late call harms nobody later."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import gieok
from gieok import stores
from gieok.bank import MemoryBank
from gieok.embedders import HashingEmbedder
from gieok.errors import BankClosed
from gieok.recall.time_limit import Running, SourceLate, TimeLimit
from gieok.settings import Settings
from gieok.testing import FixedClock, day
from unit.recall.conftest import BrokenEncoder, told

SHORT = 0.3
LONG = 3.0


class SlowEmbedder(HashingEmbedder):
    """Takes its time over questions, until the test is over."""

    seconds = 0.0
    late_answers = 0

    def __init__(self, over: threading.Event) -> None:
        super().__init__()
        self.over = over

    def embed(self, texts: Sequence[str], *, purpose: Any) -> Any:
        if purpose == "query":
            self.over.wait(self.seconds)
            self.late_answers += self.seconds > 0
        return super().embed(texts, purpose=purpose)


class SlowView:
    """A view in which one search takes its time, as a query in a real view would: others wait behind it."""

    def __init__(self, view: Any, slow: dict[str, float], over: threading.Event) -> None:
        self._view = view
        self._slow = slow
        self._over = over
        self.left = False

    def __getattr__(self, name: str) -> Any:
        assert not self.left, f"{name} in a view that was left"
        value = getattr(self._view, name)
        if name not in self._slow:
            return value

        def late(*arguments: Any, **options: Any) -> Any:
            with self._view._turn:
                self._over.wait(self._slow[name])
            assert not self.left
            return value(*arguments, **options)

        return late


class SlowStore:
    """A real store with slow views."""

    def __init__(self, store: Any, over: threading.Event) -> None:
        self._store = store
        self._over = over
        self.slow: dict[str, float] = {}
        self.lent = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def hooked(self, hooks: Any) -> SlowStore:
        self._store = self._store.hooked(hooks)
        return self

    @contextmanager
    def view(self, scope: Any) -> Iterator[SlowView]:
        with self._store.view(scope) as view:
            self.lent += 1
            slow = SlowView(view, dict(self.slow), self._over)
            try:
                yield slow
            finally:
                slow.left = True
                self.lent -= 1


class Slow:
    """A small story in a bank whose sources can be slowed down."""

    def __init__(self, path: Path) -> None:
        self.over = threading.Event()
        self.embedder = SlowEmbedder(self.over)
        store = stores.open_store(str(path), embedder=self.embedder.name, dimension=self.embedder.dimension)
        self.store = SlowStore(store, self.over)
        settings = Settings(bank=str(path), recall_patience=SHORT, tokens="estimate")
        self.bank = MemoryBank(settings, embedder=self.embedder, store=self.store, clock=FixedClock(day(6)))  # type: ignore[arg-type]  # a stand-in for a store
        self.mind = self.bank.scope(user="minsu", character="letia")
        self.mind.observe("나 고양이 좋아해", at=day(1))
        self.mind.observe("땅콩 알레르기 있어", at=day(2))
        self.mind.recall("고양이")  # morphology is loaded


@pytest.fixture
def slow(tmp_path: Path) -> Iterator[Slow]:
    slow = Slow(tmp_path / "bank.db")
    yield slow
    slow.over.set()  # nobody waits for what is late
    slow.bank.close()


def eventually(holds: Callable[[], bool]) -> bool:
    end = time.monotonic() + 20
    while not holds() and time.monotonic() < end:
        time.sleep(0.01)
    return holds()


def test_a_question_that_is_embedded_too_slowly_is_answered_by_words(slow: Slow) -> None:
    slow.embedder.seconds = LONG
    context = slow.mind.context("고양이")

    assert "고양이를 좋아함" in context.text
    assert "땅콩" in context.text
    assert context.degraded == ("dense search is off: embedder 'hashing-256' did not answer within 0.3 s",)
    assert slow.embedder.late_answers == 0, "it was waited for"


@pytest.mark.parametrize(
    ("search", "named"),
    [
        ("nearness", "dense search is off: no answer within 0.3 s"),
        ("occurrences", "keyword search is off: no answer within 0.3 s"),
        ("prefix_occurrences", "keyword search is off: no answer within 0.3 s"),
        ("word_weights", "keyword search is off: no answer within 0.3 s"),
        ("tagged", "topic search is off: no answer within 0.3 s"),
        ("layout", "search is off: no answer within 0.3 s"),
    ],
)
def test_a_slow_search_is_cut_and_the_rest_answers(slow: Slow, search: str, named: str) -> None:
    slow.store.slow = {search: LONG}
    context = slow.mind.context("고양이")

    assert context.degraded == (named,)
    assert "땅콩" in context.text
    assert "고양이" in context.text
    assert slow.store.lent == 1, "the late call still has its view, and nobody else one"


def test_a_store_that_does_not_know_how_to_rank_words_is_asked_to_count_them(slow: Slow, monkeypatch: Any) -> None:
    monkeypatch.setattr(SlowView, "__getattr__", _without("word_weights", SlowView.__getattr__))
    assert slow.mind.recall("고양이")[0].parts.keyword > 0


def test_a_store_that_gives_no_bounds_of_cosines_is_asked_for_all_of_them(slow: Slow, monkeypatch: Any) -> None:
    whole = slow.mind.recall("고양이", explain=True)
    monkeypatch.setattr(SlowView, "__getattr__", _without("nearness", SlowView.__getattr__))
    found = slow.mind.recall("고양이", explain=True)

    assert found[0].parts.relevance > 0
    assert [each.why for each in found] == [each.why for each in whole]
    assert [each.parts.relevance for each in found] == [each.parts.relevance for each in whole]


def _without(missing: str, known: Callable[[SlowView, str], Any]) -> Callable[[SlowView, str], Any]:
    def looked_up(view: SlowView, name: str) -> Any:
        if name == missing:
            raise AttributeError(name)
        return known(view, name)

    return looked_up


def test_the_late_call_ends_in_its_own_view_and_spoils_nothing(slow: Slow) -> None:
    slow.store.slow = {"nearness": 1.0}
    assert slow.mind.context("고양이").degraded
    slow.store.slow = {}
    whole = slow.mind.context("고양이")

    assert whole.degraded == ()
    assert eventually(lambda: slow.store.lent == 0), "the late call never let go of its view"
    assert slow.mind.context("고양이") == whole
    slow.mind.observe("나 이제 고양이 싫어해", at=day(3))
    known = [(fact.attribute, fact.value) for fact in slow.mind.facts()]
    assert known == [("allergy", "땅콩"), ("dislikes", "고양이")]


def test_a_bank_closes_while_a_late_call_is_under_way(slow: Slow) -> None:
    slow.store.slow = {"occurrences": 1.0}
    slow.mind.recall("고양이")
    slow.bank.close()

    assert eventually(lambda: slow.store.lent == 0)


def test_a_source_that_hangs_for_good_does_not_collect_threads(slow: Slow) -> None:
    slow.mind.recall("고양이")
    before = threading.active_count()
    slow.embedder.seconds = LONG
    slow.store.slow = {"nearness": LONG}
    for number in range(12):
        slow.mind.recall(f"고양이 {number}")

    assert threading.active_count() - before <= 8


def test_an_error_in_a_source_is_raised_where_it_was_asked_for() -> None:
    def broken() -> None:
        raise BankClosed

    with pytest.raises(BankClosed):
        TimeLimit(1.0).call(broken, Running("dense"))


def test_every_source_of_one_piece_of_work_has_its_own_time() -> None:
    running = Running()

    def work() -> str:
        for source in ("dense", "keyword", "topic"):
            running.now = (source, time.monotonic())
            time.sleep(0.2)
        return "done"

    assert TimeLimit(5.0).call(work, running) == "done"
    with pytest.raises(SourceLate, match="embedder"):
        TimeLimit(0.01).call(lambda: time.sleep(LONG), Running("embedder"))


def test_several_slow_searches_are_cut_one_after_the_other(slow: Slow) -> None:
    slow.store.slow = {"nearness": LONG, "occurrences": LONG, "tagged": LONG}
    context = slow.mind.context("고양이")

    assert [named.split()[0] for named in context.degraded] == ["dense", "keyword", "topic"]
    assert "땅콩" in context.text


def test_a_recall_without_a_source_says_so_in_the_log(slow: Slow, caplog: pytest.LogCaptureFixture) -> None:
    slow.store.slow = {"nearness": LONG}
    with caplog.at_level(logging.WARNING):
        hits = slow.mind.recall("고양이")

    assert hits[0].text == "고양이를 좋아함"
    assert hits[0].parts.relevance == 0
    assert "dense search is off" in caplog.text


class Watching:
    """Notes what it is told."""

    def __init__(self) -> None:
        self.times: dict[tuple[str, str], float] = {}
        self.counts: list[tuple[Any, ...]] = []

    def took(self, what: str, part: str, seconds: float) -> None:
        self.times[what, part] = seconds

    def counted(self, what: str, part: str, by: float = 1.0) -> None:
        self.counts.append((what, part, by))


def test_a_recall_and_a_context_tell_their_times_what_they_found_and_their_troubles(
    open_mind: Callable[..., gieok.Mind],
) -> None:
    watching = Watching()
    mind = told(open_mind(embedder=BrokenEncoder(), watch=watching))
    watching.times.clear()
    watching.counts.clear()
    hits = mind.recall("고양이", k=2)

    assert watching.times.keys() == {("recall", name) for name in ("question", "layout", "topic", "keyword", "whole")}
    assert 0 < watching.times["recall", "question"] < watching.times["recall", "whole"] < 60
    assert watching.counts == [("hits", "recall", len(hits)), ("degraded", "dense", 1.0)]
    watching.counts.clear()
    context = mind.context("고양이")

    assert dict(context.took) == {name: each for (what, name), each in watching.times.items() if what == "context"}
    tokens = [("tokens", block.name, block.tokens) for block in context.blocks]
    assert watching.counts == [*tokens, ("hits", "context", len(context.hits)), ("degraded", "dense", 1.0)]
