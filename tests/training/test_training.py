"""The tagger's training, tried whole with little: arrays, two runs on a CPU, weights that gieok can read."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from gieok.extract.learned.network import USER, Network, Piece, window_of
from gieok.language.weights import shipped, unpacked

ROOT = Path(__file__).parents[2]
TORCH = ROOT / ".torch/bin/python"
SMALL = ["--size", "32", "--inner", "32", "--batch", "32", "--epochs", "1"]


def run(python, script, *arguments):
    path = {"PYTHONPATH": str(ROOT / "packages/gieok-evals/src")}
    done = subprocess.run(
        [str(python), str(ROOT / "training" / script), *map(str, arguments)],
        env={**os.environ, **path, "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


@pytest.mark.check
@pytest.mark.timeout(300)
def test_a_tiny_tagger_is_trained_packed_and_read(tmp_path):
    if not TORCH.exists():
        assert "CI" not in os.environ, "make check makes .torch; without it nobody sees whether training still works"
        pytest.skip("no PyTorch: make torch")
    arrays, _ = shipped("gieok.extract.learned", "weights.npz")
    names = np.array(bytes(arrays["names"]).decode().split("\n")[:2000])
    table = arrays["vectors"][1:2001]
    scale = np.abs(table).max(1, keepdims=True) / 127
    vectors, windows = tmp_path / "vectors.npz", tmp_path / "windows.npz"
    np.savez(vectors, names=names, vectors=np.round(table / scale).astype(np.int8), scale=scale)
    meanings, few = tmp_path / "meanings.npz", ["--copies", "1", "--authors", "a01,a02,a03,a04"]

    run(sys.executable, "windows.py", windows, "--vectors", vectors, *few)
    run(sys.executable, "meanings.py", meanings, *few)
    small = [*SMALL, "--meanings", meanings]
    told = [run(TORCH, "train.py", windows, vectors, tmp_path / f"{name}.npz", *small) for name in "ab"]
    run(sys.executable, "pack.py", tmp_path / "a.npz", vectors, tmp_path / "weights.npz")

    losses = [[line.split()[2:6] for line in lines.splitlines() if line.startswith("epoch")] for lines in told]
    assert losses[0] == losses[1] != []
    assert float(losses[0][0][1]) < 100
    packed = (tmp_path / "weights.npz").read_bytes()
    assert len(packed) < 1_000_000
    read = Network(*unpacked(packed)).read(window_of((), (), Piece("나 부산 살아", USER)), 0.0)
    assert {name for each in read for name in each.acts} >= {"assert", "not"}
    assert json.dumps([each.chance for each in read])
