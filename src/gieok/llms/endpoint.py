"""A chat model behind an OpenAI-compatible endpoint."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final, TypeVar

from gieok.domain.answer import Message
from gieok.errors import ModelFailed
from gieok.llms import answers
from gieok.llms.answers import Aloud, Bit, aloud
from gieok.llms.dialect import Dialect, Wanted
from gieok.llms.failing import PASSING, Refusal, Unusable, translated
from gieok.llms.wire import Arriving, Patience, Wire
from gieok.ports import Completion
from gieok.ports.endpoints import retry_after, shared_cooldown

_SHORTEST: Final = 1.0  #: seconds of a cool-down
_LONGEST: Final = 200_000  #: characters of an answer
Result = TypeVar("Result")


class EndpointLlm:
    """Implements `gieok.ports.Llm` over one endpoint. Nothing is sent before the first question."""

    def __init__(
        self,
        model: str,
        *,
        url: str,
        key: str | None,
        patience: Patience | None = None,
        cooldown: float = 60.0,
        dialect: Dialect | None = None,
    ) -> None:
        self.name = model
        self._patience = patience or Patience()
        self._wire = Wire(url=url, key=key, patience=self._patience)
        self._cooldown = shared_cooldown(url, "chat")
        self._cooldown_seconds = cooldown
        self._dialect = dialect or Dialect()
        self._closed = threading.Event()

    def complete(
        self, messages: Sequence[Message], *, schema: Mapping[str, Any] | None = None, most_tokens: int
    ) -> Completion:
        wanted = Wanted(model=self.name, messages=messages, schema=schema, most_tokens=most_tokens)

        def ask(dialect: Dialect, until: float) -> Completion:
            with (
                translated(self.name, self._wire.without_secrets),
                self._wire.send(dialect.request(wanted), until=until, lasting=until) as arriving,
            ):
                bit = answers.whole(arriving.body())
                return _completion(_said(bit.text), bit)

        return self._persist(ask, wanted)

    def stream(self, messages: Sequence[Message], *, most_tokens: int) -> Generator[str, None, Completion]:
        wanted = Wanted(model=self.name, messages=messages, most_tokens=most_tokens, stream=True)

        def begin(dialect: Dialect, until: float) -> tuple[str, Generator[str, None, Completion]]:
            bits = self._bits(dialect.request(wanted), until)
            return next(bits), bits

        first, rest = self._persist(begin, wanted)
        try:
            yield first
            return (yield from rest)
        finally:
            rest.close()

    def close(self) -> None:
        self._closed.set()
        self._wire.close()

    def _bits(self, body: dict[str, Any], until: float) -> Generator[str, None, Completion]:
        """Yield what is said aloud; there is always something, or it fails."""
        lasting = time.monotonic() + self._patience.stream
        listening, said, counts = Aloud(), "", Bit()
        with (
            translated(self.name, self._wire.without_secrets),
            self._wire.send(body, until=until, lasting=lasting) as arriving,
        ):
            for bit in _arriving_bits(arriving):
                counts = bit if bit.prompt_tokens or bit.answer_tokens else counts
                if text := listening.hear(bit.text):
                    said += text
                    yield text
                if len(said) > _LONGEST:
                    raise Unusable("too_long", f"more than {_LONGEST:,} characters")
            if text := listening.end():
                said += text
                yield text
            return _completion(_said(said), counts)

    def _persist(self, ask: Callable[[Dialect, float], Result], wanted: Wanted) -> Result:
        """Ask until it goes well: again after what may pass, in plainer words after what was not understood."""
        with translated(self.name, self._wire.without_secrets):
            self._wire.ready()
        until = time.monotonic() + self._patience.seconds
        dialect, retries = self._dialect, 0
        while True:
            self._respect_cooldown()
            try:
                result = ask(dialect, until)
            except ModelFailed as failed:
                cause = failed.__cause__
                plainer = _plainer(dialect, wanted, cause)
                if plainer is not None:
                    dialect = plainer
                    continue
                if isinstance(cause, Refusal) and cause.limited:
                    wait = retry_after(cause.retry_after, datetime.now(UTC))
                    self._cooldown.rest(self._cooldown_seconds if wait is None else max(wait, _SHORTEST), str(cause))
                if not self._may_try_again(failed, retries, until):
                    raise
                retries += 1
            else:
                self._dialect = dialect
                return result

    def _may_try_again(self, failed: ModelFailed, retries: int, until: float) -> bool:
        """Wait before the next try; False: there is none."""
        pause = self._patience.pause_before(retries)
        if failed.failure not in PASSING or retries >= self._patience.retries:
            return False
        return time.monotonic() + pause < until and not self._closed.wait(pause)

    def _respect_cooldown(self) -> None:
        left = self._cooldown.left
        if left > 0:
            raise ModelFailed("rate_limited", self.name, f"the endpoint had enough; it is left alone for {left:.0f} s")


def _arriving_bits(arriving: Arriving) -> Iterator[Bit]:
    """Read a stream, also from an endpoint that sends the whole answer at once instead."""
    if arriving.events:
        return answers.events(arriving.pieces)
    return iter((answers.whole(arriving.body()),))


def _said(text: str) -> str:
    said = aloud(text)
    if not said.strip():
        raise Unusable("empty", "it said nothing")
    if len(said) > _LONGEST:
        raise Unusable("too_long", f"more than {_LONGEST:,} characters")
    return said


def _completion(text: str, bit: Bit) -> Completion:
    return Completion(text=text, prompt_tokens=bit.prompt_tokens, answer_tokens=bit.answer_tokens)


def _plainer(dialect: Dialect, wanted: Wanted, cause: BaseException | None) -> Dialect | None:
    if isinstance(cause, Refusal) and cause.about_the_request:
        return dialect.plainer(wanted, cause.detail)
    return None
