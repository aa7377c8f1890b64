//! The binary as it is used: what is typed, what comes out, and how it ends.

mod context;
mod crash;
mod disk;
mod doctor;
mod git;
mod hook;
mod index;
mod install;
mod json;
mod kill;
mod lookup;
mod map;
mod meaning;
mod mistakes;
mod operators;
mod output;
mod paths;
mod patience;
mod pattern;
mod search;
mod settings;
#[cfg(unix)]
mod special_files;
mod terminal;
mod together;
#[path = "../world/mod.rs"]
mod world;
