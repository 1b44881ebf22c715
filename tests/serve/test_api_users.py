"""What a user gets to see of all that is kept of them, over HTTP."""

import io
import zipfile
from datetime import UTC, datetime

import pytest

import gieok
from gieok.access.caller import Caller
from gieok.access.keys import create_key
from gieok.domain.server_state import Bounds
from support.api import LETIA, asking, refused, tell


@pytest.fixture
def bank(tmp_path):
    with gieok.open(tmp_path / "memories.db", embedder="hashing") as bank:
        yield bank


def files(response):
    assert response.status_code == 200, response.text
    assert response.headers["content-type"] == "application/zip"
    archive = zipfile.ZipFile(io.BytesIO(response.content))
    return {name: archive.read(name).decode() for name in archive.namelist()}


def test_the_answer_to_what_is_remembered(client):
    tell(client, "나는 김민수야. 나는 고양이를 좋아해")
    answer = client.get("/v1/about-me").json()
    assert "고양이를 좋아해요." in answer["text"]
    [taste] = [part for part in answer["parts"] if part["group"] == "taste"]
    memory_id = taste["told"][0]["memory_id"]
    assert client.delete(f"/v1/memories/{memory_id}").status_code == 200
    assert "고양이" not in client.get("/v1/about-me").json()["text"]


def test_all_of_a_user_in_one_file(client):
    tell(client, "나 고양이 좋아해")
    client.post("/v1/turns", params={"user": "민수", "character": "세라"}, json={"text": "나 부산에 살아"})
    client.post("/v1/turns", params={"user": "지수", "character": "레티아"}, json={"text": "나는 소방관이야"})

    all_of_it = files(client.get("/v1/export.zip", params={"user": "민수"}))
    assert "gieok-%EB%AF%BC%EC%88%98.zip" in client.get("/v1/export.zip").headers["content-disposition"]
    told = "".join(all_of_it.values())
    assert "고양이" in told
    assert "소방관" not in told


def test_nothing_kept_is_404_and_nobody_named_is_422(bank, client):
    tell(client, "나 고양이 좋아해")
    assert "nothing is stored" in refused(client.get("/v1/export.zip", params={"user": "nobody"}), 404, "unknown-user")
    with asking(bank, scope={"character": "레티아"}) as nobody:
        assert "name one in the query" in refused(nobody.get("/v1/export.zip"), 422, "invalid-scope")


def test_a_key_gets_what_it_opens_and_no_more(tmp_path):
    with gieok.open(tmp_path / "memories.db", embedder="hashing") as bank:
        bank.scope(user="민수", character="레티아").observe("나 고양이 좋아해")
        bank.scope(user="민수", character="세라").observe("나 부산에 살아")
        bank.scope(user="지수", character="레티아").observe("나는 소방관이야")

        def key(**bounds):
            _, kept = create_key("k", "reader", now=datetime.now(UTC), bounds=(Bounds(**bounds),), home=Bounds())
            return Caller(key=kept)

        with asking(bank, key(user="민수"), {"user": "민수"}) as own:
            told = "".join(files(own.get("/v1/export.zip")).values())
            assert "고양이" in told
            assert "부산" in told
            assert "소방관" not in told
            assert own.get("/v1/export.zip", params={"user": "지수"}).status_code == 403
        with asking(bank, key(user="민수", character="레티아"), {"user": "민수"}) as part:
            assert part.get("/v1/export.zip").status_code == 403
        with asking(bank, key(user="민수", character="레티아"), LETIA) as part:
            told = "".join(files(part.get("/v1/export.zip")).values())
            assert "고양이" in told
            assert "부산" not in told
