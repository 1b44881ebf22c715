"""The memory over the Model Context Protocol, asked by the SDK's own client: over real stdio and real HTTP."""

import asyncio
import json
import logging
import os
import re
import signal
import socket
import subprocess
import sys
from contextlib import asynccontextmanager
from pathlib import Path
from threading import Event
from time import monotonic, sleep

import httpx2
import pytest
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from starlette.applications import Starlette
from starlette.routing import Route

import gieok
from gieok.access.caller import let_in
from gieok.domain.scope import Scope
from gieok.domain.server_state import Bounds
from gieok.embedders.hashing import HashingEmbedder
from gieok.errors import InvalidScope
from gieok.mcp.http import PATH, HttpDoor, local_app
from gieok.mcp.server import mcp_server, uri_of
from gieok.mcp.tools import TOOLS, Place, facts, remember
from support.api import caller_with
from support.doubts import DoubtfulReader
from support.serving import free_port, served

ROOT = Path(__file__).parents[2]
MINSU = Scope(user="민수", character="letia")
PLACE = Place(default=Bounds(user="민수", character="letia"))
READING = ("recall", "context", "facts", "timeline", "doubtful")
WRITING = ("remember", "confirm", "reject", "correct", "forget")


@pytest.fixture
def bank(tmp_path):
    with gieok.open(tmp_path / "memories.db", embedder="hashing") as opened:
        yield opened


@pytest.fixture
def command(tmp_path):
    """How to start the server on stdio, with some options."""

    def started(*options):
        return StdioServerParameters(
            command=sys.executable,
            args=["-m", "gieok", "mcp", "--bank", str(tmp_path / "memories.db"), *options],
            env={"PYTHONPATH": str(ROOT / "src"), "GIEOK_EMBEDDER": "hashing"},
            cwd=tmp_path,
        )

    return started


def text_of(result):
    return result.content[0].text


async def failure(client, name, arguments):
    result = await client.call_tool(name, arguments)
    assert result.is_error
    assert "Traceback" not in text_of(result)
    return text_of(result)


async def done(client, name, arguments):
    result = await client.call_tool(name, arguments)
    assert not result.is_error, text_of(result)
    return result.structured_content


async def a_story(client):
    """Everything that a client may do, one after the other and at once."""
    tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert set(tools) == {*READING, *WRITING}
    assert {name for name, tool in tools.items() if tool.annotations.read_only_hint} == set(READING)
    destructive = {name for name, tool in tools.items() if tool.annotations.destructive_hint}
    assert destructive == {"reject", "correct", "forget"}
    for tool in tools.values():
        assert tool.output_schema
        assert all(each.get("description") for each in tool.input_schema["properties"].values())

    told = await client.call_tool(
        "remember", {"content": "생일은 3월 15일", "attribute": "birthday", "value": "3월 15일"}
    )
    birthday = told.structured_content["memory"]
    assert (told.structured_content["outcome"], birthday["attribute"]) == ("remember", "birthday")
    assert birthday["id"] in text_of(told)
    assert "생일은 3월 15일" in text_of(told)

    found = await client.call_tool("recall", {"query": "생일이 언제야?"})
    assert found.structured_content["hits"][0]["memory"]["id"] == birthday["id"]
    assert "생일은 3월 15일" in text_of(found)
    assert found.structured_content["hits"][0]["scope"] == {"user": "민수", "character": "letia", "world": None}
    assert "3월 15일" in (await done(client, "context", {"query": "내 생일 기억해?"}))["text"]

    right = await done(client, "correct", {"memory_id": birthday["id"], "content": "생일은 3월 16일"})
    assert right["memory"]["value"] == "3월 16일"
    await done(client, "remember", {"content": "고양이 코코를 키운다", "about": "user"})
    assert {each["content"] for each in (await done(client, "facts", {}))["memories"]} == {
        "생일은 3월 16일",
        "고양이 코코를 키운다",
    }
    page = await client.call_tool("facts", {"limit": 1, "offset": 1})
    assert [each["content"] for each in page.structured_content["memories"]] == ["고양이 코코를 키운다"]
    assert "2" in text_of(page).splitlines()[-1]
    assert (await done(client, "timeline", {"text": "코코", "since": "2020-01-01"}))["total"] == 1
    assert (await done(client, "timeline", {"until": "2020-01-01"}))["total"] == 0

    await done(client, "forget", {"memory_id": birthday["id"]})
    assert (await done(client, "facts", {"attribute": "birthday"}))["memories"] == []

    assert "no memory 'nowhere'" in await failure(client, "forget", {"memory_id": "nowhere"})
    assert "years 2 to 9998" in await failure(client, "timeline", {"until": "9999-12-31"})
    assert "there is no argument 'words'; there are content" in await failure(client, "remember", {"words": "x"})
    assert "k: " in await failure(client, "recall", {"query": "x", "k": 1_000})
    assert "2026-03-15" in await failure(client, "facts", {"as_of": "어제"})
    assert "whose memory?" in await failure(client, "facts", {"user": "", "character": ""})
    assert "Unknown tool" in await failure(client, "erase", {})

    await asyncio.gather(
        *(done(client, "remember", {"content": f"{n}번 방에 산다", "user": f"손님{n}"}) for n in range(8))
    )
    asked = await asyncio.gather(*(done(client, "facts", {"user": f"손님{n}"}) for n in range(8)))
    assert [each["memories"][0]["content"] for each in asked] == [f"{n}번 방에 산다" for n in range(8)]

    listed = {resource.name: resource.uri for resource in (await client.list_resources()).resources}
    assert {"scopes", "민수 · letia", "손님3 · letia"} <= set(listed)
    (scopes,) = (await client.read_resource("gieok://scopes")).contents
    uris = {each["scope"]["user"]: each["uri"] for each in json.loads(scopes.text)}
    assert uris["민수"] == uri_of(MINSU) == "gieok://scope?user=%EB%AF%BC%EC%88%98&character=letia"
    (template,) = (await client.list_resource_templates()).resource_templates
    assert template.uri_template == "gieok://scope{?user,character,world}"
    (contents,) = (await client.read_resource(uris["민수"])).contents
    known = json.loads(contents.text)
    assert [fact["content"] for fact in known["facts"]] == ["고양이 코코를 키운다"]
    with pytest.raises(MCPError, match="gieok://scopes lists"):
        await client.read_resource("gieok://scope?user=nobody")


# Over stdio.


def test_a_client_remembers_recalls_and_forgets_over_stdio(command):
    async def talk():
        async with Client(command("--user", "민수", "--character", "letia")) as client:
            await a_story(client)

    asyncio.run(talk())


@pytest.mark.parametrize(
    ("user", "before", "content", "attribute", "value"),
    [
        ("민수", "민수는 서울에 산다", "민수는 부산으로 이사했다", "residence", "부산"),
        ("민수", "나는 25살이다", "사용자는 26살이다", "age", "26"),
        ("minsu", "Minsu lives in Seoul", "The user lives in Busan", "residence", "Busan"),
    ],
)
def test_what_a_model_tells_in_words_replaces_what_it_contradicts(bank, user, before, content, attribute, value):
    mind = bank.scope(user=user, character="letia")
    old = remember(mind, before).structured_content["memory"]
    told = remember(mind, content).structured_content
    assert (told["outcome"], told["memory"]["attribute"], told["memory"]["value"]) == ("supersede", attribute, value)
    assert [each["id"] for each in told["replaced"]] == [old["id"]]
    assert [each.content for each in mind.facts(attribute=attribute)] == [content]


def test_a_caution_that_a_model_tells_in_words_is_pinned(bank):
    mind = bank.scope(user="minsu", character="letia")
    told = remember(mind, "Minsu is allergic to peanuts and lives in Seoul").structured_content
    assert (told["memory"]["attribute"], told["memory"]["pinned"]) == ("allergy", True)
    assert [each["attribute"] for each in told["also"]] == ["residence"]


def test_what_is_told_of_somebody_else_says_whose_it_is(bank):
    mind = bank.scope(user="민수", character="letia")
    remember(mind, "엄마는 의사다", about="엄마")
    remember(mind, "민수는 학생이다")
    remember(mind, "금요일의 파이프라인은 느리다")
    assert [each.subject_id for each in mind.facts(attribute="job")] == ["엄마", "user"]
    assert [line.split(":")[0] for line in text_of(facts(mind)).splitlines()] == ["- 엄마", "- 사용자", "- 사용자"]
    assert [each.attribute for each in mind.facts()][2] is None


def test_the_server_says_its_version(bank):
    assert mcp_server(bank).version == gieok.__version__


def test_nothing_but_the_protocol_is_on_stdout_and_the_end_of_stdin_ends_it(command):
    how = command("--user", "민수", "--fixed-scope")
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    messages = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "facts", "arguments": {}}},
        {"jsonrpc": "2.0", "id": 3, "method": "tools/list"},
    ]
    process = subprocess.Popen(
        [how.command, *how.args],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, **how.env},
        cwd=how.cwd,
        text=True,
        encoding="utf-8",
    )
    assert process.stdin is not None
    assert process.stdout is not None
    lines = []
    for message in messages:
        process.stdin.write(json.dumps(message) + "\n")
        process.stdin.flush()
        if "id" in message:
            lines.append(process.stdout.readline())
    rest, complaints = process.communicate(timeout=60)
    answers = [json.loads(line) for line in [*lines, *rest.splitlines()]]
    assert [answer["id"] for answer in answers] == [1, 2, 3]
    assert answers[0]["result"]["serverInfo"]["name"] == "gieok"
    assert answers[1]["result"]["isError"] is False
    assert not any("user" in tool["inputSchema"]["properties"] for tool in answers[2]["result"]["tools"])
    assert process.returncode == 0, complaints


def test_a_fixed_scope_takes_no_names_and_shows_no_other(bank):
    bank.scope(user="지영").remember("강아지를 키운다")

    async def talk():
        async with Client(mcp_server(bank, Place(default=Bounds(user="민수"), fixed=True))) as client:
            tools = (await client.list_tools()).tools
            assert not any({"user", "character", "world"} & set(tool.input_schema["properties"]) for tool in tools)
            assert "there is no argument 'user'" in await failure(client, "facts", {"user": "지영"})
            assert [each.name for each in (await client.list_resources()).resources] == ["scopes"]
            with pytest.raises(MCPError, match="serves only"):
                await client.read_resource(uri_of(Scope(user="지영")))

    asyncio.run(talk())


def test_what_waits_comes_with_a_question_and_is_confirmed_by_its_answer(tmp_path):
    async def talk(bank):
        async with Client(mcp_server(bank, PLACE)) as client:
            waiting = await client.call_tool("doubtful", {})
            (memory,) = waiting.structured_content["memories"]
            assert memory["question"] == "혹시 땅콩 알레르기가 있으세요?"
            assert memory["question"] in text_of(waiting)
            confirmed = await done(client, "confirm", {"memory_id": memory["id"]})
            assert (confirmed["memory"]["doubtful"], confirmed["memory"]["question"]) == (False, None)
            assert (await done(client, "doubtful", {}))["memories"] == []

    with gieok.open(tmp_path / "doubts.db", embedder="hashing", extractor=DoubtfulReader()) as bank:
        bank.mind(MINSU).observe("allergy 땅콩?")
        asyncio.run(talk(bank))


def test_a_fixed_scope_needs_a_name():
    with pytest.raises(InvalidScope, match="at least one"):
        Place(fixed=True)


@pytest.mark.parametrize("name", ["a&b=c?#d", "../위", "/etc/passwd", "100%", "a b+c", "%EB", "민수 🐈"])
def test_a_name_of_any_letters_has_an_address(bank, name):
    scope = Scope(user=name, world=name)
    bank.mind(scope).remember("고양이를 키운다")

    async def talk():
        async with Client(mcp_server(bank)) as client:
            assert uri_of(scope) in [resource.uri for resource in (await client.list_resources()).resources]
            (contents,) = (await client.read_resource(uri_of(scope))).contents
            return json.loads(contents.text)

    known = asyncio.run(talk())
    assert known["scope"] == {"user": name, "character": None, "world": name}
    assert [fact["content"] for fact in known["facts"]] == ["고양이를 키운다"]


# Over HTTP.


def guarded(bank, callers, place=PLACE):
    """The door as a server has it: a guard in front that knows callers by their keys."""
    door = HttpDoor(bank, place)

    @asynccontextmanager
    async def lifespan(_app):
        async with door.open():
            yield

    app = Starlette(routes=[Route(PATH, door)], lifespan=lifespan)

    async def guard(scope, receive, send):
        name = dict(scope.get("headers", ())).get(b"authorization", b"").decode().removeprefix("Bearer ")
        if name in callers:
            let_in(scope, callers[name])
        await app(scope, receive, send)

    return guard


@asynccontextmanager
async def client_of(address, key="", mode="auto"):
    async with (
        httpx2.AsyncClient(headers={"Authorization": f"Bearer {key}"}, timeout=60) as http,
        Client(streamable_http_client(address + PATH, http_client=http), mode=mode) as client,
    ):
        yield client


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_a_client_remembers_recalls_and_forgets_over_http(bank, mode):
    async def talk(address):
        async with Client(address + PATH, mode=mode) as client:
            await a_story(client)

    with served(local_app(bank, PLACE)) as address:
        asyncio.run(talk(address))


@pytest.mark.parametrize("mode", ["legacy", "auto"])
@pytest.mark.parametrize("role", ["reader", "writer", "admin"])
def test_every_tool_asks_for_its_role_and_its_scope(bank, mode, role):
    own, foreign = {"user": "민수"}, {"user": "지영"}
    memory = bank.mind(MINSU).remember("고양이를 키운다").memory
    others = bank.scope(user="지영", character="letia").remember("강아지를 키운다").memory
    arguments = {
        "remember": {"content": "생일은 3월 15일"},
        "recall": {"query": "고양이"},
        "context": {"query": "고양이"},
        "facts": {},
        "timeline": {},
        "correct": {"content": "고양이를 둘 키운다"},
        "forget": {},
    }

    async def talk(address):
        async with client_of(address, "k", mode) as client:
            for name, given in arguments.items():
                mine = {"memory_id": memory.id} if name in ("correct", "forget") else {}
                theirs = {"memory_id": others.id} if mine else {}
                allowed = name in READING or role != "reader"
                result = await client.call_tool(name, {**given, **mine, **own})
                assert result.is_error is not allowed, text_of(result)
                assert allowed or "needs the role writer" in text_of(result)
                refused = await failure(client, name, {**given, **theirs, **foreign})
                assert "needs the role writer" in refused or "does not open" in refused
            listed = [resource.name for resource in (await client.list_resources()).resources]
            assert listed == ["scopes", "민수 · letia"]
            (scopes,) = (await client.read_resource("gieok://scopes")).contents
            assert "지영" not in scopes.text
            await client.read_resource(uri_of(MINSU))
            with pytest.raises(MCPError, match="does not open"):
                await client.read_resource(uri_of(Scope(user="지영", character="letia")))

    with served(guarded(bank, {"k": caller_with(role, Bounds(user="민수"))})) as address:
        asyncio.run(talk(address))
    assert [each.content for each in bank.scope(user="지영", character="letia").facts()] == ["강아지를 키운다"]


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_what_a_client_writes_and_reads_of_others_is_written_down_under_its_key(bank, mode):
    async def talk(address):
        for name in ("server", "own"):
            async with client_of(address, name, mode) as client:
                await done(client, "remember", {"content": f"{name}: 고양이를 키운다"})
                await done(client, "facts", {})
                await done(client, "recall", {"query": "고양이"})
                await client.read_resource(uri_of(MINSU))

    callers = {
        "server": caller_with("writer", name="writer"),
        "own": caller_with("admin", Bounds(user="민수"), name="admin"),
    }
    with served(guarded(bank, callers)) as address:
        asyncio.run(talk(address))
    told = [(deed.act, str(deed.actor), deed.why) for deed in bank.audit(MINSU)]
    assert told == [
        ("remember", "key writer (writer)", ""),
        ("read", "key writer (writer)", "mcp facts"),
        ("remember", "key admin (admin)", ""),
    ]
    assert bank.verify_audit().sound


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_two_clients_at_once_each_have_their_own_rights_and_their_own_home(bank, mode):
    likes = ("고양이", "라면", "바다", "등산", "재즈", "수국")
    callers = {
        name: caller_with("writer", Bounds(user=name), name="writer", home=Bounds(user=name, character="letia"))
        for name in ("minsu", "jiyoung")
    }

    async def talk(address, name, other):
        async with client_of(address, name, mode) as client:
            for each in likes:
                told = {"content": f"{name}: {each}", "attribute": "likes", "value": each}
                await done(client, "remember", told)
                assert "does not open" in await failure(client, "facts", {"user": other})
            return {each["content"] for each in (await done(client, "facts", {}))["memories"]}

    async def both(address):
        return await asyncio.gather(talk(address, "minsu", "jiyoung"), talk(address, "jiyoung", "minsu"))

    with served(guarded(bank, callers, Place())) as address:
        known = asyncio.run(both(address))
    for name, liked in zip(callers, known, strict=True):
        assert liked == {f"{name}: {each}" for each in likes}


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
def test_whom_no_guard_let_in_gets_no_answer(bank, mode):
    bank.mind(MINSU).remember("비밀은 서랍에 있다")

    async def talk(address):
        async with client_of(address, "nobody", mode) as client:
            return await client.call_tool("facts", {})

    with served(guarded(bank, {})) as address, pytest.raises((MCPError, ExceptionGroup)):
        asyncio.run(talk(address))


@pytest.mark.parametrize(
    ("headers", "status"),
    [({"Origin": "https://evil.example"}, 403), ({"Host": "evil.example:80"}, 421), ({}, 200)],
)
def test_a_web_page_of_another_origin_is_turned_away(bank, headers, status):
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    accepted = {"Accept": "application/json, text/event-stream", **headers}
    with served(local_app(bank, PLACE)) as address:
        body = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}
        assert httpx2.post(address + PATH, json=body, headers=accepted).status_code == status


def test_a_message_that_is_too_long_is_refused(tmp_path):
    with (
        gieok.open(tmp_path / "m.db", embedder="hashing", serve_body_kb=1) as bank,
        served(local_app(bank, PLACE)) as address,
    ):
        answer = httpx2.post(address + PATH, json={"x": "가" * 1_000}, headers={"Accept": "application/json"})
        assert answer.status_code == 413


# The command.


def test_the_command_speaks_http_on_this_machine_until_it_is_told_to_stop(command, tmp_path):
    port = free_port()
    how = command("--user", "민수", "--listen", f"127.0.0.1:{port}")
    process = subprocess.Popen([how.command, *how.args], env={**os.environ, **how.env}, cwd=how.cwd)
    try:
        until = monotonic() + 60
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                assert process.poll() is None
                assert monotonic() < until
                sleep(0.05)

        async def talk():
            async with Client(f"http://127.0.0.1:{port}{PATH}") as client:
                return await done(client, "facts", {})

        assert asyncio.run(talk())["total"] == 0
    finally:
        process.terminate()
        process.wait(30)


@pytest.mark.parametrize("address", ["0.0.0.0:8421", "192.168.0.7:1", "127.0.0.1:x", "[::]:80"])
def test_the_command_listens_for_nobody_else(address, tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "gieok", "mcp", "--listen", address, "--bank", str(tmp_path / "m.db")],
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "--listen" in done.stderr
    assert not (tmp_path / "m.db").exists()


def test_ctrl_c_ends_it_though_nobody_closed_the_line(command):
    asked = command()
    process = subprocess.Popen(
        [asked.command, *asked.args], env=asked.env, cwd=asked.cwd, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with process:
        try:
            process.stdin.write(b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}\n')
            process.stdin.flush()
            assert process.stdout.readline()
            process.send_signal(signal.SIGINT)
            assert process.wait(30) == -signal.SIGINT
        finally:
            process.kill()


def test_without_the_sdk_the_way_out_is_named():
    program = "import sys; sys.modules['mcp'] = None; sys.argv = ['gieok', 'mcp']; from gieok.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert 'pip install "gieok[mcp]"' in done.stderr
    assert done.stdout == ""


# What loads, and what the documentation says.


class SlowToWake(HashingEmbedder):
    """Notes that it was woken."""

    def __init__(self):
        super().__init__()
        self.woken = Event()

    def warm(self):
        self.woken.set()


def test_what_is_slow_to_load_is_loaded_behind_the_first_answer(tmp_path):
    embedder = SlowToWake()

    async def talk(server):
        async with Client(server) as client:
            assert not embedder.woken.is_set()
            await client.list_tools()
            return await asyncio.to_thread(embedder.woken.wait, 60)

    with gieok.open(tmp_path / "m.db", embedder=embedder) as bank:
        assert asyncio.run(talk(mcp_server(bank, PLACE, warm=True)))


def test_making_a_server_leaves_the_logging_of_the_process_alone(bank):
    before = [*logging.getLogger().handlers]
    mcp_server(bank)
    assert logging.getLogger().handlers == before


def test_the_snippets_of_the_page_are_ones_that_the_command_takes(bank):
    page = (ROOT / "docs" / "mcp.md").read_text(encoding="utf-8")
    known = {"--bank", "--user", "--character", "--world", "--http", "--listen", "--fixed-scope"}
    snippets = [json.loads(each) for each in re.findall(r"```json\n(.*?)```", page, re.DOTALL)]
    started = [each["gieok"] for snippet in snippets for each in snippet.values()]
    assert len(started) == 3
    for each in started:
        assert each.get("args", ["mcp"])[0] == "mcp"
        assert each.get("url", "").endswith(PATH) or each["command"] == "gieok"
        assert {option for option in each.get("args", []) if option.startswith("-")} <= known
    assert known <= set(re.findall(r"--[a-z-]+", page))
    for ability in TOOLS:
        assert re.search(rf"^\| `{ability.name}` \|.*\| {ability.role} \|$", page, re.MULTILINE)


def test_the_server_of_the_page_answers(tmp_path, monkeypatch):
    page = (ROOT / "docs" / "mcp.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIEOK_EMBEDDER", "hashing")
    names = {}
    exec(code, names)

    async def talk(address):
        async with Client(address + PATH) as client:
            return await done(client, "remember", {"content": "고양이를 키운다", "user": "민수"})

    with names["bank"], served(names["app"]) as address:
        assert asyncio.run(talk(address))["outcome"] == "remember"
