"""Running a measurement, and keeping what it told in a file of its own: a run that was stopped can go on."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, Self
from xml.etree import ElementTree as ET

from holding.measurement import Measurement, Places
from machine import ROOT, commit

_FAIR: Final = (0, 1)  #: exit codes of a command that measured; 1: something does not hold, and its figures say what
_LAST: Final = 3  #: lines of what went wrong


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What a measurement gave; `trouble` says why it gave nothing."""

    name: str
    commit: str
    seconds: float = 0.0
    load: float = 0.0  #: of the machine, before it began
    told: Any = None
    trouble: str | None = None

    @classmethod
    def kept(cls, folder: Path, name: str) -> Self | None:
        """Return what is kept of an earlier run."""
        try:
            return cls(**json.loads((folder / f"{name}.json").read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError):
            return None

    def keep(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        half = folder / f"{self.name}.json.new"
        half.write_text(json.dumps(asdict(self), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        half.replace(folder / f"{self.name}.json")


def measured(measurement: Measurement, places: Places, folder: Path, *, quick: bool) -> Result:
    """Run it and return what it told. It never raises for what goes wrong in there."""
    lacking = measurement.lacking(places)
    if lacking is not None:
        return Result(name=measurement.name, commit=commit(), trouble=lacking)
    folder.mkdir(parents=True, exist_ok=True)
    figures, output, errors = (folder / f"{measurement.name}.{kind}" for kind in ("figures", "out", "err"))
    figures.unlink(missing_ok=True)
    begun, load = time.monotonic(), os.getloadavg()[0]
    code = _run(measurement.command(places, figures, quick=quick), output, errors, measurement.limit_minutes * 60)
    told, trouble = None, None
    if code is None:
        trouble = f"it was not done after {measurement.limit_minutes:g} minutes"
    elif code not in _FAIR:
        trouble = f"it ended with {code}: {_last_words(errors, output)}"
    else:
        try:
            told = read(measurement, output if measurement.told == "stdout" else figures)
        except (OSError, ValueError, ET.ParseError):
            trouble = f"it ended with {code} and gave no figures: {_last_words(errors, output)}"
    return Result(
        name=measurement.name,
        commit=commit(),
        seconds=time.monotonic() - begun,
        load=load,
        told=told,
        trouble=None if trouble is None else _without_places(trouble, places),
    )


def read(measurement: Measurement, file: Path) -> Any:
    """Return the figures in `file`. Raises `ValueError`, `OSError` or `ParseError`."""
    if measurement.told == "junit":
        return reported(file)
    return json.loads(file.read_text(encoding="utf-8"))


def reported(file: Path) -> dict[str, Any]:
    """Return what pytest's report says: how many passed, failed, were expected to fail, and which failed."""
    passed, expected, skipped, failed = 0, 0, 0, []
    for case in ET.parse(file).iter("testcase"):
        left_out = case.find("skipped")
        if case.find("failure") is not None or case.find("error") is not None:
            failed.append(str(case.get("name")))
        elif left_out is not None:
            expected += left_out.get("type") == "pytest.xfail"
            skipped += left_out.get("type") != "pytest.xfail"
        else:
            passed += 1
    if not passed + expected + skipped + len(failed):
        raise ValueError("no test ran")
    return {"passed": passed, "expected_failures": expected, "skipped": skipped, "failed": failed}


def _run(command: list[str], output: Path, errors: Path, seconds: float) -> int | None:
    """Return the exit code; None where it was not done in time, and was ended with all it had started."""
    with output.open("wb") as out, errors.open("wb") as err:
        process = subprocess.Popen(command, cwd=ROOT, stdout=out, stderr=err, start_new_session=True)
        try:
            return process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None
        finally:
            if process.poll() is None:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait()


def _last_words(*files: Path) -> str:
    for file in files:
        lines = [line.strip() for line in file.read_text(encoding="utf-8", errors="replace").splitlines()]
        said = [line for line in lines if line.strip("─╭╮╰╯│ ")]
        if said:
            return " / ".join(said[-_LAST:])
    return "it gave no reason"


def _without_places(text: str, places: Places) -> str:
    """Return `text` without anybody's folders."""
    known = {places.data: "DATA", places.model: "MODEL", places.envs: "ENVS", ROOT: ".", Path.home(): "~"}
    for place, name in known.items():
        if place is not None and place != Path(place.anchor):
            text = text.replace(str(place), name)
    return text
