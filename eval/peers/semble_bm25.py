"""The keyword half of semble: `raw` is its BM25, `ranked` its BM25 with its ranking stage.

No embedding model: a stand-in gives every chunk the same vector, and with
alpha = 0 what the vectors find gets the score 0 and is dropped before ranking.
This is how semble's own ablation weighs them. The time to index therefore
leaves out the embedding, and the size leaves out the vectors.

semble has no switch for its ignore rules (`.gitignore`, `build/`, `dist/`, …) and
takes code files only; its published numbers were made so, and so are these.
"""

import os
import resource
import shutil
import sys
import time
from pathlib import Path

from adapter import Adapter, Failure, folder_bytes, fresh, hit, peak, serve

INSTALL = "pip install semble==0.7.0"


class SameVector:
    """In place of the embedding model: every text is alike."""

    dim = 1

    def encode(self, texts, **_):
        import numpy

        return numpy.ones((len(texts), self.dim), dtype=numpy.float32)


class SembleBm25(Adapter):
    def __init__(self, mode):
        self.mode = mode
        self.model = SameVector()

    def prepare(self):
        os.environ["SEMBLE_CACHE_LOCATION"] = self.work
        try:
            import semble.search
            from semble.index.create import create_index_from_path
            from semble.version import __version__
        except ImportError as error:
            raise Failure(
                f"semble cannot be imported ({error}); install it ({INSTALL}) and set SEMBLE_PYTHON to that Python"
            )
        self.semble = semble.search
        root = Path(self.root)
        start = time.perf_counter()
        try:
            index = create_index_from_path(root, model=self.model, display_root=root)
        except ValueError as error:
            raise Failure(f"semble indexed nothing: {error}")
        ms = (time.perf_counter() - start) * 1000
        self.bm25, self.vectors, self.chunks, _ = index
        return {
            "version": f"semble {__version__}",
            "index_ms": ms,
            "index_bytes": self.save(),
            "files": len({chunk.file_path for chunk in self.chunks}),
            # Raw: equal scores fall as they may. Ranked: five times the limit is ranked, so more can rise.
            "prefix": False,
        }

    def save(self):
        """Write what a keyword search needs, to see how large it is."""
        import orjson

        folder = Path(fresh(self.work, "index"))
        folder.mkdir()
        self.bm25.save(folder / "bm25")
        (folder / "chunks.json").write_bytes(orjson.dumps(self.chunks))
        return folder_bytes(folder)

    def search(self, query, limit):
        start = time.perf_counter()
        if self.mode == "raw":
            results = self.semble._search_bm25(query, self.bm25, self.chunks, limit, None)
        else:
            results = self.semble.search(
                query, self.model, self.vectors, self.bm25, self.chunks, limit, alpha=0.0, rerank=True
            )
        ms = (time.perf_counter() - start) * 1000
        chunks = (result.chunk for result in results)
        return [hit(Path(c.file_path).as_posix(), c.start_line, c.end_line) for c in chunks], ms

    def peak_bytes(self):
        return peak(resource.RUSAGE_SELF)


def use_named_python():
    """Go on with the Python that SEMBLE_PYTHON names: semble is seldom installed for the system's."""
    named = os.environ.pop("SEMBLE_PYTHON", None)
    if named and shutil.which(named):
        os.execv(shutil.which(named), [named, *sys.argv])


if __name__ == "__main__":
    if sys.argv[1:] not in (["raw"], ["ranked"]):
        sys.exit("usage: semble_bm25.py raw|ranked")
    use_named_python()
    serve(SembleBm25(sys.argv[1]))
