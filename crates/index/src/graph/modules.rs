//! Which files an import means, language by language.

use super::paths::{FileNo, Paths, folder, joined};
use crate::facts::ImportRef;

/// How a language finds what an import names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    Python,
    /// JavaScript, TypeScript and what embeds them.
    Script,
    Go,
    Rust,
    /// Java, Kotlin, Scala.
    Package,
    /// C and C++.
    Include,
    Ruby,
    Php,
    Haskell,
    Lua,
    Zig,
    Dart,
    Shell,
    /// Others: only names tell.
    Names,
}

impl Style {
    pub fn of(language: &str) -> Style {
        match language {
            "python" => Style::Python,
            "javascript" | "typescript" | "tsx" | "vue" | "svelte" | "html" => Style::Script,
            "go" => Style::Go,
            "rust" => Style::Rust,
            "java" | "kotlin" | "scala" => Style::Package,
            "c" | "cpp" => Style::Include,
            "ruby" => Style::Ruby,
            "php" => Style::Php,
            "haskell" => Style::Haskell,
            "lua" => Style::Lua,
            "zig" => Style::Zig,
            "dart" => Style::Dart,
            "bash" => Style::Shell,
            _ => Style::Names,
        }
    }

    /// Whether a plain name is either defined in the file, imported, or
    /// nothing of this repository.
    pub fn imports_names(self) -> bool {
        use Style::*;
        matches!(self, Python | Script | Go | Rust | Haskell | Lua | Zig)
    }

    /// Whether files of one folder see each other's names.
    pub fn shares_folder(self) -> bool {
        matches!(self, Style::Go | Style::Package | Style::Php | Style::Names)
    }

    /// Whether an import brings all names of what it names.
    pub fn imports_all(self) -> bool {
        matches!(self, Style::Include | Style::Ruby | Style::Shell | Style::Haskell | Style::Dart)
    }
}

const SCRIPT: [&str; 12] =
    ["ts", "tsx", "d.ts", "js", "jsx", "mjs", "cjs", "mts", "cts", "json", "vue", "svelte"];
const HEADERS: [&str; 8] = ["h", "hpp", "hh", "hxx", "c", "cc", "cpp", "inc"];

/// The files that an import in a file means; none where it is another's.
pub(super) fn files(paths: &Paths, style: Style, from: &str, import: &ImportRef) -> Vec<FileNo> {
    let (module, name) = (import.module, import.name);
    match style {
        Style::Python => python(paths, from, module, name),
        Style::Script => script(paths, from, module).into_iter().collect(),
        Style::Go => go(paths, module),
        Style::Rust => rust(paths, from, module, name),
        Style::Package => package(paths, from, module, name),
        Style::Include => include(paths, from, module),
        Style::Ruby => ruby(paths, from, module),
        Style::Php => php(paths, from, module, name),
        Style::Haskell => paths.ending(&module.replace('.', "/"), &["hs", "lhs"], from),
        Style::Lua => lua(paths, from, module),
        Style::Zig | Style::Dart | Style::Shell => relative(paths, from, module),
        Style::Names => Vec::new(),
    }
}

fn python(paths: &Paths, from: &str, module: &str, name: &str) -> Vec<FileNo> {
    let rest = module.trim_start_matches('.');
    let dots = module.len() - rest.len();
    let inside = rest.replace('.', "/");
    let within = |path: &str| {
        let path = path.trim_matches('/');
        let sub = format!("{path}/{name}");
        let whole = paths.first(["py", "pyi", "pyx"].map(|e| format!("{path}.{e}")));
        let package = || paths.first(["py", "pyi"].map(|e| format!("{path}/__init__.{e}")));
        // A name may be a module of the package.
        let named = || match name.is_empty() || name == "*" {
            true => None,
            false => paths
                .first(["py", "pyi"].map(|e| format!("{sub}.{e}")))
                .or_else(|| paths.first([format!("{sub}/__init__.py")])),
        };
        named().or(whole).or_else(package)
    };
    if dots > 0 {
        let up = "../".repeat(dots - 1);
        let base = joined(folder(from), &format!("{up}{inside}"));
        return base.and_then(|base| within(&base)).into_iter().collect();
    }
    let sub = format!("{inside}/{name}");
    let wanted = if name.is_empty() || name == "*" { vec![inside] } else { vec![sub, inside] };
    for end in wanted {
        let found = paths.ending(&end, &["py", "pyi", "pyx"], from);
        if !found.is_empty() {
            return found;
        }
        let found = paths.ending(&format!("{end}/__init__"), &["py", "pyi"], from);
        if !found.is_empty() {
            return found;
        }
    }
    Vec::new()
}

fn script(paths: &Paths, from: &str, module: &str) -> Option<FileNo> {
    if !module.starts_with('.') {
        return None;
    }
    let path = joined(folder(from), module)?;
    let with = |path: &str| SCRIPT.map(|extension| format!("{path}.{extension}"));
    let index = if path.is_empty() { "index".to_owned() } else { format!("{path}/index") };
    let exact = paths.at(&path).or_else(|| paths.first(with(&path)));
    // `./x.js` may be written as `x.ts`.
    let other = || paths.first(with(path.rsplit_once('.')?.0));
    exact.or_else(other).or_else(|| paths.first(with(&index)))
}

/// All files of the folder that the end of a path names.
fn go(paths: &Paths, module: &str) -> Vec<FileNo> {
    let mut end = module;
    loop {
        // The longest end of the path that is a folder of this repository.
        let files: Vec<FileNo> = paths
            .in_folder(end)
            .iter()
            .copied()
            .filter(|&file| paths.path(file).ends_with(".go"))
            .filter(|&file| !paths.path(file).ends_with("_test.go"))
            .collect();
        if !files.is_empty() {
            return files;
        }
        match end.split_once('/') {
            Some((_, rest)) => end = rest,
            None => return Vec::new(),
        }
    }
}

/// The deepest module on a path that is a file.
fn rust(paths: &Paths, from: &str, module: &str, name: &str) -> Vec<FileNo> {
    let whole = if name.is_empty() { module.to_owned() } else { format!("{module}::{name}") };
    let mut parts: Vec<&str> = whole.split("::").filter(|part| !part.is_empty()).collect();
    let Some(first) = parts.first().copied() else { return Vec::new() };
    let (own, root) = rust_folders(from);
    let mut base = match first {
        "crate" => root,
        "self" => own,
        "super" => folder(&own).to_owned(),
        _ => own,
    };
    if ["crate", "self", "super"].contains(&first) {
        parts.remove(0);
    }
    while parts.first() == Some(&"super") {
        parts.remove(0);
        base = folder(&base).to_owned();
    }
    let at = |parts: &[&str]| {
        let path = joined(&base, &parts.join("/"))?;
        paths.first([format!("{path}.rs"), format!("{path}/mod.rs")])
    };
    let deepest = (1..=parts.len()).rev().find_map(|count| at(&parts[..count]));
    let here = || {
        let roots = ["lib.rs", "main.rs", "mod.rs"].map(|file| format!("{base}/{file}"));
        let root = paths.first(roots).or_else(|| paths.at(&format!("{base}.rs")));
        root.filter(|_| ["crate", "self", "super"].contains(&first))
    };
    deepest.or_else(here).into_iter().collect()
}

/// The folder of a file's own submodules, and that of its crate.
fn rust_folders(path: &str) -> (String, String) {
    let own = match path.rsplit('/').next() {
        Some("mod.rs" | "lib.rs" | "main.rs") => folder(path).to_owned(),
        _ => path.trim_end_matches(".rs").to_owned(),
    };
    let root = match path.rfind("src/") {
        Some(at) => path[..at + 3].to_owned(),
        None => folder(path).to_owned(),
    };
    (own, root)
}

fn package(paths: &Paths, from: &str, module: &str, name: &str) -> Vec<FileNo> {
    const EXTENSIONS: [&str; 4] = ["java", "kt", "scala", "kts"];
    let everything = ["*", "_"].contains(&name) || module.ends_with(".*");
    let module = module.trim_end_matches(".*");
    let end = match name.is_empty() || everything {
        true => module.replace('.', "/"),
        false => format!("{module}.{name}").replace('.', "/"),
    };
    if everything {
        let folders = paths.folders_ending(&end);
        return folders.into_iter().flat_map(|f| paths.in_folder(f)).copied().collect();
    }
    let mut end = end.as_str();
    loop {
        let found = paths.ending(end, &EXTENSIONS, from);
        if !found.is_empty() {
            return found;
        }
        // A member of a class, or a class in a file of another name.
        let Some((package, _)) = end.rsplit_once('/').filter(|(p, _)| p.contains('/')) else {
            return Vec::new();
        };
        let folders = paths.folders_ending(package);
        if !folders.is_empty() {
            return folders.into_iter().flat_map(|f| paths.in_folder(f)).copied().collect();
        }
        end = package;
    }
}

fn include(paths: &Paths, from: &str, module: &str) -> Vec<FileNo> {
    let near = joined(folder(from), module).and_then(|path| paths.at(&path));
    if let Some(near) = near {
        return vec![near];
    }
    let Some((end, extension)) = module.rsplit_once('.') else { return Vec::new() };
    match HEADERS.contains(&extension) {
        true => paths.ending(end.trim_start_matches("../"), &[extension], from),
        false => Vec::new(),
    }
}

fn ruby(paths: &Paths, from: &str, module: &str) -> Vec<FileNo> {
    let module = module.trim_end_matches(".rb");
    let near = joined(folder(from), &format!("{module}.rb")).and_then(|path| paths.at(&path));
    let beside = near.filter(|_| module.starts_with('.') || !module.contains('/'));
    match beside {
        Some(file) => vec![file],
        None => paths.ending(module.trim_start_matches("./"), &["rb"], from),
    }
}

/// The class of a namespace; what the namespace begins with is often left out
/// of the path.
fn php(paths: &Paths, from: &str, module: &str, name: &str) -> Vec<FileNo> {
    if module.contains('/') || module.ends_with(".php") {
        return relative(paths, from, module.trim_start_matches('/'));
    }
    let whole = if name.is_empty() { module.to_owned() } else { format!("{module}\\{name}") };
    let whole = whole.trim_start_matches('\\').replace('\\', "/");
    let mut end = whole.as_str();
    loop {
        let found = paths.ending(end, &["php"], from);
        if !found.is_empty() {
            return found;
        }
        match end.split_once('/') {
            Some((_, rest)) => end = rest,
            None => return Vec::new(),
        }
    }
}

fn lua(paths: &Paths, from: &str, module: &str) -> Vec<FileNo> {
    let path = module.replace('.', "/");
    let found = paths.ending(&path, &["lua"], from);
    match found.is_empty() {
        true => paths.ending(&format!("{path}/init"), &["lua"], from),
        false => found,
    }
}

fn relative(paths: &Paths, from: &str, module: &str) -> Vec<FileNo> {
    let path = joined(folder(from), module);
    path.and_then(|path| paths.at(&path)).into_iter().collect()
}
