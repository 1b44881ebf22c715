"""The tables and settings of the docs agree with the code."""

import re
import subprocess
import sys
from dataclasses import fields
from math import ceil
from pathlib import Path
from typing import get_args

import pytest

import gieok
from gieok.access.caller import REFUSALS
from gieok.access.guard import OPEN_PATHS, OPENAI_PATHS
from gieok.access.hosts import ServeSettings
from gieok.cli.presets import meanings
from gieok.domain import actor, audit
from gieok.domain.answer import Task
from gieok.domain.operation import OperationKind
from gieok.domain.personal import PERSONAL_KINDS, masks_of
from gieok.domain.server_state import ROLES
from gieok.embedders.endpoint import known_models
from gieok.export.archive import DOCUMENTS, TABLES, VERSION, file_of
from gieok.interop.exporters import FORMATS
from gieok.interop.importers.cards import LARGEST_ALBUM, LARGEST_PICTURE
from gieok.interop.importers.files import MIB
from gieok.interop.importers.importer import READERS
from gieok.ports.endpoints import PROVIDERS
from gieok.prompts.data import document, slots
from gieok.settings import Settings, load
from gieok.words import LANGUAGES, words_in
from support.pages import ROOT, section
from support.prompts import TASKS, asked

NAMES = {each.name for each in fields(Settings)}
SERVE, ACCESS = section("serve.md"), section("serve.md", "Access")
OPERATIONS, SIZING = section("serve.md", "Operations"), section("serve.md", "Sizing")
IMPORTS = section("importing-and-exporting.md", "Import from another system")
CARDS = section("importing-and-exporting.md", "Import chats and character cards")
EXPORT = section("importing-and-exporting.md", "Show and export a user's data")
PERSONAL, AUDIT = section("privacy-and-erasure.md", "Personal data"), section("privacy-and-erasure.md", "Audit log")
MODELS, PROMPTS = section("models.md"), section("models.md", "Prompts")
EMBEDDINGS = section("recall.md", "Embedding models")
SETTINGS, TUNING, PROXY = section("settings.md"), section("tuning.md"), section("proxy.md")
MEANS = {"kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12, "million": 1e6, "billion": 1e9}
ON_A_SERVER = 100_000  #: players


def rows(text: str, head: str) -> list[list[str]]:
    """Return the cells of the table whose head begins with `head`."""
    table = text[text.index(f"| {head} |") :].split("\n\n")[0]
    return [
        [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", row)[1:-1]]
        for row in table.splitlines()[2:]
    ]


def example(text: str, tmp_path: Path) -> Settings:
    """Return the settings of the only ```toml block of `text`."""
    (block,) = re.findall(r"^```toml\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    (tmp_path / "gieok.toml").write_text(block, encoding="utf-8")
    return load(tmp_path / "gieok.toml", environment={})


def number(text: str) -> float:
    """Return the value of "4.2 TB", "30,000" or "3 billion"."""
    figure, _, unit = text.replace(",", "").partition(" ")
    return float(figure) * MEANS.get(unit, 1.0)


def shown(default: object) -> str:
    match default:
        case None:
            return "–"
        case bool():
            return f"`{str(default).lower()}`"
        case str():
            return f'`"{default}"`'
    return f"`{default}`"


# Settings and tuning


def test_every_setting_is_there_once_with_its_default():
    told = re.findall(r"^\| `(\w+)` \| (.*?) \|", SETTINGS, re.MULTILINE)
    assert sorted(told) == sorted((each.name, shown(each.default)) for each in fields(Settings))


def test_init_and_presets_explain_settings_as_the_page_does():
    checked = [sys.executable, str(ROOT / "tools" / "explain_settings.py"), "--check"]
    done = subprocess.run(checked, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for language in LANGUAGES:
        assert set(meanings(words_in(language))) == NAMES


def test_the_examples_of_settings_can_be_set(tmp_path):
    settings = example(SETTINGS, tmp_path)
    assert (settings.bank, settings.language, settings.weights_recency) == ("memories.db", "en", 0.2)
    (retain,) = re.findall(r'of memory: "([^"]+)"', SETTINGS)
    assert load(environment={"GIEOK_RETAIN": retain}).retention


@pytest.mark.parametrize("line", sorted(set(re.findall(r"^\| `([a-z_]+ = [^`]+)` \|", TUNING, re.MULTILINE))))
def test_every_line_of_tuning_can_stand_in_a_settings_file(line, tmp_path):
    (tmp_path / "gieok.toml").write_text(f"{line}\n", encoding="utf-8")
    name, _, value = line.partition(" = ")
    given = getattr(load(tmp_path / "gieok.toml", environment={}), name)
    assert value == (f'"{given}"' if isinstance(given, str) else str(given).lower()) or float(value) == given


def test_tuning_names_settings_that_exist_and_a_knob_for_every_symptom():
    variables = {name.lower() for name in re.findall(r"GIEOK_([A-Z_]+)", TUNING)}
    prefixes = tuple({name.partition("_")[0] + "_" for name in NAMES if "_" in name})
    named = {word for word in re.findall(r"`([a-z]+_[a-z_]+)`", TUNING) if word.startswith(prefixes)}
    elsewhere = {"over_cap", "over_budget", "item_too_long", "self_disclosure", "per_day", "up_to", "end_scene"}
    assert (variables | named) - elsewhere - NAMES == set()
    symptoms = re.split(r"^### ", TUNING, flags=re.MULTILINE)[1:]
    assert len(symptoms) >= 18
    assert [each.splitlines()[0] for each in symptoms if "| Knob | Why |" not in each] == []


def test_tuning_shows_the_worth_that_claims_have(tmp_path):
    told = {"고양이를 좋아함": "0.62", "부산에 삶": "0.70", "땅콩 알레르기가 있음": "0.80"}
    worth = {}
    with gieok.open(tmp_path / "bank.db", embedder="hashing") as bank:
        letia = bank.scope(user="minsu", character="letia")
        for text in ("나 고양이 좋아해", "나 부산 살아", "나 땅콩 알레르기 있어"):
            for decision in letia.observe(text).decisions:
                assert isinstance(decision, gieok.Remember)
                worth[decision.claim.content] = f"{decision.promotion.score + 1e-9:.2f}"
    assert {name: worth[name] for name in told} == told
    assert all(figure in TUNING for figure in told.values())


def test_every_setting_of_the_proxy_is_on_its_page():
    told = set(re.findall(r"\bproxy_[a-z]+", PROXY)) | {"proxy_key"}
    assert told == {name for name in NAMES if name.startswith("proxy_")}
    assert "GIEOK_PROXY_KEY" in PROXY


# Serving


def test_access_names_every_role_setting_and_open_path():
    settings = [name for name in vars(ServeSettings) if name.startswith("serve_")]
    assert set(settings) <= NAMES
    assert len(settings) == 6
    assert not [name for name in (*ROLES, *settings, *OPEN_PATHS, *OPENAI_PATHS) if f"`{name}" not in ACCESS]


def test_access_names_every_status_of_the_guard():
    told = re.findall(r"^\| ([\d, ]+) \|", ACCESS, re.MULTILINE)
    assert {int(status) for row in told for status in row.split(",")} == {each["status"] for each in REFUSALS.values()}


def test_the_settings_of_a_server_can_be_set(tmp_path):
    settings = example(OPERATIONS, tmp_path)
    assert (settings.serve_host, settings.serve_hosts, settings.retention) == (
        "0.0.0.0",
        "memory.example",
        {"note": 90},
    )


def test_every_metric_to_watch_is_one_that_a_server_shows():
    watched = set(re.findall(r"gieok_[a-z_]+", OPERATIONS))
    assert len(watched) >= 6
    metrics = section("serve.md", "Health and metrics")
    assert sorted(name for name in watched if f"`{name}`" not in metrics) == []


@pytest.mark.parametrize("row", rows(SIZING, "Players"), ids=lambda row: row[0])
def test_the_sizes_follow_from_the_rules_of_thumb(row):
    players, turns, disk, load_, _, cores = row
    each = 7e3 if number(players) < ON_A_SERVER else 14e3
    assert number(turns) == 300 * number(players)
    assert number(disk) == pytest.approx(number(turns) * each, rel=0.06)
    a_second = number(players) / 10 * 30 / 86_400 * 3
    if load_ != "–":
        assert number(load_) == pytest.approx(a_second, rel=0.06)
        assert number(cores) == pytest.approx(max(ceil(a_second / 20), 1), rel=0.06)


def test_the_rules_of_thumb_follow_from_what_was_measured():
    for of_an_item, of_a_turn in ((2.7, 7), (5.6, 14)):
        assert f"{of_an_item} GB" in SIZING
        assert round(of_an_item * 2.5 + 0.457) == pytest.approx(of_a_turn, abs=0.6)
        assert f"**{of_a_turn} kB**" in SIZING


# Models


@pytest.mark.parametrize(
    ("text", "head", "more"), [(MODELS, "`llm`, `llm_deep`", {"gguf"}), (EMBEDDINGS, "`embedder`", set())]
)
def test_every_provider_is_there_with_its_address_and_keys(text, head, more):
    told = {name.strip("`").partition(":")[0]: (where, key) for name, where, key in rows(text, head)}
    assert set(told) == {*PROVIDERS, *more}
    for name, provider in PROVIDERS.items():
        where, key = told[name]
        assert f"`{provider.url}`" in where
        assert re.findall(r"[A-Z_]{5,}", where) == [provider.url_variable] * bool(provider.url_variable)
        assert tuple(re.findall(r"[A-Z_]{5,}", key)) == provider.key_variables


def test_every_known_embedding_model_is_there_with_its_dimensions():
    told = {
        name.strip("`"): (int(dimension), shortens == "yes", re.findall("`([^`]*)`", before))
        for name, dimension, shortens, before in rows(EMBEDDINGS, "Model")
    }
    assert told == {
        model.name: (model.dimension, model.shortens, [each for each in (model.query, model.document) if each])
        for model in known_models().values()
    }


def test_every_task_of_a_model_is_there():
    told = {task for row in rows(MODELS, "Task") for task in re.findall(r"`(\w+)`", row[0])}
    assert told == set(get_args(Task)) - {"embed"}


def test_every_prompt_is_there_with_its_slots():
    told = re.findall(r"^\| `([a-z_]+/\d+)` \| `\w+` \| ([a-z_, ]+) \|", PROMPTS, re.MULTILINE)
    assert dict(told) == {asked(task, "ko").version: ", ".join(sorted(slots(document(task, "ko")))) for task in TASKS}


# Importing, exporting, privacy


def test_every_kind_of_import_and_export_is_in_its_table():
    assert set(re.findall(r"^\| `(\w+)` \|", IMPORTS, re.MULTILINE)) == {*READERS, "gieok"}
    assert tuple(re.findall(r"^\| `(\w+)` \| .* \| (?:all|current)", EXPORT, re.MULTILINE)) == FORMATS


def test_the_limits_of_pictures_are_those_of_the_readers():
    plain = re.sub(r"\s+", " ", CARDS)
    assert f"{LARGEST_PICTURE // MIB} MiB each and {LARGEST_ALBUM // MIB} MiB together" in plain


def test_the_table_lists_every_file_of_an_export():
    assert set(re.findall(r"^\| `(\w+\.jsonl)` \|", EXPORT, re.MULTILINE)) == {
        file_of(name) for name in (*TABLES, DOCUMENTS)
    }
    assert f", version {VERSION}\n" in EXPORT


def test_every_kind_of_personal_data_is_in_the_table_with_its_masks(tmp_path):
    told = dict(re.findall(r"^\| `(\w+)` \|.*\| ([^|]+) \|$", PERSONAL, re.MULTILINE))
    wanted = {kind: " ".join(f"`{mask}`" for mask in masks_of(kind)) for kind in PERSONAL_KINDS}
    assert {kind: told[kind] for kind in PERSONAL_KINDS} == wanted
    policy = example(PERSONAL, tmp_path)
    assert (policy.pii_phone, policy.pii_email, policy.pii_card, policy.pii_turns) == ("ask", "keep", "drop", "mask")


def test_the_audit_log_names_every_action_and_every_kind_of_actor():
    acts = {"catch_up" if kind == "read" else kind for kind in get_args(OperationKind)}
    acts |= {audit.READ, audit.REVISED, audit.ERASE, audit.ERASED, audit.HOLD, audit.RELEASE}
    acts |= {audit.RETAIN, audit.IMPORT, "restore", "unpin"}
    assert not [name for name in (*acts, *get_args(actor.ActorKind)) if f"`{name}`" not in AUDIT]
