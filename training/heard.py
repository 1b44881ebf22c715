"""What the sentence encoder makes of each piece, in PyTorch: what its tokens mean in their sentence, and all of it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812  # its usual name
from model import HEARD
from torch import Tensor

ORDERS = ((2, 0), (3, 1), (5, 2))  # tokens that a convolution sees, and how many of them stand before
AT_ONCE = 1024


@dataclass
class Heard:
    """Meanings of the tokens of all pieces, one piece after the other, and of the pieces."""

    where: Tensor  #: the unit that each token ends with
    tokens: Tensor
    first: Tensor  #: of each piece, its first token
    counts: Tensor
    pieces: Tensor

    def of(self, pieces: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return for each token of some pieces: the row of its piece, the unit, its number."""
        counts = self.counts[pieces]
        row = torch.repeat_interleave(torch.arange(len(pieces), device=pieces.device), counts)
        begin = counts.cumsum(0) - counts
        number = torch.arange(len(row), device=pieces.device) - begin[row] + self.first[pieces][row]
        return row, self.where[number], number


def _reduced(states: Tensor) -> tuple[Tensor, Tensor]:
    """Return the mean, and the directions in which the states differ most."""
    some = states[torch.randperm(len(states), device=states.device)[:100_000]].float()
    mean = some.mean(0)
    _, _, axes = torch.linalg.svd((some - mean).T @ (some - mean))
    axes = axes[:HEARD].T
    return mean, axes / ((some - mean) @ axes).std()


@torch.no_grad()
def heard(path: str, device: str) -> Heard:
    raw = np.load(path)
    net = {name: torch.tensor(raw[name].astype(np.float32)).to(device) for name in raw.files if raw[name].ndim <= 2}
    table, chunk = torch.tensor(raw["table"]).to(device), torch.tensor(raw["chunk"].astype(np.int64)).to(device)
    counts = torch.tensor(raw["counts"].astype(np.int64)).to(device)
    first = counts.cumsum(0) - counts
    flat = torch.tensor(raw["tokens"].astype(np.int64)).to(device)
    bos, eos = int(raw["bos"]), int(raw["eos"])
    tokens = torch.zeros(len(flat), 512, dtype=torch.half, device=device)
    pieces = torch.zeros(len(counts), 512, dtype=torch.half, device=device)
    for some in counts.argsort().split(AT_ONCE):
        most = int(counts[some].max())
        place = torch.arange(most, device=device)[None]
        there = place < counts[some][:, None]
        number = torch.where(there, first[some][:, None] + place, 0)
        ids = torch.cat([torch.full_like(number[:, :1], bos), torch.where(there, flat[number], eos)], 1)
        ids = torch.cat([ids, torch.full_like(ids[:, :1], eos)], 1)
        lengths = counts[some] + 2
        mask = torch.arange(ids.shape[1], device=device)[None] < lengths[:, None]
        emb = table[ids].float() * net["scale"][chunk[ids]][..., None] + net["lo"][chunk[ids]][..., None]
        states, whole = _encoded(net, emb, mask, lengths)
        tokens[number[there]] = states[:, 1:-1][there].half()
        pieces[some] = whole.half()
    right = torch.tensor(raw["check"]).to(device)
    alike = float((pieces[: len(right)].float() * right).sum(1).min())
    if alike < 0.99:
        raise SystemExit(f"the encoder's network is rebuilt wrong: {alike:.3f} of 1 alike")
    found = []
    for states in (tokens, pieces):
        mean, axes = _reduced(states)
        found.append(torch.cat([((part.float() - mean) @ axes).half() for part in states.split(200_000)]))
    where = torch.tensor(raw["where"].astype(np.int64)).to(device)
    return Heard(where, found[0], first, counts, found[1])


def _encoded(net: dict[str, Tensor], emb: Tensor, mask: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
    x = emb @ torch.cat([net[f"proj{n}"] for n, _ in ORDERS], 1) + torch.cat([net[f"proj_b{n}"] for n, _ in ORDERS])
    gain, bias = (torch.cat([net[f"{name}{n}"] for n, _ in ORDERS]) for name in ("ln_g", "ln_b"))
    x = F.layer_norm(x, x.shape[-1:], gain, bias, float(net["eps"])) * mask[..., None]
    parts = [emb]
    for (n, left), y in zip(ORDERS, x.chunk(3, -1), strict=True):
        h = y
        for layer in ("1", "2"):
            beside = F.pad(h * mask[..., None], (0, 0, left, n - 1 - left)).unfold(1, n, 1).transpose(2, 3).flatten(2)
            h = h + F.relu(beside @ net[f"w{layer}_{n}"] + net[f"b{layer}_{n}"])
        parts.append(h)
    features = torch.cat(parts, -1)
    features = F.layer_norm(features, features.shape[-1:], net["ln_g"], net["ln_b"], float(net["eps"]))
    states = features @ net["cnn_W"] + net["cnn_b"]
    mean = (states * mask[..., None]).sum(1) / lengths[:, None].sqrt()
    y0 = F.relu(mean @ net["d0"])
    y1 = F.relu(mean @ net["p1"] + y0 @ net["d1"])
    whole = torch.tanh(y1 @ net["p3"] + F.relu(y1 @ net["d2"]) @ net["d3"])
    return states, F.normalize(whole, dim=-1)
