"""Several turns are taken back at once, and what stays is judged as if they had never been said."""

import gieok


def test_several_turns_are_taken_back_in_one_operation(tmp_path):
    with gieok.open(tmp_path / "bank.db", embedder="hashing") as bank:
        letia = bank.scope(user="minsu", character="letia")
        for number, text in enumerate(
            ("나 서울 살아", "나 땅콩 알레르기 있어", "나 부산으로 이사했어", "나 고양이 키워")
        ):
            letia.observe(text, reply="네.", turn_id=f"t{number}")
        before = len(letia.journal())

        assert letia.rewind("t2", "t1") == ("t1", "t2")

        assert [turn.id for turn in letia.turns()] == ["t0", "t3"]
        assert [fact.value for fact in letia.facts("user", attribute="residence")] == ["서울"]
        assert letia.facts("user", attribute="allergy") == []
        assert len(letia.journal()) == before + 1


def test_a_talk_that_the_caller_shows_is_not_quoted(tmp_path):
    with gieok.open(tmp_path / "bank.db", embedder="hashing") as bank:
        letia = bank.scope(user="minsu", character="letia")
        turn = letia.observe("어제 한강에서 연을 날렸어", reply="연이 높이 날았나요?").turn
        older = letia.context("한강에서 연 날린 거 기억해?")
        ids = [utterance.id for utterance in turn.utterances]

        context = letia.context("한강에서 연 날린 거 기억해?", shown=ids)

        assert "연이 높이 날았나요?" in str(older.messages)
        assert "연이 높이 날았나요?" not in str(context.messages)
        assert not {*ids} & {*context.items}
        assert [message.role for message in context.messages][-1] == "user"
