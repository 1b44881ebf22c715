"""What there is to say in a context, before anybody asks what it costs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, tzinfo
from functools import cache, cached_property, lru_cache
from itertools import takewhile
from typing import TYPE_CHECKING, Final, Literal

from gieok.domain.answer import SHARES, Block, Caps, Context, Hit, Item, LeftOut, Message, Why, shared_out
from gieok.domain.apply import PAIR
from gieok.domain.attributes import attribute
from gieok.domain.emotion import Felt
from gieok.domain.entity import Entity
from gieok.domain.memory import Memory
from gieok.domain.noticed import Noticed
from gieok.domain.operation import Learn
from gieok.domain.relationship import Manners, Relationship, Speech
from gieok.domain.scene import Scene, last_time
from gieok.domain.scope import Scope
from gieok.domain.state import DIRECTOR, Key, Note, ScopeState, StateRecord
from gieok.domain.turn import CHARACTER, USER, Turn, Utterance
from gieok.language.text import fold
from gieok.language.token_count import estimate_tokens
from gieok.language.wording import closeness, last_time_words
from gieok.ports import View
from gieok.prompts.data import Quoted, seen
from gieok.recall.gather import Candidate, IdentityCache, covered, still_supported
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
    hits: Sequence[Hit]  #: what was selected outright, then what was found, best first
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
        return sorted(self.pinned, key=_pinned_rank)

    def hits_in_order(self) -> Iterator[Hit]:
        """Yield what was selected, then the cautions that touch the question, then the rest as it is ranked."""
        selected = [hit for hit in self.hits if any(found.source == "included" for found in hit.why)]
        found = [hit for hit in self.hits if hit not in selected] if selected else self.hits
        warning: list[Hit] = []
        rest: list[Hit] = []
        for hit in found:
            (warning if _warns(hit) else rest).append(hit)
        yield from (*selected, *warning, *rest)


def is_caution(memory: Memory) -> bool:
    return _category(memory) == "caution"


def _warns(hit: Hit) -> bool:
    if not isinstance(hit.item, Memory) or not is_caution(hit.item):
        return False
    return hit.parts.keyword > 0 or hit.parts.graph > 0 or hit.parts.relevance >= _TOUCHES


def _category(memory: Memory) -> str:
    return attribute(memory.attribute).category if memory.attribute else ""


def _pinned_rank(memory: Memory) -> tuple[int, float, str]:
    return (_PINNED_ORDER.get(_category(memory), 2), -memory.importance, memory.id)


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


#: What begins a mark of a chat format, by which models tell who speaks: <|im_start|>, [INST], [|system|].
_CHAT_MARK: Final = re.compile(
    r"[<＜](?=[|｜]|<SYS>|/?(?:s|bos|eos|(?:start|end)_of_turn|think)>)|\[(?=\||/?(?:INST|SYSTEM_PROMPT|TOOL_\w+)\])"
)
_HARMLESS: Final = {"<": "‹", "＜": "‹", "[": "("}
_BOLD: Final = re.compile(r"\*{2,}")
_TOLD_ANEW: Final = frozenset({"summary", "profile"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """The words around the memories, in one language."""

    preface: str
    pinned: str
    people: str
    examples: str
    memories: str
    summary: str
    talk: str
    caution: str
    user: str
    character: str
    world: str
    seen: str  #: what the character thinks of an event


@cache
def wording_in(language: Language) -> Wording:
    return Wording(**words_in(language).some("context.headings"))


def line(item: Item, wording: Wording, scope: Scope, now: datetime, text: str | None = None) -> str:
    """Return one line for a memory or an utterance; `text` stands in for its words.

    Days go by the calendar of `now`, those of another year with the year. What is no longer true is dated from and to.
    """
    if isinstance(item, Utterance):
        who, said = speaker(item.speaker, wording, scope), quoted(item.text if text is None else text)
        return f'- {who} ({_day(item.at, now)}): "{said}"'
    about = whose(item, wording, scope)
    until = "" if item.invalid_at is None else f"–{_day(item.invalid_at, now)}"
    return f"- ({about}, {_day(item.known_at, now)}{until}) {quoted(_told(item, wording) if text is None else text)}"


def _told(memory: Memory, wording: Wording) -> str:
    """Return what a memory says: a summary as it was told anew, an event with what the character thinks of it."""
    if memory.interpretation is None:
        return memory.content
    if memory.content_type in _TOLD_ANEW:
        return memory.interpretation
    return f"{memory.content} ({wording.seen.format(thought=memory.interpretation)})"


def brief_line(items: Sequence[Item], text: str, wording: Wording, scope: Scope, now: datetime) -> str:
    """Return one line for what `items`, which are all about or by the same one, say in fewer words."""
    moments = sorted(item.known_at if isinstance(item, Memory) else item.at for item in items)
    days = dict.fromkeys(_day(moment, now) for moment in (moments[0], moments[-1]))
    return f"- ({whose(items[0], wording, scope)}, {'–'.join(days)}) {quoted(text)}"


def pinned_line(memory: Memory, wording: Wording) -> str:
    """Return one line for what is always there: caution named as such, identity in bold."""
    text = f"({subject(memory, wording)}) {quoted(memory.content)}"
    category = attribute(memory.attribute).category if memory.attribute else None
    if category == "caution":
        return f"- {wording.caution}: {text}"
    return f"- **{text}**" if category == "identity" else f"- {text}"


def whose(item: Item, wording: Wording, scope: Scope) -> str:
    """Return whom a memory is about (of an opinion: whose about whom), or who said something."""
    if isinstance(item, Utterance):
        return speaker(item.speaker, wording, scope)
    about = subject(item, wording)
    return f"{speaker(item.speaker, wording, scope)} → {about}" if item.content_type == "opinion" else about


def subject(memory: Memory, wording: Wording) -> str:
    match memory.subject:
        case "user":
            return wording.user
        case "character":
            return wording.character
        case "world":
            return wording.world
        case _:
            return quoted(memory.subject_id)


def speaker(who: str, wording: Wording, scope: Scope) -> str:
    if who == USER:
        return wording.user
    return scope.character or wording.character if who == CHARACTER else begun(who)


def _day(moment: datetime, now: datetime) -> str:
    return _named_day(moment, now.tzinfo, now.year)


@lru_cache(maxsize=4096)  # a context dates a hundred lines, and the next one most of them again
def _named_day(moment: datetime, zone: tzinfo | None, this_year: int) -> str:
    day = moment.astimezone(zone)
    return f"{day:%m-%d}" if day.year == this_year else f"{day:%Y-%m-%d}"


def quoted(text: str) -> str:
    """Return `text` on one line, without what nobody sees.

    No mark is left in it that could end the quotation, start a heading or pass for another speaker.
    """
    line = _BOLD.sub("*", " ".join(seen(text).split())).replace('"', "”").replace("```", "'''")
    return _CHAT_MARK.sub(lambda mark: _HARMLESS[mark[0]], line)


def begun(text: str) -> str:
    """Return `text` quoted, as the beginning of a line: there it could also pass for a heading."""
    line = quoted(text)
    return f"({line[1:]}" if line.startswith("[") else line


_LINES: Final[IdentityCache[Item, tuple[str, int]]] = IdentityCache()
_WORDS: Final[IdentityCache[Item, tuple[str, str]]] = IdentityCache()
_SCRAP: Final = 40  #: tokens; in less room, the beginning of a turn tells nothing


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
        wording, materials = self.wording, self.materials
        recalled = [min(cost, self.caps.memory_item) for _, _, cost in self._hit_lines]
        summary = [begun(materials.summary)] if materials.summary else []
        wants = {
            "pinned": self._want(wording.pinned, [text for _, text in self._pinned_lines]),
            "people": self._want(wording.people, materials.people),
            "examples": self._want(wording.examples, materials.examples),
            "talk": self._want(wording.talk, [self._turn_text(turn) for turn in materials.turns]),
            "memories": min(self._cost(wording.memories) + sum(recalled), self.caps.memories) if recalled else 0,
            "summary": self._want(wording.summary, summary),
        }
        return {name: 0 if name in self.without else want for name, want in wants.items()}

    def pinned_floor(self, room: int) -> int:
        """Return what pinned memories may count on: their cap, of a small budget half, but room for every caution."""
        return min(self.caps.pinned, max(room // 2, self._cautions))

    def block(self, name: str, room: int) -> Block:
        write: dict[str, Callable[[int], Page]] = {
            "pinned": self._pinned,
            "people": lambda room: self._texts("people", self.wording.people, self.materials.people, room),
            "examples": lambda room: self._texts("examples", self.wording.examples, self.materials.examples, room),
            "talk": self._talk,
            "memories": self._memories,
            "summary": self._summary,
        }
        return self._unwanted(name) if name in self.without else write[name](room).block(name)

    def _unwanted(self, name: str) -> Block:
        """Return the block without a word in it, and with all that might have stood there left out."""
        materials = self.materials
        numbered = {"people": materials.people, "examples": materials.examples}
        ids = {
            "pinned": [memory.id for memory, _ in self._pinned_lines],
            "talk": [turn.id for turn in materials.turns],
            "memories": [item.id for item, _, _ in self._hit_lines],
            "summary": ["summary"] if materials.summary else [],
        } | {block: [f"{block}:{number}" for number, _ in enumerate(texts, 1)] for block, texts in numbered.items()}
        left_out = tuple(LeftOut(item_id=item_id, why="block_off") for item_id in ids[name])
        return Block(name=name, text="", tokens=0, left_out=left_out)

    @cached_property
    def _pinned_lines(self) -> list[tuple[Memory, str]]:
        return [(memory, pinned_line(memory, self.wording)) for memory in self.materials.pinned_in_order()]

    @cached_property
    def _cautions(self) -> int:
        """What all cautions cost."""
        return self._want(self.wording.pinned, [text for memory, text in self._pinned_lines if is_caution(memory)])

    @cached_property
    def _hit_lines(self) -> list[tuple[Item, str, int]]:
        """What was recalled and what else is known, the line for each, and what that costs."""
        items = {hit.item.id: hit.item for hit in self.materials.hits_in_order()}
        for hit in self.materials.known:
            items.setdefault(hit.item.id, hit.item)
        lines = {id: (item, *self._line(item)) for id, item in items.items()}
        for brief in self.materials.briefs:
            first, *others = brief.memory_ids
            text = self._brief_line([items[id] for id in brief.memory_ids], brief.content)
            lines[first] = (items[first], text, self._cost(text))
            for id in others:
                del lines[id]
        return [*lines.values()]

    def _pinned(self, room: int) -> Page:
        page = self._page(self.wording.pinned, room)
        tight = self._cautions > room
        for memory, text in self._pinned_lines:
            if not self._new(memory):
                page.leave_out(memory.id, "said_elsewhere")
                continue
            long = tight and is_caution(memory) and self._cost(text) > room // 2
            if long:  # half a caution is better than none
                text = beginning(text, room // 2, self.count) or text
            if page.offer(memory.id, text, shortened=long):
                self._note(memory)
                for source in dict.fromkeys(memory.sources):
                    self._told.setdefault(source, []).append(memory)
        return page

    def _texts(self, name: str, heading: str, texts: Sequence[str], room: int) -> Page:
        page = self._page(heading, room)
        for number, text in enumerate(texts, start=1):
            page.offer(f"{name}:{number}", text)
        page.items.clear()  # they are no items of the bank
        return page

    def _talk(self, room: int) -> Page:
        """Write the newest turns that fit, oldest first; of a last turn that is too long, its beginning."""
        page = self._page(self.wording.talk, room)
        full = False
        for newest, turn in enumerate(reversed(self.materials.turns)):
            text = self._turn_text(turn)
            if newest == 0 and room >= _SCRAP and not page.fits(text):
                short = self._shortened(turn, room - page.cost(""))
                page.shortened += [each.id for each in short.utterances]
                turn, text = short, self._turn_text(short)
            full = full or not turn.utterances or not page.fits(text)
            if full:
                page.leave_out(turn.id, "over_budget")
                continue
            page.offer(turn.id, text)
            self.turns.insert(0, turn)
        page.lines.reverse()
        page.items = [utterance.id for turn in self.turns for utterance in turn.utterances]
        page.shortened = [each for each in page.shortened if each in page.items]
        for turn in self.turns:
            for utterance in turn.utterances:
                self._note(utterance)
        return page

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

    def _memories(self, room: int) -> Page:
        page = self._page(self.wording.memories, min(room, self.caps.memories))
        page.full = "over_cap" if room >= self.caps.memories else "over_budget"
        for item, text, cost in self._hit_lines:
            if item.id in self._briefs:
                self._offer_brief(page, self._briefs[item.id], text)
                continue
            if not self._new(item) or self._covered(item):
                page.leave_out(item.id, "said_elsewhere")
                continue
            long = cost > self.caps.memory_item
            if long:
                text = self._quoted_in_part(item)
                cost = self._cost(text)
            if not text:
                page.leave_out(item.id, "item_too_long")
            elif page.offer(item.id, text, cost, shortened=long):
                self._note(item)
        return page

    @cached_property
    def _briefs(self) -> dict[str, tuple[str, ...]]:
        """The items that each brief stands for, by the first of them."""
        return {brief.memory_ids[0]: brief.memory_ids for brief in self.materials.briefs}

    def _offer_brief(self, page: Page, ids: Sequence[str], text: str) -> None:
        first, *others = ids
        if page.offer(first, text, shortened=True):
            page.items += others
            page.shortened += others
            self._shown.update(ids)
        else:
            for id in others:
                page.leave_out(id, page.full)

    def _quoted_in_part(self, item: Item) -> str:
        """Return a line with what of `item` speaks of the question; "" where too little of it would be left.

        Of what somebody said any part may be quoted. A memory is one statement: with less than half of it one
        cannot tell any more what it states.
        """
        whole = item.content if isinstance(item, Memory) else item.text
        room = self.caps.memory_item - self._cost(self._line_with(item, ""))
        part = excerpt(whole, self.materials.query, room, self.count) if room > 0 else ""
        if not part or (isinstance(item, Memory) and 2 * len(part) < len(whole)):
            return ""
        return self._line_with(item, part)

    def _summary(self, room: int) -> Page:
        page = self._page(self.wording.summary, room)
        text = begun(self.materials.summary)
        if text:
            fits = page.fits(text)
            part = text if fits else excerpt(text, self.materials.query, room - page.cost(""), self.count)
            page.offer("summary", part if 2 * len(part) >= len(text) else text, shortened=not fits)
        page.items.clear()
        return page

    def _new(self, item: Item) -> bool:
        return item.id not in self._shown and _words(item) not in self._words

    def _covered(self, item: Item) -> bool:
        """Whether pinned memories in the context say all that an utterance says."""
        told = self._told.get(item.id)
        return told is not None and covered(item.content if isinstance(item, Memory) else item.text, told, surely=True)

    def _note(self, item: Item) -> None:
        self._shown.add(item.id)
        self._words.add(_words(item))

    def _page(self, heading: str, room: int) -> Page:
        return Page(heading=heading, room=room, count=self.count)

    def _line(self, item: Item) -> tuple[str, int]:
        """Return the line for `item`, and what it costs."""
        return _LINES.note(item, self._new_line, by=self._written_by)

    def _new_line(self, item: Item) -> tuple[str, int]:
        text = self._line_with(item)
        return text, self._cost(text)

    def _line_with(self, item: Item, text: str | None = None) -> str:
        return line(item, self.wording, self.materials.scope, self.materials.now, text)

    @cached_property
    def _written_by(self) -> tuple[Hashable, ...]:
        """All that a line depends on beside its item."""
        now = self.materials.now
        return (self.wording.preface, self.materials.scope.character, now.tzinfo, now.year, self.count)

    def _brief_line(self, items: Sequence[Item], text: str) -> str:
        return brief_line(items, text, self.wording, self.materials.scope, self.materials.now)

    def _turn_text(self, turn: Turn) -> str:
        scope = self.materials.scope
        return "\n".join(
            f"{speaker(each.speaker, self.wording, scope)}: {quoted(each.text)}" for each in turn.utterances
        )

    def _want(self, heading: str, texts: Iterable[str]) -> int:
        costs = [self._cost(text) for text in texts]
        return self._cost(heading) + sum(costs) if costs else 0

    def _cost(self, text: str) -> int:
        return self.count(text + "\n")


def _words(item: Item) -> tuple[str, str]:
    """Return whom `item` is about or by, and what it says: whatever agrees in both says the same thing."""
    return _WORDS.note(item, _folded_words)


def _folded_words(item: Item) -> tuple[str, str]:
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
    scribe = ContextWriter(materials=materials, caps=caps, wording=wording, count=count, without=without)
    message = Block(name="message", text=materials.query, tokens=count(materials.query))
    room = budget - int(budget * SHARES["reply"]) - message.tokens
    system = scribe.system(room)
    preface = Block(name="preface", text=wording.preface, tokens=count(wording.preface + "\n\n"))
    room -= system.tokens + preface.tokens

    wants = scribe.wants()
    given = shared_out(room, wants, _floors(budget, message.tokens, wants, scribe.pinned_floor(room)))
    spare = 0  # a block seldom fills its room to the last token: what it leaves is for the next
    blocks = {"system": system, "message": message}
    for name in wants:
        blocks[name] = scribe.block(name, given[name] + spare)
        spare += given[name] - blocks[name].tokens
    recalled = any(blocks[name].text for name in ("pinned", "people", "memories", "summary"))
    blocks["preface"] = preface if recalled else Block(name="preface", text="", tokens=0)

    shown = tuple(blocks[name] for name in _ORDER)
    items = {item for block in shown for item in block.items}
    return Context(
        query=materials.query,
        blocks=shown,
        messages=_messages([block for block in shown if block.name not in _SAID], scribe.turns, materials.query),
        hits=tuple(_hit(hit) for hit in (*materials.hits, *materials.known) if hit.item.id in items),
        budget=budget,
        degraded=(*materials.degraded, *_shortfalls(materials, blocks, budget)),
    )


def _hit(known: Candidate | Hit) -> Hit:
    return known if isinstance(known, Hit) else known.hit()


def _floors(budget: int, message: int, wants: Mapping[str, int], pinned: int) -> dict[str, int]:
    """Return what each block may count on. Summary, recent turns and the new message have one share together."""
    talk = max(int(budget * SHARES["talk"]) - message, 0)
    return {
        "pinned": pinned,
        "people": int(budget * SHARES["people"]),
        "examples": int(budget * SHARES["examples"]),
        "talk": talk,
        "memories": int(budget * SHARES["memories"]),
        "summary": max(talk - wants["talk"], 0),
    }


def _shortfalls(materials: Materials, blocks: Mapping[str, Block], budget: int) -> Iterator[str]:
    """Yield, in words, what the budget was too small for."""
    message = blocks["message"].tokens
    if message > budget:
        yield f"the question alone takes {message} of {budget} tokens"
    if blocks["system"].left_out:
        yield f"the system prompt did not fit into {budget} tokens"
    left_out = {each.item_id for each in blocks["pinned"].left_out}
    cautions = sum(is_caution(memory) for memory in materials.pinned if memory.id in left_out)
    if cautions:
        yield f"{cautions} cautions did not fit into {budget} tokens"


def _messages(blocks: Iterable[Block], turns: Iterable[Turn], query: str) -> tuple[Message, ...]:
    system = "\n\n".join(block.text for block in blocks if block.text)
    messages = [Message(role="system", content=system)] if system else []
    for turn in turns:
        for utterance in turn.utterances:
            spoken_by: Literal["user", "assistant"] = "assistant" if utterance.speaker == CHARACTER else "user"
            named = utterance.speaker in (USER, CHARACTER)
            text = utterance.text if named else f"{quoted(utterance.speaker)}: {utterance.text}"
            messages.append(Message(role=spoken_by, content=text))
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
    hushed = [(_number(view, turn_id), _noticed(view, turn_id)) for turn_id in _turns(view, since, until)]
    return [_without(scene, hushed) for scene in scenes] if hushed else list(scenes)


def forgotten_notes(view: View) -> frozenset[str]:
    """Return what was noted of people in turns whose words were forgotten."""
    noticed = (_noticed(view, turn_id) for turn_id in _turns(view))
    return frozenset(mention.note for each in noticed for mention in each.mentions if mention.note)


def _turns(view: View, since: datetime | None = None, until: datetime | None = None) -> list[str]:
    """Return the ids of the turns between two moments with words that were forgotten."""
    silent = view.forgotten_words()
    items = view.items(view.refs(silent).values()).values() if silent else ()
    said = (each for each in items if isinstance(each, Utterance))
    within = (each for each in said if (since is None or since <= each.at) and (until is None or each.at <= until))
    return list(dict.fromkeys(each.turn_id for each in within))


def _number(view: View, turn_id: str) -> int:
    turn = view.turn(turn_id)
    return turn.number if turn is not None else 0


def _noticed(view: View, turn_id: str) -> Noticed:
    operation = view.operation_of(turn_id)
    noticed = operation.request.noticed if operation is not None and isinstance(operation.request, Learn) else None
    return noticed or Noticed()


def _without(scene: Scene, hushed: Sequence[tuple[int, Noticed]]) -> Scene:
    here = [set(noticed.topics) for number, noticed in hushed if scene.first_turn <= number <= scene.last_turn]
    gone = Counter(topic for topics in here for topic in topics)
    return replace(scene, counts=tuple((topic, n - gone[topic]) for topic, n in scene.counts if n > gone[topic]))


def state_lines(view: View, scope: Scope, query: str, language: Language, now: datetime) -> list[str]:
    """Return what to say of the two and of the people that `query` names; nothing where nothing is known."""
    words = words_in(language)
    life = ScopeState(view.cached("how things stand", lambda: _standing(view)))
    if view.latest_at is not None and now < view.latest_at:
        _restore_earlier(life, view, now)
        scenes = visible_scenes(view, [scene for _, scene in life.all(Scene)])
    else:
        scenes = view.cached("told scenes", lambda: visible_scenes(view, [scene for _, scene in life.all(Scene)]))
    lines = [
        *_pair_lines(life, words, language),
        *_feelings(view, words, now),
        *_director_lines(life, words, view.turn_number, now),
        *_scenes(scenes, words, language, now, scope),
        *_people(view, life, query, words),
    ]
    return [begun(line) for line in lines]


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


def _restore_earlier(life: ScopeState, view: View, now: datetime) -> None:
    """Have `life` stand as it did at `now`: what came later, as in a turn that is told anew, is not so yet."""
    for kind in _LIVING:
        newest_first = reversed(view.moves(kind, limit=_LOOKED_BACK))
        life.absorb(each.move.inverse for each in takewhile(lambda each: each.at > now, newest_first))


def _pair_lines(life: ScopeState, words: Words, language: str) -> Iterator[str]:
    relationship = life.get(Relationship, PAIR)
    if relationship is not None:
        yield words("context.state.relationship", closeness=closeness(relationship, language))
    manners = life.get(Manners, PAIR)
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
        if felt.speaker in (USER, CHARACTER) and _shows(felt):
            yield words(f"context.feelings.{felt.speaker}.{felt.emotion}")


def _director_lines(life: ScopeState, words: Words, turn_number: int, now: datetime) -> Iterator[str]:
    """Yield the director's note, if it was left after the very last turn, and that turn is past."""
    note = life.get(Note, DIRECTOR)
    if note is None or (note.at is not None and note.at > now):
        return
    if note.text and note.turn_number == turn_number:
        yield words("context.state.note", note=note.text.replace("'", "’"))


def _shows(felt: Felt) -> bool:
    return felt.emotion != "neutral" and felt.intensity >= _FELT


def _scenes(scenes: Sequence[Scene], words: Words, language: str, now: datetime, scope: Scope) -> Iterator[str]:
    if scenes and scenes[-1].ended_at is None and (scenes[-1].place or scenes[-1].daytime):
        here = scenes[-1]
        yield words("context.state.scene", scene=" · ".join(part for part in (here.place, here.daytime) if part))
    before = last_time(scenes)
    if before is not None and language == "ko":
        parties = (USER, CHARACTER, scope.character or CHARACTER)
        yield last_time_words(before, zone=now.tzinfo, today=now, parties=parties)


def _people(view: View, life: ScopeState, query: str, words: Words) -> Iterator[str]:
    named = [
        entity
        for _, entity in life.all(Entity)
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
