"""Whole conversations with labels: what is held at the end, of whom, and which questions it answers.

The data has one JSON object a line: `turns` (at, session, user, reply, and `speaker` if it is not the user), `facts`
(about, attribute, value, alts, told, until; `added` if a second reader labelled it: it supports a memory, but need not
be found), `not_facts` (value, why, told) and `probes` (q, gold, stale, kind).
`about` is "user", "character", or the names of somebody, separated by slashes. Each conversation is played in a scope
of its own.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.table import Table

from gieok.bank import MemoryBank, Mind
from gieok.domain.answer import ModelCall
from gieok.domain.memory import Memory
from gieok.errors import InvalidQuery
from gieok_evals.files import numbered_lines
from gieok_evals.outside import Adapter
from gieok_evals.reports import Headline, Share, Tally, between, headline, plain, shares_table, shown, table_totals
from gieok_evals.statements import fold

MEANINGS: Final = {
    "found_user": "current facts of the user that are held, of the user",
    "found_others": "current facts of others that are held, of the right one",
    "unsupported": "firm memories of the user that nothing in the conversation supports",
    "unsupported_pinned": "pinned memories of the user's identity or cautions that nothing supports",
    "not_facts_kept": "jokes, plans, wishes, quotations and so on that became a firm memory",
    "wrongly_ended": "current facts that were read, and then ended by mistake (not by the day they were planned for)",
    "stale": "ended values that still count as current",
    "probes_context": "questions whose answer is in the context, without the recent turns",
    "probes_without_talk": "questions whose answer is in a context that quotes no recent turns",
    "probes_five": "questions whose answer is among the first five hits",
    "address": "forms of address that are known as they are used",
    "claims": "facts named by a model that stand in the conversation",
}
LOWER_IS_BETTER: Final = frozenset({"unsupported", "unsupported_pinned", "not_facts_kept", "wrongly_ended", "stale"})
_RECENT: Final = frozenset({"talk", "message"})  #: blocks of a context that repeat the recent turns
_RELATIONS: Final = frozenset({"family", "friend", "pet", "relationship_status"})
#: Whose existence says how the user lives.
_KINDS: Final = frozenset({"free.breed", "free.species"})
_PLANNED: Final = frozenset({"plan", "goal", "todo", "promise", "decision"})
_PARTNERS: Final = {
    "기혼": ("아내", "와이프", "남편", "신랑", "wife", "husband"),
    "연애중": ("남친", "여친", "남자친구", "여자친구", "애인", "boyfriend", "girlfriend"),
}
_AFTER: Final = timedelta(hours=20)  #: when questions are asked, after the last turn


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One labelled fact."""

    names: tuple[str, ...]  #: of its holder; ("user",) for the user
    attribute: str
    words: tuple[str, ...]  #: the value and other ways to write it, folded
    value: str
    told: tuple[int, ...]
    until: int | None  #: the turn that ended it
    added: bool = False  #: by a second reader: it supports what is held, and need not be found

    @property
    def of_user(self) -> bool:
        return self.names == ("user",)


@dataclass(frozen=True, slots=True, kw_only=True)
class NotFact:
    """Words that sound like a fact and are none."""

    value: str
    why: str
    told: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """A question that is asked at the end."""

    question: str
    gold: tuple[str, ...]
    stale: tuple[str, ...]
    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialogue:
    """One labelled conversation."""

    id: str
    turns: tuple[Mapping[str, str], ...]
    facts: tuple[Fact, ...]
    not_facts: tuple[NotFact, ...]
    probes: tuple[Probe, ...]
    called: str  #: what the user asked to be called, or ""
    calls: str  #: what the user calls the character, or ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DialoguesReport:
    """What was held of the conversations. The fields are the keys of the JSON report."""

    data: str
    conversations: int
    turns: int
    scores: Mapping[str, Headline]  #: see `MEANINGS`
    by_attribute: Mapping[str, Share]  #: found, of the labelled current facts
    extra_by_attribute: Mapping[str, int]  #: firm memories of the user that nothing supports
    by_cause: Mapping[str, int]  #: why facts are missing and where unsupported memories come from
    by_probe: Mapping[str, Share]  #: in the context, by kind of question
    probes_mrr: float | None  #: the mean of 1 / rank of the first of ten hits with the answer, 0 without one
    calls_per_turn: float | None = None  #: of a model that read along
    tokens_per_turn: float | None = None  #: asked and answered
    failures: tuple[str, ...] = field(default=(), repr=False)

    @property
    def figures(self) -> dict[str, float | None]:
        """The rates alone, under the names of `MEANINGS`."""
        return {name: each.share.rate for name, each in self.scores.items()}


def load(paths: Iterable[Path]) -> list[Dialogue]:
    """Read conversations; raises `InvalidQuery` with the file and the number of a bad line."""
    found = []
    for path in paths:
        for number, line in numbered_lines(path):
            try:
                found.append(dialogue(json.loads(line)))
            except (ValueError, KeyError, TypeError) as cause:
                raise InvalidQuery(f"{path}, line {number} is not a conversation: {cause!r}") from cause
    return found


def dialogue(record: Mapping[str, Any]) -> Dialogue:
    address = record.get("address") or {}
    return Dialogue(
        id=record["id"],
        turns=tuple(record["turns"]),
        facts=tuple(_fact(each, record["turns"]) for each in record["facts"] if each["told"]),
        not_facts=tuple(
            NotFact(value=each["value"], why=each["why"], told=tuple(each["told"])) for each in record["not_facts"]
        ),
        probes=tuple(
            Probe(question=each["q"], gold=tuple(each["gold"]), stale=tuple(each["stale"]), kind=each["kind"])
            for each in record["probes"]
        ),
        called=address.get("called", ""),
        calls=address.get("calls", ""),
    )


def _fact(record: Mapping[str, Any], turns: Sequence[Mapping[str, Any]]) -> Fact:
    until = [turn for turn in record["until"] if turn is not None]
    past = record.get("act") == "past"
    day = record.get("time") or ""
    if record.get("act") == "plan" and day:  # a plan is over when its day, month or year is
        until += (number for number, turn in enumerate(turns) if turn["at"][: len(day)] > day)
    return Fact(
        names=tuple(record["about"].split("/")),
        attribute=record["attribute"],
        words=tuple(dict.fromkeys(fold(word) for word in (record["value"], *record["alts"]) if fold(word))),
        value=record["value"],
        told=tuple(record["told"]),
        until=min(until) if until else record["told"][-1] if past else None,
        added=bool(record.get("added")),
    )


def evaluate(
    bank: MemoryBank,
    dialogues: Sequence[Dialogue],
    *,
    data: str,
    preset: str | None = None,
    calls: Sequence[ModelCall] = (),
    injected: str = "",
    progress: Callable[[], None] = lambda: None,
) -> DialoguesReport:
    """Play every conversation, compare what is held at the end with the labels, and ask the questions.

    `preset` is for the questions; None: by the settings of the bank. `calls` fills up with those of the bank's model.
    `injected` is said by the user in the middle of every conversation.
    """
    settings = bank.settings if preset is None else bank.settings.as_preset(preset)
    tallies = []
    for talk in dialogues:
        mind = play(bank, talk, injected)
        tallies.append(_Score(talk, mind.under(settings)).tally)
        if bank.model is not None:
            _count_claims(tallies[-1], mind)
        progress()
    report = _report(tallies, dialogues, data)
    if bank.model is None:
        return report
    asked = [call for call in calls if call.task == "extract"]
    tokens = sum(call.prompt_tokens + call.answer_tokens for call in asked)
    return replace(report, calls_per_turn=len(asked) / report.turns, tokens_per_turn=tokens / report.turns)


def _count_claims(tally: Tally, mind: Mind) -> None:
    """Count what a model claimed, and what of it was sound."""
    for operation in mind.journal():
        if operation.kind == "deepen":
            for decision in operation.decisions:
                tally.count("claims", decision.claim.flaw is None)
                if decision.claim.flaw is not None:
                    tally.count_under("cause", f"refused: {decision.claim.flaw}", True)
                    tally.fail(f"refused ({decision.claim.flaw}): {decision.claim.content}")


def evaluate_adapter(
    make: Callable[[], Adapter],
    dialogues: Sequence[Dialogue],
    *,
    data: str,
    progress: Callable[[], None] = lambda: None,
) -> DialoguesReport:
    """Play every conversation to another memory system and ask the questions: its first five answers count."""
    tallies = []
    for talk in dialogues:
        memory, tally = make(), Tally()
        for turn in talk.turns:
            memory.observe(talk.id, turn["user"], turn["reply"], datetime.fromisoformat(turn["at"]))
        for probe in talk.probes:
            if probe.gold:
                answers = list(memory.ask(talk.id, probe.question))[:5]
                _count_probe(tally, "probes_five", probe, "\n".join(answers))
        close = getattr(memory, "close", None)
        if callable(close):
            close()
        tallies.append(tally)
        progress()
    return _report(tallies, dialogues, data)


def play(bank: MemoryBank, talk: Dialogue, injected: str = "") -> Mind:
    """Observe all turns of a conversation in a scope of its own, and return that scope."""
    mind = bank.scope(user=talk.id.replace("/", "-"), character="character")
    reader = bank.services.model_jobs.reader
    for number, turn in enumerate(talk.turns):
        if injected and number == len(talk.turns) // 2:
            mind.observe(injected, at=datetime.fromisoformat(turn["at"]), session=turn["session"])
        mind.observe(
            turn["user"] or None,
            reply=turn["reply"] or None,
            at=datetime.fromisoformat(turn["at"]),
            session=turn["session"],
            speaker=turn.get("speaker"),
        )
        if reader is not None:
            reader.read(mind.key)
    if reader is not None:
        reader.read(mind.key, all_of_them=True)
    return mind


def _report(tallies: Sequence[Tally], dialogues: Sequence[Dialogue], data: str) -> DialoguesReport:
    causes, ranks = table_totals(tallies, "cause"), table_totals(tallies, "rank")
    asked = sum(share.of for share in ranks.values())
    return DialoguesReport(
        data=data,
        conversations=len(dialogues),
        turns=sum(len(talk.turns) for talk in dialogues),
        scores={name: headline(tallies, name, 0) for name in MEANINGS},
        by_attribute=table_totals(tallies, "attribute"),
        extra_by_attribute={name: share.hits for name, share in table_totals(tallies, "extra").items()},
        by_cause={name: share.hits for name, share in sorted(causes.items(), key=lambda pair: -pair[1].hits)},
        by_probe=table_totals(tallies, "probe"),
        probes_mrr=sum(share.of / int(rank) for rank, share in ranks.items() if rank != "0") / asked if asked else None,
        failures=tuple(failure for tally in tallies for failure in tally.failures),
    )


class _Score:
    """The comparison of one conversation with the memories that came of it."""

    def __init__(self, talk: Dialogue, mind: Mind) -> None:
        self.tally = Tally()
        self.talk = talk
        self.mind = mind
        history = mind.facts(history=True)
        current = {memory.id for memory in mind.facts()}
        self.firm = [memory for memory in history if memory.id in current and not _doubtful(memory)]
        self.doubtful = [memory for memory in history if memory.id in current and _doubtful(memory)]
        self.ended = [memory for memory in history if memory.id not in current]
        self._facts()
        self._memories()
        self._not_facts()
        self._probes()
        self._address()

    def _fail(self, text: str) -> None:
        self.tally.fail(f"{self.talk.id}: {text}")

    def _facts(self) -> None:
        for fact in self.talk.facts:
            if fact.added or fact.names == ("character",):
                continue
            held = [memory for memory in self.firm if _holds(memory, fact)]
            if fact.until is not None:
                held = [memory for memory in held if memory.polarity == "+" and not self._only_mentions(memory, fact)]
                if not any(each.until is None and _same(each, fact) for each in self.talk.facts):
                    self.tally.count("stale", bool(held))
                    if held:
                        self._fail(f"stale: {fact.names[0]} {fact.attribute}={fact.value} ← {held[0].content}")
                continue
            self.tally.count("found_user" if fact.of_user else "found_others", bool(held))
            self.tally.count_under("attribute", fact.attribute, bool(held))
            ended = not held and any(_holds(memory, fact) and not _was_due(memory) for memory in self.ended)
            self.tally.count("wrongly_ended", ended)
            if not held:
                cause = self._missing(fact, ended)
                self.tally.count_under("cause", f"missing: {cause}", True)
                said = self.talk.turns[fact.told[0]]["user"]
                self._fail(f"missing ({cause}): {fact.names[0]} {fact.attribute}={fact.value} ← {said}")

    def _only_mentions(self, memory: Memory, fact: Fact) -> bool:
        """Whether `memory` has another value, which is current: "골드였는데 플래티넘 됐어" holds the new tier."""
        return self._is_of_a_fact(memory, fact.words, names=fact.names)

    def _is_of_a_fact(self, memory: Memory, words: Sequence[str], *, names: tuple[str, ...] = ()) -> bool:
        """Whether `words` stand only in the sentence of `memory`, whose value is a current fact (of `names`)."""
        if any(_overlap(fold(each), word) for each in (memory.value, memory.surface) if each for word in words):
            return False
        current = (each for each in self.talk.facts if each.until is None and names in ((), each.names))
        return any(_holds(memory, each) for each in current)

    def _missing(self, fact: Fact, ended: bool) -> str:
        if ended:
            return "ended"
        if any(_holds(memory, fact) for memory in self.doubtful):
            return "doubtful"
        if any(_says(memory, fact.words) for memory in self.firm):
            return "wrong holder"
        return "not read"

    def _memories(self) -> None:
        own = [memory for memory in self.firm if memory.subject == "user" and memory.attribute is not None]
        for memory in own:
            supported = self._supported(memory)
            self.tally.count("unsupported", not supported)
            if memory.pinned:
                self.tally.count("unsupported_pinned", not supported)
            if not supported:
                cause = self._origin(memory)
                self.tally.count_under("extra", memory.attribute or "", True)
                self.tally.count_under("cause", f"unsupported: {cause}", True)
                self._fail(f"unsupported ({cause}): {memory.attribute}={memory.value} ({memory.content})")

    def _supported(self, memory: Memory) -> bool:
        """Whether a label says it, or it names or follows from somebody whom the user told of (family: 형)."""
        if any(fact.of_user and _says(memory, fact.words) for fact in self.talk.facts):
            return True
        if memory.attribute not in _RELATIONS:
            return False
        if memory.attribute == "pet" and self._is_kind_of_pet(memory):
            return True
        names = [fold(name) for fact in self.talk.facts if not fact.of_user for name in fact.names]
        implied = _PARTNERS.get(memory.value or "", ())
        return any(_overlap(name, fold(memory.value or "")) or name in implied for name in names)

    def _is_kind_of_pet(self, memory: Memory) -> bool:
        """Whether it names the kind or breed of an animal that a label says is the user's."""
        own = [word for fact in self.talk.facts if fact.of_user and fact.attribute == "pet" for word in fact.words]
        kinds = [fact for fact in self.talk.facts if fact.attribute in _KINDS and _says(memory, fact.words)]
        return any(_overlap(fold(name), word) for fact in kinds for name in fact.names for word in own)

    def _origin(self, memory: Memory) -> str:
        if any(not fact.of_user and _says(memory, fact.words) for fact in self.talk.facts):
            return "another's fact"
        for each in self.talk.not_facts:
            if _says(memory, (fold(each.value),)):
                return each.why
        replies = fold(" ".join(turn["reply"] for turn in self.talk.turns))
        users = fold(" ".join(turn["user"] for turn in self.talk.turns))
        value = fold(memory.surface or memory.value or "")
        return "the character's words" if value in replies and value not in users else "no label"

    def _not_facts(self) -> None:
        for each in self.talk.not_facts:
            words = (fold(each.value),)
            if not words[0] or any(_overlap(words[0], word) for fact in self.talk.facts for word in fact.words):
                continue  # the same value is a fact elsewhere
            kept = [memory for memory in self.firm if memory.subject != "character" and _says(memory, words)]
            kept = [memory for memory in kept if memory.attribute is not None and memory.polarity == "+"]
            kept = [memory for memory in kept if not self._is_of_a_fact(memory, words)]
            self.tally.count("not_facts_kept", bool(kept))
            if kept:
                self._fail(f"kept ({each.why}): {each.value} ← {kept[0].content}")

    def _probes(self) -> None:
        last = datetime.fromisoformat(self.talk.turns[-1]["at"]) + _AFTER
        for probe in self.talk.probes:
            if not probe.gold:
                continue
            context = self.mind.context(probe.question, at=last)
            text = "\n".join(block.text for block in context.blocks if block.name not in _RECENT)
            there = _count_probe(self.tally, "probes_context", probe, text)
            self.tally.count_under("probe", probe.kind, there)
            alone = self.mind.context(probe.question, at=last, without=["talk"])
            text = "\n".join(block.text for block in alone.blocks if block.name not in _RECENT)
            _count_probe(self.tally, "probes_without_talk", probe, text)
            ranked = (_answers(probe, _text(hit.item)) for hit in self.mind.recall(probe.question, k=10, at=last))
            rank = next((place for place, right in enumerate(ranked, start=1) if right), 0)
            self.tally.count_under("rank", str(rank), True)
            hits = self.mind.recall(probe.question, k=5, at=last)
            five = _count_probe(self.tally, "probes_five", probe, "\n".join(_text(hit.item) for hit in hits))
            if not there or not five:
                where = "context" if not there else "five"
                self._fail(f"probe not in {where} ({probe.kind}): {probe.question} → {' / '.join(probe.gold)}")

    def _address(self) -> None:
        manners = self.mind.manners()
        asked = {request.by: request.value for request in manners.asked_names}
        for wanted, speech, by in (
            (self.talk.called, manners.character, "user"),
            (self.talk.calls, manners.user, "character"),
        ):
            if wanted:
                known = asked.get(by) or (speech.address.value if speech.address else "")
                right = bool(known) and _overlap(fold(known), fold(wanted))
                self.tally.count("address", right)
                if not right:
                    self._fail(f"address: {wanted} is known as {known or 'nothing'}")


def _count_probe(tally: Tally, name: str, probe: Probe, text: str) -> bool:
    there = _answers(probe, text)
    tally.count(name, there)
    return there


def _answers(probe: Probe, text: str) -> bool:
    words = fold(text)
    return any(fold(gold) in words for gold in probe.gold)


def _doubtful(memory: Memory) -> bool:
    return bool(getattr(memory, "doubtful", False))


def _text(item: Any) -> str:
    return str(getattr(item, "content", None) or getattr(item, "text", ""))


def _was_due(memory: Memory) -> bool:
    """Whether it was told with the day on which it ended: a plan for a day that has passed."""
    return memory.attribute in _PLANNED and memory.invalid_at is not None and memory.closed_by is None


def _same(one: Fact, other: Fact) -> bool:
    return one.names == other.names and any(_overlap(a, b) for a in one.words for b in other.words)


def _overlap(one: str, other: str) -> bool:
    return one == other or (min(len(one), len(other)) > 1 and (one in other or other in one))


def _says(memory: Memory, words: Sequence[str]) -> bool:
    """Whether a memory has one of the values: in its value, as it was said, or in its sentence."""
    values = [fold(each) for each in (memory.value, memory.surface) if each]
    if any(_overlap(value, word) for value in values for word in words if value):
        return True
    if any(
        len(value) == 1 and word.startswith(value) and memory.attribute == "pet" for value in values for word in words
    ):
        return True  # 개 한 마리
    content = fold(memory.content)
    return any(len(word) > 1 and word in content for word in words) or any(
        re.search(rf"(?<!\d){word}(?!\d)", content) for word in words if word.isdigit()
    )


def _holds(memory: Memory, fact: Fact) -> bool:
    if not _says(memory, fact.words):
        return False
    if fact.of_user:
        return memory.subject == "user"
    if memory.subject in {"user", "character"}:
        # "도현오빠랑 사귀어": a relation told as the user's own names its other side
        return memory.subject == "user" and any(_overlap(fold(name), fold(memory.value or "")) for name in fact.names)
    holder = fold(memory.subject_id)
    return any(_overlap(fold(name), holder) or fold(name) in fold(memory.content) for name in fact.names if fold(name))


def record(report: DialoguesReport, *, failures: bool) -> dict[str, Any]:
    """Return the report for JSON: the rates at the top, under the names of `MEANINGS`, and the counts below."""
    details: dict[str, Any] = plain(report)
    if not failures:
        del details["failures"]
    return {name: plain(rate) for name, rate in report.figures.items()} | details


def show_dialogues(report: DialoguesReport, console: Console, *, failures: bool = False) -> None:
    """Print the failures if asked for, the causes, the shares by attribute, and the scores."""
    for failure in report.failures if failures else ():
        console.print(failure, soft_wrap=True, markup=False)
    console.print(shares_table("found by attribute", {n: s for n, s in report.by_attribute.items() if s.of > 2}))
    console.print(shares_table("in the context by question", report.by_probe))
    causes = Table("cause", "", title="causes", title_justify="left")
    for name, count in report.by_cause.items():
        causes.add_row(name, str(count))
    console.print(causes)
    table = Table("", "", "95 %", title=f"{report.data}: {report.conversations} conversations, {report.turns} turns")
    for name, meaning in MEANINGS.items():
        if report.scores[name].share.of:
            table.add_row(meaning, shown(report.scores[name].share), between(report.scores[name].interval))
    if report.probes_mrr is not None:
        table.add_row("mean of 1 / rank of the first hit with the answer", f"{report.probes_mrr:.3f}", "")
    if report.calls_per_turn is not None:
        table.add_row("calls of the model a turn", f"{report.calls_per_turn:.2f}", "")
        table.add_row("tokens a turn, asked and answered", f"{report.tokens_per_turn:.0f}", "")
    console.print(table)
