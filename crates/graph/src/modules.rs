//! Which files an import names, style by style.

use crate::imports::is_everything;
use crate::paths::{FileNo, Paths, file_name, folder, joined};
use scent_index::ImportRef;
use scent_types::{ImportRules, ImportStyle};

/// What of a folder tells the package of its files.
pub(crate) fn package_of(style: ImportStyle, folder: &str) -> &str {
    match style {
        // Tests are in the same package in another tree.
        ImportStyle::Package => {
            let below = PACKAGE_ROOTS
                .iter()
                .find_map(|root| folder.rsplit_once(root));
            below.map_or(folder, |(_, package)| package)
        }
        // A module is a folder with all that is below it.
        ImportStyle::Folder => match folder.split_once("Sources/") {
            Some((_, below)) => {
                let rest = below.find('/').map_or(0, |at| below.len() - at);
                &folder[..folder.len() - rest]
            }
            None => folder,
        },
        _ => folder,
    }
}

/// Below these, folders are packages.
const PACKAGE_ROOTS: [&str; 3] = ["/java/", "/kotlin/", "/scala/"];

/// What a path of Node may end with.
const SCRIPT: [&str; 12] = [
    "ts", "tsx", "d.ts", "js", "jsx", "mjs", "cjs", "mts", "cts", "json", "vue", "svelte",
];
/// A folder with so many modules of the standard library is that library.
const LIBRARY: usize = 8;

/// The files that an import in a file names; none where it is another's.
pub(crate) fn files(
    paths: &Paths,
    rules: &ImportRules,
    from: &str,
    import: &ImportRef,
) -> Vec<FileNo> {
    let (module, name) = (import.module, import.name);
    match rules.style {
        ImportStyle::Names => Vec::new(),
        ImportStyle::Python => python(paths, rules, from, module, name),
        ImportStyle::Node => node(paths, from, module).into_iter().collect(),
        ImportStyle::Go => go(paths, from, module),
        ImportStyle::Rust => rust(paths, from, module, name),
        ImportStyle::Package => package(paths, from, module, name),
        ImportStyle::Include => include(paths, rules, from, module),
        ImportStyle::Ruby => ruby(paths, rules, from, module),
        ImportStyle::Php => php(paths, from, module, name),
        ImportStyle::Suffix => suffix(paths, rules, from, module),
        ImportStyle::Relative => named_or_relative(paths, from, module),
        ImportStyle::Shell => shell(paths, from, module),
        // A module inside of the one that says so.
        ImportStyle::Elixir if module.starts_with("__MODULE__") => {
            paths.at(from).into_iter().collect()
        }
        ImportStyle::Elixir => elixir(paths, from, module, name),
        ImportStyle::Folder => paths.below(module.split('.').next().unwrap_or(module)),
        ImportStyle::Namespace => namespace(paths, rules, from, &whole(module, ".", name)),
        ImportStyle::OCaml => ocaml(paths, from, module),
        ImportStyle::Place => place(paths, rules, from, module),
    }
}

/// The path of what is taken from a module.
fn whole(module: &str, separator: &str, name: &str) -> String {
    let separator = if name.is_empty() { "" } else { separator };
    format!("{module}{separator}{name}")
}

fn python(paths: &Paths, rules: &ImportRules, from: &str, module: &str, name: &str) -> Vec<FileNo> {
    let rest = module.trim_start_matches('.');
    let dots = module.len() - rest.len();
    let inside = rest.replace('.', "/");
    let name = if name == "*" { "" } else { name };
    if dots == 0 {
        return python_anywhere(paths, rules, from, inside, name);
    }
    let up = "../".repeat(dots - 1);
    let base = joined(folder(from), &format!("{up}{inside}"));
    let file = base.and_then(|base| python_at(paths, &base, name));
    file.into_iter().collect()
}

/// A name of a module at a path: a module in it, or else the module itself.
fn python_at(paths: &Paths, path: &str, name: &str) -> Option<FileNo> {
    let path = path.trim_matches('/');
    if !name.is_empty() {
        let sub = format!("{path}/{name}");
        let files = ["py", "pyi"].map(|extension| format!("{sub}.{extension}"));
        let package = format!("{sub}/__init__.py");
        if let Some(file) = paths.first(files.into_iter().chain([package])) {
            return Some(file);
        }
    }
    let files = ["py", "pyi", "pyx"].map(|extension| format!("{path}.{extension}"));
    let packages = ["py", "pyi"].map(|extension| format!("{path}/__init__.{extension}"));
    paths.first(files.into_iter().chain(packages))
}

fn python_anywhere(
    paths: &Paths,
    rules: &ImportRules,
    from: &str,
    inside: String,
    name: &str,
) -> Vec<FileNo> {
    let mut wanted = Vec::new();
    if !name.is_empty() {
        wanted.push(format!("{inside}/{name}"));
    }
    wanted.push(inside);
    for end in wanted {
        let package = format!("{end}/__init__");
        for (written, extensions) in [
            (&end, &["py", "pyi", "pyx"][..]),
            (&package, &["py", "pyi"]),
        ] {
            let begins = |root: &str| python_looks_in(paths, rules, from, root, &end);
            let found = paths.ending_below(written, extensions, from, begins);
            if !found.is_empty() {
                return found;
            }
        }
    }
    Vec::new()
}

/// Whether modules that are imported by their whole names begin in a folder. One
/// inside of a package has the name of the package before its own.
fn python_looks_in(
    paths: &Paths,
    rules: &ImportRules,
    from: &str,
    root: &str,
    module: &str,
) -> bool {
    let is_package = |folder: &str| {
        let files = ["py", "pyi"].map(|end| format!("{folder}/__init__.{end}"));
        paths.first(files).is_some()
    };
    if !root.is_empty() && is_package(root) {
        return false;
    }
    let is_nested = module.contains('/');
    if !is_nested && rules.standard.contains(&module) {
        return is_library(paths, rules, root);
    }
    let inside = joined(root, module).unwrap_or_default();
    let is_near = root.is_empty() || from.strip_prefix(root).is_some_and(|r| r.starts_with('/'));
    // A lone file far away is more likely somebody's script.
    is_near || is_nested || rules.roots.contains(&file_name(root)) || is_package(&inside)
}

/// Whether a folder holds the standard library of a language itself.
fn is_library(paths: &Paths, rules: &ImportRules, folder: &str) -> bool {
    let of_library = |&&file: &&FileNo| {
        let name = file_name(paths.path(file));
        let plain = name.rsplit_once('.').map_or(name, |(plain, _)| plain);
        rules.standard.contains(&plain) || rules.standard.contains(&name)
    };
    let files = paths.in_folder(folder).iter();
    files.filter(of_library).count() >= LIBRARY
}

fn node(paths: &Paths, from: &str, module: &str) -> Option<FileNo> {
    if !module.starts_with('.') {
        let named = paths.named_by_manifests(module, '/', from);
        return named.into_iter().find_map(|path| node_at(paths, &path));
    }
    node_at(paths, &joined(folder(from), module)?)
}

/// The file that a path without an extension, or a folder, stands for.
fn node_at(paths: &Paths, path: &str) -> Option<FileNo> {
    if let Some(file) = paths.at(path).or_else(|| with_extension(paths, path)) {
        return Some(file);
    }
    // `./x.js` may be written as `x.ts`.
    if let Some((stem, _)) = path.rsplit_once('.')
        && let Some(file) = with_extension(paths, stem)
    {
        return Some(file);
    }
    let slash = if path.is_empty() { "" } else { "/" };
    with_extension(paths, &format!("{path}{slash}index"))
}

fn with_extension(paths: &Paths, path: &str) -> Option<FileNo> {
    paths.first(SCRIPT.map(|extension| format!("{path}.{extension}")))
}

/// All files of the package.
fn go(paths: &Paths, from: &str, module: &str) -> Vec<FileNo> {
    for folder in paths.named_by_manifests(module, '/', from) {
        let mut files = paths.in_folder(&folder).to_vec();
        files.retain(|file| {
            let path = paths.path(*file);
            path.ends_with(".go") && !path.ends_with("_test.go")
        });
        if !files.is_empty() {
            return files;
        }
    }
    Vec::new()
}

/// The deepest module on a path that is a file.
fn rust(paths: &Paths, from: &str, module: &str, name: &str) -> Vec<FileNo> {
    let whole = whole(module, "::", name);
    let mut parts: Vec<&str> = whole.split("::").filter(|part| !part.is_empty()).collect();
    let Some(first) = parts.first().copied() else {
        return Vec::new();
    };
    let (own, root) = rust_folders(from);
    let (mut base, is_anchored) = match first {
        "crate" => (root, true),
        "self" => (own, true),
        "super" => (folder(&own).to_owned(), true),
        _ => (own, false),
    };
    if is_anchored {
        parts.remove(0);
    }
    while parts.first() == Some(&"super") {
        parts.remove(0);
        base = folder(&base).to_owned();
    }
    let file = match deepest_below(paths, &base, &parts) {
        Some(file) => Some(file),
        None if is_anchored => module_of_folder(paths, &base),
        None => other_crate(paths, from, &parts),
    };
    file.into_iter().collect()
}

fn deepest_below(paths: &Paths, base: &str, parts: &[&str]) -> Option<FileNo> {
    for count in (1..=parts.len()).rev() {
        let Some(path) = joined(base, &parts[..count].join("/")) else {
            continue;
        };
        let files = [format!("{path}.rs"), format!("{path}/mod.rs")];
        if let Some(file) = paths.first(files) {
            return Some(file);
        }
    }
    None
}

/// The file whose submodules lie in a folder.
fn module_of_folder(paths: &Paths, folder: &str) -> Option<FileNo> {
    let inside = ["lib.rs", "main.rs", "mod.rs"].map(|file| format!("{folder}/{file}"));
    let beside = format!("{folder}.rs");
    paths.first(inside.into_iter().chain([beside]))
}

/// The deepest module of another crate of the repository.
fn other_crate(paths: &Paths, from: &str, parts: &[&str]) -> Option<FileNo> {
    for count in (1..=parts.len()).rev() {
        for path in paths.named_by_manifests(&parts[..count].join("/"), '/', from) {
            let files = ["", "/mod", "/lib", "/main"].map(|end| format!("{path}{end}.rs"));
            if let Some(file) = paths.first(files) {
                return Some(file);
            }
        }
    }
    None
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
    if everything {
        let end = module.replace('.', "/");
        let inside = paths.in_folders(&paths.folders_ending(&end));
        // `import shop.Prices._` is of what an object holds.
        if inside.is_empty() {
            return paths.ending(&end, &EXTENSIONS, from);
        }
        return inside;
    }
    let end = whole(module, ".", name).replace('.', "/");
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
            return paths.in_folders(&folders);
        }
        end = package;
    }
}

/// By what a manifest calls it, or else by its path.
fn named_or_relative(paths: &Paths, from: &str, module: &str) -> Vec<FileNo> {
    match paths.first(paths.named_by_manifests(module, '/', from)) {
        Some(file) => vec![file],
        None => relative(paths, from, module),
    }
}

/// A path that may begin with a variable for the folder of the script.
fn shell(paths: &Paths, from: &str, module: &str) -> Vec<FileNo> {
    let rest = below_own_folder(module.trim_matches('"'));
    if let Some(near) = joined(folder(from), rest) {
        let files = ["", ".bash", ".sh"].map(|end| format!("{near}{end}"));
        if let Some(file) = paths.first(files) {
            return vec![file];
        }
    }
    let bare = rest.trim_start_matches("../").trim_start_matches("./");
    match bare.rsplit_once('.') {
        Some((end, extension)) => paths.ending(end, &[extension], from),
        None => Vec::new(),
    }
}

fn below_own_folder(module: &str) -> &str {
    let mut rest = module;
    if module.starts_with('$') {
        rest = module.split_once('/').map_or(module, |(_, rest)| rest);
    }
    // `$(dirname "$0")/x` and `${BASH_SOURCE%/*}/x` have a slash of their own.
    let after = rest.rsplit_once(")/").or_else(|| rest.rsplit_once("}/"));
    after.map_or(rest, |(_, rest)| rest)
}

/// `Shop.PriceList` is in `shop/price_list.ex`.
fn elixir(paths: &Paths, from: &str, module: &str, name: &str) -> Vec<FileNo> {
    let whole = whole(module, ".", name);
    let parts: Vec<String> = whole.split('.').map(snake_case).collect();
    // A module may stand in the file of the one around it.
    let shortest = if parts.len() > 1 { 2 } else { 1 };
    for count in (shortest..=parts.len()).rev() {
        let files = paths.ending(&parts[..count].join("/"), &["ex", "exs"], from);
        if !files.is_empty() {
            return files;
        }
    }
    Vec::new()
}

fn snake_case(name: &str) -> String {
    let mut snake = String::new();
    for (at, c) in name.char_indices() {
        if c.is_uppercase() && at > 0 {
            snake.push('_');
        }
        snake.extend(c.to_lowercase());
    }
    snake
}

/// The folder that a namespace is usually kept in, or the file of a class. What
/// a namespace begins with is often left out of the path.
fn namespace(paths: &Paths, rules: &ImportRules, from: &str, whole: &str) -> Vec<FileNo> {
    let whole = whole.trim_start_matches("global::").replace('.', "/");
    let mut end = whole.as_str();
    loop {
        let files = paths.ending(end, rules.extensions, from);
        if !files.is_empty() {
            return files;
        }
        let inside = paths.in_folders(&paths.folders_ending(end));
        if !inside.is_empty() {
            return inside;
        }
        match end.split_once('/') {
            Some((_, rest)) => end = rest,
            None => return Vec::new(),
        }
    }
}

/// A module is a file whose name begins with a small letter.
fn ocaml(paths: &Paths, from: &str, module: &str) -> Vec<FileNo> {
    let last = module.rsplit('.').next().unwrap_or(module);
    let mut chars = last.chars();
    let first = chars.next().into_iter().flat_map(char::to_lowercase);
    let small: String = first.chain(chars).collect();
    // An interface stands for its module where there is nothing else.
    let module = paths.ending(&small, &["ml"], from);
    if module.is_empty() {
        paths.ending(&small, &["mli"], from)
    } else {
        module
    }
}

fn include(paths: &Paths, rules: &ImportRules, from: &str, module: &str) -> Vec<FileNo> {
    let beside = relative(paths, from, module);
    if !beside.is_empty() {
        return beside;
    }
    let Some((end, extension)) = module.rsplit_once('.') else {
        return Vec::new();
    };
    if !rules.extensions.contains(&extension) {
        return Vec::new();
    }
    let end = end.trim_start_matches("../");
    let is_standard = rules.standard.contains(&module);
    let begins = |root: &str| !is_standard || is_library(paths, rules, root);
    let found = paths.ending_below(end, &[extension], from, begins);
    if found.len() < 2 || end.contains('/') {
        return found;
    }
    // Of several, those that lie where a compiler usually looks.
    let usual = |root: &str| begins(root) && rules.roots.contains(&file_name(root));
    let found = paths.ending_below(end, &[extension], from, usual);
    if found.len() == 1 { found } else { Vec::new() }
}

/// A path from the file, which begins with a dot, or from a folder of the load
/// path.
fn ruby(paths: &Paths, rules: &ImportRules, from: &str, module: &str) -> Vec<FileNo> {
    let module = module.trim_end_matches(".rb");
    if module.starts_with('.') {
        return relative(paths, from, &format!("{module}.rb"));
    }
    let is_root =
        |root: &str| rules.roots.contains(&file_name(root)) || paths.load_path().contains(root);
    paths.ending_below(module, rules.extensions, from, is_root)
}

/// The class of a namespace; what the namespace begins with is often left out
/// of the path.
fn php(paths: &Paths, from: &str, module: &str, name: &str) -> Vec<FileNo> {
    if module.contains('/') || module.ends_with(".php") {
        return relative(paths, from, module.trim_start_matches('/'));
    }
    let whole = whole(module, "\\", name);
    let whole = whole.trim_start_matches('\\');
    let by_manifest = php_by_manifest(paths, from, whole);
    if !by_manifest.is_empty() {
        return by_manifest;
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

fn php_by_manifest(paths: &Paths, from: &str, whole: &str) -> Vec<FileNo> {
    for path in paths.named_by_manifests(whole, '\\', from) {
        if let Some(file) = paths.at(&format!("{path}.php")) {
            return vec![file];
        }
    }
    // A function, or a namespace as a whole, has no file of its own name.
    let space = whole.rsplit_once('\\').map_or("", |(space, _)| space);
    for name in [format!("{whole}\\"), format!("{space}\\")] {
        for folder in paths.named_by_manifests(&name, '\\', from) {
            let files = paths.in_folder(folder.trim_end_matches('/'));
            if !files.is_empty() {
                return files.to_vec();
            }
        }
    }
    Vec::new()
}

fn suffix(paths: &Paths, rules: &ImportRules, from: &str, module: &str) -> Vec<FileNo> {
    let path = module.replace(rules.separator, "/");
    let found = paths.ending(&path, rules.extensions, from);
    match rules.index {
        Some(index) if found.is_empty() => {
            paths.ending(&format!("{path}/{index}"), rules.extensions, from)
        }
        _ => found,
    }
}

/// What a setting names: a file, or what builds or describes a folder. What does
/// not begin with a dot is from elsewhere, such as an image.
fn place(paths: &Paths, rules: &ImportRules, from: &str, module: &str) -> Vec<FileNo> {
    if !module.starts_with('.') {
        return Vec::new();
    }
    for base in [folder(from), ""] {
        let Some(path) = joined(base, module) else {
            continue;
        };
        if let Some(file) = paths.at(&path) {
            return vec![file];
        }
        let stands_for_it = |file: &&FileNo| {
            let name = file_name(paths.path(**file));
            let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
            rules.extensions.contains(&name) || rules.extensions.contains(&ending)
        };
        let inside = paths.in_folder(&path).iter().filter(stands_for_it);
        let inside: Vec<FileNo> = inside.copied().collect();
        if !inside.is_empty() {
            return inside;
        }
    }
    Vec::new()
}

fn relative(paths: &Paths, from: &str, module: &str) -> Vec<FileNo> {
    let path = joined(folder(from), module);
    path.and_then(|path| paths.at(&path)).into_iter().collect()
}
