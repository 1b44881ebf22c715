"""A model reads the conversation: a window at a time, behind the reader, and never at the cost of a turn."""

from dataclasses import replace
from typing import Any

import pytest

import gieok
from gieok.domain.claim import Claim
from gieok.domain.decision import Ignore
from gieok.domain.scope import Scope
from gieok.errors import InvalidSetting, ModelFailed
from gieok.observe.said import Said
from gieok.testing import ScriptedModel, day
from support.doubts import DoubtfulReader
from support.proposals import answer, fact

POTTERY = "골목 끝 공방에서 물레를 돌려 봤어"
READ = answer(fact("hobby", "물레", POTTERY))
DRUMS = "공방 옆 합주실에서 드럼을 쳐 봤어"
LETIA = Scope(user="minsu", character="letia")


class Listener:
    """A bank whose turns wait for a model, and a reader with a scripted one."""

    def __init__(self, bank: gieok.MemoryBank, model: ScriptedModel) -> None:
        services = bank.services
        self.mind = bank.mind(LETIA)
        self.store = bank.store
        self.clock = bank.clock
        self.model = model
        self.observer = replace(services.observer, model_reads=True)
        self.reader = services.reader(model)

    def hear(self, text: str, on: float, id: str | None = None, **options: Any) -> gieok.Observed:
        reply = options.pop("reply", None)
        lines = (("user", text), *((("character", reply),) if reply else ()))
        return self.observer.observe(LETIA, Said(lines=lines, at=day(on), turn_id=id, **options))

    def read(self, *, all_of_them: bool = True, **options: Any) -> list[gieok.Observed]:
        return self.reader.read(LETIA, all_of_them=all_of_them, **options)

    @property
    def open(self) -> list[str]:
        with self.store.view(LETIA) as view:
            return [turn.id for turn in view.open_turns(100)]

    @property
    def windows(self) -> list[str]:
        """The lines to read of every prompt."""
        shown = (messages[-1].content for _, messages in self.model.asked)
        return [each.partition("읽을 대화:\n")[2].partition("\n\n미리 읽은 것")[0] for each in shown]

    def known(self, attribute: str) -> list[str | None]:
        """The values that are believed without a doubt."""
        facts = self.mind.facts("user")
        return [memory.value for memory in facts if memory.attribute == attribute and not memory.doubtful]


@pytest.fixture
def model():
    return ScriptedModel({"extract": READ})


@pytest.fixture
def listener(open_bank, model):
    return Listener(open_bank(), model)


class UnsureReader(DoubtfulReader):
    """A `DoubtfulReader` that is never certain, so that a model may judge what it reads."""

    def claims(self, *asked: Any, **options: Any) -> list[Claim]:
        return [replace(each, certainty=0.7) for each in super().claims(*asked, **options)]


@pytest.fixture
def unsure(open_bank, model):
    return Listener(open_bank("unsure.db", extractor=UnsureReader()), model)


def test_what_the_model_reads_is_believed(listener):
    listener.hear(POTTERY, 1, "t1")
    assert listener.open == ["t1"]

    (observed,) = listener.read()

    assert listener.known("hobby") == ["물레"]
    assert (observed.turn.id, [each.memory.value for each in observed.decisions]) == ("t1", ["물레"])
    assert listener.open == []
    assert listener.read() == []
    assert len(listener.model.asked) == 1


def test_what_is_read_in_a_turn_is_one_operation_that_names_its_reader(listener):
    listener.hear(POTTERY, 1, "t1")
    listener.hear("ㅋㅋ", 2, "t2")
    listener.read()
    with listener.store.view(LETIA) as view:
        first, second = view.operations()[-2:]
    (memory,) = listener.mind.facts()
    assert [(each.kind, each.turn_id, each.who) for each in (first, second)] == [
        ("deepen", "t1", "extract/2 scripted"),
        ("deepen", "t2", "extract/2 scripted"),
    ]
    assert (memory.origin, memory.extractor, memory.valid_at) == ("model", "extract/2 scripted", day(1))


def test_what_was_made_up_is_shown_in_the_journal_and_not_believed(listener):
    listener.model.will_answer(
        "extract", answer(fact("residence", "부산", POTTERY), fact("hobby", "물레", "안 한 말"), fact("age", "31", ""))
    )
    listener.hear(POTTERY, 1)
    (observed,) = listener.read()
    assert [each.why for each in observed.decisions if isinstance(each, Ignore)] == ["ungrounded"] * 3
    assert listener.mind.facts() == []
    assert listener.open == []


# Whom the model may overrule.


def test_the_model_overrules_what_the_reader_read(listener):
    listener.hear("나 서울 살아", 1)
    said = "이번 주도 강릉에서 빨래를 세 번 돌렸어"
    listener.model.will_answer("extract", answer(fact("residence", "강릉", "강릉에서")))
    listener.hear(said, 2)
    listener.read()
    assert listener.known("residence") == ["강릉"]


def test_what_a_person_entered_is_never_overruled(listener):
    listener.mind.remember("서울에 삶", attribute="residence", value="서울", at=day(2))
    listener.model.will_answer("extract", answer(fact("residence", "강릉", "강릉에서")))
    listener.hear("이번 주도 강릉에서 빨래를 세 번 돌렸어", 2)
    (observed,) = listener.read()
    assert [each.why for each in observed.decisions if isinstance(each, Ignore)] == ["less_certain"]
    assert listener.known("residence") == ["서울"]


def test_what_a_person_corrected_after_the_turn_is_never_overruled(listener):
    listener.hear("나 서울 살아", 1)
    listener.hear("이번 주도 강릉에서 빨래를 세 번 돌렸어", 2)
    (home,) = [each for each in listener.mind.facts() if each.attribute == "residence"]
    listener.mind.correct(home.id, "인천에 삶", value="인천", at=day(3))
    listener.model.will_answer("extract", answer(fact("residence", "강릉", "강릉에서", line=2)))
    listener.read()
    assert listener.known("residence") == ["인천"]


@pytest.mark.parametrize("how", ["corrected", "confirmed"])
def test_what_a_person_vouched_for_is_not_doubted(unsure, how):
    unsure.hear("residence 서울?", 1)
    (home,) = unsure.mind.doubtful()

    def vouched(_: object) -> str:
        if how == "corrected":
            unsure.mind.correct(home.id, "서울에 삶", value="서울", at=day(1))
        else:
            unsure.mind.confirm(home.id, at=day(1))
        return answer(wrong=["r1"])

    unsure.model.will_answer("extract", vouched)
    unsure.read()
    assert unsure.known("residence") == ["서울"]


# What was read before the model.


def test_what_the_model_holds_wrong_stays_in_doubt_and_what_it_closed_goes_on(listener):
    listener.hear("나 서울 살아", 1)
    listener.model.will_answer("extract", answer(right=["r1"]))
    listener.read()
    listener.hear("나 강릉 살아", 2)
    assert listener.known("residence") == ["강릉"]

    listener.model.will_answer("extract", answer(wrong=["r1"]))
    listener.read()

    assert listener.known("residence") == ["서울"]
    assert [memory.value for memory in listener.mind.doubtful()] == ["강릉"]


def test_what_the_model_bears_out_becomes_firm_and_closes_what_it_excludes(unsure):
    unsure.model.will_answer("extract", answer(right=["r1", "r2"]))
    unsure.hear("residence 서울", 1)
    unsure.hear("residence 부산?", 2, "t2")
    assert unsure.known("residence") == ["서울"]
    unsure.read()
    assert unsure.known("residence") == ["부산"]
    unsure.mind.rewind("t2")
    assert unsure.known("residence") == ["서울"]


def test_what_stays_unjudged_stays_in_doubt(unsure):
    unsure.model.will_answer("extract", answer())
    unsure.hear("hobby 낚시?", 1)
    unsure.read()
    assert (unsure.known("hobby"), [memory.value for memory in unsure.mind.doubtful()]) == ([], ["낚시"])


def test_what_is_certain_is_not_shown_to_be_judged(open_bank, model):
    sure = Listener(open_bank("sure.db", extractor=DoubtfulReader()), model)
    model.will_answer("extract", answer(wrong=["r1"]))
    sure.hear("residence 서울", 1)
    sure.read()
    assert sure.known("residence") == ["서울"]


def test_a_rewind_takes_the_models_doubts_back(listener):
    listener.hear("나 고양이 좋아해", 1, "t1")
    listener.hear("나 서울 살아", 2, "t2")
    listener.model.will_answer("extract", answer(wrong=["r1"]))
    listener.read()
    assert (listener.known("likes"), listener.known("residence")) == ([], ["서울"])
    with listener.store.view(LETIA) as view:
        deepened = [each for each in view.operations() if each.kind == "deepen"]
    assert len(deepened) == 2

    listener.mind.rewind("t2")

    assert (listener.known("likes"), listener.known("residence")) == ([], [])


# Windows.


def heard(listener, turns, start=1):
    for number in range(turns):
        listener.hear(f"{POTTERY} {'가나다라마바사아자차카타파하'[number]}", start, f"t{number}")


def paced(open_bank, pace, model=None):
    model = model or ScriptedModel({"extract": answer()})
    return Listener(open_bank(f"{pace.replace(':', '-')}.db", llm_reading=pace), model)


def lines_in(window):
    return sum(row.startswith("[") and "," in row for row in window.splitlines())


@pytest.mark.parametrize(
    ("pace", "turns", "windows", "left"),
    [
        ("batch:6", 5, [], 5),
        ("batch:6", 6, [6], 0),
        ("batch:6", 14, [6, 6], 2),
        ("batch:3", 7, [3, 3], 1),
        ("batch:1", 2, [1, 1], 0),
        ("turn", 3, [1, 1, 1], 0),
        ("session", 5, [], 5),
    ],
)
def test_a_window_is_read_once_it_is_full(open_bank, pace, turns, windows, left):
    listener = paced(open_bank, pace)
    heard(listener, turns)
    listener.read(all_of_them=False)
    assert [lines_in(each) for each in listener.windows] == windows
    assert len(listener.open) == left


def test_what_waits_may_be_read_now(open_bank):
    listener = paced(open_bank, "batch:6")
    heard(listener, 8)
    listener.read()
    assert ([lines_in(each) for each in listener.windows], listener.open) == ([6, 2], [])


def test_a_window_that_nobody_goes_on_with_is_read_after_a_while(open_bank, clock):
    bank = open_bank(clock=clock)
    listener = Listener(bank, ScriptedModel({"extract": answer()}))
    heard(listener, 2)
    assert listener.read(all_of_them=False) == []
    clock.advance(minutes=31)
    assert len(listener.read(all_of_them=False)) == 2


def test_a_session_is_read_once_another_has_begun(open_bank):
    listener = paced(open_bank, "session")
    for number, session in enumerate(["s1", "s1", "s1", "s2"]):
        listener.hear(POTTERY, 1, f"t{number}", session=session)
    listener.read(all_of_them=False)
    assert ([lines_in(each) for each in listener.windows], listener.open) == ([3], ["t3"])


def test_sessions_that_nobody_names_are_told_apart_by_silence(open_bank):
    listener = paced(open_bank, "session")
    for number, on in enumerate([1, 1.05, 1.5]):
        listener.hear(POTTERY, on, f"t{number}")
    listener.read(all_of_them=False)
    assert ([lines_in(each) for each in listener.windows], listener.open) == ([2], ["t2"])


@pytest.mark.parametrize("pace", ["batch", "batch:0", "batch:x", "batch:-1", "batch:100000", "sessions", "", "turn:2"])
def test_a_pace_that_nobody_knows_is_refused(open_bank, pace):
    with pytest.raises(InvalidSetting, match=r"llm_reading = .*(turn, session|turn, session or) .*batch:6"):
        open_bank("wrong.db", llm_reading=pace, language="en")


# Taken back, forgotten, read by another meanwhile.


def test_rewinding_the_turn_takes_back_what_the_model_read(listener):
    listener.hear(POTTERY, 1, "t1")
    listener.hear("나 서울 살아", 2, "t2")
    listener.read()
    listener.mind.rewind("t1")
    assert listener.known("hobby") == []
    listener.mind.rewind("t2")
    assert listener.open == []


def test_a_rewind_judges_the_models_claims_again_without_a_model(listener):
    listener.hear("나 부산 살아", 1, "t1")
    listener.hear(POTTERY, 2, "t2")
    listener.hear("나는 고양이를 좋아해", 3, "t3")
    listener.model.will_answer("extract", answer(fact("hobby", "물레", POTTERY, line=2)))
    listener.read()
    (before,) = [memory for memory in listener.mind.facts() if memory.attribute == "hobby"]
    asked = len(listener.model.asked)

    listener.mind.silence("t1")

    (after,) = [memory for memory in listener.mind.facts() if memory.attribute == "hobby"]
    assert replace(after, touched_turn=before.touched_turn) == before
    assert len(listener.model.asked) == asked


def test_a_turn_rewound_while_the_model_thinks_stays_rewound(listener):
    def rewinds(_: object) -> str:
        listener.mind.rewind("t1")
        return READ

    listener.model.will_answer("extract", rewinds)
    listener.hear(POTTERY, 1, "t1")
    assert listener.read() == []
    assert listener.mind.facts() == []


def test_of_a_window_only_the_turn_that_was_rewound_meanwhile_is_lost(listener):
    def rewinds(_: object) -> str:
        listener.mind.rewind("t2")
        return answer(fact("hobby", "물레", POTTERY), fact("hobby", "드럼", "드럼을 쳐 봤어", line=2))

    listener.model.will_answer("extract", rewinds)
    listener.hear(POTTERY, 1, "t1")
    listener.hear(DRUMS, 2, "t2")
    assert [done.turn.id for done in listener.read()] == ["t1"]
    assert listener.known("hobby") == ["물레"]


def test_a_turn_that_another_process_has_read_meanwhile_is_not_learned_twice(listener):
    def reads_first(_: object) -> str:
        listener.model.will_answer("extract", READ)
        assert len(listener.read()) == 1
        return READ

    listener.model.will_answer("extract", reads_first)
    listener.hear(POTTERY, 1, "t1")
    assert listener.read() == []
    (memory,) = listener.mind.facts()
    assert memory.mentions == 0


def test_what_was_forgotten_is_not_read_to_a_model_again(listener):
    listener.hear("나 땅콩 알레르기 있어", on=1)
    listener.hear(f"나 벌레 공포증 있어. {DRUMS}", on=2)
    for memory in listener.mind.facts():
        listener.mind.forget(memory.id, at=day(2))
    listener.hear(POTTERY, on=3)
    listener.read()
    shown = "\n".join(messages[-1].content for _, messages in listener.model.asked)
    assert POTTERY in shown
    assert "땅콩" not in shown
    assert "공포증" not in shown


def test_words_forgotten_while_the_model_thinks_are_not_learned_again(listener):
    heard = listener.hear(f"나 벌레 공포증 있어. {DRUMS}", on=1)
    fear = next(memory for memory in listener.mind.facts() if memory.attribute == "phobia")

    def forget_meanwhile(*_: object) -> str:
        listener.mind.forget(fear.id, at=day(1))
        return answer(fact("hobby", "드럼", "드럼을 쳐 봤어"))

    listener.model.will_answer("extract", forget_meanwhile)
    assert [done.turn.id for done in listener.read()] == [heard.turn.id]
    assert listener.known("hobby") == []
    assert listener.open == []


# A model that fails.


@pytest.mark.parametrize("failure", ["unreachable", "timeout", "rate_limited", "server_error", "empty"])
def test_a_model_that_fails_leaves_the_turn_waiting_and_what_was_read_known(listener, failure):
    listener.hear(f"나 서울 살아. {POTTERY}.", 1, "t1")
    listener.model.will_answer("extract", ModelFailed(failure, "scripted", "no"))
    assert listener.read() == []
    assert (listener.known("residence"), listener.open) == (["서울"], ["t1"])

    listener.model.will_answer("extract", READ)
    listener.read()
    assert (listener.known("hobby"), listener.open) == (["물레"], [])


def test_an_answer_that_cannot_be_read_closes_the_turn(listener):
    listener.hear(POTTERY, 1)
    listener.model.will_answer("extract", "죄송합니다, 저는 할 수 없어요")
    (observed,) = listener.read()
    assert (observed.decisions, listener.open) == ((), [])


def test_turns_that_cannot_be_read_together_are_read_one_by_one(listener):
    def one_by_one(messages: Any) -> str:
        window = messages[-1].content.partition("읽을 대화")[2]
        if "독이 든" in window:
            return "죄송합니다, 저는 할 수 없어요"
        return answer(fact("hobby", "물레", POTTERY))

    listener.model.will_answer("extract", one_by_one)
    listener.hear("어제 독이 든 항아리를 발견했어", 1, "poison")
    listener.hear(POTTERY, 2, "t2")
    assert [done.turn.id for done in listener.read()] == ["poison", "t2"]
    assert (listener.known("hobby"), listener.open) == (["물레"], [])


def test_a_turn_that_the_model_fails_at_is_left_alone_and_never_blocks_newer_ones(open_bank):
    asked = []

    def chokes(messages: Any) -> str:
        asked.append(messages[-1].content.partition("읽을 대화")[2])
        if "독이 든" in asked[-1]:
            raise ModelFailed("timeout", "scripted", "too slow")
        return answer()

    listener = paced(open_bank, "turn", ScriptedModel({"extract": chokes}))
    listener.hear("어제 독이 든 항아리를 공방에서 발견했어", 1, "poison")
    for number in range(2, 8):
        listener.hear(POTTERY, number, f"t{number}")
        listener.read()

    assert listener.open == ["poison"]
    assert listener.read() == []
    assert len(asked) <= 3 + 6


def test_a_turn_that_the_model_fails_at_does_not_keep_its_window_from_being_read(listener):
    def chokes(messages: Any) -> str:
        if "독이 든" in messages[-1].content.partition("읽을 대화")[2]:
            raise ModelFailed("timeout", "scripted", "too slow")
        return READ

    listener.model.will_answer("extract", chokes)
    listener.hear(POTTERY, 1, "t1")
    listener.hear("어제 독이 든 항아리를 발견했어", 2, "poison")
    listener.hear(POTTERY, 3, "t3")
    for _ in range(10):
        listener.read()
    assert listener.open == ["poison"]


def test_a_model_that_is_away_for_long_still_reads_everything_afterwards(listener):
    listener.model.will_answer("extract", ModelFailed("unreachable", "scripted", "away"))
    listener.hear(POTTERY, 1, "t1")
    for _ in range(10):
        listener.read()
    listener.model.will_answer("extract", READ)
    listener.read()
    assert (listener.open, listener.known("hobby")) == ([], ["물레"])


def test_once_the_model_fails_the_rest_waits(open_bank):
    listener = paced(open_bank, "turn", ScriptedModel({"extract": ModelFailed("unreachable", "scripted", "away")}))
    heard(listener, 4)
    listener.read()
    assert len(listener.model.asked) == 1
    assert len(listener.open) == 4


def test_a_turn_that_is_forgotten_whole_is_not_shown_and_waits_no_longer(listener):
    listener.hear("나 땅콩 알레르기 있어", on=1)
    for memory in listener.mind.facts():
        listener.mind.forget(memory.id, at=day(2))
    listener.read()
    assert listener.model.asked == []
    assert listener.open == []
