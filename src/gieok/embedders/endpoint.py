"""Embeddings by an OpenAI-compatible endpoint: OpenAI, Gemini, Ollama, vLLM, LM Studio.

What was asked lately is known, and what somebody is asking just now is waited for: a text costs one call.
"""

from __future__ import annotations

import logging
import os
import re
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from threading import Lock
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from gieok.embedders.models import KNOWN, EmbeddingModel, model_named
from gieok.embedders.wire import EmbeddingWire, TextRefused
from gieok.errors import EmbedderFailed, InvalidSetting
from gieok.ports.endpoints import PROVIDERS, Endpoint, endpoint

_ENTRY: Final = 300  #: bytes that an entry costs beside its text and its numbers
log = logging.getLogger(__name__)
_Vector = NDArray[np.float32]
_MOST_TEXTS: Final = 96  #: of one call; Gemini takes 100, OpenAI 2,048
_MOST_TOKENS: Final = 8_000  #: of one call, about
_CACHED: Final = 32 * 1024 * 1024  #: bytes; 5,000 vectors of 1,536 numbers
_PROBE: Final = "기억"
_SURROGATE: Final = re.compile(r"[\ud800-\udfff]")
_NAMED: Final = re.compile(rf"({'|'.join(PROVIDERS)}):([^@\s]+)(?:@([1-9][0-9]{{0,4}}))?")
_RECORDED: Final = re.compile(r"(.+)-([1-9][0-9]{0,4})")


class VectorCache:
    """The vectors used last, by the text they are of. Whoever shares it holds a lock."""

    def __init__(self, most_bytes: int) -> None:
        self._most = most_bytes
        self._held: OrderedDict[str, NDArray[np.float32]] = OrderedDict()
        self.size = 0  #: bytes, about

    def get(self, text: str) -> NDArray[np.float32] | None:
        vector = self._held.get(text)
        if vector is not None:
            self._held.move_to_end(text)
        return vector

    def put(self, text: str, vector: NDArray[np.float32]) -> None:
        if text in self._held:
            self.size -= _size(text, self._held.pop(text))
        self._held[text] = vector
        self.size += _size(text, vector)
        while self.size > self._most:
            self.size -= _size(*self._held.popitem(last=False))


def _size(text: str, vector: NDArray[np.float32]) -> int:
    return 2 * len(text) + vector.nbytes + _ENTRY


class EndpointEmbedder:
    """A model behind an OpenAI-compatible endpoint. Safe to call from many threads.

    Of a very long text the first part counts. Nothing is sent before the first text is to be embedded.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        model: str,
        dimension: int,
        *,
        seconds: float = 30.0,
        retries: int = 2,
        cooldown: float = 60.0,
        cache_bytes: int = _CACHED,
    ) -> None:
        """Take at most `seconds` over a call with its `retries`; rest for `cooldown` seconds after a 429."""
        self._model = model_named(model)
        self.dimension = dimension
        self.name = f"{self._model.name}-{dimension}"  #: without the provider: whoever serves it, the vectors fit
        shorter = self._model.shortens and dimension != self._model.dimension
        self._wire = EmbeddingWire(
            endpoint,
            model,
            dimensions=dimension if shorter else None,
            seconds=seconds,
            retries=retries,
            cooldown=cooldown,
        )
        self._lock = Lock()  # guards what follows; never held during a call
        self._cache = VectorCache(cache_bytes)
        self._under_way: dict[str, Future[_Vector]] = {}

    def embed(self, texts: Sequence[str], *, purpose: Literal["query", "document"]) -> NDArray[np.float32]:
        """Return a row of unit length for each text, all zeros for a blank one. Raises `EmbedderFailed`."""
        sent = [self._model.sent(_SURROGATE.sub("\ufffd", text), purpose) if text.strip() else "" for text in texts]
        found = self._found(dict.fromkeys(text for text in sent if text))
        rows = np.zeros((len(sent), self.dimension), dtype=np.float32)
        for row, text in zip(rows, sent, strict=True):
            if text:
                row[:] = found[text]
        return rows

    def warm(self) -> None:
        """Load the client. The endpoint is not asked: it may be away just now, and come back."""
        self._wire.client()

    def close(self) -> None:
        """Hang up. A later call opens a new connection."""
        self._wire.close()

    def _found(self, texts: Iterable[str]) -> dict[str, _Vector]:
        """Return the vectors of `texts`: known, on their way to another caller, or asked for now."""
        found: dict[str, _Vector] = {}
        joined: dict[str, Future[_Vector]] = {}
        mine: dict[str, Future[_Vector]] = {}
        with self._lock:
            for text in texts:
                known = self._cache.get(text)
                if known is not None:
                    found[text] = known
                elif text in self._under_way:
                    joined[text] = self._under_way[text]
                else:
                    mine[text] = self._under_way[text] = Future()
        self._settle(mine)
        for text, answer in (mine | joined).items():
            trouble = answer.exception()
            if trouble is not None:
                raise EmbedderFailed(str(trouble)) from trouble
            found[text] = answer.result()
        return found

    def _settle(self, answers: Mapping[str, Future[_Vector]]) -> None:
        """Give every answer its vector, or what kept it from getting one: nobody is left waiting."""
        trouble: BaseException = EmbedderFailed("the call was broken off; ask again")
        try:
            for batch in _batches(answers):
                self._publish(answers, dict(zip(batch, self._asked(batch), strict=True)))
        except EmbedderFailed as error:
            trouble = error
        finally:
            with self._lock:
                for text, answer in answers.items():
                    self._under_way.pop(text, None)
                    if not answer.done():
                        answer.set_exception(trouble)

    def _publish(self, answers: Mapping[str, Future[_Vector]], vectors: Mapping[str, _Vector]) -> None:
        with self._lock:
            for text, vector in vectors.items():
                self._cache.put(text, vector)
                self._under_way.pop(text, None)
                answers[text].set_result(vector)

    def _asked(self, batch: Sequence[str]) -> list[_Vector]:
        """Ask for a batch. What the endpoint does not take is cut out of it, and has a vector of zeros.

        Otherwise one such text would keep all that are embedded with it from their vectors, for ever.
        """
        try:
            return [self._fit(vector) for vector in self._wire.vectors(batch)]
        except TextRefused as refusal:
            if len(batch) > 1:
                half = len(batch) // 2
                return [*self._asked(batch[:half]), *self._asked(batch[half:])]
            self._wire.vectors([_PROBE])  # raises when it takes nothing at all: then it is not for the text
            log.warning("a text of %d characters stays without a vector: %s", len(batch[0]), refusal)
            return [np.zeros(self.dimension, dtype=np.float32)]

    def _fit(self, vector: _Vector) -> _Vector:
        """Return `vector` at length 1, and shortened if the model allows it and the endpoint has not done it."""
        if len(vector) > self.dimension and self._model.shortens:
            vector = vector[: self.dimension]
        if len(vector) != self.dimension:
            raise self._wire.failed(
                f"it gave {len(vector)} numbers where {self.dimension} are wanted; "
                f'put the right dimension behind its name in embedder: "…@{len(vector)}"'
            )
        length = float(np.linalg.norm(vector.astype(np.float64)))
        return (vector / length).astype(np.float32) if length else vector


def named(name: str, *, url: str | None = None, key: str | None = None) -> EndpointEmbedder | None:
    """Return the embedder of "provider:model" or "provider:model@dimension"; None: the name is none of these.

    Also of the name that a bank records ("bge-m3-1024") where the model is known. A model that is not known, named
    without its dimension, is asked for one vector; that raises `EmbedderFailed` if the endpoint is not there.
    """
    match = _NAMED.fullmatch(name)
    if match is None:
        return _recorded(name, url=url, key=key)
    provider, model, given = match.groups()
    called = endpoint(provider, url=url, key=key, environment=os.environ)
    dimension = _dimension(model_named(model), int(given) if given else None, name)
    return EndpointEmbedder(called, model, dimension or _found_out(called, model, name))


def hint(name: str) -> str:
    """Return what to add to the complaint that `name` names no embedder."""
    recorded = _RECORDED.fullmatch(name)
    if recorded is None or name.partition(":")[0] in PROVIDERS:
        return ""
    model, dimension = recorded.groups()
    return f' (if a bank names it so, put its provider before it: "ollama:{model}@{dimension}")'


def _recorded(name: str, *, url: str | None, key: str | None) -> EndpointEmbedder | None:
    match = _RECORDED.fullmatch(name)
    known = KNOWN.get(match[1]) if match else None
    if match is None or known is None or known.home is None:
        return None
    dimension = _dimension(known, int(match[2]), name)
    assert dimension is not None, "it is given"
    return EndpointEmbedder(endpoint(known.home, url=url, key=key, environment=os.environ), known.name, dimension)


def _dimension(model: EmbeddingModel, given: int | None, name: str) -> int | None:
    if given is None or model.dimension is None or given == model.dimension:
        return given or model.dimension
    if not model.shortens or given > model.dimension:
        raise InvalidSetting(f"embedder {name!r}: {model.name} has vectors of {model.dimension} numbers, not {given}")
    return given


def _found_out(called: Endpoint, model: str, name: str) -> int:
    """Ask for one vector, and see how long it is."""
    wire = EmbeddingWire(called, model)
    try:
        return len(wire.vectors([_PROBE])[0])
    except EmbedderFailed as trouble:
        raise EmbedderFailed(
            f'{trouble}; its dimension is not known: to go on without asking, say it: "{name}@<dimension>"'
        ) from trouble
    finally:
        wire.close()


def _batches(texts: Iterable[str]) -> Iterator[list[str]]:
    """Yield `texts` in batches that one call can hold."""
    batch: list[str] = []
    held = 0
    for text in texts:
        tokens = len(text.encode()) // 2 + 1  # too many for most scripts, and about right for Korean
        if batch and (len(batch) == _MOST_TEXTS or held + tokens > _MOST_TOKENS):
            yield batch
            batch, held = [], 0
        batch.append(text)
        held += tokens
    if batch:
        yield batch
