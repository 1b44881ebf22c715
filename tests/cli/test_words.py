"""Every word that the command shows is in the catalogue, in both languages, and the terminal's language is kept to."""

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
import typer

from gieok.cli.app import explain, whole_app
from gieok.cli.console import terminal_language
from gieok.domain.answer import Failure, Source, Task
from gieok.domain.attributes import SCHEMA, ContentType
from gieok.domain.decision import Reason
from gieok.domain.emotion import EMOTIONS
from gieok.domain.model_conclusions import THOUGHTS
from gieok.domain.personal import PERSONAL_KINDS
from gieok.domain.relationship import AXES, LEVELS, default_rules
from gieok.domain.scoring import PART_NAMES
from gieok.domain.upkeep import PASSES
from gieok.presets import DEFAULT, PRESETS
from gieok.words import LANGUAGES, words_in

CLI = Path(__file__).parents[2] / "src/gieok/cli"
SURFACES = ("cli", "cli_help", "cli_chat", "cli_demo", "cli_doctor", "settings", "shared")
SHOWN = {"print", "echo", "add_task", "Panel", "Text", "Column", "complain", "Check", "BadParameter"}
#: Literals that are code, not words: commands to type, and the names of checks, which are the same in every language.
ALLOWED = {
    "gieok demo",
    "pip uninstall apsw; ",
    'pip install "gieok[',
    "trial bank",
    "trial sources",
    "vector path",
    "keyword path",
}


def flat(table: dict[str, Any], path: str = "") -> Iterator[tuple[str, str]]:
    for name, value in table.items():
        if isinstance(value, dict):
            yield from flat(value, f"{path}{name}.")
        else:
            yield f"{path}{name}", value


def surface(language: str, name: str) -> dict[str, str]:
    file = CLI.parent / "words" / language / f"{name}.toml"
    return dict(flat(tomllib.loads(file.read_text(encoding="utf-8"))))


@pytest.mark.parametrize("name", SURFACES)
def test_both_languages_have_the_same_keys_with_the_same_slots(name):
    korean, english = surface("ko", name), surface("en", name)
    assert set(korean) == set(english)
    if name not in ("settings", "shared"):  # settings are never filled in; dates are written another way round
        for key, text in korean.items():
            slots, others = (set(re.findall(r"\{(\w+)", each)) for each in (text, english[key]))
            assert slots >= others - {"name"} or slots == others, key


@pytest.mark.parametrize("name", [each for each in SURFACES if each not in ("settings", "shared")])
def test_no_language_is_mixed_into_the_other(name):
    shared = {"commands.help", "commands.erase.when", *(f"commands.{each}" for each in ("facts", "undo", "again"))}
    english = {key: text for key, text in surface("en", name).items() if re.search("[가-힣]", text)}
    assert set(english) <= shared | {"commands.forget", "commands.leave"}


def literals(path: Path) -> Iterator[tuple[ast.AST, str]]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, documented) and node.body and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield node, node.value


@pytest.mark.parametrize("path", sorted(CLI.glob("*.py")), ids=lambda path: path.name)
def test_no_words_stand_in_the_code(path):
    assert [text for _, text in literals(path) if re.search("[가-힣]{2}", text)] == []
    tree = ast.parse(path.read_text(encoding="utf-8"))
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    said = [
        each.value
        for call in calls
        if getattr(call.func, "id", getattr(call.func, "attr", "")) in SHOWN
        for each in ast.walk(call)
        if isinstance(each, ast.Constant) and isinstance(each.value, str)
    ]
    said += [
        keyword.value.value
        for call in calls
        for keyword in call.keywords
        if keyword.arg in ("help", "short_help", "epilog") and isinstance(keyword.value, ast.Constant)
    ]
    sentences = [text for text in said if re.search(r"[A-Za-z]{2,} [A-Za-z]{2,}", text)]
    styles = r"(bold|italic|strike|dim|bright|reverse)"
    assert [text for text in sentences if text not in ALLOWED and not re.match(styles, text)] == []


def keys_in(path: Path) -> Iterator[str]:
    """Yield the keys that a module asks for; `{…}` stands for what is known when it runs."""
    prefixes = {"text": "cli.", "terms": "cli.", "say": f"cli_{path.stem}.", "words": "", "terminal_words": ""}
    for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(call, ast.Call) or not call.args:
            continue
        name = getattr(call.func, "id", getattr(call.func, "attr", ""))
        for each in ast.walk(call.args[0]):
            key = each.value if isinstance(each, ast.Constant) else None
            if not isinstance(key, str) or not re.fullmatch(r"[\w.-]+", key):
                continue
            if name == "Column" and each is call.args[0]:
                yield f"cli.columns.{key}"
            elif name in prefixes and (each is call.args[0] or isinstance(call.args[0], ast.IfExp)):
                yield f"{prefixes[name]}{key}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_that_the_code_asks_for_exists(language):
    words = words_in(language)
    asked = {key for path in CLI.glob("*.py") for key in keys_in(path)}
    missing = []
    for key in asked:
        try:
            words(key)
        except KeyError:
            missing.append(key)
    assert missing == []
    assert len(asked) > 300


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_command_and_every_option_has_its_help(language):
    command = typer.main.get_command(whole_app())
    explain(command, (), words_in(language))
    pages = dict(commands(command))
    for path, each in pages.items():
        assert each.help, path
        for parameter in each.params:
            assert parameter.help, (path, parameter.name)
    assert len(pages) > 50


def commands(command: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    yield path, command
    for name, each in getattr(command, "commands", {}).items():
        yield from commands(each, f"{path} {name}")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_name_of_the_domain_has_a_label(language):
    words = words_in(language)
    for table, names in {
        "shared.levels": LEVELS,
        "shared.axes": AXES,
        "shared.emotions": EMOTIONS,
        "shared.passes": PASSES,
        "shared.causes": {"time_together", "absence", *default_rules().signs},
        "shared.reasons": get_args(Reason),
        "shared.types": get_args(ContentType),
        "shared.attributes": [key for key in SCHEMA if "." not in key],
        "shared.tasks": get_args(Task),
        "cli.parts": PART_NAMES,
        "cli.sources": get_args(Source),
        "cli.thoughts": THOUGHTS,
        "cli.personal_kinds": PERSONAL_KINDS,
        "cli.model_failures": set(get_args(Failure)) - {"cancelled"},
        "cli.presets.about": (DEFAULT, *PRESETS),
        "cli_chat.faces": set(EMOTIONS) - {"neutral"},
    }.items():
        assert set(names) <= set(words.some(table)), table


@pytest.mark.parametrize(
    ("environment", "file", "language"),
    [
        ({"LC_ALL": "ko_KR.UTF-8"}, "", "ko"),
        ({"LC_ALL": "C.UTF-8", "LANG": "ko_KR.UTF-8"}, "", "en"),
        ({"LC_ALL": "", "LC_MESSAGES": "ko", "LANG": "en_US.UTF-8"}, "", "ko"),
        ({"LC_ALL": "", "LANG": "de_DE.UTF-8"}, "", "en"),
        ({"LC_ALL": ""}, "", "en"),
        ({"LC_ALL": "ko_KR.UTF-8", "GIEOK_LANGUAGE": "en"}, 'language = "ko"', "en"),
        ({"LC_ALL": "ko_KR.UTF-8"}, 'language = "en"', "en"),
        ({"LC_ALL": "ko_KR.UTF-8"}, "language =", "ko"),
        ({"LC_ALL": "ko_KR.UTF-8", "GIEOK_LANGUAGE": "de"}, "", "ko"),
    ],
)
def test_the_settings_name_the_language_of_the_terminal_else_the_locale(
    environment, file, language, monkeypatch, tmp_path
):
    monkeypatch.chdir(tmp_path)
    for name in ("LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    if file:
        Path("gieok.toml").write_text(file, encoding="utf-8")
    assert terminal_language() == language


def test_a_table_names_attributes_in_the_language_of_the_terminal_and_json_by_their_keys(run, monkeypatch):
    run("observe", "나 당뇨가 있어", "-u", "minsu", "-c", "letia")
    assert "앓는 병" in run("facts").out
    monkeypatch.setenv("GIEOK_LANGUAGE", "en")
    assert "medical condition" in run("facts").out
    assert run("facts", "--json").record[0]["attribute"] == "medical_condition"
