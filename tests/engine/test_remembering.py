"""A character hears something and knows it from then on: whose it is, since when, and what became of it."""

import pytest

import gieok
from gieok.errors import TurnChanged
from gieok.testing import claim, day
from support.rows import from_rows
from support.stated import StatedReader


def contents(memories: list[gieok.Memory]) -> list[str]:
    return [memory.content for memory in memories]


def likes(mind: gieok.Mind, **options: object) -> list[str | None]:
    return [memory.value for memory in mind.facts(about="user", attribute="likes", **options)]


@from_rows
def test_the_documents_rows_keep_who_said_what_of_whom(letia, speaker, said, subject, subject_id, content):
    letia.observe(said if speaker == "user" else None, reply=said if speaker == "character" else None)

    [memory] = letia.facts()
    assert (memory.speaker, memory.subject, memory.subject_id, memory.content) == (
        speaker,
        subject,
        subject_id,
        content,
    )


def test_the_documents_three_queries_are_one_call_each(letia):
    letia.observe("나는 고양이 좋아해", reply="저도 고양이 좋아해요")
    letia.remember("따뜻한 사람임", about="user", said_by="letia", type="opinion")

    assert contents(letia.facts(about="user", said_by="user")) == ["고양이를 좋아함"]
    assert contents(letia.facts(about="letia")) == ["고양이를 좋아함"]
    assert contents(letia.facts(about="user", said_by="letia", type="opinion")) == ["따뜻한 사람임"]


def test_what_the_character_says_of_the_user_is_nothing_about_herself(letia):
    letia.observe(reply="오빠는 따뜻한 사람이에요")

    assert letia.facts(about="letia") == []


def test_a_change_of_heart_closes_the_old_preference_but_keeps_it_in_history(open_bank):
    letia = open_bank().scope(user="minsu", character="letia")
    letia.observe("나는 고양이를 좋아해", at=day(1))
    letia.observe("요즘은 강아지가 더 좋아", at=day(30))

    assert likes(letia) == ["강아지"]
    assert likes(letia, as_of=day(15)) == ["고양이"]
    history = letia.facts(about="user", attribute="likes", history=True)
    assert [(memory.value, memory.valid_at, memory.invalid_at) for memory in history] == [
        ("고양이", day(1), day(30)),
        ("강아지", day(30), None),
    ]


def test_a_change_of_heart_about_animals_leaves_food_alone(open_bank):
    letia = open_bank().scope(user="minsu", character="letia")
    letia.observe("나 떡볶이 좋아해", at=day(1))
    letia.observe("나는 고양이를 좋아해", at=day(2))
    letia.observe("요즘은 강아지가 더 좋아", at=day(30))

    assert likes(letia) == ["떡볶이", "강아지"]


def test_what_was_believed_then_is_not_what_is_believed_now(letia):
    letia.observe("나 스물다섯 살이야", at=day(1))
    letia.observe("나 스물여섯 살이야", at=day(10))
    [age] = letia.facts(attribute="age")
    letia.correct(age.id, "나이는 27살임", value="27", at=day(20))

    assert [memory.value for memory in letia.facts(attribute="age")] == ["27"]
    assert [memory.value for memory in letia.facts(attribute="age", known_at=day(15))] == ["26"]
    assert [memory.value for memory in letia.facts(attribute="age", known_at=day(5))] == ["25"]
    assert [memory.value for memory in letia.facts(attribute="age", as_of=day(5))] == ["25"]


def test_loving_and_hating_the_same_thing_are_never_the_same_memory(open_bank):
    mind = open_bank(embedder="universal").scope(user="minsu", character="letia")
    mind.observe("나 고양이를 좋아해", at=day(1))
    changed = mind.observe("나 고양이를 싫어해", at=day(2))

    assert [type(decision).__name__ for decision in changed.decisions] == ["Supersede"]
    assert contents(mind.facts(about="user")) == ["고양이를 싫어함"]


def test_saying_it_again_strengthens_instead_of_doubling(letia):
    letia.observe("나 고양이 좋아해")
    letia.observe("고양이 좋아해요 저는")

    [memory] = letia.facts()
    assert (memory.mentions, len(memory.sources)) == (1, 2)


def test_a_character_cannot_overrule_what_the_user_said_of_themself(letia):
    letia.observe("나 스물다섯 살이야")
    letia.observe(None, reply="오빠는 서른 살이에요")

    assert [memory.value for memory in letia.facts(about="user", attribute="age")] == ["25"]


@from_rows
def test_questions_wishes_ifs_hearsay_quotes_and_small_talk_are_no_facts(letia, said):
    letia.observe(said)

    assert letia.facts(about="user") == []


def test_what_is_said_of_a_friend_is_the_friends(letia):
    letia.observe("제 친구는 의사예요")

    assert letia.facts(about="user") == []
    assert [memory.value for memory in letia.facts(about="친구")] == ["의사"]


def test_what_no_rule_understands_is_still_found_as_it_was_said(letia):
    letia.observe("어제 한강에서 자전거를 타다가 무지개를 봤어")

    assert letia.facts() == []
    [hit, *_] = letia.recall("무지개")
    assert hit.text == "어제 한강에서 자전거를 타다가 무지개를 봤어"


def test_an_utterance_collapses_into_the_memory_it_gave(letia):
    letia.observe("나 고양이 좋아해")

    assert [hit.text for hit in letia.recall("고양이")] == ["고양이를 좋아함"]


def test_the_same_turn_twice_is_one_turn_and_answers_the_same(letia):
    first = letia.observe("나 고양이 좋아해", reply="저도요!", turn_id="t1", at=day(1))
    again = letia.observe("나 고양이 좋아해", reply="저도요!", turn_id="t1", at=day(1))

    assert again.again
    assert (again.turn, again.decisions) == (first.turn, first.decisions)
    assert len(letia.turns()) == 1
    assert letia.facts()[0].mentions == 0


def test_the_same_turn_id_with_other_words_is_refused(letia):
    letia.observe("나 고양이 좋아해", turn_id="t1")

    with pytest.raises(TurnChanged, match="t1"):
        letia.observe("나 강아지 좋아해", turn_id="t1")
    assert likes(letia) == ["고양이"]


def test_a_greeting_without_a_user_text_is_a_turn(letia):
    observed = letia.observe(reply="어서 오세요!")

    assert [(each.speaker, each.text) for each in observed.turn.utterances] == [("character", "어서 오세요!")]


def test_characters_who_are_present_learn_from_the_same_exchange(bank):
    letia = bank.scope(user="minsu", character="letia")
    lupames = bank.scope(user="minsu", character="lupames")
    letia.observe("나 고양이 좋아해", reply="저도 고양이 좋아해요", present=["lupames"])

    assert contents(lupames.facts(about="user")) == ["고양이를 좋아함"]
    assert contents(lupames.facts(about="letia")) == ["고양이를 좋아함"]
    assert lupames.facts(about="lupames") == []


def test_canon_is_read_by_every_user_and_written_by_none(bank):
    bank.scope(world="academy").remember("학원은 눈 덮인 산 위에 있다", about="world")
    minsu = bank.scope(user="minsu", character="letia", world="academy")

    assert [hit.text for hit in minsu.recall("학원이 어디에 있지?")] == ["학원은 눈 덮인 산 위에 있다"]
    assert minsu.facts() == []
    assert bank.scope(user="minsu", character="letia", world="elsewhere").recall("학원이 어디에 있지?") == []


def test_what_is_said_outright_needs_no_promotion(letia):
    decision = letia.remember("땅콩을 먹으면 안 됨", about="user", attribute="allergy", value="땅콩")

    assert isinstance(decision, gieok.Remember)
    assert letia.facts(attribute="allergy")[0].pinned


def test_used_memories_are_counted_with_the_turn_that_used_them(letia):
    letia.observe("나 고양이 좋아해", at=day(1))
    context = letia.context("고양이 얘기 하자")
    letia.observe("고양이 얘기 하자", reply="좋아요!", context=context, at=day(2))

    [memory] = letia.facts(attribute="likes")
    assert (memory.uses, memory.last_used_at) == (1, day(2))


def test_recalling_writes_nothing(letia):
    letia.observe("나 고양이 좋아해")
    before = letia.facts(history=True)
    letia.recall("고양이")
    letia.context("고양이")

    assert letia.facts(history=True) == before


def test_a_turn_whose_reading_failed_is_kept_and_read_with_the_next_one(open_bank, clock):
    from gieok.extract.reader import Reader

    class Moody(Reader):
        ill = True

        def claims(self, *arguments: object) -> object:
            if Moody.ill:
                raise RuntimeError("the reader is ill")
            return super().claims(*arguments)

    mind = open_bank(extractor=Moody()).scope(user="minsu", character="letia")
    assert mind.observe("나 고양이 좋아해", at=day(1)).unread
    assert mind.facts() == []
    assert [hit.text for hit in mind.recall("고양이")] == ["나 고양이 좋아해"]

    Moody.ill = False
    mind.observe("나 스물다섯 살이야", at=day(3))
    assert [(memory.attribute, memory.valid_at) for memory in mind.facts()] == [("likes", day(1)), ("age", day(3))]


def test_words_whose_meaning_was_given_up_no_longer_answer(letia):
    letia.observe("지금은 판교에 살아", at=day(1))
    letia.observe("나 부산으로 이사했어", at=day(30))

    now = [hit.text for hit in letia.recall("어디에 살아?", k=20)]
    ever = [hit.text for hit in letia.recall("어디에 살아?", k=20, where=gieok.Where(history=True))]
    assert now[0] == "부산에 삶"
    assert not any("판교" in text for text in now)
    assert any("판교" in text for text in ever)


def test_everything_that_was_read_from_the_best_words_answers(letia):
    letia.observe("내 친구 지훈이는 의사야", at=day(1))

    assert {hit.text for hit in letia.recall("친구는 무슨 일을 해?")} == {"지훈이라는 친구가 있음", "의사임"}


def test_what_is_told_as_over_is_past_and_touches_nothing_that_is(letia):
    letia.observe("지금은 서울에 살아", at=day(1))
    letia.observe("나 어릴 때 캐나다에 살았어", at=day(2))

    assert [memory.value for memory in letia.facts(attribute="residence")] == ["서울"]
    ever = letia.facts(attribute="residence", history=True)
    assert [(memory.content, memory.invalid_at) for memory in ever] == [
        ("서울에 삶", None),
        ("예전에 캐나다에 살았음", day(2)),
    ]
    assert any("캐나다" in hit.text for hit in letia.recall("캐나다"))


def test_a_fact_about_another_is_found_by_the_name(letia):
    letia.remember("직업은 의사임", about="아빠", attribute="job", value="의사")
    letia.remember("직업은 교사임", about="고모", attribute="job", value="교사")

    assert letia.recall("고모", k=1)[0].text == "직업은 교사임"


def test_what_is_read_between_the_lines_is_remembered_but_does_not_overrule_what_was_told_outright(open_bank):
    between = "강릉 교동에 아파트 하나 장만했어요"
    stated = {
        "나 서울 살아": [claim("residence", "서울")],
        between: [claim("residence", "강릉 교동", certainty=0.45)],
    }
    bank = open_bank(extractor=StatedReader(stated))
    new, known = (bank.scope(user=user, character="letia") for user in ("minsu", "jisu"))
    new.observe(between, reply="맛있겠다")
    assert [memory.value for memory in new.facts()] == ["강릉 교동"]

    known.observe("나 서울 살아", reply="네")
    seen = known.observe(between, reply="맛있겠다")
    assert [each.why for each in seen.decisions if isinstance(each, gieok.Ignore)] == ["less_certain"]
    assert [memory.value for memory in known.facts()] == ["서울"]
