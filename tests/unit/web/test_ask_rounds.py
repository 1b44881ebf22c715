"""Of questions that come faster than answers, the last one counts."""

from __future__ import annotations

import asyncio

import pytest

from gieok.web.ask import Rounds


class Oracle:
    """Answers when it is told to, and remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.go = asyncio.Event()

    async def answer(self, question: str) -> str:
        self.asked.append(question)
        await self.go.wait()
        if question.startswith("bad"):
            raise ValueError(question)
        return question.upper()


def rounds(oracle: Oracle) -> tuple[Rounds[str, str], list[str]]:
    shown: list[str] = []
    return Rounds(oracle.answer, shown.append), shown


def test_only_the_last_of_many_is_answered_after_the_first_and_only_it_is_shown() -> None:
    async def story() -> tuple[list[str], list[str]]:
        oracle = Oracle()
        asking, shown = rounds(oracle)
        first = asyncio.create_task(asking.ask("a"))
        await asyncio.sleep(0)
        for question in "bcd":
            await asking.ask(question)
        oracle.go.set()
        await first
        return oracle.asked, shown

    assert asyncio.run(story()) == (["a", "d"], ["D"])


def test_a_failure_is_raised_where_nothing_follows_it_and_the_next_question_is_answered() -> None:
    async def story() -> list[str]:
        oracle = Oracle()
        oracle.go.set()
        asking, shown = rounds(oracle)
        with pytest.raises(ValueError, match="bad"):
            await asking.ask("bad")
        await asking.ask("good")
        return shown

    assert asyncio.run(story()) == ["GOOD"]


def test_a_failure_that_another_question_has_overtaken_is_forgotten() -> None:
    async def story() -> list[str]:
        oracle = Oracle()
        asking, shown = rounds(oracle)
        first = asyncio.create_task(asking.ask("bad"))
        await asyncio.sleep(0)
        await asking.ask("good")
        oracle.go.set()
        await first
        return shown

    assert asyncio.run(story()) == ["GOOD"]
