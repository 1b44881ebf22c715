"""Putting a context together under a token budget."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import tzinfo
from typing import Final, Literal

from gieok.domain.answer import Block, Context, Hit, LeftOut, Message
from gieok.domain.attributes import attribute
from gieok.domain.budget import SHARES, Caps, allotted
from gieok.domain.memory import Memory
from gieok.domain.scope import Scope
from gieok.domain.turn import CHARACTER, USER, Turn
from gieok.language.token_count import estimate_tokens
from gieok.recall.coverage import surely_covered
from gieok.recall.wording import Wording, line, pinned_line, quoted, speaker

_PINNED_ORDER: Final = {"caution": 0, "identity": 1}


@dataclass(frozen=True, slots=True, kw_only=True)
class Materials:
    """What there is to say."""

    query: str
    scope: Scope
    pinned: Sequence[Memory]
    hits: Sequence[Hit]
    known: Sequence[Hit]  #: facts about the user that fill what room is left, nearest to the question first
    turns: Sequence[Turn]  #: oldest first
    zone: tzinfo
    degraded: tuple[str, ...] = ()


@dataclass(slots=True)
class _Page:
    """Lines that are written while there is room."""

    heading: str
    room: int
    tokens: int = 0
    lines: list[str] = field(default_factory=list)
    items: list[str] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)

    def offer(self, item_id: str, text: str, *, longest: int | None = None) -> None:
        cost = estimate_tokens(text + "\n") + (0 if self.lines else estimate_tokens(self.heading + "\n"))
        if longest is not None and cost > longest:
            self.left_out.append(LeftOut(item_id=item_id, why="item_too_long"))
        elif self.tokens + cost > self.room:
            self.left_out.append(LeftOut(item_id=item_id, why="over_budget"))
        else:
            self.lines.append(text)
            self.items.append(item_id)
            self.tokens += cost

    def block(self, name: str) -> Block:
        text = "\n".join([self.heading, *self.lines]) if self.lines else ""
        return Block(name=name, text=text, tokens=self.tokens, items=tuple(self.items), left_out=tuple(self.left_out))


def assembled(materials: Materials, *, budget: int, caps: Caps, wording: Wording) -> Context:
    """Return the context for `materials` in at most `budget` tokens, a tenth of them kept free for the reply."""
    message = Block(name="message", text=materials.query, tokens=estimate_tokens(materials.query))
    left = budget - int(budget * SHARES["reply"]) - message.tokens - estimate_tokens(wording.preface)

    pinned = _pinned(materials, room=min(caps.pinned, left), wording=wording)
    memories, talk, quoted_turns = _around(materials, pinned, left - pinned.tokens, caps, wording)
    spare = left - pinned.tokens - memories.tokens - talk.tokens
    if pinned.left_out and spare > 0:  # what nobody else needs is for what must not be forgotten
        pinned = _pinned(materials, room=pinned.tokens + spare, wording=wording)
        memories, talk, quoted_turns = _around(materials, pinned, left - pinned.tokens, caps, wording)

    preface = _preface(wording, pinned, memories)
    blocks = (preface, pinned, memories, talk, message)
    system = "\n\n".join(block.text for block in (preface, pinned, memories) if block.text)
    return Context(
        query=materials.query,
        blocks=blocks,
        messages=_messages(system, quoted_turns, materials.query),
        hits=tuple(
            hit
            for hit in (*materials.hits, *materials.known)
            if hit.item.id in {*pinned.items, *memories.items, *talk.items}
        ),
        budget=budget,
        degraded=(*materials.degraded, *_shortfalls(materials, message, pinned, budget)),
    )


def _around(
    materials: Materials, pinned: Block, left: int, caps: Caps, wording: Wording
) -> tuple[Block, Block, list[Turn]]:
    """Return the memories, the talk and the turns quoted in it that fit beside `pinned` in `left` tokens."""
    told = [memory for memory in materials.pinned if memory.id in pinned.items]
    shown = {*pinned.items, *_said_in(materials.turns)}
    hits = [hit for hit in materials.hits if hit.item.id not in shown and not _told(hit, told)]
    shown |= {hit.item.id for hit in hits}
    hits += [hit for hit in materials.known if hit.item.id not in shown]
    lines = [line(hit.item, wording, materials.scope, materials.zone) for hit in hits]
    wants = {
        "memories": min(_tokens([wording.memories, *lines]), caps.memories),
        "talk": _tokens([wording.talk, *(_turn_text(turn, wording, materials.scope) for turn in materials.turns)]),
    }
    given = allotted(left, wants, SHARES)
    page = _Page(heading=wording.memories, room=given["memories"])
    for hit, text in zip(hits, lines, strict=True):
        page.offer(hit.item.id, text, longest=caps.memory_item)
    memories = page.block("memories")
    talk, turns = _talk(materials, room=left - memories.tokens, wording=wording)
    return memories, talk, turns


def _shortfalls(materials: Materials, message: Block, pinned: Block, budget: int) -> Iterator[str]:
    """Yield, in words, what the budget was too small for."""
    if message.tokens > budget:
        yield f"the question alone takes {message.tokens} of {budget} tokens"
    left_out = {each.item_id for each in pinned.left_out}
    cautions = sum(_is_caution(memory) for memory in materials.pinned if memory.id in left_out)
    if cautions:
        yield f"{cautions} cautions did not fit into {budget} tokens"


def _said_in(turns: Iterable[Turn]) -> Iterator[str]:
    return (utterance.id for turn in turns for utterance in turn.utterances)


def _told(hit: Hit, memories: Iterable[Memory]) -> bool:
    return surely_covered(hit.text, [memory for memory in memories if hit.item.id in memory.sources])


def _preface(wording: Wording, *blocks: Block) -> Block:
    text = wording.preface if any(block.text for block in blocks) else ""
    return Block(name="preface", text=text, tokens=estimate_tokens(text))


def _pinned(materials: Materials, *, room: int, wording: Wording) -> Block:
    page = _Page(heading=wording.pinned, room=room)
    for memory in sorted(materials.pinned, key=_pinned_rank):
        text = pinned_line(memory, wording)
        if _is_caution(memory) and page.room > 0 and estimate_tokens(text) > page.room // 2:
            text = _cut(text, page.room // 2)  # half a caution is better than none
        page.offer(memory.id, text)
    return page.block("pinned")


def _cut(text: str, tokens: int) -> str:
    """Return the beginning of `text` that takes at most `tokens`."""
    kept = len(text)
    while kept > 1 and estimate_tokens(text[:kept] + "…") > tokens:
        kept = kept * 3 // 4
    return text[:kept] + "…"


def _is_caution(memory: Memory) -> bool:
    return memory.attribute is not None and attribute(memory.attribute).category == "caution"


def _pinned_rank(memory: Memory) -> tuple[int, float, str]:
    category = attribute(memory.attribute).category if memory.attribute else ""
    return (_PINNED_ORDER.get(category, 2), -memory.importance, memory.id)


def _talk(materials: Materials, *, room: int, wording: Wording) -> tuple[Block, list[Turn]]:
    """Return the newest turns that fit, oldest first."""
    page = _Page(heading=wording.talk, room=room)
    kept: list[Turn] = []
    for turn in reversed(materials.turns):
        before = len(page.lines)
        page.offer(turn.id, _turn_text(turn, wording, materials.scope))
        if len(page.lines) == before:
            break
        kept.append(turn)
    page.lines.reverse()
    kept.reverse()
    page.items = [utterance.id for turn in kept for utterance in turn.utterances]
    return page.block("talk"), kept


def _turn_text(turn: Turn, wording: Wording, scope: Scope) -> str:
    return "\n".join(f"{speaker(each.speaker, wording, scope)}: {quoted(each.text)}" for each in turn.utterances)


def _messages(system: str, turns: Iterable[Turn], query: str) -> tuple[Message, ...]:
    messages = [Message(role="system", content=system)] if system else []
    for turn in turns:
        for utterance in turn.utterances:
            spoken_by: Literal["user", "assistant"] = "assistant" if utterance.speaker == CHARACTER else "user"
            named = utterance.speaker in (USER, CHARACTER)
            text = utterance.text if named else f"{quoted(utterance.speaker)}: {utterance.text}"
            messages.append(Message(role=spoken_by, content=text))
    return (*messages, Message(role="user", content=query))


def _tokens(texts: Iterable[str]) -> int:
    return sum(estimate_tokens(text + "\n") for text in texts)
