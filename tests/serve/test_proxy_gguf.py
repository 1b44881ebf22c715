"""A model file inside the process answers over the proxy."""

import pytest

from support.proxied import proxied
from support.small_model import weights


@pytest.mark.real_model
def test_a_model_file_answers_a_chat(tmp_path):
    with proxied(tmp_path, proxy_url=None, proxy_key=None, proxy_model=None, llm=f"gguf:{weights()}") as chat:
        reply = chat.ask([{"role": "user", "content": "Say hello."}], max_tokens=8)
        assert reply
        assert chat.talk() == [("Say hello.", reply.strip())]
