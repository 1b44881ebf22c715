"""Exchanges that are stored many at a time, and read afterwards."""

from datetime import timedelta

import pytest

from gieok.errors import InvalidQuery, InvalidText, TurnChanged
from gieok.testing import day

TALK = (
    ("안녕! 나는 민수야", "반가워요, 민수 씨!"),
    ("나 고양이 좋아해. 땅콩 알레르기도 있어", "꼭 기억할게요."),
    ("우리 집 강아지 이름은 코코야", "이름이 귀엽네요!"),
    ("오늘 회사에서 혼나서 너무 속상해", "많이 힘들었겠어요."),
    ("그래도 네 덕분에 기분이 좋아졌어. 고마워!", "제가 더 고마워요."),
    ("나 스물다섯 살이야", None),
    ("잘 자, 내일 봐", "좋은 꿈 꿔요!"),
    ("나 서울로 이사했어", "우와, 축하해요!"),
    ("아니, 나 스물여섯 살이야", "그렇군요."),
    (None, "오늘은 조용하네요?"),
    ("요즘은 강아지가 더 좋아", "코코 덕분이네요."),
)


def exchanges(talk=TALK):
    return [
        {
            "text": text,
            "reply": reply,
            "at": day(1) + timedelta(hours=7 * number),
            "session": f"s{number // 4}",
            "turn_id": f"t{number}",
        }
        for number, (text, reply) in enumerate(talk)
    ]


def known(mind):
    """Return all that is known, without ids."""
    facts = [
        (each.subject_id, each.attribute, each.value, each.content, each.valid_at, each.invalid_at, each.pinned)
        for each in (*mind.facts(history=True), *mind.doubtful())
    ]
    felt = [(each.at, each.felt.emotion, each.felt.intensity) for each in mind.emotions()]
    scenes = [(each.started_at, each.ended_at, each.first_turn, each.last_turn, each.topics) for each in mind.scenes()]
    people = [(each.name, each.interactions) for each in mind.entities()]
    said = [[(line.speaker, line.text) for line in turn.utterances] for turn in mind.turns(99)]
    return facts, felt, scenes, people, said, mind.relationship(), mind.manners()


@pytest.fixture
def minds(open_bank):
    bank = open_bank(upkeep="off")
    return bank.scope(user="minsu", character="letia"), bank.scope(user="minsu", character="sera")


def test_what_is_known_is_the_same_as_one_by_one(minds):
    letia, sera = minds
    for each in exchanges():
        letia.observe(**each)
    turns = sera.observe_many(exchanges())

    assert [turn.id for turn in turns] == [f"t{number}" for number in range(len(TALK))]
    assert known(sera) == known(letia)
    assert [memory.value for memory in sera.facts(attribute="age")] == ["26"]
    assert [hit.text for hit in sera.recall("알레르기", k=1)] == [hit.text for hit in letia.recall("알레르기", k=1)]


def test_what_is_not_read_yet_is_recalled_by_its_words_and_read_later(minds):
    letia, sera = minds
    letia.observe_many(exchanges())
    told = []
    sera.observe_many(exchanges(), read=False, progress=lambda done, total: told.append((done, total)))

    assert told == [(0, len(TALK)), (len(TALK), len(TALK))]
    assert sera.observed("t1").unread
    assert sera.facts() == []
    assert any("땅콩 알레르기" in hit.text for hit in sera.recall("땅콩 알레르기", k=3))
    assert sera.read_unread() == len(TALK)
    assert not sera.observed("t1").unread
    assert sera.read_unread() == 0
    assert known(sera) == known(letia)


def test_each_exchange_counts_when_it_is_stored_and_when_it_is_read(minds):
    told = []
    minds[0].observe_many(exchanges(), progress=lambda done, total: told.append((done, total)))
    most = 2 * len(TALK)
    assert told == sorted(told)
    assert {total for _, total in told} == {most}
    assert told[-1] == (most, most)


def test_what_is_stored_already_is_skipped(minds):
    letia, _ = minds
    letia.observe_many(exchanges()[:4])
    letia.observe_many(exchanges())
    assert [turn.id for turn in letia.turns(99)] == [f"t{number}" for number in range(len(TALK))]


@pytest.mark.parametrize(
    ("wrong", "error", "said"),
    [
        ({"text": "안녕", "emotion": "happy"}, InvalidQuery, "exchange 12 has an unknown field 'emotion'"),
        ({"text": " "}, InvalidText, "text"),
        ({"session": "s"}, InvalidText, "text"),
        ({"text": "안녕", "turn_id": ""}, InvalidText, "turn_id"),
    ],
)
def test_nothing_is_stored_if_one_exchange_is_wrong(minds, wrong, error, said):
    letia, _ = minds
    with pytest.raises(error, match=said):
        letia.observe_many([*exchanges(), wrong])
    assert letia.turns() == []


def test_other_words_under_a_known_id_are_refused_with_all_that_is_stored_beside_them(minds):
    letia, _ = minds
    letia.observe("안녕", turn_id="t3")
    with pytest.raises(TurnChanged):
        letia.observe_many(exchanges())
    assert [turn.id for turn in letia.turns()] == ["t3"]


def test_what_was_said_meanwhile_is_not_closed_by_what_is_read_later(minds):
    letia, _ = minds
    letia.observe_many(exchanges(), read=False)
    letia.observe("나 서른 살이야", at=day(30))
    letia.read_unread()
    assert [memory.value for memory in letia.facts(attribute="age")] == ["30"]
    assert [memory.value for memory in letia.facts(attribute="age", as_of=day(3))] == ["25"]


def test_upkeep_reads_what_is_unread(minds):
    letia, _ = minds
    letia.observe_many(exchanges(), read=False)
    letia.maintain()
    assert [memory.value for memory in letia.facts(attribute="age")] == ["26"]


@pytest.mark.parametrize("following", [False, True])
def test_turns_that_were_read_later_can_be_rewound(minds, following):
    letia, sera = minds
    letia.observe_many(exchanges())
    for each in exchanges():
        sera.observe(**each)
    for mind in minds:
        mind.rewind("t8", following=following)
    assert [memory.value for memory in letia.facts(attribute="age")] == ["25"]
    assert known(letia) == known(sera)
    letia.observe("안녕", at=day(9))
    sera.observe("안녕", at=day(9))
    assert known(letia) == known(sera)


def test_the_bank_is_as_its_journal_says(minds):
    letia, _ = minds
    letia.observe_many(exchanges(), read=False)
    letia.rewind("t2")
    letia.observe("나 부산 살아", at=day(20))
    letia.read_unread()
    letia.rewind("t4")
    assert letia.bank.verify_audit().findings == ()


def test_a_turn_that_waits_to_be_read_can_be_rewound_and_erased(minds):
    letia, _ = minds
    letia.observe_many(exchanges(), read=False)
    letia.rewind("t9")
    letia.erase(turn="t1")
    assert letia.read_unread() == len(TALK) - 2
    assert not any("땅콩" in memory.content for memory in letia.facts(history=True))
    assert [memory.value for memory in letia.facts(attribute="age")] == ["26"]


def test_personal_data_is_masked(minds):
    letia, _ = minds
    [turn] = letia.observe_many([{"text": "내 번호는 010-4482-9173이야"}])
    assert "9173" not in letia.turn(turn.id).utterances[0].text
