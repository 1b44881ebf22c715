"""The resident process: commands that it runs end, print and fail as they do by themselves."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from gieok.cli import handover
from gieok.cli.app import PANELS

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there is no resident process")

#: `gieok`, which also writes to $RAN_HERE whether it had to run the command itself
PROGRAM = """
import os, sys
from gieok.cli import main
try:
    main()
finally:
    with open(os.environ["RAN_HERE"], "w") as file:
        file.write("here" if "typer" in sys.modules else "there")
"""
LETIA = ("-u", "minsu", "-c", "letia")


@dataclass
class Place:
    """A folder with a bank, and the runtime folder of a resident process."""

    folder: Path
    runtime: Path

    def environment(self, **more: str) -> dict[str, str]:
        own = {"XDG_RUNTIME_DIR": str(self.runtime), "TMPDIR": str(self.runtime), "RAN_HERE": str(self.folder / "ran")}
        plain = {name: value for name, value in os.environ.items() if name != "GIEOK_WARM"}
        return plain | own | {"LC_ALL": "C.UTF-8", "GIEOK_EMBEDDER": "hashing"} | more

    def start(self, *arguments: str, env: dict[str, str] | None = None, **more: Any) -> subprocess.Popen[str]:
        given = {"cwd": self.folder, "stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        command = [sys.executable, "-c", PROGRAM, *arguments]
        return subprocess.Popen(command, env=self.environment(**env or {}), text=True, **(given | more))

    def run(self, *arguments: str, warm: bool = True, **more: Any) -> tuple[int, str, str]:
        env = more.pop("env", {}) | ({} if warm else {"GIEOK_WARM": "off"})
        began = time.perf_counter()
        process = self.start(*arguments, env=env, **more)
        out, err = process.communicate(timeout=60)
        print(f"{'warm' if warm else 'cold'} {time.perf_counter() - began:.2f} s: gieok {' '.join(arguments)}")
        if process.returncode >= 0:
            assert (self.folder / "ran").read_text() == ("there" if warm else "here")
        return process.returncode, out, err

    def residents(self) -> list[int]:
        return residents_in(self.runtime)

    @property
    def resident(self) -> int:
        (process,) = self.residents()
        return process

    @property
    def children(self) -> list[int]:
        """The processes of the commands that the resident process runs."""
        return [process for process, parent, _ in processes() if parent == self.resident]


def processes() -> Iterator[tuple[int, int, list[str]]]:
    """Yield number, parent and command line of every process that runs."""
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            state, parent = (entry / "stat").read_text().rpartition(")")[2].split()[:2]
            if state != "Z":
                yield int(entry.name), int(parent), (entry / "cmdline").read_text().split("\0")


def residents_in(runtime: Path) -> list[int]:
    """Return the resident processes that listen in `runtime`, without the commands that they run."""
    all_ = {process: parent for process, parent, command in processes() if is_resident(command, runtime)}
    return [process for process, parent in all_.items() if parent not in all_]


def is_resident(command: list[str], runtime: Path) -> bool:
    return "gieok.cli.resident" in command and any(each.startswith(f"{runtime}/") for each in command)


def eventually(holds: Callable[[], Any], seconds: float = 20) -> Any:
    until = time.monotonic() + seconds
    while not (found := holds()):
        assert time.monotonic() < until, "it did not come about"
        time.sleep(0.02)
    return found


def is_alive(process: int) -> bool:
    return any(each == process for each, _, _ in processes())


def gieok(place: Place, *arguments: str, **env: str) -> str:
    """Run a command that always runs by itself, and return what it printed."""
    command = [sys.executable, "-m", "gieok", *arguments]
    done = subprocess.run(
        command, cwd=place.folder, env=place.environment(**env), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def new_place(folder: Path) -> Iterator[Place]:
    runtime = Path(tempfile.mkdtemp(prefix="gieok", dir="/tmp"))  # the path of a socket is short
    place = Place(folder, runtime)
    try:
        yield place
        for process in place.residents():
            os.kill(process, signal.SIGKILL)
    finally:
        shutil.rmtree(runtime)


@pytest.fixture
def cold_place(tmp_path: Path) -> Iterator[Place]:
    yield from new_place(tmp_path)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """A place with memories and a resident process that stays."""
    for each in new_place(tmp_path_factory.mktemp("warm")):
        assert "stay" in gieok(each, "warm", GIEOK_LANGUAGE="en")
        for words in ("나 고양이 좋아해", "나는 부산에 살아"):
            assert each.run("observe", words, *LETIA)[0] == 0
        yield each


def test_what_the_resident_process_runs_are_commands_of_these_groups():
    named = {name for panel in ("talk", "known", "story", "change", "erase") for name in PANELS[panel]}
    assert named == handover.SERVED


@pytest.mark.parametrize(
    "arguments",
    [
        ("recall", "반려동물"),
        ("recall", "반려동물", "--json"),
        ("context", "오늘 뭐 할까?", "--text"),
        ("--as", "boss", "facts"),
        ("about-me",),
        ("explain", "나 떡볶이 좋아해", "--json"),
        ("forget", "nobody"),
        ("facts", "--bank", "missing.db"),
        ("recall",),
        ("facts", "--nonsense"),
        ("correct", "x", "y", "-u", "somebody"),
    ],
)
def test_a_command_prints_and_ends_as_it_does_by_itself(place, arguments):
    at = ("--at", "2030-01-01") if arguments[0] in ("recall", "context") and len(arguments) > 1 else ()
    warm = place.run(*arguments, *at)
    assert warm == place.run(*arguments, *at, warm=False)
    assert warm[1] or warm[2]


def test_environment_folder_and_umask_are_those_of_the_caller(place, tmp_path):
    english = place.run("facts", env={"GIEOK_LANGUAGE": "en"})[1]
    korean = place.run("facts", env={"GIEOK_LANGUAGE": "ko"})[1]
    assert "about" in english
    assert "누구" in korean
    assert str(tmp_path) in place.run("facts", cwd=tmp_path)[2]
    modes = set()
    for warm in (True, False):
        assert place.run("observe", "나는 커피를 마셔", *LETIA, "--bank", f"{warm}.db", warm=warm, umask=0o027)[0] == 0
        modes.add((place.folder / f"{warm}.db").stat().st_mode)
    assert len(modes) == 1


def test_columns_and_encoding_are_those_of_the_caller(place):
    for env in ({"COLUMNS": "50"}, {"PYTHONIOENCODING": "ascii"}, {"FORCE_COLOR": "1"}):
        assert place.run("facts", env=env) == place.run("facts", env=env, warm=False)


def test_a_terminal_is_a_terminal_and_answers_are_read_from_it(place):
    import pty

    def asked(warm: bool) -> bytes:
        ours, theirs = pty.openpty()
        env = {"TERM": "xterm", "GIEOK_WARM": "on" if warm else "off"}
        process = place.start("facts", "--history", stdin=theirs, stdout=theirs, stderr=theirs, env=env)
        os.close(theirs)
        shown = b""
        try:
            while more := os.read(ours, 4096):
                shown += more
        except OSError:  # the other end is closed
            pass
        assert process.wait(30) == 0
        os.close(ours)
        return shown

    warm = asked(warm=True)
    assert b"\x1b[" in warm
    assert warm == asked(warm=False)
    assert (place.folder / "ran").read_text() == "here"


def test_a_pipe_whose_reader_leaves_is_no_trouble(place):
    reading, writing = os.pipe()
    os.close(reading)
    warm = place.run("facts", "--json", stdout=writing)
    assert warm == place.run("facts", "--json", stdout=writing, warm=False)
    os.close(writing)
    assert warm[0] == 1


def test_a_stream_that_is_closed_stays_closed(place):
    closing = ["sh", "-c", f'exec "{sys.executable}" -m gieok facts >&- <&-']
    done = subprocess.run(closing, cwd=place.folder, env=place.environment(), capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def waits(place: Place, name: str, then: str = "until [ -e go ]; do sleep 0.05; done") -> dict[str, str]:
    """Return an environment in which a command waits for its key: `then` is done once the file `name` is there."""
    script = place.folder / f"{name}.sh"
    script.write_text(f"echo $$ > {name}\n{then}\necho key\n")
    return {"GIEOK_KEY_COMMAND": f"sh {script.name}"}


def begun(place: Place, name: str) -> int:
    """Wait until the command waits, and return the process of its key command."""
    return int(eventually(lambda: (place.folder / name).exists() and (place.folder / name).read_text()))


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, -15), (signal.SIGKILL, -9)])
def test_a_signal_ends_the_command_with_what_it_started(place, number, code):
    name = f"signal-{number}"
    process = place.start("facts", env=waits(place, name))
    key_command = begun(place, name)
    process.send_signal(number)
    out, err = process.communicate(timeout=20)
    assert (process.returncode, out, err) == (code, "", "")
    eventually(lambda: not is_alive(key_command))


def test_a_command_that_is_killed_says_so(place):
    process = place.start("facts", env=waits(place, "killed") | {"GIEOK_LANGUAGE": "en"})
    key_command = begun(place, "killed")
    (child,) = place.children
    os.kill(child, signal.SIGKILL)
    os.kill(key_command, signal.SIGKILL)  # its parent could not end it
    out, err = process.communicate(timeout=20)
    assert (process.returncode, out, err.count("\n")) == (1, "", 1)
    assert "was killed" in err


def test_commands_run_at_the_same_time(place):
    one = waits(place, "one", "until [ -e two ]; do sleep 0.05; done")
    two = waits(place, "two", "until [ -e one ]; do sleep 0.05; done")
    both = [place.start("facts", env=env) for env in (one, two)]
    for process in both:
        assert "key" in process.communicate(timeout=20)[1]
        assert process.returncode == 1
    many = [place.start("recall", "고양이", "--json") for _ in range(4)]
    for process in many:
        assert json.loads(process.communicate(timeout=30)[0])


def test_the_resident_process_keeps_nothing_of_a_command(place):
    process = place.resident
    before = len(os.listdir(f"/proc/{process}/fd"))
    assert place.run("facts", env={"GIEOK_LLM_KEY": "very-secret"})[0] == 0
    eventually(lambda: not place.children)
    assert len(os.listdir(f"/proc/{process}/fd")) == before
    assert os.readlink(f"/proc/{process}/cwd") == "/"
    assert {os.readlink(f"/proc/{process}/fd/{number}") for number in (1, 2)} == {"/dev/null"}
    assert len(os.listdir(f"/proc/{process}/task")) == 1
    assert os.getsid(process) == process
    told = Path(f"/proc/{process}/environ").read_bytes() + Path(f"/proc/{process}/cmdline").read_bytes()
    assert b"secret" not in told
    (path,) = (place.runtime / f"gieok-{os.geteuid()}").iterdir()
    assert (os.stat(path).st_mode & 0o777, os.stat(Path(path).parent).st_mode & 0o777) == (0o600, 0o700)


def test_one_is_started_where_there_is_none_and_ends_when_told(cold_place, place):
    bank = str(place.folder / "gieok.db")
    assert cold_place.run("facts", "--bank", bank, warm=False, env={"GIEOK_WARM": "on"})[0] == 0
    assert cold_place.residents() == [], "a command that loads no model starts nothing"

    asked = [cold_place.start("explain", "나 고양이 좋아해", "--json") for _ in range(2)]
    answers = [process.communicate(timeout=60)[0] for process in asked]
    assert len(set(answers)) == 1
    assert json.loads(answers[0])["marks"]
    first = cold_place.resident  # one, though two began at the same time
    gieok(cold_place, "warm")
    assert cold_place.resident == first

    assert "Stopped" in gieok(cold_place, "warm", "--stop", GIEOK_LANGUAGE="en")
    gieok(cold_place, "warm")  # another one, while the first may still be there
    eventually(lambda: not is_alive(first))
    assert cold_place.run("facts", "--bank", bank)[0] == 0
    gieok(cold_place, "warm", "--stop")
    eventually(lambda: not cold_place.residents())
    assert "No models" in gieok(cold_place, "warm", "--stop", GIEOK_LANGUAGE="en")


def test_a_resident_process_that_is_killed_ends_no_command_and_is_replaced(cold_place, place):
    bank = ("--bank", str(place.folder / "gieok.db"))
    gieok(cold_place, "warm")
    process = cold_place.start("facts", *bank, env=waits(cold_place, "orphaned"))
    begun(cold_place, "orphaned")
    os.kill(cold_place.resident, signal.SIGKILL)
    (cold_place.folder / "go").touch()
    assert "key" in process.communicate(timeout=20)[1], "the command goes on"
    assert (cold_place.folder / "ran").read_text() == "there"

    assert cold_place.run("facts", *bank, warm=False, env={"GIEOK_WARM": "on"})[0] == 0
    gieok(cold_place, "warm")  # in the place of the socket that was left
    assert cold_place.run("facts", *bank)[0] == 0


@pytest.fixture
def runtime(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path / "none"))
    return tmp_path


def test_a_folder_that_others_can_enter_or_that_is_a_link_is_refused(runtime):
    private = Path(handover.folder())
    assert private.parent == runtime
    private.chmod(0o750)
    with pytest.raises(PermissionError):
        handover.folder()
    private.rmdir()
    (runtime / "elsewhere").mkdir(mode=0o700)
    private.symlink_to("elsewhere")
    with pytest.raises(PermissionError):
        handover.socket_path()


def test_a_folder_or_a_process_of_somebody_else_is_refused(runtime, monkeypatch):
    path = handover.socket_path()
    with socket.socket(socket.AF_UNIX) as listener:
        monkeypatch.chdir(Path(path).parent)  # the path of a socket is short
        listener.bind("s")
        listener.listen()
        handover.connect("s").close()
        user = os.geteuid()
        monkeypatch.setattr(os, "geteuid", lambda: user + 1)
        with pytest.raises(PermissionError):
            handover.connect("s")
    Path(path).parent.rename(runtime / f"gieok-{user + 1}")
    with pytest.raises(PermissionError):
        handover.folder()


@pytest.mark.filterwarnings("ignore:subprocess .* is still running:ResourceWarning")  # it outlives who starts it
def test_one_with_older_code_is_replaced(cold_place, monkeypatch):
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(cold_place.runtime))
    path = handover.socket_path()
    older = path.replace(".sock", "0.sock")
    handover.start(older).close()
    first = cold_place.resident
    handover.start(path, idle=0.5).close()
    assert os.listdir(os.path.dirname(path)) == [os.path.basename(path)]
    eventually(lambda: not is_alive(first))
    eventually(lambda: not cold_place.residents())  # idle
    assert os.listdir(os.path.dirname(path)) == []


def test_with_the_light_profile_it_never_loads_kiwi(cold_place):
    assert cold_place.run("observe", "나 부산 살아", *LETIA, env={"GIEOK_PROFILE": "light"})[0] == 0
    maps = Path(f"/proc/{cold_place.resident}/maps").read_text(encoding="utf-8")
    assert "numpy" in maps
    assert "kiwi" not in maps


def test_other_code_or_rights_have_another_socket(runtime, monkeypatch):
    path = handover.socket_path()
    assert handover.socket_path() == path
    with monkeypatch.context() as patch:
        patch.setattr(handover, "newest_change", lambda _: 1)
        assert handover.socket_path() != path
    with monkeypatch.context() as patch:
        patch.setattr(os, "getgroups", lambda: [12345])
        assert handover.socket_path() != path
    with monkeypatch.context() as patch:
        patch.chdir(runtime)
        (runtime / "gieok.toml").write_text('profile = "light"')
        assert handover.socket_path() != path
        patch.setenv("GIEOK_PROFILE", "full")
        assert handover.socket_path() == path
    (runtime / "a.py").write_text("")
    before = handover.newest_change(str(runtime))
    os.utime(runtime / "a.py", ns=(before + 1, before + 1))
    assert handover.newest_change(str(runtime)) == before + 1


def test_a_variable_or_the_settings_file_switches_it_off(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    assert handover.is_switched_off()  # as in all tests
    monkeypatch.delenv("GIEOK_WARM")
    assert not handover.is_switched_off()
    settings = tmp_path / "gieok.toml"
    for written, off in (("warm = false", True), ("warm = true", False), ("# warm\n", False), ("warm = ", False)):
        settings.write_text(written)
        assert handover.is_switched_off() == off
    monkeypatch.setenv("GIEOK_WARM", "on")
    settings.write_text("warm = false")
    assert not handover.is_switched_off()


@pytest.mark.parametrize("arguments", [["serve"], ["recall", "--help"], ["--version"], [], ["chat"], ["warm"]])
def test_other_commands_and_helps_run_by_themselves(runtime, monkeypatch, arguments):
    monkeypatch.setenv("GIEOK_WARM", "on")
    monkeypatch.setattr(sys, "argv", ["gieok", *arguments])
    assert handover.run_by_resident() is None
    assert list(runtime.iterdir()) == []
