"""The encoder of the teachers in PyTorch: BERT with norms after each block, GELU, and a table of
positions.

    state = teachers.load("gte-small.npz")
    model = Bert(state).cuda().bfloat16().eval()
    vectors = model.embed(ids, mask)

Parameters have the names of the state (see `expected` in teachers.py), so a trained model's
`state_dict()` and the `config.…` of its teacher are a state again.
"""

import torch
import torch.nn.functional as F
from torch import nn

from teachers import sizes


class Embeddings(nn.Module):
    def __init__(self, vocabulary, positions, segments, width, norm_eps, first_position):
        super().__init__()
        self.word = nn.Parameter(torch.empty(vocabulary, width))
        self.position = nn.Parameter(torch.empty(positions, width))
        self.segment = nn.Parameter(torch.empty(segments, width))
        self.norm = nn.LayerNorm(width, eps=norm_eps)
        self.first_position = first_position

    def forward(self, ids):
        # Padding is at the end, so a token's position is its place. Where the padding gets a
        # position that RoBERTa would not give it, the mask hides it. Segments are for pairs of
        # texts; a single text is the first.
        last = self.first_position + ids.shape[1]
        positions = self.position[self.first_position : last]
        return self.norm(F.embedding(ids, self.word) + positions + self.segment[0])


class Layer(nn.Module):
    def __init__(self, width, inner, heads, norm_eps):
        super().__init__()
        self.heads = heads
        self.q = nn.Linear(width, width)
        self.k = nn.Linear(width, width)
        self.v = nn.Linear(width, width)
        self.o = nn.Linear(width, width)
        self.attention_norm = nn.LayerNorm(width, eps=norm_eps)
        self.up = nn.Linear(width, inner)
        self.down = nn.Linear(inner, width)
        self.norm = nn.LayerNorm(width, eps=norm_eps)

    def split(self, x):
        """[batch, tokens, width] as [batch, heads, tokens, width / heads]."""
        return x.unflatten(2, (self.heads, -1)).transpose(1, 2)

    def forward(self, x, allowed):
        q, k, v = self.split(self.q(x)), self.split(self.k(x)), self.split(self.v(x))
        mixed = F.scaled_dot_product_attention(q, k, v, attn_mask=allowed)
        x = self.attention_norm(x + self.o(mixed.transpose(1, 2).flatten(2)))
        return self.norm(x + self.down(F.gelu(self.up(x))))


class Bert(nn.Module):
    def __init__(self, state):
        super().__init__()
        size = sizes(state)
        heads = int(state["config.heads"])
        norm_eps = float(state["config.norm_eps"])
        self.pooling = str(state["config.pooling"])
        self.embeddings = Embeddings(
            size["vocabulary"],
            size["positions"],
            size["segments"],
            size["width"],
            norm_eps,
            int(state["config.first_position"]),
        )
        self.layers = nn.ModuleList(
            Layer(size["width"], size["inner"], heads, norm_eps) for _ in range(size["layers"])
        )
        tensors = {
            name: torch.from_numpy(value)
            for name, value in state.items()
            if not name.startswith("config.")
        }
        self.load_state_dict(tensors)

    def forward(self, ids, mask=None):
        """Token states [batch, tokens, width] of ids [batch, tokens].

        The mask is true for tokens and false for padding, which is at the end; each text has a
        token. Without a mask all are tokens, and attention is faster. States at padding mean
        nothing.
        """
        allowed = None if mask is None else mask.bool()[:, None, None, :]
        x = self.embeddings(ids)
        for layer in self.layers:
            x = layer(x, allowed)
        return x

    def embed(self, ids, mask=None):
        """One unit vector for each text, pooled as the teacher was trained."""
        return F.normalize(pool(self(ids, mask), mask, self.pooling), dim=1)


def pool(states, mask, pooling):
    """Token states as one vector for each text, in fp32: bf16 is too coarse for long sums."""
    if pooling == "cls":
        return states[:, 0].float()
    if pooling != "mean":
        raise ValueError(f"no such pooling: {pooling}")
    if mask is None:
        return states.float().mean(1)
    weights = mask[:, :, None].float()
    return (states.float() * weights).sum(1) / weights.sum(1)
