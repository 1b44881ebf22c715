"""Running a worker: its own process, a time limit, and its answers line by line."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Timer
from typing import Any, Final

from comparing.contenders import Contender
from comparing.environments import reason

HERE: Final = Path(__file__).parents[1]
_GRACE: Final = 120  #: seconds for starting, saving and closing
_QUIET: Final = {
    "HF_HUB_OFFLINE": "1",
    "LANGSMITH_TRACING": "false",
    "MEM0_TELEMETRY": "False",
    "OPENAI_API_KEY": "never used",
    # One thread each: what is compared is the work, not how many cores a library takes for it.
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
}


class WorkerFailed(Exception):
    """A worker ended early; says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """What a worker is asked to do."""

    task: str  #: "finding", "growing" or "talking"
    workload: Path
    sizes: tuple[int, ...] = ()
    limit_seconds: float  #: at each size; "finding" as a whole

    @property
    def longest(self) -> float:
        """Seconds after which the worker is ended: its own limits (adding, then searching) and some more."""
        return _GRACE + self.limit_seconds * max(2 * len(self.sizes), 1)


def answers(
    contender: Contender, python: Path, job: Job, progress: Callable[[int, int], None]
) -> Iterator[dict[str, Any]]:
    """Yield what the worker found, as it comes; raises `WorkerFailed` when it ends without being done."""
    with TemporaryDirectory(prefix=f"gieok-peers-{contender.name}-") as name:
        folder = Path(name)
        errors = folder / "stderr.txt"
        with errors.open("wb") as heard:
            process = subprocess.Popen(
                [str(python), "-m", f"comparing.{contender.worker}", str(written(contender, job, folder))],
                cwd=HERE,
                env=variables(contender, folder),
                stdout=subprocess.PIPE,
                stderr=heard,
                text=True,
            )
            too_long = Event()

            def end() -> None:
                too_long.set()
                process.kill()

            late = Timer(job.longest, end)
            late.start()
            try:
                yield from _told(process, progress)
            finally:
                late.cancel()
                process.kill()
                process.wait()
        if process.returncode:
            late_by = f"not done after {job.longest:,.0f} s"
            raise WorkerFailed(late_by if too_long.is_set() else reason(errors.read_text(errors="replace")))


def _told(process: subprocess.Popen[str], progress: Callable[[int, int], None]) -> Iterator[dict[str, Any]]:
    assert process.stdout is not None, "it is a pipe"
    for line in process.stdout:
        told = json.loads(line)
        if "done" in told:
            progress(told["done"], told["total"])
        else:
            yield told
    process.wait()


def written(contender: Contender, job: Job, folder: Path) -> Path:
    """Write down what a worker is to do, and return where."""
    files = folder / "files"
    files.mkdir()
    path = folder / "job.json"
    asked = {
        "task": job.task,
        "workload": str(job.workload),
        "folder": str(files),
        "variant": contender.variant,
        "sizes": list(job.sizes),
        "limit_seconds": job.limit_seconds,
    }
    path.write_text(json.dumps(asked), encoding="utf-8")
    return path


def variables(contender: Contender, folder: Path) -> dict[str, str]:
    """Return the environment of a worker; another's Python must not see what this one was given to import."""
    own = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    paths = [str(HERE)]
    if not contender.environment.own and "PYTHONPATH" in os.environ:
        paths.append(os.environ["PYTHONPATH"])
    return own | _QUIET | {"PYTHONPATH": os.pathsep.join(paths), "MEM0_DIR": str(folder / "mem0")}
