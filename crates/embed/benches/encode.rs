//! How fast texts become vectors, on one thread, with each kernel.
//!
//!     cargo bench -p scent-embed --bench encode [-- KERNEL...]

#[path = "../tests/random_model/mod.rs"]
mod random_model;

use random_model::{Shape, word};
use scent_embed::{Kernel, Model, Side};
use std::hint::black_box;
use std::time::{Duration, Instant};

const SHAPE: Shape = Shape {
    vocab: 32000,
    width: 256,
    hidden: 384,
    blocks: 3,
    kernel: 7,
    tokens: 64,
    vector: 256,
    query_blocks: 0,
};

/// The tokens of a body.
const TOKENS: usize = 100;

/// How long a measurement takes.
const LONG: Duration = Duration::from_secs(2);

fn main() {
    let bytes: &'static [u8] = random_model::bytes(SHAPE, 1).leak();
    let open = fastest(20, || Model::from_bytes(bytes).expect("a model"));
    println!("opening      {:6.2} ms, {} MB", open.as_secs_f64() * 1e3, bytes.len() / 1_000_000);
    let bodies: Vec<String> = (0..256).map(|body| words(body, TOKENS)).collect();
    let bodies: Vec<&str> = bodies.iter().map(String::as_str).collect();
    let query = words(999, 12);
    let asked: Vec<String> =
        std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let is_asked =
        |kernel: &Kernel| asked.is_empty() || asked.iter().any(|name| name == kernel.name());
    for kernel in Kernel::available().into_iter().filter(is_asked) {
        let model = Model::with_kernel(bytes, kernel).expect("a model");
        let rate = units_a_second(&model, &bodies);
        let once = fastest(500, || model.query(&query));
        let (tokens, macs) = (rate * TOKENS as f64, rate * macs_of_a_unit());
        println!(
            "{:12} {rate:6.0} units/s {:5.0} thousand tokens/s {:6.1} GMAC/s  query {:.3} ms",
            kernel.name(),
            tokens / 1e3,
            macs / 1e9,
            once.as_secs_f64() * 1e3,
        );
    }
    println!("tokenizer    {:6.0} MB/s", tokenizer_rate(bytes, &bodies) / 1e6);
}

/// Words of so many pieces together, other ones for every seed. Every third
/// word has two pieces.
fn words(seed: u64, count: usize) -> String {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut text = String::new();
    for at in 0..count {
        let continues = at % 4 == 3;
        let ids = if continues { SHAPE.vocab / 2..SHAPE.vocab } else { 2..SHAPE.vocab / 2 };
        text.push_str(if continues || at == 0 { "" } else { " " });
        text.push_str(&word(random.usize(ids)));
    }
    text
}

fn units_a_second(model: &Model, bodies: &[&str]) -> f64 {
    model.parts(bodies, Side::Body);
    let (started, mut units) = (Instant::now(), 0);
    while started.elapsed() < LONG {
        units += black_box(model.parts(bodies, Side::Body)).len();
    }
    units as f64 / started.elapsed().as_secs_f64()
}

fn fastest<T>(runs: usize, mut run: impl FnMut() -> T) -> Duration {
    let time = |_| {
        let started = Instant::now();
        black_box(run());
        started.elapsed()
    };
    (0..runs).map(time).min().expect("a run")
}

/// Multiplications with weights that a body takes.
fn macs_of_a_unit() -> f64 {
    let block = SHAPE.width * 2 * SHAPE.hidden + SHAPE.hidden * (SHAPE.kernel + SHAPE.width);
    let token = SHAPE.blocks * block + SHAPE.width * SHAPE.tokens;
    (TOKENS * token + SHAPE.width * SHAPE.vector) as f64
}

/// Bytes of words a second.
fn tokenizer_rate(bytes: &'static [u8], bodies: &[&str]) -> f64 {
    let model = Model::from_bytes(bytes).expect("a model");
    let length: usize = bodies.iter().map(|body| body.len()).sum();
    let time =
        fastest(50, || bodies.iter().map(|body| model.ids(body, Side::Body).len()).sum::<usize>());
    length as f64 / time.as_secs_f64()
}
