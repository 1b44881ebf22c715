"""Embeddings by an OpenAI-compatible endpoint: OpenAI, Gemini, Ollama, vLLM, LM Studio.

What was asked lately is known, and what somebody is asking just now is waited for: a text costs one call.
"""

from __future__ import annotations

import base64
import json
import logging
import os
import re
import time
import weakref
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from datetime import UTC, datetime
from random import Random
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from gieok.errors import EmbedderFailed, InvalidSetting
from gieok.ports.endpoints import PROVIDERS, Endpoint, endpoint, login_in, new_client, retry_after, shared_cooldown

if TYPE_CHECKING:
    from openai import OpenAI


_DICE: Final = Random()  # its own: those of the program that uses this are not thrown
_CONNECT: Final = 5.0  #: seconds until a host that says nothing at all is given up
_FIRST_WAIT: Final = 0.25  #: seconds before the first retry, more or less
_LARGEST: Final = 64 * 1024 * 1024  #: bytes of an answer
_REFUSED: Final = (400, 413, 422)  #: for what was sent
_NAMES: Final = "embedder and embedder_url (it ends in /v1 as a rule)"
_DETAIL: Final = 200  #: characters of what an endpoint says that are told on


class TextRefused(EmbedderFailed):
    """The endpoint does not take what was sent; other texts may do."""


class _MayPass(Exception):
    """Something went wrong that may go right the next time."""


class EmbeddingWire:
    """Asks one endpoint for the vectors of one model. Safe to use from many threads.

    An endpoint that had enough (429), or does not answer, is left alone for a while by everybody in this process.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        model: str,
        *,
        dimensions: int | None = None,
        seconds: float = 30.0,
        retries: int = 2,
        cooldown: float = 60.0,
    ) -> None:
        self._endpoint = endpoint
        self._model = model
        self._dimensions = dimensions  # to be asked for; None: as many as the model has
        self._seconds = seconds  # for everything, with the retries
        self._retries = retries
        self._rest = cooldown
        self._cooldown = shared_cooldown(endpoint.url, model)
        self._lock = Lock()
        self._client: OpenAI | None = None

    def vectors(self, texts: Sequence[str]) -> list[NDArray[np.float32]]:
        """Return a vector for each text, of whatever length. Raises `EmbedderFailed`, also as `TextRefused`."""
        deadline = time.monotonic() + self._seconds
        for tries_left in range(self._retries, -1, -1):
            self._check_rest()
            try:
                answer = _read_vectors(self._asked(texts, deadline), len(texts))
            except _MayPass as trouble:
                wait = _FIRST_WAIT * 2 ** (self._retries - tries_left) * _DICE.uniform(0.5, 1.5)
                if tries_left and time.monotonic() + wait < deadline:
                    time.sleep(wait)
                    continue
                self._cooldown.failed(self._rest, str(trouble))
                raise self.failed(str(trouble)) from trouble
            self._cooldown.answered()
            return answer
        raise AssertionError("the last try returns or raises")

    def client(self) -> OpenAI:
        """Return the client, made at the first call: loading its library takes most of a second."""
        with self._lock:
            if self._client is None:
                self._client = self._new_client()
                weakref.finalize(self, self._client.close)  # for those who never close: no connection outlives its wire
            return self._client

    def failed(self, detail: str) -> EmbedderFailed:
        """Return the error that says `detail` of this endpoint, and no secret."""
        return EmbedderFailed(self._sentence(detail))

    def close(self) -> None:
        with self._lock:
            client, self._client = self._client, None
        if client is not None:
            client.close()

    def _new_client(self) -> OpenAI:
        try:
            import openai  # noqa: F401
        except ImportError as missing:
            raise self.failed('the client is not installed; run: pip install "gieok[llm]"') from missing
        url, login = login_in(self._endpoint.url)
        return new_client(url, self._endpoint.key, login=login)

    def _check_rest(self) -> None:
        if self._endpoint.lacks_key:
            raise self.failed(f"there is no key; set {self._key_names}")
        if left := self._cooldown.left:
            raise self.failed(f"it is left alone for another {left:.1f} s, after this: {self._cooldown.why}")

    def _asked(self, texts: Sequence[str], deadline: float) -> bytes:
        client = self.client()
        import openai

        left = max(deadline - time.monotonic(), 0.01)
        asked: dict[str, Any] = {"model": self._model, "input": list(texts), "encoding_format": "base64"}
        if self._dimensions is not None:
            asked["dimensions"] = self._dimensions
        time_out = openai.Timeout(left, connect=min(left, _CONNECT))
        try:
            with client.embeddings.with_streaming_response.create(**asked, timeout=time_out) as answer:
                return _read_whole(answer.iter_bytes(), deadline)
        except openai.APIStatusError as error:
            raise self._meaning(error) from None  # it says what the endpoint said, which may quote the key
        except openai.APITimeoutError as error:
            raise _MayPass(f"it did not answer within {left:.1f} s; see how busy it is") from error
        except openai.APIConnectionError as error:
            start = PROVIDERS[self._endpoint.provider].start
            raise _MayPass(f"nothing answers there ({error.__cause__ or error}); {start}") from error
        except (_MayPass, EmbedderFailed):
            raise
        except Exception as error:  # the transport's own errors, which the client does not translate
            raise _MayPass(f"the answer broke off ({_said(error)})") from error

    def _meaning(self, error: Any) -> Exception:
        """Return what to raise for an answer that is an error."""
        code, said = error.status_code, self._endpoint.without_secrets(str(error.message))[:_DETAIL]
        if code == 429:
            asked_for = retry_after(error.response.headers.get("retry-after"), datetime.now(UTC))
            resting = self._cooldown.rest(self._rest if asked_for is None else asked_for, "it had enough (429)")
            return self.failed(f"it had enough (429), and is left alone for {resting:.0f} s: {said}")
        if code in _REFUSED:
            return TextRefused(self._sentence(f"it refuses what was sent ({code}); check {_NAMES}: {said}"))
        if code in (408, 409, 425) or code >= 500:
            return _MayPass(f"it is in trouble ({code}), try again later: {said}")
        trouble = f"it answered {code}: {said}"
        if code in (401, 403):
            trouble = f"it does not take the key ({code}); check {self._key_names}: {said}"
        if code == 404:
            trouble = f"it has no such model, or the address is wrong (404); check {_NAMES}: {said}"
        self._cooldown.failed(self._rest, trouble)
        return self.failed(trouble)

    def _sentence(self, detail: str) -> str:
        where = f"embedding model {self._model!r} at {self._endpoint.shown}"
        return self._endpoint.without_secrets(f"{where}: {detail}")

    @property
    def _key_names(self) -> str:
        return " or ".join((*PROVIDERS[self._endpoint.provider].key_variables, "embedder_key"))


def _said(error: Exception) -> str:
    return str(error) or type(error).__name__


def _read_whole(pieces: Iterable[bytes], deadline: float) -> bytes:
    """Return the body; one that drips for ever or has no end is given up."""
    data = bytearray()
    for piece in pieces:
        data += piece
        if len(data) > _LARGEST:
            raise _MayPass(f"the answer is longer than {_LARGEST >> 20} MB")
        if time.monotonic() > deadline:
            raise _MayPass("the answer did not end in time")
    return bytes(data)


def _read_vectors(data: bytes, count: int) -> list[NDArray[np.float32]]:
    """Return the vectors of an answer in the order of the texts."""
    try:
        rows = json.loads(data)["data"]
        vectors = [_vector(row["embedding"]) for row in rows]
        places = _places(rows)
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError) as error:
        raise _MayPass(f"its answer cannot be read ({_said(error)}); check {_NAMES}") from error
    if len(vectors) != count:
        raise _MayPass(f"it gave {len(vectors)} vectors for {count} texts")
    return [vectors[places.index(place)] for place in range(count)]


def _places(rows: Sequence[Mapping[str, Any]]) -> list[int]:
    """Return which text each row is of. Some servers leave out an index of 0, some every index."""
    named = [int(row.get("index") or 0) for row in rows]
    in_turn = list(range(len(rows)))
    if sorted(named) == in_turn:
        return named
    if any(named):
        raise ValueError("its vectors are numbered wrongly")
    return in_turn


def _vector(given: object) -> NDArray[np.float32]:
    if isinstance(given, str):
        vector = np.frombuffer(base64.b64decode(given, validate=True), dtype="<f4").astype(np.float32)
    else:
        with np.errstate(over="ignore"):  # what is too large is found out below
            vector = np.asarray(given, dtype=np.float32)
    if vector.ndim != 1 or not vector.size or not np.isfinite(vector).all():
        raise ValueError("a vector is not a row of finite numbers")
    return vector


Purpose = Literal["query", "document"]

_LETTERS: Final = 2_500  #: of a text; even in the worst script these are fewer than 8,191 tokens


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingModel:
    """What is known of a model. Of one that is not known: nothing but its name."""

    name: str
    dimension: int | None = None
    shortens: bool = False  #: the first numbers of its vectors, as many as one likes, are good vectors as well
    query: str = ""  #: stands before a question
    document: str = ""  #: stands before anything else
    letters: int = _LETTERS  #: of a text that are sent; some read 512 tokens and refuse what is longer
    home: str | None = None  #: whose it is, or who serves it as a rule

    def sent(self, text: str, purpose: Purpose) -> str:
        """Return `text` as the model wants it."""
        return (self.query if purpose == "query" else self.document) + text[: self.letters]


def _e5(name: str, dimension: int) -> EmbeddingModel:
    return EmbeddingModel(
        name=name, dimension=dimension, query="query: ", document="passage: ", letters=400, home="vllm"
    )


_KNOWN: Final = (
    EmbeddingModel(name="text-embedding-3-small", dimension=1536, shortens=True, home="openai"),
    EmbeddingModel(name="text-embedding-3-large", dimension=3072, shortens=True, home="openai"),
    EmbeddingModel(name="text-embedding-ada-002", dimension=1536, home="openai"),
    EmbeddingModel(name="gemini-embedding-001", dimension=3072, shortens=True, home="gemini"),
    EmbeddingModel(name="bge-m3", dimension=1024, home="ollama"),
    EmbeddingModel(name="kure-v1", dimension=1024, home="vllm"),
    EmbeddingModel(
        name="nomic-embed-text", dimension=768, query="search_query: ", document="search_document: ", home="ollama"
    ),
    EmbeddingModel(
        name="embeddinggemma",
        dimension=768,
        query="task: search result | query: ",
        document="title: none | text: ",
        home="ollama",
    ),
    _e5("multilingual-e5-small", 384),
    _e5("multilingual-e5-base", 768),
    _e5("multilingual-e5-large", 1024),
)
KNOWN: Final[Mapping[str, EmbeddingModel]] = {model.name: model for model in _KNOWN}
_E5: Final = re.compile(r"\be5\b")


def model_named(name: str) -> EmbeddingModel:
    """Return what is known of a model, whatever its maker's name before it ("BAAI/bge-m3") or its tag (":latest")."""
    plain = name.rsplit("/", 1)[-1].removesuffix(":latest").lower()
    if plain in KNOWN:
        return KNOWN[plain]
    if _E5.search(plain):
        return EmbeddingModel(name=name, query="query: ", document="passage: ", letters=400)
    return EmbeddingModel(name=name)


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
