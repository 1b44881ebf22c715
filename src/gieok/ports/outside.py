"""Interfaces to the outside: clock, embedder, extractor, masker and models.

Every model is optional: without one, rules are used.
"""

from __future__ import annotations

from collections.abc import Collection, Generator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeVar

from gieok.domain.answer import Message, Prompt, Task
from gieok.domain.claim import Claim
from gieok.domain.memory import Background
from gieok.domain.personal import Masked
from gieok.domain.scope import Scope
from gieok.domain.turn import Turn, Utterance
from gieok.errors import EmbedderFailed, ErrorText

if TYPE_CHECKING:
    from gieok.ports.view import Matrix

Answer = TypeVar("Answer")


class Clock(Protocol):
    """A clock. A game can use its own to run a year in seconds."""

    def now(self) -> datetime:
        """Return the current time, with a time zone."""


class Watch(Protocol):
    """Receives counts and durations, for monitoring. Its methods must return at once and never fail."""

    def took(self, what: str, part: str, seconds: float) -> None:
        """Record the duration of a step: ("recall", "dense", 0.002)."""

    def counted(self, what: str, part: str, by: float = 1.0) -> None:
        """Count something: ("decisions", "Remember", 1)."""


class Embedder(Protocol):
    """Converts texts to vectors whose cosine measures similarity of meaning."""

    @property
    def name(self) -> str:
        """The name that is stored in a bank."""

    @property
    def dimension(self) -> int: ...

    def embed(self, texts: Sequence[str], *, purpose: Literal["query", "document"]) -> Matrix:
        """Return one unit vector per text (all zeros for a text without content).

        Raises `EmbedderFailed`.
        """

    def warm(self) -> None:
        """Load what is needed, so that the first call is as fast as later ones.

        The first recall waits for it without a limit; an implementation that uses the network must set a timeout.
        """


def embedded(embedder: Embedder, texts: Sequence[str], purpose: Literal["query", "document"]) -> Matrix:
    """Return the vectors of `texts`; raises `EmbedderFailed`, also for invalid vectors."""
    vectors = embedder.embed(texts, purpose=purpose)
    wanted = (len(texts), embedder.dimension)
    if vectors.shape != wanted or not bool((abs(vectors) < float("inf")).all()):  # also false for NaN
        raise EmbedderFailed(ErrorText("embedder.shape", name=embedder.name, shape=vectors.shape))
    return vectors


class Extractor(Protocol):
    """Extracts claims from a turn.

    It may also have `needs(turn, before) -> Needs`, which requests `background` beyond the user's names and the facts
    that the user mentions, and `prepare(utterances)`, called before many turns are read, one after the other.
    """

    @property
    def name(self) -> str:
        """Name and version, stored with every claim, e.g. "korean/1"."""

    def claims(self, turn: Turn, scope: Scope, before: Sequence[Utterance], background: Background) -> Sequence[Claim]:
        """Return the claims in `turn`; `before` are the preceding utterances, oldest first."""


class Masker(Protocol):
    """Masks personal data before an encoder, index, model or log reads the text."""

    def __call__(self, text: str, consent: Collection[str] = (), beside: str = "") -> Masked:
        """Return `text` masked; kinds that need consent and are in `consent` stay unmasked.

        Personal data found in `beside`, a text said along with it, is also masked in `text`.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """A complete answer of a model."""

    text: str
    prompt_tokens: int = 0
    answer_tokens: int = 0


class Llm(Protocol):
    """A chat model behind an API or in a file. Thread-safe."""

    @property
    def name(self) -> str:
        """The name in the journal and the call log, e.g. "gpt-4o-mini"."""

    def complete(
        self, messages: Sequence[Message], *, schema: Mapping[str, Any] | None = None, most_tokens: int
    ) -> Completion:
        """Return the complete answer, as JSON of `schema` if given and supported. Raises `ModelFailed`."""

    def stream(self, messages: Sequence[Message], *, most_tokens: int) -> Generator[str, None, Completion]:
        """Yield the answer in pieces and return it in full; closing the generator disconnects. Raises `ModelFailed`."""

    def close(self) -> None: ...


class Model(Protocol):
    """A model as services use it: calls are recorded, and answers are typed."""

    @property
    def name(self) -> str: ...

    def ask(self, prompt: Prompt[Answer]) -> Answer:
        """Return the typed answer; the model may repair an invalid one once. Raises `ModelFailed`."""

    def stream(self, messages: Sequence[Message], *, task: Task = "reply", most_tokens: int) -> Generator[str]:
        """Yield an answer in pieces; closing the generator disconnects. Raises `ModelFailed`."""
