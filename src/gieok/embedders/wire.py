"""One question to an embeddings endpoint: its time-outs, its retries, and what its failures mean for the caller."""

from __future__ import annotations

import base64
import json
import time
import weakref
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from random import Random
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from gieok.errors import EmbedderFailed
from gieok.ports.endpoints import PROVIDERS, Endpoint, login_in, retry_after, shared_cooldown

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
            import openai
        except ImportError as missing:
            raise self.failed('the client is not installed; run: pip install "gieok[llm]"') from missing
        key = self._endpoint.key or "none"  # the client insists on one, and what runs at home asks for none
        url, login = login_in(self._endpoint.url)
        http = openai.DefaultHttpxClient(
            auth=login,
            trust_env=not self._endpoint.here,
            headers={"Accept-Encoding": "identity"},  # a few bytes may unpack to gigabytes
        )
        return openai.OpenAI(base_url=url, api_key=key, max_retries=0, http_client=http)

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
