//! What a model makes of the lines of standard input, as lines of JSON:
//! `provider MODEL [LIBRARY]`, where MODEL is named as for `scent --model` and
//! LIBRARY is that of ONNX Runtime. The first line is also asked of all.

use scent_embed::{ModelSpec, Role, Scratch};
use std::error::Error;
use std::io::{self, Read};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut spec = ModelSpec::parse(&arguments.next().ok_or("which model?")?)?;
    let library = arguments.next();
    match &mut spec {
        ModelSpec::Folder { runtime, .. } => *runtime = library.map(Into::into),
        ModelSpec::OpenAi { key, .. } => *key = std::env::var("PROVIDER_KEY").ok(),
        ModelSpec::Deep { models } => *models = std::env::var_os("SCENT_MODELS").map(Into::into),
        ModelSpec::Shipped | ModelSpec::File(_) | ModelSpec::Ollama { .. } => {}
    }
    let model = scent_embed::open(&spec)?;
    eprintln!("{:?}", model.info());
    let mut input = String::new();
    io::stdin().read_to_string(&mut input)?;
    let texts: Vec<&str> = input.lines().collect();
    let asked = model.embed_query(texts.first().ok_or("no lines")?)?;
    for (text, kept) in texts.iter().zip(model.embed_documents(&texts, Role::Body)?) {
        let cosine: f32 = asked
            .vector
            .iter()
            .zip(&kept.vector)
            .map(|(a, b)| a * b)
            .sum();
        let score =
            |late: &scent_embed::LateQuery| late.score([&kept.codes, &[]], &mut Scratch::default());
        let late = asked.late.as_ref().map(score);
        let line = serde_json::json!({
            "text": text, "cosine": cosine, "late": late,
            "code_bytes": kept.codes.len(), "vector": kept.vector,
        });
        println!("{line}");
    }
    Ok(())
}
