"""The page on the proxy: its example runs against a gieok that is served, and its settings are settings."""

import re
from dataclasses import fields
from pathlib import Path

from gieok.settings import Settings
from support.proxied import proxied

PAGE = Path(__file__).parents[2] / "docs" / "proxy.md"


def test_the_example_talks_to_a_character_that_remembers(tmp_path, capsys):
    (code,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    with proxied(tmp_path) as chat:
        exec(compile(code.replace("http://127.0.0.1:8420/v1", chat.url), str(PAGE), "exec"), {})
        assert "땅콩 알레르기가 있음" in chat.model.asked[-1].text
    assert capsys.readouterr().out == "좋아요."


def test_every_setting_of_the_proxy_is_told():
    told = set(re.findall(r"\bproxy_[a-z]+", PAGE.read_text(encoding="utf-8"))) | {"proxy_key"}
    assert told == {each.name for each in fields(Settings) if each.name.startswith("proxy_")}
    assert "GIEOK_PROXY_KEY" in PAGE.read_text(encoding="utf-8")
