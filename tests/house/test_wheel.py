"""What is installed is what stands in src: SQL, TOML, JSON, Markdown and py.typed too; and nothing else."""

import json
import re
import shutil
import tarfile
import tomllib
import zipfile
from email import message_from_bytes
from pathlib import Path

import pytest

import gieok
from house.test_pins import needed, pins
from support.building import ROOT, build

SUPPORTED = ("3.11", "3.12", "3.13", "3.14")


def names_in(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def package_files(root: Path) -> set[str]:
    return {
        path.relative_to(root / "src").as_posix()
        for path in (root / "src" / "gieok").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    return build("wheel", tmp_path_factory.mktemp("dist"))


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory):
    """The folder that the source archive holds."""
    archive = build("sdist", tmp_path_factory.mktemp("sdist"))
    out = tmp_path_factory.mktemp("unpacked")
    with tarfile.open(archive) as opened:
        opened.extractall(out, filter="data")
    (folder,) = out.iterdir()
    return folder


def test_every_file_of_the_package_is_in_the_wheel(wheel):
    files = package_files(ROOT)
    assert {"gieok/py.typed", "gieok/presets/heroine.toml", "gieok/stores/sqlite/queries.sql"} <= files
    assert files - names_in(wheel) == set()


def test_nothing_else_is_in_the_wheel(wheel):
    own = package_files(ROOT)
    beside = {name for name in names_in(wheel) if ".dist-info/" in name}
    assert names_in(wheel) - own - beside == set()
    assert {name.split("/")[0] for name in beside} == {f"gieok-{gieok.__version__}.dist-info"}


def test_the_wheel_holds_neither_the_evals_nor_the_store_contract(wheel):
    assert not [name for name in names_in(wheel) if "evals/" in name or "contract/" in name]


@pytest.mark.parametrize("name", ["gieok-evals", "gieok-contract"])
def test_every_file_of_a_package_beside_it_is_in_its_own_wheel(tmp_path, name):
    package = ROOT / "packages" / name
    files = {
        path.relative_to(package / "src").as_posix()
        for path in (package / "src").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    built = names_in(build("wheel", tmp_path, package))
    assert files
    assert {each for each in built if ".dist-info/" not in each} == files


def test_the_licence_is_in_the_wheel(wheel):
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in names_in(wheel))


def test_the_wheel_carries_what_it_needs_at_the_versions_that_are_pinned(wheel):
    with zipfile.ZipFile(wheel) as archive:
        told = json.loads(archive.read(f"gieok-{gieok.__version__}.dist-info/sboms/sbom.cdx.json"))
    assert (told["bomFormat"], told["specVersion"]) == ("CycloneDX", "1.6")
    assert told["metadata"]["component"]["version"] == gieok.__version__
    parts = {each["name"]: each["version"] for each in told["components"]}
    pinned = pins((ROOT / "constraints.txt").read_text(encoding="utf-8"))
    assert parts.items() <= pinned.items()
    assert needed("gieok", frozenset({"all"}), set()) - {"gieok"} <= set(parts)
    refs = {each["ref"] for each in told["dependencies"]}
    assert refs == {each["bom-ref"] for each in (*told["components"], told["metadata"]["component"])}
    assert all(set(each["dependsOn"]) <= refs for each in told["dependencies"])


def test_the_wheel_says_which_version_it_is_and_which_pythons_it_is_for(wheel):
    with zipfile.ZipFile(wheel) as archive:
        told = message_from_bytes(archive.read(f"gieok-{gieok.__version__}.dist-info/METADATA"))
    named = {each.rpartition(" :: ")[2] for each in told.get_all("Classifier", []) if "Python :: 3." in each}
    assert named == set(SUPPORTED)
    assert told["Requires-Python"] == f">={SUPPORTED[0]}"
    assert told["Version"] == gieok.__version__


def test_the_versions_are_semantic_and_the_changelog_says_so():
    assert re.fullmatch(r"\d+\.\d+\.\d+(-[0-9A-Za-z.]+)?", gieok.__version__)
    assert (
        tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"] == gieok.__version__
    )
    for page in ("CHANGELOG.md", "CONTRIBUTING.md"):
        assert "Semantic Versioning" in (ROOT / page).read_text(encoding="utf-8")


def test_the_source_archive_holds_all_that_is_needed_to_test_it_and_gives_the_same_wheel(wheel, unpacked, tmp_path):
    for name in (
        "packages",
        "tests",
        "docs",
        "benchmarks",
        "examples",
        "tools",
        "Makefile",
        "constraints.txt",
        "LICENSE",
    ):
        assert (unpacked / name).exists(), name
    assert names_in(build("wheel", tmp_path, unpacked)) == names_in(wheel)


def test_the_check_sees_a_file_that_is_left_out(tmp_path):
    for name in ("pyproject.toml", "LICENSE", "sbom.cdx.json"):
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / "README.md").write_text("# gieok\n", encoding="utf-8")
    (tmp_path / ".gitignore").write_text("*.sql\n", encoding="utf-8")
    package = tmp_path / "src" / "gieok"
    package.mkdir(parents=True)
    for name in ("__init__.py", "presets.toml", "schema.sql"):
        (package / name).touch()

    left = package_files(tmp_path) - names_in(build("wheel", tmp_path / "dist", tmp_path))
    assert left == {"gieok/schema.sql"}
