//! Texts to vectors.
//!
//! The tokens of many texts lie one after the other in a buffer, without
//! padding, and go through the network together. Only convolutions, attention
//! and the pooling know where a text ends, so a text alone gives what it gives
//! among others.

use crate::kernel::{ColumnPair, INPUTS, Kernel, PANEL, Packed, Rows, Space, Target};
use crate::model::{Model, Role};
use crate::network::{Layers, Projection, ResidualQuantized};
use scent_words::model_words;
use std::ops::Range;
use std::sync::PoisonError;

/// Texts are gathered until they have this many tokens, or are this many. The
/// buffers of so many fit into the second cache of a processor.
const ROWS: usize = 192;

/// What a body or a path contributes to a unit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TextVectors {
    /// The vector. Its length is not one: it says how much this part counts.
    pub vector: Vec<f32>,
    /// The vectors of the tokens one after the other, each of length one.
    pub tokens: Vec<f32>,
}

/// A query as a model sees it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct QueryVectors {
    /// The vector, of length one.
    pub vector: Vec<f32>,
    /// The vectors of the tokens one after the other, each of length one.
    pub tokens: Vec<f32>,
    /// How much each token counts; together they make one.
    pub weights: Vec<f32>,
}

/// The tokens of some texts, and the buffers to compute with them.
#[derive(Default)]
pub(crate) struct Work {
    pub ids: Vec<u32>,
    /// Where each text ends.
    pub ends: Vec<usize>,
    /// The states of the tokens, in rows padded to whole panels.
    pub states: Vec<f32>,
    /// A state after it was normalized, with zeros up to the inputs of a product.
    pub row: Vec<f32>,
    pub quantized: Quantized,
    pub residual: ResidualQuantized,
    /// The outputs of one panel of a convolution, or of the queries, the keys
    /// and the values of attention.
    pub tiles: [Vec<ColumnPair>; 3],
    pub space: Space,
    /// The middle of a block, and what the last products give.
    pub wide: Vec<f32>,
}

/// Rows as bytes, ready for a product.
#[derive(Default)]
pub(crate) struct Quantized {
    pub bytes: Vec<u8>,
    pub scales: Vec<f32>,
}

impl Quantized {
    /// Makes room for rows of this length.
    pub fn resize(&mut self, rows: usize, inputs: usize) {
        room(&mut self.bytes, rows * inputs);
        self.scales.resize(rows, 0.0);
    }

    /// The products of all rows with a matrix, in rows of `stride`.
    pub fn times(
        &self,
        matrix: &Packed,
        kernel: Kernel,
        out: &mut [f32],
        stride: usize,
        add: bool,
    ) {
        let rows = self.rows(matrix);
        if rows.scales.is_empty() {
            return;
        }
        for (at, panel) in matrix.panels().enumerate() {
            let out = &mut out[at * PANEL..];
            kernel.product(panel, rows, Target { out, stride, add });
        }
    }

    pub fn rows(&self, matrix: &Packed) -> Rows<'_> {
        Rows {
            bytes: &self.bytes,
            scales: &self.scales,
            inputs: matrix.inputs(),
        }
    }
}

impl Work {
    fn clear(&mut self) {
        self.ids.clear();
        self.ends.clear();
    }
}

/// The beginning of a buffer, which grows where it is too short. It is never
/// cut: filling it up again would take time.
pub(crate) fn room<T: Copy + Default>(buffer: &mut Vec<T>, length: usize) -> &mut [T] {
    buffer.resize(buffer.len().max(length), T::default());
    &mut buffer[..length]
}

/// The rows of each text.
pub(crate) fn spans(ends: &[usize]) -> impl Iterator<Item = Range<usize>> {
    let starts = std::iter::once(0).chain(ends.iter().copied());
    starts.zip(ends).map(|(start, &end)| start..end)
}

impl Model {
    /// What there is to say of texts, given as words with spaces between them,
    /// on this thread; others may do the same at the same time. An empty text
    /// gives a vector of zeros and no tokens.
    pub fn encode(&self, texts: &[&str], role: Role) -> Vec<TextVectors> {
        let mut work = self.idle_work();
        let mut parts = Vec::with_capacity(texts.len());
        for text in texts {
            self.gather(text, role, &mut work);
            if work.ids.len().max(work.ends.len()) >= ROWS {
                self.encode_batch(&mut work, role, &mut parts);
            }
        }
        if parts.len() < texts.len() {
            self.encode_batch(&mut work, role, &mut parts);
        }
        self.keep(work);
        parts
    }

    /// A query as it was typed.
    pub fn encode_query(&self, text: &str) -> QueryVectors {
        let mut work = self.idle_work();
        self.gather(&model_words::of(text), Role::Query, &mut work);
        self.states(&mut work, Role::Query);
        let weights = self.weights(&work);
        let mut parts = Vec::with_capacity(1);
        self.finish(&mut work, Role::Query, &mut parts);
        self.keep(work);
        let TextVectors { mut vector, tokens } = parts.pop().unwrap_or_default();
        normalize(self.kernel, &mut vector);
        QueryVectors {
            vector,
            tokens,
            weights,
        }
    }

    /// The vector of a unit from its body and its path, of length one.
    pub fn unit_vector(body: &TextVectors, path: &TextVectors) -> Vec<f32> {
        let mut vector = body.vector.clone();
        for (sum, path) in vector.iter_mut().zip(&path.vector) {
            *sum += path;
        }
        normalize(Kernel::best(), &mut vector);
        vector
    }

    fn idle_work(&self) -> Work {
        self.works
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .pop()
            .unwrap_or_default()
    }

    fn keep(&self, mut work: Work) {
        work.clear();
        self.works
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(work);
    }

    /// Adds a text to those that are to be encoded.
    fn gather(&self, words: &str, role: Role, work: &mut Work) {
        self.append_ids(words, role, &mut work.ids);
        work.ends.push(work.ids.len());
    }

    /// Encodes the texts that were gathered.
    fn encode_batch(&self, work: &mut Work, role: Role, parts: &mut Vec<TextVectors>) {
        self.states(work, role);
        self.finish(work, role, parts);
        work.clear();
    }

    /// The states of all tokens.
    fn states(&self, work: &mut Work, role: Role) {
        work.states.resize(work.ids.len() * self.stride(), 0.0);
        work.row
            .resize(self.config.width.next_multiple_of(INPUTS), 0.0);
        match &self.network.layers {
            Layers::Convolution(network) => self.convolve(network, work, role),
            Layers::Transformer(network) => self.transform(network, work, role),
        }
    }

    /// The length of a row of states.
    pub(crate) fn stride(&self) -> usize {
        self.config.width.next_multiple_of(PANEL)
    }

    /// The vectors of the texts and of their tokens from the states.
    fn finish(&self, work: &mut Work, role: Role, parts: &mut Vec<TextVectors>) {
        let before = parts.len();
        self.token_vectors(work, parts);
        self.pooled(work, role, &mut parts[before..]);
    }

    /// Adds a part with the vectors of its tokens for every text.
    fn token_vectors(&self, work: &mut Work, parts: &mut Vec<TextVectors>) {
        let length = self.config.tokens;
        let stride = length.next_multiple_of(PANEL);
        quantize(
            self.kernel,
            &work.states,
            self.stride(),
            work.row.len(),
            &mut work.quantized,
        );
        let wide = room(&mut work.wide, work.ids.len() * stride);
        work.quantized
            .times(&self.network.token, self.kernel, wide, stride, false);
        for text in spans(&work.ends) {
            let mut tokens = Vec::with_capacity(text.len() * length);
            for row in wide[text.start * stride..text.end * stride].chunks_mut(stride) {
                normalize(self.kernel, &mut row[..length]);
                tokens.extend_from_slice(&row[..length]);
            }
            parts.push(TextVectors {
                vector: Vec::new(),
                tokens,
            });
        }
    }

    /// The vectors of the texts.
    fn pooled(&self, work: &mut Work, role: Role, parts: &mut [TextVectors]) {
        let stride = self.stride();
        let pool = &self.network.pools[role as usize];
        let mut means = vec![0.0; parts.len() * stride];
        for (text, mean) in spans(&work.ends).zip(means.chunks_mut(stride)) {
            let states = &work.states[text.start * stride..text.end * stride];
            let rows = states.chunks(stride);
            let scores = rows.clone().map(|state| self.kernel.dot(state, pool));
            for (weight, state) in softmax(scores.collect()).into_iter().zip(rows) {
                self.kernel.add(weight, state, mean);
            }
        }
        match &self.network.vectors[role as usize] {
            Projection::Bytes(matrix) => self.vectors(&means, matrix, work, parts),
            Projection::Floats(matrix) => {
                let rows = matrix.chunks(self.config.width);
                for (part, mean) in parts.iter_mut().zip(means.chunks(stride)) {
                    part.vector = rows.clone().map(|row| self.kernel.dot(mean, row)).collect();
                }
            }
        }
    }

    /// The products of pooled states with a matrix of bytes.
    fn vectors(&self, means: &[f32], matrix: &Packed, work: &mut Work, parts: &mut [TextVectors]) {
        quantize(
            self.kernel,
            means,
            self.stride(),
            work.row.len(),
            &mut work.quantized,
        );
        let length = self.config.vector;
        let stride = length.next_multiple_of(PANEL);
        let wide = room(&mut work.wide, parts.len() * stride);
        work.quantized
            .times(matrix, self.kernel, wide, stride, false);
        for (part, vector) in parts.iter_mut().zip(wide.chunks(stride)) {
            part.vector = vector[..length].to_vec();
        }
    }

    /// How much each token of a query counts.
    fn weights(&self, work: &Work) -> Vec<f32> {
        let (weight, bias) = &self.network.weight;
        let score = |state: &[f32]| softplus(self.kernel.dot(state, weight) + bias);
        let mut weights: Vec<f32> = work.states.chunks(self.stride()).map(score).collect();
        let sum = weights.iter().sum::<f32>().max(1e-6);
        for weight in &mut weights {
            *weight /= sum;
        }
        weights
    }
}

/// Rows, of which the first `inputs` numbers count, as bytes.
pub(crate) fn quantize(
    kernel: Kernel,
    rows: &[f32],
    stride: usize,
    inputs: usize,
    out: &mut Quantized,
) {
    out.resize(rows.len() / stride, inputs);
    let bytes = out.bytes.chunks_mut(inputs).zip(&mut out.scales);
    for (row, (bytes, scale)) in rows.chunks(stride).zip(bytes) {
        *scale = kernel.quantize(&row[..inputs], bytes);
    }
}

fn softmax(mut scores: Vec<f32>) -> Vec<f32> {
    let most = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    for score in &mut scores {
        *score = (*score - most).exp();
    }
    let sum: f32 = scores.iter().sum();
    for score in &mut scores {
        *score /= sum;
    }
    scores
}

/// ln(1 + e^x), without overflow.
fn softplus(x: f32) -> f32 {
    if x > 20.0 { x } else { x.exp().ln_1p() }
}

/// Makes the length one; zeros stay zeros.
fn normalize(kernel: Kernel, vector: &mut [f32]) {
    let length = kernel.dot(vector, vector).sqrt().max(1e-12);
    for number in vector {
        *number /= length;
    }
}
