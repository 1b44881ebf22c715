"""Train the tagger on the arrays of `windows.py`. Needs PyTorch; an accelerator is used where there is one.

Usage: python training/train.py DATA.npz VECTORS.npz OUT.npz [--meanings MEANINGS.npz]
"""

from __future__ import annotations

import argparse
import copy
import json
import math
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812  # its usual name
from heard import Heard, heard
from model import EMOTIONS, FACT, Sizes, Tagger, Window
from scores import scores
from torch import Tensor, nn

CHARACTER_ROWS = 2  # rows of the alphabet before its letters: none, unknown
LENGTH = 96  # of a piece, as in windows.py
BUCKETS = (16, 32, 56)  # lengths of pieces that are encoded together
MENTIONS = 8  # mentions and retractions of an example that are learned
TOGETHER = 8  # examples of a conversation that stand together in a batch: they share most of their pieces
EVENED_OUT = 0.7  # how far rare emotions are made to count like common ones: 0 not, 1 fully
WARM = 0.15  # share of the training in which the learning rate grows
FEELING = 0.2  # weight of an emotion
FELT = 128  # pieces with a labelled emotion in a step


class Data:
    """The arrays on the device, with a row of labels for each example."""

    def __init__(self, path: str, device: str, pairs: int, alphabet: Sequence[int] = ()) -> None:
        raw = np.load(path)
        self.meta: dict[str, Any] = json.loads(str(raw["meta"]))
        self.device = device

        def on(name: str) -> Tensor:
            return torch.tensor(raw[name].astype(np.int64)).to(device)

        codes = on("codes")
        seen, counts = np.unique(raw["codes"], return_counts=True)
        often = [int(code) for code, count in zip(seen, counts, strict=True) if code and count >= 3]
        self.alphabet = [*alphabet] or often
        rows = torch.ones(max(int(codes.max()), *self.alphabet) + 1, dtype=torch.long, device=device)
        rows[0] = 0
        rows[self.alphabet] = torch.arange(CHARACTER_ROWS, len(self.alphabet) + CHARACTER_ROWS, device=device)
        self.chars = rows[codes]
        following = torch.cat([codes[:, 1:], torch.zeros_like(codes[:, :1])], 1)
        self.pairs = (codes * 2654435761 + following * 40503) % 4294967291 % pairs
        self.tags, self.starts, self.words = on("tags"), on("starts"), on("words")
        self.speakers, self.lengths = on("speakers"), on("lengths")
        self.windows, self.labels, self.pointers = on("windows"), on("labels"), on("pointers")
        self.authors = raw["authors"].astype(np.int64)
        self.author = torch.tensor(self.authors, device=device)
        self.emotions, unseen = on("emotions"), on("felt_dev") > 0
        felt = (self.emotions >= 0).nonzero()[:, 0]
        self.felt, self.felt_dev = felt[~unseen[felt]], felt[unseen[felt]]
        counts = torch.bincount(self.emotions[self.felt], minlength=EMOTIONS).float().clamp(min=1)
        self.felt_often = counts[self.emotions[self.felt]] ** -EVENED_OUT
        self.others = self._others(raw["spans"])
        self.begin = self._begin()

    def _others(self, spans: np.ndarray) -> Tensor:
        """Return kind, start and end of the mentions and retractions of each example."""
        others = torch.full((len(self.windows), MENTIONS, 3), -1)
        filled = np.zeros(len(self.windows), int)
        for number, kind, start, end in spans:
            if filled[number] < MENTIONS:
                others[number, filled[number]] = torch.tensor([kind, start, end])
                filled[number] += 1
        return others.to(self.device)

    def _begin(self) -> Tensor:
        begin = torch.zeros(len(self.windows), self.chars.shape[1], 3, dtype=torch.bool, device=self.device)
        for column in range(self.labels.shape[1]):
            have = (self.labels[:, column, 0] >= 0).nonzero()[:, 0]
            begin[have, self.labels[have, column, 1], FACT] = True
        for column in range(MENTIONS):
            have = (self.others[:, column, 0] >= 0).nonzero()[:, 0]
            begin[have, self.others[have, column, 1], self.others[have, column, 0]] = True
        return begin

    def sizes(self, vectors: int, args: argparse.Namespace) -> Sizes:
        return Sizes(
            alphabet=len(self.alphabet) + CHARACTER_ROWS,
            tags=int(self.tags.max()) + 2,
            attributes=len(self.meta["attributes"]),
            acts=len(self.meta["acts"]),
            authors=len(self.meta["authors"]),
            segments=self.windows.shape[1],
            length=self.chars.shape[1],
            vectors=vectors,
            size=args.size,
            inner=args.inner,
            cross=args.cross,
            pairs=args.pairs,
            drop=args.drop,
        )


class Layout:
    """Where the pieces of each window stand when the empty places between them are left out."""

    def __init__(self, lengths: Tensor) -> None:
        self.lengths = lengths
        ends = lengths[:, :-1].cumsum(1)
        self.begins = ends - lengths[:, :-1]
        self.before = (int(ends[:, -1].max()) // 64 + 1) * 64
        self.longest = min(LENGTH, (int(lengths[:, -1].max()) // 16 + 1) * 16)
        position = torch.arange(self.before, device=lengths.device)[None].expand(len(lengths), -1)
        self.mask = position < ends[:, -1:]
        self.segment = (position[..., None] >= ends[:, None]).sum(-1).clamp(max=ends.shape[1] - 1)
        self.place = torch.where(self.mask, position - self.begins.gather(1, self.segment), 0)

    def inside(self, row: Tensor, places: Tensor) -> Tensor:
        """Return the column of `places` (segment and offset in one number); those below 0 stay."""
        segment, offset = places.clamp(min=0) // LENGTH, places.clamp(min=0) % LENGTH
        last = self.begins.shape[1]
        begin = self.begins[row].gather(1, segment.clamp(max=last - 1))
        column = torch.where(segment < last, begin, self.before) + offset
        return torch.where(places >= 0, column, places)


class Training:
    """One run of training."""

    def __init__(self, data: Data, net: Tagger, args: argparse.Namespace) -> None:
        self.data, self.net, self.args = data, net, args
        self.average = copy.deepcopy(net)
        names = data.meta["authors"]
        held = [number for number, name in enumerate(names) if name in data.meta["dev"]]
        sentences = [number for number, name in enumerate(names) if name.startswith("sentences_")]
        self.held = np.isin(data.authors, held)
        alone = np.isin(data.authors, sentences)
        self.weight = torch.tensor(np.where(alone, args.sentences, 1.0).astype(np.float32), device=data.device)
        self.train = np.where(~self.held | args.everything)[0]
        self.heard: Heard | None = heard(args.meanings, data.device) if args.meanings else None
        self.besides: list[Tensor] = []  #: costs of the hidden characters of the pieces just encoded
        if args.share < 1:  # for a learning curve
            writers = sorted({int(each) for each in data.authors[self.train]} - set(sentences))
            kept = np.random.default_rng(args.seed).permutation(writers)[: round(len(writers) * args.share)]
            self.train = self.train[np.isin(data.authors[self.train], kept) | alone[self.train]]

    def window(self, net: Tagger, index: Tensor, alone: Tensor | None = None) -> tuple[Window, Layout]:
        """Return the windows of some examples; those that are `alone` without the pieces before them."""
        data = self.data
        rows = data.windows[index]
        if alone is not None:
            rows = torch.cat([rows[:, :-1].masked_fill(alone[:, None], -1), rows[:, -1:]], 1)
        distinct, back = torch.unique(rows.clamp(min=0), return_inverse=True)
        self.besides = []
        encoded, first = self._encoded(net, distinct)
        layout = Layout(torch.where(rows >= 0, data.lengths[rows.clamp(min=0)], 0))
        segment, place = layout.segment, layout.place
        memory = _rows(encoded, first[back.gather(1, segment)] + place)
        within = torch.arange(layout.longest, device=data.device)[None]
        x = _rows(encoded, first[back[:, -1:]] + within)
        mask = within < layout.lengths[:, -1:]
        last = torch.full_like(mask, rows.shape[1] - 1, dtype=torch.long)
        return net.window(x, mask, memory, layout.mask, torch.cat([segment, last], 1)), layout

    def _encoded(self, net: Tagger, distinct: Tensor) -> tuple[Tensor, Tensor]:
        """Return the pieces, encoded, one after the other, and where each begins; pieces of like length go together."""
        data = self.data
        lengths = data.lengths[distinct].clamp(min=1)
        first = torch.zeros_like(distinct)
        parts, size, least = [], 0, 0
        for most in (*BUCKETS, data.chars.shape[1]):
            which = ((lengths > least) & (lengths <= most)).nonzero()[:, 0]
            least = most
            if len(which):
                part = self._encode(net, distinct[which], most)
                first[which] = size + torch.arange(len(which), device=data.device) * most
                parts.append(part.reshape(-1, part.shape[-1]))
                size += len(parts[-1])
        beyond = torch.zeros_like(parts[0][:1])  # so that no place is beyond the end
        parts.append(beyond.expand(data.chars.shape[1], -1))
        return torch.cat(parts), first

    def _encode(self, net: Tagger, pieces: Tensor, length: int) -> Tensor:
        data = self.data
        mask = torch.arange(length, device=data.device)[None] < data.lengths[pieces][:, None].clamp(min=1)
        chars, pairs, tags, starts, words = (
            each[pieces][:, :length] for each in (data.chars, data.pairs, data.tags, data.starts, data.words)
        )
        written, hidden, said = net.syllables(pairs), None, chars
        if net.training:
            blind = torch.rand(len(pieces), 1, device=data.device) < 0.1  # as on a machine without morphology
            tags, starts, words = (each.masked_fill(blind, 0) for each in (tags, starts, words))
            hidden = torch.rand(chars.shape, device=data.device) < self.args.hide
            beside = torch.cat([hidden[:, 1:], torch.zeros_like(hidden[:, :1])], 1)  # a pair holds the next one, too
            chars, written = chars.masked_fill(hidden, 1), written * ~(hidden | beside)[..., None]
        x = net.encode(net.char(chars) + written, tags, starts, words, data.speakers[pieces], mask)
        if net.training:
            self.besides.append(self._guessed(net, x, said, hidden & mask & (said > 1)))
            if self.heard is not None:
                self.besides.append(self._told(net, x, mask, self.heard, pieces))
        return x

    def _told(self, net: Tagger, x: Tensor, mask: Tensor, heard: Heard, pieces: Tensor) -> Tensor:
        """Return the cost of telling what the sentence encoder makes of the tokens and of the pieces."""
        row, at, number = heard.of(pieces)
        tokens = net.hear(net.local_norm(x)[row, at]).float() - heard.tokens[number].float()
        gist = net.gist(net.pooled(x, mask)).float() - heard.pieces[pieces].float()
        return self.args.tell * tokens.square().mean(-1).sum() + self.args.gist * gist.square().mean(-1).sum()

    def _guessed(self, net: Tagger, x: Tensor, chars: Tensor, hidden: Tensor) -> Tensor:
        """Return the cost of guessing hidden characters: it teaches the language besides the labels."""
        row, column = hidden.nonzero(as_tuple=True)
        scores = net.guess(net.local_norm(x[row, column])) @ net.char.weight.t()
        return self.args.guess * F.cross_entropy(scores.float(), chars[row, column], reduction="sum")

    def felt(self, net: Tagger, pieces: Tensor) -> Tensor:
        """Return what speaks for each emotion of the pieces."""
        length = int(self.data.lengths[pieces].max())
        mask = torch.arange(length, device=pieces.device)[None] < self.data.lengths[pieces][:, None].clamp(min=1)
        kept, self.besides = self.besides, []
        x = self._encode(net, pieces, length)
        self.besides = kept
        return net.feeling(net.pooled(x, mask))

    def cost(self, net: Tagger, index: Tensor) -> Tensor:
        data, weight = self.data, self.weight[index]
        with torch.autocast(data.device, torch.bfloat16, enabled=data.device == "cuda"):
            labels, more = data.labels[index], data.others[index]
            alone = None
            if net.training and self.args.alone:
                pointed = ((labels[..., 0] >= 0) & (labels[..., 4] == 3)).any(1)
                alone = (torch.rand(len(index), device=data.device) < self.args.alone) & ~pointed
            window, layout = self.window(net, index, alone)
            begins = net.begins(window)
            row, column = (labels[..., 0] >= 0).nonzero(as_tuple=True)
            fact = labels[row, column]
            attribute, act, holder = net.facts(window, row, fact[:, 1], fact[:, 2])
            other_row, other_column = (more[..., 0] >= 0).nonzero(as_tuple=True)
            other = more[other_row, other_column]
            rows = torch.cat([row, other_row])
            kinds = torch.cat([torch.zeros_like(row), other[:, 0]])
            ends = net.ends(window, rows, torch.cat([fact[:, 1], other[:, 1]]), kinds)
            besides = sum(self.besides)
            if net.training and len(data.felt):
                chosen = data.felt[torch.multinomial(data.felt_often, FELT, replacement=True)]
                shares = self.felt(net, chosen).float()
                missed = F.cross_entropy(shares, data.emotions[chosen], reduction="sum", label_smoothing=0.1)
                besides = besides + FEELING * missed
        begins = begins.float()
        if net.training:
            begins = torch.cat([begins[..., :1] + net.density(data.author[index])[:, :, None], begins[..., 1:]], -1)
        told = data.begin[index][:, : layout.longest].float()
        missed = F.binary_cross_entropy_with_logits(begins, told, reduction="none")
        cost = (missed * window.mask[..., None] * weight[:, None, None]).sum()
        last = torch.cat([fact[:, 2], other[:, 2]]) - 1
        cost = cost - 0.7 * (ends.gather(1, last[:, None])[:, 0].clamp(min=-12) * weight[rows]).sum()
        each = F.cross_entropy(attribute.float(), fact[:, 0], reduction="none", label_smoothing=0.05)
        each = each * self.args.attributes + F.cross_entropy(act.float(), fact[:, 3], reduction="none")
        each = each - self._holder(holder, fact, layout.inside(row, data.pointers[index][row, column]))
        return (cost + besides + (each * weight[row]).sum()) / len(index)

    def _holder(self, chances: Tensor, fact: Tensor, places: Tensor) -> Tensor:
        """Return the log-probability of the right holder: of all places where somebody is named together."""
        pointed = fact[:, 4, None] == 3
        columns = torch.where(pointed, places + 3, -1)
        columns[:, 0] = torch.where(pointed[:, 0], columns[:, 0], fact[:, 4])
        there = columns >= torch.where(pointed, 3, 0)
        return chances.gather(1, columns.clamp(min=0)).masked_fill(~there, -1e4).logsumexp(-1).clamp(min=-12)

    def run(self) -> None:
        args, data, net = self.args, self.data, self.net
        chance, begun = np.random.default_rng(args.seed), time.time()
        optimizer = torch.optim.AdamW(net.parameters(), lr=args.rate, weight_decay=0.05, betas=(0.9, 0.98))
        done = 0.0
        for epoch in range(args.epochs):
            net.train()
            batches, total = self._batches(chance), torch.zeros((), device=data.device)
            for number, batch in enumerate(batches):
                done = max((epoch + number / len(batches)) / args.epochs, (time.time() - begun) / args.seconds)
                if done >= 1:
                    break
                for group in optimizer.param_groups:
                    group["lr"] = args.rate * _pace(done)
                cost = self.cost(net, torch.tensor(batch, device=data.device))
                optimizer.zero_grad()
                cost.backward()
                nn.utils.clip_grad_norm_(net.parameters(), 1.0)
                optimizer.step()
                total += cost.detach()
                with torch.no_grad():
                    torch._foreach_lerp_(list(self.average.parameters()), list(net.parameters()), args.average)
            right = " ".join(f"{name} {value:.3f}" for name, value in scores(self).items())
            lost = f"loss {float(total) / len(batches):.3f} dev {self.lost():.3f}"
            print(f"epoch {epoch} {lost} {right} {time.time() - begun:.0f} s", flush=True)
            self.save(args.out)
            if done >= 1:
                return

    def _batches(self, chance: np.random.Generator) -> list[np.ndarray]:
        """Return the batches of an epoch: stretches of neighbours, mixed."""
        stretches = np.split(self.train, range(int(chance.integers(TOGETHER)), len(self.train), TOGETHER))
        order = np.concatenate([stretches[number] for number in chance.permutation(len(stretches))])
        return np.split(order, range(self.args.batch, len(order), self.args.batch))

    @torch.no_grad()
    def lost(self) -> float:
        self.average.eval()
        index = np.where(self.held)[0]
        parts = np.array_split(index, len(index) // 256 + 1) if len(index) else []
        costs = [float(self.cost(self.average, torch.tensor(part, device=self.data.device))) for part in parts]
        return float(np.mean(costs)) if costs else 0.0

    def save(self, path: str) -> None:
        state = {f"p.{name}": value.half().cpu().numpy() for name, value in self.average.state_dict().items()}
        kept = {name: value for name, value in self.data.meta.items() if name != "places"}
        meta = {**kept, "cross": self.args.cross}
        np.savez(path, **state, alphabet=np.array(self.data.alphabet), meta=json.dumps(meta, ensure_ascii=False))


def _pace(done: float) -> float:
    """Return the share of the learning rate when this share of the training is done."""
    if done < WARM:
        return 0.04 + 0.48 * (1 - math.cos(math.pi * done / WARM))
    return 0.5 * (1 + math.cos(math.pi * (done - WARM) / (1 - WARM)))


def _rows(table: Tensor, index: Tensor) -> Tensor:
    """Return rows of a table; the gradient of `index_select` is fast where a row repeats."""
    return table.index_select(0, index.reshape(-1)).view(*index.shape, -1)


def begin_with(net: Tagger, data: Data, start: np.lib.npyio.NpzFile) -> None:
    """Begin with trained weights; what belongs to authors is learned anew, as they may be others."""
    for name in ("attributes", "acts"):
        if json.loads(str(start["meta"]))[name] != data.meta[name]:
            raise SystemExit(f"the weights of --start know other {name} than the data")
    state = {
        name: torch.tensor(start[f"p.{name}"].astype(np.float32)) for name in net.state_dict() if f"p.{name}" in start
    }
    state = {name: value for name, value in state.items() if not name.startswith("density")}
    missing = set(net.state_dict()) - set(state)
    print(f"begins with trained weights, but for {', '.join(sorted(missing))}")
    net.load_state_dict(state, strict=False)


def main() -> None:
    ask = argparse.ArgumentParser(description="Train the tagger.")
    for name in ("data", "vectors", "out"):
        ask.add_argument(name)
    for name, value in {
        "epochs": 7,
        "batch": 480,
        "size": 192,
        "inner": 384,
        "cross": 2,
        "pairs": 8192,
        "seed": 1,
    }.items():
        ask.add_argument(f"--{name}", type=int, default=value)
    ask.add_argument("--rate", type=float, default=1.1e-3)
    ask.add_argument("--drop", type=float, default=0.3)
    ask.add_argument("--hide", type=float, default=0.2, help="share of syllables that are hidden in training")
    ask.add_argument("--attributes", type=float, default=1.0, help="weight of naming the attribute")
    ask.add_argument("--sentences", type=float, default=1.0, help="weight of single sentences")
    ask.add_argument("--average", type=float, default=0.006, help="share of a step in the averaged weights")
    ask.add_argument("--share", type=float, default=1.0, help="share of the training authors, for a learning curve")
    ask.add_argument("--start", default="", help="weights to begin with, to train on from them")
    ask.add_argument("--guess", type=float, default=0.004, help="weight of guessing hidden characters")
    ask.add_argument("--alone", type=float, default=0.0, help="share of examples without the pieces before them")
    ask.add_argument("--meanings", default="", help="of meanings.py: what the sentence encoder hears in each piece")
    ask.add_argument("--tell", type=float, default=0.02, help="weight of telling what each token means")
    ask.add_argument("--gist", type=float, default=0.1, help="weight of telling what a piece means")
    ask.add_argument("--seconds", type=float, default=1e9, help="end sooner, when they are over")
    ask.add_argument("--everything", action="store_true", help="train on the dev authors, too")
    args = ask.parse_args()
    torch.manual_seed(args.seed)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    start = np.load(args.start) if args.start else None
    data = Data(args.data, device, args.pairs, start["alphabet"].tolist() if start else ())
    stored = np.load(args.vectors)
    vectors = torch.tensor(stored["vectors"].astype(np.float32) * stored["scale"].astype(np.float32))
    vectors = torch.cat([torch.zeros(1, vectors.shape[1]), vectors / vectors.std()]).to(device)
    net = Tagger(data.sizes(vectors.shape[1], args), vectors).to(device)
    if start:
        begin_with(net, data, start)
    training = Training(data, net, args)
    print(f"{sum(each.numel() for each in net.parameters())} parameters, {len(training.train)} examples, {device}")
    training.run()


if __name__ == "__main__":
    main()
