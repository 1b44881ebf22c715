"""What models were asked, summed up by day, task, model and outcome."""

from __future__ import annotations

from datetime import UTC

from gieok.domain.model import CallSum, ModelCall
from gieok.stores.tables.connection import Connection


def note(connection: Connection, call: ModelCall) -> None:
    connection.run(
        "add_model_call",
        day=call.at.astimezone(UTC).date().isoformat(),
        task=call.task,
        model=call.model,
        failure=call.failure or "",
        seconds=call.seconds,
        prompt_tokens=call.prompt_tokens,
        answer_tokens=call.answer_tokens,
        cost=call.cost,
    )


def sums(connection: Connection) -> list[CallSum]:
    return [
        CallSum(
            day=day,
            task=task,
            model=model,
            failure=failure or None,
            calls=calls,
            seconds=seconds,
            prompt_tokens=prompt_tokens,
            answer_tokens=answer_tokens,
            cost=cost,
        )
        for day, task, model, failure, calls, seconds, prompt_tokens, answer_tokens, cost in connection.rows(
            "find_model_calls"
        )
    ]
