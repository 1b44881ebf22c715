"""The tests neither see nor touch what belongs to the developer who runs them."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_no_setting_of_the_developer_reaches_a_test():
    assert {name: value for name, value in os.environ.items() if name.startswith("GIEOK_")} == {"GIEOK_WARM": "off"}
    assert not Path("gieok.toml").exists()
    assert Path.cwd() != ROOT


def test_that_holds_when_the_developer_has_settings(tmp_path):
    (tmp_path / "gieok.toml").write_text('nonsense = "yes"\n', encoding="utf-8")
    pytest = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [
            *pytest,
            "-c",
            ROOT / "pyproject.toml",
            f"{__file__}::{test_no_setting_of_the_developer_reaches_a_test.__name__}",
        ],
        cwd=tmp_path,
        env=os.environ | {"GIEOK_NONSENSE": "1"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 passed" in done.stdout


def test_counts_follow_the_soak_option(counts, pytestconfig):
    assert counts(3, 1_000) == (1_000 if pytestconfig.getoption("--soak") else 3)


def test_every_path_that_the_list_of_make_check_names_is_there(pytestconfig):
    (listed,) = [plugin.CHECK for plugin in pytestconfig.pluginmanager.get_plugins() if hasattr(plugin, "CHECK")]
    assert [str(path) for path in listed if not path.exists()] == []
