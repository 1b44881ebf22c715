"""Embeddings by an OpenAI-compatible endpoint: OpenAI, Gemini, Ollama, vLLM, LM Studio.

Recent vectors are cached, and callers who ask for the same text at once share one request.
"""

from __future__ import annotations

import base64
import json
import logging
import os
import re
import time
import tomllib
import weakref
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache, partial
from importlib.resources import files
from random import Random
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from gieok.errors import EmbedderFailed, ErrorText, InvalidSetting
from gieok.ports.endpoints import (
    PROVIDERS,
    Endpoint,
    ErrorStatus,
    endpoint,
    login_in,
    new_client,
    raise_for_error,
    retry_after,
    shared_cooldown,
    without_secrets,
)

if TYPE_CHECKING:
    from openai import OpenAI


_RANDOM: Final = Random()  # its own, so that the program's random numbers stay as they are
_CONNECT: Final = 5.0  #: seconds to connect
_FIRST_WAIT: Final = 0.25  #: seconds before the first retry, with jitter
_LARGEST: Final = 64 * 1024 * 1024  #: bytes of an answer
_REFUSED: Final = (400, 413, 422)  #: status codes that refuse the texts
_NAMES: Final = "embedder and embedder_url (it ends in /v1 as a rule)"
_DETAIL: Final = 200  #: characters of what an endpoint says that are passed on


class TextRefused(EmbedderFailed):
    """The endpoint refuses the texts of a request; it may accept others."""


class _Retryable(Exception):
    """A failure that may pass."""


@dataclass(eq=False)
class EmbeddingClient:
    """Asks one endpoint for the vectors of one model. Safe to use from many threads.

    After a 429, or if it does not answer, no caller of this process asks the endpoint for a while.
    """

    endpoint: Endpoint
    model: str
    dimensions: int | None = None  #: to ask for; None: as many as the model has
    seconds: float = 30.0  #: for all tries together
    retries: int = 2
    cooldown: float = 60.0
    _lock: Lock = field(default_factory=Lock)
    _openai: OpenAI | None = None

    def __post_init__(self) -> None:
        self._cooldown = shared_cooldown(self.endpoint.url, self.model)

    def vectors(self, texts: Sequence[str]) -> list[NDArray[np.float32]]:
        """Return a vector for each text, of whatever length. Raises `EmbedderFailed`, also as `TextRefused`."""
        self._check_rest()
        self.openai()  # before the time counts: loading the client takes a second, or several on a busy machine
        deadline = time.monotonic() + self.seconds
        for tries_left in range(self.retries, -1, -1):
            self._check_rest()
            try:
                answer = _read_vectors(self._asked(texts, deadline), len(texts))
            except _Retryable as trouble:
                wait = _FIRST_WAIT * 2 ** (self.retries - tries_left) * _RANDOM.uniform(0.5, 1.5)
                if tries_left and time.monotonic() + wait < deadline:
                    time.sleep(wait)
                    continue
                self._cooldown.failed(self.cooldown, str(trouble))
                raise self.failed(str(trouble)) from trouble
            self._cooldown.answered()
            return answer
        raise AssertionError("the last try returns or raises")

    def openai(self) -> OpenAI:
        """Return the client, made at the first call, which takes most of a second."""
        with self._lock:
            if self._openai is None:
                try:
                    import openai  # noqa: F401  # only whether it is installed
                except ImportError as missing:
                    raise self.failed('the client is not installed; run: pip install "gieok[llm]"') from missing
                url, login = login_in(self.endpoint.url)
                hooks = {"response": [partial(raise_for_error, seconds=self.seconds)]}
                self._openai = new_client(url, self.endpoint.key, login=login, event_hooks=hooks)
                weakref.finalize(self, self._openai.close)  # for callers who never close it
            return self._openai

    def failed(self, detail: str) -> EmbedderFailed:
        """Return an error about this endpoint, without secrets."""
        return EmbedderFailed(self._sentence(detail))

    def close(self) -> None:
        with self._lock:
            client, self._openai = self._openai, None
        if client is not None:
            client.close()

    def _check_rest(self) -> None:
        if self.endpoint.lacks_key:
            raise self.failed(f"there is no key; set {self._key_names}")
        if left := self._cooldown.left:
            raise self.failed(f"it is not asked for another {left:.1f} s, because: {self._cooldown.why}")

    def _asked(self, texts: Sequence[str], deadline: float) -> bytes:
        client = self.openai()
        import openai

        left = max(deadline - time.monotonic(), 0.01)
        asked: dict[str, Any] = {"model": self.model, "input": list(texts), "encoding_format": "base64"}
        if self.dimensions is not None:
            asked["dimensions"] = self.dimensions
        time_out = openai.Timeout(left, connect=min(left, _CONNECT))
        try:
            with client.embeddings.with_streaming_response.create(**asked, timeout=time_out) as answer:
                data = bytearray()
                for piece in answer.iter_bytes():
                    data += piece
                    if len(data) > _LARGEST:
                        raise _Retryable(f"the answer is longer than {_LARGEST >> 20} MB")
                    if time.monotonic() > deadline:
                        raise _Retryable("the answer did not end in time")
                return bytes(data)
        except ErrorStatus as error:
            raise self._meaning(error) from None  # its message may quote the key
        except openai.APITimeoutError as error:
            raise _Retryable(f"it did not answer within {left:.1f} s; see how busy it is") from error
        except openai.APIConnectionError as error:
            start = PROVIDERS[self.endpoint.provider].start
            raise _Retryable(f"nothing answers there ({error.__cause__ or error}); {start}") from error
        except (_Retryable, EmbedderFailed):
            raise
        except Exception as error:  # the transport's own errors, which the client does not translate
            raise _Retryable(f"the answer broke off ({_said(error)})") from error

    def _meaning(self, error: ErrorStatus) -> Exception:
        code, said = error.code, without_secrets(error.detail, self.endpoint.key)[:_DETAIL]
        if code == 429:
            asked_for = retry_after(error.retry_after, datetime.now(UTC))
            resting = self._cooldown.rest(self.cooldown if asked_for is None else asked_for, "it is rate limited (429)")
            return self.failed(f"it is rate limited (429), and is not asked for {resting:.0f} s: {said}")
        if code in _REFUSED:
            return TextRefused(self._sentence(f"it refuses what was sent ({code}); check {_NAMES}: {said}"))
        if code in (408, 409, 425) or code >= 500:
            return _Retryable(f"it has an error ({code}), try again later: {said}")
        trouble = f"it answered {code}: {said}"
        if code in (401, 403):
            trouble = f"it does not take the key ({code}); check {self._key_names}: {said}"
        if code == 404:
            trouble = f"it has no such model, or the address is wrong (404); check {_NAMES}: {said}"
        self._cooldown.failed(self.cooldown, trouble)
        return self.failed(trouble)

    def _sentence(self, detail: str) -> str:
        where = f"embedding model {self.model!r} at {self.endpoint.shown}"
        return without_secrets(f"{where}: {detail}", self.endpoint.key)

    @property
    def _key_names(self) -> str:
        return " or ".join((*PROVIDERS[self.endpoint.provider].key_variables, "embedder_key"))


def _said(error: Exception) -> str:
    return str(error) or type(error).__name__


def _read_vectors(data: bytes, count: int) -> list[NDArray[np.float32]]:
    try:
        rows = json.loads(data)["data"]
        vectors = [_vector(row["embedding"]) for row in rows]
        named, in_turn = [int(row.get("index") or 0) for row in rows], list(range(len(rows)))
        if any(named) and sorted(named) != in_turn:
            raise ValueError("its vectors have wrong indices")
        places = named if any(named) else in_turn  # some servers omit an index of 0, some every index
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError) as error:
        raise _Retryable(f"its answer cannot be read ({_said(error)}); check {_NAMES}") from error
    if len(vectors) != count:
        raise _Retryable(f"it returned {len(vectors)} vectors for {count} texts")
    return [vectors[places.index(place)] for place in range(count)]


def _vector(given: object) -> NDArray[np.float32]:
    if isinstance(given, str):
        vector = np.frombuffer(base64.b64decode(given, validate=True), dtype="<f4").astype(np.float32)
    else:
        with np.errstate(over="ignore"):  # what is too large is found below
            vector = np.asarray(given, dtype=np.float32)
    if vector.ndim != 1 or not vector.size or not np.isfinite(vector).all():
        raise ValueError("a vector is not a row of finite numbers")
    return vector


Purpose = Literal["query", "document"]

_LETTERS: Final = 2_500  #: of a text; fewer than 8,191 tokens in any script


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingModel:
    """What is known of a model; of an unknown one only its name."""

    name: str
    dimension: int | None = None
    shortens: bool = False  #: the beginning of a vector, of any length, is a good vector as well
    query: str = ""  #: put before a question
    document: str = ""  #: put before any other text
    letters: int = _LETTERS  #: of a text that are sent; some models refuse more than 512 tokens
    home: str | None = None  #: the usual provider

    def sent(self, text: str, purpose: Purpose) -> str:
        return (self.query if purpose == "query" else self.document) + text[: self.letters]


@cache
def known_models() -> Mapping[str, EmbeddingModel]:
    """Return the models whose properties are known, by name."""
    text = files("gieok.embedders").joinpath("models.toml").read_text(encoding="utf-8")
    return {name: EmbeddingModel(name=name, **known) for name, known in tomllib.loads(text).items()}


_E5: Final = re.compile(r"\be5\b")


def model_named(name: str) -> EmbeddingModel:
    """Return what is known of a model, also with a maker ("BAAI/bge-m3") or a tag (":latest") in its name."""
    plain = name.rsplit("/", 1)[-1].removesuffix(":latest").lower()
    if plain in known_models():
        return known_models()[plain]
    if _E5.search(plain):
        return EmbeddingModel(name=name, query="query: ", document="passage: ", letters=400)
    return EmbeddingModel(name=name)


_ENTRY: Final = 300  #: bytes of an entry beside its text and its numbers
log = logging.getLogger(__name__)
_Vector = NDArray[np.float32]
_MOST_TEXTS: Final = 96  #: of one call; Gemini takes 100, OpenAI 2,048
_MOST_TOKENS: Final = 8_000  #: of one call, about
_CACHED: Final = 32 * 1024 * 1024  #: bytes; 5,000 vectors of 1,536 numbers
_PROBE: Final = "기억"
_SURROGATE: Final = re.compile(r"[\ud800-\udfff]")
_NAMED: Final = re.compile(rf"({'|'.join(PROVIDERS)}):([^@\s]+)(?:@([1-9][0-9]{{0,4}}))?")
_RECORDED: Final = re.compile(r"(.+)-([1-9][0-9]{0,4})")


class EndpointEmbedder:
    """A model behind an OpenAI-compatible endpoint. Safe to call from many threads.

    Only the beginning of a very long text is embedded. Nothing is sent before the first call.
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
        self.name = f"{self._model.name}-{dimension}"  #: without the provider: its vectors are the same everywhere
        shorter = self._model.shortens and dimension != self._model.dimension
        self._client = EmbeddingClient(
            endpoint,
            model,
            dimensions=dimension if shorter else None,
            seconds=seconds,
            retries=retries,
            cooldown=cooldown,
        )
        self._lock = Lock()  # guards what follows; never held during a call
        self._cached: OrderedDict[str, _Vector] = OrderedDict()  # those used last, the latest at the end
        self._cached_bytes = 0  # about
        self._most_bytes = cache_bytes
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
        """Load the client. The endpoint is not asked: it may be down just now."""
        self._client.openai()

    def close(self) -> None:
        """Close the connections. A later call opens new ones."""
        self._client.close()

    def _found(self, texts: Iterable[str]) -> dict[str, _Vector]:
        """Return the vectors of `texts`: cached, requested by another caller, or requested now."""
        found: dict[str, _Vector] = {}
        joined: dict[str, Future[_Vector]] = {}
        mine: dict[str, Future[_Vector]] = {}
        with self._lock:
            for text in texts:
                if text in self._cached:
                    self._cached.move_to_end(text)
                    found[text] = self._cached[text]
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
        """Give every answer a vector or an error, so that nobody is left waiting."""
        trouble: BaseException = EmbedderFailed(ErrorText("embedder.broken_off"))
        try:
            for batch in _batches(answers):
                vectors = self._asked(batch)
                with self._lock:
                    for text, vector in zip(batch, vectors, strict=True):
                        self._cache(text, vector)
                        self._under_way.pop(text, None)
                        answers[text].set_result(vector)
        except EmbedderFailed as error:
            trouble = error
        finally:
            with self._lock:
                for text, answer in answers.items():
                    self._under_way.pop(text, None)
                    if not answer.done():
                        answer.set_exception(trouble)

    def _cache(self, text: str, vector: _Vector) -> None:
        self._cached[text] = vector
        self._cached_bytes += 2 * len(text) + vector.nbytes + _ENTRY
        while self._cached_bytes > self._most_bytes:
            text, vector = self._cached.popitem(last=False)
            self._cached_bytes -= 2 * len(text) + vector.nbytes + _ENTRY

    def _asked(self, batch: Sequence[str]) -> list[_Vector]:
        """Ask for a batch. A text that the endpoint refuses gets a vector of zeros, and does not fail the others."""
        try:
            return [self._fit(vector) for vector in self._client.vectors(batch)]
        except TextRefused as refusal:
            if len(batch) > 1:
                half = len(batch) // 2
                return [*self._asked(batch[:half]), *self._asked(batch[half:])]
            self._client.vectors([_PROBE])  # raises if it refuses everything: then it is not because of the text
            log.warning("a text of %d characters stays without a vector: %s", len(batch[0]), refusal)
            return [np.zeros(self.dimension, dtype=np.float32)]

    def _fit(self, vector: _Vector) -> _Vector:
        """Return `vector` at length 1, shortened if the model allows it and the endpoint has not done so."""
        if len(vector) > self.dimension and self._model.shortens:
            vector = vector[: self.dimension]
        if len(vector) != self.dimension:
            raise self._client.failed(
                f"it returned {len(vector)} numbers instead of {self.dimension}; "
                f'put the right dimension behind its name in embedder: "…@{len(vector)}"'
            )
        length = float(np.linalg.norm(vector.astype(np.float64)))
        return (vector / length).astype(np.float32) if length else vector


def named(name: str, *, url: str | None = None, key: str | None = None) -> EndpointEmbedder | None:
    """Return the embedder of "provider:model" or "provider:model@dimension"; None: the name is none of these.

    Also of the name that a bank records ("bge-m3-1024") where the model is known. A model that is not known, named
    without its dimension, is asked for one vector; that raises `EmbedderFailed` if the endpoint is not there.
    """
    match, recorded = _NAMED.fullmatch(name), _RECORDED.fullmatch(name)
    if match is not None:
        provider, model, given = match.groups()
        called = endpoint(provider, url=url, key=key, environment=os.environ)
        dimension = _dimension(model_named(model), int(given) if given else None, name)
        return EndpointEmbedder(called, model, dimension or _asked_dimension(called, model, name))
    known = known_models().get(recorded[1]) if recorded else None
    if recorded is None or known is None or known.home is None:
        return None
    dimension = _dimension(known, int(recorded[2]), name)
    assert dimension is not None, "it is given"
    return EndpointEmbedder(endpoint(known.home, url=url, key=key, environment=os.environ), known.name, dimension)


def hint(name: str) -> str:
    recorded = _RECORDED.fullmatch(name)
    if recorded is None or name.partition(":")[0] in PROVIDERS:
        return ""
    model, dimension = recorded.groups()
    return ErrorText("hint.provider", model=model, dimension=dimension)


def _dimension(model: EmbeddingModel, given: int | None, name: str) -> int | None:
    if given is None or model.dimension is None or given == model.dimension:
        return given or model.dimension
    if not model.shortens or given > model.dimension:
        raise InvalidSetting(
            ErrorText("embedder.dimension", name=name, model=model.name, dimension=model.dimension, given=given)
        )
    return given


def _asked_dimension(called: Endpoint, model: str, name: str) -> int:
    client = EmbeddingClient(called, model)
    try:
        return len(client.vectors([_PROBE])[0])
    except EmbedderFailed as trouble:
        raise EmbedderFailed(ErrorText("embedder.no_dimension", trouble=trouble, name=name)) from trouble
    finally:
        client.close()


def _batches(texts: Iterable[str]) -> Iterator[list[str]]:
    """Yield `texts` in batches that fit into one call."""
    batch: list[str] = []
    held = 0
    for text in texts:
        tokens = len(text.encode()) // 2 + 1  # about right for Korean, too many for most scripts
        if batch and (len(batch) == _MOST_TEXTS or held + tokens > _MOST_TOKENS):
            yield batch
            batch, held = [], 0
        batch.append(text)
        held += tokens
    if batch:
        yield batch
