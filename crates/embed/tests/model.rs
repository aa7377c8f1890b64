//! Models of random weights: what holds for every model and every text.

mod random_model;

use proptest::prelude::*;
use random_model::{Layers, Shape, bytes, word};
use scent_embed::{Kernel, Model, ModelError, Role};
use std::sync::LazyLock;

/// Small, with rows that fill no panel.
const SMALL: Shape = Shape {
    vocab: 300,
    width: 48,
    tokens: 16,
    vector: 32,
    layers: Layers::Convolution {
        hidden: 80,
        blocks: 2,
        kernel: 5,
        query_blocks: 1,
    },
};

/// The same as a transformer with three heads.
const DEEP: Shape = Shape {
    width: 96,
    layers: Layers::Transformer {
        layers: 2,
        inner: 80,
    },
    ..SMALL
};

static FILES: LazyLock<[Vec<u8>; 2]> = LazyLock::new(|| [bytes(SMALL, 3), bytes(DEEP, 4)]);

fn models_of(file: &'static [u8]) -> Vec<Model> {
    let model = |kernel| Model::with_kernel(file, kernel).expect("a model");
    Kernel::available().into_iter().map(model).collect()
}

fn models() -> Vec<Model> {
    FILES.iter().flat_map(|file| models_of(file)).collect()
}

/// Texts of 0 to 300 words, more than are read.
fn texts(count: usize) -> Vec<String> {
    let mut random = fastrand::Rng::with_seed(5);
    let text = |at: usize| {
        let words = (0..at * 37 % 301).map(|_| word(random.usize(2..SMALL.vocab / 2)));
        words.collect::<Vec<String>>().join(" ")
    };
    (0..count).map(text).collect()
}

#[test]
fn a_text_alone_is_the_same_as_among_others() {
    let texts = texts(9);
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    for model in models() {
        for role in [Role::Body, Role::Path] {
            let together = model.encode(&texts, role);
            assert_eq!(together.len(), texts.len());
            for (text, part) in texts.iter().zip(&together) {
                assert_eq!(
                    model.encode(&[text], role)[0],
                    *part,
                    "{:?}: {text}",
                    model.kernel()
                );
            }
        }
    }
}

#[test]
fn kernels_give_the_same_vectors() {
    let texts = texts(12);
    for file in FILES.iter() {
        let all: Vec<Vec<f32>> = models_of(file)
            .iter()
            .map(|model| {
                texts
                    .iter()
                    .flat_map(|text| model.encode_query(text).vector)
                    .collect()
            })
            .collect();
        for other in &all {
            let off = all[0]
                .iter()
                .zip(other)
                .map(|(a, b)| (a - b).abs())
                .fold(0.0, f32::max);
            assert!(off < 0.02, "{off}");
        }
    }
}

#[test]
fn nothing_gives_nothing() {
    for model in models() {
        for text in ["", "qqqqqqqqqqq", "→ ✓"] {
            let query = model.encode_query(text);
            assert_eq!(query.vector, [0.0; 32]);
            assert!(query.tokens.is_empty() && query.weights.is_empty());
        }
        let parts = model.encode(&["", &word(7)], Role::Path);
        assert_eq!(parts[0].vector, [0.0; 32]);
        assert!(parts[0].tokens.is_empty());
        assert_eq!(parts[1], model.encode(&[&word(7)], Role::Path)[0]);
        assert!(model.encode(&[], Role::Body).is_empty());
        // A unit without a path is what its body says.
        let unit = Model::unit_vector(&parts[1], &parts[0]);
        let length = parts[1]
            .vector
            .iter()
            .map(|number| number * number)
            .sum::<f32>()
            .sqrt();
        let near = unit
            .iter()
            .zip(&parts[1].vector)
            .all(|(a, b)| (a * length - b).abs() < 1e-4);
        assert!(near);
        assert_eq!(Model::unit_vector(&parts[0], &parts[0]), [0.0; 32]);
    }
}

#[test]
fn many_threads_may_ask_one_model() {
    let texts = texts(20);
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    for file in FILES.iter() {
        let model = Model::from_bytes(file.as_slice()).expect("a model");
        let want = model.encode(&texts, Role::Body);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| assert_eq!(model.encode(&texts, Role::Body), want));
            }
        });
    }
}

#[test]
fn a_text_begins_with_the_first_token() {
    let model = Model::from_bytes(FILES[1].as_slice()).expect("a model");
    assert_eq!(model.config().first, Some(2));
    assert_eq!(model.ids(&word(7), Role::Path), [2, 7]);
    assert!(model.ids("qqqqqqqqqqq", Role::Path).is_empty());
    let long = [word(7).as_str()].repeat(999).join(" ");
    for (role, most) in [(Role::Query, 48), (Role::Body, 256), (Role::Path, 24)] {
        assert_eq!(model.ids(&long, role).len(), 1 + most);
        assert_eq!(
            model.encode(&[&long], role)[0].tokens.len(),
            (1 + most) * 16
        );
    }
}

#[test]
fn what_does_not_fit_is_named() {
    let changed = |file: &[u8], from: &str, to: &str| {
        assert_eq!(from.len(), to.len());
        let at = file
            .windows(from.len())
            .position(|part| part == from.as_bytes());
        let mut file = file.to_vec();
        file[at.expect("a part of the header")..][..to.len()].copy_from_slice(to.as_bytes());
        Model::from_bytes(file)
            .err()
            .map(|error| error.to_string())
            .unwrap_or_default()
    };
    let cases = [
        (
            r#"\"width\":48"#,
            r#"\"width\":64"#,
            "should be F32 [3, 64]",
        ),
        (r#"\"width\":48"#, r#"\"width\":47"#, "width is 47"),
        (r#"\"vocab\":300"#, r#"\"vocab\":301"#, "vocabulary"),
        (r#"\"kernel\":5"#, r#"\"kernel\":4"#, "kernel is 4"),
        (
            r#"\"blocks\":2"#,
            r#"\"blocks\":3"#,
            "lacks the tensor blocks.2",
        ),
        (r#""token.q""#, r#""tokem.q""#, "lacks the tensor token.q"),
        (r#"\"max_path\""#, r#"\"max_pats\""#, "max_path"),
        (r#""config""#, r#""confix""#, "no config"),
        (r#""dtype":"I8""#, r#""dtype":"U8""#, "should be I8"),
    ];
    let deep_cases = [
        (r#"\"heads\":3"#, r#"\"heads\":6"#, "heads is 6"),
        (
            r#"\"layers\":2"#,
            r#"\"layers\":3"#,
            "lacks the tensor layers.2",
        ),
        (r#"\"inner\":80"#, r#"\"inner\":96"#, "should be F32 [96]"),
        (
            r#"\"max_body\":256"#,
            r#"\"max_body\":257"#,
            "should be F32 [258, 96]",
        ),
        (
            r#"\"first\":2"#,
            r#"\"firsx\":2"#,
            "should be F32 [256, 96]",
        ),
        ("transformer", "transformes", "transformes"),
    ];
    let both = [(&FILES[0], &cases[..]), (&FILES[1], &deep_cases[..])];
    for (file, (from, to, want)) in both
        .into_iter()
        .flat_map(|(file, cases)| cases.iter().map(move |case| (file, *case)))
    {
        let message = changed(file, from, to);
        assert!(message.contains(want), "{from} as {to}: {message}");
    }
}

#[test]
fn a_part_of_a_file_is_refused() {
    let file = &FILES[0];
    for length in (0..file.len())
        .step_by(997)
        .chain([7, 8, 9, file.len() - 1])
    {
        let error = Model::from_bytes(file[..length].to_vec()).err();
        let is_format = matches!(error, Some(ModelError::Format(_)));
        assert!(is_format, "{length} bytes: {error:?}");
    }
}

proptest! {
    #[test]
    fn random_bytes_are_no_model(file in proptest::collection::vec(any::<u8>(), 0..300)) {
        prop_assert!(Model::from_bytes(file).is_err());
    }

    /// A damaged file is refused, or computes something.
    #[test]
    fn a_damaged_file_does_no_harm(
        changes in proptest::collection::vec((any::<proptest::sample::Index>(), any::<u8>()), 1..60),
        in_header in any::<bool>(),
        kind in 0..2usize,
    ) {
        let mut file = FILES[kind].clone();
        let range = if in_header { 2000 } else { file.len() };
        for (at, byte) in changes {
            file[at.index(range)] = byte;
        }
        if let Ok(model) = Model::from_bytes(file) {
            model.encode_query(&[word(7), word(8)].join(" "));
        }
    }

    #[test]
    fn any_text_is_a_query(text in any::<String>()) {
        let model = Model::from_bytes(include_bytes!("tiny.safetensors")).expect("a model");
        let query = model.encode_query(&text);
        prop_assert_eq!(query.weights.len() * 16, query.tokens.len());
        prop_assert!(query.vector.iter().all(|number| number.is_finite()));
    }
}
