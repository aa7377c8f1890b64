//! Model files with random weights, of any size.

use serde_json::{Value, json};

/// The numbers of a config that decide its shapes.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    pub vocab: usize,
    pub width: usize,
    pub hidden: usize,
    pub blocks: usize,
    pub kernel: usize,
    pub tokens: usize,
    pub vector: usize,
    pub query_blocks: usize,
}

/// The letters of a piece; no piece is the beginning of another.
pub fn word(id: usize) -> String {
    let letter = |n: usize| char::from(b'a' + n as u8);
    let digits = [id / 17576 % 26, id / 676 % 26, id / 26 % 26, id % 26];
    digits.into_iter().map(letter).collect()
}

/// The lines of a vocabulary: words, and from the middle on continuations.
fn lines(vocab: usize) -> String {
    let line = |id| if id < vocab / 2 { word(id) } else { format!("##{}", word(id)) };
    let lines = ["[PAD]".into(), "[UNK]".into()].into_iter().chain((2..vocab).map(line));
    lines.collect::<Vec<String>>().join("\n")
}

/// The bytes of a model file.
pub fn bytes(shape: Shape, seed: u64) -> Vec<u8> {
    let mut file = Writer { random: fastrand::Rng::with_seed(seed), ..Writer::default() };
    let Shape { vocab, width, hidden, blocks, kernel, tokens, vector, query_blocks } = shape;
    file.add("vocab", "U8", &[], lines(vocab).as_bytes());
    file.weights("embed", vocab, width, 0.02);
    file.floats("side", &[3, width], 0.0, 0.02);
    let own = (0..query_blocks).map(|i| format!("query_blocks.{i}"));
    for name in (0..blocks).map(|i| format!("blocks.{i}")).chain(own) {
        file.norm(&format!("{name}.norm"), width);
        file.weights(&format!("{name}.inner"), 2 * hidden, width, (width as f32).powf(-0.5));
        file.floats(&format!("{name}.conv.weight"), &[kernel, hidden], 0.0, 0.5);
        file.floats(&format!("{name}.conv.bias"), &[hidden], 0.0, 0.5);
        file.weights(&format!("{name}.out"), width, hidden, (hidden as f32).powf(-0.5));
    }
    file.norm("norm", width);
    file.floats("pool", &[3, width], 0.0, 0.2);
    file.weights("vector", 3 * vector, width, (width as f32).powf(-0.5));
    file.weights("token", tokens, width, (width as f32).powf(-0.5));
    file.floats("weight.weight", &[width], 0.0, 0.2);
    file.floats("weight.bias", &[1], 1.0, 0.0);
    let config = json!({
        "name": "random", "vocab": vocab, "width": width, "hidden": hidden, "blocks": blocks,
        "kernel": kernel, "tokens": tokens, "vector": vector, "query_blocks": query_blocks,
        "query_hidden": hidden, "max_body": 256, "max_path": 24, "max_query": 48,
    });
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
        let shape = if shape.is_empty() { &[bytes.len()] } else { shape };
        let about =
            json!({"dtype": kind, "shape": shape, "data_offsets": [start, self.data.len()]});
        self.header.insert(name.to_owned(), about);
    }

    /// Numbers of about this size around a mean.
    fn floats(&mut self, name: &str, shape: &[usize], mean: f32, size: f32) {
        let count: usize = shape.iter().product();
        let numbers: Vec<f32> = (0..count).map(|_| mean + size * self.normal()).collect();
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        self.add(name, "F32", shape, &bytes);
    }

    /// Bytes, and scales that give the weights about this size.
    fn weights(&mut self, name: &str, outputs: usize, inputs: usize, size: f32) {
        let bytes: Vec<u8> =
            (0..outputs * inputs).map(|_| self.random.i8(-127..=127) as u8).collect();
        self.add(&format!("{name}.q"), "I8", &[outputs, inputs], &bytes);
        self.floats(&format!("{name}.scale"), &[outputs], size / 73.0, size / 700.0);
    }

    fn norm(&mut self, name: &str, width: usize) {
        self.floats(&format!("{name}.weight"), &[width], 1.0, 0.2);
        self.floats(&format!("{name}.bias"), &[width], 0.0, 0.2);
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
