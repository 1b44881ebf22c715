"""The pages asked by hand, byte for byte: what a browser would never send, and what strangers do."""

import re
from urllib.parse import quote

import httpx2
import pytest

from gieok.domain.server_state import Bounds
from gieok.web.kit import PATHS
from support.browsing import House, Locked
from support.page_socket import SOCKETS, Drawn, socket_of
from support.raw_http import Answer, Line

RELOADED = '42["run_javascript",{"code":"history.go(0)"'  #: what comes after a language or a theme was chosen
PARTS = ("/favicon.ico", "/_nicegui/3/static/nicegui.js", "/_nicegui/client/x/upload/1", SOCKETS)


def line(house: House) -> Line:
    return Line(int(house.url.rpartition(":")[2]))


def cookies(answer: Answer) -> list[str]:
    return answer.every("set-cookie")


def page(answer: httpx2.Response) -> Drawn:
    assert answer.status_code == 200, answer.text
    return Drawn(answer.text)


@pytest.mark.parametrize("path", PATHS.values())
def test_without_a_visit_every_page_leads_to_the_login_and_says_nothing_else(locked: Locked, path):
    answer = line(locked).ask(f"{path}?user=%EB%AF%BC%EC%88%98&x=1")
    assert (answer.status, answer.get("location")) == (
        303,
        f"/login?to={quote(f'{path}?user=%EB%AF%BC%EC%88%98&x=1', safe='/')}",
    )
    assert answer.get("cache-control") == "no-store"
    assert not cookies(answer)
    assert path == "/" or path.encode() not in answer.body
    assert line(locked).ask(path, "Sec-Fetch-Dest: empty").status == 401
    assert line(locked).ask(path, method="POST").status == 401


@pytest.mark.parametrize("path", PARTS)
def test_without_a_visit_no_part_of_a_page_is_given_and_no_socket_opens(locked: Locked, path):
    assert line(locked).ask(path).status == 401
    assert line(locked).knock(target=path).status == 403


@pytest.mark.parametrize("value", ["", "x", "A" * 43, "\xff\xfe", "gk_" + "a" * 12 + "_" + "b" * 43, "a=b=c", '"x"'])
def test_a_cookie_that_nobody_gave_opens_nothing(locked: Locked, value):
    port = locked.url.rpartition(":")[2]
    header = f"Cookie: other=1; gieok_visit_{port}={value}; gieok_visit={value}"
    assert line(locked).ask("/memories", header).status == 303
    assert line(locked).knock(header, target=SOCKETS).status == 403


def test_a_cookie_without_end_is_refused_as_such(locked: Locked):
    port = locked.url.rpartition(":")[2]
    assert line(locked).ask("/memories", f"Cookie: gieok_visit_{port}={'a' * 60_000}").status == 303
    assert line(locked).ask("/memories", f"Cookie: gieok_visit_{port}={'a' * 700_000}").status == 431


def test_a_visit_opens_pages_and_sockets_and_never_the_api(locked: Locked):
    visit = locked.visit()
    for path in PATHS.values():
        assert visit.get(path).status_code == 200, path
    socket = f"{SOCKETS}?EIO=4&transport=websocket"
    assert line(locked).knock(visit.header, target=socket).status == 101
    for path in ("/v1/facts?user=a", "/v1/scopes", "/metrics", "/docs", "/openapi.json", "/v1/models", "/mcp"):
        assert visit.get(path).status_code == 401, path
    assert line(locked).ask("/v1/turns", visit.header, method="POST", body=b"{}").status == 401
    assert line(locked).knock(visit.header, target="/v1/chat").status == 403


def test_a_key_in_a_header_or_a_query_opens_no_page(locked: Locked):
    token = locked.master
    assert line(locked).ask("/memories", f"Authorization: Bearer {token}").status == 303
    assert line(locked).ask(f"/memories?key={token}").status == 303
    assert line(locked).knock(f"X-API-Key: {token}", target=SOCKETS).status == 403


def test_foreign_pages_reach_nothing_though_the_browser_sent_the_cookie(locked: Locked):
    visit = locked.visit()
    for origin in ("https://evil.example", "null", "http://127.0.0.1:1", "http://localhost"):
        header = f"Origin: {origin}"
        assert line(locked).knock(visit.header, header, target=f"{SOCKETS}?EIO=4&transport=websocket").status == 403
        assert line(locked).ask("/logout", visit.header, header, method="POST").status == 403
        assert line(locked).ask("/login", visit.header, header, method="POST", body=b"key=x").status == 403
    framed = ("Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: iframe")
    assert line(locked).ask("/memories", visit.header, *framed).status == 403
    assert line(locked).ask("/memories", visit.header, host="evil.example").status == 421
    assert visit.get("/memories").status_code == 200


def test_no_answer_can_be_framed_or_kept_and_no_script_runs_that_is_not_of_this_answer(locked: Locked):
    visit = locked.visit()
    marks = set()
    for path in PATHS.values():
        answer = visit.get(path)
        policy = answer.headers["content-security-policy"]
        [mark] = re.findall(r"'nonce-([\w-]{22})'", policy)
        marks.add(mark)
        scripts = re.findall(r"<script[^>]*>", answer.text)
        assert len(scripts) > 5
        assert all(f'nonce="{mark}"' in script for script in scripts)
        assert "'unsafe-inline'" not in policy.partition("script-src")[2].partition(";")[0]
        assert "frame-ancestors 'none'" in policy
        assert (answer.headers["cache-control"], answer.headers["x-content-type-options"]) == ("no-store", "nosniff")
        assert (answer.headers["x-frame-options"], answer.headers["content-length"]) == (
            "DENY",
            str(len(answer.content)),
        )
    assert len(marks) == len(PATHS)
    login = line(locked).ask("/login")
    assert "default-src 'none'" in str(login.get("content-security-policy"))
    assert login.get("cache-control") == "no-store"


def test_the_cookie_is_read_by_no_script_and_by_no_other_site(locked: Locked):
    def given(*headers: str) -> str:
        body = f"key={locked.master}".encode()
        answer = line(locked).ask("/login", *headers, method="POST", body=body)
        assert (answer.status, answer.get("location")) == (303, "/")
        [cookie] = cookies(answer)
        return cookie

    parts = given().split("; ")
    assert {"HttpOnly", "SameSite=Lax", "Path=/"} == set(parts[1:])
    name, _, value = parts[0].partition("=")
    assert name == f"gieok_visit_{locked.url.rpartition(':')[2]}"
    assert len(value) == 43


@pytest.mark.parametrize(
    ("to", "leads"),
    [
        ("/memories", "/memories"),
        ("/memories?user=a&character=b%26c", "/memories?user=a&character=b%26c"),
        ("/ask?q=%3Cscript%3E", "/ask?q=%3Cscript%3E"),
        ("//evil.example", "/"),
        ("https://evil.example", "/"),
        ("/\\evil.example", "/"),
        ("/memories\r\nSet-Cookie: x=1", "/"),
        ("/v1/facts", "/"),
        ("javascript:alert(1)", "/"),
        ("/memories?" + "a" * 5_000, "/"),
        ("", "/"),
    ],
)
def test_after_the_login_it_goes_on_to_a_page_of_ours_whatever_the_link_says(locked: Locked, to, leads):
    token = locked.master
    answer = line(locked).ask(f"/login?to={quote(to)}", method="POST", body=f"key={token}".encode())
    assert (answer.status, answer.get("location")) == (303, leads)
    form = line(locked).ask(f"/login?to={quote(to)}").body.decode()
    assert "<script" not in form
    assert "evil.example" not in form


def test_a_wrong_key_is_told_so_and_gets_no_cookie(locked: Locked):
    good = locked.master
    for key in ("", "x", good[:-4] + "AAAA", good + "x", "gk_" + "0" * 12 + "_" + "0" * 43, "\xff" * 50):
        answer = line(locked).ask("/login", method="POST", body=f"key={quote(key)}".encode())
        assert (answer.status, cookies(answer)) == (401, [])
        assert b'role="alert"' in answer.body
        assert key == "" or key == "x" or key.encode() not in answer.body
    assert line(locked).ask("/login", method="POST", body=b"key=" + b"x" * 5_000).status == 413


def test_a_key_that_is_taken_back_opens_no_page_any_more(locked: Locked):
    token = locked.key()
    visit = locked.shown(token)
    drawn = page(visit.get("/memories"))
    with socket_of(visit, drawn) as socket:
        assert socket.greeted().startswith("40")
        locked.revoke(token)
        assert '"path":"/login"' in socket.heard('42["open"')
        assert socket.heard("41")
        assert socket.greeted().startswith("44")  # nor by the same line
    assert visit.get("/memories").status_code == 303


def test_leaving_ends_the_visit_and_all_its_open_pages(locked: Locked):
    visit, other = locked.visit(), locked.visit()
    drawn, stays = page(visit.get("/memories")), page(other.get("/memories"))
    with socket_of(visit, drawn) as socket, socket_of(other, stays) as still:
        assert socket.greeted().startswith("40")
        assert still.greeted().startswith("40")
        answer = line(locked).ask("/logout", visit.header, f"Origin: {locked.url}", method="POST")
        assert (answer.status, answer.get("location")) == (303, "/login")
        assert "Max-Age=0" in cookies(answer)[0]
        assert '"path":"/login"' in socket.heard('42["open"')
        still.send("event", stays.listener("English"))
        assert still.heard(RELOADED)
    assert visit.get("/memories").status_code == 303
    assert other.get("/memories").status_code == 200
    assert line(locked).ask("/logout", method="POST").status == 303  # whoever has left may leave


def test_a_page_is_closed_to_every_visit_but_its_own_though_its_id_be_known(locked: Locked):
    mine, theirs = locked.visit(), locked.visit()
    drawn = page(mine.get("/memories"))
    with socket_of(theirs, drawn) as socket:
        assert socket.greeted().startswith("44")
    with socket_of(mine, drawn) as own, socket_of(theirs) as foreign:
        assert own.greeted().startswith("40")
        assert foreign.greeted().startswith("40")
        shake = {"client_id": drawn.id, "document_id": "d", "tab_id": "t", "next_message_id": 0}
        for message in (None, 1, "x", [], {}, {"client_id": 1}, {"client_id": drawn.id}):
            foreign.send("event", message)
        foreign.send("handshake", shake)
        foreign.send("event", drawn.listener("English"))
        foreign.send("javascript_response", {"client_id": drawn.id, "request_id": "x"})
        foreign.send("ack", {"client_id": drawn.id, "next_message_id": 99})
        own.send("event", drawn.listener("자동"))
        assert own.heard(RELOADED)
    again = page(mine.get("/memories"))
    assert again.listener("밝게")
    assert again.listener("English")  # nobody has switched the language


def test_polling_uploads_and_what_is_unknown_are_not_there(locked: Locked):
    visit = locked.visit()
    for path in (
        f"{SOCKETS}?EIO=4&transport=polling",
        "/_nicegui/client/x/upload/1",
        "/_nicegui/auto/static/x",
        "/_nicegui/nothing",
        "/_nicegui_ws/other",
    ):
        answer = visit.get(path)
        assert (answer.status_code, answer.text) == (404, "not found"), path


def test_what_is_said_to_be_forwarded_is_not_believed(locked: Locked):
    visit = locked.visit()
    answer = visit.get(
        "/memories", **{"X-Forwarded-Prefix": "//evil.example", "X-Forwarded-Host": "evil.example", "Forwarded": "x"}
    )
    assert answer.status_code == 200
    assert "evil.example" not in answer.text


def test_nothing_of_a_key_gets_into_a_page_or_the_log(locked: Locked):
    token = locked.master
    secret = token.split("_")[2]
    visit = locked.shown(token)
    assert secret not in visit.get(f"/memories?key={token}").text
    line(locked).ask(f"/memories?key={token}", f"Authorization: Bearer {token}")
    line(locked).ask("/login/", method="POST", body=f"key={token}".encode())
    line(locked).ask("/login?x=1", method="POST", body=f"key={token}".encode())
    line(locked).ask(f"/login?to={token}")
    line(locked).ask("/v1/turns", method="POST", body=f'{{"text": "{token}"}}'.encode())
    httpx2.post(locked.address("/v1/turns", user="x"), json={"text": token}, headers={"X-API-Key": token})
    written = locked.command.said
    assert '"path": "/memories?key=' in written  # it does log what was asked for
    assert secret not in written
    assert visit.cookie.partition("=")[2].partition(";")[0] not in written


def test_a_bounded_key_gets_nowhere_by_a_link(locked: Locked):
    for user in ("민수", "지아"):
        answer = httpx2.post(
            locked.address("/v1/turns", user=user, character="레티아"),
            json={"text": f"나는 {user}만 아는 비밀번호를 좋아해", "reply": "응"},
            headers={"X-API-Key": locked.master},
            timeout=60,
        )
        assert answer.is_success
    visit = locked.shown(locked.key(role="reader", bounds=[Bounds(user="민수")]))
    assert "민수" in visit.get("/memories").text
    for path in PATHS.values():
        told = visit.get(f"{path}?user=%EC%A7%80%EC%95%84&character=%EB%A0%88%ED%8B%B0%EC%95%84").text
        assert "지아만" not in told, path
    assert "지아" not in visit.get("/memories").text.partition("g-nav")[2]


def test_a_browser_session_is_cleared_for_whoever_comes_with_another_key(locked: Locked):
    first, second = locked.visit(), locked.shown(locked.key())
    first.get("/memories?user=nobody-else&character=a")
    session = first.cookie.partition("; ")[2]
    assert session.startswith("gieok_session")
    assert "nobody-else" in first.get("/memories").text
    assert "nobody-else" not in second.get("/memories", Cookie=f"{second.cookie}; {session}").text
    assert "nobody-else" not in line(locked).ask("/login", f"Cookie: {session}").body.decode()


def test_strangers_leave_nothing_behind(locked: Locked):
    for path in ("/login", "/look/gieok.css", "/look/nothing.css", "/", "/memories"):
        assert not cookies(line(locked).ask(path))


def test_a_page_counts_as_a_request_of_its_key_and_its_parts_do_not(locked: Locked):
    visit = locked.shown(locked.key(per_day=5))
    assert [visit.get("/memories").status_code for _ in range(4)] == [200, 200, 200, 429]
    for _ in range(5):
        assert visit.get("/favicon.ico").status_code == 200


def test_pages_that_are_asked_for_and_never_shown_do_not_pile_up(locked: Locked):
    visit = locked.visit()
    first, second = page(visit.get("/scopes")), page(visit.get("/scopes"))
    with socket_of(visit, second) as shown:
        assert shown.greeted().startswith("40")
        for _ in range(52):
            last = page(visit.get("/scopes"))
        with socket_of(visit, first) as socket:
            assert socket.greeted().startswith("44")
        with socket_of(visit, last) as socket:
            assert socket.greeted().startswith("40")
        shown.send("event", second.listener("English"))
        assert shown.heard(RELOADED)


def test_where_no_key_is_asked_for_pages_open_at_once_and_only_to_this_machines_own(house: House):
    assert line(house).ask("/memories").status == 200
    assert line(house).ask("/memories", "Origin: https://evil.example").status == 403
    assert line(house).ask("/memories", host="evil.example").status == 421
    assert line(house).knock("Origin: https://evil.example", target=SOCKETS).status == 403
    assert (line(house).ask("/login?to=/ask").status, line(house).ask("/login?to=/ask").get("location")) == (
        303,
        "/ask",
    )


def test_nothing_is_written_beside_the_bank(house: House, locked: Locked):
    for folder in (house.command.log.parent, locked.bank.parent):
        names = {path.name for path in folder.iterdir()}
        assert {name for name in names if not name.startswith("bank.db") and not name.endswith(".log")} == set()


def test_the_log_has_no_banner_and_the_figures_tell_how_many_pages_are_open(locked: Locked):
    token = locked.master
    visit = locked.visit()
    assert "NiceGUI" not in locked.command.said

    def opened() -> float:
        text = httpx2.get(locked.address("/metrics"), headers={"X-API-Key": token}).text
        [value] = re.findall(r"^gieok_pages_open (\S+)$", text, re.MULTILINE)
        return float(value)

    before = opened()
    with socket_of(visit, page(visit.get("/memories"))) as socket:
        assert socket.greeted().startswith("40")
        assert opened() == before + 1
