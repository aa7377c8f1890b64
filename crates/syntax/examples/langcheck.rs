//! Tries out a language folder without rebuilding: reads its queries and
//! examples from disk and compares them with what is expected.
//!
//!     langcheck NAME…            check the examples of these languages
//!     langcheck --update NAME…   write what was found as the expectation
//!     langcheck --tree FILE      print the syntax tree of a file
//!     langcheck --show FILE      print the units, members and references of a file

#[path = "../tests/examples/mod.rs"]
mod examples;

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut words: Vec<String> = std::env::args().skip(1).collect();
    match words.first().map(String::as_str) {
        Some("--tree") => print_tree(&words[1]),
        Some("--show") => print_file(&words[1]),
        Some("--update") => return check(&words.split_off(1), true),
        _ => return check(&words, false),
    }
    ExitCode::SUCCESS
}

fn check(names: &[String], update: bool) -> ExitCode {
    let mut failed = false;
    for name in names {
        let checked = examples::check_language(name, update);
        for problem in &checked.problems {
            println!("{problem}");
        }
        println!(
            "{name}: {} examples, {} problems",
            checked.examples,
            checked.problems.len()
        );
        failed |= !checked.problems.is_empty() || checked.examples == 0;
    }
    ExitCode::from(u8::from(failed))
}

fn print_tree(file: &str) {
    let text = scent_syntax::text_of(file, std::fs::read(file).expect("a readable file"));
    let language = scent_syntax::detect(file, text.as_bytes()).expect("a known language");
    println!("{}", scent_syntax::tree(language, &text));
}

fn print_file(file: &str) {
    let text = scent_syntax::text_of(file, std::fs::read(file).expect("a readable file"));
    let language = scent_syntax::detect(file, text.as_bytes()).expect("a known language");
    let queries = examples::queries_from_disk(language.id).expect("queries that compile");
    let path = Path::new(file);
    println!(
        "{}",
        examples::describe_units(language, &queries, path, &text)
    );
    println!("{}", examples::describe_members(language, &queries, &text));
    println!(
        "{}",
        examples::describe_references(language, &queries, &text)
    );
}
