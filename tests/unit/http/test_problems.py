"""Every error that gieok raises on purpose is a problem with a status of its own and a stable name."""

import inspect

import pytest

from gieok import errors
from gieok.http.problems import PATTERNS, problem_of, problem_word, validation_errors

EVERY = [each for _, each in inspect.getmembers(errors, inspect.isclass) if issubclass(each, errors.GieokError)]


@pytest.mark.parametrize("kind", EVERY, ids=lambda kind: kind.__name__)
def test_every_error_has_a_name_for_programs(kind: type[errors.GieokError]) -> None:
    error = kind.__new__(kind)
    for fact in ("memory_id", "turn_id", "name", "expected", "found", "by", "scope", "version"):
        setattr(error, fact, "x")
    problem = problem_of(error)
    assert 400 <= problem.status < 600
    assert problem.status != 500
    assert problem.type == f"/problems/{problem_word(kind)}"


def test_a_mistake_is_told_in_words_and_what_was_sent_is_not_repeated() -> None:
    told = validation_errors([{"type": "string_type", "loc": ("body", "text"), "msg": "…", "input": "비밀"}])
    assert told == [{"where": "body.text", "what": "must be text"}]


def test_every_pattern_has_words() -> None:
    for pattern, words in PATTERNS.items():
        [told] = validation_errors(
            [{"type": "string_pattern_mismatch", "loc": ("query", "user"), "ctx": {"pattern": pattern}}]
        )
        assert told["what"] == words


def test_a_detail_is_in_the_language_that_is_asked_for() -> None:
    error = errors.UnknownMemory("m1")
    assert problem_of(error).detail.startswith("no memory 'm1' in this scope; GET")
    assert problem_of(error, "ko").detail.startswith("기억 'm1'")
    assert problem_of(errors.TurnUnderWay("user=minsu", 30), "ko").detail.startswith("[user=minsu]의 다른 대화")
