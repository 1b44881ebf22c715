import subprocess
import sys

import pytest

from gieok import llms
from gieok.domain.answer import Message
from gieok.errors import InvalidSetting
from support.misbehaving import answer
from support.rows import from_rows

HELLO = (Message(role="user", content="안녕"),)


def made(spec, **options):
    return llms.create(spec, environment=options.pop("environment", {}), **options)


@from_rows
def test_a_prefix_and_a_model_are_enough_where_no_key_is_needed(spec, name):
    assert made(spec).name == name


@pytest.mark.parametrize(
    ("spec", "variable"), [("openai:gpt-4o-mini", "OPENAI_API_KEY"), ("gemini:gemini-2.5-flash", "GEMINI_API_KEY")]
)
def test_a_missing_key_names_the_variable_to_set(spec, variable):
    with pytest.raises(InvalidSetting, match=variable):
        made(spec)
    assert made(spec, environment={variable: "sk-1"}).name == spec.partition(":")[2]
    assert made(spec, key="sk-1")


@pytest.mark.parametrize("spec", ["ollama:small", "openai:small", "vllm:small", "small"])
def test_a_url_leads_any_name_there(server, spec):
    server.always(answer("네."))
    llm = made(spec, url=f"{server.url}/", key="sk-2")
    assert llm.complete(HELLO, most_tokens=4).text == "네."
    llm.close()
    assert (server.asked[0].path, server.asked[0].body["model"]) == ("/v1/chat/completions", "small")
    assert server.asked[0].headers["authorization"] == "Bearer sk-2"


def test_the_key_of_a_provider_is_not_sent_elsewhere(server):
    llm = made("openai:small", url=server.url, environment={"OPENAI_API_KEY": "sk-real"})
    llm.complete(HELLO, most_tokens=4)
    llm.close()
    assert "sk-real" not in str(server.asked)


@from_rows
def test_a_name_that_means_nothing_says_what_there_is(spec, said):
    with pytest.raises(InvalidSetting, match=said):
        made(spec)


@pytest.mark.parametrize("url", ["localhost:8000", "ftp://x/v1", "http://", "http://[::1"])
def test_a_url_that_is_none_is_refused(url):
    with pytest.raises(InvalidSetting, match="not the address"):
        made("small", url=url)


@pytest.mark.parametrize("key", ["열쇠", "sk\n1"])
def test_a_key_that_no_header_takes_is_refused_and_not_shown(key):
    with pytest.raises(InvalidSetting) as caught:
        made("openai:small", key=key)
    assert key not in str(caught.value)


@pytest.mark.parametrize(
    ("package", "extra", "spec"), [("openai", "llm", "ollama:small"), ("xllamacpp", "local", "gguf:{file}")]
)
def test_a_package_that_is_missing_is_named_with_its_extra(monkeypatch, tmp_path, package, extra, spec):
    file = tmp_path / "small.gguf"
    file.touch()
    monkeypatch.setattr("gieok.llms.find_spec", lambda name: None if name == package else object())
    with pytest.raises(InvalidSetting, match=rf'pip install "gieok\[{extra}\]"'):
        made(spec.format(file=file))


def test_a_file_that_is_missing_is_named(tmp_path):
    with pytest.raises(InvalidSetting, match=r"there is no file .*none\.gguf"):
        made(f"gguf:{tmp_path}/none.gguf")


def test_creating_loads_nothing(tmp_path):
    file = tmp_path / "small.gguf"
    file.touch()
    program = (
        "import sys; from gieok import llms; llms.create('ollama:x').close(); "
        f"llms.create('gguf:{file}').close(); print({{'openai', 'xllamacpp'}} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
