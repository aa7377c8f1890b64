//! What files that describe a project say of the names it is imported by.

use jsonc_parser::{ParseOptions, parse_to_serde_value};
use scent_types::Root;
use serde_json::Value;
use toml::Table;

/// The roots that a file declares, by its name; none where it is no manifest
/// or says nothing.
pub fn roots(path: &str, text: &str) -> Vec<Root> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let found = match name {
        "package.json" => package_json(text),
        "tsconfig.json" | "jsconfig.json" | "tsconfig.base.json" => tsconfig(text),
        "composer.json" => composer(text),
        "go.mod" => go_mod(text),
        "Cargo.toml" => cargo(text),
        "pubspec.yaml" => pubspec(text),
        "build.zig" => build_zig(text),
        _ => None,
    };
    found.unwrap_or_default()
}

fn root(name: &str, path: &str) -> Root {
    let path = path.trim_start_matches("./").trim_end_matches('/');
    Root {
        name: name.to_owned(),
        path: path.to_owned(),
    }
}

fn package_json(text: &str) -> Option<Vec<Root>> {
    let all: Value = serde_json::from_str(text).ok()?;
    let name = all.get("name")?.as_str()?;
    let entry = ["source", "module", "main"]
        .iter()
        .find_map(|key| all.get(key)?.as_str());
    let mut roots = vec![root(&format!("{name}/*"), "*")];
    // What is built may not be there: the source often is.
    let entries = entry.into_iter().chain(["index", "src/index"]);
    roots.extend(entries.rev().map(|entry| root(name, entry)));
    roots.reverse();
    Some(roots)
}

/// TypeScript's own files may have comments and trailing commas.
fn tsconfig(text: &str) -> Option<Vec<Root>> {
    let all: Value = parse_to_serde_value(text, &ParseOptions::default()).ok()?;
    let options = all.get("compilerOptions")?;
    let base = options.get("baseUrl").and_then(Value::as_str).unwrap_or("");
    let base = base.trim_start_matches("./").trim_end_matches('/');
    let inside = |path: &str| match base {
        "" | "." => path.to_owned(),
        base => format!("{base}/{}", path.trim_start_matches("./")),
    };
    let mut roots = Vec::new();
    let paths = options.get("paths").and_then(Value::as_object);
    for (name, targets) in paths.into_iter().flatten() {
        for target in strings(targets) {
            roots.push(root(name, &inside(target)));
        }
    }
    if options.get("baseUrl").is_some() {
        roots.push(root("*", &inside("*")));
    }
    Some(roots)
}

/// The strings in a list.
fn strings(list: &Value) -> impl Iterator<Item = &str> {
    list.as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
}

fn composer(text: &str) -> Option<Vec<Root>> {
    let all: Value = serde_json::from_str(text).ok()?;
    let mut roots = Vec::new();
    for key in ["autoload", "autoload-dev"] {
        let namespaces = all.get(key).and_then(|autoload| autoload.get("psr-4"));
        let namespaces = namespaces.and_then(Value::as_object);
        for (name, folders) in namespaces.into_iter().flatten() {
            for folder in folders.as_str().into_iter().chain(strings(folders)) {
                roots.push(root(name, folder));
            }
        }
    }
    Some(roots)
}

fn go_mod(text: &str) -> Option<Vec<Root>> {
    let module = text
        .lines()
        .find_map(|line| line.trim().strip_prefix("module "))?;
    Some(vec![root(module.trim().trim_matches('"'), "")])
}

fn pubspec(text: &str) -> Option<Vec<Root>> {
    let name = text.lines().find_map(|line| line.strip_prefix("name:"))?;
    let name = name.trim().trim_matches(['"', '\'']);
    Some(vec![root(&format!("package:{name}"), "lib")])
}

/// Modules that are made under a name, and those that are given one later:
/// `b.addModule("shop", .{ .root_source_file = b.path("src/shop.zig") })` and
/// `exe.root_module.addImport("shop", made)`.
fn build_zig(text: &str) -> Option<Vec<Root>> {
    let quoted = |text: &str| text.split('"').nth(1).map(str::to_owned);
    let source = |statement: &str| quoted(statement.split_once("root_source_file")?.1);
    let statements = || text.split(';');
    let made_as = |variable: &str| {
        let is_it = |s: &&str| s.trim_start().starts_with(&format!("const {variable} ="));
        source(statements().find(is_it)?)
    };
    let added = statements().filter_map(|statement| {
        let (_, rest) = statement.split_once(".addModule(")?;
        Some(root(&quoted(rest)?, &source(rest)?))
    });
    let imported = statements().filter_map(|statement| {
        let (name, rest) = statement.split_once(".addImport(")?.1.split_once(',')?;
        Some(root(
            &quoted(name)?,
            &made_as(rest.trim().trim_end_matches(')'))?,
        ))
    });
    Some(added.chain(imported).collect())
}

/// The name of the library, as code writes it.
fn cargo(text: &str) -> Option<Vec<Root>> {
    let all: Table = text.parse().ok()?;
    let value = |table: &str, key: &str| all.get(table)?.get(key)?.as_str();
    let package = value("package", "name")?;
    let library = value("lib", "name").unwrap_or(package);
    let path = value("lib", "path").unwrap_or("src/lib.rs");
    let (folder, _) = path.rsplit_once('/').unwrap_or(("src", ""));
    Some(vec![root(&library.replace('-', "_"), folder)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn manifests_say_how_they_are_imported() {
        type Case = (
            &'static str,
            &'static str,
            &'static [(&'static str, &'static str)],
        );
        let cases: &[Case] = &[
            (
                "a/package.json",
                r#"{"name": "@x/y", "main": "./lib/i.js"}"#,
                &[
                    ("@x/y", "lib/i.js"),
                    ("@x/y", "index"),
                    ("@x/y", "src/index"),
                    ("@x/y/*", "*"),
                ],
            ),
            ("package.json", "{", &[]),
            (
                "tsconfig.json",
                "{ // c\n \"compilerOptions\": {\"baseUrl\": \"./src\", /* , */ \"paths\": {\"@/*\": [\"*\"],},},}",
                &[("@/*", "src/*"), ("*", "src/*")],
            ),
            (
                "composer.json",
                r#"{"autoload": {"psr-4": {"App\\": "src/", "B\\": ["b", "c/"]}}}"#,
                &[("App\\", "src"), ("B\\", "b"), ("B\\", "c")],
            ),
            (
                "go.mod",
                "// x\nmodule example.com/a\n\ngo 1.22\n",
                &[("example.com/a", "")],
            ),
            (
                "Cargo.toml",
                "[package]\nname = \"a-b\"\n\n[dependencies]\nname = \"no\"\n",
                &[("a_b", "src")],
            ),
            (
                "Cargo.toml",
                "package = { name = 'a' }\n[lib] # c\nname = 'b-c'\npath = 'lib/b.rs'\n",
                &[("b_c", "lib")],
            ),
            ("Cargo.toml", "[workspace]\nmembers = [\"a\"]\n", &[]),
            (
                "jsconfig.json",
                r#"{"compilerOptions": {"paths": {"a//b": ["./x,}/*"]}}}"#,
                &[("a//b", "x,}/*")],
            ),
            (
                "build.zig",
                "pub fn build(b: *std.Build) void {\n\
                 _ = b.addModule(\"shop\", .{ .root_source_file = b.path(\"src/a.zig\") });\n\
                 const made = b.createModule(.{ .root_source_file = b.path(\"src/b.zig\") });\n\
                 exe.root_module.addImport(\"fees\", made);\n\
                 exe.root_module.addImport(\"far\", b.dependency(\"far\", .{}).module(\"far\"));\n}",
                &[("shop", "src/a.zig"), ("fees", "src/b.zig")],
            ),
            ("readme.md", "module x\n", &[]),
        ];
        for (path, text, expected) in cases {
            let found = roots(path, text);
            let found: Vec<(&str, &str)> = found
                .iter()
                .map(|root| (root.name.as_str(), root.path.as_str()))
                .collect();
            assert_eq!(found, *expected, "{path}");
        }
    }

    /// What is nested without end would exhaust the stack.
    #[test]
    fn deep_nesting_is_refused() {
        let lists = "[".repeat(100_000);
        let objects = r#"{"compilerOptions":"#.repeat(100_000);
        for text in [lists.as_str(), &objects, &format!("a = {lists}")] {
            for path in ["package.json", "tsconfig.json", "Cargo.toml"] {
                assert!(roots(path, text).is_empty(), "{path}");
            }
        }
    }
}
