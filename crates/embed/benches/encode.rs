//! How fast texts become vectors, on one thread, with each kernel.
//!
//!     cargo bench -p scent-embed --bench encode [-- MODEL... KERNEL...]

#[path = "../tests/random_model/mod.rs"]
mod random_model;

use random_model::{Layers, Shape, word};
use scent_embed::{Kernel, Model, Role};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// The pieces of the vocabularies.
const VOCAB: usize = 30_000;

/// The models inside the program and beside it, by what people call them.
const MODELS: [(&str, Shape); 2] = [
    (
        "small",
        Shape {
            vocab: VOCAB,
            width: 256,
            tokens: 64,
            vector: 256,
            layers: Layers::Convolution {
                hidden: 384,
                blocks: 3,
                kernel: 7,
                query_blocks: 0,
            },
        },
    ),
    (
        "deep",
        Shape {
            vocab: VOCAB,
            width: 384,
            tokens: 64,
            vector: 384,
            layers: Layers::Transformer {
                layers: 12,
                inner: 1536,
            },
        },
    ),
];

/// The tokens of a body.
const TOKENS: usize = 100;

/// How long a measurement takes at least.
const LONG: Duration = Duration::from_secs(2);

fn main() {
    let asked: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with('-'))
        .collect();
    let names: Vec<&str> = MODELS.iter().map(|(name, _)| *name).collect();
    let is_asked = |name: &str, among: &[&str]| {
        let mut some = asked
            .iter()
            .filter(|word| among.contains(&word.as_str()))
            .peekable();
        some.peek().is_none() || some.any(|word| word == name)
    };
    let kernels = Kernel::available();
    let kernel_names: Vec<&str> = kernels.iter().map(|kernel| kernel.name()).collect();
    for (name, shape) in MODELS
        .into_iter()
        .filter(|(name, _)| is_asked(name, &names))
    {
        let chosen = kernels
            .iter()
            .filter(|kernel| is_asked(kernel.name(), &kernel_names));
        measure(name, shape, chosen.copied());
    }
}

fn measure(name: &str, shape: Shape, kernels: impl Iterator<Item = Kernel>) {
    let bytes: &'static [u8] = random_model::bytes(shape, 1).leak();
    let open = fastest(5, || Model::from_bytes(bytes).expect("a model"));
    let megabytes = bytes.len() / 1_000_000;
    println!(
        "{name}: {megabytes} MB, opened in {:.2} ms",
        open.as_secs_f64() * 1e3
    );
    let bodies: Vec<String> = (0..16).map(|body| words(body, TOKENS)).collect();
    let bodies: Vec<&str> = bodies.iter().map(String::as_str).collect();
    let query = words(999, 12);
    for kernel in kernels {
        let model = Model::with_kernel(bytes, kernel).expect("a model");
        let rate = units_a_second(&model, &bodies);
        let once = fastest(10, || model.encode_query(&query));
        println!(
            "{:12} {rate:6.1} units/s {:5.1} thousand tokens/s {:6.1} GMAC/s  query {:.3} ms",
            kernel.name(),
            rate * TOKENS as f64 / 1e3,
            rate * macs_of_a_unit(shape) / 1e9,
            once.as_secs_f64() * 1e3,
        );
    }
    println!(
        "tokenizer    {:6.0} MB/s",
        tokenizer_rate(bytes, &bodies) / 1e6
    );
}

/// Words of so many pieces together, other ones for every seed. Every third
/// word has two pieces.
fn words(seed: u64, count: usize) -> String {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut text = String::new();
    for at in 0..count {
        let continues = at % 4 == 3;
        let ids = if continues {
            VOCAB / 2..VOCAB
        } else {
            2..VOCAB / 2
        };
        text.push_str(if continues || at == 0 { "" } else { " " });
        text.push_str(&word(random.usize(ids)));
    }
    text
}

fn units_a_second(model: &Model, bodies: &[&str]) -> f64 {
    model.encode(bodies, Role::Body);
    let (started, mut units) = (Instant::now(), 0);
    while started.elapsed() < LONG {
        units += black_box(model.encode(bodies, Role::Body)).len();
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
fn macs_of_a_unit(shape: Shape) -> f64 {
    let Shape {
        width,
        tokens,
        vector,
        ..
    } = shape;
    let layers = match shape.layers {
        Layers::Convolution {
            hidden,
            blocks,
            kernel,
            ..
        } => blocks * (width * 2 * hidden + hidden * (kernel + width)),
        Layers::Transformer { layers, inner } => layers * (4 * width * width + 2 * width * inner),
    };
    (TOKENS * (layers + width * tokens) + width * vector) as f64
}

/// Bytes of words a second.
fn tokenizer_rate(bytes: &'static [u8], bodies: &[&str]) -> f64 {
    let model = Model::from_bytes(bytes).expect("a model");
    let length: usize = bodies.iter().map(|body| body.len()).sum();
    let time = fastest(50, || {
        bodies
            .iter()
            .map(|body| model.ids(body, Role::Body).len())
            .sum::<usize>()
    });
    length as f64 / time.as_secs_f64()
}
