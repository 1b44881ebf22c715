"""Whole contexts as a model reads them, and the rules that hold whatever there is to say."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.domain.answer import SHARES, Block, Caps, Context
from gieok.domain.memory import Memory
from gieok.language.text import fold
from gieok.language.token_count import estimate_tokens
from gieok.recall.context import Materials, assembled, wording_in
from gieok.testing import day
from gieok.testing.builders import SEOUL
from support.rich_contexts import CAPS, ENGLISH, KOREAN, SCOPE, fact, hit, said, talk

STORIES = {"ko": KOREAN, "en": ENGLISH}


def context(materials: Materials, budget: int, *, language: str = "ko", caps: Caps = CAPS) -> Context:
    return assembled(materials, budget=budget, caps=caps, wording=wording_in(language))


def blocks(context: Context) -> dict[str, Block]:
    return {block.name: block for block in context.blocks}


def accounts(context: Context) -> str:
    """Return what each block cost and what was left out of it, as a person would list it."""
    lines = [f"{context.tokens} of {context.budget} tokens", *context.degraded]
    for block in context.blocks:
        lines.append(f"{block.name} {block.tokens}")
        lines += [f"  shortened: {item}" for item in block.shortened]
        lines += [f"  left out: {each.item_id} ({each.why})" for each in block.left_out]
    return "\n".join(lines)


@pytest.mark.parametrize("language", STORIES)
@pytest.mark.parametrize("budget", [150, 400, 4_096])
def test_a_rich_story_reads_like_this(language: str, budget: int, golden: Callable[[str, str], None]) -> None:
    whole = context(STORIES[language], budget, language=language)
    golden(f"rich.{language}.{budget}.txt", f"{whole.text}\n\n=====\n{accounts(whole)}")


def test_a_system_prompt_is_whole_or_not_there_and_its_lack_is_told() -> None:
    tight = context(KOREAN, 60)

    assert blocks(tight)["system"].text == ""
    assert "the system prompt did not fit into 60 tokens" in tight.degraded
    assert context(KOREAN, 400).text.startswith(KOREAN.system)


def test_selected_items_come_first_then_cautions_that_touch_the_question() -> None:
    memories = blocks(context(KOREAN, 4_096))["memories"]

    assert memories.items[:3] == ("past", "allergy-새우를 못 먹음", "likes-떡볶이를 좋아함")
    assert "(상대, 03-02–03-12) 부산에 살았음" in memories.text


def test_the_summary_goes_first_then_memories_then_turns() -> None:
    """The longer the caller's own prompt, the less room for the rest."""
    bare = replace(KOREAN, examples=[], people=[], pinned=[])

    def gone_at(name: str) -> int:
        prompts = range(0, 600, 5)
        return next(size for size in prompts if not blocks(context(replace(bare, system="가" * size), 600))[name].text)

    assert gone_at("summary") < gone_at("memories") < gone_at("talk")


def test_a_hit_whose_turn_had_no_room_is_quoted_among_the_memories() -> None:
    long = talk(("가" * 300, "네"), ("나" * 30, "네"))
    first = long[0].utterances[0]
    materials = replace(KOREAN, pinned=[], hits=[hit(first)], known=[], turns=long, system="", summary="")
    roomy, tight = blocks(context(materials, 4_096)), blocks(context(materials, 400))

    assert first.id in roomy["talk"].items
    assert first.id not in roomy["memories"].items
    assert first.id not in tight["talk"].items
    assert first.id in tight["memories"].items


def test_all_cautions_are_there_though_half_the_budget_is_not_enough_for_them() -> None:
    pinned = [fact(f"{food} 알레르기가 있음", "allergy", pinned=True) for food in ("땅콩", "새우", "우유", "밀가루")]
    tight = blocks(context(replace(KOREAN, system="", pinned=pinned), 150))["pinned"]

    assert len(tight.items) == 4


def test_pinned_memories_overflow_into_what_nobody_needs() -> None:
    pinned = [fact(f"{number}번째로 꼭 기억할 일이 있음", id=f"pin-{number}", pinned=True) for number in range(60)]
    alone = replace(KOREAN, pinned=pinned, system="", examples=[], people=[], summary="", hits=[], known=[], turns=[])
    crowded = blocks(context(replace(alone, turns=talk(*[("가" * 40, "나" * 40)] * 20), hits=KOREAN.hits), 1_500))

    assert blocks(context(alone, 4_096))["pinned"].tokens > CAPS.pinned
    assert crowded["pinned"].left_out
    assert crowded["talk"].tokens > int(1_500 * SHARES["talk"]) - 120
    assert not any(each.why == "over_budget" for each in crowded["memories"].left_out)


words = st.text(st.sampled_from('가나다 라마바.!? abc\n"*`#…'), min_size=1, max_size=400).filter(str.strip)
attributes = st.sampled_from([None, "name", "likes", "allergy", "promise"])
memories = st.builds(
    lambda number, content, attribute: fact(content, attribute, id=f"{number}:{attribute}:{content}"),
    st.integers(0, 2),
    words,
    attributes,
)
turns = st.lists(st.tuples(words, words), max_size=4).map(lambda lines: talk(*lines))
spoken = st.builds(said, words)
materials = st.builds(
    lambda pinned, found, heard, known, turns, texts, quote: Materials(
        query=texts[0],
        scope=SCOPE,
        now=day(30).astimezone(SEOUL),
        pinned=list({memory.id: memory for memory in pinned}.values()),
        hits=[hit(item) for item in [*found, *heard, *(turn.utterances[0] for turn in turns if quote)]],
        known=[hit(item) for item in known],
        turns=turns,
        system=texts[1],
        summary=texts[2],
        people=texts[3:4],
        examples=texts[4:],
    ),
    st.lists(memories, max_size=5),
    st.lists(memories, max_size=8),
    st.lists(spoken, max_size=4),
    st.lists(memories, max_size=4),
    turns,
    st.lists(words, min_size=5, max_size=6),
    st.booleans(),
)
budgets = st.one_of(st.integers(1, 400), st.integers(400, 6_000))


@given(materials, budgets)
def test_no_context_is_larger_than_its_budget_and_its_blocks_say_what_they_cost(
    materials: Materials, budget: int
) -> None:
    whole = context(materials, budget)
    spent = {block.name: block.tokens for block in whole.blocks if block.name != "message"}

    assert sum(spent.values()) <= budget - int(budget * SHARES["reply"])
    assert spent["memories"] <= CAPS.memories
    assert all(estimate_tokens(block.text) <= block.tokens for block in whole.blocks)
    assert estimate_tokens(whole.text) <= whole.tokens + 2 * len(whole.blocks)


@given(materials, budgets)
def test_nothing_is_said_twice_and_nothing_disappears_without_a_word(materials: Materials, budget: int) -> None:
    whole = context(materials, budget)
    items = [item for block in whole.blocks for item in block.items]
    left_out = {each.item_id for block in whole.blocks for each in block.left_out}
    shown = {hit.item.id: hit.item for hit in (*materials.hits, *materials.known)} | {
        memory.id: memory for memory in materials.pinned
    }
    facts = [shown[item] for item in items if isinstance(shown.get(item), Memory)]

    assert len(items) == len(set(items))
    assert len({(fact.subject_id, fold(fact.content)) for fact in facts if isinstance(fact, Memory)}) == len(facts)
    assert set(shown) <= {*items, *left_out}
    assert {turn.id for turn in materials.turns} <= {*(item.split("/")[0] for item in items), *left_out}


@given(materials, st.integers(1, 2_000))
def test_whatever_goes_the_summary_goes_first_and_turns_last(materials: Materials, budget: int) -> None:
    """A block that got more than its share leaves nobody hungry who is sacrificed after it."""
    got = blocks(context(materials, budget))
    talk_share = int(budget * SHARES["talk"])
    missing = {name: any(each.why == "over_budget" for each in got[name].left_out) for name in got}
    longest = {
        "talk": max((estimate_tokens(f"{turn.utterances}") for turn in materials.turns), default=0),
        "memories": CAPS.memory_item + estimate_tokens("[떠오르는 기억]\n"),
    }

    if missing["talk"]:  # memories have at most their share, and what was too little for one more turn
        assert got["memories"].tokens <= int(budget * SHARES["memories"]) + longest["talk"]
        assert got["summary"].tokens <= talk_share + longest["talk"] + longest["memories"]
    if missing["memories"] and got["memories"].tokens + longest["memories"] < CAPS.memories:
        assert got["summary"].tokens <= talk_share + longest["memories"] + longest["talk"]
