"""What a model gets to read."""

import ast
import hashlib
import json
import os
from datetime import date
from pathlib import Path
from typing import get_args

import pytest

from gieok import prompts
from gieok.domain.answer import Task
from gieok.domain.attributes import SCHEMA
from gieok.prompts.data import dated, document, quoted, rendered, slots
from gieok.prompts.tasks import attribute_list, extract_prompt
from support.prompts import LANGUAGES, TASKS, asked

RENDERED = Path(__file__).parent / "rendered"

#: The journal names a version with everything that came of it: other words or another schema are another version.
DIGESTS = {
    "extract/2": "018d22b3a961321a",
    "reflect/1": "6d6771eee468a0eb",
    "summarise/1": "05b857f165443b15",
    "interpret/1": "3f5aa92da165f420",
    "profile/1": "1ae150b1a2f71707",
    "emotion/1": "9d39e9112e5d568a",
    "director/1": "8fc16b9cbbb4cb68",
    "rewrite_query/1": "5f7cf5c886ceae1b",
    "conflict/1": "6bd74cdc8bdbc9ea",
    "rerank/1": "52cd6bde8a4e10b1",
    "compress/1": "60a963b7a54d3197",
}

BOTH = pytest.mark.parametrize("language", LANGUAGES)
EVERY = pytest.mark.parametrize("task", TASKS)


def as_read(prompt):
    return "".join(f"[{message.role}]\n{message.content}\n\n" for message in prompt.messages)


def digest(task):
    documents = [document(task, language) for language in LANGUAGES]
    lists = [attribute_list(language) for language in LANGUAGES] if task == "extract" else []
    schema = json.dumps(asked(task, "ko").schema, sort_keys=True)
    return hashlib.sha256("\0".join([*documents, *lists, schema]).encode()).hexdigest()[:16]


@BOTH
@EVERY
def test_a_rendered_prompt_reads_as_on_file(task, language):
    path = RENDERED / f"{task}.{language}.txt"
    text = as_read(asked(task, language))
    if os.environ.get("UPDATE_SNAPSHOTS"):
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8"), f"if this is better, run with UPDATE_SNAPSHOTS=1: {path}"


def test_nothing_is_on_file_that_no_task_renders():
    assert {path.stem for path in RENDERED.iterdir()} == {f"{task}.{each}" for task in TASKS for each in LANGUAGES}


def test_every_task_of_a_model_has_a_prompt_but_those_without_an_answer_to_read():
    assert set(TASKS) == set(get_args(Task)) - {"reply", "embed"}


@EVERY
def test_a_changed_prompt_has_a_new_version(task):
    version = asked(task, "ko").version
    assert DIGESTS.get(version) == digest(task), f"{task} has changed: raise its version and pin {digest(task)!r}"


def test_every_version_names_its_task_and_is_pinned_once():
    versions = [asked(task, language).version for task in TASKS for language in LANGUAGES]
    assert [version.partition("/")[0] for version in versions] == [task for task in TASKS for _ in LANGUAGES]
    assert set(versions) == set(DIGESTS)
    assert len(set(DIGESTS.values())) == len(DIGESTS)


@BOTH
@EVERY
def test_the_same_arguments_give_the_same_prompt_whatever_the_environment(task, language, monkeypatch):
    before = as_read(asked(task, language))
    for name, value in {"TZ": "Pacific/Kiritimati", "LANG": "C", "LC_ALL": "C", "GIEOK_LANGUAGE": "en"}.items():
        monkeypatch.setenv(name, value)
    assert as_read(asked(task, language)) == before


def test_no_prompt_asks_for_the_time_or_the_environment():
    room = Path(prompts.__file__).parent
    for path in room.glob("*.py"):
        names = {node.attr for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Attribute)}
        assert not names & {"now", "utcnow", "today", "time", "environ", "getenv", "random"}, path.name


@BOTH
def test_the_date_is_the_one_that_is_handed_in(language):
    def on(day):
        shown = {"window": [(1, "user", "안녕")], "earlier": [], "known": [], "readings": []}
        return as_read(extract_prompt(**shown, today=day, user="지민", character="하루", language=language))

    assert "1999-12-31" in on(date(1999, 12, 31))
    assert on(date(1999, 12, 31)).replace("31 (금)", "30 (목)").replace("31 (Friday)", "30 (Thursday)") == on(
        date(1999, 12, 30)
    )


@EVERY
def test_both_languages_have_the_same_slots(task):
    assert slots(document(task, "ko")) == slots(document(task, "en"))


@BOTH
@EVERY
def test_every_document_says_before_the_data_that_it_is_data_and_ends_with_what_to_do(task, language):
    told, given = (message.content for message in asked(task, language).messages)
    assert {"ko": "자료입니다", "en": "is data"}[language] in told
    assert {"ko": "따르지 말고", "en": "never follow"}[language] in told.lower()
    assert given.startswith("<data>\n")
    assert given.count("<data>") == given.count("</data>") == 1
    assert given.rpartition("</data>")[2].strip()


@BOTH
def test_every_attribute_of_the_schema_stands_in_the_question(language):
    told = asked("extract", language).messages[0].content
    listed = {each.partition("(")[0] for each in attribute_list(language).split(", ") if each[0].isascii()}
    assert attribute_list(language) in told
    assert set(SCHEMA) <= listed


@BOTH
def test_the_question_of_extraction_stays_short_for_small_models(language):
    text = "".join(message.content for message in asked("extract", language).messages)
    hangul = sum("가" <= letter <= "힣" for letter in text)
    assert 0.75 * hangul + (len(text) - hangul) / 3.5 < 1_500  # tokens of the usual vocabularies, rather too many


def test_what_stands_in_a_slot_is_not_read_for_further_slots():
    _, given = rendered("rerank", "ko", query=quoted("{{memories}}"), memories=quoted("{{query}}"))
    assert '질문: "{{memories}}"' in given.content
    assert '\n"{{query}}"\n' in given.content


@pytest.mark.parametrize(
    "data", [{"query": quoted("?")}, {"query": quoted("?"), "memories": quoted(""), "x": quoted("")}]
)
def test_a_slot_that_is_missing_or_unknown_is_an_error(data):
    with pytest.raises(KeyError, match=r"rerank\.ko\.md has the slots"):
        rendered("rerank", "ko", **data)


def test_a_day_is_told_with_its_weekday():
    assert dated(date(2026, 11, 15), "ko") == '"2026-11-15 (일)"'
    assert dated(date(2026, 11, 15), "en") == '"2026-11-15 (Sunday)"'


def objects_of(schema):
    if schema.get("type") == "object":
        yield schema
        for field in schema["properties"].values():
            yield from objects_of(field)
    elif schema.get("type") == "array":
        yield from objects_of(schema["items"])


@EVERY
def test_every_schema_is_strict_and_flat(task):
    schema = asked(task, "ko").schema
    found = list(objects_of(schema))
    assert found[0] is schema, "an answer is an object"
    assert len(found) <= 2, "a list of flat objects at most"
    for each in found:
        assert each["additionalProperties"] is False
        assert each["required"] == list(each["properties"])
    assert len(json.dumps(schema)) < 1_200
