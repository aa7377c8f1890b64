//! How good the search is, measured: suites of questions with known answers,
//! the systems that are asked, and what their answers are worth.
//!
//! The flow: a [`suite`] is read and verified, every [`system`] is asked all of
//! it over the same files ([`view`]), each answer becomes a [`row`], and all
//! that is ever reported is computed from rows ([`metrics`], [`summary`]).

pub mod agent;
pub mod bm25;
pub mod bootstrap;
pub mod compare;
pub mod context;
pub mod gate;
pub mod issues;
pub mod matrix;
pub mod metrics;
pub mod names;
pub mod plot;
pub mod quoted;
pub mod ranks;
pub mod report;
pub mod row;
pub mod run;
mod shown;
pub mod store;
pub mod suite;
pub mod summary;
pub mod symbols;
pub mod system;
pub mod view;
pub mod worst;
