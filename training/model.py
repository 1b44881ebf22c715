"""The tagger in PyTorch; `gieok.extract.learned.network` is the same in numpy.

Each piece of the window is encoded on its own (convolutions, one layer of attention), so that it can be kept; the piece
that is read then looks at those before it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
import torch.nn.functional as F  # noqa: N812  # its usual name
from torch import Tensor, nn

HEADS = 4
DILATIONS = (1, 2, 4, 1)
FACT, MENTION, RETRACTION = range(3)
EMOTIONS = 4
HEARD = 64  # numbers of a meaning


@dataclass(frozen=True)
class Sizes:
    """How large everything is."""

    alphabet: int
    tags: int
    attributes: int
    acts: int
    authors: int
    segments: int
    length: int
    vectors: int
    size: int = 192
    inner: int = 384
    cross: int = 2
    pairs: int = 8192
    drop: float = 0.2


@dataclass
class Window:
    """A batch of windows, encoded."""

    x: Tensor  #: the piece that is read, after it has seen the others
    own: Tensor  #: the same piece by itself
    mask: Tensor
    memory: Tensor  #: the pieces before it, one after the other
    memory_mask: Tensor
    segments: Tensor  #: which piece each place of memory and x is in


def rows_of(table: Tensor, index: Tensor) -> Tensor:
    """Return rows of a small table, by a product: the gradient of a lookup is slow where few rows repeat."""
    return F.one_hot(index, len(table)).to(table.dtype) @ table


class Convolution(nn.Module):
    """A gated convolution over three characters."""

    def __init__(self, sizes: Sizes, dilation: int) -> None:
        super().__init__()
        self.norm, self.out = nn.LayerNorm(sizes.size), nn.Linear(sizes.size, sizes.size)
        self.taps = nn.Linear(3 * sizes.size, 2 * sizes.size)
        self.dilation, self.drop = dilation, nn.Dropout(sizes.drop)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        y = F.pad(self.norm(x) * mask[..., None], (0, 0, self.dilation, self.dilation))
        length, step = x.shape[1], self.dilation
        beside = torch.cat([y[:, at : at + length] for at in (0, step, 2 * step)], -1)
        value, gate = self.taps(beside).chunk(2, -1)
        return x + self.drop(self.out(value * torch.sigmoid(gate)))


class Attention(nn.Module):
    """Attention to the piece itself and, in a window, to those before it."""

    def __init__(self, sizes: Sizes) -> None:
        super().__init__()
        d = sizes.size
        self.n1, self.n2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.query, self.pair, self.out = nn.Linear(d, d), nn.Linear(d, 2 * d), nn.Linear(d, d)
        self.f1, self.f2, self.drop = nn.Linear(d, sizes.inner), nn.Linear(sizes.inner, d), nn.Dropout(sizes.drop)
        self.segment = nn.Parameter(torch.zeros(HEADS, sizes.segments))

    def forward(self, x: Tensor, mask: Tensor, memory: Tensor | None = None, segments: Tensor | None = None) -> Tensor:
        """Attend; with `memory`, `mask` and `segments` are of memory and x together."""
        batch, length, d = x.shape
        y = self.n1(x)
        kept = self.pair(y if memory is None else torch.cat([memory, y], 1))
        query = self.query(y).view(batch, length, HEADS, -1).transpose(1, 2)
        key, value = (each.view(batch, -1, HEADS, d // HEADS).transpose(1, 2) for each in kept.chunk(2, -1))
        bias = torch.zeros(1, HEADS, 1, 1, device=x.device, dtype=x.dtype)
        if segments is not None:
            bias = rows_of(self.segment.t(), segments).permute(0, 2, 1)[:, :, None].to(query.dtype)
        bias = bias.masked_fill(~mask[:, None, None, :], -1e4).to(query.dtype)
        seen = F.scaled_dot_product_attention(query, key, value, attn_mask=bias.expand(batch, HEADS, length, -1))
        x = x + self.drop(self.out(seen.transpose(1, 2).reshape(batch, length, d)))
        return x + self.drop(self.f2(F.relu(self.f1(self.n2(x)))))


class Tagger(nn.Module):
    """The whole network."""

    def __init__(self, sizes: Sizes, vectors: Tensor) -> None:
        super().__init__()
        d = sizes.size
        self.sizes = sizes
        self.register_buffer("vectors", vectors, persistent=False)
        self.char, self.syllables = nn.Embedding(sizes.alphabet, d, padding_idx=0), nn.Embedding(sizes.pairs, d)
        self.tag, self.start, self.speaker = nn.Embedding(sizes.tags, d), nn.Embedding(2, d), nn.Embedding(4, d)
        for each in (self.char, self.syllables, self.tag, self.start, self.speaker):
            nn.init.normal_(each.weight, std=0.02)
        self.word = nn.Linear(sizes.vectors, d)
        nn.init.normal_(self.word.weight, std=0.4 / math.sqrt(sizes.vectors) * 0.2)
        self.local = nn.ModuleList([*(Convolution(sizes, step) for step in DILATIONS), Attention(sizes)])
        self.cross = nn.ModuleList(Attention(sizes) for _ in range(sizes.cross))
        self.local_norm, self.out_norm, self.drop = nn.LayerNorm(d), nn.LayerNorm(d), nn.Dropout(sizes.drop)
        self.span, self.mention = nn.Linear(d, 2), nn.Linear(d, 1)
        self.end_query, self.end_key = nn.Linear(d, d), nn.Linear(d, d)
        self.kind, self.far = nn.Embedding(3, d), nn.Embedding(sizes.length, 1)
        self.told, self.classes = nn.Linear(2 * d, d), nn.Linear(d, sizes.attributes + sizes.acts)
        self.whose, self.named = nn.Linear(d, d), nn.Linear(d, d)
        self.nobody = nn.Parameter(torch.randn(3, d) * 0.02)  # the speaker, the listener, somebody out of sight
        self.where = nn.Parameter(torch.zeros(sizes.segments))
        self.density = nn.Embedding(sizes.authors, 1)  # some authors label more than others
        nn.init.zeros_(self.density.weight)
        self.mood, self.emotion = nn.Linear(2 * d, d), nn.Linear(d, EMOTIONS)
        self.guess = nn.Linear(d, d)  # of a hidden character
        self.hear, self.gist = (
            nn.Linear(d, HEARD),
            nn.Linear(2 * d, HEARD),
        )  # of tokens and pieces, as an encoder has it

    def encode(
        self, written: Tensor, tags: Tensor, starts: Tensor, words: Tensor, speakers: Tensor, mask: Tensor
    ) -> Tensor:
        x = (
            written
            + rows_of(self.tag.weight, tags)
            + rows_of(self.start.weight, starts)
            + self.word(self.vectors[words])
        )
        x = self.drop(x + rows_of(self.speaker.weight, speakers)[:, None])
        for layer in self.local:
            x = layer(x, mask)
        return x

    def window(self, x: Tensor, mask: Tensor, memory: Tensor, memory_mask: Tensor, segments: Tensor) -> Window:
        """Return the window of the encoded piece `x` and the pieces before it, one after the other in `memory`."""
        own, memory = self.local_norm(x), self.local_norm(memory)
        both = torch.cat([memory_mask, mask], 1)
        for layer in self.cross:
            x = layer(x, both, memory, segments)
        return Window(self.out_norm(x), own, mask, memory, memory_mask, segments)

    def pooled(self, x: Tensor, mask: Tensor) -> Tensor:
        """Return mean and maximum of encoded pieces."""
        own = self.local_norm(x)
        mean = (own * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)
        return torch.cat([mean, own.masked_fill(~mask[..., None], -1e4).amax(1)], -1)

    def feeling(self, pooled: Tensor) -> Tensor:
        """Return what speaks for each emotion of a piece."""
        return self.emotion(self.drop(F.relu(self.mood(self.drop(pooled)))))

    def begins(self, window: Window) -> Tensor:
        """Return how much speaks for a fact, a mention and a retraction to begin at each place."""
        told = self.span(window.x)
        return torch.cat([told[..., :1], self.mention(window.own), told[..., 1:]], -1)

    def ends(self, window: Window, row: Tensor, start: Tensor, kind: Tensor) -> Tensor:
        """Return the log-probability of each last place of the spans that begin at `start`."""
        x = torch.where((kind == MENTION)[:, None, None], window.own[row], window.x[row])
        query = self.end_query(x[torch.arange(len(row), device=x.device), start] + self.kind(kind))
        away = torch.arange(x.shape[1], device=x.device)[None] - start[:, None]
        score = torch.einsum("nd,nkd->nk", query, self.end_key(x)) / math.sqrt(x.shape[-1])
        score = score + rows_of(self.far.weight, away.clamp(min=0))[..., 0]
        return score.float().masked_fill((away < 0) | ~window.mask[row], -1e4).log_softmax(-1)

    def facts(self, window: Window, row: Tensor, start: Tensor, end: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return attribute, act and the log-probability of each holder, of the spans from `start` to `end`."""
        x = window.x[row]
        place = torch.arange(x.shape[1], device=x.device)[None]
        within = (place >= start[:, None]) & (place < end[:, None])
        mean = (x * within[..., None]).sum(1) / within.sum(1, keepdim=True)
        told = F.relu(self.told(torch.cat([x[torch.arange(len(row), device=x.device), start], mean], -1)))
        classes = self.classes(self.drop(told))
        keys = self.named(torch.cat([window.memory, window.own], 1))
        keys = torch.cat([self.nobody[None].expand(len(keys), -1, -1), keys], 1)
        score = torch.einsum("nd,nkd->nk", self.whose(told), keys[row]) / math.sqrt(x.shape[-1])
        near = torch.cat(
            [
                torch.zeros(len(window.segments), 3, device=x.device),
                rows_of(self.where[:, None], window.segments)[..., 0],
            ],
            1,
        )
        there = torch.cat([torch.ones_like(window.mask[:, :3]), window.memory_mask, window.mask], 1)
        holder = (score + near[row]).float().masked_fill(~there[row], -1e4).log_softmax(-1)
        return classes[:, : self.sizes.attributes], classes[:, self.sizes.attributes :], holder
