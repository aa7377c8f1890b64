//! Finds the rows that are nearest to a query.
//!
//! The score of a row is (scale · q·body + path scale · q·path) · inverse; the
//! query too is made into bytes, so that both products are sums of integers,
//! and that with the path is computed once a file. The best are kept in an
//! order without ties, so neither threads nor the kind of processor change an
//! answer. Rows of files that are not accepted are not looked at, so a filter
//! makes a search faster, and one that leaves few rows makes it exact.
//!
//! Measured by `cargo bench -p scent-index` with 256 dimensions and a pool of
//! 1,000, on one and on two cores of an AMD EPYC (Zen 4, AVX-512) with all in
//! memory. With AVX2 computing all scores takes as long, and estimating them
//! half as long again:
//!
//! | rows | exact, ms | estimated, ms | recall@100 clustered | lopsided | chance |
//! | --- | --- | --- | --- | --- | --- |
//! | 100,000 | 1.1, 0.7 | 1.6, 1.0 | 1.000 | 0.980 | 1.000 |
//! | 300,000 | 4.1, 2.5 | 3.3, 1.7 | 1.000 | 0.992 | 0.998 |
//! | 1,000,000 | 13, 7 to 9 | 7.9, 4.5 | 1.000 | 1.000 | 0.996 |
//!
//! Clustered rows lie around 4,000 centres, with cosines of 0.5 to 0.85 to
//! their neighbours; lopsided ones do too, but are alike in 0.6 of all their
//! weight; those by chance have no neighbours at all. With one bit a number
//! and one row in 64 rescored, but at least 4,096, the last column was 0.92,
//! 0.88 and 0.94. The first search in a new process takes 1 to 2 ms more for
//! every 100,000 rows, to map their pages.

use super::coarse::{CoarseQuery, Rotation};
use super::kernel::{GROUP, Kernel};
use super::part::Quantised;
use super::segment::{Block, width_of};
use super::set::{LiveFile, Row, Vectors};
use rayon::prelude::*;
use std::cmp::Ordering;
use std::ops::Range;

/// Up to this many rows, all scores are computed.
const EXACT: usize = 250_000;

/// From this many rows on, all cores are used.
const PARALLEL: usize = 16_384;

/// Of how many rows the scores are computed where they are estimated first,
const RESCORED: usize = 4096;

/// and at least of so many for each that is wanted.
const RESCORED_EACH: usize = 4;

/// Rows that are looked at together.
const HANDFUL: usize = 16;

/// A vector to compare rows with, made ready once.
#[derive(Clone, Debug)]
pub struct Query {
    dims: usize,
    bytes: Vec<u8>,
    scale: f32,
    coarse: CoarseQuery,
}

impl Query {
    /// Makes a vector of unit length ready.
    pub fn new(vector: &[f32]) -> Query {
        let mut padded = vector.to_vec();
        padded.resize(width_of(vector.len()), 0.0);
        let Quantised { bytes, scale } = Quantised::of(&padded);
        Rotation::new(padded.len()).turn(&mut padded);
        Query {
            dims: vector.len(),
            bytes,
            scale,
            coarse: CoarseQuery::new(&padded),
        }
    }
}

/// A row and its score: the cosine of its angle to the query.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scored {
    /// The row.
    pub row: Row,
    /// From -1 to 1.
    pub score: f32,
}

/// How rows are looked through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scan {
    /// The scores of all are computed.
    Exact,
    /// All are estimated, and the scores of the best computed.
    Estimated,
}

impl Vectors {
    /// The `pool` rows that are nearest to a query, among those of the files
    /// that are accepted, the best first; ties by the id of the file and the
    /// line. Of very many rows a few of the nearest may be missed.
    ///
    /// # Panics
    ///
    /// Where the query has another length than the vectors.
    pub fn search(
        &self,
        query: &Query,
        pool: usize,
        accept: &(dyn Fn(u32) -> bool + Sync),
    ) -> Vec<Scored> {
        self.search_chosen(query, pool, None, accept)
    }

    /// The same with a given kernel, to compare kernels.
    pub fn search_by(
        &self,
        scan: Scan,
        query: &Query,
        pool: usize,
        accept: &(dyn Fn(u32) -> bool + Sync),
    ) -> Vec<Scored> {
        self.search_chosen(query, pool, Some(scan), accept)
    }

    fn search_chosen(
        &self,
        query: &Query,
        pool: usize,
        scan: Option<Scan>,
        accept: &(dyn Fn(u32) -> bool + Sync),
    ) -> Vec<Scored> {
        assert_eq!(
            query.dims,
            self.model().dims as usize,
            "a query of another model"
        );
        let search = Search {
            vectors: self,
            query,
            kernel: Kernel::best(),
        };
        let chosen = search.choose(accept);
        let rows = chosen.iter().map(|c| c.rows).sum();
        let by_size = if rows <= EXACT {
            Scan::Exact
        } else {
            Scan::Estimated
        };
        match scan.unwrap_or(by_size) {
            _ if pool == 0 => Vec::new(),
            Scan::Exact => search.scan(&chosen, rows, pool, Search::exact).sorted(),
            Scan::Estimated => {
                let estimates = RESCORED.max(pool * RESCORED_EACH);
                let best = search.scan(&chosen, rows, estimates, Search::estimated);
                search.rescore(best.rows, pool).sorted()
            }
        }
    }

    /// The score of a row, as a search gives it.
    ///
    /// # Panics
    ///
    /// Where the query has another length than the vectors.
    pub fn score(&self, row: Row, query: &Query) -> f32 {
        assert_eq!(
            query.dims,
            self.model().dims as usize,
            "a query of another model"
        );
        Search {
            vectors: self,
            query,
            kernel: Kernel::best(),
        }
        .score(row)
    }
}

/// The files of a block that may answer.
struct Chosen {
    block: usize,
    files: Vec<LiveFile>,
    rows: usize,
}

impl Chosen {
    /// The rows of the files, those of neighbours together.
    fn runs(&self) -> Vec<Range<usize>> {
        let mut runs: Vec<Range<usize>> = Vec::new();
        for rows in self.files.iter().map(LiveFile::rows) {
            match runs.last_mut() {
                Some(last) if last.end == rows.start => last.end = rows.end,
                _ => runs.push(rows),
            }
        }
        runs
    }
}

#[derive(Clone, Copy)]
struct Search<'s> {
    vectors: &'s Vectors,
    query: &'s Query,
    kernel: Kernel,
}

impl<'s> Search<'s> {
    /// The files that are alive and accepted, by block.
    fn choose(self, accept: &(dyn Fn(u32) -> bool + Sync)) -> Vec<Chosen> {
        let choose = |nth: usize| {
            let live = self.vectors.blocks[nth].live.iter().copied();
            let files: Vec<LiveFile> = live.filter(|file| accept(file.id)).collect();
            let rows = files.iter().map(|file| file.rows().len()).sum();
            Chosen {
                block: nth,
                files,
                rows,
            }
        };
        let blocks = 0..self.vectors.blocks.len();
        let mut chosen: Vec<Chosen> = if self.vectors.live_rows() as usize >= PARALLEL {
            blocks.into_par_iter().map(choose).collect()
        } else {
            blocks.map(choose).collect()
        };
        chosen.retain(|c| c.rows > 0);
        chosen
    }

    fn scan(
        self,
        chosen: &[Chosen],
        rows: usize,
        pool: usize,
        look: fn(Search<'s>, &mut Best<'s>, &Chosen),
    ) -> Best<'s> {
        let empty = || Best::new(self.vectors, pool);
        let add = |mut best: Best<'s>, chosen: &Chosen| {
            look(self, &mut best, chosen);
            best
        };
        if rows < PARALLEL {
            return chosen.iter().fold(empty(), add);
        }
        // Few large pieces: each has to find out for itself what is good.
        let piece = chosen.len().div_ceil(2 * rayon::current_num_threads());
        chosen
            .par_iter()
            .with_min_len(piece)
            .fold(empty, add)
            .reduce(empty, Best::with)
    }

    /// Offers the rows of a block with their scores.
    fn exact(self, best: &mut Best, chosen: &Chosen) {
        let block = self.vectors.block(chosen.block);
        let first = self.vectors.blocks[chosen.block].first;
        let mut sums = vec![0; block.rows()];
        for run in chosen.runs() {
            self.kernel
                .dots(block.bodies(run.clone()), &self.query.bytes, &mut sums[run]);
        }
        for file in &chosen.files {
            let path = self.path(block, file.nth as usize);
            let factors = block.factors(file.rows());
            for ((row, sum), factors) in file.rows().zip(&sums[file.rows()]).zip(factors) {
                best.offer(self.combine(*sum, path, factors), first + row as Row);
            }
        }
    }

    /// Offers the rows of a block with estimates of their scores.
    fn estimated(self, best: &mut Best, chosen: &Chosen) {
        let block = self.vectors.block(chosen.block);
        let first = self.vectors.blocks[chosen.block].first;
        let mut sums = vec![0; block.rows().next_multiple_of(GROUP)];
        let mut estimates = Vec::with_capacity(block.rows());
        for run in chosen.runs() {
            let groups = run.start / GROUP..run.end.div_ceil(GROUP);
            let of_groups = &mut sums[groups.start * GROUP..groups.end * GROUP];
            self.kernel
                .differences(block.coarse(groups), &self.query.coarse.planes, of_groups);
            let inverses = block.coarse_inverses(run.clone());
            let estimate = |(sum, inverse): (&i32, f32)| self.query.coarse.estimate(*sum, inverse);
            estimates.clear();
            estimates.extend(sums[run.clone()].iter().zip(inverses).map(estimate));
            best.offer_all(&estimates, first + run.start as Row);
        }
    }

    /// The best of these by their scores.
    fn rescore(self, mut rows: Vec<Scored>, pool: usize) -> Best<'s> {
        // In order of their places, so that memory is read in one direction.
        rows.sort_unstable_by_key(|scored| scored.row);
        let score = |scored: &Scored| Scored {
            score: self.score(scored.row),
            ..*scored
        };
        let rows = rows
            .par_iter()
            .with_min_len(RESCORED / 8)
            .map(score)
            .collect();
        Best {
            rows,
            ..Best::new(self.vectors, pool)
        }
    }

    fn score(self, row: Row) -> f32 {
        let (block, row) = self.vectors.locate(row);
        let sum = self.kernel.dot(block.body(row), &self.query.bytes);
        let path = self.path(block, block.file_of(row));
        self.combine(sum, path, (block.scale(row), block.inverse(row)))
    }

    /// The share of a file's path in the scores of its rows.
    fn path(self, block: Block, file: usize) -> f32 {
        let sum = self.kernel.dot(block.path(file), &self.query.bytes);
        sum as f32 * block.path_scale(file)
    }

    fn combine(self, sum: i32, path: f32, (scale, inverse): (f32, f32)) -> f32 {
        (sum as f32 * scale + path) * inverse * self.query.scale
    }
}

/// The best rows so far.
struct Best<'s> {
    vectors: &'s Vectors,
    pool: usize,
    rows: Vec<Scored>,
    /// What is below this is not among them.
    floor: f32,
}

impl<'s> Best<'s> {
    fn new(vectors: &'s Vectors, pool: usize) -> Best<'s> {
        Best {
            vectors,
            pool,
            rows: Vec::new(),
            floor: f32::NEG_INFINITY,
        }
    }

    fn offer(&mut self, score: f32, row: Row) {
        if score >= self.floor {
            self.push(Scored { row, score });
        }
    }

    /// Offers rows that follow each other. Few are good enough, so it is first
    /// seen whether any of a handful is.
    fn offer_all(&mut self, scores: &[f32], first: Row) {
        let (handfuls, rest) = scores.as_chunks::<HANDFUL>();
        for (nth, handful) in handfuls.iter().enumerate() {
            if handful
                .iter()
                .fold(false, |any, score| any | (*score >= self.floor))
            {
                self.offer_each(handful, first + (nth * HANDFUL) as Row);
            }
        }
        self.offer_each(rest, first + (scores.len() - rest.len()) as Row);
    }

    fn offer_each(&mut self, scores: &[f32], first: Row) {
        (first..)
            .zip(scores)
            .for_each(|(row, score)| self.offer(*score, row));
    }

    #[inline(never)]
    fn push(&mut self, scored: Scored) {
        self.rows.push(scored);
        if self.rows.len() >= 2 * self.pool {
            self.cut();
        }
    }

    fn cut(&mut self) {
        if self.rows.len() > self.pool {
            let vectors = self.vectors;
            self.rows
                .select_nth_unstable_by(self.pool - 1, |a, b| order(vectors, a, b));
            self.rows.truncate(self.pool);
            self.floor = self.rows[self.pool - 1].score;
        }
    }

    fn with(mut self, other: Best) -> Best<'s> {
        self.rows.extend(other.rows);
        self.cut();
        self
    }

    fn sorted(mut self) -> Vec<Scored> {
        self.cut();
        self.rows.sort_unstable_by(|a, b| order(self.vectors, a, b));
        self.rows
    }
}

/// The better first; ties by the id of the file and the line.
fn order(vectors: &Vectors, a: &Scored, b: &Scored) -> Ordering {
    let by_place = || vectors.place(a.row).cmp(&vectors.place(b.row));
    b.score.total_cmp(&a.score).then_with(by_place)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::VectorModel;
    use crate::local::Local;
    use crate::vectors::build::SegmentWriter;
    use crate::vectors::segment::Segment;
    use crate::vectors::{FileParts, Part, UnitPart};
    use std::collections::HashSet;
    use std::sync::{Arc, OnceLock};

    const DIMS: usize = 128;
    const FILES: u32 = 1700;
    const UNITS: u32 = 10;
    const CENTRES: usize = 150;

    fn chance(random: &mut fastrand::Rng) -> Vec<f32> {
        (0..DIMS)
            .map(|_| (0..4).map(|_| random.f32() - 0.5).sum())
            .collect()
    }

    /// A vector near a centre; cosines of such are 0.5 to 0.85.
    fn near(random: &mut fastrand::Rng, centre: usize) -> Vec<f32> {
        let centre = chance(&mut fastrand::Rng::with_seed(centre as u64));
        let share = 0.5 + 0.35 * random.f32();
        let own = chance(random);
        centre
            .iter()
            .zip(own)
            .map(|(c, o)| c * share.sqrt() + o * (1.0 - share).sqrt())
            .collect()
    }

    fn part(vector: &[f32]) -> Part {
        Part {
            vector: Quantised::of(vector),
            tokens: Vec::new(),
        }
    }

    fn file(random: &mut fastrand::Rng, id: u32) -> FileParts {
        let path: Vec<f32> = chance(random).iter().map(|v| v * 0.2).collect();
        let mut unit = |line| {
            let centre = random.usize(..CENTRES);
            UnitPart {
                line,
                key: 0,
                body: part(&near(random, centre)),
            }
        };
        let units = (0..UNITS).map(&mut unit).collect();
        FileParts {
            id,
            path: part(&path),
            units,
        }
    }

    /// More rows than are looked through by one thread. Of every seventh file,
    /// nothing is alive.
    fn vectors() -> &'static Vectors {
        static VECTORS: OnceLock<Vectors> = OnceLock::new();
        VECTORS.get_or_init(|| {
            let folder = tempfile::tempdir().unwrap();
            let model = VectorModel {
                fingerprint: 1,
                name: String::new(),
                dims: DIMS as u32,
                token_bytes: 0,
            };
            let mut writer = SegmentWriter::new(&Local::shared(folder.path()), 1, model.clone());
            let mut random = fastrand::Rng::with_seed(5);
            (0..FILES).for_each(|id| writer.add(&file(&mut random, id)).unwrap());
            writer.finish().unwrap();
            let segment = Segment::open(&Local::shared(folder.path()), 1, &model).unwrap();
            Vectors::new(model, vec![Arc::new(segment)], |id| !id.is_multiple_of(7))
        })
    }

    fn queries() -> Vec<Query> {
        let mut random = fastrand::Rng::with_seed(6);
        (0..20)
            .map(|nth| Query::new(&near(&mut random, nth * 7)))
            .collect()
    }

    /// Each query has about a hundred near rows; the nearest fifty of them are
    /// among the best three in a hundred by their estimates.
    #[test]
    fn estimates_find_nearly_all_of_the_nearest() {
        let vectors = vectors();
        let mut found = 0;
        for query in &queries() {
            let search = Search {
                vectors,
                query,
                kernel: Kernel::best(),
            };
            let chosen = search.choose(&|_| true);
            let rows = chosen.iter().map(|c| c.rows).sum();
            let estimated = search
                .scan(&chosen, rows, rows / 33, Search::estimated)
                .rows;
            let estimated: HashSet<Row> = estimated.iter().map(|scored| scored.row).collect();
            let exact = search.scan(&chosen, rows, 50, Search::exact).sorted();
            found += exact
                .iter()
                .filter(|scored| estimated.contains(&scored.row))
                .count();
        }
        assert!(found >= 980, "{found} of 1000");
    }

    #[test]
    fn threads_do_not_change_the_answer() {
        let vectors = vectors();
        let query = &queries()[3];
        for scan in [Scan::Exact, Scan::Estimated] {
            let with = |threads| {
                let pool = rayon::ThreadPoolBuilder::new()
                    .num_threads(threads)
                    .build()
                    .unwrap();
                pool.install(|| vectors.search_by(scan, query, 300, &|id| !id.is_multiple_of(5)))
            };
            let one = with(1);
            assert_eq!(one.len(), 300);
            assert_eq!(with(3), one, "{scan:?}");
            let wanted = |id: u32| !id.is_multiple_of(7) && !id.is_multiple_of(5);
            assert!(one.iter().all(|s| wanted(vectors.place(s.row).0)));
        }
    }

    #[test]
    fn a_smaller_pool_is_the_beginning_of_a_larger_one() {
        let vectors = vectors();
        for scan in [Scan::Exact, Scan::Estimated] {
            let search = |pool| vectors.search_by(scan, &queries()[0], pool, &|_| true);
            let large = search(500);
            assert!(
                [1, 2, 99, 499]
                    .iter()
                    .all(|&pool| search(pool) == large[..pool])
            );
        }
    }
}
