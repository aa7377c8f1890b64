//! A bug report as a question: a text that was pasted, taken apart.

/// A long text, in the parts that a search can use.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// What its first line says.
    pub title: String,
    /// What people wrote, without forms, versions, logs and links.
    pub prose: String,
    /// The code in it.
    pub code: String,
    /// The lines of stack traces, the innermost of each trace first.
    pub frames: Vec<Frame>,
    /// The files that it names, each with a line where one stands beside it.
    pub places: Vec<NamedPlace>,
    /// Messages that a program may have printed.
    pub messages: Vec<String>,
    /// Words that look like names in code, the title's first.
    pub names: Vec<String>,
}

/// One line of a stack trace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    /// The path as it stands there, with `/`.
    pub path: String,
    /// The line in the file.
    pub line: Option<u32>,
    /// The name of the function, where the form has one.
    pub function: Option<String>,
    /// Where it stands in its trace as it is printed, from 1.
    pub nth: usize,
    /// How many frames are farther in.
    pub depth: usize,
}

/// A file as a text names it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NamedPlace {
    /// The path as it stands there, with `/`.
    pub path: String,
    /// The line in the file.
    pub line: Option<u32>,
}
