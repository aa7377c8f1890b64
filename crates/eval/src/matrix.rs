//! Many variants of scent over one index, beside peers.
//!
//! ```toml
//! suites = ["../bench/semble", "../bench/hard"]   # relative to this file,
//! corpora = "../corpora"                          # or on the command line
//!
//! [[variant]]
//! name = "text-only"
//! weights = { fusion = { lanes = { symbol = 0 } } }
//!
//! [[variant]]
//! name = "deep"
//! model = "deep"                                  # as in `scent model use`
//!
//! [[variant]]
//! name = "ripgrep"
//! peer = "ripgrep"
//! ```
//!
//! Beside the model, only numbers that are used while searching can differ:
//! what is indexed is the same for all.

use crate::store::{Named, check_name};
use anyhow::{Context, bail};
use serde::Deserialize;
use std::fs;
use std::path::{Path, PathBuf};

/// A file of variants.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Matrix {
    /// Folders of suites, relative to the file.
    #[serde(default)]
    pub suites: Vec<PathBuf>,
    /// The folder of repositories, relative to the file.
    pub corpora: Option<PathBuf>,
    /// The variants; the first is what the others are held against.
    #[serde(rename = "variant")]
    variants: Vec<Variant>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Variant {
    name: String,
    weights: Option<toml::Table>,
    model: Option<String>,
    peer: Option<String>,
}

/// What a variant is: scent with weights, or a peer.
#[derive(Clone, Debug, PartialEq)]
pub enum Chosen {
    /// scent with these numbers.
    Scent(Named),
    /// The peer of this name.
    Peer(String),
}

impl Matrix {
    /// Reads a file of variants.
    pub fn read(file: &Path) -> anyhow::Result<Matrix> {
        let shown = || file.display().to_string();
        let text = fs::read_to_string(file).with_context(shown)?;
        let mut matrix: Matrix = toml::from_str(&text).with_context(shown)?;
        let beside = file.parent().unwrap_or(Path::new("."));
        for path in matrix.suites.iter_mut().chain(&mut matrix.corpora) {
            *path = beside.join(&path);
        }
        matrix.checked().with_context(shown)
    }

    fn checked(self) -> anyhow::Result<Matrix> {
        let mut names: Vec<&str> = self.variants.iter().map(|v| v.name.as_str()).collect();
        for name in &names {
            check_name(name)?;
        }
        names.sort_unstable();
        if let Some(twice) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            bail!("two variants are called {}", twice[0]);
        }
        for variant in &self.variants {
            match (
                variant.weights.is_some() || variant.model.is_some(),
                &variant.peer,
            ) {
                (true, Some(_)) => bail!("{} is a peer and has weights or a model", variant.name),
                (false, Some(peer)) if *peer != variant.name => {
                    bail!("the variant of the peer {peer} is to have its name");
                }
                _ => {}
            }
        }
        Ok(self)
    }

    /// The variants in order.
    pub fn chosen(&self) -> Vec<Chosen> {
        let one = |variant: &Variant| match &variant.peer {
            Some(peer) => Chosen::Peer(peer.clone()),
            None => Chosen::Scent(Named {
                name: variant.name.clone(),
                weights: Some(variant.weights.clone().unwrap_or_default().to_string()),
                model: variant.model.clone(),
            }),
        };
        self.variants.iter().map(one).collect()
    }
}

impl Chosen {
    /// Its name, with the weights where it is scent.
    pub fn named(&self) -> Named {
        match self {
            Chosen::Scent(named) => named.clone(),
            Chosen::Peer(name) => Named {
                name: name.clone(),
                ..Named::default()
            },
        }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        match self {
            Chosen::Scent(named) => &named.name,
            Chosen::Peer(name) => name,
        }
    }
}
