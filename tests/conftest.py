"""What every test gets: its counts, its hypothesis profile, and shelter from the developer's settings."""

import functools
import gc
import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import httpcore2
import hypothesis
import pytest

# `make test` repeats itself exactly; `make soak` looks in new places, and prints how to get back there.
hypothesis.settings.register_profile("sample", max_examples=50, deadline=None, derandomize=True)
hypothesis.settings.register_profile(
    "soak",
    max_examples=2_000,
    deadline=None,
    print_blob=True,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)

HERE = Path(__file__).parent
PAGES = HERE / "web"

# Tests that need more than this process and SQLite, or that take long: `make check` runs them, and
# `make test` runs the rest. Whole folders and files are listed here; a single test carries @pytest.mark.check.
CHECK = frozenset(
    HERE / name
    for name in (
        "benchmarks",
        "cli/test_app.py",
        "cli/test_banks.py",
        "cli/test_bench.py",
        "cli/test_warm.py",
        "compat/test_kept_files.py",
        "compat/test_surface.py",
        "contract/test_audit_tampering.py",
        "contract/test_backups.py",
        "contract/test_carrying.py",
        "contract/test_citus.py",
        "contract/test_congruence.py",
        "contract/test_copying.py",
        "contract/test_isolation_walk.py",
        "contract/test_personal_data.py",
        "contract/test_pgroonga.py",
        "contract/test_postgres.py",
        "contract/test_postgres_many_users.py",
        "contract/test_postgres_page.py",
        "contract/test_postgres_parts.py",
        "contract/test_postgres_plans.py",
        "contract/test_postgres_schema.py",
        "contract/test_ranked_words.py",
        "docs",
        "engine/test_all_or_nothing.py",
        "engine/test_audit_erasing.py",
        "engine/test_backing_up.py",
        "engine/test_crash.py",
        "engine/test_isolation_walk.py",
        "engine/test_kept_items.py",
        "engine/test_loading.py",
        "engine/test_postgres_erasing.py",
        "engine/test_postgres_failing.py",
        "engine/test_postgres_processes.py",
        "engine/test_postgres_replicas.py",
        "engine/test_random_erasures.py",
        "engine/test_simulation.py",
        "engine/test_talking_for_real.py",
        "engine/test_upkeep_once.py",
        "engine/test_warming.py",
        "evals",
        "examples",
        "fuzz",
        "house/test_installed.py",
        "house/test_wheel.py",
        "serve",
        "unit/conversation/test_unfinished.py",
        "unit/extract/test_reproducible.py",
        "unit/llms/test_gguf.py",
        "unit/stores/test_processes.py",
        "unit/stores/test_rekeying.py",
        "web",
    )
)


def _is_check(path: Path) -> bool:
    return not CHECK.isdisjoint((path, *path.parents))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--soak", action="store_true", help="run every test with its full counts (make soak)")
    parser.addoption("--seed", type=int, help="what tests/engine/test_simulation.py lives through, and nothing else")


def pytest_configure(config: pytest.Config) -> None:
    hypothesis.settings.load_profile("soak" if config.getoption("--soak") else "sample")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not import files of which `-m check` or `-m "not check"` would deselect every test."""
    if config.option.markexpr == "not check":
        return _is_check(collection_path) or None
    if config.option.markexpr == "check" and collection_path.suffix == ".py" and not _is_check(collection_path):
        return "mark.check" not in collection_path.read_text(encoding="utf-8") or None
    return None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        if _is_check(item.path):
            item.add_marker("check")
    items.sort(key=lambda item: item.path.is_relative_to(PAGES))  # the browser holds an event loop to the end
    if config.getoption("--soak"):
        return
    left = [item for item in items if item.get_closest_marker("soak")]
    if left:  # pytest counts them at the end: nothing is passed over in silence
        config.hook.pytest_deselected(items=left)
        items[:] = [item for item in items if not item.get_closest_marker("soak")]


def pytest_collection_finish() -> None:
    """Have the collector pass over half a million objects that stay to the end."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def counts(pytestconfig: pytest.Config) -> Callable[[int, int], int]:
    """How often to do a thing: `counts(sample, full)` is `sample` in `make test`, `full` in `make soak`."""
    soak = bool(pytestconfig.getoption("--soak"))
    return lambda sample, full: full if soak else sample


@pytest.fixture(scope="session", autouse=True)
def shelter(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Hide the developer's GIEOK_* variables, gieok.toml and terminal from every test and its children."""
    with pytest.MonkeyPatch.context() as patch:
        for name in list(os.environ):
            if name.upper().startswith("GIEOK_"):
                patch.delenv(name)
        patch.setenv("GIEOK_WARM", "off")  # no test may use or start a resident process by chance
        for name in ("FORCE_COLOR", "CLICOLOR_FORCE", "GITHUB_ACTIONS", "NO_COLOR"):  # heeded by Rich, Typer
            patch.delenv(name, raising=False)
        patch.setenv("COLUMNS", "100")
        patch.chdir(tmp_path_factory.mktemp("cwd"))
        yield


@pytest.fixture(scope="session", autouse=True)
def interruptible() -> None:
    """Heed Ctrl-C, as tests of it need: what a shell runs in the background is told to ignore it."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session", autouse=True)
def certificates() -> Iterator[None]:
    """Read the certificates of the world once: every HTTP client would take a tenth of a second for it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(httpcore2, "default_ssl_context", functools.cache(httpcore2.default_ssl_context))
        yield
