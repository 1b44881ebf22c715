"""What one character hears from one user, nobody else ever learns."""

import random

import pytest

import gieok

USERS = ["minsu", "jiwoo", "7x", "민수"]
CHARACTERS = ["letia", "lupames", "1x", "레티아"]
DECOYS = [
    "a@7x라면",
    "#7x비밀",
    "💕7x비밀",
    "1x라면",
    "2x비밀",
    "c++",
    '" OR *',
    "라면\n비밀",
    "NEAR(라면 비밀)",
    "-라면",
    "라면*",
    "'; --",
]


@pytest.mark.check
def test_nothing_crosses_between_scopes_however_they_interleave(bank, counts):
    dice = random.Random(7)
    minds = [bank.scope(user=user, character=character) for user in USERS for character in CHARACTERS]
    said: dict[gieok.Scope, set[str]] = {mind.key: set() for mind in minds}
    spoken: dict[gieok.Scope, set[str]] = {mind.key: set() for mind in minds}
    for number in range(counts(120, 3_000)):
        mind = dice.choice(minds)
        text = f"{dice.choice(DECOYS)} 라면 비밀 <{number}> 번째 이야기"
        turn = mind.observe(text, reply=f"<{number}> 번째 비밀이군요 {dice.choice(DECOYS)}").turn
        said[mind.key].add(f"<{number}>")
        spoken[mind.key] |= {utterance.id for utterance in turn.utterances}

        asker = dice.choice(minds)
        query = dice.choice([*DECOYS, "라면", "비밀", f"<{number}> 번째 이야기"])
        for hit in asker.recall(query, k=50):
            own = said[asker.key]
            if isinstance(hit.item, gieok.Memory) and hit.item.extractor == "manners/1":
                own = {str(asker.key.character)}  # how the two speak to each other names the character, and no number
            if isinstance(hit.item, gieok.Memory) and hit.item.extractor.startswith("reader/"):
                assert set(hit.item.sources) <= spoken[asker.key], (asker, query, hit.text)
                continue  # a value that was read names no number
            assert any(mark in hit.text for mark in own), (asker, query, hit.text)


def test_neither_another_character_nor_another_user_gets_anything(bank):
    bank.scope(user="minsu", character="letia", world="academy").observe("나 고양이 좋아해", reply="비밀 지킬게요")

    for user, character, world in [
        ("minsu", "lupames", "academy"),
        ("jiwoo", "letia", "academy"),
        ("minsu", "letia", "elsewhere"),
        ("minsu", "letia", None),
        (None, "letia", "academy"),
        (None, None, "academy"),
    ]:
        stranger = bank.mind(gieok.Scope(user=user, character=character, world=world))
        assert stranger.facts(history=True) == []
        assert stranger.recall("고양이 비밀", k=20) == []
        assert stranger.turns() == []
        context = stranger.context("고양이")
        assert context.items == ()
        assert [message.content for message in context.messages] == ["고양이"]


@pytest.mark.parametrize("name", ["user", "character", "world"])
def test_whoever_calls_themself_by_the_word_for_a_role_is_not_in_it(bank, name):
    letia = bank.scope(user="민수", character="레티아")
    observed = letia.observe("내 이름은 도라에몽이야. 나 땅콩 알레르기 있어", speaker=name)
    assert [each.speaker for each in observed.turn.utterances] == [f"@{name}"]
    assert letia.facts("user") == letia.facts("character") == []
