"""What the learned reader finds between the lines, beside what was told outright."""

import gieok

BY_THE_WAY = "강릉 교동에 아파트 하나 장만해서 살고 있어요"


def test_what_is_read_between_the_lines_is_remembered(tmp_path):
    with gieok.open(tmp_path / "bank.db", embedder="hashing") as bank:
        mind = bank.scope(user="minsu", character="letia")
        mind.observe(BY_THE_WAY, reply="맛있겠다")
        assert [memory.value for memory in mind.facts()] == ["강릉 교동"]


def test_it_does_not_overrule_what_was_told_outright(tmp_path):
    with gieok.open(tmp_path / "bank.db", embedder="hashing") as bank:
        mind = bank.scope(user="minsu", character="letia")
        mind.observe("나는 서울에 살아", reply="네")
        seen = mind.observe(BY_THE_WAY, reply="맛있겠다")
        assert [each.why for each in seen.decisions if isinstance(each, gieok.Ignore)] == ["less_certain"]
        assert [memory.value for memory in mind.facts()] == ["서울"]
