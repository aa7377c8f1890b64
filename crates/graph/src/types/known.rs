//! What is known of types.

use crate::definition::Definition;
use crate::paths::FileNo;

/// A type as it is written, and where.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Written<'s> {
    pub text: &'s str,
    pub file: FileNo,
    pub line: u32,
}

/// What is known of the type of a value.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Known<'s> {
    /// Types of the project that it may be of, or be itself.
    pub types: Vec<Definition<'s>>,
    /// What types from outside have as their arguments.
    pub inner: Vec<Written<'s>>,
    /// Whether it may be one of those.
    pub is_inner: bool,
    /// It is one of these modules.
    pub modules: Vec<FileNo>,
    /// Whether it can be nothing else.
    pub is_certain: bool,
    /// Whether it is a type itself, not a value of it.
    pub is_type: bool,
}

/// What a type is made of, besides its own members.
#[derive(Debug, Default)]
pub(crate) struct Above<'s> {
    pub types: Vec<Definition<'s>>,
    /// Whether all of it is in the project.
    pub is_whole: bool,
}

impl<'s> Known<'s> {
    pub fn outside() -> Known<'s> {
        Known {
            is_certain: true,
            ..Known::default()
        }
    }

    pub fn one_of(types: Vec<Definition<'s>>) -> Known<'s> {
        Known {
            types,
            is_certain: true,
            ..Known::default()
        }
    }

    pub fn unknown() -> Known<'s> {
        Known::default()
    }

    pub fn is_unknown(&self) -> bool {
        *self == Known::default()
    }

    pub fn add(&mut self, other: Known<'s>) {
        for found in other.types {
            if !self.types.contains(&found) {
                self.types.push(found);
            }
        }
        self.inner.extend(other.inner);
        self.modules.extend(other.modules);
        self.is_inner |= other.is_inner;
        self.is_type &= other.is_type;
        self.is_certain &= other.is_certain;
    }

    /// What is known of one of several.
    pub fn any(all: impl IntoIterator<Item = Known<'s>>) -> Known<'s> {
        let mut whole: Option<Known> = None;
        for known in all {
            match &mut whole {
                Some(whole) => whole.add(known),
                None => whole = Some(known),
            }
        }
        whole.unwrap_or_default()
    }
}
