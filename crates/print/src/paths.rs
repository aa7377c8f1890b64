//! How files are named in answers for people: the same in every command.

use crate::text::Text;

/// How files are named: from where the reader stands.
#[derive(Clone, Debug, Default)]
pub struct Paths {
    /// The folder that the paths of an answer are relative to, with `/`.
    pub root: String,
    /// The folder where the reader stands, with `/`; empty where that is not
    /// known.
    pub base: String,
    /// Make every path a link to its file.
    pub links: bool,
}

impl Paths {
    /// The same for the files below another folder.
    pub(crate) fn below(&self, root: &str) -> Paths {
        Paths {
            root: root.to_owned(),
            ..self.clone()
        }
    }

    /// A path as it is shown: relative to where the reader stands, with `..`
    /// inside the same root, else absolute.
    pub(crate) fn shown(&self, path: &str) -> String {
        let path = path.trim_start_matches("./");
        let whole = self.whole(path);
        if self.base.is_empty() {
            return whole;
        }
        if let Some(inside) = inside(&whole, &self.base) {
            return or_dot(inside);
        }
        if is_absolute(path) {
            return whole;
        }
        if path.starts_with("../") {
            return path.to_owned();
        }
        match inside(&self.base, &self.root) {
            Some(here) => or_dot(&upwards(here, path)),
            None => whole,
        }
    }

    /// A text about a file, as a link to it where links are wanted.
    pub(crate) fn linked(&self, path: &str, text: Text) -> Text {
        match self.links {
            true => text.linked(&self.whole(path.trim_start_matches("./"))),
            false => text,
        }
    }

    fn whole(&self, path: &str) -> String {
        if is_absolute(path) {
            return path.to_owned();
        }
        let (mut root, mut path) = (self.root.as_str(), path);
        // Neither a link nor `..` is in the root.
        while let Some(rest) = path.strip_prefix("../") {
            path = rest;
            root = root.rsplit_once('/').map_or("", |(above, _)| above);
        }
        let slash = if root.ends_with('/') { "" } else { "/" };
        match path {
            "" => root.to_owned(),
            path => format!("{root}{slash}{path}"),
        }
    }
}

fn is_absolute(path: &str) -> bool {
    path.starts_with('/') || path.get(1..3) == Some(":/")
}

/// What of a path is below a folder.
fn inside<'p>(path: &'p str, folder: &str) -> Option<&'p str> {
    let folder = folder.trim_end_matches('/');
    let rest = path.strip_prefix(folder)?;
    match rest {
        "" => Some(""),
        rest => rest.strip_prefix('/'),
    }
}

/// The way from one folder to a path, both relative to the same folder.
fn upwards(here: &str, path: &str) -> String {
    let mut from = here.split('/').filter(|part| !part.is_empty()).peekable();
    let mut to = path.split('/').peekable();
    while let (Some(a), Some(b)) = (from.peek(), to.peek())
        && a == b
    {
        from.next();
        to.next();
    }
    let up = from.map(|_| "..");
    let way: Vec<&str> = up.chain(to.filter(|part| !part.is_empty())).collect();
    way.join("/")
}

fn or_dot(path: &str) -> String {
    let path = if path.is_empty() { "." } else { path };
    path.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_named_from_where_the_reader_stands() {
        for (base, root, path, want) in [
            ("/a/b", "/a/b", "src/c.rs", "src/c.rs"),
            ("/a/b/src", "/a/b", "src/c.rs", "c.rs"),
            ("/a/b/docs/x", "/a/b", "src/c.rs", "../../src/c.rs"),
            ("/a/b/src/x", "/a/b", "src/c.rs", "../c.rs"),
            ("/a/b/src", "/a/b", "src", "."),
            ("/a/b/src", "/a/b", "", ".."),
            ("/a/b", "/a/b", "", "."),
            ("/a", "/a/b", "src/c.rs", "b/src/c.rs"),
            ("/a/bb", "/a/b", "src/c.rs", "/a/b/src/c.rs"),
            ("/x", "/a/b", "src/c.rs", "/a/b/src/c.rs"),
            ("/", "/a/b", "src/c.rs", "a/b/src/c.rs"),
            ("/a", "/", "src/c.rs", "../src/c.rs"),
            ("", "/a/b", "src/c.rs", "/a/b/src/c.rs"),
            // As it was typed.
            ("/a/b", "/a/b", "./src/c.rs", "src/c.rs"),
            ("/a/b", "/a/b", "../x/c.rs", "../x/c.rs"),
            ("/a/b", "/a/b", "../../x/c.rs", "../../x/c.rs"),
            ("/a/b", "/a/b", "../b/c.rs", "c.rs"),
            ("/", "/", "../c.rs", "c.rs"),
            ("/a/b", "/a/b", "/a/b/src/c.rs", "src/c.rs"),
            ("/a/b", "/a/b", "/x/c.rs", "/x/c.rs"),
            ("C:/a", "C:/a", "C:/x/c.rs", "C:/x/c.rs"),
        ] {
            let paths = Paths {
                root: root.into(),
                base: base.into(),
                links: false,
            };
            assert_eq!(paths.shown(path), want, "{path} of {root} from {base}");
        }
    }
}
