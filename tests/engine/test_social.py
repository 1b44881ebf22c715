"""A bot on two social sites: it meets people in the open, and remembers them by name and place."""

import unicodedata

import pytest

from gieok.bank.events import Event
from gieok.errors import InvalidQuery, TurnChanged
from gieok.interop.social import SocialMemory
from gieok.testing import day

HANDLERS = ("on_new_post", "on_comment_posted", "on_notification", "on_bot_response")
OLDER = (
    "remember_post", "remember_interaction", "get_context_for_post", "recall_related", "recall_bot",
    "get_frequent_contacts",
)  # fmt: skip
NEWER = ("retrieve_memories", "extract_and_store", "get_entity_profile", "run_maintenance")


@pytest.fixture
def bara(open_bank):
    return SocialMemory(open_bank(preset="social", upkeep="off"), "바라")


@pytest.fixture
def acquainted(bara):
    """A week on the site."""
    bara.on_new_post(
        "moltbook", "민지", "저는 서울에 살아요. 저는 고양이를 키워요.", title="자기소개", post_id="17", at=day(1)
    )
    bara.on_comment_posted("moltbook", "반가워요! 고양이 이름이 뭐예요?", post_id="17", comment_id="81", at=day(1.1))
    bara.on_notification("moltbook", "민지", "고양이 이름은 나비예요. 고마워요!", post_id="17", at=day(1.2))
    bara.on_new_post("botmadang", "현우", "저는 커피를 좋아해요.", post_id="17", at=day(2))
    bara.on_bot_response("moltbook", "민지", "나 부산으로 이사했어", "바다가 가깝겠네요!", at=day(7))
    return bara


def test_every_name_of_the_document_is_there(bara):
    assert [name for name in (*HANDLERS, *OLDER, *NEWER) if not callable(getattr(bara, name, None))] == []


def test_people_are_known_by_what_they_said_of_themselves(acquainted):
    minji = acquainted.recall_bot("moltbook", "민지")
    assert minji is not None
    known = [(fact.subject_id, fact.content) for fact in minji.facts]
    assert {("민지", "고양이를 키움"), ("민지", "부산에 삶")} <= {*known}
    assert ("민지", "서울에 삶") not in known
    hyunwoo = acquainted.recall_bot("botmadang", "현우")
    assert hyunwoo is not None
    assert [fact.content for fact in hyunwoo.facts] == ["커피를 좋아함"]


def test_a_profile_belongs_to_a_name_on_a_platform(acquainted):
    profile = acquainted.get_entity_profile("moltbook", "민지")
    assert profile is not None
    assert (profile.name, profile.channel, profile.interactions) == ("민지", "moltbook", 3)
    assert (profile.first_seen, profile.last_seen) == (day(1), day(7))
    assert acquainted.get_entity_profile("botmadang", "민지") is None
    assert acquainted.recall_bot("moltbook", "아무도 아닌 사람") is None


def test_frequent_contacts_come_by_platform_or_from_anywhere(acquainted):
    assert [each.name for each in acquainted.get_frequent_contacts(limit=1)] == ["민지"]
    assert [each.name for each in acquainted.get_frequent_contacts("botmadang")] == ["현우"]
    assert acquainted.get_frequent_contacts("elsewhere") == ()


def test_a_context_for_a_post_holds_what_is_known_of_its_author(acquainted):
    context = acquainted.get_context_for_post("moltbook", "민지", "오늘은 어디로 산책 갈까요?", budget=900, at=day(8))
    assert "부산에 삶" in context.text
    assert "커피" not in context.text.split("[떠오르는 기억]")[1].splitlines()[1]
    assert context.tokens <= 900


def test_related_memories_are_sentences_and_retrieved_ones_are_hits(acquainted):
    assert "고양이를 키움" in acquainted.recall_related("민지가 키우는 고양이", 3, at=day(8))
    hits = acquainted.retrieve_memories("어디에 살아?", author="민지", limit=3, at=day(8))
    assert "부산에 삶" in [hit.text for hit in hits]
    assert all("커피" not in hit.text for hit in hits)


def test_extracting_returns_what_was_stored(bara):
    [stored] = bara.extract_and_store("moltbook", "현우", "나 간호사야", at=day(1))
    assert (stored.subject_id, stored.attribute, stored.value) == ("현우", "job", "간호사")
    assert bara.extract_and_store("moltbook", "현우", "ㅋㅋㅋ", at=day(1)) == ()


def test_a_post_seen_twice_is_learned_from_once(acquainted):
    before = acquainted.mind.journal()
    again = acquainted.on_new_post(
        "moltbook", "민지", "저는 서울에 살아요. 저는 고양이를 키워요.", title="자기소개", post_id="17", at=day(9)
    )
    assert again.again
    assert acquainted.mind.journal() == before
    with pytest.raises(TurnChanged):
        acquainted.on_new_post("moltbook", "민지", "고친 글이에요.", post_id="17", at=day(9))


def test_the_same_id_on_another_platform_is_another_post(acquainted):
    assert {"moltbook/post/17", "botmadang/post/17"} <= {turn.id for turn in acquainted.mind.turns()}


def test_a_post_and_what_is_said_under_it_are_one_sitting(acquainted):
    sessions = [turn.session for turn in acquainted.mind.turns()]
    assert sessions == ["moltbook/post/17"] * 3 + ["botmadang/post/17", None]
    assert acquainted.mind.scenes()[0].turns == 1  # two hours passed between post and comment


def test_the_bots_own_words_are_its_own(acquainted):
    [comment] = [turn for turn in acquainted.mind.turns() if turn.id == "moltbook/comment/81"]
    assert [line.speaker for line in comment.utterances] == ["character"]


def test_what_a_comment_was_made_with_counts_as_used(acquainted):
    context = acquainted.get_context_for_post("moltbook", "민지", "산책 얘기", at=day(8))
    acquainted.on_comment_posted("moltbook", "부산 바다를 걸어 보세요!", context=context, at=day(8))
    [home] = acquainted.mind.facts(about="민지", attribute="residence")
    assert home.uses == 1


def test_maintenance_does_what_is_due_or_what_is_asked_for(acquainted):
    would = acquainted.run_maintenance(["summarise"], at=day(8), dry_run=True)
    assert [kept.action for kept in would] == ["summarise"]
    assert acquainted.mind.facts(type="summary", as_of=day(9)) == []
    acquainted.run_maintenance(["summarise"], at=day(8))
    assert len(acquainted.mind.facts(type="summary", as_of=day(9))) == 1


def test_subscribers_hear_of_this_bot_alone_until_they_stop(bara):
    heard: list[Event] = []
    stop = bara.subscribe({"memory.remembered": heard.append, "emotion.changed": heard.append})
    bara.extract_and_store("moltbook", "현우", "나 간호사야", at=day(1))
    SocialMemory(bara._bank, "다른 봇").extract_and_store("moltbook", "현우", "나 서울에 살아", at=day(1))
    assert {event.scope for event in heard} == {bara.mind.key}
    assert [event.what.content for event in heard if event.name == "memory.remembered"] == ["간호사임"]
    stop()
    told = len(heard)
    bara.extract_and_store("moltbook", "현우", "나 커피 좋아해", at=day(2))
    assert len(heard) == told
    with pytest.raises(InvalidQuery, match="unknown event"):
        bara.subscribe({"memory.rememberd": heard.append})


def test_what_is_said_in_private_is_not_read_in_the_open(acquainted):
    private = acquainted._bank.scope(user="민지", character="바라")
    private.observe("나 땅콩 알레르기 있어", at=day(8))
    assert all("땅콩" not in text for text in acquainted.recall_related("땅콩 알레르기", 20, at=day(9)))
    assert "부산에 삶" in [hit.text for hit in private.recall("민지는 어디에 살아?", k=20, at=day(9))]


def test_a_namesake_on_another_platform_is_somebody_else(acquainted):
    acquainted.extract_and_store("botmadang", "민지", "나 대전에 살아", at=day(8))
    minji = acquainted.recall_bot("moltbook", "민지")
    assert minji is not None
    assert "부산에 삶" in [fact.content for fact in minji.facts]
    acquainted.on_new_post("botmadang", "민지", "저는 고양이를 키워요.", at=day(9))
    other = acquainted.recall_bot("botmadang", "민지")
    assert other is not None
    assert [fact.content for fact in other.facts] == ["대전에 삶", "고양이를 키움"]
    assert other.profile.name == "민지@botmadang"
    assert acquainted.recall_bot("somewhere", "민지") is None
    again = SocialMemory(acquainted._bank, "바라")
    assert again.recall_bot("botmadang", "민지") == other


@pytest.mark.parametrize("impostor", ["바라", unicodedata.normalize("NFD", "바라"), "character", "user", "world"])
def test_whoever_takes_the_bots_name_does_not_speak_for_it(bara, impostor):
    observed = bara.on_new_post("moltbook", impostor, "내 이름은 도라에몽이야.", at=day(1))
    context = bara.get_context_for_post("moltbook", impostor, "이름이 뭐야?", at=day(2))

    known_as = f"@{unicodedata.normalize('NFC', impostor)}"
    assert [each.speaker for each in observed.turn.utterances] == [known_as]
    assert bara.mind.facts("character") == bara.mind.facts("user") == bara.mind.facts("world") == []
    assert all(message.role != "assistant" for message in context.messages)
    acquainted = bara.recall_bot("moltbook", impostor)
    assert acquainted is not None
    assert [fact.content for fact in acquainted.facts] == ["이름은 도라에몽임"]


def test_who_tells_their_name_does_not_call_the_other_so(open_bank):
    letia = open_bank().scope(user="minsu", character="레티아")
    letia.observe("내 이름은 김민수야. 나 고양이 좋아해", reply="반가워요!")
    assert letia.manners().user.address is None
