"""Contexts: what there is to say, how each line reads, and what of it fits into the budget."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, tzinfo
from functools import cache, cached_property, lru_cache
from itertools import takewhile
from typing import TYPE_CHECKING, Final

from gieok.domain.answer import SHARES, Block, Caps, Context, Hit, Item, LeftOut, Message, Why, share_budget
from gieok.domain.apply import PAIR
from gieok.domain.attributes import attribute
from gieok.domain.entity import Entity
from gieok.domain.memory import Memory
from gieok.domain.noticed import Noticed
from gieok.domain.operation import Learn
from gieok.domain.relationship import Manners, Relationship, Speech
from gieok.domain.scene import Scene, last_time
from gieok.domain.scope import Scope
from gieok.domain.state import DIRECTOR, Key, Note, ScopeState, StateRecord
from gieok.domain.turn import CHARACTER, USER, Turn, Utterance
from gieok.language.passage import now_words
from gieok.language.text import fold
from gieok.language.token_count import estimate_tokens
from gieok.language.wording import closeness, last_time_words
from gieok.ports import View
from gieok.prompts.data import UNSEEN, Quoted, seen
from gieok.recall.gather import Candidate, covered, still_supported
from gieok.words import Language, Words, words_in

if TYPE_CHECKING:
    from gieok.prompts.tasks import Compressed


_PINNED_ORDER: Final = {"caution": 0, "identity": 1}
_TOUCHES: Final = 0.3  #: cosine from which on a memory has to do with the question, though they share no word


@dataclass(frozen=True, slots=True, kw_only=True)
class Materials:
    """What there is to say."""

    query: str
    scope: Scope
    pinned: Sequence[Memory]
    hits: Sequence[Candidate | Hit]  #: what was selected outright, then what was found, best first
    known: Sequence[Candidate | Hit]  #: facts about the user that fill what room is left, nearest to the question first
    turns: Sequence[Turn]  #: oldest first
    now: datetime  #: by the clock that days are named by
    system: str = ""  #: the caller's own prompt: it is taken whole or not at all, and never quoted
    examples: Sequence[str] = ()  #: the caller's own, too
    people: Sequence[str] = ()  #: who is there, how the two stand, how they feel: a line each
    summary: str = ""
    briefs: Sequence[Compressed] = ()  #: what some of the hits say in fewer words; each names first the first of them
    degraded: tuple[str, ...] = ()

    def pinned_in_order(self) -> list[Memory]:
        """Return what is always there: caution first, then identity, then the rest."""
        return sorted(self.pinned, key=lambda each: (_PINNED_ORDER.get(category(each), 2), -each.importance, each.id))

    def hits_in_order(self) -> list[Candidate | Hit]:
        """Return what was selected, then the cautions that touch the question, then the rest as it is ranked."""

        def place(hit: Candidate | Hit) -> int:
            if isinstance(hit, Hit) and any(found.source == "included" for found in hit.why):
                return 0
            if category(hit.item) != "caution":
                return 2
            parts = hit.parts if isinstance(hit, Hit) else hit
            return 1 if parts.keyword > 0 or parts.graph > 0 or parts.relevance >= _TOUCHES else 2

        return sorted(self.hits, key=place)


def category(item: Item) -> str:
    """Return the category of a memory's attribute, such as "caution" or "identity"; "" where it has none."""
    return attribute(item.attribute).category if isinstance(item, Memory) and item.attribute else ""


Count = Callable[[str], int]  #: how many tokens a text costs

_SENTENCE: Final = re.compile(r"[^.!?…\n]+[.!?…\n]*")
_MORE: Final = "…"


@dataclass(slots=True)
class Page:
    """Lines under a heading that are written while there is room."""

    heading: str
    room: int
    count: Count
    full: Why = "over_budget"  #: what is said of what finds no room
    tokens: int = 0
    lines: list[str] = field(default_factory=list)
    items: list[str] = field(default_factory=list)
    shortened: list[str] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)

    def cost(self, text: str, alone: int | None = None) -> int:
        """Return what `text` would cost here; the heading is paid for by the first line."""
        heading = self.count(self.heading + "\n") if self.heading and not self.lines else 0
        return (self.count(text + "\n") if alone is None else alone) + heading

    def fits(self, text: str) -> bool:
        return self.tokens + self.cost(text) <= self.room

    def offer(self, item_id: str, text: str, alone: int | None = None, *, shortened: bool = False) -> bool:
        """Write `text` if there is room for it; say whether there was. `alone` is its cost without the heading."""
        cost = self.cost(text, alone)
        if self.tokens + cost > self.room:
            self.leave_out(item_id, self.full)
            return False
        self.tokens += cost
        self.lines.append(text)
        self.items.append(item_id)
        if shortened:
            self.shortened.append(item_id)
        return True

    def leave_out(self, item_id: str, why: Why) -> None:
        self.left_out.append(LeftOut(item_id=item_id, why=why))

    def block(self, name: str) -> Block:
        heading = [self.heading] if self.heading else []
        return Block(
            name=name,
            text="\n".join([*heading, *self.lines]) if self.lines else "",
            tokens=self.tokens,
            items=tuple(self.items),
            shortened=tuple(self.shortened),
            left_out=tuple(self.left_out),
        )


def excerpt(text: str, near: str, tokens: int, count: Count) -> str:
    """Return what of `text` fits into `tokens`: the sentence most like `near`, and as many around it as there is room.

    Whole sentences, because half a sentence may say the opposite: in Korean its "not" comes last. Only where one
    sentence alone is too long, its beginning stands for it. "…" shows that something is missing.
    """
    if count(text) <= tokens:
        return text
    parts = [part.strip() for part in _SENTENCE.findall(text) if part.strip()]
    if not parts:
        return beginning(text, tokens, count)
    wanted = _pairs(near)
    first = max(range(len(parts)), key=lambda place: (len(wanted & _pairs(parts[place])), -place))
    last = first
    shown = _between(parts, first, last)
    if count(shown) > tokens:
        return beginning(parts[first], tokens, count)
    for place in [*range(first + 1, len(parts)), *reversed(range(first))]:
        if place not in (first - 1, last + 1):
            continue  # the one beside it did not fit
        wider = (min(first, place), max(last, place))
        if count(_between(parts, *wider)) <= tokens:
            first, last = wider
            shown = _between(parts, first, last)
    return shown


def beginning(text: str, tokens: int, count: Count) -> str:
    """Return the beginning of `text` that takes at most `tokens`, where possible up to the end of a word."""
    if count(text) <= tokens:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if count(text[:middle] + _MORE) <= tokens else (low, middle - 1)
    kept = text[:low].rstrip()
    word_end = kept.rfind(" ")
    if not text[len(kept) :][:1].isspace() and word_end > len(kept) // 2:
        kept = kept[:word_end]
    return kept + _MORE if kept else ""


def _between(parts: list[str], first: int, last: int) -> str:
    before = f"{_MORE} " if first > 0 else ""
    after = f" {_MORE}" if last < len(parts) - 1 else ""
    return before + " ".join(parts[first : last + 1]) + after


def _pairs(text: str) -> set[str]:
    """Return the pairs of neighbouring letters in `text`: enough to tell which sentence speaks of the same."""
    plain = "".join(text.casefold().split())
    return {plain[place : place + 2] for place in range(len(plain) - 1)}


#: What looks like a mark of a chat format, by which models tell who speaks: <|im_start|>, <</SYS>>, <tool_call>,
#: [INST], [|system|], ]~b]. Which words are marks differs from model to model.
_CHAT_MARK: Final = re.compile(
    r"[<＜](?=[|｜])|[<＜]{1,2}/?[A-Za-z_][^<>＜＞]{0,80}[>＞]{1,2}|\[(?=\||e~\[)|\[/?[a-z]?[A-Z][A-Z0-9_]{2,40}\]|"
    r"\](?=~!?b[\[\]])"
)
_HARMLESS: Final = str.maketrans("<＜>＞[]", "‹‹››()")
_BOLD: Final = re.compile(r"\*{2,}")
#: Whatever `quoted` may have to change, except for blanks; most texts hold none of it.
_ODD: Final = re.compile(f'[{UNSEEN}*"`<＜\\[\\]]')
_PARTIES: Final = frozenset({"user", "character", "world"})
_TOLD_ANEW: Final = frozenset({"summary", "profile"})


Wording = Mapping[str, str]  #: the words around the memories in one "language"; see `context.headings` of its words


@cache
def wording_in(language: Language) -> Wording:
    return {"language": language, **words_in(language).some("context.headings")}


def line(
    item: Item,
    wording: Wording,
    scope: Scope,
    now: datetime,
    text: str | None = None,
    answers: Utterance | None = None,
    taken_back: Utterance | None = None,
) -> str:
    """Return one line for a memory or an utterance; `text` stands in for its words, `answers` is its question.

    `taken_back` is what took the words back; they are never quoted without it.

    Days go by the calendar of `now`, those of another year with the year. What is no longer true is dated from and to,
    what is doubtful marked. A summary is told in its newer words, an event with what the character thinks of it.
    """
    before, words, after = _parts_of_line(item, wording, scope, now, text, answers, taken_back)
    return f"{before}{quoted(words)}{after}"


def _parts_of_line(
    item: Item,
    wording: Wording,
    scope: Scope,
    now: datetime,
    text: str | None = None,
    answers: Utterance | None = None,
    taken_back: Utterance | None = None,
) -> tuple[str, str, str]:
    """Return what stands before the words of a line, the words, and what stands behind them."""
    if isinstance(item, Utterance):
        after = '"'
        if answers is not None:
            asked_by, question = speaker(answers.speaker, wording, scope), quoted(answers.text)
            after = f"{after} {wording['answering'].format(who=asked_by, question=question)}"
        if taken_back is not None:
            day = _day(taken_back.at, now.tzinfo, now.year)
            after = f"{after} {wording['taken_back'].format(day=day, said=quoted(taken_back.text))}"
        who = speaker(item.speaker, wording, scope)
        return f'- {who} ({_day(item.at, now.tzinfo, now.year)}): "', item.text if text is None else text, after
    if text is None:
        text = item.content
        if item.interpretation is not None:
            retold = item.content_type in _TOLD_ANEW
            seen_so = f"{text} ({wording['seen'].format(thought=item.interpretation)})"
            text = item.interpretation if retold else seen_so
    until = "" if item.invalid_at is None else f"–{_day(item.invalid_at, now.tzinfo, now.year)}"
    unsure = f" {wording['unsure']}" if item.doubtful else ""
    since = _day(item.known_at, now.tzinfo, now.year)
    return f"- ({whose(item, wording, scope)}, {since}{until}) ", text, f"{_by_now(item, wording, now)}{unsure}"


@lru_cache(maxsize=4096)
def _written(before: str, words: str, after: str, count: Count) -> tuple[str, int]:
    """Return a line and what it costs: the next context offers most of them again."""
    text = f"{before}{quoted(words)}{after}"
    return text, count(text + "\n")


def _by_now(memory: Memory, wording: Wording, now: datetime) -> str:
    moved = now_words(memory, now, "en" if wording["language"] == "en" else "ko")
    return f" ({moved})" if moved else ""


def brief_line(items: Sequence[Item], text: str, wording: Wording, scope: Scope, now: datetime) -> str:
    """Return one line for what `items`, which are all about or by the same one, say in fewer words."""
    moments = sorted(item.known_at if isinstance(item, Memory) else item.at for item in items)
    days = dict.fromkeys(_day(moment, now.tzinfo, now.year) for moment in (moments[0], moments[-1]))
    return f"- ({whose(items[0], wording, scope)}, {'–'.join(days)}) {quoted(text)}"


def pinned_line(memory: Memory, wording: Wording, now: datetime) -> str:
    """Return one line for what is always there: caution named as such, identity in bold."""
    text = f"({subject(memory, wording)}) {quoted(memory.content)}{_by_now(memory, wording, now)}"
    if category(memory) == "caution":
        return f"- {wording['caution']}: {text}"
    return f"- **{text}**" if category(memory) == "identity" else f"- {text}"


def whose(item: Item, wording: Wording, scope: Scope) -> str:
    """Return whom a memory is about (of an opinion: whose about whom), or who said something."""
    if isinstance(item, Utterance):
        return speaker(item.speaker, wording, scope)
    about = subject(item, wording)
    return f"{speaker(item.speaker, wording, scope)} → {about}" if item.content_type == "opinion" else about


def subject(memory: Memory, wording: Wording) -> str:
    return wording[memory.subject] if memory.subject in _PARTIES else quoted(memory.subject_id)


def speaker(who: str, wording: Wording, scope: Scope) -> str:
    if who == USER:
        return wording["user"]
    return scope.character or wording["character"] if who == CHARACTER else quoted_at_start(who)


@lru_cache(maxsize=4096)  # a context dates a hundred lines, and the next one most of them again
def _day(moment: datetime, zone: tzinfo | None, this_year: int) -> str:
    day = moment.astimezone(zone)
    return f"{day:%m-%d}" if day.year == this_year else f"{day:%Y-%m-%d}"


@lru_cache(maxsize=4096)
def quoted(text: str) -> str:
    """Return `text` on one line, without what nobody sees.

    No mark is left in it that could end the quotation, start a heading or pass for another speaker.
    """
    if _ODD.search(text) is None:
        return " ".join(text.split())
    line = _BOLD.sub("*", " ".join(seen(text).split())).replace('"', "”").replace("```", "'''")
    return _CHAT_MARK.sub(lambda mark: mark[0].translate(_HARMLESS), line)


def quoted_at_start(text: str) -> str:
    """Return `text` quoted for the start of a line, where it could also pass for a heading."""
    line = quoted(text)
    return f"({line[1:]}" if line.startswith("[") else line


_SCRAP: Final = 40  #: tokens; in less room, the beginning of a turn tells nothing
_SHORTEST_LINE: Final = "- (., 01-01) ."  #: whatever is recalled takes a longer one


@dataclass(kw_only=True)
class ContextWriter:
    """Writes the blocks of one context, in the order of `wants`."""

    materials: Materials
    caps: Caps
    wording: Wording
    count: Count
    without: frozenset[str] = frozenset()  #: blocks that are not wanted
    turns: list[Turn] = field(default_factory=list)  #: those quoted, as far as they are
    _told: dict[str, list[Memory]] = field(default_factory=dict)  #: pinned ones that stand in it, by their sources
    _lines: dict[str, tuple[str, int]] = field(default_factory=dict)  #: of what was recalled, and what they cost
    _told_for: dict[str, Item] = field(default_factory=dict)  #: what a brief says for another, by id
    _shown: set[str] = field(default_factory=set)  #: ids of what stands in it …
    _words: set[tuple[str, str]] = field(default_factory=set)  #: … and whose words

    def system(self, room: int) -> Block:
        text = self.materials.system
        cost = self.count(text + "\n\n") if text else 0
        if cost > max(room, 0):  # half a prompt may mean something else: all of it or nothing
            return Block(name="system", text="", tokens=0, left_out=(LeftOut(item_id="system", why="over_budget"),))
        return Block(name="system", text=text, tokens=cost)

    def wants(self) -> dict[str, int]:
        """Return what each block would cost if all of it fitted, in the order in which they are written."""
        materials = self.materials
        costs: dict[str, Iterator[int]] = {
            "pinned": (self._cost(text) for _, text in self._pinned),
            "people": map(self._cost, materials.people),
            "examples": map(self._cost, materials.examples),
            "talk": (self._cost(self._turn_text(turn)) for turn in materials.turns),
            "memories": (min(self._line(item)[1], self.caps.memory_item) for item in self._recalled.values()),
            "summary": (self._cost(quoted_at_start(text)) for text in (materials.summary,) if text),
        }
        return {name: 0 if name in self.without else self._wanted(name, each) for name, each in costs.items()}

    def _wanted(self, name: str, costs: Iterator[int]) -> int:
        most = self.caps.memories if name == "memories" else None
        total = 0
        for cost in costs:
            total += cost if total else self._cost(self.wording[name]) + cost
            if most is not None and total >= most:
                return most
        return total

    def _ids(self, name: str) -> Iterable[str]:
        """Return what the parts of a block go by."""
        materials = self.materials
        match name:
            case "pinned":
                return [memory.id for memory, _ in self._pinned]
            case "talk":
                return [turn.id for turn in materials.turns]
            case "memories":
                return self._recalled
            case "summary":
                return ["summary"] if materials.summary else []
        texts = materials.people if name == "people" else materials.examples
        return [f"{name}:{number}" for number, _ in enumerate(texts, start=1)]

    def pinned_floor(self, room: int) -> int:
        """Return what pinned memories may count on: their cap, of a small budget half, but room for every caution."""
        return min(self.caps.pinned, max(room // 2, self._cautions))

    def block(self, name: str, room: int) -> Block:
        page = Page(heading=self.wording[name], room=room, count=self.count)
        texts = {"people": self.materials.people, "examples": self.materials.examples}.get(name)
        if name in self.without:
            for item_id in self._ids(name):
                page.leave_out(item_id, "block_off")
        elif texts is not None:
            for number, text in enumerate(texts, start=1):
                page.offer(f"{name}:{number}", text)
            page.items.clear()  # they are no items of the bank
        else:
            write = {
                "pinned": self._write_pinned,
                "talk": self._write_talk,
                "memories": self._write_memories,
                "summary": self._write_summary,
            }
            write[name](page)
        return page.block(name)

    @cached_property
    def _pinned(self) -> list[tuple[Memory, str]]:
        return [
            (memory, pinned_line(memory, self.wording, self.materials.now))
            for memory in self.materials.pinned_in_order()
        ]

    @cached_property
    def _cautions(self) -> int:
        """What all cautions cost."""
        costs = [self._cost(text) for memory, text in self._pinned if category(memory) == "caution"]
        return self._cost(self.wording["pinned"]) + sum(costs) if costs else 0

    @cached_property
    def _briefs(self) -> dict[str, Compressed]:
        """What says some of the hits in fewer words, by the id of the first of them."""
        return {brief.memory_ids[0]: brief for brief in self.materials.briefs}

    @cached_property
    def _questions(self) -> dict[str, Utterance]:
        """The question of each short answer among the hits, by the id of the answer."""
        return {hit.item.id: hit.answers for hit in self.materials.hits if hit.answers is not None}

    @cached_property
    def _retractions(self) -> dict[str, Utterance]:
        """What took something back, by the id of the utterance that had told it."""
        return {hit.item.id: hit.taken_back for hit in self.materials.hits if hit.taken_back is not None}

    @cached_property
    def _recalled(self) -> dict[str, Item]:
        """What was recalled and what else is known, by id, without what a brief says for another."""
        items = {hit.item.id: hit.item for hit in self.materials.hits_in_order()}
        for hit in self.materials.known:
            items.setdefault(hit.item.id, hit.item)
        for id in (id for brief in self.materials.briefs for id in brief.memory_ids[1:]):
            self._told_for[id] = items.pop(id)
        return items

    def _line(self, item: Item) -> tuple[str, int]:
        """Return the line for something that was recalled, and what that costs."""
        written = self._lines.get(item.id)
        if written is None:
            around = (self.wording, self.materials.scope, self.materials.now)
            if (brief := self._briefs.get(item.id)) is not None:
                items = [item, *(self._told_for[id] for id in brief.memory_ids[1:])]
                text = brief_line(items, brief.content, *around)
                written = (text, self._cost(text))
            else:
                asked, taken_back = self._questions.get(item.id), self._retractions.get(item.id)
                parts = _parts_of_line(item, *around, answers=asked, taken_back=taken_back)
                written = _written(*parts, self.count)
            self._lines[item.id] = written
        return written

    def _write_pinned(self, page: Page) -> None:
        tight = self._cautions > page.room
        for memory, text in self._pinned:
            if not self._is_new(memory):
                page.leave_out(memory.id, "said_elsewhere")
                continue
            long = tight and category(memory) == "caution" and self._cost(text) > page.room // 2
            if long:  # half a caution is better than none
                text = beginning(text, page.room // 2, self.count) or text
            if page.offer(memory.id, text, shortened=long):
                self._note(memory)
                for source in dict.fromkeys(memory.sources):
                    self._told.setdefault(source, []).append(memory)

    def _write_talk(self, page: Page) -> None:
        """Write the newest turns that fit, oldest first; of a last turn that is too long, its beginning."""
        full = False
        for newest, turn in enumerate(reversed(self.materials.turns)):
            text = self._turn_text(turn)
            if newest == 0 and page.room >= _SCRAP and not page.fits(text):
                turn = self._shortened(turn, page.room - page.cost(""))
                page.shortened += [each.id for each in turn.utterances]
                text = self._turn_text(turn)
            full = full or not turn.utterances or not page.fits(text)
            if full:
                page.leave_out(turn.id, "over_budget")
                continue
            page.offer(turn.id, text)
            self.turns.insert(0, turn)
        page.lines.reverse()
        quoted_ones = [utterance for turn in self.turns for utterance in turn.utterances]
        page.items = [utterance.id for utterance in quoted_ones]
        page.shortened = [each for each in page.shortened if each in page.items]
        for utterance in quoted_ones:
            self._note(utterance)

    def _shortened(self, turn: Turn, room: int) -> Turn:
        """Return `turn` with the beginning of each utterance, all of them in `room` tokens."""
        kept = []
        left = room
        for place, utterance in enumerate(turn.utterances):
            named = self._cost(f"{speaker(utterance.speaker, self.wording, self.materials.scope)}: ")
            share = left // (len(turn.utterances) - place) - named
            text = beginning(utterance.text, share, self.count)
            if text:
                kept.append(replace(utterance, text=text))
                left -= self.count(text) + named
        return replace(turn, utterances=tuple(kept))

    def _write_memories(self, page: Page) -> None:
        page.full = "over_cap" if page.room >= self.caps.memories else "over_budget"
        page.room = min(page.room, self.caps.memories)
        shortest = self._cost(_SHORTEST_LINE)
        for item in self._recalled.values():
            if (brief := self._briefs.get(item.id)) is not None:
                self._write_brief(page, brief.memory_ids, self._line(item)[0])
                continue
            told, words = self._told.get(item.id), item.content if isinstance(item, Memory) else item.text
            if not self._is_new(item) or (told is not None and covered(words, told, surely=True)):
                page.leave_out(item.id, "said_elsewhere")
                continue
            if page.lines and page.tokens + shortest > page.room:  # whatever the line would say
                page.leave_out(item.id, page.full)
                continue
            text, cost = self._line(item)
            long = cost > self.caps.memory_item
            if long:
                text = self._quoted_in_part(item, words)
                cost = self._cost(text)
            if not text:
                page.leave_out(item.id, "item_too_long")
            elif page.offer(item.id, text, cost, shortened=long):
                self._note(item)
                question = None if long else self._questions.get(item.id)
                if question is not None and self._is_new(question):
                    page.items.append(question.id)
                    self._note(question)

    def _write_brief(self, page: Page, ids: Sequence[str], text: str) -> None:
        first, *others = ids
        if page.offer(first, text, shortened=True):
            page.items += others
            page.shortened += others
            self._shown.update(ids)
        else:
            for id in others:
                page.leave_out(id, page.full)

    def _quoted_in_part(self, item: Item, words: str) -> str:
        """Return a line with what of `item` speaks of the question; "" where too little of it would be left.

        Of what somebody said any part may be quoted. A memory is one statement: with less than half of it one
        cannot tell any more what it states.
        """
        around = (self.wording, self.materials.scope, self.materials.now)
        taken_back = self._retractions.get(item.id)
        room = self.caps.memory_item - self._cost(line(item, *around, "", taken_back=taken_back))
        part = excerpt(words, self.materials.query, room, self.count) if room > 0 else ""
        if not part or (isinstance(item, Memory) and 2 * len(part) < len(words)):
            return ""
        return line(item, *around, part, taken_back=taken_back)

    def _write_summary(self, page: Page) -> None:
        text = quoted_at_start(self.materials.summary)
        if text:
            fits = page.fits(text)
            part = text if fits else excerpt(text, self.materials.query, page.room - page.cost(""), self.count)
            page.offer("summary", part if 2 * len(part) >= len(text) else text, shortened=not fits)
        page.items.clear()

    def _is_new(self, item: Item) -> bool:
        return item.id not in self._shown and _folded_words(item) not in self._words

    def _note(self, item: Item) -> None:
        self._shown.add(item.id)
        self._words.add(_folded_words(item))

    def _turn_text(self, turn: Turn) -> str:
        scope = self.materials.scope
        return "\n".join(
            f"{speaker(each.speaker, self.wording, scope)}: {quoted(each.text)}" for each in turn.utterances
        )

    def _cost(self, text: str) -> int:
        return self.count(text + "\n")


def _folded_words(item: Item) -> tuple[str, str]:
    """Return whom `item` is about or by, and what it says: whatever agrees in both says the same thing."""
    if isinstance(item, Memory):
        return (f"about {item.subject_id}", fold(item.content))
    return (f"by {item.speaker}", fold(item.text))


#: Caller's words first, and outside of what the preface calls material.
_ORDER: Final = ("system", "examples", "preface", "pinned", "people", "memories", "summary", "talk", "message")
_SAID: Final = ("talk", "message")  #: messages of their own


def assembled(
    materials: Materials,
    *,
    budget: int,
    caps: Caps,
    wording: Wording,
    count: Count = estimate_tokens,
    without: frozenset[str] = frozenset(),
) -> Context:
    """Return the context for `materials` in at most `budget` tokens, a tenth of them kept free for the reply.

    What the blocks of `without` would have taken is for the others.
    """
    writer = ContextWriter(materials=materials, caps=caps, wording=wording, count=count, without=without)
    message = Block(name="message", text=materials.query, tokens=count(materials.query))
    room = budget - int(budget * SHARES["reply"]) - message.tokens
    system = writer.system(room)
    preface = Block(name="preface", text=wording["preface"], tokens=count(wording["preface"] + "\n\n"))
    room -= system.tokens + preface.tokens

    wants = writer.wants()
    shares = {name: int(budget * SHARES[name]) for name in ("people", "examples", "memories")}
    talk = max(int(budget * SHARES["talk"]) - message.tokens, 0)  # one share for message, turns and summary together
    floors = {**shares, "pinned": writer.pinned_floor(room), "talk": talk, "summary": max(talk - wants["talk"], 0)}
    given = share_budget(room, wants, {name: floors[name] for name in wants})
    spare = 0  # a block seldom fills its room to the last token: what it leaves is for the next
    blocks = {"system": system, "message": message}
    for name in wants:
        blocks[name] = writer.block(name, given[name] + spare)
        spare += given[name] - blocks[name].tokens
    recalled = any(blocks[name].text for name in ("pinned", "people", "memories", "summary"))
    blocks["preface"] = preface if recalled else Block(name="preface", text="", tokens=0)

    shown = tuple(blocks[name] for name in _ORDER)
    items = {item for block in shown for item in block.items}
    found = (hit for hit in (*materials.hits, *materials.known) if hit.item.id in items)
    return Context(
        query=materials.query,
        blocks=shown,
        messages=_messages([block for block in shown if block.name not in _SAID], writer.turns, materials.query),
        hits=tuple(hit if isinstance(hit, Hit) else hit.hit() for hit in found),
        budget=budget,
        degraded=(*materials.degraded, *_shortfalls(materials, blocks, budget)),
    )


def _shortfalls(materials: Materials, blocks: Mapping[str, Block], budget: int) -> Iterator[str]:
    """Yield, in words, what the budget was too small for."""
    message = blocks["message"].tokens
    if message > budget:
        yield f"the question alone takes {message} of {budget} tokens"
    if blocks["system"].left_out:
        yield f"the system prompt did not fit into {budget} tokens"
    left_out = {each.item_id for each in blocks["pinned"].left_out}
    cautions = sum(category(memory) == "caution" for memory in materials.pinned if memory.id in left_out)
    if cautions:
        yield f"{cautions} cautions did not fit into {budget} tokens"


def _messages(blocks: Iterable[Block], turns: Iterable[Turn], query: str) -> tuple[Message, ...]:
    system = "\n\n".join(block.text for block in blocks if block.text)
    messages = [Message(role="system", content=system)] if system else []
    for utterance in (each for turn in turns for each in turn.utterances):
        named = utterance.speaker in (USER, CHARACTER)
        text = utterance.text if named else f"{quoted(utterance.speaker)}: {utterance.text}"
        messages.append(Message(role="assistant" if utterance.speaker == CHARACTER else "user", content=text))
    return (*messages, Message(role="user", content=query))


_LONGEST: Final = 80  #: tokens of one


@dataclass(frozen=True, slots=True, kw_only=True)
class Quoter:
    """How items are quoted to a model that is asked about `query`."""

    query: str
    scope: Scope
    now: datetime  #: by the clock that days are named by
    language: Language

    def of(self, item: Item) -> Quoted:
        text, said_at = (item.content, item.known_at) if isinstance(item, Memory) else (item.text, item.at)
        return Quoted(
            id=item.id,
            text=excerpt(text, self.query, _LONGEST, estimate_tokens),
            day=said_at.astimezone(self.now.tzinfo).date(),
            about=whose(item, wording_in(self.language), self.scope),
        )


_MOST_PEOPLE: Final = 3
_SCENES: Final = 12  #: among which the last meeting is looked for
_FELT: Final = 0.3  #: a weaker feeling is not worth a line
_LIVING: Final = ("relationship", "manners", "scene", "entity")
_LOOKED_BACK: Final = 100  #: moves of a kind, and turns, that are looked through for how it was earlier


def visible_scenes(view: View, scenes: Sequence[Scene]) -> list[Scene]:
    """Return `scenes` without the topics that came up in no other turn than those whose words were forgotten."""
    if not scenes:
        return []
    since, until = min(scene.started_at for scene in scenes), max(scene.last_at for scene in scenes)
    hushed = [
        (turn.number if (turn := view.turn(each)) else 0, _noticed(view, each))
        for each in _silenced(view, since, until)
    ]
    told = []
    for scene in scenes:
        here = (set(noticed.topics) for number, noticed in hushed if scene.first_turn <= number <= scene.last_turn)
        gone = Counter(topic for topics in here for topic in topics)
        counts = tuple((topic, times - gone[topic]) for topic, times in scene.counts if times > gone[topic])
        told.append(replace(scene, counts=counts))
    return told


def forgotten_notes(view: View) -> frozenset[str]:
    """Return what was noted of people in turns whose words were forgotten."""
    noticed = (_noticed(view, turn_id) for turn_id in _silenced(view))
    return frozenset(mention.note for each in noticed for mention in each.mentions if mention.note)


def _silenced(view: View, since: datetime | None = None, until: datetime | None = None) -> list[str]:
    """Return the ids of the turns between two moments with words that were forgotten."""
    silent = view.forgotten_words()
    items = view.items(view.refs(silent).values()).values() if silent else ()
    said = (each for each in items if isinstance(each, Utterance))
    within = (each for each in said if (since is None or since <= each.at) and (until is None or each.at <= until))
    return list(dict.fromkeys(each.turn_id for each in within))


def _noticed(view: View, turn_id: str) -> Noticed:
    operation = view.operation_of(turn_id)
    noticed = operation.request.noticed if operation is not None and isinstance(operation.request, Learn) else None
    return noticed or Noticed()


def state_lines(view: View, scope: Scope, query: str, language: Language, now: datetime) -> list[str]:
    """Return what to say of the two and of the people that `query` names; nothing where nothing is known."""
    words = words_in(language)
    state = ScopeState(view.cached("how things stand", lambda: _standing(view)))
    if view.latest_at is not None and now < view.latest_at:  # what came later is not so yet
        for kind in _LIVING:
            newest_first = reversed(view.moves(kind, limit=_LOOKED_BACK))
            state.absorb(each.move.inverse for each in takewhile(lambda each: each.at > now, newest_first))
        scenes = visible_scenes(view, [scene for _, scene in state.all(Scene)])
    else:
        scenes = view.cached("told scenes", lambda: visible_scenes(view, [scene for _, scene in state.all(Scene)]))
    note = state.get(Note, DIRECTOR)  # of use if it was left after the very last turn, and that turn is past
    noted = note is not None and note.text and note.turn_number == view.turn_number and not (note.at and note.at > now)
    lines = [
        *_pair_lines(state, words, language),
        *_feelings(view, words, now),
        *([words("context.state.note", note=note.text.replace("'", "’"))] if note is not None and noted else []),
        *_scenes(scenes, words, language, now, scope),
        *_people(view, state, query, words),
    ]
    return [quoted_at_start(line) for line in lines]


def _standing(view: View) -> list[tuple[Key, StateRecord]]:
    return [
        *view.state_records_by_key([("relationship", PAIR), ("manners", PAIR), ("note", DIRECTOR)]).items(),
        *((("scene", id), scene) for id, scene in view.last_state_records("scene", _SCENES)),
        *view.state_records("entity").items(),
    ]


def rolling_summary(view: View, now: datetime) -> str:
    """Return the story so far, as upkeep last put it, and in a model's words where it was told anew."""
    rolling = [each for each in view.conclusions() if "rolling" in each.tags and each.true_at(now)]
    newest = next((each for each in reversed(rolling) if still_supported(view, each, now)), None)
    return (newest.interpretation or newest.content) if newest else ""


def _pair_lines(state: ScopeState, words: Words, language: str) -> Iterator[str]:
    relationship = state.get(Relationship, PAIR)
    if relationship is not None:
        yield words("context.state.relationship", closeness=closeness(relationship, language))
    manners = state.get(Manners, PAIR)
    if manners is not None:
        lines = [_speech_line(manners.user, words, USER), _speech_line(manners.character, words, CHARACTER)]
        if any(lines):
            yield words("context.state.manners", manners=", ".join(line for line in lines if line))


def _speech_line(speech: Speech, words: Words, party: str) -> str:
    """Return how one of the two speaks to the other and what they call them; "" where neither is known."""
    style = words.some("context.state.styles").get(speech.style.value, "") if speech.style is not None else ""
    address = speech.address.value if speech.address is not None else ""
    known = "both" if style and address else "style" if style else "address" if address else None
    if known is None:
        return ""
    quote = "'" if words.language == "ko" else '"'
    return words(f"context.speech.{party}.{known}", style=style, address=f"{quote}{address}{quote}")


def _feelings(view: View, words: Words, now: datetime) -> Iterator[str]:
    later = view.latest_at is not None and now < view.latest_at
    heard = [each for each in view.noticed(limit=_LOOKED_BACK if later else 1) if each.at <= now]
    for felt in heard[-1].noticed.felt if heard else ():
        shows = felt.emotion != "neutral" and felt.intensity >= _FELT
        if felt.speaker in (USER, CHARACTER) and shows:
            yield words(f"context.feelings.{felt.speaker}.{felt.emotion}")


def _scenes(scenes: Sequence[Scene], words: Words, language: str, now: datetime, scope: Scope) -> Iterator[str]:
    if scenes and scenes[-1].ended_at is None and (scenes[-1].place or scenes[-1].daytime):
        here = scenes[-1]
        yield words("context.state.scene", scene=" · ".join(part for part in (here.place, here.daytime) if part))
    before = last_time(scenes)
    if before is not None and language == "ko":
        parties = (USER, CHARACTER, scope.character or CHARACTER)
        yield last_time_words(before, zone=now.tzinfo, today=now, parties=parties)


def _people(view: View, state: ScopeState, query: str, words: Words) -> Iterator[str]:
    named = [
        entity
        for _, entity in state.all(Entity)
        if any(name and name in query for name in (entity.name, entity.display_name, *entity.aliases))
    ]
    hushed = view.cached("hushed notes", lambda: forgotten_notes(view)) if named else frozenset()
    for entity in sorted(named, key=lambda each: -each.interactions)[:_MOST_PEOPLE]:
        interests = [note.text for note in entity.interests if note.text not in hushed]
        told = [
            entity.summary,
            words.some("context.state.sentiments")[entity.sentiment_label()],
            words("context.state.interests", interests=", ".join(interests[-5:])) if interests else "",
            ", ".join([note.text for note in entity.personality if note.text not in hushed][-5:]),
        ]
        if any(told):
            yield f"{entity.display_name}: {' · '.join(each for each in told if each)}"
