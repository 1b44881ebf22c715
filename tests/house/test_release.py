"""The checksums of a release, signed with a key of a few seconds."""

import subprocess
import sys
from pathlib import Path

import pytest

TOOL = Path(__file__).parents[2] / "tools" / "release.py"


def release(*arguments: object) -> int:
    return subprocess.run([sys.executable, TOOL, *map(str, arguments)], capture_output=True, check=False).returncode


@pytest.fixture
def made(tmp_path: Path) -> Path:
    """A folder dist/ whose checksums are signed, beside the key and the file of allowed signers."""
    dist = tmp_path / "dist"
    dist.mkdir()
    for name in ("gieok-1.whl", "gieok-1.tar.gz"):
        (dist / name).write_bytes(name.encode())
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", tmp_path / "key"], check=True)
    public = (tmp_path / "key.pub").read_text()
    (tmp_path / "release_signers").write_text(f"release@gieok {public}")
    assert release("sums", dist) == release("sign", dist, tmp_path / "key") == 0
    return dist


def verified(dist: Path) -> bool:
    return release("verify", dist, dist.parent / "release_signers") == 0


def test_a_release_that_is_as_it_was_signed_is_verified(made):
    assert verified(made)
    assert (made / "SHA256SUMS").read_text().count("\n") == 2


def changed_file(dist: Path) -> None:
    (dist / "gieok-1.whl").write_bytes(b"other")


def added_file(dist: Path) -> None:
    (dist / "gieok-2.whl").write_bytes(b"other")


def changed_sums(dist: Path) -> None:
    changed_file(dist)
    assert release("sums", dist) == 0


def signed_by_another(dist: Path) -> None:
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", dist.parent / "other"], check=True)
    assert release("sign", dist, dist.parent / "other") == 0


@pytest.mark.parametrize("change", [changed_file, added_file, changed_sums, signed_by_another])
def test_one_that_was_changed_or_signed_by_another_is_refused(made, change):
    change(made)
    assert not verified(made)


def test_there_is_nothing_to_sign_where_nothing_was_built(tmp_path):
    assert release("sums", tmp_path) == 1
