"""What is installed is what stands in src: SQL, TOML, JSON, Markdown and py.typed too."""

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def wheel(root: Path, out: Path) -> set[str]:
    """Build `root`'s wheel into `out` and return the names in it."""
    done = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(out)],
        cwd=root,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (built,) = out.glob("*.whl")
    with zipfile.ZipFile(built) as archive:
        return set(archive.namelist())


def package_files(root: Path) -> set[str]:
    return {
        path.relative_to(root / "src").as_posix()
        for path in (root / "src" / "gieok").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


@pytest.fixture(scope="module")
def names(tmp_path_factory):
    return wheel(ROOT, tmp_path_factory.mktemp("dist"))


def test_every_file_of_the_package_is_in_the_wheel(names):
    files = package_files(ROOT)
    assert "gieok/py.typed" in files
    assert files - names == set()


def test_the_licence_is_in_the_wheel(names):
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in names)


def test_the_check_sees_a_file_that_is_left_out(tmp_path):
    for name in ("pyproject.toml", "LICENSE"):
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / "README.md").write_text("# gieok\n", encoding="utf-8")
    (tmp_path / ".gitignore").write_text("*.sql\n", encoding="utf-8")
    package = tmp_path / "src" / "gieok"
    package.mkdir(parents=True)
    for name in ("__init__.py", "presets.toml", "schema.sql"):
        (package / name).touch()

    assert package_files(tmp_path) - wheel(tmp_path, tmp_path / "dist") == {"gieok/schema.sql"}
