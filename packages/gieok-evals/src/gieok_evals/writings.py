"""What a model writes of whole conversations: whether every sentence of it is true, and still so.

A conversation is played with recorded readings, kept up, and thought over by a model whose answers are recorded, too
(`answers.jsonl`: `key`, `conversation`, `task`, `answer`). What the engine keeps of them is split into sentences, and
each is looked up among those that somebody judged who knows the conversation (`judged.jsonl`: `conversation`, `kind`,
`sentence`, and `why` it is wrong: "" if it is not, else "unsupported" or "stale").
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.table import Table

from gieok.bank import MemoryBank, Mind
from gieok.domain.answer import Message
from gieok.domain.operation import Direct, Operation, Think
from gieok.language.text import sentences
from gieok_evals.dialogues import Dialogue, play
from gieok_evals.models import Recorded, key_of
from gieok_evals.reports import Share, one, shown

KINDS: Final = {
    "insight": "reflections",
    "summary": "rolling summaries",
    "profile": "profiles",
    "view": "events as the character sees them",
    "note": "director's notes",
}
#: what is answered for want of a recorded answer; nothing is kept of it
_NOTHING: Final = {"text": "-", "reflections": [], "conflicts": [], "note": "", "deltas": []}


@dataclass
class Writer(Recorded):
    """Recorded answers to whatever a model is asked to write; `asked` has the prompts that have none."""

    asked: dict[str, tuple[Message, ...]] = field(default_factory=dict)
    name = "writer"

    def answer(self, messages: Sequence[Message]) -> str:
        key = key_of(messages)
        if key not in self._by_key:
            self.asked[key] = tuple(messages)
        return json.dumps(self._by_key.get(key, _NOTHING), ensure_ascii=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class WritingsReport:
    """How much of what was written is true. The fields are the keys of the JSON report."""

    conversations: int
    written: Mapping[str, int]  #: texts that were kept, by kind
    unsupported: Mapping[str, Share]  #: of the sentences that were judged
    stale: Mapping[str, Share]
    unjudged: int  #: sentences
    unanswered: int  #: prompts that ask for writing
    unread: int = 0  #: prompts that ask for reading
    failures: tuple[str, ...] = field(default=(), repr=False)


@dataclass(frozen=True)
class Judgements:
    """What somebody said of sentences."""

    path: Path

    def why(self, talk: str, sentence: str) -> str | None:
        """Return why a sentence is wrong, "" if it is not; None: nobody judged it."""
        return self._known.get((talk, sentence))

    @cached_property
    def _known(self) -> dict[tuple[str, str], str]:
        lines = self.path.read_text(encoding="utf-8").splitlines() if self.path.exists() else []
        return {(each["conversation"], each["sentence"]): each["why"] for each in map(json.loads, lines)}


def evaluate(
    bank_at: Callable[[datetime], AbstractContextManager[MemoryBank]],
    dialogues: Sequence[Dialogue],
    *,
    judgements: Judgements,
    writer: Writer,
    unjudged: list[dict[str, str]],
    progress: Callable[[], None] = lambda: None,
) -> WritingsReport:
    """Have conversations thought over and look up what is kept of it; what nobody judged is added to `unjudged`."""
    unsupported, stale, written = dict[str, Share](), dict[str, Share](), dict[str, int]()
    failures = list[str]()
    for talk in dialogues:
        end = datetime.fromisoformat(talk.turns[-1]["at"])
        with bank_at(end) as bank:
            texts = list(kept(play(bank, talk), end))
        for kind, text in texts:
            written[kind] = written.get(kind, 0) + 1
            for sentence in sentences(text):
                why = judgements.why(talk.id, sentence)
                if why is None:
                    unjudged.append({"conversation": talk.id, "kind": kind, "sentence": sentence})
                    continue
                unsupported[kind] = unsupported.get(kind, Share()) + one(why == "unsupported")
                stale[kind] = stale.get(kind, Share()) + one(why == "stale")
                if why:
                    failures.append(f"{talk.id}: {why} ({kind}): {sentence}")
        progress()
    return WritingsReport(
        conversations=len(dialogues),
        written=written,
        unsupported=unsupported,
        stale=stale,
        unjudged=len(unjudged),
        unanswered=len(writer.asked),
        failures=tuple(failures),
    )


def kept(mind: Mind, at: datetime) -> Iterator[tuple[str, str]]:
    """Have a scope kept up and thought over; yield what a model wrote that was kept, with its kind."""
    mind.maintain(at=at)
    mind.deepen()
    pages = {page.id: page.tags for page in mind.conclusions()}
    for operation in mind.journal():
        yield from ((kind, text) for kind, text in _written(operation, pages) if text != _NOTHING["text"])


def _written(operation: Operation, pages: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, str]]:
    request = operation.request
    if isinstance(request, Direct) and request.note:
        yield "note", request.note
    if isinstance(request, Think):
        yield from (("insight", each.content) for each in request.insights)
        for each in request.retellings:
            tags = pages.get(each.ground.memory_id, ())
            yield "profile" if "profile" in tags else "summary" if "rolling" in tags else "view", each.content


def show_writings(report: WritingsReport, console: Console) -> None:
    """Print a table, and what is wrong."""
    table = Table(title=f"What a model wrote of {report.conversations} conversations")
    for heading in ("", "texts", "sentences that nothing supports", "sentences that are no longer so"):
        table.add_column(heading, justify="left" if not heading else "right")
    for kind, meaning in KINDS.items():
        wrong = (report.unsupported.get(kind, Share()), report.stale.get(kind, Share()))
        table.add_row(meaning, str(report.written.get(kind, 0)), *map(shown, wrong))
    everything = (sum(shares.values(), Share()) for shares in (report.unsupported, report.stale))
    table.add_row("all", str(sum(report.written.values())), *map(shown, everything))
    console.print(table)
    for failure in report.failures:
        console.print(failure)
    open_ = (report.unread, report.unanswered, report.unjudged)
    if any(open_):
        console.print("No answer: {} prompts to read, {} to write; {} sentences were not judged.".format(*open_))
