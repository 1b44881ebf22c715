"""What the engine asks of the world around it: the time, vectors, claims out of turns, masked texts, and of models.

Every model is optional: without one, rules do what they can.
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
    """Tells the time, so that a game can run a year in seconds."""

    def now(self) -> datetime:
        """Return the present moment, aware of its time zone."""


class Watch(Protocol):
    """Counts and times what is done, for whoever runs a server. It must return at once, and never fail."""

    def took(self, what: str, part: str, seconds: float) -> None:
        """Note how long a part of something took: ("recall", "dense", 0.002)."""

    def counted(self, what: str, part: str, by: float = 1.0) -> None:
        """Count something: ("decisions", "Remember", 1)."""


class Embedder(Protocol):
    """Turns texts into vectors whose cosine says how alike they mean."""

    @property
    def name(self) -> str:
        """What a bank remembers it by."""

    @property
    def dimension(self) -> int: ...

    def embed(self, texts: Sequence[str], *, purpose: Literal["query", "document"]) -> Matrix:
        """Return one row of unit length for each text (all zeros where a text gives nothing to embed).

        Raises `EmbedderFailed`.
        """

    def warm(self) -> None:
        """Load what is needed, so that the first call is as fast as the rest.

        The first recall waits for it as long as it takes; one that calls out must bound its own waiting.
        """


def embedded(embedder: Embedder, texts: Sequence[str], purpose: Literal["query", "document"]) -> Matrix:
    """Return the vectors of `texts`; raise `EmbedderFailed` also for vectors that cannot be used."""
    vectors = embedder.embed(texts, purpose=purpose)
    wanted = (len(texts), embedder.dimension)
    if vectors.shape != wanted or not bool((abs(vectors) < float("inf")).all()):  # NaN is not below infinity either
        raise EmbedderFailed(ErrorText("embedder.shape", name=embedder.name, shape=vectors.shape))
    return vectors


class Extractor(Protocol):
    """Reads claims out of a turn.

    It may also have `needs(turn, before) -> Needs`, which says what `background` must hold beside the user's names and
    the facts that the user names.
    """

    @property
    def name(self) -> str:
        """Name and version, stored with every claim, e.g. "korean/1"."""

    def claims(self, turn: Turn, scope: Scope, before: Sequence[Utterance], background: Background) -> Sequence[Claim]:
        """Return what is claimed in `turn`; `before` are the last utterances before it, oldest first."""


class Masker(Protocol):
    """Hides personal data before any encoder, index, model or log sees a text."""

    def __call__(self, text: str, consent: Collection[str] = (), beside: str = "") -> Masked:
        """Return `text` as it may be kept; kinds in `consent` that are asked for stay as they are.

        What is personal in `beside`, which is said along with it, is so in `text`, too.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """One whole answer of a model."""

    text: str
    prompt_tokens: int = 0
    answer_tokens: int = 0


class Llm(Protocol):
    """A chat model behind some wire. Safe to use from many threads."""

    @property
    def name(self) -> str:
        """What the journal and the log of calls name it by, e.g. "gpt-4o-mini"."""

    def complete(
        self, messages: Sequence[Message], *, schema: Mapping[str, Any] | None = None, most_tokens: int
    ) -> Completion:
        """Return the whole answer, as JSON of `schema` where one is given and the model can. Raises `ModelFailed`."""

    def stream(self, messages: Sequence[Message], *, most_tokens: int) -> Generator[str, None, Completion]:
        """Yield the answer bit by bit and return it whole; closing it hangs up. Raises `ModelFailed`."""

    def close(self) -> None: ...


class Model(Protocol):
    """What the rooms hold: a model whose every call is counted, and whose answers are typed."""

    @property
    def name(self) -> str: ...

    def ask(self, prompt: Prompt[Answer]) -> Answer:
        """Return the typed answer; one that cannot be read is asked to be put right once. Raises `ModelFailed`."""

    def stream(self, messages: Sequence[Message], *, task: Task = "reply", most_tokens: int) -> Generator[str]:
        """Yield an answer bit by bit; closing it hangs up. Raises `ModelFailed`."""
