//! Model files with random weights, of any size.

use serde_json::{Value, json};

/// The numbers of a config that decide its shapes.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    pub vocab: usize,
    pub width: usize,
    pub tokens: usize,
    pub vector: usize,
    pub layers: Layers,
}

/// Those that differ between the kinds of networks.
#[derive(Clone, Copy, Debug)]
pub enum Layers {
    Convolution {
        hidden: usize,
        blocks: usize,
        kernel: usize,
        query_blocks: usize,
    },
    Transformer {
        layers: usize,
        inner: usize,
    },
}

/// The tokens of a body, a path and a query that are read.
const LIMITS: [usize; 3] = [256, 24, 48];

/// What transformers read first.
const FIRST: usize = 2;

/// The letters of a piece; no piece is the beginning of another.
pub fn word(id: usize) -> String {
    let letter = |n: usize| char::from(b'a' + n as u8);
    let digits = [id / 17576 % 26, id / 676 % 26, id / 26 % 26, id % 26];
    digits.into_iter().map(letter).collect()
}

/// The lines of a vocabulary: words, and from the middle on continuations.
fn lines(vocab: usize) -> String {
    let line = |id| {
        if id < vocab / 2 {
            word(id)
        } else {
            format!("##{}", word(id))
        }
    };
    let lines = ["[PAD]".into(), "[UNK]".into()]
        .into_iter()
        .chain((2..vocab).map(line));
    lines.collect::<Vec<String>>().join("\n")
}

/// The bytes of a model file.
pub fn bytes(shape: Shape, seed: u64) -> Vec<u8> {
    let mut file = Writer {
        random: fastrand::Rng::with_seed(seed),
        ..Writer::default()
    };
    let Shape {
        vocab,
        width,
        tokens,
        vector,
        layers,
    } = shape;
    file.add("vocab", "U8", &[], lines(vocab).as_bytes());
    file.weights("embed", vocab, width, 0.02);
    file.floats("side", &[3, width], 0.0, 0.02);
    let own = match layers {
        Layers::Convolution { .. } => file.convolution(shape),
        Layers::Transformer { .. } => file.transformer(shape),
    };
    file.norm("norm", width);
    file.floats("pool", &[3, width], 0.0, 0.2);
    file.weights("token", tokens, width, (width as f32).powf(-0.5));
    file.floats("weight.weight", &[width], 0.0, 0.2);
    file.floats("weight.bias", &[1], 1.0, 0.0);
    let [max_body, max_path, max_query] = LIMITS;
    let mut config = json!({
        "name": "random", "vocab": vocab, "width": width, "tokens": tokens, "vector": vector,
        "max_body": max_body, "max_path": max_path, "max_query": max_query,
    });
    let (all, own) = (config.as_object_mut(), own.as_object().cloned());
    all.expect("an object").extend(own.expect("an object"));
    file.finish(config)
}

/// Writes the safetensors layout.
#[derive(Default)]
struct Writer {
    header: serde_json::Map<String, Value>,
    data: Vec<u8>,
    random: fastrand::Rng,
}

impl Writer {
    fn add(&mut self, name: &str, kind: &str, shape: &[usize], bytes: &[u8]) {
        let start = self.data.len();
        self.data.extend_from_slice(bytes);
        let shape = if shape.is_empty() {
            &[bytes.len()]
        } else {
            shape
        };
        let about =
            json!({"dtype": kind, "shape": shape, "data_offsets": [start, self.data.len()]});
        self.header.insert(name.to_owned(), about);
    }

    /// Numbers of about this size around a mean.
    fn floats(&mut self, name: &str, shape: &[usize], mean: f32, size: f32) {
        let count: usize = shape.iter().product();
        let numbers: Vec<f32> = (0..count).map(|_| mean + size * self.normal()).collect();
        let bytes: Vec<u8> = numbers
            .iter()
            .flat_map(|number| number.to_le_bytes())
            .collect();
        self.add(name, "F32", shape, &bytes);
    }

    /// Bytes, and scales that give the weights about this size.
    fn weights(&mut self, name: &str, outputs: usize, inputs: usize, size: f32) {
        let bytes: Vec<u8> = (0..outputs * inputs)
            .map(|_| self.random.i8(-127..=127) as u8)
            .collect();
        self.add(&format!("{name}.q"), "I8", &[outputs, inputs], &bytes);
        self.floats(
            &format!("{name}.scale"),
            &[outputs],
            size / 73.0,
            size / 700.0,
        );
    }

    fn norm(&mut self, name: &str, width: usize) {
        self.floats(&format!("{name}.weight"), &[width], 1.0, 0.2);
        self.floats(&format!("{name}.bias"), &[width], 0.0, 0.2);
    }

    /// The layers of a convolution, and what a config says of them alone.
    fn convolution(&mut self, shape: Shape) -> Value {
        let Shape {
            width,
            vector,
            layers,
            ..
        } = shape;
        let Layers::Convolution {
            hidden,
            blocks,
            kernel,
            query_blocks,
        } = layers
        else {
            panic!("a convolution");
        };
        let own = (0..query_blocks).map(|i| format!("query_blocks.{i}"));
        for name in (0..blocks).map(|i| format!("blocks.{i}")).chain(own) {
            self.norm(&format!("{name}.norm"), width);
            self.weights(
                &format!("{name}.inner"),
                2 * hidden,
                width,
                (width as f32).powf(-0.5),
            );
            self.floats(&format!("{name}.conv.weight"), &[kernel, hidden], 0.0, 0.5);
            self.floats(&format!("{name}.conv.bias"), &[hidden], 0.0, 0.5);
            self.weights(
                &format!("{name}.out"),
                width,
                hidden,
                (hidden as f32).powf(-0.5),
            );
        }
        self.weights("vector", 3 * vector, width, (width as f32).powf(-0.5));
        json!({
            "hidden": hidden, "blocks": blocks, "kernel": kernel, "query_blocks": query_blocks,
            "query_hidden": hidden,
        })
    }

    /// The same of a transformer.
    fn transformer(&mut self, shape: Shape) -> Value {
        let Shape {
            width,
            vector,
            layers,
            ..
        } = shape;
        let Layers::Transformer { layers, inner } = layers else {
            panic!("a transformer")
        };
        self.floats("position", &[1 + LIMITS[0], width], 0.0, 0.02);
        for name in (0..layers).map(|i| format!("layers.{i}")) {
            let square = ["query", "key", "value", "out"].map(|part| (part, width, width));
            let rest = [("up", inner, width), ("down", width, inner)];
            for (part, outputs, inputs) in square.into_iter().chain(rest) {
                let part = format!("{name}.{part}");
                self.weights(&part, outputs, inputs, (inputs as f32).powf(-0.5));
                self.floats(&format!("{part}.bias"), &[outputs], 0.0, 0.1);
            }
            for (part, inputs) in [("", width), (".up", width), (".down", inner)] {
                self.floats(&format!("{name}{part}.factors"), &[inputs], 1.0, 0.1);
            }
            self.norm(&format!("{name}.attention_norm"), width);
            self.norm(&format!("{name}.norm"), width);
        }
        self.floats(
            "vector",
            &[3, vector, width],
            0.0,
            (width as f32).powf(-0.5),
        );
        json!({
            "network": "transformer", "layers": layers, "heads": width / 32, "inner": inner,
            "eps": 1e-12, "first": FIRST,
        })
    }

    /// Roughly normally distributed.
    fn normal(&mut self) -> f32 {
        (0..6).map(|_| self.random.f32() - 0.5).sum::<f32>() * std::f32::consts::SQRT_2
    }

    fn finish(mut self, config: Value) -> Vec<u8> {
        let metadata = json!({"config": config.to_string()});
        self.header.insert("__metadata__".into(), metadata);
        let header = Value::Object(self.header).to_string();
        let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
        bytes.extend_from_slice(header.as_bytes());
        bytes.extend_from_slice(&self.data);
        bytes
    }
}
