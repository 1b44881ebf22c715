"""Whatever happened and whatever was taken back: the state is what the surviving turns alone would have left."""

import random
from collections.abc import Sequence
from dataclasses import replace

import gieok
from gieok.domain.memory import NOTHING_KNOWN
from gieok.extract.korean import KoreanRules
from gieok.testing import day

SENTENCES = [
    "저는 서울에 살아요", "나 부산으로 이사했어", "저는 판교에 살아요", "나 스물다섯 살이야", "나 스물여섯 살이야",
    "나 고양이 좋아해", "나 고양이 싫어해", "요즘은 강아지가 더 좋아", "고양이보다 강아지가 더 좋아", "나 간호사야",
    "직업은 개발자예요", "나 땅콩 알레르기 있어", "땅콩 알레르기 없어", "오늘 날씨 좋다", "이 마을은 평화롭네",
    "너 진짜 귀엽다",
]  # fmt: skip


def bare(memory: gieok.Memory) -> gieok.Memory:
    """Return `memory` without what no two runs share: ids and wall time."""
    return replace(memory, id="", sources=("",) * len(memory.sources), closed_by=None, recorded_at=day(1))


class Unaware(KoreanRules):
    """Reads every turn by its own words.

    A rewind keeps what survivors were once read to mean. Reading them anew with other facts known may give another
    meaning, and that is not what is tested here.
    """

    def claims(self, turn: gieok.Turn, scope: gieok.Scope, *background: object) -> Sequence[gieok.Claim]:
        return super().claims(turn, scope, (), NOTHING_KNOWN)


def test_a_random_history_with_rewinds_equals_the_history_of_its_survivors(open_bank, counts):
    bank = open_bank(extractor=Unaware(), upkeep="off")
    for seed in range(counts(6, 200)):
        dice = random.Random(seed)
        lived = bank.scope(user=f"lived-{seed}", character="letia")
        surviving: list[tuple[str, str, int]] = []
        for number in range(dice.randint(3, 14)):
            # mostly in order, sometimes an older fact arrives late
            turn = (f"t{number}", dice.choice(SENTENCES), max(1, number + dice.choice([1, 1, 1, -3])))
            lived.observe(turn[1], at=day(turn[2]), turn_id=turn[0])
            surviving.append(turn)
            if dice.random() < 0.3:
                gone = dice.choice(surviving)
                lived.rewind(gone[0])
                surviving.remove(gone)

        fresh = bank.scope(user=f"fresh-{seed}", character="letia")
        for turn_id, said, when in surviving:
            fresh.observe(said, at=day(when), turn_id=turn_id)

        assert list(map(bare, lived.facts(history=True))) == list(map(bare, fresh.facts(history=True))), seed
        for attribute in ("residence", "age", "job"):
            known = [memory for memory in lived.facts(attribute=attribute, history=True) if memory.polarity == "+"]
            current = lived.facts(attribute=attribute, as_of=day(400))
            assert len(current) == (1 if known else 0), seed
        assert sorted(hit.text for hit in lived.recall("고양이 강아지 서울 부산", k=40)) == sorted(
            hit.text for hit in fresh.recall("고양이 강아지 서울 부산", k=40)
        ), seed
    assert bank.store.problems() == []
