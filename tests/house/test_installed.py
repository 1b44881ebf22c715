"""A stranger installs the wheel and does what the README shows first; and every supported Python can read the code."""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

from support.building import ROOT, build

PACKAGE = ROOT / "src" / "gieok"
PYTHONS = ("python3.11", "python3.12", "python3.13", "python3.14")
FIRST = 3  #: blocks of the README: ten lines, a change of heart, three questions

COMPILE = """
import pathlib, sys, warnings
warnings.simplefilter("error")
files = sorted(pathlib.Path(sys.argv[1]).rglob("*.py"))
for path in files:
    compile(path.read_bytes(), str(path), "exec")
print(len(files))
"""


def first_blocks() -> str:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert len(blocks) > FIRST
    return "\n".join(blocks[:FIRST])


def ran(python: Path, *words: str, cwd: Path) -> str:
    """Run a Python apart from this one: no PYTHONPATH, no user's packages."""
    done = subprocess.run([str(python), "-I", *words], cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def empty(folder: Path) -> Path:
    """Make an environment with nothing in it, and return its Python."""
    venv.EnvBuilder(with_pip=False).create(folder)
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def install(python: Path, *words: str) -> None:
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", "--disable-pip-version-check"]
    done = subprocess.run([*pip, "--no-input", *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def see_from(python: Path, folders: set[str]) -> None:
    """Have an environment see packages of another one; what that one has as editable stays unseen."""
    own = Path(ran(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=python.parent).strip())
    (own / "elsewhere.pth").write_text("\n".join(sorted(folders)) + "\n", encoding="utf-8")


def is_as_the_readme_says(python: Path, folder: Path) -> None:
    where = Path(ran(python, "-c", "import gieok; print(gieok.__file__)", cwd=folder).strip())
    assert where.is_relative_to(python.parents[1])
    (folder / "first.py").write_text(first_blocks(), encoding="utf-8")
    said = ran(python, "first.py", cwd=folder)
    assert "고양이를 좋아함" in said
    assert "땅콩 알레르기" in said
    command = python.parent / ("gieok.exe" if os.name == "nt" else "gieok")
    for words, told in ((["--version"], "gieok "), (["presets", "heroine"], "Hybrid Search")):
        done = subprocess.run([str(command), *words], cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        assert told in done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    return build("wheel", tmp_path_factory.mktemp("dist"))


def test_the_wheel_in_an_environment_with_its_dependencies_alone_runs_what_the_readme_shows_first(wheel, tmp_path):
    python = empty(tmp_path / "env")
    see_from(python, {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")})
    install(python, "--no-index", "--no-deps", str(wheel))

    is_as_the_readme_says(python, tmp_path)


@pytest.mark.soak
def test_the_wheel_in_an_empty_environment_brings_all_it_needs_and_runs_what_the_readme_shows_first(wheel, tmp_path):
    python = empty(tmp_path / "env")
    install(python, "--constraint", str(ROOT / "constraints.txt"), str(wheel))

    is_as_the_readme_says(python, tmp_path)


def present() -> dict[str, str]:
    """The supported Pythons of this machine, by version. Each is tried: a shim may have no Python behind it."""
    kept = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"), "versions")
    found = {}
    for name in PYTHONS:
        for place in (shutil.which(name), *map(str, sorted(kept.glob(f"*/bin/{name}"))), sys.executable):
            if place is None or name.removeprefix("python") in found:
                continue
            asked = "import sys; print('{}.{}'.format(*sys.version_info))"
            done = subprocess.run([place, "-I", "-c", asked], capture_output=True, text=True, check=False)
            if done.returncode == 0 and done.stdout.strip() == name.removeprefix("python"):
                found[done.stdout.strip()] = place
    return found


def test_every_supported_python_that_is_here_reads_all_of_the_code_without_a_warning(tmp_path):
    pythons = present()
    assert "{}.{}".format(*sys.version_info) in pythons
    for version, python in pythons.items():
        found = ran(Path(python), "-c", COMPILE, str(PACKAGE), cwd=tmp_path)
        assert int(found) == len(list(PACKAGE.rglob("*.py"))), version
