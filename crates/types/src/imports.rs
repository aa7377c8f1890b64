//! How the imports of a language work. `languages/*/language.toml` says it of
//! each.

/// What the imports of a language name, and which names they bring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImportRules {
    /// How an import names a file.
    pub style: ImportStyle,
    /// Languages of one family see each other's names.
    pub family: &'static str,
    /// Whether a name may be one of any family, as in documentation.
    pub every_family: bool,
    /// What stands between the parts of a module's name, where the style leaves
    /// that open.
    pub separator: &'static str,
    /// Endings of the files that an import may name, where the style leaves that
    /// open.
    pub extensions: &'static [&'static str],
    /// Folders that imports by name usually begin in, by the last part of their
    /// paths.
    pub roots: &'static [&'static str],
    /// Modules that come with the language: a file called so is none of them.
    pub standard: &'static [&'static str],
    /// The file that stands for its folder, where the style leaves that open.
    pub index: Option<&'static str>,
    /// Whether a plain name is defined in its file, imported, or not of this
    /// repository.
    pub explicit_names: bool,
    /// Whether an import that names no file here is certainly from elsewhere.
    pub known_modules: bool,
    /// Whether files of one folder see each other's names.
    pub shared_folder: bool,
    /// Whether a file may pass on what it imports.
    pub reexports: bool,
    /// Whether an import brings all names of what it names.
    pub all_names: bool,
    /// Whether members of what encloses a use need nothing before them.
    pub bare_members: bool,
    /// Whether a type implements every interface whose methods it has.
    pub implicit_interfaces: bool,
    /// Whether a method is only used by calling it.
    pub methods_are_called: bool,
    /// The same where nothing is known of what stands before the method.
    pub methods_are_mostly_called: bool,
    /// Whether a value may have more members than its type says.
    pub open_types: bool,
    /// Types that have what the first of their arguments has.
    pub wrappers: &'static [&'static str],
}

impl ImportRules {
    /// The rules of a language of which nothing is known: only names tell.
    pub const UNKNOWN: ImportRules = ImportRules {
        style: ImportStyle::Names,
        family: "",
        every_family: false,
        separator: ".",
        extensions: &[],
        roots: &[],
        standard: &[],
        index: None,
        explicit_names: false,
        known_modules: false,
        shared_folder: true,
        reexports: true,
        all_names: false,
        bare_members: false,
        implicit_interfaces: false,
        methods_are_called: false,
        methods_are_mostly_called: false,
        open_types: false,
        wrappers: &[],
    };
}

/// How an import names a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImportStyle {
    /// It does not: only names tell.
    Names,
    /// A dotted path from a root, or, with dots before it, from the file; the
    /// last part may be a name in the module.
    Python,
    /// A relative path without an extension, or a package of a manifest.
    Node,
    /// A package of a manifest: all files of a folder.
    Go,
    /// A path of modules, of which the last parts may be names.
    Rust,
    /// A dotted path to a class, or to a folder of them.
    Package,
    /// The path of a file, relative or from a folder that compilers look in.
    Include,
    /// The path of a file without its extension, relative or from a root.
    Ruby,
    /// A namespace with `\`, by what a manifest says of its beginning.
    Php,
    /// The end of a path, from any folder.
    Suffix,
    /// The path of a file, relative or by a package of a manifest.
    Relative,
    /// A relative path that may begin with a variable for the own folder.
    Shell,
    /// Module names in capitals, files in small letters.
    Elixir,
    /// A folder with all that is below it.
    Folder,
    /// A namespace: a file, or all files of a folder, whose first parts may be
    /// left out of the path.
    Namespace,
    /// A module named like its file, with a capital.
    OCaml,
    /// The path of a file from the folder of the file or from the root, or that
    /// of a folder, which stands for the files in it that are called, or end, as
    /// the rules say.
    Place,
}
