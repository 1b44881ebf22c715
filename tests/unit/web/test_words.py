"""Everything that a viewer reads comes from the catalogue, in both languages.

A page module asks for `words("talk.send")`, which is `send` in `words/ko/talk.toml` and `words/en/talk.toml`.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import gieok.web
import gieok.words
from gieok.words import LANGUAGES

WEB = Path(gieok.web.__file__).parent
HANGUL = re.compile("[ㄱ-ㅎㅏ-ㅣ가-힣]")
LATIN = re.compile(r"[A-Za-z]{2,}")
#: functions with texts as their first arguments, and how many
SHOWN = dict.fromkeys(("write", "hint", "status", "heading", "button", "link", "memory_link", "card", "chip"), 1)
SHOWN |= dict.fromkeys(("row", "cell", "notify", "input", "textarea", "page_title", "select", "checkbox"), 1)
SHOWN |= {"notice": 2, "confirm": 2}
#: in the Korean catalogue as they are: names, keys, units
SAME = set("gieok English MBTI Enter Shift llm writer admin retain keys create ms k".split())
PAGES = {"ask", "graph", "memories", "relationship", "scopes", "talk", "upkeep"}
OURS = PAGES | {"shared", "frame", "login", "welcome"}


def catalogue(language: Any, surface: str) -> dict[str, str]:
    """Return all texts of a surface by their keys."""
    words = gieok.words._read(language, surface)

    def texts(table: dict[str, Any], start: str) -> Iterator[tuple[str, str]]:
        for name, value in table.items():
            yield from texts(value, f"{start}.{name}") if isinstance(value, dict) else [(f"{start}.{name}", value)]

    return dict(texts(words, surface))


@pytest.mark.parametrize("surface", sorted(OURS | {"mcp"}))
def test_both_languages_have_the_same_keys_and_the_same_slots(surface):
    korean, english = (catalogue(language, surface) for language in LANGUAGES)
    assert korean.keys() == english.keys()

    def slots(text: str) -> set[str]:
        return {name.partition(":")[0] for name in re.findall(r"\{([^}]*)\}", text)}

    if surface != "relationship":  # the ticks of its charts have other slots in each language
        dates = {"month", "short", "long", "year", "day", "time"}
        assert {key: slots(text) - dates for key, text in korean.items()} == {
            key: slots(text) - dates for key, text in english.items()
        }


@pytest.mark.parametrize("surface", sorted(OURS | {"mcp"}))
def test_no_text_mixes_the_languages(surface):
    for key, text in catalogue("en", surface).items():
        assert not HANGUL.search(text) or key in ("frame.other_language", "frame.logo"), (key, text)
    for key, text in catalogue("ko", surface).items():
        latin = set(LATIN.findall(re.sub(r"\{[^}]*\}", "", text)))
        assert latin <= SAME, (key, text)


@pytest.mark.parametrize("surface", sorted(OURS | {"mcp"}))
def test_korean_has_one_register(surface):
    for key, text in catalogue("ko", surface).items():
        assert not re.search(r"(습니다|ㅂ니다|십시오|하다|한다|는다)[.!?]?$", text), (key, text)


def literals(tree: ast.AST) -> Iterator[ast.Constant]:
    """Yield string literals that are not docstrings."""
    docs = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef))
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
            yield node


def shown_literals(tree: ast.AST) -> Iterator[ast.Constant]:
    """Yield literals that are shown as they are: arguments of elements, outside `words(…)`."""
    for call in ast.walk(tree):
        if not isinstance(call, ast.Call):
            continue
        name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        if name in SHOWN:
            given = [
                *call.args[: SHOWN[name]],
                *(each.value for each in call.keywords if each.arg in ("text", "label", "title")),
            ]
            for argument in given:
                parts = argument.values if isinstance(argument, ast.JoinedStr) else [argument]
                yield from (part for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str))


@pytest.mark.parametrize("path", sorted(WEB.glob("*.py")), ids=lambda path: path.stem)
def test_no_module_of_the_pages_has_texts_of_its_own(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert [node.value for node in literals(tree) if HANGUL.search(node.value)] == []
    shown = [node.value for node in shown_literals(tree) if LATIN.search(node.value)]
    assert [text for text in shown if text != "gieok"] == []


def test_the_check_finds_texts_outside_the_catalogue():
    tree = ast.parse('write("Nothing here", "p")\nbutton(f"Send {n}", act)\nx = "보내기"')
    assert [node.value for node in shown_literals(tree)] == ["Nothing here", "Send "]
    assert [node.value for node in literals(tree) if HANGUL.search(node.value)] == ["보내기"]


def test_every_key_that_a_page_asks_for_exists_and_every_key_is_asked_for():
    source = "".join(path.read_text(encoding="utf-8") for path in WEB.glob("*.py"))
    asked = set(re.findall(rf"[\"']((?:{'|'.join(OURS)})\.[a-z_0-9.]*(?:\{{[^\"]*?\}}[a-z_0-9.]*)*)[\"']", source))
    patterns = [re.compile(re.sub(r"\\\{.*?\\\}", "[^.]+", re.escape(key)) + r"(\..+)?") for key in asked]
    known = {key for surface in OURS for key in catalogue("ko", surface)}
    assert {key for key in known if not any(each.fullmatch(key) for each in patterns)} - {"ask.kinds"} == set()
    plain = {key for key in asked if "{" not in key and not key.endswith(".")}
    assert {key for key in plain if key not in known and not any(each.startswith(f"{key}.") for each in known)} == set()
