//! Files that describe a project, and what the names of files say.

use crate::headed;

/// The first line is the path of a file, the rest its text.
pub fn manifest(bytes: &[u8]) -> bool {
    let Some((path, rest)) = headed(bytes) else {
        return false;
    };
    scent_syntax::detect(path, rest);
    let text = scent_syntax::decode(rest);
    let roots = scent_syntax::roots(path, &text);
    assert!(roots.iter().all(|root| !root.path.starts_with("./")));
    true
}
