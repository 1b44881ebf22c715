"""Writing the blocks of a context, one after another: what stands in one is not said again in the next."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final

from gieok.domain.answer import Block, Caps, Item, LeftOut
from gieok.domain.memory import Memory
from gieok.domain.turn import Turn
from gieok.language.text import fold
from gieok.recall.gathering import surely_covered
from gieok.recall.materials import Materials, is_caution
from gieok.recall.noted import Noted
from gieok.recall.pages import Count, Page, beginning, excerpt
from gieok.recall.wording import Wording, begun, brief_line, line, pinned_line, quoted, speaker

_LINES: Final[Noted[Item, tuple[str, int]]] = Noted()
_WORDS: Final[Noted[Item, tuple[str, str]]] = Noted()
_SCRAP: Final = 40  #: tokens; in less room, the beginning of a turn tells nothing


@dataclass(kw_only=True)
class Scribe:
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
        return told is not None and surely_covered(item.content if isinstance(item, Memory) else item.text, told)

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
