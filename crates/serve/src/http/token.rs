//! The token: what whoever asks has to know.

use scent_engine::is_private;
use std::fmt;
use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::Path;
use subtle::ConstantTimeEq;

/// So many random bytes make a token.
const BYTES: usize = 32;

/// A shorter token could be guessed, in characters.
const SHORTEST: usize = 16;

/// What whoever asks has to know.
#[derive(Clone)]
pub(crate) struct Token(String);

impl Token {
    /// A token that nobody knows yet.
    pub fn random() -> io::Result<Token> {
        let mut bytes = [0; BYTES];
        getrandom::fill(&mut bytes).map_err(|error| io::Error::other(error.to_string()))?;
        Ok(Token(
            bytes.iter().map(|byte| format!("{byte:02x}")).collect(),
        ))
    }

    /// The token in a file, which is made where there is none. A file that
    /// others can read is refused: it may be known to them.
    pub fn in_file(path: &Path) -> io::Result<Token> {
        match fs::read_to_string(path) {
            Ok(text) => {
                let about = |what: &str| io::Error::other(format!("{}: {what}", path.display()));
                if !is_private(&fs::metadata(path)?) {
                    return Err(about(
                        "others can read the token; `chmod 600` it, or remove it",
                    ));
                }
                let text = text.trim();
                if text.len() < SHORTEST || !text.bytes().all(|b| b.is_ascii_graphic()) {
                    return Err(about("no token: it has at least 16 plain characters"));
                }
                Ok(Token(text.to_owned()))
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let token = Token::random()?;
                if let Some(folder) = path.parent() {
                    fs::create_dir_all(folder)?;
                }
                // Only this user reads what the process makes.
                let mut file = fs::File::create_new(path)?;
                file.write_all(format!("{}\n", token.0).as_bytes())?;
                Ok(token)
            }
            Err(error) => Err(io::Error::new(
                error.kind(),
                format!("{}: {error}", path.display()),
            )),
        }
    }

    /// Whether a text is the token, in a time that says nothing about how much
    /// of it is right.
    pub fn is(&self, text: &str) -> bool {
        self.0.as_bytes().ct_eq(text.as_bytes()).into()
    }

    /// For whoever is to know it.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

/// Nothing of it gets into a log.
impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("Token")
    }
}

#[cfg(test)]
impl From<&str> for Token {
    fn from(text: &str) -> Token {
        Token(text.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_made_once_and_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deeper/token");
        scent_engine::make_files_private();
        let made = Token::in_file(&path).unwrap();
        assert_eq!(made.reveal().len(), 2 * BYTES);
        assert!(Token::in_file(&path).unwrap().is(made.reveal()));
        assert!(!made.is(Token::random().unwrap().reveal()));
        assert!(!made.is(&made.reveal()[1..]));
        assert_eq!(format!("{made:?}"), "Token");
        for wrong in ["", "short", "with a space in the middle"] {
            fs::write(&path, wrong).unwrap();
            assert!(Token::in_file(&path).is_err(), "{wrong:?}");
        }
    }
}
