"""Writing the blocks of a context: what each would cost, what goes in, and what is cut.

A token is one letter here, so that every bound can be counted by hand.
"""

from __future__ import annotations

from typing import Any

import pytest

from gieok.domain.answer import Block, Caps, Found, Hit, Item, Source
from gieok.domain.memory import Memory
from gieok.domain.scope import Scope
from gieok.domain.scoring import Parts
from gieok.prompts.tasks import Compressed
from gieok.recall.context import ContextWriter, Materials, category, wording_in
from gieok.testing import day, memory, turn

SCOPE = Scope(user="minsu", character="letia")
KO = wording_in("ko")
PINNED, MEMORIES, TALK, SUMMARY = (len(each) + 1 for each in (KO["pinned"], KO["memories"], KO["talk"], KO["summary"]))
FACT_LINE = len("- (상대, 03-01) \n")  #: what a memory costs beside its words
SAID_LINE = len('- 상대 (03-01): ""\n')


def scribe(caps: Caps | None = None, **fields: Any) -> ContextWriter:
    hits = fields.pop("hits", ())
    about = {"query": "고양이", "scope": SCOPE, "pinned": (), "known": (), "turns": (), "now": day(9)}
    materials = Materials(**{**about, "hits": [hit(each) for each in hits], **fields})
    return ContextWriter(materials=materials, caps=caps or Caps(), wording=KO, count=len)


def said(text: str) -> Any:
    return turn(text).utterances[0]


def left_out(block: Block) -> dict[str, str]:
    return {each.item_id: each.why for each in block.left_out}


def test_half_a_long_caution_is_better_than_none_where_not_all_fit() -> None:
    long, short = caution("가나다라 " * 10), caution("땅콩")
    block = scribe(pinned=[long, short]).block("pinned", 60)

    assert block.shortened == (long.id,)
    assert block.text.splitlines()[1] == "- 주의: (상대) 가나다라 가나다라 가나다라…"
    assert scribe(pinned=[long, short]).block("pinned", 200).shortened == ()
    plain = memory("가나다라 " * 10, attribute="name")
    assert scribe(pinned=[plain, caution("땅콩 " * 20)]).block("pinned", 60).items[1:] == ()


def test_what_the_caller_gives_and_who_is_there_are_no_items_of_the_bank() -> None:
    people = scribe(people=["하나", "둘"]).block("people", 12)

    assert (people.text, people.items, left_out(people)) == (f"{KO['people']}\n하나", (), {"people:2": "over_budget"})
    assert scribe(examples=["보기"]).block("examples", 99).text == f"{KO['examples']}\n보기"


def test_the_newest_turns_that_fit_stand_oldest_first_and_none_beyond_a_gap() -> None:
    turns = [turn("가", id="t1"), turn("나" * 30, id="t2"), turn("다", id="t3"), turn("라", id="t4")]
    writer = scribe(turns=turns)
    block = writer.block("talk", TALK + 2 * len("상대: 가\n") + 10)

    assert block.text == f"{KO['talk']}\n상대: 다\n상대: 라"
    assert (block.items, block.shortened) == (("t3/0", "t4/0"), ())
    assert left_out(block) == {"t2": "over_budget", "t1": "over_budget"}
    assert [each.id for each in writer.turns] == ["t3", "t4"]


def test_of_a_last_turn_that_is_too_long_the_beginning_of_each_utterance_stands_in_at_least_forty_tokens() -> None:
    long = turn("가나다라 " * 20, "마바사아 " * 20, id="t1")
    block = scribe(turns=[turn("앞", id="t0"), long]).block("talk", 60)

    assert block.text.splitlines()[1:] == [
        "상대: 가나다라 가나다라 가나다라 가나다라…",
        "letia: 마바사아 마바사아 마바사아…",
    ]
    assert block.shortened == ("t1/0", "t1/1")
    assert block.tokens <= 60
    assert left_out(block) == {"t0": "over_budget"}
    assert scribe(turns=[long]).block("talk", 40).shortened != ()
    assert scribe(turns=[long]).block("talk", 39).items == ()


def test_memories_go_in_up_to_their_cap_and_each_once() -> None:
    first, again, second = memory("가나다"), memory("가나다"), memory("라마바")
    line = FACT_LINE + 3
    block = scribe(Caps(memories=MEMORIES + 2 * line), hits=[first, again, second, memory("사")]).block("memories", 999)

    assert block.items == (first.id, second.id)
    assert block.tokens == MEMORIES + 2 * line
    assert left_out(block)[again.id] == "said_elsewhere"
    assert scribe(hits=[first, second]).block("memories", MEMORIES + line).items == (first.id,)


def test_nothing_is_worded_once_the_room_is_full() -> None:
    worded: list[str] = []
    writer = scribe(Caps(memories=MEMORIES + 5 * (FACT_LINE + 6)), hits=[memory(f"기억 {n}") for n in range(100, 300)])
    writer.count = lambda text: worded.append(text) or len(text)  # type: ignore[func-returns-value]  # it is noted

    assert writer.wants()["memories"] == writer.caps.memories
    block = writer.block("memories", 999)
    assert (len(block.items), len(block.left_out)) == (5, 195)
    assert {*left_out(block).values()} == {"over_cap"}
    assert sum("기억 " in text for text in worded) == 5


def test_an_item_of_its_cap_is_whole_and_a_longer_one_is_quoted_in_part_if_that_leaves_half_of_a_memory() -> None:
    whole = memory("가" * 20)
    cap = Caps(memory_item=FACT_LINE + 20)
    assert scribe(cap, hits=[whole]).block("memories", 999).shortened == ()

    half = memory("고양이를 좋아함. " + "나" * 12)
    block = scribe(cap, hits=[half]).block("memories", 999)
    assert block.shortened == (half.id,)
    assert "고양이를 좋아함. …" in block.text
    less = memory("고양이를 좋아함. " + "나" * 13)
    assert left_out(scribe(cap, hits=[less]).block("memories", 999)) == {less.id: "item_too_long"}
    words = said("고양이를 좋아해. " + "나" * 60)
    assert scribe(cap, hits=[words]).block("memories", 999).shortened == (words.id,)


def test_words_that_pinned_memories_say_all_of_are_not_quoted_again() -> None:
    words, more = said("나 부산 살아"), said("나 부산 살아. 새우 먹으면 두드러기 나")
    fact = memory("부산에 삶", surface="부산", sources=(words.id, more.id))
    writer = scribe(pinned=[fact], hits=[words, more])
    writer.block("pinned", 999)

    block = writer.block("memories", 999)
    assert (block.items, left_out(block)) == ((more.id,), {words.id: "said_elsewhere"})
    assert scribe(pinned=[fact], hits=[words]).block("memories", 999).items == (words.id,), "it found no room above"


def test_a_brief_stands_for_its_items_or_all_of_them_are_left_out() -> None:
    one, two, three = memory("가" * 30), memory("나" * 30), memory("다")
    brief = Compressed(content="가와 나", memory_ids=(one.id, two.id))
    cost = MEMORIES + FACT_LINE + 4
    block = scribe(hits=[one, two, three], briefs=[brief]).block("memories", cost + FACT_LINE + 1)

    assert block.text.splitlines()[1:] == ["- (상대, 03-01) 가와 나", "- (상대, 03-01) 다"]
    assert (block.items, block.shortened) == ((one.id, two.id, three.id), (one.id, two.id))
    tight = scribe(hits=[one, two], briefs=[brief]).block("memories", cost - 1)
    assert left_out(tight) == {one.id: "over_budget", two.id: "over_budget"}


@pytest.mark.parametrize(("room", "text"), [(27, "가나다라. 고양이가 온다."), (26, "… 고양이가 온다."), (16, "")])
def test_a_summary_is_told_whole_or_in_the_half_that_speaks_of_the_question(room: int, text: str) -> None:
    block = scribe(summary="가나다라. 고양이가 온다.").block("summary", room)

    assert block.text == (f"{KO['summary']}\n{text}" if text else "")
    assert block.items == ()
    assert block.shortened == (("summary",) if text.startswith("…") else ())
    assert bool(block.left_out) is not bool(text)


def materials(*hits: Hit, pinned: tuple[Memory, ...] = ()) -> Materials:
    return Materials(query="", scope=SCOPE, pinned=pinned, hits=hits, known=(), turns=(), now=day(9))


def hit(item: Item, source: Source = "dense", **parts: float) -> Hit:
    return Hit(item=item, scope=SCOPE, score=0.5, parts=Parts(**parts), why=(Found(source=source, rank=1),))


def caution(text: str = "땅콩", **fields: Any) -> Memory:
    return memory(text, attribute="allergy", **fields)


def in_order(*hits: Hit) -> list[int]:
    """Return the places that the hits had."""
    return [hits.index(each) for each in materials(*hits).hits_in_order()]


def test_pinned_are_cautions_then_who_somebody_is_then_the_rest_each_by_importance_and_age() -> None:
    pinned = (
        memory("약속", id="a", attribute="promise", importance=1.0),
        memory("이름", id="b", attribute="name", importance=0.1),
        memory("말", id="c", importance=0.9),
        caution("새우", id="e", importance=0.2),
        caution("땅콩", id="d", importance=0.2),
        caution("약", id="f", importance=0.9),
    )
    ordered = [each.content for each in materials(pinned=pinned).pinned_in_order()]

    assert ordered == ["약", "땅콩", "새우", "이름", "약속", "말"]


@pytest.mark.parametrize(
    ("parts", "warns"),
    [
        ({"keyword": 0.01}, True),
        ({"graph": 0.01}, True),
        ({"relevance": 0.3}, True),
        ({"relevance": 0.299}, False),
        ({"importance": 1.0, "recency": 1.0, "strength": 1.0}, False),
    ],
)
def test_a_caution_warns_where_it_has_to_do_with_the_question(parts: dict[str, float], warns: bool) -> None:
    assert in_order(hit(memory("고양이")), hit(caution(), **parts)) == ([1, 0] if warns else [0, 1])


def test_nothing_but_a_caution_warns() -> None:
    [said] = turn("땅콩 먹으면 안 돼").utterances

    assert category(caution()) == "caution"
    assert category(memory("땅콩")) != "caution"
    assert category(memory("땅콩", attribute="likes")) != "caution"
    assert in_order(
        hit(memory("고양이")), hit(said, keyword=1.0), hit(memory("개", attribute="likes"), keyword=1.0)
    ) == [0, 1, 2]
