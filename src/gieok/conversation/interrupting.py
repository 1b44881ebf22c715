"""Work in a thread of its own, for which one can stop waiting; and a model whose reply can be interrupted."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Future
from contextvars import copy_context
from queue import SimpleQueue
from threading import Event, Thread
from typing import TypeVar

from gieok.domain.answer import Message
from gieok.domain.model import Prompt, Task
from gieok.errors import ModelFailed
from gieok.ports import Model

Result = TypeVar("Result")
Answer = TypeVar("Answer")
_News = str | BaseException | None  # None: it is over


def elsewhere(work: Callable[[], Result], *, must_end: bool) -> Future[Result]:
    """Begin `work`; a program that ends waits for what `must_end`, and for nothing else."""
    future: Future[Result] = Future()
    context = copy_context()

    def do() -> None:
        try:
            future.set_result(context.run(work))
        except BaseException as error:  # noqa: BLE001 - it is raised again in the thread that waits
            future.set_exception(error)

    Thread(target=do, name="gieok-talk", daemon=not must_end).start()
    return future


def finished(work: Callable[[], Result]) -> Result:
    """Return what `work` returns. Ctrl-C waits until it is done, and is raised then."""
    try:
        future = elsewhere(work, must_end=True)
    except RuntimeError:  # no thread is to be had, as when the interpreter ends: better here than not at all
        return work()
    try:
        return future.result()
    except KeyboardInterrupt:
        future.exception()
        raise


class Interruptible:
    """Implements `gieok.ports.Model` over another one, for one reply.

    Bits are read in a thread of their own. After `break_off` nothing more is heard: the reply ends as a failure of its
    own kind ("cancelled"), and the thread hangs up as soon as the model lets go.
    """

    def __init__(self, model: Model) -> None:
        self._model = model
        self._heard: SimpleQueue[_News] = SimpleQueue()
        self._gone = Event()

    @property
    def name(self) -> str:
        return self._model.name

    def ask(self, prompt: Prompt[Answer]) -> Answer:
        return self._model.ask(prompt)

    def break_off(self) -> None:
        """Stop listening, from whichever thread."""
        self._gone.set()
        self._heard.put(None)

    def stream(
        self, messages: Sequence[Message], *, task: Task = "reply", most_tokens: int
    ) -> Generator[str, None, None]:
        if not self._gone.is_set():
            elsewhere(lambda: self._read(messages, task, most_tokens), must_end=False)
        try:
            while not self._gone.is_set():
                news = self._heard.get()
                if self._gone.is_set():
                    break
                if news is None:
                    return
                if isinstance(news, BaseException):
                    raise news
                yield news
            raise ModelFailed("cancelled", self.name, "the reply was broken off")
        finally:
            self._gone.set()

    def _read(self, messages: Sequence[Message], task: Task, most_tokens: int) -> None:
        bits = self._model.stream(messages, task=task, most_tokens=most_tokens)
        try:
            for bit in bits:
                if self._gone.is_set():
                    return
                self._heard.put(bit)
        except BaseException as error:  # noqa: BLE001 - it is raised again where the bits are heard
            self._heard.put(error)
        else:
            self._heard.put(None)
        finally:
            bits.close()
