"""What the OpenAPI document promises, asked for at random: every answer is one that it foresees, and none is a 500."""

import json
import traceback
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import hypothesis
import pytest
import requests
import schemathesis
from schemathesis import GenerationMode

import gieok
from gieok.testing import ScriptedModel
from support.api import AT, LETIA, asking

SEED = {"text": "나 고양이 좋아해. 나는 스물다섯 살이야.", "reply": "고양이라니, 저도 좋아해요!", "at": AT}
MOMENT = (
    r"^(19|20)[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])[Tt]([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]"
    r"(\.[0-9]{1,6})?([Zz]|[+-](0[0-9]|1[0-3]):[0-5][0-9])$"
)
HERE = "http://127.0.0.1:9/gieok"  # a name that is drawn would be looked up
LEFT_TO_OTHER_TESTS = {"cursor", "Idempotency-Key"}  # what is drawn at random is no cursor, and no new word


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The document of a server that knows something, and the server."""
    folder: Path = tmp_path_factory.mktemp("bank")
    model = ScriptedModel({"reply": "저도 고양이가 좋아요."})
    options = {"embedder": "hashing", "behind_the_scenes": "off"}
    with gieok.open(folder / "memories.db", model=model, **options) as bank, asking(bank) as client:
        observed = client.post("/v1/turns", json=SEED).json()
        known = {
            "memory_id": [decision["memory"]["id"] for decision in observed["decisions"]],
            "turn_id": [observed["turn"]["id"]],
            "name": ["나비"],
            "certificate_id": ["none"],
            "webhook_id": [client.post("/v1/webhooks", json={"url": HERE}).json()["id"]],
        }
        schema = schemathesis.openapi.from_dict(with_ids(json.loads(client.get("/openapi.json").text), known))
        schema.config.update(base_url=str(client.base_url))
        yield schema


def with_ids(document: Any, known: dict[str, list[str]]) -> Any:
    """Return the document with ids that are there beside those that are drawn."""
    del document["components"]["schemas"]["Remembering"]["properties"]["invalid_at"]  # it cannot say what is later
    erased = document["components"]["schemas"]["WhatToErase"]  # it cannot say: everything, or some of the others
    erased["properties"] = {name: {"const": True} for name in ("everything", "dry_run")}
    erased["required"] = ["everything"]
    document["components"]["schemas"]["NewWebhook"]["properties"]["url"]["enum"] = [HERE]
    _dated(document)
    for path in document["paths"].values():
        for operation in path.values():
            parameters = operation.get("parameters", [])
            operation["parameters"] = [each for each in parameters if each["name"] not in LEFT_TO_OTHER_TESTS]
            for each in parameters:
                if each["in"] == "path":
                    each["schema"] = {"anyOf": [{"type": "string", "enum": known[each["name"]]}, each["schema"]]}
    return document


def _dated(part: Any) -> None:
    """Have moments drawn that the calendar has, in years that it counts; answers have no examples of theirs."""
    if isinstance(part, dict) and part.get("format") == "date-time" and "examples" in part:
        part["pattern"] = MOMENT
    for inner in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
        _dated(inner)


@pytest.mark.parametrize("mode", list(GenerationMode), ids=lambda mode: str(mode.value))
def test_no_request_gets_an_answer_that_the_document_does_not_foresee(
    mode: GenerationMode, api: Any, counts: Callable[[int, int], int]
) -> None:
    examples = hypothesis.settings(
        max_examples=counts(3, 100),
        deadline=None,
        derandomize=True,
        database=None,
        phases=[hypothesis.Phase.explicit, hypothesis.Phase.generate],
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    failures = []
    good = mode is GenerationMode.POSITIVE
    with requests.Session() as session:
        session.trust_env = False
        operations = [found.ok() for found in api.get_all_operations()]
        assert len(operations) > 30
        for operation in operations:

            @examples
            @hypothesis.given(case=operation.as_strategy(generation_mode=mode))
            def ask(case: Any) -> None:
                # The document cannot say that a scope needs a name; one that is drawn wrong stays so.
                case.query = {**(case.query or {}), **LETIA} if good else {**LETIA, **(case.query or {})}
                case.call_and_validate(session=session)

            try:
                with suppress(hypothesis.errors.Unsatisfiable):  # nothing can be asked wrongly of GET /v1/bank
                    ask()
            except BaseExceptionGroup as error:  # every operation is asked before any is complained of
                failures.append(f"{operation.label}:\n{''.join(traceback.format_exception(error))}")
    assert not failures, "\n\n".join(failures)
