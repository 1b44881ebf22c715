"""Putting a context together under a token budget.

What the caller gives (system prompt, examples) and what must not be forgotten (pinned) are served first, then people,
recent turns, memories and the summary: each up to its share, and beyond it from what nobody else needs. So the
summary is the first to go when it does not fit, then memories, then raw turns.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, Literal

from gieok.domain.answer import SHARES, Block, Caps, Context, Hit, Message, shared_out
from gieok.domain.turn import CHARACTER, USER, Turn
from gieok.language.token_count import estimate_tokens
from gieok.recall.materials import Materials, is_caution
from gieok.recall.pages import Count
from gieok.recall.ranking import Ranked
from gieok.recall.wording import Wording, quoted
from gieok.recall.writing import Scribe

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
    scribe = Scribe(materials=materials, caps=caps, wording=wording, count=count, without=without)
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


def _hit(known: Ranked | Hit) -> Hit:
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
