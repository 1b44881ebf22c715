"""Erasing a scope through the bank: all of it goes, and nobody behind the scenes brings any of it back."""

from threading import Event, Thread

import pytest

from gieok.bank.models import JobRunner
from gieok.domain.scope import Scope
from gieok.domain.server_state import Bounds
from gieok.errors import UnknownMemory
from gieok.testing import day


def test_all_of_a_scope_is_erased_and_told_and_the_file_holds_none_of_its_words(open_bank, tmp_path):
    bank = open_bank()
    letia = bank.scope(user="minsu", character="letia")
    sera = bank.scope(user="minsu", character="sera")
    for mind in (letia, sera):
        mind.observe("나 땅콩 알레르기 있어", reply="조심할게요", at=day(1))
    letia.observe("내 비밀은 보라색우산이야", reply="보라색우산…", at=day(2))
    letia.remember("비밀번호는 보라색우산", at=day(2))
    held = bank.holdings(letia.key)
    assert (held.turns, held.utterances) == (2, 4)

    gone = bank.erase(letia.key)
    assert (gone.turns, gone.memories) == (held.turns, held.memories)

    assert (letia.turns(), letia.facts(), letia.recall("보라색우산"), letia.entities(), letia.journal()) == ([],) * 5
    assert [memory.content for memory in sera.facts()] == ["땅콩 알레르기가 있음"]
    assert [each.scope for each in bank.latest_scopes()] == [sera.key]
    bank.close()
    raw = b"".join(path.read_bytes() for path in tmp_path.iterdir() if path.is_file())
    assert "알레르기".encode() in raw
    assert "보라색우산".encode() not in raw


def test_scopes_are_found_by_words_of_their_names_within_bounds(bank):
    for number, (user, character) in enumerate((("minsu", "레티아"), ("지영", "레티아"), ("minsu", "세라"))):
        bank.scope(user=user, character=character).observe("안녕", at=day(1 + number))
    assert [str(each.scope) for each in bank.latest_scopes(1)] == ["user=minsu character=세라"]
    decomposed = "\u1105\u1166\u1110\u1175\u110b\u1161"  # 레티아, as a Mac writes it in the name of a file
    assert [each.scope.user for each in bank.latest_scopes(text=f"{decomposed} MIN")] == ["minsu"]
    assert bank.latest_scope([Bounds(character="레티아")]) == Scope(user="지영", character="레티아")


def test_whoever_works_behind_the_scenes_is_waited_for_and_kept_out():
    began, go_on, scope = Event(), Event(), Scope(user="minsu")
    worked: list[str] = []

    def work(_: Scope) -> None:
        began.set()
        go_on.wait(10)
        worked.append("model")

    jobs = JobRunner(work)
    jobs.wake(scope)
    assert began.wait(10)
    jobs.wake(scope)  # it would go on with this one at once

    def erase() -> None:
        with jobs.away_from(scope):
            worked.append("erase")

    erasing = Thread(target=erase)
    erasing.start()
    erasing.join(0.1)
    assert worked == []
    go_on.set()
    erasing.join(10)
    assert jobs.settle(10)
    assert worked[:2] == ["model", "erase"]


def test_whoever_is_woken_while_a_scope_is_erased_comes_afterwards():
    scope, came = Scope(user="minsu"), Event()
    jobs = JobRunner(lambda _: came.set())
    with jobs.away_from(scope):
        jobs.wake(scope)
        assert jobs.settle(10)
        assert not came.is_set()
    assert came.wait(10)


def test_a_mind_tells_what_its_summaries_rest_on(letia):
    for number, word in enumerate(("고양이", "강아지", "토끼", "햄스터")):
        letia.observe(f"나 {word} 좋아해", reply="그렇군요", at=day(1 + number))
    letia.maintain(["summarise", "reflect"], at=day(5))

    made = letia.conclusions()
    assert {memory.content_type for memory in made} >= {"summary", "profile"}
    summary = next(memory for memory in made if memory.content_type == "summary")
    grounds = letia.grounds([summary.id])[summary.id]
    assert {memory.value for memory in grounds.memories} == {"고양이", "강아지", "토끼", "햄스터"}
    first = letia.facts("user")[0]
    assert [each.text for each in letia.grounds([first.id])[first.id].utterances] == ["나 고양이 좋아해"]
    with pytest.raises(UnknownMemory):
        letia.grounds(["nobody"])


def test_a_mind_tells_how_far_each_pass_is(letia, clock):
    for number in range(3):
        letia.observe(f"{number}번째 이야기야", at=day(1))
    clock.set(day(1))
    far = {each.name: each for each in letia.outlook()}
    assert (far["promote"].measured.have, far["promote"].measured.need) == (3, 10)
    assert far["retain"].measured is None
    assert not any(each.due for each in far.values())
    clock.set(day(2))
    assert tuple(each.name for each in letia.outlook() if each.due) == letia.due() == ("merge", "prune")
    assert {each.measured.by for each in letia.outlook() if each.due} == {"hours"}
    letia.maintain(["merge"])
    assert {each.name: each.ran is not None for each in letia.outlook()}["merge"]
