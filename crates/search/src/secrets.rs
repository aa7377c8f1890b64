//! Files that agents and other machines are usually kept from, told by their
//! names, as `data/secrets.txt` says.

use scent_index::{Result, Snapshot};
use std::collections::HashSet;
use std::sync::{Arc, OnceLock};

/// Whether a file at a path, with `/`, is likely to hold keys or passwords.
pub fn is_secret(path: &str) -> bool {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let name = name.to_lowercase();
    let rules = rules();
    if rules.allowed.holds(&name) {
        return false;
    }
    if rules.secret.holds(&name) {
        return true;
    }
    let above = folder.rsplit('/').next().unwrap_or_default();
    rules.in_folders && rules.secret.whole.contains(&*of_folder(above, &name))
}

/// What of a snapshot is not for everybody.
#[derive(Debug, Default)]
pub(crate) struct Hidden {
    /// The ids of the files.
    pub files: HashSet<u32>,
    /// Their units.
    pub units: Vec<u32>,
}

/// What of a snapshot is not for everybody, looked for once: a server asks for
/// it with every question.
pub(crate) fn hidden_in(snapshot: &Snapshot) -> Result<Arc<Hidden>> {
    snapshot.derived(|| {
        let mut hidden = Hidden::default();
        let files = snapshot.table().files.iter();
        let secret = files.filter(|file| is_secret(&file.path));
        hidden.files = secret.filter_map(|file| file.id()).collect();
        if !hidden.files.is_empty() {
            snapshot.text().each_unit(|unit| {
                if hidden.files.contains(&snapshot.text().place(unit).0) {
                    hidden.units.push(unit);
                }
            });
        }
        Ok(hidden)
    })
}

fn of_folder(folder: &str, name: &str) -> String {
    format!("{}/{name}", folder.to_lowercase())
}

/// Names in three forms.
#[derive(Default)]
struct Names {
    whole: HashSet<&'static str>,
    beginnings: Vec<&'static str>,
    ends: Vec<&'static str>,
}

impl Names {
    fn add(&mut self, line: &'static str) {
        match (line.strip_prefix('*'), line.strip_suffix('*')) {
            (Some(end), _) => self.ends.push(end),
            (_, Some(beginning)) => self.beginnings.push(beginning),
            _ => {
                self.whole.insert(line);
            }
        }
    }

    fn holds(&self, name: &str) -> bool {
        self.whole.contains(name)
            || self.beginnings.iter().any(|text| name.starts_with(text))
            || self.ends.iter().any(|text| name.ends_with(text))
    }
}

#[derive(Default)]
struct Rules {
    secret: Names,
    allowed: Names,
    /// Whether a rule names a folder, too.
    in_folders: bool,
}

fn rules() -> &'static Rules {
    static RULES: OnceLock<Rules> = OnceLock::new();
    RULES.get_or_init(|| {
        let mut rules = Rules::default();
        let lines = include_str!("../data/secrets.txt").lines();
        let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
        for line in lines {
            match line.strip_prefix('!') {
                Some(allowed) => rules.allowed.add(allowed),
                None => rules.secret.add(line),
            }
            rules.in_folders |= line.contains('/');
        }
        rules
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_and_passwords_are_told_by_their_names() {
        for path in [
            ".env",
            "deploy/.env.production",
            "prod.env",
            "keys/Server.PEM",
            "id_rsa",
            "a/id_ed25519_work",
            "home/.aws/credentials",
            "x/.docker/config.json",
            ".NPMRC",
            "infra/terraform.tfstate",
            "config/master.key",
        ] {
            assert!(is_secret(path), "{path}");
        }
        for path in [
            "src/env.rs",
            ".env.example",
            "docs/environment.md",
            "id_rsa.pub",
            "src/credentials.rs",
            "x/config.json",
            "aws/credentials.py",
            "keyboard.rs",
            "a.tfvars.example",
            "",
        ] {
            assert!(!is_secret(path), "{path}");
        }
    }
}
