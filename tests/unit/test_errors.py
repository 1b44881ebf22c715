"""What errors say: the same facts in both languages, English for programs, the user's language for people."""

import ast
import pickle
import re
from functools import cache
from pathlib import Path
from string import Formatter

import pytest

import gieok
from gieok.errors import EmbedderMismatch, ErrorText, InvalidImport, UnknownSetting
from gieok.settings import load
from gieok.words import LANGUAGES, words_in

SOURCE = Path(gieok.__file__).parent
TEXTS = {
    language: {
        f"{group}.{key}": text
        for group in re.findall(r"^\[(\w+)\]", (SOURCE / "words" / language / "errors.toml").read_text("utf-8"), re.M)
        for key, text in words_in(language).some(f"errors.{group}").items()
    }
    for language in LANGUAGES
}


@cache
def raised() -> dict[str, list[set[str]]]:
    """Return the facts that the code gives for each key, or for all that begin like it: "postgres.", "audit.rows_"."""
    found: dict[str, list[set[str]]] = {}
    for file in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "ErrorText":
                for each in ast.walk(node.args[0]):
                    if isinstance(each, ast.Constant) and "." in str(each.value):
                        found.setdefault(str(each.value), []).append({str(word.arg) for word in node.keywords})
    return found


def facts_in(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


@pytest.mark.parametrize("key", sorted(TEXTS["en"]))
def test_both_languages_name_the_same_facts_and_the_code_gives_them(key: str) -> None:
    english, korean = TEXTS["en"][key], TEXTS["ko"][key]
    assert re.search("[가-힣]", korean)
    begins = next((each for each in raised() if each.endswith((".", "_")) and key.startswith(each)), key)
    given = raised().get(key) or raised().get(begins, []) if not key.startswith("http.") else []
    if given and any(given):
        assert facts_in(english) >= facts_in(korean)
        assert all(facts >= facts_in(english) for facts in given)
        for language in LANGUAGES:
            words_in(language)(f"errors.{key}", **dict.fromkeys(facts_in(english), 7))
    assert given or key.startswith(("http.", "settings.whole", "settings.number", "unknown.", "import.failed"))


def test_every_key_that_is_raised_has_a_text_in_both_languages() -> None:
    assert set(TEXTS["en"]) == set(TEXTS["ko"])
    assert {key for key in raised() if not key.endswith((".", "_"))} <= set(TEXTS["en"])


def test_an_error_is_english_for_programs_and_in_the_language_of_the_reader() -> None:
    error = EmbedderMismatch(built_with="kiwi-256", configured="bge-m3")
    assert str(error) == (
        "this bank was built with embedder 'kiwi-256', but 'bge-m3' is configured; "
        'run "gieok reindex" to re-embed, or set embedder = "kiwi-256"'
    )
    assert error.in_language(words_in("en")) == str(error)
    assert "임베더 'kiwi-256'" in error.in_language(words_in("ko"))


def test_what_stands_inside_a_message_is_translated_too() -> None:
    broken = InvalidImport(ErrorText("import.utf8"), where=ErrorText("import.line", file="chat.jsonl", line=3))
    assert str(broken) == "chat.jsonl, line 3: it is not UTF-8; save it as UTF-8; nothing was imported"
    assert broken.in_language(words_in("ko")) == (
        "chat.jsonl, 3번째 줄: UTF-8이 아니에요. UTF-8로 저장해 주세요. 가져온 것은 없어요"
    )
    with pytest.raises(UnknownSetting) as unknown:
        load(environment={"GIEOK_EMBEDER": "hashing"})
    told = "환경 변수: GIEOK_EMBEDER라는 설정은 없어요. 혹시 GIEOK_EMBEDDER인가요?"
    assert unknown.value.in_language(words_in("ko")) == told


def test_a_message_survives_a_process_boundary() -> None:
    text = ErrorText("import.line", file="a", line=1)
    copied = pickle.loads(pickle.dumps(text))
    assert (copied, copied.in_language(words_in("ko"))) == (text, "a, 1번째 줄")
