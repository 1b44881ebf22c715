"""A model whose every call is counted, and whose answers are typed."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable, Generator, Sequence
from dataclasses import KW_ONLY, dataclass
from datetime import datetime
from typing import Final, TypeVar, cast

from gieok.domain.answer import Failure, Message, ModelCall, Prompt, Task
from gieok.errors import ModelFailed
from gieok.ports import Completion, Llm

Answer = TypeVar("Answer")
log = logging.getLogger(__name__)

_QUOTED: Final = 4_000  #: characters of a broken answer that are quoted back
_REPAIR: Final = """\
That answer cannot be read: {trouble}
Give it again, as JSON of this schema only: no prose, no code fence.
그 답은 읽을 수 없습니다. 설명이나 코드 블록 없이, 이 스키마를 따르는 JSON만 다시 주세요.
{schema}"""


@dataclass(frozen=True, slots=True)
class CountedModel:
    """Implements `gieok.ports.Model` over an `Llm`.

    `record` gets every call, also failed ones; `price` is per prompt token and per answer token.
    """

    llm: Llm
    _: KW_ONLY
    record: Callable[[ModelCall], None]
    now: Callable[[], datetime]
    price: tuple[float, float] = (0.0, 0.0)

    @property
    def name(self) -> str:
        return self.llm.name

    def ask(self, prompt: Prompt[Answer]) -> Answer:
        """Return the typed answer; one that cannot be read is put right once."""
        messages = tuple(prompt.messages)
        for last in (False, True):
            call = _Call(self, prompt.task, messages)
            try:
                call.told = self.llm.complete(messages, schema=prompt.schema, most_tokens=prompt.most_tokens)
            except ModelFailed as failed:
                call.end("", cast("Failure", failed.failure))
                raise
            text = call.told.text
            try:
                answer = prompt.read(text)
            except ValueError as trouble:
                call.end(text, "broken" if last else None)
                if last:
                    raise ModelFailed("broken", self.name, f"{prompt.version}: {trouble}", answer=text) from trouble
                schema = json.dumps(prompt.schema, ensure_ascii=False)
                messages += (
                    Message(role="assistant", content=text[:_QUOTED]),
                    Message(role="user", content=_REPAIR.format(trouble=str(trouble)[:200], schema=schema)),
                )
            else:
                call.end(text)
                return answer
        raise AssertionError("the second answer is read or refused")

    def stream(
        self, messages: Sequence[Message], *, task: Task = "reply", most_tokens: int
    ) -> Generator[str, None, None]:
        call = _Call(self, task, messages)
        said = ""
        bits = self.llm.stream(messages, most_tokens=most_tokens)
        try:
            while True:
                bit = next(bits)
                said += bit
                yield bit
        except StopIteration as end:
            call.told = end.value
            call.end(said)
        except ModelFailed as failed:
            call.end(said, cast("Failure", failed.failure))
            raise
        except (GeneratorExit, KeyboardInterrupt):
            call.end(said, "cancelled")
            raise
        finally:
            bits.close()

    def close(self) -> None:
        self.llm.close()


class _Call:
    """A call in progress; it is recorded when it ends."""

    def __init__(self, model: CountedModel, task: Task, messages: Sequence[Message]) -> None:
        self._model = model
        self._task: Task = task
        self._asked = "\n".join(message.content for message in messages)
        self._at = model.now()
        self._begun = time.perf_counter()
        self.told: Completion | None = None  #: with the tokens that the endpoint counted

    def end(self, said: str, failure: Failure | None = None) -> None:
        told = self.told or Completion(text=said)
        asked = told.prompt_tokens or (_estimated(self._asked) if said else 0)
        answered = told.answer_tokens or _estimated(said)
        prices = self._model.price
        call = ModelCall(
            task=self._task,
            model=self._model.name,
            at=self._at,
            seconds=time.perf_counter() - self._begun,
            prompt_tokens=asked,
            answer_tokens=answered,
            cost=asked * prices[0] + answered * prices[1],
            failure=failure,
        )
        try:
            self._model.record(call)
        except Exception:  # an answer is not lost because its record fails
            log.warning("a call of %s could not be recorded", call.model, exc_info=True)


def _estimated(text: str) -> int:
    """Return about how many tokens `text` has, for endpoints that do not count: a Hangul syllable is three bytes."""
    return -(-len(text.encode("utf-8", "replace")) // 3)
