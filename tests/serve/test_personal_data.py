"""Personal data over the wire: neither the model behind the proxy, nor kept answers, letters or the log see it."""

from __future__ import annotations

import io
import json

import httpx2
import pytest

import gieok
from gieok.domain.server_state import Webhook
from gieok.serve.app import create_app, guarded_app
from gieok.serve.front import RequestLog
from gieok.serve.metrics import start_logging
from gieok.testing import day
from support.api import LETIA, asking, tell
from support.personal import PLANTED, given_away
from support.proxied import proxied
from support.serving import served


def test_a_model_behind_the_proxy_is_shown_masks_and_instructions_as_they_are(tmp_path):
    with proxied(tmp_path) as chat:
        said = "내 번호는 010-4482-9173이야"
        parts = [{"type": "text", "text": "메일은 haneulpark92@naver.com이야"}]
        asked = [
            {"role": "system", "content": "상담 전화는 010-0101-2020입니다."},
            {"role": "user", "content": said},
            {"role": "assistant", "content": "010-4482-9173, 저장했어요."},
            {"role": "user", "content": parts},
        ]
        chat.ask(asked)
        shown = chat.model.asked[-1].body["messages"]

        assert shown[0]["content"].startswith("상담 전화는 010-0101-2020입니다.")
        assert [each["content"] for each in shown if each["role"] != "system"][:2] == [
            "내 번호는 [전화번호]야",
            "[전화번호], 저장했어요.",
        ]
        assert shown[-1]["content"][-1] == {"type": "text", "text": "메일은 [이메일 주소]야"}
        assert "010-4482-9173" not in str(shown)
        assert "haneulpark92" not in str(shown)
        chat.ask(asked)
        assert chat.turns.until(lambda: len(chat.talk()) == 2), "shown again, it is the same talk"
        assert chat.talk()[0] == ("내 번호는 [전화번호]야", "[전화번호], 저장했어요.")


def test_answers_that_are_kept_and_letters_that_wait_hold_nothing_personal(tmp_path):
    path = tmp_path / "bank.db"
    with gieok.open(path, embedder="hashing") as bank:
        desk = bank.store.server
        desk.keep_webhook(
            Webhook(id="w1", url="http://127.0.0.1:9/", events=("*",), secret="a secret of sixteen", created_at=day(1),
                    include_text=True)
        )  # fmt: skip
        with asking(bank) as client:
            for number, planted in enumerate(PLANTED):
                once = {"Idempotency-Key": f"k{number}"}
                for _ in range(2):
                    response = client.post("/v1/turns", json={"text": planted.sentence}, headers=once)
                    assert (response.status_code, response.json()["pii"]) == (201, [planted.kind])
                    assert given_away(response.text) == []
                told = {"content": planted.sentence, "tags": [planted.data]}
                remembered = client.post("/v1/memories", json=told)
                assert remembered.json()["memory"]["pii_flags"] == [planted.kind]
        assert given_away(b"".join(each.read_bytes() for each in tmp_path.glob("bank.db*"))) == []


def test_consent_comes_over_the_wire(tmp_path):
    with gieok.open(tmp_path / "bank.db", embedder="hashing", pii_phone="ask") as bank, asking(bank) as client:
        asked = tell(client, "내 번호는 010-4482-9173이야", turn_id="t1")
        assert (asked["pii"], asked["ask"]) == (["phone"], ["phone"])
        edited = client.patch("/v1/turns/t1", json={"text": "내 번호는 010-4482-9173이야", "consent": ["phone"]})
        assert edited.json()["turn"]["utterances"][0]["text"] == "내 번호는 010-4482-9173이야"
        assert edited.json()["ask"] == []
        assert client.post("/v1/turns", json={"text": "안녕", "consent": ["fax"]}).status_code == 422


@pytest.mark.parametrize("escaped", [True, False])
def test_a_log_that_may_quote_quotes_masks(tmp_path, escaped):
    written = io.StringIO()
    with gieok.open(tmp_path / "bank.db", embedder="hashing", serve_log_text=True) as bank:
        handler = start_logging(log_text=True, to=written, masked=lambda text: bank.services.mask(text).text)
        front = guarded_app(create_app(bank))
        assert isinstance(front, RequestLog)
        with (
            served(front, log_config=None) as address,
            httpx2.Client(base_url=address, trust_env=False, timeout=60) as client,
        ):
            for planted in PLANTED:
                body = json.dumps({"text": planted.sentence}, ensure_ascii=escaped).encode()
                headers = {"content-type": "application/json"}
                sent = client.post("/v1/turns", params=LETIA, content=body, headers=headers)
                assert sent.status_code == 201, sent.text
                client.get("/v1/memories", params={**LETIA, "text": planted.sentence})
        handler.close()
    assert "[전화번호]" in written.getvalue()
    assert given_away(written.getvalue()) == []
