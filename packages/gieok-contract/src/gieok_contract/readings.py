"""Readings: which memories an utterance gave, which are mentioned in a text, and whose words must not be quoted."""

from __future__ import annotations

from gieok.ports import Store
from gieok.testing.builders import claim, day
from gieok.testing.scribe import Scribe
from gieok_contract.base import LETIA, SERA, Contract, read


class Readings(Contract):
    """Where memories come from, and what a text speaks of."""

    def test_the_memories_of_an_utterance_are_found_past_ones_too(self, store: Store) -> None:
        scribe = Scribe(store, LETIA)
        scribe.observe("서울 살아", claims=[claim("residence", "서울", id="u1-0", source_id="u1")], at=day(1))
        scribe.observe("부산 살아", claims=[claim("residence", "부산", id="u2-0", source_id="u2")], at=day(2))

        found = read(store, LETIA, lambda view: view.read_from(["u1", "u2", "u3"]))
        assert [(memory.id, memory.invalid_at) for memory in found] == [("u1-0", day(2)), ("u2-0", None)]
        assert read(store, LETIA, lambda view: view.read_from(["u"])) == []
        assert read(store, SERA, lambda view: view.read_from(["u1"])) == []

    def test_a_text_mentions_the_current_facts_whose_value_stands_in_it(self, store: Store) -> None:
        scribe = Scribe(store, LETIA)
        scribe.remember(claim("residence", "서울"), at=day(1))
        scribe.remember(claim("residence", "합정"), at=day(2))
        scribe.remember(claim("hobby", "낚시", subject="other", subject_id="아빠"), at=day(3))

        said = "서울 아니고 합정 살아, 아빠는 낚시 중"
        assert [m.value for m in read(store, LETIA, lambda view: view.mentioned(said))] == ["합정"]
        assert read(store, SERA, lambda view: view.mentioned(said)) == []

    def test_a_text_mentions_a_value_in_either_case(self, store: Store) -> None:
        scribe = Scribe(store, LETIA)
        scribe.remember(claim("mbti", "INFP"), at=day(1))

        assert [m.value for m in read(store, LETIA, lambda view: view.mentioned("나 infp 아니야"))] == ["INFP"]

    def test_others_are_found_by_their_names_with_the_visible_memories_about_them(self, store: Store) -> None:
        scribe = Scribe(store, LETIA)
        for number, name in enumerate(["지훈이", "엄마", "Jihun", "지훈이", "민지"]):
            told = claim("hobby", f"취미 {number}", subject="other", subject_id=name, id=f"c{number}")
            scribe.remember(told, at=day(number + 1))
        scribe.remember(claim("hobby", "낚시"), at=day(9))
        scribe.forget("c4")

        with store.view(LETIA) as view:
            refs = view.refs([f"c{number}" for number in range(5)])
            assert view.people("지훈은 뭐 해?") == {"지훈이": [refs["c0"], refs["c3"]]}
            assert view.people("엄마랑 jihun") == {"엄마": [refs["c1"]], "Jihun": [refs["c2"]]}
            assert view.people("민지는? user는?") == view.people("") == {}
        assert read(store, SERA, lambda view: view.people("엄마")) == {}

    def test_the_words_of_a_forgotten_memory_are_known_by_their_ids(self, store: Store) -> None:
        scribe = Scribe(store, LETIA)
        scribe.observe("서울 살아", claims=[claim("residence", "서울", id="u1-0", source_id="u1")])
        assert read(store, LETIA, lambda view: view.forgotten_words()) == frozenset()
        scribe.forget("u1-0")

        assert read(store, LETIA, lambda view: view.forgotten_words()) == {"u1"}
        assert read(store, SERA, lambda view: view.forgotten_words()) == frozenset()

    def test_so_are_the_words_of_the_same_turn_that_repeat_it(self, store: Store) -> None:
        scribe = Scribe(store, LETIA)
        peanuts = claim("allergy", "땅콩", id="c1")
        scribe.observe("땅콩은 못 먹어", "땅콩이요?", "응", "조심할게요", claims=[peanuts], id="t1")
        scribe.observe("땅콩 과자는 맛있어 보여", "그래요?", id="t2")
        scribe.forget("c1")

        assert read(store, LETIA, lambda view: view.forgotten_words()) == {"t1/0", "t1/1"}
