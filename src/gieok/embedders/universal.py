"""The default embedder: a small multilingual sentence encoder that runs on numpy.

All banks of a process share one encoder, which serves one caller at a time. A caller that finds it free encodes all
texts that are queued: sixteen callers with a sentence each cost two or three batches.
"""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from itertools import islice
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from gieok.errors import EmbedderFailed, ErrorText
from gieok.ports.blas import use_one_thread

_Vector = NDArray[np.float32]

_DIMENSION = 512
# A question is embedded for the context and again with its turn, when the model has replied: under load, hundreds of
# texts are embedded in between. They take 4 kB each.
_REMEMBERED = 1024
# A caller must not encode the texts of others for seconds.
_LARGEST_BATCH = 64
# Its tokenizer holds the GIL: 0.1 s for these, half a second for 8,000.
_READ = 2_000
_SURROGATE = re.compile(r"[\ud800-\udfff]")


class UniversalEncoder:
    """Universal Sentence Encoder, multilingual: 512 dimensions, 16 languages, about 2 ms a sentence.

    Safe to call from many threads. The model loads at the first use or at `warm()`.
    Of a very long text the first 2,000 characters count.
    """

    name = "use-m3-512"
    dimension = _DIMENSION

    def __init__(self) -> None:
        self.cache = True  #: whether its weights are kept in the user's cache folder
        self._encoder: Any = None
        self._condition = threading.Condition()  # guards what follows; not held while encoding
        self._busy = False  # a caller is encoding
        self._waiting: dict[str, Future[_Vector]] = {}
        self._recent: OrderedDict[str, Future[_Vector]] = OrderedDict()

    def embed(self, texts: Sequence[str], *, purpose: Literal["query", "document"]) -> NDArray[np.float32]:
        """Return a row of unit length for each text, all zeros for a blank one.

        A query and a document are encoded alike. Raises `EmbedderFailed`.
        """
        rows = np.zeros((len(texts), _DIMENSION), dtype=np.float32)
        # In slices, so that a caller with thousands of texts does not block the others.
        for start in range(0, len(texts), _LARGEST_BATCH):
            answers: dict[int, Future[_Vector]] = {}
            with self._condition:
                for i, text in enumerate(texts[start : start + _LARGEST_BATCH], start):
                    if not text.strip():
                        continue
                    read = _SURROGATE.sub("\ufffd", text[:_READ])
                    if read in self._recent:
                        self._recent.move_to_end(read)
                        answers[i] = self._recent[read]
                    else:
                        answers[i] = self._waiting.setdefault(read, Future())
            for i, answer in answers.items():
                self._wait_for(answer)
                trouble = answer.exception()
                if trouble is not None:
                    raise EmbedderFailed(ErrorText("embedder.encoder_failed", result=trouble)) from trouble
                rows[i] = answer.result()
        return rows

    def warm(self) -> None:
        """Load the model now, if it is not loaded yet. Raises `EmbedderFailed`."""
        self.embed(["기억"], purpose="query")

    def _wait_for(self, answer: Future[_Vector]) -> None:
        """Wait until `answer` is there; whenever the encoder is free, encode what is queued."""
        while True:
            with self._condition:
                while self._busy and not answer.done():
                    self._condition.wait()
                if answer.done():
                    return
                self._busy = True
                batch = dict(islice(self._waiting.items(), _LARGEST_BATCH))
            try:
                self._encode(batch)
            finally:
                with self._condition:
                    self._busy = False
                    self._condition.notify_all()

    def _encode(self, batch: Mapping[str, Future[_Vector]]) -> None:
        """Give every answer of `batch` its vector or its error; one bad text does not fail the others."""
        vectors: NDArray[np.float32] | None = None
        trouble: Exception | None = None
        try:
            if self._encoder is None:
                self._encoder = self._load()
            vectors = np.asarray(self._encoder.encode(list(batch)), dtype=np.float32)
            if not np.isfinite(vectors).all():
                raise ValueError("the encoder returned numbers that are not finite")
        except Exception as error:  # noqa: BLE001 - whatever the library raises, no caller may be left waiting
            if len(batch) > 1 and self._encoder is not None:
                for text, answer in batch.items():
                    self._encode({text: answer})
                return
            trouble = error
        with self._condition:
            for place, (text, answer) in enumerate(batch.items()):
                self._waiting.pop(text, None)
                if vectors is None or trouble is not None:
                    answer.set_exception(trouble)
                else:
                    answer.set_result(vectors[place].copy())
                    self._recent[text] = answer
            while len(self._recent) > _REMEMBERED:
                self._recent.popitem(last=False)

    def _load(self) -> Any:
        from gieok.embedders.fast_load import load

        use_one_thread()
        return load(cache=self.cache)
