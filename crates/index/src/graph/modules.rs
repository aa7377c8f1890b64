//! Which files an import means, language by language.

use super::paths::{FileNo, Paths, file_name, folder, joined};
use super::resolve::is_everything;
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
    Perl,
    Elixir,
    Swift,
    CSharp,
    OCaml,
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
            "perl" => Style::Perl,
            "elixir" => Style::Elixir,
            "swift" => Style::Swift,
            "csharp" => Style::CSharp,
            "ocaml" | "ocaml_interface" => Style::OCaml,
            _ => Style::Names,
        }
    }

    /// Whether a plain name is either defined in the file, imported, or
    /// nothing of this repository.
    pub fn imports_names(self) -> bool {
        use Style::*;
        matches!(self, Python | Script | Go | Rust | Haskell | Lua | Zig)
    }

    /// Whether an import that means no file here is certainly of elsewhere.
    pub fn knows_modules(self) -> bool {
        !matches!(
            self,
            Style::Names | Style::Include | Style::OCaml | Style::Swift
        )
    }

    /// Whether files of one folder see each other's names.
    pub fn shares_folder(self) -> bool {
        use Style::*;
        matches!(self, Go | Package | Php | CSharp | Swift | Names)
    }

    /// Whether a file may pass on what it imports.
    pub fn passes_on(self) -> bool {
        use Style::*;
        !matches!(self, Go | Package | Php | CSharp | Swift | Perl | Elixir)
    }

    /// What of a folder tells the package of its files.
    pub fn package(self, folder: &str) -> &str {
        match self {
            // Tests are in the same package in another tree.
            Style::Package => {
                let below = PACKAGE_ROOTS
                    .iter()
                    .find_map(|root| folder.rsplit_once(root));
                below.map_or(folder, |(_, package)| package)
            }
            // A module is a folder with all that is below it.
            Style::Swift => match folder.split_once("Sources/") {
                Some((_, below)) => {
                    let rest = below.find('/').map_or(0, |at| below.len() - at);
                    &folder[..folder.len() - rest]
                }
                None => folder,
            },
            _ => folder,
        }
    }

    /// Whether an import brings all names of what it names.
    pub fn imports_all(self) -> bool {
        use Style::*;
        matches!(
            self,
            Include | Ruby | Shell | Haskell | Dart | Perl | Swift | CSharp | OCaml | Elixir
        )
    }
}

/// Below these, folders are packages.
const PACKAGE_ROOTS: [&str; 3] = ["/java/", "/kotlin/", "/scala/"];

const SCRIPT: [&str; 12] = [
    "ts", "tsx", "d.ts", "js", "jsx", "mjs", "cjs", "mts", "cts", "json", "vue", "svelte",
];
const HEADERS: [&str; 8] = ["h", "hpp", "hh", "hxx", "c", "cc", "cpp", "inc"];

/// The files that an import in a file means; none where it is another's.
pub(super) fn files(paths: &Paths, style: Style, from: &str, import: &ImportRef) -> Vec<FileNo> {
    let (module, name) = (import.module, import.name);
    match style {
        Style::Python => python(paths, from, module, name),
        Style::Script => script(paths, from, module).into_iter().collect(),
        Style::Go => go(paths, from, module),
        Style::Rust => rust(paths, from, module, name),
        Style::Package => package(paths, from, module, name),
        Style::Include => include(paths, from, module),
        Style::Ruby => ruby(paths, from, module),
        Style::Php => php(paths, from, module, name),
        Style::Haskell => paths.ending(&module.replace('.', "/"), &["hs", "lhs"], from),
        Style::Lua => lua(paths, from, module),
        Style::Zig | Style::Dart => named_or_relative(paths, from, module),
        Style::Shell => shell(paths, from, module),
        Style::Perl => paths.ending(&module.replace("::", "/"), &["pm"], from),
        Style::Elixir => elixir(paths, from, module, name),
        Style::Swift => paths.below(module.split('.').next().unwrap_or(module)),
        Style::CSharp => csharp(paths, from, module, name),
        Style::OCaml => ocaml(paths, from, module),
        Style::Names => Vec::new(),
    }
}

/// The path of what is taken from a module.
fn whole(module: &str, separator: &str, name: &str) -> String {
    let separator = if name.is_empty() { "" } else { separator };
    format!("{module}{separator}{name}")
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
    let wanted = if name.is_empty() || name == "*" {
        vec![inside]
    } else {
        vec![sub, inside]
    };
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
        let meant = paths.meant(module, '/', from);
        return meant.into_iter().find_map(|path| script_at(paths, &path));
    }
    script_at(paths, &joined(folder(from), module)?)
}

/// The file that a path without an extension, or a folder, stands for.
fn script_at(paths: &Paths, path: &str) -> Option<FileNo> {
    let with = |path: &str| SCRIPT.map(|extension| format!("{path}.{extension}"));
    let index = if path.is_empty() {
        "index".to_owned()
    } else {
        format!("{path}/index")
    };
    let exact = paths.at(path).or_else(|| paths.first(with(path)));
    // `./x.js` may be written as `x.ts`.
    let other = || paths.first(with(path.rsplit_once('.')?.0));
    exact.or_else(other).or_else(|| paths.first(with(&index)))
}

/// All files of the package.
fn go(paths: &Paths, from: &str, module: &str) -> Vec<FileNo> {
    let is_code = |file: &FileNo| {
        let path = paths.path(*file);
        path.ends_with(".go") && !path.ends_with("_test.go")
    };
    let package = |folder: String| -> Option<Vec<FileNo>> {
        let files: Vec<FileNo> = paths
            .in_folder(&folder)
            .iter()
            .copied()
            .filter(is_code)
            .collect();
        (!files.is_empty()).then_some(files)
    };
    paths
        .meant(module, '/', from)
        .into_iter()
        .find_map(package)
        .unwrap_or_default()
}

/// The deepest module on a path that is a file.
fn rust(paths: &Paths, from: &str, module: &str, name: &str) -> Vec<FileNo> {
    let whole = whole(module, "::", name);
    let mut parts: Vec<&str> = whole.split("::").filter(|part| !part.is_empty()).collect();
    let Some(first) = parts.first().copied() else {
        return Vec::new();
    };
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
    let deepest = (1..=parts.len())
        .rev()
        .find_map(|count| at(&parts[..count]));
    if deepest.is_none() && !["crate", "self", "super"].contains(&first) {
        return other_crate(paths, from, &parts).into_iter().collect();
    }
    let here = || {
        let roots = ["lib.rs", "main.rs", "mod.rs"].map(|file| format!("{base}/{file}"));
        let root = paths
            .first(roots)
            .or_else(|| paths.at(&format!("{base}.rs")));
        root.filter(|_| ["crate", "self", "super"].contains(&first))
    };
    deepest.or_else(here).into_iter().collect()
}

/// The deepest module of another crate of the repository.
fn other_crate(paths: &Paths, from: &str, parts: &[&str]) -> Option<FileNo> {
    let at = |count: usize| {
        let meant = paths.meant(&parts[..count].join("/"), '/', from);
        let file = |path: String| {
            let ends = ["", "/mod", "/lib", "/main"].map(|end| format!("{path}{end}.rs"));
            paths.first(ends)
        };
        meant.into_iter().find_map(file)
    };
    (1..=parts.len()).rev().find_map(at)
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
    let everything = is_everything(name) || module.ends_with(".*");
    let module = module.trim_end_matches(".*");
    let end = match name.is_empty() || everything {
        true => module.replace('.', "/"),
        false => format!("{module}.{name}").replace('.', "/"),
    };
    if everything {
        let folders = paths.folders_ending(&end);
        return folders
            .into_iter()
            .flat_map(|f| paths.in_folder(f))
            .copied()
            .collect();
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
            return folders
                .into_iter()
                .flat_map(|f| paths.in_folder(f))
                .copied()
                .collect();
        }
        end = package;
    }
}

/// By what a manifest calls it, or else by its path.
fn named_or_relative(paths: &Paths, from: &str, module: &str) -> Vec<FileNo> {
    let meant = paths.meant(module, '/', from).into_iter();
    let found = meant.filter_map(|path| paths.at(&path)).next();
    found.map_or_else(|| relative(paths, from, module), |file| vec![file])
}

/// A path that may begin with a variable for the folder of the script.
fn shell(paths: &Paths, from: &str, module: &str) -> Vec<FileNo> {
    let module = module.trim_matches('"');
    let rest = match module.starts_with('$') {
        true => module.split_once("/").map_or(module, |(_, rest)| rest),
        false => module,
    };
    // `$(dirname "$0")/x` and `${BASH_SOURCE%/*}/x` have a slash of their own.
    let rest = rest
        .rsplit_once(")/")
        .or_else(|| rest.rsplit_once("}/"))
        .map_or(rest, |(_, r)| r);
    let near = joined(folder(from), rest);
    let ends = ["", ".bash", ".sh"].map(|end| near.as_ref().map(|path| format!("{path}{end}")));
    if let Some(file) = ends.into_iter().flatten().find_map(|path| paths.at(&path)) {
        return vec![file];
    }
    let bare = rest.trim_start_matches("../").trim_start_matches("./");
    match bare.rsplit_once('.') {
        Some((end, extension)) => paths.ending(end, &[extension], from),
        None => Vec::new(),
    }
}

/// `Shop.PriceList` is in `shop/price_list.ex`.
fn elixir(paths: &Paths, from: &str, module: &str, name: &str) -> Vec<FileNo> {
    let whole = whole(module, ".", name);
    let snake = |part: &str| {
        let mut out = String::new();
        for (at, c) in part.char_indices() {
            if c.is_uppercase() && at > 0 {
                out.push('_');
            }
            out.extend(c.to_lowercase());
        }
        out
    };
    let parts: Vec<String> = whole.split('.').map(snake).collect();
    // A module may stand in the file of the one around it.
    let shortest = if parts.len() > 1 { 2 } else { 1 };
    (shortest..=parts.len())
        .rev()
        .map(|count| paths.ending(&parts[..count].join("/"), &["ex", "exs"], from))
        .find(|files| !files.is_empty())
        .unwrap_or_default()
}

/// The folder that a namespace is usually kept in, or the file of a class. What
/// a namespace begins with is often left out of the path.
fn csharp(paths: &Paths, from: &str, module: &str, name: &str) -> Vec<FileNo> {
    let whole = whole(module, ".", name);
    let whole = whole.trim_start_matches("global::").replace('.', "/");
    let mut end = whole.as_str();
    loop {
        let file = paths.ending(end, &["cs"], from);
        let folders = paths.folders_ending(end).into_iter();
        let inside: Vec<FileNo> = folders.flat_map(|f| paths.in_folder(f)).copied().collect();
        match (file.is_empty(), inside.is_empty(), end.split_once('/')) {
            (false, ..) => return file,
            (_, false, _) => return inside,
            (_, _, Some((_, rest))) => end = rest,
            _ => return Vec::new(),
        }
    }
}

/// A module is a file whose name begins with a small letter.
fn ocaml(paths: &Paths, from: &str, module: &str) -> Vec<FileNo> {
    let last = module.rsplit('.').next().unwrap_or(module);
    let mut chars = last.chars();
    let small: String = chars
        .next()
        .into_iter()
        .flat_map(char::to_lowercase)
        .chain(chars)
        .collect();
    // An interface stands for its module where there is nothing else.
    let module = paths.ending(&small, &["ml"], from);
    if module.is_empty() {
        paths.ending(&small, &["mli"], from)
    } else {
        module
    }
}

fn include(paths: &Paths, from: &str, module: &str) -> Vec<FileNo> {
    let near = joined(folder(from), module).and_then(|path| paths.at(&path));
    if let Some(near) = near {
        return vec![near];
    }
    let Some((end, extension)) = module.rsplit_once('.') else {
        return Vec::new();
    };
    if !HEADERS.contains(&extension) {
        return Vec::new();
    }
    let end = end.trim_start_matches("../");
    let mut found = paths.ending(end, &[extension], from);
    // A bare name is mostly one of the system's unless it lies where a
    // compiler is told to look.
    let is_root = |file: &FileNo| {
        let path = folder(paths.path(*file));
        ["include", "inc", "src", "lib", ""].contains(&file_name(path))
    };
    if !end.contains('/') {
        found.retain(is_root);
    }
    found
}

fn ruby(paths: &Paths, from: &str, module: &str) -> Vec<FileNo> {
    let module = module.trim_end_matches(".rb");
    let near = joined(folder(from), &format!("{module}.rb")).and_then(|path| paths.at(&path));
    let beside = near.filter(|_| module.starts_with('.') || !module.contains('/'));
    match beside {
        Some(file) => vec![file],
        None => {
            let end = module.trim_start_matches("./");
            let mut found = paths.ending(end, &["rb"], from);
            // What is required by name lies where Ruby looks, not anywhere.
            let is_root = |file: &FileNo| {
                let path = paths.path(*file).trim_end_matches(".rb");
                let before = path.strip_suffix(end).unwrap_or("").trim_end_matches('/');
                ["", "lib", "app", "src", "test", "spec"].contains(&file_name(before))
            };
            if !module.starts_with('.') {
                found.retain(is_root);
            }
            found
        }
    }
}

/// The class of a namespace; what the namespace begins with is often left out
/// of the path.
fn php(paths: &Paths, from: &str, module: &str, name: &str) -> Vec<FileNo> {
    if module.contains('/') || module.ends_with(".php") {
        return relative(paths, from, module.trim_start_matches('/'));
    }
    let whole = whole(module, "\\", name);
    let whole = whole.trim_start_matches('\\');
    let meant = paths.meant(whole, '\\', from).into_iter();
    if let Some(file) = meant
        .filter_map(|path| paths.at(&format!("{path}.php")))
        .next()
    {
        return vec![file];
    }
    // A function, or a namespace as a whole, has no file of its own name.
    let space = whole.rsplit_once('\\').map_or("", |(space, _)| space);
    let spaces = [format!("{whole}\\"), format!("{space}\\")];
    for folder in spaces.iter().flat_map(|name| paths.meant(name, '\\', from)) {
        let folder = folder.trim_end_matches('/').to_owned();
        let files = paths.in_folder(&folder);
        if !files.is_empty() {
            return files.to_vec();
        }
    }
    let whole = whole.replace('\\', "/");
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
