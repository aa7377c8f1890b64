"""The small encoder: a table of token vectors and a few gated convolutions.

`crates/embed` computes the same from int8 weights; `export.py` writes them. A text is read as one
of three sides: a query, the body of a unit, or the path of a file. The vector of a unit is the
normalised sum of what its body and its path give, so a file that moves keeps what was computed
for its bodies.
"""

import math

import torch
import torch.nn as nn
import torch.nn.functional as F

QUERY, BODY, PATH = 0, 1, 2


def parts_of(lengths, parts):
    """Rows in parts of like length, each with its longest; asks the device once."""
    order = lengths.argsort()
    groups = order.chunk(parts)
    longest = torch.stack([lengths[group[-1]] for group in groups]).tolist()
    return order, [(group, max(most, 1)) for group, most in zip(groups, longest)]


def by_length(ids, run):
    """States of texts, computed in parts of like length: most of a batch would be padding."""
    if ids.shape[1] <= 64 or len(ids) < 64:
        return run(ids)
    order, groups = parts_of((ids > 0).sum(1), 3)
    found = [F.pad(run(ids[group, :most]), (0, 0, 0, ids.shape[1] - most)) for group, most in groups]
    return torch.cat(found)[order.argsort()]


class Block(nn.Module):
    """x + out(silu(a) * conv(b)), where a and b are two projections of the normalised x."""

    def __init__(self, width, hidden, kernel):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.inner = nn.Linear(width, 2 * hidden, bias=False)
        self.conv = nn.Conv1d(hidden, hidden, kernel, padding=kernel // 2, groups=hidden)
        self.out = nn.Linear(hidden, width, bias=False)

    def forward(self, x, mask):
        a, b = self.inner(self.norm(x)).chunk(2, -1)
        return x + self.out(F.silu(a) * self.convolved(b * mask))

    def convolved(self, b):
        # As a sum of shifted products, which compiles into one pass; cuDNN is slow at this.
        taps = self.conv.weight.squeeze(1).to(b.dtype)
        kernel, length = taps.shape[1], b.shape[1]
        b = F.pad(b, (0, 0, kernel // 2, kernel // 2))
        shifted = (b[:, at : at + length] * taps[:, at] for at in range(kernel))
        return sum(shifted) + self.conv.bias.to(b.dtype)


class Attention(nn.Module):
    """A layer of a transformer in place of a block. Only to compare with: `crates/embed` has none."""

    def __init__(self, width, hidden, heads):
        super().__init__()
        self.heads = heads
        self.norm, self.inner_norm = nn.LayerNorm(width), nn.LayerNorm(width)
        self.parts = nn.Linear(width, 3 * width, bias=False)
        self.mixed = nn.Linear(width, width, bias=False)
        self.inner = nn.Linear(width, 2 * hidden, bias=False)
        self.out = nn.Linear(2 * hidden, width, bias=False)

    def forward(self, x, mask):
        # The first token is always attended to: a text without any would have no sum to divide by.
        allowed = mask.squeeze(-1) | (torch.arange(x.shape[1], device=x.device) == 0)
        q, k, v = (part.unflatten(2, (self.heads, -1)).transpose(1, 2) for part in self.parts(self.norm(x)).chunk(3, -1))
        seen = F.scaled_dot_product_attention(q, k, v, attn_mask=allowed[:, None, None, :])
        x = x + self.mixed(seen.transpose(1, 2).flatten(2))
        return x + self.out(F.gelu(self.inner(self.inner_norm(x))))


class Encoder(nn.Module):
    def __init__(self, vocab, width=256, hidden=384, blocks=3, kernel=7, tokens=64, vector=256,
                 query_blocks=0, query_hidden=None, heads=0):
        super().__init__()
        self.config = dict(vocab=vocab, width=width, hidden=hidden, blocks=blocks, kernel=kernel,
                           tokens=tokens, vector=vector, query_blocks=query_blocks,
                           query_hidden=query_hidden or hidden) | ({"heads": heads} if heads else {})
        block = (lambda *sizes: Attention(*sizes[:2], heads)) if heads else Block
        # Convolutions know what stands beside what; attention has to be told.
        self.place = nn.Parameter(torch.randn(256, width) * 0.02) if heads else None
        self.embed = nn.Embedding(vocab, width, padding_idx=0)
        nn.init.normal_(self.embed.weight, std=0.02)
        self.side = nn.Parameter(torch.zeros(3, width))
        self.blocks = nn.ModuleList(block(width, hidden, kernel) for _ in range(blocks))
        # Queries may go through blocks of their own: they are short, so these may be larger.
        self.query_blocks = nn.ModuleList(
            block(width, query_hidden or hidden, kernel) for _ in range(query_blocks))
        self.norm = nn.LayerNorm(width)
        self.pool = nn.Parameter(torch.zeros(3, width))
        self.vector = nn.Parameter(torch.randn(3, vector, width) / math.sqrt(width))
        self.token = nn.Linear(width, tokens, bias=False)
        self.weight = nn.Linear(width, 1)
        nn.init.zeros_(self.weight.weight)
        nn.init.ones_(self.weight.bias)

    def states(self, ids, side):
        """Token states [texts, length, width] and the mask [texts, length]; id 0 is padding."""
        return by_length(ids, lambda part: self.run(part, side)), ids > 0

    def run(self, ids, side):
        mask = (ids > 0)[..., None]
        x = self.embed(ids) + self.side[side]
        if self.place is not None:
            x = x + self.place[: ids.shape[1]]
        own = self.query_blocks if side == QUERY and len(self.query_blocks) else self.blocks
        for block in own:
            x = block(x, mask)
        return self.norm(x)

    def pooled(self, x, mask, side):
        """One vector a text, not normalised; zero for an empty one."""
        share = (x @ self.pool[side]).float().masked_fill(~mask, -1e4).softmax(1) * mask
        mean = torch.einsum("bl,blw->bw", share.to(x.dtype), x)
        return (mean @ self.vector[side].to(x.dtype).T).float()

    def token_vectors(self, x, mask):
        """Unit vectors of the tokens, zero for padding."""
        return F.normalize(self.token(x).float(), dim=-1) * mask[..., None]

    def query(self, ids):
        """Vector, token vectors and the share that each token has in the late score."""
        x, mask = self.states(ids, QUERY)
        weight = F.softplus(self.weight(x).float().squeeze(-1)) * mask
        weight = weight / weight.sum(1, keepdim=True).clamp(min=1e-6)
        return F.normalize(self.pooled(x, mask, QUERY), dim=-1), self.token_vectors(x, mask), weight

    def unit(self, body, path):
        """Vector and token vectors of units from their bodies and paths."""
        xb, mb = self.states(body, BODY)
        xp, mp = self.states(path, PATH)
        vector = self.pooled(xb, mb, BODY) + self.pooled(xp, mp, PATH)
        # The path first: it is short, and the padding of bodies stays at the end.
        tokens = torch.cat([self.token_vectors(xp, mp), self.token_vectors(xb, mb)], 1)
        return F.normalize(vector, dim=-1), tokens


class Deep(nn.Module):
    """The large encoder: a pretrained transformer with the same heads as the small one."""

    def __init__(self, bert, tokens=64):
        super().__init__()
        width = bert.embeddings.word.shape[1]
        self.bert = bert
        self.side = nn.Parameter(torch.zeros(3, width))
        self.pool = nn.Parameter(torch.zeros(3, width))  # zero: the mean, as it was pretrained
        eye = torch.eye(width)
        self.vector = nn.Parameter(torch.stack([eye, eye, 0.4 * eye]))
        self.token = nn.Linear(width, tokens, bias=False)
        nn.init.orthogonal_(self.token.weight)
        self.weight = nn.Linear(width, 1)
        nn.init.zeros_(self.weight.weight)
        nn.init.ones_(self.weight.bias)

    def states(self, ids, side):
        """The ids begin with the token the transformer was pretrained with, so none is empty."""
        return by_length(ids, lambda part: self.bert(part, part > 0) + self.side[side]), ids > 0

    pooled = Encoder.pooled
    token_vectors = Encoder.token_vectors
    query = Encoder.query
    unit = Encoder.unit
