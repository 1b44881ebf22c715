"""A model reads what rules left open: behind them, as one operation of its own, and never at the cost of a turn."""

from dataclasses import replace
from typing import Any

import pytest

import gieok
from gieok.domain.decision import Ignore
from gieok.domain.scope import Scope
from gieok.errors import ModelFailed
from gieok.extract.left_open import left_open
from gieok.extract.model import ModelExtractor
from gieok.observe.index import Indexer
from gieok.observe.model_reader import ModelReader
from gieok.observe.said import Said
from gieok.testing import ScriptedModel, day
from support.proposals import answer, proposal

POTTERY = "골목 끝 공방에서 물레를 돌려 봤어"
MATCH = "우리 팀이 지역 대회에서 준우승했어"
DRUMS = "회사에서 사내 밴드 드럼을 맡게 됐어"
READ = answer(proposal("hobby", "물레", POTTERY))
LETIA = Scope(user="minsu", character="letia")


class Listener:
    """A bank whose observer marks turns open, and a reader with a scripted model."""

    def __init__(self, bank: gieok.MemoryBank, model: ScriptedModel) -> None:
        services = bank.services
        self.mind = bank.mind(LETIA)
        self.store = bank.store
        self.model = model
        self.observer = replace(services.observer, left_open=left_open)
        self.reader = ModelReader(
            store=bank.store,
            extractor=ModelExtractor(model=model),
            indexer=Indexer(bank.embedder),
            carrier=services.carrier,
            clock=bank.clock,
        )

    def hear(self, text: str, on: float, id: str | None = None, reply: str | None = None) -> gieok.Observed:
        lines = (("user", text), *((("character", reply),) if reply else ()))
        return self.observer.observe(LETIA, Said(lines=lines, at=day(on), turn_id=id))

    def read(self, **options: Any) -> list[gieok.Observed]:
        return self.reader.read(LETIA, **options)

    @property
    def open(self) -> list[str]:
        with self.store.view(LETIA) as view:
            return [turn.id for turn in view.open_turns(100)]

    def known(self, attribute: str) -> list[str | None]:
        return [memory.value for memory in self.mind.facts() if memory.attribute == attribute]


@pytest.fixture
def model():
    return ScriptedModel({"extract": READ})


@pytest.fixture
def listener(open_bank, model):
    return Listener(open_bank(), model)


def test_what_rules_left_open_is_read_by_the_model_and_believed(listener):
    listener.hear(POTTERY, 1, "t1")
    assert listener.open == ["t1"]

    (observed,) = listener.read()

    assert listener.known("hobby") == ["물레"]
    assert (observed.turn.id, [each.memory.value for each in observed.decisions]) == ("t1", ["물레"])
    assert listener.open == []
    assert listener.read() == []
    assert len(listener.model.asked) == 1


def test_it_is_one_operation_that_names_its_reader(listener):
    listener.hear(POTTERY, 1, "t1")
    listener.hear("ㅋㅋ", 2)
    listener.read()
    with listener.store.view(LETIA) as view:
        operation = view.operations()[-1]
    (memory,) = listener.mind.facts()
    assert (operation.kind, operation.turn_id, operation.who) == ("deepen", "t1", "extract/1 scripted")
    assert (memory.origin, memory.extractor, memory.valid_at) == ("model", "extract/1 scripted", day(1))


def test_small_talk_asks_nobody(listener):
    for said in ("ㅋㅋㅋ", "뭐 해?", "안녕!", "나는 스물다섯 살이야"):
        listener.hear(said, 1, reply="저는 도예 공방에 다녀요")
    listener.read()
    assert listener.model.asked == []
    assert listener.known("age") == ["25"]


def test_what_was_made_up_is_shown_in_the_journal_and_not_believed(listener):
    wrong = (proposal("hobby", "승마", POTTERY), proposal("craft", "물레", POTTERY), proposal("", "", "안 한 말"))
    listener.model.will_answer("extract", answer(*wrong))
    listener.hear(POTTERY, 1)
    (observed,) = listener.read()
    assert [each.why for each in observed.decisions if isinstance(each, Ignore)] == [
        "ungrounded",
        "unknown_attribute",
        "ungrounded",
    ]
    assert listener.mind.facts() == []
    assert listener.open == []


def test_what_a_rule_knows_outranks_the_model(listener):
    listener.hear("나 서울 살아", 1)
    said = "이번 주도 강릉에서 빨래를 세 번 돌렸어"
    listener.model.will_answer("extract", answer(proposal("residence", "강릉", said)))
    listener.hear(said, 2)
    (observed,) = listener.read()
    assert [each.why for each in observed.decisions if isinstance(each, Ignore)] == ["less_certain"]
    assert listener.known("residence") == ["서울"]


def test_rewinding_the_turn_takes_back_what_the_model_read(listener):
    listener.hear(POTTERY, 1, "t1")
    listener.hear("나 서울 살아", 2, "t2")
    listener.read()
    listener.mind.rewind("t1")
    assert listener.known("hobby") == []
    assert listener.known("residence") == ["서울"]


def test_a_rewind_judges_the_models_claims_again_without_a_model(listener):
    listener.hear("나 부산 살아", 1, "t1")
    listener.hear(POTTERY, 2, "t2")
    listener.hear("나는 고양이를 좋아해", 3, "t3")
    listener.read()
    (before,) = [memory for memory in listener.mind.facts() if memory.attribute == "hobby"]
    asked = len(listener.model.asked)

    listener.mind.rewind("t1")

    (after,) = [memory for memory in listener.mind.facts() if memory.attribute == "hobby"]
    assert replace(after, touched_turn=before.touched_turn) == before
    assert len(listener.model.asked) == asked


def test_a_turn_rewound_while_the_model_thinks_stays_rewound(listener):
    def rewinds(_: object) -> str:
        listener.mind.rewind("t1")
        return answer(proposal("hobby", "드럼", DRUMS))

    listener.model.will_answer("extract", rewinds)
    listener.hear(POTTERY, 1, "t1")
    assert listener.read() == []
    assert listener.mind.facts() == []


def test_a_turn_that_another_reader_has_read_meanwhile_is_not_learned_twice(listener):
    def reads_first(_: object) -> str:
        listener.model.will_answer("extract", READ)
        assert len(listener.read()) == 1
        return answer(proposal("hobby", "드럼", DRUMS))

    listener.model.will_answer("extract", reads_first)
    listener.hear(POTTERY, 1, "t1")
    assert listener.read() == []
    (memory,) = listener.mind.facts()
    assert memory.mentions == 0


@pytest.mark.parametrize("failure", ["unreachable", "timeout", "rate_limited", "server_error", "empty"])
def test_a_model_that_fails_leaves_the_turn_open_and_the_rules_memories(listener, failure):
    listener.hear(f"나 서울 살아. {MATCH}.", 1, "t1")
    listener.model.will_answer("extract", ModelFailed(failure, "scripted", "no"))
    assert listener.read() == []
    assert (listener.known("residence"), listener.open) == (["서울"], ["t1"])

    listener.model.will_answer("extract", answer(proposal("event", "지역 대회 준우승", MATCH, content="팀이 준우승함")))
    listener.read()
    assert (listener.known("event"), listener.open) == (["지역 대회 준우승"], [])


def test_an_answer_that_cannot_be_read_closes_the_turn(listener):
    listener.hear(POTTERY, 1)
    listener.model.will_answer("extract", "죄송합니다, 저는 할 수 없어요")
    (observed,) = listener.read()
    assert (observed.decisions, listener.open) == ((), [])


def test_a_turn_that_the_model_fails_at_is_left_alone_and_never_blocks_newer_ones(listener):
    asked = []

    def chokes(messages: Any) -> str:
        asked.append(messages[-1].content)
        if "독이 든" in asked[-1].rpartition("새 대화")[2] or "독이 든" in asked[-1].splitlines()[-4:][0]:
            raise ModelFailed("timeout", "scripted", "too slow")
        return answer(proposal("hobby", "드럼", DRUMS))

    listener.model.will_answer("extract", chokes)
    listener.hear("어제 독이 든 항아리를 공방에서 발견했어", 1, "poison")
    for number in range(2, 8):
        listener.hear(POTTERY, number, f"t{number}")
        listener.read(limit=1)
        listener.read(limit=1)

    assert listener.open == ["poison"]
    assert listener.read() == []
    assert len(asked) <= 3 + 6


def test_a_model_that_is_away_for_long_still_reads_everything_afterwards(listener):
    listener.model.will_answer("extract", ModelFailed("unreachable", "scripted", "away"))
    listener.hear(POTTERY, 1, "t1")
    for _ in range(10):
        listener.read()
    listener.model.will_answer("extract", READ)
    listener.read()
    assert (listener.open, listener.known("hobby")) == ([], ["물레"])


def test_marking_turns_open_may_fail_without_costing_the_turn(open_bank):
    def chokes(*_: object) -> bool:
        raise RuntimeError("choked")

    bank = open_bank()
    observer = replace(bank.services.observer, left_open=chokes)
    observed = observer.observe(LETIA, Said(lines=(("user", "나 서울 살아"),), at=day(1)))
    assert [each.memory.value for each in observed.decisions] == ["서울"]


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
        return answer(proposal("hobby", "드럼", DRUMS))

    listener.model.will_answer("extract", forget_meanwhile)
    assert [done.turn.id for done in listener.read()] == [heard.turn.id]
    assert listener.known("hobby") == []
    assert listener.open == []
