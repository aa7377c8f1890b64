"""What training minimises."""

import torch
import torch.nn.functional as F

from model import parts_of


class MaxSim(torch.autograd.Function):
    """For every query token and every text the best product with one of the text's tokens.

    Written by hand since the table of all products would not fit: only the best place is kept.
    """

    @staticmethod
    def forward(ctx, queries, texts, step):
        count, length, width = texts.shape
        flat = texts.reshape(-1, width)
        best, places = [], []
        for at in range(0, len(queries), step):
            products = (queries[at : at + step] @ flat.T).view(-1, count, length)
            value, place = products.max(-1)
            best.append(value)
            places.append(place.to(torch.int16))
        places = torch.cat(places)
        ctx.save_for_backward(queries, texts, places)
        ctx.step = step
        return torch.cat(best)

    @staticmethod
    def backward(ctx, gradient):
        queries, texts, places = ctx.saved_tensors
        count, length, width = texts.shape
        flat = texts.reshape(-1, width)
        first = torch.arange(count, device=texts.device) * length
        to_queries, to_texts = [], torch.zeros_like(flat, dtype=torch.float32)
        for at in range(0, len(queries), ctx.step):
            part = slice(at, at + ctx.step)
            rows = len(queries[part])
            spread = torch.zeros(rows, count * length, device=texts.device, dtype=texts.dtype)
            spread.scatter_(1, first + places[part].long(), gradient[part].to(texts.dtype))
            to_queries.append(spread @ flat)
            to_texts += (spread.T @ queries[part]).float()
        return torch.cat(to_queries), to_texts.view_as(texts).to(texts.dtype), None


def late_scores(query_tokens, weights, text_tokens, step=1536):
    """Scores [queries, texts]: the weighted sum over query tokens of their best product."""
    query, token = torch.nonzero(weights > 0, as_tuple=True)
    asked = query_tokens[query, token]
    # Texts of like length together: tokens of padding are zero and at the end.
    lengths = (text_tokens.detach().abs().amax(-1) > 0).long()
    lengths = (lengths * torch.arange(1, lengths.shape[1] + 1, device=lengths.device)).amax(1)
    order, groups = parts_of(lengths, 4 if len(lengths) >= 64 else 1)
    parts = [MaxSim.apply(asked, text_tokens[group, :most], step) for group, most in groups]
    best = torch.cat(parts, 1)[:, order.argsort()]
    scores = torch.zeros(len(weights), len(text_tokens), device=best.device)
    return scores.index_add(0, query, best.float() * weights[query, token][:, None])


BORDER, INNER, OUTER = 0.9816, 0.4528, 1.5104


def as_kept(tokens):
    """Token vectors with the two bits a number that an index keeps of them; see late.rs. Gradients
    pass as if nothing had been rounded."""
    deviation = tokens.shape[-1] ** -0.5
    level = torch.where(tokens.abs() > BORDER * deviation, OUTER * deviation, INNER * deviation)
    rounded = torch.sign(tokens) * level
    return tokens + (rounded - tokens).detach()


def same_query(query_ids):
    """Pairs of different rows that ask the same: the other's answer is not wrong."""
    powers = torch.arange(1, query_ids.shape[1] + 1, device=query_ids.device)
    key = ((query_ids * 2654435761 % 1000003) * powers * powers).sum(1)
    same = key[:, None] == key[None, :]
    return same & ~torch.eye(len(key), dtype=torch.bool, device=key.device)


def same_row(numbers):
    """Places in a batch that hold the same row, which has several questions."""
    same = numbers[:, None] == numbers[None, :]
    return same & ~torch.eye(len(numbers), dtype=torch.bool, device=numbers.device)


def contrastive(scores, wrong):
    """InfoNCE both ways; `wrong` marks pairs that are left out. Texts beyond the answers are only
    wrong ones."""
    others = scores.shape[1] - len(scores)
    scores = scores.masked_fill(F.pad(wrong, (0, others)), -1e4)
    right = torch.arange(len(scores), device=scores.device)
    return F.cross_entropy(scores, right) + 0.5 * F.cross_entropy(scores[:, : len(scores)].T, right)


def follow(scores, teacher):
    """How far the distribution over texts is from the teacher's."""
    return F.kl_div(F.log_softmax(scores, 1), F.softmax(teacher, 1), reduction="batchmean")
