//! What questions about structure take.

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// What all these questions have in common.
pub(super) trait Common {
    fn root(&self) -> Option<&str>;
    fn when(&self) -> (Option<u64>, bool);
}

macro_rules! common {
    ($($params:ty),*) => {
        $(impl Common for $params {
            fn root(&self) -> Option<&str> {
                self.root.as_deref()
            }

            fn when(&self) -> (Option<u64>, bool) {
                (self.generation, self.fresh)
            }
        })*
    };
}

common!(
    DefinitionParams,
    ReferenceParams,
    DependencyParams,
    ImpactParams,
    CallPathParams,
    OutlineParams,
    MapParams,
    ContextParams
);

/// A name to look up.
#[derive(Debug, Default, Deserialize, Serialize, ToSchema, IntoParams)]
#[serde(default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct DefinitionParams {
    /// The folder; may be absent where there is one only.
    pub root: Option<String>,
    /// Only this generation of the index; 409 where it is gone.
    pub generation: Option<u64>,
    /// Look for changed files first.
    pub fresh: bool,
    /// A name, plain or qualified, or a glob. Or give `path` and `line`.
    pub name: String,
    /// The file of the place, relative to the root.
    pub path: String,
    /// Its line, counted from 1: of the definition around it.
    pub line: Option<u32>,
    /// Its column in bytes, counted from 1: of the name there.
    pub column: Option<u32>,
    /// Maximum number of definitions: 20 where absent.
    pub k: Option<usize>,
    /// Stop after about so many tokens.
    pub max_tokens: Option<usize>,
}

/// Whose uses to look up.
#[derive(Debug, Default, Deserialize, Serialize, ToSchema, IntoParams)]
#[serde(default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ReferenceParams {
    /// The folder; may be absent where there is one only.
    pub root: Option<String>,
    /// Only this generation of the index; 409 where it is gone.
    pub generation: Option<u64>,
    /// Look for changed files first.
    pub fresh: bool,
    /// A name, plain or qualified. Or give `path` and `line`.
    pub name: String,
    /// The file of the place, relative to the root.
    pub path: String,
    /// Its line, counted from 1: of the definition around it.
    pub line: Option<u32>,
    /// Its column in bytes, counted from 1: of the name there.
    pub column: Option<u32>,
    /// Only these roles: call, type, inherit, import, write, read, use, bind,
    /// param.
    pub role: Vec<String>,
    /// Only tests, or none.
    pub tests: Option<bool>,
    /// Exclude vendored code and build output.
    pub no_vendored: bool,
    /// Also uses that may as well mean another definition of the name, and lines of
    /// documentation.
    pub all: bool,
    /// Include other lines that mention the name, as in comments and strings.
    pub text: bool,
    /// Maximum number of references: 100 where absent, at most 1,000, line by
    /// line 100,000.
    pub k: Option<usize>,
    /// Stop after about so many tokens.
    pub max_tokens: Option<usize>,
}

/// Whose imports to list.
#[derive(Debug, Default, Deserialize, Serialize, ToSchema, IntoParams)]
#[serde(default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct DependencyParams {
    /// The folder; may be absent where there is one only.
    pub root: Option<String>,
    /// Only this generation of the index; 409 where it is gone.
    pub generation: Option<u64>,
    /// Look for changed files first.
    pub fresh: bool,
    /// A file or folder, relative to the root.
    pub path: String,
    /// List importers instead of imports.
    pub reverse: bool,
    /// Maximum number of steps to follow: 1 where absent.
    pub depth: Option<u32>,
    /// Exclude importers in tests.
    pub no_tests: bool,
    /// Stop after about so many tokens.
    pub max_tokens: Option<usize>,
}

/// What changes.
#[derive(Debug, Default, Deserialize, Serialize, ToSchema, IntoParams)]
#[serde(default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ImpactParams {
    /// The folder; may be absent where there is one only.
    pub root: Option<String>,
    /// Only this generation of the index; 409 where it is gone.
    pub generation: Option<u64>,
    /// Look for changed files first.
    pub fresh: bool,
    /// Names that change.
    pub name: Vec<String>,
    /// Files that change, relative to the root.
    pub path: Vec<String>,
    /// What changed since this commit, including the working tree.
    pub diff: Option<String>,
    /// Maximum number of steps to follow: 5 where absent.
    pub depth: Option<u32>,
    /// Exclude what has less confidence than this, from 0 to 1: 0.25 where
    /// absent.
    pub min_confidence: Option<f32>,
    /// Only tests are listed, or none of them is followed.
    pub tests: Option<bool>,
    /// Maximum number of places to list: 200 where absent; more are counted by
    /// folder.
    pub k: Option<usize>,
    /// Stop after about so many tokens.
    pub max_tokens: Option<usize>,
}

/// Between what to look for a way.
#[derive(Debug, Default, Deserialize, Serialize, ToSchema, IntoParams)]
#[serde(default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct CallPathParams {
    /// The folder; may be absent where there is one only.
    pub root: Option<String>,
    /// Only this generation of the index; 409 where it is gone.
    pub generation: Option<u64>,
    /// Look for changed files first.
    pub fresh: bool,
    /// The symbol to start from.
    pub from: String,
    /// The symbol to reach.
    pub to: String,
    /// No chain that is less sure than this, from 0 to 1: 0.5 where absent.
    pub min_confidence: Option<f32>,
}

/// What to outline.
#[derive(Debug, Default, Deserialize, Serialize, ToSchema, IntoParams)]
#[serde(default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct OutlineParams {
    /// The folder; may be absent where there is one only.
    pub root: Option<String>,
    /// Only this generation of the index; 409 where it is gone.
    pub generation: Option<u64>,
    /// Look for changed files first.
    pub fresh: bool,
    /// Files and folders, relative to the root, at most 20.
    pub path: Vec<String>,
    /// Maximum number of definitions of each file in a folder: 8 where absent.
    pub k: Option<usize>,
    /// Exclude definitions known not to be public.
    pub public: bool,
    /// Stop after about so many tokens.
    pub max_tokens: Option<usize>,
}

/// What to map.
#[derive(Debug, Default, Deserialize, Serialize, ToSchema, IntoParams)]
#[serde(default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct MapParams {
    /// The folder; may be absent where there is one only.
    pub root: Option<String>,
    /// Only this generation of the index; 409 where it is gone.
    pub generation: Option<u64>,
    /// Look for changed files first.
    pub fresh: bool,
    /// A folder or file, relative to the root; all where absent.
    pub path: String,
    /// Stop after about so many tokens: 2,000 where absent.
    pub max_tokens: Option<usize>,
}

/// Where code is about to be written.
#[derive(Debug, Default, Deserialize, Serialize, ToSchema, IntoParams)]
#[serde(default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ContextParams {
    /// The folder; may be absent where there is one only.
    pub root: Option<String>,
    /// Only this generation of the index; 409 where it is gone.
    pub generation: Option<u64>,
    /// Look for changed files first.
    pub fresh: bool,
    /// The file, relative to the root. With a text it need not be there yet.
    pub path: String,
    /// The line that the cursor is on, counted from 1.
    pub line: u32,
    /// The text before the cursor, where that is not what is on disk. More than
    /// the nearest 200 lines say nothing.
    pub before: Option<String>,
    /// The text after the cursor, where that is not what is on disk.
    pub after: Option<String>,
    /// Stop after about so many tokens: 1,000 where absent, at most 20,000.
    pub max_tokens: Option<usize>,
}
