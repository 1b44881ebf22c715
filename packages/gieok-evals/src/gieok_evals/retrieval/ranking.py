"""Observes conversations and recalls their questions, in every way of ranking that is compared."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from datetime import datetime, tzinfo
from typing import Final, get_args

from gieok.bank import MemoryBank, open_bank
from gieok.domain.answer import Aid, Hit, Where
from gieok.domain.memory import Memory
from gieok.domain.scope import Scope
from gieok.domain.scoring import PART_NAMES, Parts, Weights
from gieok.domain.turn import CHARACTER, USER
from gieok.errors import InvalidQuery, InvalidText
from gieok.presets import DOCUMENT
from gieok_evals.banks import temporary_bank
from gieok_evals.retrieval.datasets import PACE, Conversation, Dataset, Line, Query

DEFAULT: Final = "default"
_SWITCHES: Final = {"rerank": "rerank", "compress": "compress", "rewrite": "rewrite_query"}  #: name: setting
_TASKS: Final = tuple(_SWITCHES.values())  #: the model's tasks in a recall; each has a setting of the same name
_AIDS: Final[tuple[Aid, ...]] = get_args(Aid)


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """One way to rank: a preset, other weights, or something left out."""

    name: str = DEFAULT
    preset: str | None = None  #: None: the settings as they are
    weights: Mapping[str, float] = field(default_factory=dict)  #: instead of those of the settings
    without: tuple[Aid, ...] = ()
    switches: tuple[str, ...] = ()  #: settings that let a model help, e.g. "rerank"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The ranking for one question."""

    conversation: str
    query: Query
    ranking: tuple[str, ...]  #: ids of lines, best first, each once
    parts: tuple[Parts, ...] = ()  #: of their scores, parallel to `ranking`, if kept
    held: float | None = None  #: share of the evidence in a context, if one was asked for
    tokens: int = 0  #: of the context


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """How questions are asked."""

    depth: int  #: how many lines to rank
    with_memories: bool = False  #: rank memories, too, each for the line it was read from
    keep_parts: bool = False
    contexts: bool = False  #: also ask for a context


@dataclass(frozen=True, slots=True)
class ModelUse:
    """The calls of a model."""

    calls: int = 0
    failed: int = 0
    seconds: float = 0.0

    def __add__(self, other: ModelUse) -> ModelUse:
        return ModelUse(self.calls + other.calls, self.failed + other.failed, self.seconds + other.seconds)

    def __sub__(self, other: ModelUse) -> ModelUse:
        return ModelUse(self.calls - other.calls, self.failed - other.failed, self.seconds - other.seconds)


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """All answers."""

    answers: Mapping[str, tuple[Answer, ...]]  #: by the name of the way; in the same order for all
    asked: Mapping[str, ModelUse]  #: by the name of the way, if a model helps
    weights: Weights  #: of the settings
    embedder: str


Opener = Callable[[MemoryBank, Way], MemoryBank]  #: opens another handle of a bank for one way of ranking
Progress = Callable[[str], None]  #: called with "observed" or "asked" after each line and each question


def ablations() -> tuple[Way, ...]:
    """Return a way for each part with a weight of 0, and one for each source left out."""
    parts = (Way(name=f"{name} = 0", weights={name: 0.0}) for name in PART_NAMES)
    sources = (Way(name=f"without {aid}", without=(aid,)) for aid in _AIDS)
    return (*parts, *sources)


def compared(text: str) -> tuple[Way, ...]:
    """Read the value of --compare.

    "heroine,vtuber:document" are presets, "default+rerank,heroine+compress+rewrite" let a model help, and
    "default,mine=relevance:0.7,keyword:0.2" gives weights.
    """
    entries: list[list[str]] = []
    for piece in filter(None, map(str.strip, text.split(","))):
        if ":" in piece and "=" not in piece and not _is_preset(piece) and entries:
            entries[-1].append(piece)
        else:
            entries.append([piece])
    ways = tuple(_way(entry) for entry in entries)
    if len({way.name for way in ways}) < len(ways):
        raise InvalidQuery(f"--compare {text}: give every entry a name of its own")
    return ways


def _is_preset(piece: str) -> bool:
    return piece.partition("+")[0].endswith(DOCUMENT)


def _way(pieces: list[str]) -> Way:
    name, given, first = (each.strip() for each in pieces[0].partition("="))
    if not given and len(pieces) == 1 and (":" not in name or _is_preset(name)):
        preset, *helps = name.split("+")
        unknown = [each for each in helps if each not in _SWITCHES]
        if unknown:
            raise InvalidQuery(f"--compare: a model cannot help by {unknown[0]!r}; add +{', +'.join(_SWITCHES)}")
        switches = tuple(_SWITCHES[each] for each in helps)
        return Way(name=name, preset=None if preset == DEFAULT else preset, switches=switches)
    if not given or name in ("", DEFAULT):
        raise InvalidQuery(
            f"--compare {','.join(pieces)}: weights need a name of their own, e.g. mine=relevance:0.7,keyword:0.2"
        )
    return Way(name=name, weights=dict(_weight(piece) for piece in (first, *pieces[1:])))


def _weight(piece: str) -> tuple[str, float]:
    part, _, value = piece.partition(":")
    if part not in PART_NAMES:
        raise InvalidQuery(f"--compare: unknown weight {part!r}; the parts are {', '.join(PART_NAMES)}")
    try:
        return part, float(value)
    except ValueError as cause:
        raise InvalidQuery(f"--compare: {piece!r} is not a weight; write it like {part}:0.5") from cause


def reopened(bank: MemoryBank, way: Way, *, llm: str | None = None) -> MemoryBank:
    """Open `bank` once more with the settings of `way`; `llm` overrides the model of the settings."""
    switches = {name: True if name in way.switches else None for name in _TASKS}
    handle = open_bank(
        bank.settings.bank,
        embedder=bank.embedder,
        preset=way.preset,
        llm=llm if way.switches else None,
        rewrite_query=switches["rewrite_query"],
        rerank=switches["rerank"],
        compress=switches["compress"],
    )
    if way.switches and handle.settings.llm is None:
        handle.close()
        raise InvalidQuery(f"--compare {way.name} asks a model; name one, e.g. --llm ollama:qwen3:8b")
    return handle


def run(
    dataset: Dataset,
    ways: Sequence[Way],
    asking: Asking,
    *,
    embedder: str | None = None,
    opener: Opener = reopened,
    progress: Progress = lambda _: None,
) -> Run:
    """Observe each conversation once in a bank of its own, and ask all its questions in every way."""
    answers: dict[str, list[Answer]] = {way.name: [] for way in ways}
    asked = {way.name: ModelUse() for way in ways if way.switches}
    last: MemoryBank | None = None
    weights = Weights()
    for conversation in dataset.conversations:
        with temporary_bank(embedder=embedder, like=last) as bank, ExitStack() as opened:
            handles = {
                way.name: opened.enter_context(opener(bank, way)) if way.preset or way.switches else bank
                for way in ways
            }
            _check_searched(handles.values(), asking)
            played = play(bank, conversation, progress=lambda: progress("observed"))
            for way in ways:
                before = _model_use(bank)
                for query in conversation.queries:
                    answers[way.name].append(played.answer(handles[way.name], query, way, asking))
                    progress("asked")
                if way.switches:
                    asked[way.name] += _model_use(bank) - before
            last, weights = bank, bank.services.weights
    return Run(
        answers={name: tuple(given) for name, given in answers.items()},
        asked=asked,
        weights=weights,
        embedder=last.embedder.name if last else "",
    )


def _model_use(bank: MemoryBank) -> ModelUse:
    calls = [each for each in bank.services.store.model_calls() if each.task in _TASKS]
    return ModelUse(
        calls=sum(each.calls for each in calls),
        failed=sum(each.calls for each in calls if each.failure is not None),
        seconds=sum(each.seconds for each in calls),
    )


def _check_searched(banks: Iterable[MemoryBank], asking: Asking) -> None:
    for bank in banks:
        if not bank.settings.search_turns and not asking.with_memories:
            who = f"preset {bank.settings.preset!r}" if bank.settings.preset else "search_turns = false"
            raise InvalidQuery(f"{who} searches memories alone, and finds no turn; add --with-memories")


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """A conversation that was observed."""

    scope: Scope
    conversation: Conversation
    now: datetime  #: after the last line
    line_of: Mapping[str, str]  #: id of an utterance: id of its line

    def answer(self, bank: MemoryBank, query: Query, way: Way, asking: Asking) -> Answer:
        """Ask `bank`, which may be another handle of the bank that observed the conversation."""
        mind, weights = bank.mind(self.scope), dict(way.weights) or None
        hits = mind.recall(
            query.text,
            k=asking.depth + 1,  # one may be the question itself
            at=self.now,
            where=Where(kind=None if asking.with_memories else "utterance", without=way.without),
            weights=weights,
        )
        ranked = list(self._ranked(hits, query).items())[: asking.depth]
        answer = Answer(
            conversation=self.conversation.id,
            query=query,
            ranking=tuple(line for line, _ in ranked),
            parts=tuple(parts for _, parts in ranked) if asking.keep_parts else (),
        )
        if not asking.contexts:
            return answer
        context = mind.context(query.text, at=self.now, weights=weights)
        lines = {self.line_of.get(item_id) for item_id in context.items} | set(self._ranked(context.hits, query))
        return replace(answer, held=len(lines & query.evidence) / len(query.evidence), tokens=context.tokens)

    def _ranked(self, hits: Iterable[Hit], query: Query) -> dict[str, Parts]:
        """Return the lines of `hits`, best first, each once, without the question itself."""
        ranked: dict[str, Parts] = {}
        for hit in hits:
            source = next(iter(hit.item.sources), "") if isinstance(hit.item, Memory) else hit.item.id
            line = self.line_of.get(source)
            if line is not None and line != query.itself:
                ranked.setdefault(line, hit.parts)
        return ranked


def play(bank: MemoryBank, conversation: Conversation, *, progress: Callable[[], None]) -> Played:
    """Observe every line in `bank`; `progress` is called after each."""
    user, character = _parties(conversation.lines)
    mind = bank.scope(user=user, character=character)
    line_of: dict[str, str] = {}
    now = _moment(conversation.lines[0], bank.settings.zone)
    for line in conversation.lines:
        at = _moment(line, bank.settings.zone)
        replied = line.speaker == character
        try:
            observed = mind.observe(
                None if replied else line.text,
                reply=line.text if replied else None,
                at=at,
                session=line.session or None,
                turn_id=line.id,
                speaker=None if line.speaker in (user, character) else line.speaker,
            )
        except InvalidText as cause:
            raise InvalidText(f"turn {line.id!r} of conversation {conversation.id!r}: {cause}") from cause
        line_of |= {utterance.id: line.id for utterance in observed.turn.utterances}
        now = max(now, at)
        progress()
    return Played(scope=mind.key, conversation=conversation, now=now + PACE, line_of=line_of)


def _parties(lines: Iterable[Line]) -> tuple[str, str]:
    """Return the user and the character: the first two speakers, or whoever is called "user" first."""
    speakers = list(dict.fromkeys(line.speaker for line in lines))
    if USER in speakers:
        speakers = [USER, *(name for name in speakers if name != USER)]
    user, character, *_ = [*speakers, CHARACTER]
    return user, character


def _moment(line: Line, zone: tzinfo) -> datetime:
    return line.at if line.at.tzinfo else line.at.replace(tzinfo=zone)
